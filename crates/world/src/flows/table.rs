//! All flows.

use super::connection::Connection;
use super::flow::Flow;
use super::memories::Memories;
use super::outbox::Outbox;
use super::relay::Relay;
use super::tcp::Register;
use crate::plan::Plan;
use base::{FlowId, Time};

/// All flows at work.
#[derive(Clone, Debug)]
pub(crate) struct Flows {
    pub(super) table: Vec<Flow>,
    pub(super) register: Register,
    /// Memories of hosts about their paths, where endpoints pick their variant.
    pub(super) memories: Memories,
    /// Flows in two legs, at the nodes where these meet.
    pub(super) relays: Vec<Relay>,
    /// The output of transports.
    pub(super) outbox: Outbox,
    /// Nothing is sent after it.
    pub(super) horizon: Time,
}

impl Flows {
    /// Flows that have not begun; `register` has the connections that they have already.
    pub fn new(plan: &Plan, table: Vec<Flow>, register: Register) -> Flows {
        let mut flows = Flows {
            table,
            register,
            memories: Memories::new(&plan.flows),
            relays: Relay::all(plan),
            outbox: Outbox::default(),
            horizon: Time::ZERO + plan.duration,
        };
        flows.join_legs();
        flows
    }

    /// Returns the number of flows, second legs of others included; numbers from here on are of paths of
    /// Mobile IP.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// The flow of a connection, by the number of its timers' events.
    pub fn flow_of(&self, connection: u32) -> FlowId {
        self.register.get(connection).0
    }

    #[inline]
    pub fn get(&self, flow: FlowId) -> &Flow {
        &self.table[flow.index()]
    }

    #[inline]
    pub fn get_mut(&mut self, flow: FlowId) -> &mut Flow {
        &mut self.table[flow.index()]
    }

    /// The connection of a flow that stays.
    pub(super) fn lasting(&mut self, flow: FlowId) -> Option<&mut Connection> {
        self.table[flow.index()].tcp_mut()?.lasting_connection_mut()
    }

    /// The output of transports that the network has not taken.
    #[inline]
    pub fn outbox(&mut self) -> &mut Outbox {
        &mut self.outbox
    }

    /// A flow's outcome is made, and nothing of it will be simulated: its connections are not needed any more, unless
    /// other flows of the same hosts hear of the path from them.
    pub fn let_go(&mut self, flow: FlowId) {
        if !self.memories.is_empty() {
            return;
        }
        if let Some(tcp) = self.table[flow.index()].tcp_mut() {
            tcp.let_go();
        }
    }

    /// The warm-up is over: every count begins anew.
    pub fn begin_measurement(&mut self, now: Time) {
        self.table.iter_mut().for_each(Flow::begin_measurement);
        self.relays.iter_mut().for_each(|relay| relay.begin_measurement(now));
    }
}
