//! Flows whose connections come and go, several at once: each lane carries one connection after the other.
//!
//! A packet says which lane it belongs to and which of its connections ([`net::Socket`]): that is what ports and initial
//! sequence numbers tell a real stack. What is left of an earlier connection is not heard.

mod fetch;

use crate::cuts::{CutCause, Cuts, Ends};
use crate::event::Event;
use crate::flow::Endpoints;
use crate::note::Note;
use crate::world::World;
use apps::{Object, Style};
use base::{FlowId, Time};
use engine::{Phase, Probe, Timer, Wake};
use net::{Direction, DropReason, Header, Segment, Socket};
use transport::tcp::{self, Endpoint, SenderStats, TcpConfig};

/// The end where the data come from. Its packets go forward.
pub(crate) const SOURCE: usize = 0;
/// The end where they go.
pub(crate) const SINK: usize = 1;

/// The most lanes of a world: their timers' events are numbered.
const MOST_LANES: usize = crate::event::MAX_INDEX;

/// The end that a packet going this way comes from.
fn sender_of(direction: Direction) -> usize {
    match direction {
        Direction::Forward => SOURCE,
        Direction::Reverse => SINK,
    }
}

/// The lanes of a flow, and what all its connections have in common.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// An end before it is opened.
    prototype: Endpoint,
    handshake: bool,
    header_bytes: u32,
    option_size: tcp::OptionSize,
    style: Style,
    /// The most objects under way at once.
    most: u32,
    /// Its lanes by their numbers in the world: all of them, those whose connection is over, and those that wait for the
    /// next object.
    own: Vec<u32>,
    free: Vec<u32>,
    idle: Vec<u32>,
    busy: u32,
    /// By end: counts of the connections that others have followed.
    past: [SenderStats; 2],
    /// By end: all counts when the measurement began.
    at_start: [SenderStats; 2],
}

impl Lanes {
    /// None yet; `sender` begins each of their ends.
    pub fn new(config: &TcpConfig, sender: tcp::Sender, (style, most): (Style, u32)) -> Lanes {
        Lanes {
            prototype: Endpoint::with_sender(sender, config),
            handshake: config.handshake,
            header_bytes: config.header_bytes,
            option_size: config.option_size,
            style,
            most,
            own: Vec::new(),
            free: Vec::new(),
            idle: Vec::new(),
            busy: 0,
            past: Default::default(),
            at_start: Default::default(),
        }
    }

    /// How its connections come and go.
    pub fn style(&self) -> Style {
        self.style
    }
}

/// What becomes of a lane's connection.
#[derive(Clone, Copy, Debug)]
enum Work {
    /// It is over.
    Free,
    /// It waits for the next object.
    Idle,
    /// It carries an object.
    Fetching(Fetch),
    /// The object is there; the rest is on its way.
    Draining,
}

/// An object under way.
#[derive(Clone, Copy, Debug)]
struct Fetch {
    object: Object,
    /// Bytes of the request that the source has not got.
    request_left: u64,
    /// Bytes of the response that the sink has not got.
    response_left: u64,
    /// The source has begun to respond.
    answered: bool,
}

/// One connection after the other.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    flow: FlowId,
    /// Which connection this is.
    epoch: u32,
    ends: [Endpoint; 2],
    /// The ends that have said that they are done.
    closing: [bool; 2],
    /// By end: the losses and cuts of its sender.
    cuts: [Cuts; 2],
    /// Stands for both ends' next timeout.
    timer: Timer,
    work: Work,
}

impl Lane {
    fn new(flow: FlowId, end: &Endpoint) -> Lane {
        Lane {
            flow,
            epoch: 0,
            ends: [end.clone(), end.clone()],
            closing: [false; 2],
            cuts: Default::default(),
            timer: Timer::default(),
            work: Work::Free,
        }
    }

    pub(crate) fn flow(&self) -> FlowId {
        self.flow
    }

    pub(crate) fn sender(&mut self, end: usize) -> &mut tcp::Sender {
        &mut self.ends[end].sender
    }

    /// All that was said has been heard.
    fn is_silent(&self, style: Style) -> bool {
        match style {
            Style::Apart => self.ends[SOURCE].sender.finished(),
            Style::Persistent | Style::PerObject | Style::Push => {
                self.closing == [true; 2] && self.ends.iter().all(|end| end.sender.finished())
            }
        }
    }

    /// By end.
    fn counts(&self) -> [SenderStats; 2] {
        self.ends.each_ref().map(|end| *end.sender.stats())
    }

    /// From now on it is another connection, not yet opened.
    fn begin_epoch(&mut self, lanes: &mut Lanes) {
        lanes.past = sum_by_end(lanes.past, self.counts());
        self.epoch += 1;
        self.ends = [lanes.prototype.clone(), lanes.prototype.clone()];
        self.closing = [false; 2];
        self.cuts.iter_mut().for_each(Cuts::begin_connection);
    }
}

fn sum_by_end(a: [SenderStats; 2], b: [SenderStats; 2]) -> [SenderStats; 2] {
    [a[SOURCE] + b[SOURCE], a[SINK] + b[SINK]]
}

impl World {
    pub(crate) fn lanes_of(&mut self, flow: FlowId) -> Option<&mut Lanes> {
        match &mut self.flows[flow.index()].endpoints {
            Endpoints::Lanes(lanes) => Some(lanes),
            Endpoints::Tcp(_) | Endpoints::Udp { .. } => None,
        }
    }

    /// A lane whose connection is new and not yet opened.
    fn renew_lane(&mut self, flow: FlowId) -> usize {
        let next = self.lanes.len();
        let Endpoints::Lanes(lanes) = &mut self.flows[flow.index()].endpoints else { return next };
        if let Some(lane) = lanes.free.pop() {
            self.lanes[lane as usize].begin_epoch(lanes);
            return lane as usize;
        }
        lanes.own.push(next as u32);
        self.lanes.push(Lane::new(flow, &lanes.prototype));
        next
    }

    /// An end does something, and what it says goes on its way; its timer's event is brought in line.
    fn act<P: Probe<Note>, R>(
        &mut self,
        now: Time,
        (number, end): (usize, usize),
        probe: &mut P,
        act: impl FnOnce(&mut Endpoint, &mut Vec<Segment>) -> R,
    ) -> R {
        let mut segments = std::mem::take(&mut self.segments);
        let lane = &mut self.lanes[number];
        let flow = lane.flow;
        let result = act(&mut lane.ends[end], &mut segments);
        let sender = &lane.ends[end].sender;
        let next = lane.ends[1 - end].receiver.next_expected();
        let ends = Ends { una: sender.oldest(), next };
        lane.cuts[end].after_sender(sender.stats(), ends, |cause| {
            probe.record(now, || Note::WindowCut { flow, cause });
        });
        let due = lane.ends[SOURCE].next_timeout().min(lane.ends[SINK].next_timeout());
        if let Some(at) = lane.timer.set(due) {
            self.schedule(at, Phase::Timer, Event::Lane(number as u32));
        }
        let epoch = self.lanes[number].epoch;
        self.say_on(now, (number, end), Socket { lane: number as u32, epoch }, &segments, probe);
        segments.clear();
        self.segments = segments;
        result
    }

    fn say_on<P: Probe<Note>>(
        &mut self,
        now: Time,
        (number, end): (usize, usize),
        socket: Socket,
        segments: &[Segment],
        probe: &mut P,
    ) {
        let Lane { flow, ends, .. } = &self.lanes[number];
        let (flow, state) = (*flow, &ends[SOURCE].sender);
        let direction = if end == SOURCE { Direction::Forward } else { Direction::Reverse };
        let Endpoints::Lanes(lanes) = &self.flows[flow.index()].endpoints else { return };
        let (header_bytes, options) = (lanes.header_bytes, lanes.option_size);
        if end == SOURCE && lanes.most == 1 {
            probe.record(now, || Note::Tcp { flow, state: state.snapshot() });
        }
        for segment in segments {
            let bytes = options.packet_bytes(header_bytes, segment);
            self.emit(now, (flow, direction), socket, (Header::Tcp(*segment), bytes), probe);
        }
    }

    /// A segment has come to the end of its path.
    pub(crate) fn on_lane_segment<P: Probe<Note>>(
        &mut self,
        now: Time,
        (socket, direction): (Socket, Direction),
        segment: &Segment,
        probe: &mut P,
    ) {
        let number = socket.lane as usize;
        let lane = &self.lanes[number];
        if lane.epoch != socket.epoch || matches!(lane.work, Work::Free) {
            return;
        }
        let at = (number, 1 - sender_of(direction));
        let fresh = self.act(now, at, probe, |end, out| end.on_segment(now, segment, out));
        self.after_segment(now, at, fresh, probe);
    }

    pub(crate) fn on_lane_timer<P: Probe<Note>>(&mut self, now: Time, lane: u32, probe: &mut P) {
        let number = lane as usize;
        match self.lanes[number].timer.wake(now) {
            Wake::Stale => {}
            Wake::Later(at) => self.schedule(at, Phase::Timer, Event::Lane(lane)),
            Wake::Fire => {
                for end in [SOURCE, SINK] {
                    if now >= self.lanes[number].ends[end].next_timeout() {
                        self.act(now, (number, end), probe, |end, out| end.on_timeout(now, out));
                    }
                }
            }
        }
    }

    /// A packet of a lane was lost.
    pub(crate) fn on_lane_loss(
        &mut self,
        (socket, direction): (Socket, Direction),
        segment: &Segment,
        reason: DropReason,
    ) {
        let lane = &mut self.lanes[socket.lane as usize];
        if lane.epoch == socket.epoch {
            let from = sender_of(direction);
            lane.cuts[from].on_data_lost(segment, reason);
            lane.cuts[1 - from].on_ack_lost(segment);
        }
    }

    /// What the senders of a flow's connections have counted, from the beginning, by end.
    fn count_lanes(&self, lanes: &Lanes) -> [SenderStats; 2] {
        let own = lanes.own.iter().map(|&lane| self.lanes[lane as usize].counts());
        own.fold(lanes.past, sum_by_end)
    }

    /// The measurement of lanes begins.
    pub(crate) fn begin_measuring_lanes(&mut self) {
        for i in 0..self.flows.len() {
            let Endpoints::Lanes(lanes) = &self.flows[i].endpoints else { continue };
            let counts = self.count_lanes(lanes);
            if let Some(lanes) = self.lanes_of(FlowId(i as u32)) {
                lanes.at_start = counts;
            }
        }
        for cuts in self.lanes.iter_mut().flat_map(|lane| &mut lane.cuts) {
            cuts.begin_measurement();
        }
    }

    /// What the senders of one end have counted, now and when the measurement began.
    pub(crate) fn measured_of_lanes(
        &self,
        lanes: &Lanes,
        end: usize,
    ) -> (SenderStats, SenderStats) {
        (self.count_lanes(lanes)[end], lanes.at_start[end])
    }

    /// How many cuts of the flow's senders at one end go back to each cause.
    pub(crate) fn cuts_of_lanes(&self, lanes: &Lanes, end: usize) -> Vec<(CutCause, u64)> {
        let mut sums: Vec<(CutCause, u64)> = CutCause::all().map(|cause| (cause, 0)).collect();
        for cuts in lanes.own.iter().map(|&lane| &self.lanes[lane as usize].cuts[end]) {
            for (sum, (_, count)) in sums.iter_mut().zip(cuts.counts()) {
                sum.1 += count;
            }
        }
        sums
    }
}
