//! Samples of the round-trip time where a scoreboard knows when each segment was sent.

use crate::tcp::record::NewlyDelivered;
use crate::tcp::tcb::Tcb;
use base::{Span, Time};
use net::Segment;

/// A sample of the round-trip time, by the configuration's way.
pub fn sample(
    tcb: &mut Tcb,
    now: Time,
    segment: &Segment,
    ack: u64,
    newly: &NewlyDelivered,
) -> Option<Span> {
    if !tcb.config.sack.sample_every_ack {
        return match tcb.config.timestamps {
            Some(_) => tcb.sample_stamps(now, segment),
            None => tcb.rtt.on_ack(now, ack),
        };
    }
    if tcb.config.sack.smooth_oldest {
        return sample_ends(tcb, now, segment, newly);
    }
    // Karn's rule: only what was sent once.
    let rtt = newly.once.map(|sent| now.since(sent));
    if let Some(rtt) = rtt {
        tcb.rtt.sample(rtt);
    }
    if tcb.config.sack.sample_sacked {
        return rtt;
    }
    newly.acked_once.map(|(_, newest)| now.since(newest))
}

/// Linux's `tcp_ack_update_rtt`: what was acknowledged first, then what was SACKed, then the timestamps.
fn sample_ends(
    tcb: &mut Tcb,
    now: Time,
    segment: &Segment,
    newly: &NewlyDelivered,
) -> Option<Span> {
    let acked = newly.acked_once.filter(|_| !newly.acked_again);
    let Some((oldest, _)) = acked.or(newly.sacked_once) else {
        return tcb.sample_stamps(now, segment);
    };
    let newest = newly.sacked_once.or(acked).map_or(oldest, |(_, newest)| newest);
    tcb.rtt.sample_both(now.since(oldest), now.since(newest));
    Some(now.since(newest))
}
