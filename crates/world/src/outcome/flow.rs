//! The measurements of one flow.

use super::choices::ChoicesOutcome;
use super::reasons::by_reason;
use crate::cuts::CutCause;
use crate::end::End;
use crate::flows::{Application, Flow, Score, TcpFlow};
use crate::guards::{MtcpOutcome, SnoopOutcome};
use crate::network::Network;
use crate::plan::{FlowPlan, TransportPlan};
use crate::playout::PlayoutOutcome;
use base::{DelayHistogram, DelayOutcome, Span, Tally, Time, Within, outcome};
use serde::Serialize;
use transport::tcp::SenderStats;

outcome! {
    /// One flow.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct FlowOutcome<M = ()> {
        /// Its name.
        name: String;
        /// "tcp" or "udp".
        transport: &'static str;
        /// The TCP variant; empty for UDP.
        variant: String;
        /// The source of the data.
        from: String;
        /// The destination of the data.
        to: String;
        /// Network-layer bits that reached the sink, a second: headers and duplicates included.
        throughput_bps: f64 = "IP throughput", sum;
        /// Application bits that the sink got for the first time, a second.
        goodput_bps: f64 = "goodput", sum;
        /// Transport-layer bits that reached the sink, a second: `throughput_bps` without IP headers.
        transport_throughput_bps: f64 = "transport throughput", sum;
        /// The part of the measured time between the flow's start and its stop, s.
        active_s: f64 = "active time";
        /// `throughput_bps` over `active_s`; null where that is 0.
        active_throughput_bps: Option<f64> = "IP throughput while active", sum;
        /// `goodput_bps` over `active_s`; null where that is 0.
        active_goodput_bps: Option<f64> = "goodput while active", sum;
        /// Application bits that the TCP sender has seen acknowledged, in order, over `active_s`; absent where the flow is not
        /// one TCP connection.
        #[serde(skip_serializing_if = "Option::is_none")]
        acked_goodput_bps: Option<f64> = "acknowledged goodput", sum;
        /// Data packets handed to the network.
        packets_sent: u64 = "packets sent" in "packets", sum;
        /// Data packets that reached the sink.
        packets_delivered: u64 = "packets delivered" in "packets", sum;
        /// Data packets lost, by reason.
        packets_lost: Tally = "lost packets" in "packets", sum;
        /// Data packets that went through a tunnel; absent without Mobile IP.
        #[serde(skip_serializing_if = "Option::is_none")]
        packets_tunnelled: Option<u64> = "packets tunnelled" in "packets", sum;
        /// Data packets that a handoff has held up: made before the mobile node could be reached again, and passed over its
        /// link afterwards; absent without Mobile IP.
        #[serde(skip_serializing_if = "Option::is_none")]
        packets_delayed: Option<u64> = "packets delayed" in "packets", sum;
        /// Acknowledgements sent.
        acks_sent: u64 = "acknowledgements sent", sum;
        /// Acknowledgements lost.
        acks_lost: u64 = "acknowledgements lost", sum;
        /// The counts of the TCP senders of the data.
        #[serde(flatten)]
        sender: SenderOutcome;
        /// The counts of the senders at the other ends, those of requests: in the direction of `acks_sent`;
        /// absent where connections do not come and go.
        #[serde(skip_serializing_if = "Option::is_none")]
        requests: Option<Box<SenderOutcome>> = "of requests";
        /// One-way delay of data packets, s; null where none arrived.
        delay_s: Option<DelayOutcome> = "delay", by packets_delivered;
        /// The results of other watchers.
        #[serde(flatten)]
        measures: M;
        /// Interarrival jitter (RFC 3550), s.
        jitter_s: f64 = "jitter";
        /// Objects of requests and responses, or transfers; absent where the flow is neither.
        #[serde(skip_serializing_if = "Option::is_none")]
        objects: Option<Box<ResponseOutcome>> = "objects";
        /// Pages; absent where the flow has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pages: Option<Box<ResponseOutcome>> = "pages";
        /// The choices of its connections; absent where the variant is fixed.
        #[serde(flatten)]
        choices: Option<Box<ChoicesOutcome>>;
        /// The playout at the other end; absent where the application is not played.
        #[serde(flatten)]
        playout: Option<Box<PlayoutOutcome>>;
        /// The relay at the node where its two legs meet; absent where it is one connection from end to end.
        /// All other keys are then those of the first leg, except `to` and the goodput, which are of the flow
        /// as a whole.
        #[serde(skip_serializing_if = "Option::is_none")]
        split: Option<Box<SplitOutcome<M>>>;
        /// The work of a base station that watches it; absent where none does.
        #[serde(skip_serializing_if = "Option::is_none")]
        snoop: Option<Box<SnoopOutcome>>;
        /// The further work of M-TCP; absent elsewhere.
        #[serde(skip_serializing_if = "Option::is_none")]
        mtcp: Option<Box<MtcpOutcome>>;
    }

    /// A flow in two legs (I-TCP).
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct SplitOutcome<M = ()> {
        /// The node where the legs meet, at the end.
        at: String;
        /// The most that it may hold, bytes: what has come and is not acknowledged by the leg beyond.
        buffer_bytes: u64 = "buffer of the split", sum;
        /// The mean of the bytes held over the measured time.
        held_mean_bytes: f64 = "mean bytes held";
        /// The most that it held, bytes.
        held_max_bytes: u64 = "most bytes held", max;
        /// Acknowledged to the source and not yet delivered to the sink at the end, bytes.
        undelivered_bytes: u64 = "undelivered bytes", sum;
        /// Acknowledged to the source and never delivered, as the node had lost it, bytes.
        lost_bytes: u64 = "bytes lost after they were acknowledged", sum;
        /// The number of times that both connections were reset, as the node had died.
        resets: u64 = "resets", sum;
        /// The number of times that the state moved to another node.
        moves: u64 = "moves of the split", sum;
        /// Bytes of state that were sent for that.
        moved_bytes: u64 = "bytes moved", sum;
        /// For how long nothing was done meanwhile, s.
        frozen_s: f64 = "time frozen";
        /// The leg from there to the sink, as a flow.
        beyond: Within<FlowOutcome<M>>;
        /// The connection between two nodes that carries the state, as a flow; absent where there is one node.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Within<FlowOutcome<M>>>;
    }

    /// The counts of TCP senders.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct SenderOutcome {
        /// TCP segments sent again.
        retransmits: u64 = "retransmissions", sum;
        /// TCP retransmission timeouts.
        timeouts: u64 = "timeouts", sum;
        /// Duplicate acknowledgements that the TCP sender counted: RFC 5681 section 2; with SACK those that tell of more.
        dup_acks: u64 = "duplicate acknowledgements", sum;
        /// TCP window cuts by cause: why the segment was lost, or ack_loss, reordering, spurious_timeout, ecn_mark.
        window_cuts: Tally = "window cuts", sum;
    }
}

impl SenderOutcome {
    /// Of counts now and when the measurement began, and of the cuts in between.
    fn new(
        (now, before): (SenderStats, SenderStats),
        cuts: impl Iterator<Item = (CutCause, u64)>,
    ) -> SenderOutcome {
        SenderOutcome {
            retransmits: now.retransmits - before.retransmits,
            timeouts: now.timeouts - before.timeouts,
            dup_acks: now.dup_acks - before.dup_acks,
            window_cuts: CutCause::tally(cuts),
        }
    }
}

outcome! {
    /// The objects requested and received.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct ResponseOutcome {
        /// The number received in the measured time.
        finished: u64 = "finished {}", sum;
        /// The number that had been requested at the end and were not there.
        unfinished: u64 = "unfinished {}", sum;
        /// From asking to the last byte, of those that came, s; null where none did.
        response_time_s: Option<DelayOutcome> = "response time of {}";
    }
}

/// Rates over a flow's own time, bit/s; `None` where there is none.
struct OwnRates {
    active_s: f64,
    throughput: Option<f64>,
    goodput: Option<f64>,
    acked: Option<f64>,
}

/// The fixed part of an IPv4 header, bytes (RFC 791 section 3.1).
const IP_HEADER: u32 = 20;

/// Returns the bytes delivered without IP headers. Where less than one is charged for all headers (ns-2's
/// UDP), IP's is the first to be missing: there is nothing to take off.
fn transport_bytes(score: &Score, plan: &FlowPlan) -> u64 {
    let header = match &plan.transport {
        TransportPlan::Tcp { config, .. } => config.header_bytes,
        TransportPlan::Udp { header_bytes } => *header_bytes,
    };
    let ip = if header < IP_HEADER { 0 } else { IP_HEADER };
    score.delivered_bytes - u64::from(ip) * score.delivered
}

impl Network {
    pub(super) fn flow_outcome<M>(
        &self,
        flow: &Flow,
        plan: &FlowPlan,
        measured_s: f64,
        measures: M,
    ) -> FlowOutcome<M> {
        let score = &flow.score;
        let (transport, variant) = match &plan.transport {
            TransportPlan::Tcp { variant, .. } => ("tcp", variant.to_string()),
            TransportPlan::Udp { .. } => ("udp", String::new()),
        };
        let (sender, requests) = sender_outcomes(flow.tcp());
        let (objects, pages) = response_outcomes(&flow.application);
        let playout = flow.playout.as_ref();
        let own = self.own_rates(flow, plan);
        FlowOutcome {
            name: plan.name.clone(),
            transport,
            variant,
            from: self.node_name(plan.from).to_owned(),
            to: self.node_name(plan.to).to_owned(),
            throughput_bps: score.delivered_bytes as f64 * 8.0 / measured_s,
            goodput_bps: score.goodput_bytes as f64 * 8.0 / measured_s,
            transport_throughput_bps: transport_bytes(score, plan) as f64 * 8.0 / measured_s,
            active_s: own.active_s,
            active_throughput_bps: own.throughput,
            active_goodput_bps: own.goodput,
            acked_goodput_bps: own.acked,
            packets_sent: score.sent,
            packets_delivered: score.delivered,
            packets_lost: by_reason(|reason| score.lost.of(reason)),
            packets_tunnelled: self.mobile_ip.as_ref().map(|_| score.tunnelled),
            packets_delayed: self.mobile_ip.as_ref().map(|_| score.delayed),
            acks_sent: score.acks_sent,
            acks_lost: score.acks_lost,
            sender,
            requests: requests.map(Box::new),
            delay_s: DelayOutcome::of(&flow.score.delay),
            measures,
            jitter_s: flow.jitter.seconds(),
            objects: objects.map(Box::new),
            pages: pages.map(Box::new),
            playout: playout.map(|playout| Box::new(PlayoutOutcome::new(playout, score))),
            choices: None,
            split: None,
            snoop: None,
            mtcp: None,
        }
    }

    /// Rates over the part of the measured time that is the flow's own.
    fn own_rates(&self, flow: &Flow, plan: &FlowPlan) -> OwnRates {
        let active_s = self.active(plan).as_secs();
        let over_active = |bytes: u64| (active_s > 0.0).then(|| bytes as f64 * 8.0 / active_s);
        let acked = flow.tcp().and_then(TcpFlow::acked_bytes);
        OwnRates {
            active_s,
            throughput: over_active(flow.score.delivered_bytes),
            goodput: over_active(flow.score.goodput_bytes),
            acked: acked.and_then(over_active),
        }
    }

    /// Returns the part of the measured time between a flow's start and its stop.
    fn active(&self, plan: &FlowPlan) -> Span {
        let end = Time::ZERO + self.plan.duration;
        plan.stop.min(end).since(plan.start.max(self.measuring_since))
    }
}

/// Of the senders of the data, and of those at the other ends where they send too.
fn sender_outcomes(tcp: Option<&TcpFlow>) -> (SenderOutcome, Option<SenderOutcome>) {
    let Some(tcp) = tcp else {
        return (SenderOutcome::new(Default::default(), std::iter::empty()), None);
    };
    let of = |end| SenderOutcome::new(tcp.measured(end), tcp.cuts(end));
    (of(End::Source), tcp.style().map(|_| of(End::Sink)))
}

/// Of objects and of pages.
fn response_outcomes(
    application: &Application,
) -> (Option<ResponseOutcome>, Option<ResponseOutcome>) {
    let Application::Web(web) = application else { return (None, None) };
    let outcome = |times: &DelayHistogram, unfinished| ResponseOutcome {
        finished: times.count(),
        unfinished,
        response_time_s: DelayOutcome::of(times),
    };
    let (objects, pages) = web.unfinished();
    (Some(outcome(&web.objects, objects)), web.paged.then(|| outcome(&web.pages, pages)))
}
