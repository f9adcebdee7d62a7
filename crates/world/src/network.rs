//! The targets of all events: devices, flows, and the parts that change the paths between them.

use crate::clusters::Clusters;
use crate::cx::{Cx, Noting};
use crate::element::{Element, Out};
use crate::flows::Flows;
use crate::guards::Guards;
use crate::mobile_ip::MobileIp;
use crate::oracle::Oracle;
use crate::plan::Plan;
use crate::roaming::Roaming;
use crate::routers::Routers;
use crate::sites::Sites;
use base::{CellId, NodeId, PacketId, Time};
use net::{Fate, Ledger, Pool, Routes, Transits, Wire};
use std::sync::Arc;

/// A network at work.
///
/// Its parts own what they know and do not know each other: a part answers its caller, and the network carries the answer on
/// to the next.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// Shared by all runs of a scenario and their forks, up to the first relay that moves.
    pub plan: Arc<Plan>,
    /// The positions of stations.
    pub sites: Arc<Sites>,
    pub pool: Pool,
    pub routes: Routes,
    pub wires: Vec<Wire>,
    /// The packets on them.
    pub transits: Transits,
    pub elements: Vec<Element>,
    pub flows: Flows,
    /// The oracle that sees links appear and break, where there is one.
    pub oracle: Option<Box<Oracle>>,
    /// Stations in clusters, where there are some.
    pub clusters: Option<Box<Clusters>>,
    /// The state of stations that look for their access point.
    pub roaming: Roaming,
    /// Agents and mobile nodes, where there are some.
    pub mobile_ip: Option<Box<MobileIp>>,
    /// The routers, where there are some.
    pub routers: Option<Box<Routers>>,
    /// Nodes that watch over connections, where there are some.
    pub guards: Option<Box<Guards>>,
    pub measuring_since: Time,
    /// The results of an element's event; empty between events, as is the next.
    pub out: Out,
    /// The latest decisions of a link's discipline.
    pub fates: Vec<(PacketId, Fate)>,
}

impl Network {
    #[inline]
    pub fn element(&mut self, id: CellId) -> &mut Element {
        &mut self.elements[id.index()]
    }

    /// The name of a node.
    pub fn node_name(&self, node: NodeId) -> &str {
        &self.plan.nodes[node.index()]
    }

    /// The warm-up is over: every count begins anew.
    pub fn begin_measurement(&mut self, cx: &Cx<impl Noting>) {
        self.measuring_since = cx.now;
        for wire in &mut self.wires {
            wire.begin_measurement(cx.now, &self.transits);
        }
        for element in &mut self.elements {
            element.begin_measurement(cx);
        }
        if let Some(clusters) = &mut self.clusters {
            clusters.begin_measurement();
        }
        if let Some(ip) = &mut self.mobile_ip {
            ip.begin_measurement();
        }
        if let Some(routers) = &mut self.routers {
            routers.begin_measurement();
        }
        if let Some(guards) = &mut self.guards {
            guards.begin_measurement(cx.now);
        }
        self.flows.begin_measurement(cx.now);
    }

    /// Every packet is on its way, or has come to its end.
    ///
    /// # Panics
    /// When that is not so: a defect of lasthop, never of a scenario.
    pub fn assert_packets_are_conserved(&self) {
        let Ledger { made, delivered, dropped } = self.pool.ledger();
        assert_eq!(made, delivered + dropped + self.pool.in_flight(), "packets are conserved");
    }
}
