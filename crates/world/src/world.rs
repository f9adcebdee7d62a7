//! The world: it owns the clock, the events and the packets, and hands each component's actions to the next.
//!
//! A packet's way is one lane: transport, path, device, medium, device, transport. Nothing calls back up: a
//! component answers with actions and the world carries them on.

use crate::air::{Air, Started, Told};
use crate::event::Event;
use crate::flow::{Endpoints, Flow};
use crate::lanes::Lane;
use crate::link_layer::LinkLayer;
use crate::memories::Memories;
use crate::mobile_ip::MobileIp;
use crate::note::Note;
use crate::oracle::Oracle;
use crate::plan::{CellPlan, Plan};
use crate::roam::Handoff;
use base::{CellId, FlowId, LinkId, Named, NodeId, PacketId, Span, StationId, Time};
use engine::{Agenda, Phase, Probe, Timer, Wake, Watch};
use net::{
    Direction, DropReason, Fate, Header, Hop, Ledger, Packet, Pool, Routes, Segment, Socket, Step,
    Wire,
};
use wifi::{Ended, Happened};

/// An element of the air, and what the world keeps beside it.
#[derive(Clone, Debug)]
pub(crate) struct CellPlace {
    pub air: Air,
    /// By station: where it is.
    pub nodes: Vec<NodeId>,
    /// Stands for `air.next_start()`.
    start_timer: Timer,
    /// By station: flows that keep it saturated.
    pub saturated: Vec<Vec<FlowId>>,
    /// By station: packets lost there since the measurement began, by reason.
    pub lost: Vec<[u64; DropReason::ALL.len()]>,
    /// By station: what its network layer adds to packets that begin there, bytes.
    pub routing_header: Vec<u32>,
    /// Packets between network layers and interfaces, where that takes time.
    pub link_layer: Option<Box<LinkLayer>>,
}

impl CellPlace {
    pub fn new(air: Air, cells: &[&CellPlan]) -> CellPlace {
        let nodes: Vec<NodeId> = cells.iter().flat_map(|cell| cell.stations.clone()).collect();
        CellPlace {
            air,
            saturated: vec![Vec::new(); nodes.len()],
            lost: vec![Default::default(); nodes.len()],
            nodes,
            start_timer: Timer::default(),
            routing_header: cells.iter().flat_map(|cell| cell.routing_headers()).collect(),
            link_layer: LinkLayer::new(cells).map(Box::new),
        }
    }
}

/// Where a packet is: at the end of the hop that it has just made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whereabouts {
    /// That of a wired link.
    Wire(LinkId),
    /// A station of a cell.
    Air(CellId, StationId),
}

/// A network at work. `Clone` forks a run.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) plan: Plan,
    pub(crate) agenda: Agenda,
    pub(crate) pool: Pool,
    pub(crate) wires: Vec<Wire>,
    pub(crate) cells: Vec<CellPlace>,
    pub(crate) flows: Vec<Flow>,
    /// Those of all flows whose connections come and go.
    pub(crate) lanes: Vec<Lane>,
    pub(crate) routes: Routes,
    /// Who sees links appear and break, where there is one.
    pub(crate) oracle: Option<Box<Oracle>>,
    pub(crate) measuring_since: Time,
    /// Scratch: what a transport has just said.
    pub(crate) segments: Vec<Segment>,
    /// Scratch: what a link's discipline has just done.
    pub(crate) fates: Vec<(PacketId, Fate)>,
    /// Scratch: senders whose exchange has just ended.
    ended: Vec<Ended>,
    /// Scratch: what has come of a medium's event.
    pub(crate) happened: Happened,
    /// By cell of the plan: its place in `cells`, and its first station there.
    pub(crate) of_cell: Vec<(CellId, u32)>,
    /// What became of stations that look for their access point.
    pub(crate) handoffs: Vec<Handoff>,
    /// Agents and mobile nodes, where there are some.
    pub(crate) mobile_ip: Option<Box<MobileIp>>,
    /// What hosts know of their paths, where endpoints pick their variant.
    pub(crate) memories: Memories,
}

impl World {
    pub(crate) fn assemble(
        (plan, of_cell): (Plan, Vec<(CellId, u32)>),
        wires: Vec<Wire>,
        cells: Vec<CellPlace>,
        (flows, routes, oracle): (Vec<Flow>, Routes, Option<Box<Oracle>>),
        mobile_ip: Option<Box<MobileIp>>,
    ) -> World {
        let mut world = World {
            agenda: Agenda::default(),
            pool: Pool::default(),
            wires,
            cells,
            flows,
            lanes: Vec::new(),
            routes,
            oracle,
            measuring_since: Time::ZERO,
            segments: Vec::new(),
            fates: Vec::new(),
            ended: Vec::new(),
            happened: Happened::default(),
            of_cell,
            handoffs: Vec::new(),
            mobile_ip,
            memories: Memories::new(&plan),
            plan,
        };
        world.observe_links();
        world.begin_mobile_ip();
        for id in (0..world.cells.len() as u32).map(CellId) {
            world.schedule_dues(id);
        }
        for i in 0..world.flows.len() {
            let flow = FlowId(i as u32);
            let (start, stop) = (world.plan.flows[i].start, world.plan.flows[i].stop);
            world.schedule(start, Phase::Application, Event::FlowStart(flow));
            if stop != Time::NEVER {
                world.schedule(stop, Phase::Application, Event::FlowStop(flow));
            }
        }
        if world.plan.warmup > Span::ZERO {
            let end = Time::ZERO + world.plan.warmup;
            world.schedule(end, Phase::Measurement, Event::BeginMeasurement);
        }
        world
    }

    /// The time of the last event.
    pub fn now(&self) -> Time {
        self.agenda.now()
    }

    /// Runs to the end of the plan's duration.
    pub fn run(&mut self) {
        self.run_until(Time::ZERO + self.plan.duration);
    }

    /// Runs up to and at `until`.
    ///
    /// # Panics
    /// When packets are not conserved: a defect of lasthop, never of a scenario.
    pub fn run_until(&mut self, until: Time) {
        self.handle_until(until, &mut ());
    }

    /// The same, and `watch` is told what happens.
    ///
    /// # Panics
    /// As [`World::run_until`].
    pub fn run_watched(&mut self, until: Time, mut watch: &mut dyn Watch<Note>) {
        self.handle_until(until, &mut watch);
    }

    /// Handles every event up to and at `until`: the only run loop there is.
    #[inline(never)]
    fn handle_until<P: Probe<Note>>(&mut self, until: Time, probe: &mut P) {
        while let Some((now, code)) = self.agenda.next(until) {
            self.handle(now, Event::from_code(code), probe);
        }
        let Ledger { made, delivered, dropped } = self.pool.ledger();
        assert_eq!(made, delivered + dropped + self.pool.in_flight(), "packets are conserved");
    }

    // The run loop alone calls it: the code of an event is then told apart once.
    #[inline(always)]
    fn handle<P: Probe<Note>>(&mut self, now: Time, event: Event, probe: &mut P) {
        match event {
            Event::WireArrival(link) => self.on_wire_arrival(now, link, probe),
            Event::WireDeparture(link) => self.on_wire_departure(now, link, probe),
            Event::CellStart(cell) => self.on_cell_start(now, cell, probe),
            Event::CellData(cell) => {
                if let Some((id, at)) = self.cells[cell.index()].air.on_data_end() {
                    self.come_over_air(now, id, (cell, at), probe);
                }
            }
            Event::CellEnd(cell) => self.on_cell_end(now, cell, probe),
            Event::SenderTimer(flow) => self.on_sender_timer(now, flow, probe),
            Event::ReceiverTimer(flow) => self.on_receiver_timer(now, flow, probe),
            Event::FlowStart(flow) => self.on_flow_start(now, flow, probe),
            Event::FlowStop(flow) => self.on_flow_stop(flow),
            Event::AppTick(flow) => self.on_app_tick(now, flow, probe),
            Event::BeginMeasurement => self.begin_measurement(now),
            Event::Links => self.on_links(now, probe),
            Event::Lane(lane) => self.on_lane_timer(now, lane, probe),
            Event::MobileIp(who) => self.on_mobile_ip(now, who, probe),
            Event::Medium(cell, due) => self.on_medium(now, (cell, due), probe),
            Event::LinkLayer(cell) => self.on_link_layer(now, cell, probe),
        }
    }

    // A constant kind of event costs nothing to encode.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, at: Time, phase: Phase, event: Event) {
        self.agenda.schedule(at, phase, event.code());
    }

    // Cells.

    fn on_cell_start<P: Probe<Note>>(&mut self, now: Time, id: CellId, probe: &mut P) {
        let mut witness = Told { now, cell: id, pool: &self.pool, probe };
        let place = &mut self.cells[id.index()];
        match place.start_timer.wake(now) {
            Wake::Stale => {}
            Wake::Later(at) => self.schedule(at, Phase::Contention, Event::CellStart(id)),
            Wake::Fire => match place.air.on_start(now, &mut witness) {
                Started::Exchange(exchange) => {
                    if let Some(at) = exchange.data_end {
                        self.schedule(at, Phase::Arrival, Event::CellData(id));
                    }
                    self.schedule(exchange.end, Phase::Completion, Event::CellEnd(id));
                }
                Started::Frames => {
                    self.schedule_dues(id);
                    self.arm_cell(id);
                }
            },
        }
    }

    fn on_cell_end<P: Probe<Note>>(&mut self, now: Time, id: CellId, probe: &mut P) {
        let mut ended = std::mem::take(&mut self.ended);
        self.cells[id.index()].air.on_end(now, &mut ended);
        self.after_exchanges(now, id, &ended, probe);
        ended.clear();
        self.ended = ended;
        self.arm_cell(id);
    }

    /// Carries on what came of exchanges that have ended.
    pub(crate) fn after_exchanges<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: CellId,
        ended: &[Ended],
        probe: &mut P,
    ) {
        self.settle_fates(now, id, probe);
        for &Ended { station, dropped } in ended {
            probe.record(now, || Note::ExchangeEnded { cell: id, station });
            if let Some(lost) = dropped {
                self.lose_at(now, (id, station), lost, probe);
            }
            self.refill(now, id, station, probe);
            self.note_station(now, id, station, probe);
        }
    }

    /// Brings a cell's event in line with its next start.
    pub(crate) fn arm_cell(&mut self, id: CellId) {
        let place = &mut self.cells[id.index()];
        if let Some(at) = place.start_timer.set(place.air.next_start()) {
            self.schedule(at, Phase::Contention, Event::CellStart(id));
        }
    }

    // Packets on their way.

    /// A transport hands a packet of `bytes` to the network.
    #[inline(always)]
    pub(crate) fn emit<P: Probe<Note>>(
        &mut self,
        now: Time,
        (flow, direction): (FlowId, Direction),
        socket: Socket,
        (header, bytes): (Header, u32),
        probe: &mut P,
    ) {
        self.flows[flow.index()].score.count_sent(direction);
        let (mark, step) = self.routes.begin(flow, direction);
        let id = self.pool.make(Packet {
            born: now,
            header,
            flow,
            bytes,
            routing_header: self.routing_header(step),
            mark,
            direction,
            tunnel: None,
            socket,
        });
        probe.record(now, || Note::Sent { id, bytes, flow, direction, header });
        self.hand_on(now, id, step, probe);
    }

    /// A packet has reached the end of its present hop.
    #[inline(always)]
    pub(crate) fn forward_next<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        at: Whereabouts,
        probe: &mut P,
    ) {
        let mark = &mut self.pool[id].mark;
        mark.advance();
        let step = match self.routes.step(*mark) {
            Some(step) => step,
            None => self.redirect(id, at),
        };
        self.hand_on(now, id, step, probe);
    }

    /// [`World::forward`], for where most packets go on by wire.
    #[inline(always)]
    fn hand_on<P: Probe<Note>>(&mut self, now: Time, id: PacketId, step: Step, probe: &mut P) {
        match step {
            Step::Hop(Hop::Wire(link)) => self.give_to_wire(now, link, id, probe),
            _ => self.forward(now, id, step, probe),
        }
    }

    /// Hands a packet to the device of its next hop, or to its transport at the end of its path.
    pub(crate) fn forward<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        step: Step,
        probe: &mut P,
    ) {
        let packet = &self.pool[id];
        match step {
            Step::Arrived if packet.tunnel.is_some() => self.leave_tunnel(now, id, probe),
            Step::Arrived => self.deliver(now, id, probe),
            Step::Hop(Hop::Home(mobile)) => self.intercept(now, id, mobile, probe),
            Step::NoRoute(here) => self.strand(now, id, (DropReason::NoRoute, here), probe),
            Step::TooFar(here) => self.strand(now, id, (DropReason::Ttl, here), probe),
            Step::Hop(Hop::Wire(link)) => self.give_to_wire(now, link, id, probe),
            Step::Hop(Hop::Air { cell, from, to }) => {
                self.give_to_air(now, (cell, from, to), id, probe);
            }
        }
    }

    /// A packet is lost at a station.
    pub(crate) fn lose_at<P: Probe<Note>>(
        &mut self,
        now: Time,
        (cell, station): (CellId, StationId),
        (id, reason): (PacketId, DropReason),
        probe: &mut P,
    ) {
        self.cells[cell.index()].lost[station.index()][reason as usize] += 1;
        self.lose(now, id, reason, probe);
    }

    pub(crate) fn lose<P: Probe<Note>>(
        &mut self,
        now: Time,
        id: PacketId,
        reason: DropReason,
        probe: &mut P,
    ) {
        let &Packet { flow, direction, header, tunnel, socket, .. } = self.pool.drop_packet(id);
        let Some(Flow { score, playout, endpoints, .. }) = self.flows.get_mut(flow.index()) else {
            return self.lose_message(&header);
        };
        score.count_lost(direction, reason);
        if let (Header::Udp(datagram), Some(playout)) = (&header, playout) {
            playout.on_lost(datagram.number);
        }
        match (&header, endpoints) {
            (Header::Tcp(segment), Endpoints::Tcp(tcp)) => match direction {
                Direction::Forward => tcp.cuts.on_data_lost(segment, reason),
                Direction::Reverse => tcp.cuts.on_ack_lost(segment),
            },
            (Header::Tcp(segment), Endpoints::Lanes(_)) => {
                self.on_lane_loss((socket, direction), segment, reason);
            }
            _ => {}
        }
        self.count_lost_of_mobile((flow, direction), tunnel);
        probe.record(now, || Note::Dropped { id, flow, direction, header, reason });
    }

    /// The name of a node.
    pub(crate) fn node_name(&self, node: NodeId) -> &str {
        &self.plan.nodes[node.index()]
    }
}
