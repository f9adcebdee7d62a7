//! Whose is what where a run is divided: each share of it has whole components.

use crate::event::Event;
use crate::network::Network;
use crate::plan::{Components, Plan};
use base::{CellId, FlowId, LinkId, NodeId, Time};
use engine::{Agenda, EventCode};
use net::Ledger;
use std::sync::Arc;

/// The share of each node, and by that of all else. Of a run that is not divided all is the first's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owners {
    of_node: Arc<[u16]>,
}

impl Owners {
    /// The owners where a run is divided, and the number of its shares, `most` or less; `None` where less than two components
    /// have something to do.
    pub fn new(
        network: &Network,
        codes: impl Iterator<Item = EventCode>,
        most: usize,
    ) -> Option<(Owners, usize)> {
        let components = network.plan.components()?;
        let mut loads: Vec<(u64, usize)> = loads(network, &components, codes);
        let mut of_component = vec![0; loads.len()];
        loads.retain(|&(load, _)| load > 0);
        let shares = most.min(loads.len()).min(usize::from(u16::MAX));
        if shares < 2 {
            return None;
        }
        // The heaviest first, each to who has least: at most a third more than the best there is (Graham 1969).
        loads.sort_by_key(|&(load, component)| (std::cmp::Reverse(load), component));
        let mut taken = vec![0; shares];
        for (load, component) in loads {
            let least = (0..shares).min_by_key(|&share| taken[share]).unwrap_or(0);
            taken[least] += load;
            of_component[component] = least as u16;
        }
        Some((Owners { of_node: components.spread(&of_component).into() }, shares))
    }

    pub fn of_node(&self, node: NodeId) -> usize {
        self.of_node.get(node.index()).map_or(0, |&share| usize::from(share))
    }

    pub fn of_flow(&self, plan: &Plan, flow: FlowId) -> usize {
        self.of_node(plan.flows[flow.index()].from)
    }

    pub fn of_link(&self, plan: &Plan, link: LinkId) -> usize {
        self.of_node(plan.links[link.index()].from)
    }
}

/// The networks of all shares of a run; one where it was not divided.
pub(crate) struct Whole {
    pub shares: Vec<Network>,
    pub owners: Owners,
    /// The time of the last event.
    pub now: Time,
    pub events: u64,
    pub ledger: Ledger,
}

/// What is known of a run that was divided. Its first share has it.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    pub owners: Owners,
    /// What had been counted until then: each share has it.
    pub events: u64,
    pub ledger: Ledger,
    pub measuring_since: Time,
    /// The other shares that have come back.
    pub others: Vec<(Agenda, Network)>,
}

impl Whole {
    /// Of a run that has been divided and played in shares, or of one that was not.
    pub fn new((agenda, network): (Agenda, Network), division: Option<Box<Division>>) -> Whole {
        let mut whole = Whole {
            owners: Owners::default(),
            now: agenda.now(),
            events: agenda.handled(),
            ledger: network.pool.ledger(),
            shares: vec![network],
        };
        let Some(division) = division else { return whole };
        whole.owners = division.owners;
        for (agenda, network) in division.others {
            // The end of the warm-up is an event of every share.
            let again = u64::from(network.measuring_since != division.measuring_since);
            whole.events += agenda.handled() - division.events - again;
            whole.now = whole.now.max(agenda.now());
            whole.ledger = whole.ledger.plus(network.pool.ledger(), division.ledger);
            whole.shares.push(network);
        }
        whole
    }
}

/// By component: what it is expected to have to do, in events to come and packets that its flows have sent since counts began.
fn loads(
    network: &Network,
    components: &Components,
    codes: impl Iterator<Item = EventCode>,
) -> Vec<(u64, usize)> {
    let plan = &network.plan;
    let mut loads: Vec<_> = (0..plan.nodes.len()).map(|component| (0, component)).collect();
    for code in codes {
        if let Some(node) = network.place_of(code) {
            loads[components.of_node(node)].0 += 1;
        }
    }
    for (flow, number) in plan.flows.iter().zip(0..) {
        let score = &network.flows.get(FlowId(number)).score;
        loads[components.of_node(flow.from)].0 += score.sent + score.acks_sent;
    }
    loads
}

impl Network {
    /// A node of the component in which an event will happen; `None` where it is everybody's.
    pub fn place_of(&self, code: EventCode) -> Option<NodeId> {
        let of_link = |link: LinkId| self.plan.links[link.index()].from;
        let of_cell = |cell: CellId| self.sites.nodes(cell).first().copied();
        let of_flow = |flow: FlowId| self.plan.flows[flow.index()].from;
        match Event::from_code(code) {
            Event::WireArrival(link) | Event::WireDeparture(link) => Some(of_link(link)),
            Event::Start(cell)
            | Event::Arrival(cell)
            | Event::End(cell)
            | Event::LinkLayer(cell) => of_cell(cell),
            Event::Own(due) => of_cell(due.parts().0),
            Event::SourceTimer(connection) | Event::SinkTimer(connection) => {
                Some(of_flow(self.flows.flow_of(connection)))
            }
            Event::FlowStart(flow) | Event::FlowStop(flow) | Event::AppTick(flow) => {
                Some(of_flow(flow))
            }
            Event::BeginMeasurement(_) => None,
            // Where these happen nothing is divided (`Plan::components`).
            Event::Links(_)
            | Event::MobileIp(_)
            | Event::Routing(_)
            | Event::Split(_)
            | Event::Proxy(_)
            | Event::ProxyRestart(_) => None,
        }
    }
}
