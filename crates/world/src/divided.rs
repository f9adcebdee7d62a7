//! A run in shares, each of which is played by itself: made whole again where its results are read.

use crate::outcome::Outcome;
use crate::shares::{Division, Owners, Whole};
use crate::world::World;
use base::FlowId;

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

    /// The share of a run that a flow is in, by its number.
    pub fn share_of(&self, flow: usize) -> usize {
        let of_flow = |of: &Division| of.owners.of_flow(&self.network.plan, FlowId(flow as u32));
        self.division.as_deref().map_or(0, of_flow)
    }

    /// Takes the other shares of a run that was divided, all of them, in their order.
    pub fn unite(&mut self, others: Vec<World>) {
        if let Some(division) = &mut self.division {
            let parts = |world: World| (world.agenda, world.network);
            division.others = others.into_iter().map(parts).collect();
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

    /// Returns the measurements up to now; after [`World::run`], up to the end of the plan.
    pub fn outcome(&self) -> Outcome {
        self.clone().into_outcome(|_| ())
    }

    /// The same, with what others have measured of the flow of each number.
    pub fn into_outcome<M>(self, measured: impl Fn(usize) -> M) -> Outcome<M> {
        let World { agenda, network, division } = self;
        Whole::new((agenda, network), division).into_outcome(measured)
    }
}
