//! A world: the events to come, and the network that they happen to.

use crate::build::{BuildError, MakeLaw};
use crate::cx::{Cx, Noting};
use crate::element::Due;
use crate::end::End;
use crate::event::{Event, Nothing};
use crate::flows::{Application, Saturated};
use crate::guards::Guards;
use crate::network::Network;
use crate::note::Note;
use crate::plan::Plan;
use crate::shares::Division;
use base::{FlowId, NodeId, Seed, Span, Time};
use engine::{Agenda, Phase, Watch};
use net::Hop;
use radio::HazardTables;
use std::sync::Arc;

/// A network at work, and what is to come. `Clone` forks a run.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) agenda: Agenda,
    pub(crate) network: Network,
    /// Where the rest of the run is played in shares: this is the first.
    pub(crate) division: Option<Box<Division>>,
}

impl World {
    /// A world at time zero.
    ///
    /// # Errors
    /// [`BuildError`] where the plan cannot be built.
    pub fn build(plan: &Plan, seed: Seed) -> Result<World, BuildError> {
        let plan = Arc::new(plan.clone());
        World::build_with(&plan, seed, (&|_| None, &HazardTables::default()))
    }

    /// The same, with laws from outside, and tables of bit errors that other runs use as well.
    ///
    /// # Errors
    /// [`BuildError`] where the plan cannot be built.
    pub fn build_with(
        plan: &Arc<Plan>,
        seed: Seed,
        handed: (MakeLaw<'_>, &HazardTables),
    ) -> Result<World, BuildError> {
        let network = Network::build(plan, seed, handed)?;
        let mut world = World { agenda: Agenda::default(), network, division: None };
        let World { agenda, network, .. } = &mut world;
        network.begin(&mut Cx::new(agenda, &mut ()));
        Ok(world)
    }

    /// The time of the last event.
    pub fn now(&self) -> Time {
        self.agenda.now()
    }

    /// Runs to the end of the plan's duration.
    pub fn run(&mut self) {
        self.run_until(Time::ZERO + self.network.plan.duration);
    }

    /// Runs up to and at `until`.
    ///
    /// # Panics
    /// When packets are not conserved: a defect of lasthop, never of a scenario.
    pub fn run_until(&mut self, until: Time) {
        self.handle_until(until, &mut ());
    }

    /// Does the same under `watch`.
    ///
    /// # Panics
    /// As [`World::run_until`].
    pub fn run_watched(&mut self, until: Time, mut watch: &mut dyn Watch<Note>) {
        self.handle_until(until, &mut watch);
    }

    /// Handles every event up to and at `until`: the only run loop there is.
    #[inline(never)]
    fn handle_until(&mut self, until: Time, probe: &mut impl Noting) {
        let World { agenda, network, .. } = self;
        let mut cx = Cx::new(agenda, probe);
        while let Some(event) = cx.next_event(until) {
            network.handle(&mut cx, event);
        }
        network.assert_packets_are_conserved();
    }

    /// Lets the way from one node to a neighbour be used or not, from the next [`World::reroute`] on; one that the plan
    /// does not have comes to be. True where that changes something.
    pub fn set_edge(&mut self, from: NodeId, to: NodeId, hop: Hop, up: bool) -> bool {
        self.network.routes.topology_mut().set_edge(from, to, hop, up)
    }

    /// From the next [`World::reroute`] on packets for `to` that are at `at` go to the neighbour `next`, whatever else is
    /// shorter; `None`: by the fewest hops again.
    pub fn set_next(&mut self, at: NodeId, to: NodeId, next: Option<NodeId>) {
        self.network.routes.topology_mut().set_next(at, to, next);
    }

    /// From now on all ways are those of the edges and next hops as they are set now.
    pub fn reroute(&mut self, now: Time) {
        let mut probe = ();
        let mut cx = Cx::new(&mut self.agenda, &mut probe);
        cx.now = now;
        self.network.renew_ways(&mut cx);
    }
}

impl Network {
    /// Puts in the agenda what is known to come.
    fn begin(&mut self, cx: &mut Cx<impl Noting>) {
        if let Some(oracle) = &self.oracle {
            oracle.begin(cx, &mut self.routes);
        }
        if let Some(clusters) = &self.clusters {
            clusters.begin(cx);
        }
        if let Some(routers) = &mut self.routers {
            routers.begin(cx, &mut self.routes);
        }
        if let Some(ip) = &mut self.mobile_ip {
            ip.begin(cx, &mut self.routes);
        }
        Guards::begin(&self.plan, cx);
        for element in &mut self.elements {
            element.settle(cx, &self.pool);
        }
        self.begin_splits(cx);
        for (flow, plan) in self.plan.flows.iter().enumerate() {
            let flow = FlowId(flow as u32);
            // What serves another flow begins with what that brings.
            if self.plan.is_of_another(flow) {
                continue;
            }
            cx.schedule(plan.start, Phase::Application, Event::FlowStart(flow));
            if plan.stop != Time::NEVER {
                cx.schedule(plan.stop, Phase::Application, Event::FlowStop(flow));
            }
        }
        if self.plan.warmup > Span::ZERO {
            let end = Time::ZERO + self.plan.warmup;
            cx.schedule(end, Phase::Measurement, Event::BeginMeasurement(Nothing::default()));
        }
    }

    // The run loop alone calls it: the code of an event is then told apart once.
    #[inline(always)]
    fn handle(&mut self, cx: &mut Cx<impl Noting>, event: Event) {
        match event {
            Event::WireArrival(link) => self.on_wire_arrival(cx, link),
            Event::WireDeparture(link) => self.on_wire_departure(cx, link),
            Event::Start(cell) => self.on_due(cx, cell, Due::Start),
            Event::Arrival(cell) => self.on_due(cx, cell, Due::Arrival),
            Event::End(cell) => self.on_due(cx, cell, Due::End),
            Event::SourceTimer(connection) => self.on_timer(cx, connection, End::Source),
            Event::SinkTimer(connection) => self.on_timer(cx, connection, End::Sink),
            Event::FlowStart(flow) => self.on_flow_start(cx, flow),
            Event::FlowStop(flow) => {
                self.keep_busy(flow, Saturated::Off);
                self.flows.stop(flow);
            }
            Event::AppTick(flow) => self.on_app_tick(cx, flow),
            Event::BeginMeasurement(_) => self.begin_measurement(cx),
            Event::Links(_) => self.on_links(cx),
            Event::MobileIp(who) => self.on_mobile_ip(cx, who),
            Event::Routing(who) => self.on_routing(cx, who),
            Event::Own(due) => {
                let (cell, due) = due.parts();
                self.on_due(cx, cell, due);
            }
            Event::LinkLayer(cell) => self.on_link_layer(cx, cell),
            Event::Split(relay) => self.on_split(cx, relay),
            Event::Proxy(post) => self.on_guard(cx, post),
            Event::ProxyRestart(proxy) => self.on_proxy_restart(proxy),
        }
    }

    fn on_timer(&mut self, cx: &mut Cx<impl Noting>, connection: u32, end: End) {
        self.flows.on_timer(cx, connection, end);
        self.send_said(cx);
    }

    fn on_flow_start(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        match self.flows.get(flow).application {
            Application::Datagrams(_) => self.on_app_tick(cx, flow),
            Application::Saturated { .. } => self.saturate(cx, flow),
            Application::Bulk { .. } | Application::Web(_) => {
                self.flows.begin(cx, flow);
                self.send_said(cx);
            }
        }
    }

    fn on_app_tick(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        match self.flows.on_tick(cx, flow) {
            Some(burst) => self.send_burst(cx, flow, burst),
            None => self.send_said(cx),
        }
    }
}
