//! A run in shares, each of which is played by itself: made whole again where its results are read.

use crate::network::Network;
use crate::shares::Owners;
use crate::world::World;
use base::Time;
use net::Ledger;

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
    owners: Owners,
    /// What had been counted until then: each share has it.
    events: u64,
    ledger: Ledger,
    measuring_since: Time,
    /// The other shares that have come back.
    others: Vec<World>,
}

impl World {
    /// Divides what is left of the run into `most` shares or less, each with components that do not meet those of another
    /// share, and keeps the first. Returns the others; none where the run cannot be divided. They can be played at the same
    /// time, and what a run says does not depend on it: [`World::unite`] takes them again.
    pub fn divide(&mut self, most: usize) -> Vec<World> {
        let (agenda, network) = (&self.agenda, &self.network);
        let Some((owners, shares)) = (most > 1 && self.division.is_none())
            .then(|| Owners::new(network, agenda.codes(), most))
            .flatten()
        else {
            return Vec::new();
        };
        let division = Division {
            owners: owners.clone(),
            events: agenda.handled(),
            ledger: network.pool.ledger(),
            measuring_since: network.measuring_since,
            others: Vec::new(),
        };
        let other = |number| {
            let mut world = self.clone();
            world.keep(&owners, number);
            world
        };
        let others = (1..shares).map(other).collect();
        self.keep(&owners, 0);
        self.division = Some(Box::new(division));
        others
    }

    /// Takes the other shares of a run that was divided, all of them, in their order.
    pub fn unite(&mut self, others: Vec<World>) {
        if let Some(division) = &mut self.division {
            division.others = others;
        }
    }

    /// Keeps what is of a share: its events, and the connections of its flows, which are most of what a large network holds.
    fn keep(&mut self, owners: &Owners, share: usize) {
        let World { agenda, network, .. } = self;
        agenda
            .retain(|code| network.place_of(code).is_none_or(|node| owners.of_node(node) == share));
        let plan = network.plan.clone();
        for flow in plan.flow_ids().filter(|&flow| owners.of_flow(&plan, flow) != share) {
            network.flows.let_go(flow);
        }
    }
}

impl From<World> for Whole {
    fn from(World { agenda, network, division }: World) -> Whole {
        let mut whole = Whole {
            owners: Owners::default(),
            now: agenda.now(),
            events: agenda.handled(),
            ledger: network.pool.ledger(),
            shares: vec![network],
        };
        let Some(division) = division else { return whole };
        whole.owners = division.owners;
        for other in division.others {
            let World { agenda, network, .. } = other;
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
