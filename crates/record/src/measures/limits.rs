//! What held each flow back: what its sender waited for, and where on the way its packets waited and were lost.

use crate::kinds::Kind;
use crate::measure::Measure;
use base::{FlowId, PacketId, Span, Time, outcome};
use net::{Direction, DropReason};
use serde::Serialize;
use std::collections::BTreeMap;
use transport::tcp::{Held, Snapshot};
use world::{Note, Plan, Technology};

outcome! {
    /// Results of a flow.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct LimitsOf {
        /// What held the flow back.
        limits: Limits;
    }

    /// What the sender waited for, and where packets of data waited. Shares of the time from the first segment to the last.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Limits {
        /// The sender; null where it is not one TCP connection.
        sender: Option<SenderLimits>;
        /// Mean time of a packet at each interface on its way, s: in the queue of a wire; of a shared medium until the
        /// packet came over it.
        wait_s: BTreeMap<String, f64> = "wait at an interface";
        /// Share of the measured time in which a packet waited at an interface behind another, by station of a shared
        /// medium on its way, and by link whose queue has a shaper. Of other wires it is their `utilisation`.
        backlog_share: BTreeMap<String, f64> = "backlog at an interface" in "1";
        /// Packets that a queue dropped, by interface.
        queue_drops: BTreeMap<String, u64> = "drops at an interface" in "packets", sum;
    }

    /// What a TCP sender waited for.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct SenderLimits {
        /// Share of the time in which all that the application had offered was sent.
        application_share: f64 = "time limited by the application" in "1";
        /// Share of the time in which the receiver's window let no more go, and the congestion window would have.
        receiver_share: f64 = "time limited by the receiver" in "1";
        /// Share of the time in which the congestion window or the pace let no more go.
        congestion_share: f64 = "time limited by congestion control" in "1";
        /// Mean of the smoothed round-trip time over the time, s; null before the first sample.
        rtt_s: Option<f64> = "smoothed round-trip time";
        /// The smallest round-trip time, s; null before the first sample.
        min_rtt_s: Option<f64> = "smallest round-trip time";
    }
}

/// A sender's states, added up over the measured time.
#[derive(Clone, Copy, Debug, Default)]
struct Sender {
    last: Option<(Time, Snapshot)>,
    /// Time by what it waited for: the application, the receiver, congestion control.
    held: [Span; 3],
    /// Sum of the smoothed round-trip time over the time, s², and that time, s.
    rtt: (f64, f64),
}

impl Sender {
    /// Adds the time since its last state, from the end of the warm-up on.
    fn pass(&mut self, now: Time, from: Time) {
        let Some((since, state)) = self.last else { return };
        if now <= from {
            return;
        }
        let time = now.since(since.max(from));
        self.held[state.held as usize] += time;
        if let Some(srtt) = state.srtt {
            self.rtt.0 += srtt.as_secs() * time.as_secs();
            self.rtt.1 += time.as_secs();
        }
    }

    fn of(mut self, from: Time, end: Time) -> Option<SenderLimits> {
        let (_, state) = self.last?;
        // What is after a transfer that has ended is no part of it.
        if state.held != Held::Application || state.flight > 0 {
            self.pass(end, from);
        }
        let whole: f64 = self.held.iter().map(|time| time.as_secs()).sum();
        let share = |at: usize| self.held[at].as_secs() / whole;
        (whole > 0.0).then(|| SenderLimits {
            application_share: share(0),
            receiver_share: share(1),
            congestion_share: share(2),
            rtt_s: (self.rtt.1 > 0.0).then(|| self.rtt.0 / self.rtt.1),
            min_rtt_s: state.min_rtt.map(Span::as_secs),
        })
    }
}

/// An interface on the way of a flow's data.
#[derive(Clone, Copy, Debug, Default)]
struct Hop {
    waited: Span,
    packets: u64,
    drops: u64,
}

/// A packet of data on its way.
#[derive(Clone, Copy, Debug)]
struct Under {
    flow: FlowId,
    /// The interface where it is, and since when.
    at: Option<(usize, Time)>,
}

/// When packets wait at an interface.
#[derive(Clone, Copy, Debug, Default)]
struct Backlog {
    /// Since when one waits, if one does.
    since: Option<Time>,
    waited: Span,
}

impl Backlog {
    /// So many wait from now on.
    fn note(&mut self, now: Time, packets: u32, from: Time) {
        if let Some(since) = self.since.take()
            && now > from
        {
            self.waited += now.since(since.max(from));
        }
        self.since = (packets > 0).then_some(now);
    }
}

/// All flows.
#[derive(Clone, Debug)]
pub struct FlowLimits {
    from: Time,
    end: Time,
    senders: Vec<Sender>,
    /// By flow, then by interface.
    hops: Vec<BTreeMap<usize, Hop>>,
    /// By packet; `None` of acknowledgements.
    under_way: Vec<Option<Under>>,
    /// By interface: links, then stations of shared media.
    names: Vec<String>,
    /// By element, then by station: its interface.
    stations: Vec<Vec<usize>>,
    /// By element, then by queue: its interface, where each station has one queue.
    queues: Vec<Vec<Option<usize>>>,
    /// By interface.
    backlogs: Vec<Backlog>,
    /// By link: a shaper makes packets wait there.
    shaped: Vec<bool>,
    /// The link to which a packet was offered last.
    offered: usize,
}

impl FlowLimits {
    /// The packet is at an interface from now on.
    fn enter(&mut self, now: Time, id: PacketId, hop: usize) {
        if let Some(Some(under)) = self.under_way.get_mut(id.index()) {
            under.at = Some((hop, now));
        }
    }

    /// The packet leaves the interface where it is, if any, at a time that may be still to come.
    fn leave(&mut self, at: Time, id: PacketId, measured: bool) {
        let Some(Some(under)) = self.under_way.get_mut(id.index()) else { return };
        if let Some((hop, since)) = under.at.take()
            && measured
        {
            let hop = self.hops[under.flow.index()].entry(hop).or_default();
            hop.waited += at.since(since);
            hop.packets += 1;
        }
    }

    fn on_drop(&mut self, now: Time, id: PacketId, reason: DropReason, measured: bool) {
        let of_queue = matches!(reason, DropReason::Queue | DropReason::Aqm);
        if !of_queue {
            self.leave(now, id, measured);
        }
        let Some(under) = self.under_way.get_mut(id.index()).and_then(Option::take) else { return };
        if measured && of_queue {
            let hop = under.at.map_or(self.offered, |(hop, _)| hop);
            self.hops[under.flow.index()].entry(hop).or_default().drops += 1;
        }
    }
}

impl Measure for FlowLimits {
    type Of = LimitsOf;
    const SEES: &'static [Kind] = &[
        Kind::AirIn,
        Kind::AirOut,
        Kind::Delivered,
        Kind::Dropped,
        Kind::Queue,
        Kind::Sent,
        Kind::Tcp,
        Kind::WireIn,
        Kind::WireQueue,
        Kind::WireWaits,
    ];

    fn start(plan: &Plan) -> FlowLimits {
        let mut names: Vec<String> = plan.links.iter().map(|link| plan.link_name(link)).collect();
        let stations = plan.by_element(|part| {
            let first = names.len();
            let named = |node: &base::NodeId| format!("{}/{}", part.name, plan.nodes[node.index()]);
            names.extend(part.stations.iter().map(named));
            first..names.len()
        });
        let mut first = plan.links.len();
        let queues = plan.by_element(|part| {
            // A subscriber's queues note what is on the air too, and a cell of one has as many as it has stations.
            let is_wimax = matches!(part.technology, Technology::Wimax(_));
            let (start, alone) = (first, !is_wimax && part.queues == part.stations.len());
            first += part.stations.len();
            (0..part.queues).map(move |queue| alone.then_some(start + queue))
        });
        FlowLimits {
            queues,
            backlogs: vec![Backlog::default(); names.len()],
            shaped: plan.links.iter().map(|link| link.queue.is_shaped()).collect(),
            from: Time::ZERO + plan.warmup,
            end: Time::ZERO + plan.duration,
            senders: vec![Sender::default(); plan.flows.len()],
            hops: vec![BTreeMap::new(); plan.flows.len()],
            under_way: Vec::new(),
            names,
            stations,
            offered: 0,
        }
    }

    fn see(&mut self, now: Time, note: &Note, measured: bool) {
        match *note {
            Note::Tcp { flow, state } => {
                let sender = &mut self.senders[flow.index()];
                sender.pass(now, self.from);
                sender.last = Some((now, state));
            }
            Note::Sent { id, flow, direction, .. } => {
                if self.under_way.len() <= id.index() {
                    self.under_way.resize(id.index() + 1, None);
                }
                let is_data = direction == Direction::Forward;
                self.under_way[id.index()] = is_data.then_some(Under { flow, at: None });
            }
            Note::Queue { cell, queue, packets } => {
                if let Some(at) = self.queues[cell.index()][queue as usize] {
                    self.backlogs[at].note(now, packets, self.from);
                }
            }
            Note::WireQueue { link, packets } => {
                self.offered = link.index();
                if self.shaped[link.index()] {
                    self.backlogs[link.index()].note(now, packets, self.from);
                }
            }
            Note::WireWaits { id, .. } => self.enter(now, id, self.offered),
            Note::WireIn { link, id, transit, .. } => {
                if matches!(self.under_way.get(id.index()), Some(Some(Under { at: None, .. }))) {
                    self.enter(now, id, link.index());
                }
                self.leave(transit.start, id, measured);
            }
            Note::AirIn { cell, from, id, .. } => {
                self.leave(now, id, measured);
                self.enter(now, id, self.stations[cell.index()][from.index()]);
            }
            Note::AirOut { id } => self.leave(now, id, measured),
            Note::Delivered { id, .. } => {
                self.leave(now, id, measured);
                if let Some(under) = self.under_way.get_mut(id.index()) {
                    *under = None;
                }
            }
            Note::Dropped { id, reason, .. } => self.on_drop(now, id, reason, measured),
            _ => {}
        }
    }

    fn of(&self, flow: usize) -> Option<LimitsOf> {
        let hops = &self.hops[flow];
        let known = hops.iter().filter(|(_, hop)| hop.packets > 0);
        let waits = known
            .map(|(&at, hop)| (self.names[at].clone(), hop.waited.as_secs() / hop.packets as f64));
        let whole = self.end.since(self.from).as_secs();
        let backlog = |at: usize| {
            let mut backlog = self.backlogs[at];
            backlog.note(self.end, 0, self.from);
            (self.names[at].clone(), backlog.waited.as_secs() / whole)
        };
        let is_known = |at: &usize| {
            self.shaped.get(*at) == Some(&true)
                || self.queues.iter().flatten().any(|known| *known == Some(*at))
        };
        let limits = Limits {
            backlog_share: hops.keys().copied().filter(is_known).map(backlog).collect(),
            sender: self.senders[flow].of(self.from, self.end),
            wait_s: waits.collect(),
            queue_drops: hops
                .iter()
                .map(|(&at, hop)| (self.names[at].clone(), hop.drops))
                .collect(),
        };
        Some(LimitsOf { limits })
    }
}
