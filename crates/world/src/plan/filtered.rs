//! The same network with a radio that loses nothing: what its transports could reach.

use super::{Plan, WimaxPlan};
use base::Span;
use radio::ChannelConfig;

impl Plan {
    /// The same plan where radio losses are filtered out and the time that they take is kept (qaddoura2006, section 3).
    ///
    /// What a station of 802.11 gives up is received all the same when its last attempt ends: fades and collisions cost
    /// exactly the time that they cost a real station, and lose nothing. 802.16 without ARQ repeats nothing, so that a loss
    /// takes no time beyond the packet's own: there are none. With ARQ, blocks are repeated until they are received. Losses
    /// on wires, in queues and out of reach stay.
    #[must_use]
    pub fn with_radio_losses_filtered(&self) -> Plan {
        let mut plan = Plan { radio_losses_filtered: true, ..self.clone() };
        plan.wimax.iter_mut().for_each(WimaxPlan::filter_losses);
        plan
    }

    /// True where every station stays with its cell and its neighbours: what is lost is lost by the radio alone.
    pub fn stays_linked(&self) -> bool {
        let routing = &self.routing;
        !self.roams()
            && self.mobile_ip.is_none()
            && routing.oracle.is_none()
            && routing.dsdv.is_none()
    }
}

impl WimaxPlan {
    fn filter_losses(&mut self) {
        match &mut self.config.pdus.arq {
            Some(arq) => arq.lifetime = Span::ZERO,
            None => self.config.errors.channel = ChannelConfig::Ideal,
        }
    }
}
