//! Parts of a plan that share neither air, wire, element nor flow: what happens in one is nothing to the others.

use super::{Plan, TransportPlan};
use base::NodeId;

/// The component of each node.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// By node: a node of its component, at the end the one that stands for all of it.
    of_node: Vec<u32>,
}

impl Plan {
    /// The components of a network; `None` where something could join any two of them: stations or routers that find new
    /// ways, proxies, and laws from outside, whose states lasthop does not know.
    pub(crate) fn components(&self) -> Option<Components> {
        let routing = &self.routing;
        let can_join = self.association.is_some()
            || self.mobile_ip.is_some()
            || routing.oracle.is_some()
            || routing.dsdv.is_some()
            || routing.clusters.is_some()
            || !self.proxies.is_empty()
            || self.flows.iter().any(|flow| flow.transport.has_law_from_outside());
        (!can_join).then(|| Components::of(self))
    }
}

impl TransportPlan {
    fn has_law_from_outside(&self) -> bool {
        let TransportPlan::Tcp { config, policy, .. } = self else { return false };
        let picked = policy.iter().flat_map(|policy| &policy.alternatives);
        config.custom_law.is_some() || { picked }.any(|one| one.config.custom_law.is_some())
    }
}

impl Components {
    fn of(plan: &Plan) -> Components {
        let mut components = Components { of_node: (0..plan.nodes.len() as u32).collect() };
        for link in &plan.links {
            components.join(link.from, link.to);
        }
        for nodes in plan.by_element(|part| part.stations.iter().copied()) {
            nodes.windows(2).for_each(|pair| components.join(pair[0], pair[1]));
        }
        for flow in &plan.flows {
            components.join(flow.from, flow.to);
            flow.via.iter().for_each(|&node| components.join(flow.from, node));
        }
        for node in 0..plan.nodes.len() as u32 {
            components.of_node[node as usize] = components.root(node);
        }
        components
    }

    /// The component of a node: the number of one of its nodes.
    pub fn of_node(&self, node: NodeId) -> usize {
        self.of_node[node.index()] as usize
    }

    /// For each node one value, that of its component.
    pub fn spread<T: Copy>(&self, by_component: &[T]) -> Vec<T> {
        self.of_node.iter().map(|&of| by_component[of as usize]).collect()
    }

    fn join(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (self.root(a.0), self.root(b.0));
        self.of_node[a.max(b) as usize] = a.min(b);
    }

    /// Halves paths on its way, so that they stay short (Tarjan and van Leeuwen 1984).
    fn root(&mut self, mut node: u32) -> u32 {
        while self.of_node[node as usize] != node {
            let next = self.of_node[node as usize];
            self.of_node[node as usize] = self.of_node[next as usize];
            node = self.of_node[node as usize];
        }
        node
    }
}
