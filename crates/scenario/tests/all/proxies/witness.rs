//! A witness of a run, which checks the invariants of its connections from packets alone: from when each leaves its
//! transport and when it comes to the other.

use super::stream::Stream;
use base::{FlowId, PacketId, Time};
use engine::Watch;
use net::{Direction, DropReason, Flags, Header, Segment};
use std::collections::BTreeMap;
use transport::tcp::{Reader, TcpConfig};
use world::{GuardKind, Note, Plan, ProxyKind, TransportPlan};

/// Packets of one direction of one flow, from the end of the warm-up on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted {
    pub sent: u64,
    pub delivered: u64,
    pub lost: u64,
    pub suppressed: u64,
}

/// One connection after the other, of one flow.
#[derive(Clone, Debug)]
pub struct Leg {
    config: TcpConfig,
    /// The number of its present connection.
    epoch: u32,
    /// The data that have reached its sink within the window.
    came: BTreeMap<u64, u64>,
    /// The next number that the sink waits for.
    pub next: u64,
    /// The bytes that earlier connections have delivered.
    past: u64,
    /// The highest edge that the sink has advertised.
    edge: u64,
    /// The last number that the sink has acknowledged, and TS.Recent (RFC 7323 section 4.3).
    last_ack: u64,
    recent: u32,
    /// The acknowledgement that its source has received, and the window's edge with it.
    pub heard: u64,
    heard_edge: u64,
    /// One past the highest number that its source has sent.
    highest: u64,
    /// Its source has sent a SYN.
    is_open: bool,
    /// Bytes that have come out at the sink, and since the warm-up.
    pub fresh: u64,
    pub fresh_measured: u64,
    /// By direction.
    pub counted: [Counted; 2],
    /// Packets that are under way.
    pub alive: u64,
    /// Data that somebody beside the source has sent.
    pub copies: u64,
    /// Windows that were taken back by a window of zero.
    pub withdrawn: u64,
    is_udp: bool,
    is_mtcp: bool,
    is_watched: bool,
}

impl Leg {
    fn new(config: TcpConfig) -> Leg {
        let edge =
            1 + config.receive_buffer.unwrap_or(config.receive_window).min(config.receive_window);
        Leg {
            config,
            epoch: 0,
            came: BTreeMap::new(),
            next: 1,
            past: 0,
            edge,
            last_ack: 0,
            recent: 0,
            heard: 0,
            heard_edge: 0,
            highest: 0,
            is_open: false,
            fresh: 0,
            fresh_measured: 0,
            counted: Default::default(),
            alive: 0,
            copies: 0,
            withdrawn: 0,
            is_udp: false,
            is_mtcp: false,
            is_watched: false,
        }
    }

    /// Another connection follows.
    fn renew(&mut self) {
        let again = Leg::new(self.config.clone());
        let Leg { fresh, fresh_measured, counted, alive, copies, withdrawn, .. } = *self;
        let (epoch, past) = (self.epoch + 1, self.past + self.in_order());
        let (is_mtcp, is_watched) = (self.is_mtcp, self.is_watched);
        *self = Leg {
            epoch,
            past,
            fresh,
            fresh_measured,
            counted,
            alive,
            copies,
            withdrawn,
            is_mtcp,
            is_watched,
            ..again
        };
    }

    /// Payload that the sink has in order.
    pub fn in_order(&self) -> u64 {
        self.next - 1
    }

    /// The same with what has come by the connections before.
    pub fn came(&self) -> u64 {
        self.past + self.in_order()
    }

    fn allows(&self, end: u64) -> bool {
        match self.config.reader {
            Reader::Immediate => end <= self.next + self.config.receive_window,
            _ => end <= self.edge,
        }
    }

    /// The sink gets a segment. One that is older by its clock than what came in order is refused (RFC 7323 section 5.3): so are
    /// copies that were kept on the way, after the source has filled a hole below them.
    fn take(&mut self, segment: &Segment) {
        let (start, end) = (segment.seq, segment.seq + u64::from(segment.len));
        let begins = segment.flags.has(Flags::SYN);
        let clock = segment.stamps().map(|stamps| stamps.value);
        let is_old = clock.is_some_and(|clock| (clock.wrapping_sub(self.recent) as i32) < 0);
        if !begins && (is_old || end <= self.next || !self.allows(end)) {
            return;
        }
        if let Some(clock) = clock.filter(|_| start <= self.last_ack) {
            self.recent = clock;
        }
        if begins {
            return;
        }
        let most = self.came.entry(start).or_insert(end);
        *most = end.max(*most);
        while let Some((&start, &end)) = self.came.first_key_value()
            && start <= self.next
        {
            self.next = self.next.max(end);
            self.came.pop_first();
        }
    }
}

/// All that is seen of a run.
pub struct Witness {
    pub legs: Vec<Leg>,
    pub streams: Vec<Stream>,
    /// By packet under way: its connection.
    epochs: Vec<u32>,
    warmup: Time,
    /// Violations, in the order in which they happened.
    pub faults: Vec<String>,
}

impl Witness {
    pub fn new(plan: &Plan) -> Witness {
        let config = |transport: &TransportPlan| match transport {
            TransportPlan::Tcp { config, .. } => TcpConfig::clone(config),
            TransportPlan::Udp { .. } => TcpConfig::default(),
        };
        let mut legs: Vec<Leg> =
            plan.flows.iter().map(|flow| Leg::new(config(&flow.transport))).collect();
        for (leg, flow) in legs.iter_mut().zip(&plan.flows) {
            leg.is_udp = matches!(flow.transport, TransportPlan::Udp { .. });
        }
        for proxy in &plan.proxies {
            if let ProxyKind::Guard(guard) = &proxy.kind {
                for (flow, _) in &guard.flows {
                    legs[flow.index()].is_watched = true;
                    legs[flow.index()].is_mtcp = matches!(guard.kind, GuardKind::Mtcp(_));
                }
            }
        }
        let streams = plan.splits().map(|(split, legs)| Stream::new(split, legs)).collect();
        let warmup = Time::ZERO + plan.warmup;
        Witness { legs, streams, epochs: vec![], warmup, faults: vec![] }
    }

    /// Node deaths up to `now` have happened.
    pub fn advance(&mut self, now: Time) {
        let warmup = self.warmup;
        for stream in &mut self.streams {
            let (first, beyond) = (stream.legs.flow.index(), stream.legs.beyond.index());
            while let Some(at) = stream.dies_before(now, self.legs[first].is_open) {
                let heard = self.legs[first].heard.saturating_sub(1);
                stream.reset(heard, self.legs[beyond].in_order(), at > warmup);
                let state = stream.legs.state.map(FlowId::index);
                for leg in [Some(first), Some(beyond), state].into_iter().flatten() {
                    self.legs[leg].renew();
                }
            }
        }
    }

    /// Each move of a state has a connection of its own, which begins with a SYN.
    fn renew_state(&mut self, flow: FlowId, header: Header) {
        let is_state = self.streams.iter().any(|stream| stream.legs.state == Some(flow));
        let begins = matches!(header, Header::Tcp(one) if one.flags == Flags::SYN);
        if is_state && begins && self.legs[flow.index()].highest > 1 {
            self.legs[flow.index()].renew();
        }
    }

    /// The end of the warm-up is the last event of its time.
    fn is_measured(&self, now: Time) -> bool {
        now > self.warmup || self.warmup == Time::ZERO
    }

    fn fault(&mut self, now: Time, flow: FlowId, what: String) {
        if self.faults.len() < 20 {
            self.faults.push(format!("{:.6} s, flow {}: {what}", now.as_secs(), flow.index()));
        }
    }

    fn on_sent(&mut self, now: Time, (flow, direction): (FlowId, Direction), segment: &Segment) {
        let is_measured = self.is_measured(now);
        let leg = &mut self.legs[flow.index()];
        if direction == Direction::Reverse {
            if segment.flags.has(Flags::ACK) {
                leg.edge = leg.edge.max(segment.ack + u64::from(segment.window));
                leg.last_ack = leg.last_ack.max(segment.ack);
            }
            return;
        }
        leg.is_open = true;
        let end = segment.seq.max(1) + u64::from(segment.len);
        if is_measured && segment.len > 0 && end <= leg.highest && !segment.retransmission {
            leg.copies += 1;
        }
        leg.highest = leg.highest.max(end);
        if let Some(stream) = self.streams.iter().find(|one| one.legs.beyond == flow) {
            let came = self.legs[stream.legs.flow.index()].next;
            if end > came {
                self.fault(now, flow, format!("carries on {end}, and {came} has come"));
            }
        }
        if let Some(stream) = self.streams.iter_mut().find(|one| one.legs.flow == flow) {
            stream.is_down = false;
        }
    }

    fn on_ack(&mut self, now: Time, flow: FlowId, segment: &Segment) {
        let is_measured = self.is_measured(now);
        let leg = &mut self.legs[flow.index()];
        let (ack, edge) = (segment.ack, segment.ack + u64::from(segment.window));
        let mut faults = vec![];
        if ack > leg.next {
            faults.push(format!("{ack} acknowledged to the source, {} expected", leg.next));
        }
        if let Some(block) = segment.sack_blocks().find(|&(_, end)| end > leg.highest) {
            faults.push(format!("block {block:?} of what was not sent"));
        }
        if edge > leg.next + leg.config.receive_window.max(1) {
            faults.push(format!("edge {edge} beyond {} and a window", leg.next));
        }
        if ack > leg.heard && edge < leg.heard_edge {
            if leg.is_mtcp && segment.window == 0 {
                leg.withdrawn += u64::from(is_measured);
            } else {
                faults.push(format!("edge {edge} with {ack} after {}", leg.heard_edge));
            }
        } else {
            leg.heard_edge = leg.heard_edge.max(edge);
        }
        leg.heard = leg.heard.max(ack);
        if let Some(stream) = self.streams.iter().find(|one| one.legs.flow == flow) {
            let passed = self.legs[stream.legs.beyond.index()].heard.saturating_sub(1);
            if edge > 1 + passed + stream.limit {
                faults.push(format!("edge {edge}, {passed} passed on, {} fit", stream.limit));
            }
        }
        faults.into_iter().for_each(|what| self.fault(now, flow, what));
    }

    fn on_delivered(&mut self, now: Time, way: (FlowId, Direction), segment: &Segment, epoch: u32) {
        let (flow, direction) = way;
        let leg = &mut self.legs[flow.index()];
        if epoch != leg.epoch {
            return;
        }
        if direction == Direction::Reverse {
            return self.on_ack(now, flow, segment);
        }
        leg.take(segment);
        for at in 0..self.streams.len() {
            let stream = &self.streams[at];
            let held = self.legs[stream.legs.flow.index()].in_order();
            let passed = self.legs[stream.legs.beyond.index()].heard.saturating_sub(1);
            if held > passed + stream.limit {
                let what = format!("{held} came, {passed} passed on, {} fit", stream.limit);
                self.fault(now, flow, what);
            }
        }
    }

    fn on_fresh(&mut self, now: Time, flow: FlowId, bytes: u64) {
        let measured = self.is_measured(now);
        let leg = &mut self.legs[flow.index()];
        leg.fresh += bytes;
        leg.fresh_measured += if measured { bytes } else { 0 };
        if leg.is_udp {
            return;
        }
        let fresh = leg.fresh;
        let came = match self.streams.iter().find(|one| one.has(flow)) {
            Some(stream) => stream.delivered(self.legs[stream.legs.beyond.index()].in_order()),
            None => self.legs[flow.index()].came(),
        };
        if fresh > came {
            self.fault(now, flow, format!("{fresh} bytes came out, {came} came in order"));
        }
    }

    fn counted(
        &mut self,
        now: Time,
        (flow, direction): (FlowId, Direction),
    ) -> Option<&mut Counted> {
        let measured = self.is_measured(now);
        let leg = self.legs.get_mut(flow.index()).filter(|_| measured)?;
        Some(&mut leg.counted[direction as usize])
    }
}

impl Watch<Note> for Witness {
    fn see(&mut self, now: Time, note: &Note) {
        self.advance(now);
        match *note {
            Note::Sent { id, flow, direction, header, .. } if flow.index() < self.legs.len() => {
                self.renew_state(flow, header);
                let at = id.index();
                self.epochs.resize(self.epochs.len().max(at + 1), 0);
                self.epochs[at] = self.legs[flow.index()].epoch;
                self.legs[flow.index()].alive += 1;
                if let Some(counted) = self.counted(now, (flow, direction)) {
                    counted.sent += 1;
                }
                if let Header::Tcp(segment) = header {
                    self.on_sent(now, (flow, direction), &segment);
                }
            }
            Note::Delivered { id, flow, direction, header, .. } => {
                self.legs[flow.index()].alive -= 1;
                if let Some(counted) = self.counted(now, (flow, direction)) {
                    counted.delivered += 1;
                }
                if let Header::Tcp(segment) = header {
                    let epoch = self.epoch_of(id);
                    self.on_delivered(now, (flow, direction), &segment, epoch);
                }
            }
            Note::Dropped { flow, direction, reason, .. } => {
                self.legs[flow.index()].alive -= 1;
                if reason == DropReason::Suppressed && !self.legs[flow.index()].is_watched {
                    self.fault(now, flow, "nobody watches, and an acknowledgement is kept".into());
                }
                if let Some(counted) = self.counted(now, (flow, direction)) {
                    counted.lost += 1;
                    counted.suppressed += u64::from(reason == DropReason::Suppressed);
                }
            }
            Note::Fresh { flow, bytes } => self.on_fresh(now, flow, bytes),
            _ => {}
        }
    }
}

impl Witness {
    fn epoch_of(&self, id: PacketId) -> u32 {
        self.epochs[id.index()]
    }
}
