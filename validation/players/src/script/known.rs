//! Differences from a script, and the reasons why ours is right.

/// A difference that is known: the case, what exactly comes first that is not expected (after the event's number and
/// time), and why that is right.
pub struct Known {
    pub id: &'static str,
    pub exactly: &'static str,
    pub why: &'static str,
}

/// The differences that are known, in Google's suite.
pub const KNOWN: &[Known] = &[
    Known {
        id: "basic-v6",
        exactly: ": ACK 1:987 ack 1 [] expected, other data: sent 1:1461 ack 1 [] at 0.3 s",
        why: "the segment size is a parameter here: probing of the path's MTU (RFC 4821) is not modelled",
    },
    Known {
        id: "user-timeout-probe",
        exactly: ": tcpi_probes is not modelled",
        why: "a shell command takes the interface down, which the file does not tell; user timeouts (RFC 5482) \
              belong to the socket",
    },
    Known {
        id: "basic-v4",
        exactly: ": ACK 1:987 ack 1 [] expected, other data: sent 1:1461 ack 1 [] at 0.3 s",
        why: "the segment size is a parameter here: probing of the path's MTU (RFC 4821) is not modelled",
    },
    Known {
        id: "sendmsg_msg_more",
        exactly: ": PSH ACK 1:41 ack 1 [] expected, at another time: sent 1:41 ack 1 [] at 0.01 s",
        why: "what is written goes at once: an application's hints where a segment ends (MSG_MORE) belong to the socket",
    },
    Known {
        id: "sockopt_cork_nodelay",
        exactly: ": PSH ACK 1:81 ack 1 [] expected, at another time: sent 1:41 ack 1 [] at 0.01 s",
        why: "what is written goes at once: an application's hints where a segment ends (TCP_CORK) belong to the socket",
    },
    Known {
        id: "slow-start-fq-ack-per-2pkt",
        exactly: ": PSH ACK 17521:20441 ack 1 [] expected, at another time: sent 17521:18981 ack 1 \
                  [] at 0.305 s",
        why: "a shell command sets a queue that paces (fq), which the file does not tell",
    },
    Known {
        id: "cwnd-moderation-ecn-enter-cwr-no-moderation-700",
        exactly: ": tcpi_ca_state TCP_CA_CWR expected, is 0",
        why: "a congestion mark cuts the window at once (RFC 3168 section 6.1.2); Linux spreads the cut over a round by \
              PRR, in a state of its own",
    },
    Known {
        id: "cubic-rack-reo-timeout-retrans-failed-incoming-data",
        exactly: ": tcpi_reord_seen is not modelled",
        why: "how often the path reordered is not counted, only how far; later a shell command makes transmissions \
              fail, which the file does not tell",
    },
];
