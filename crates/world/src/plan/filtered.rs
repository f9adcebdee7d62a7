//! The same network with a radio that loses nothing: what its transports could reach.

use super::{Plan, WimaxPlan};
use base::Span;
use radio::ChannelConfig;

impl Plan {
    /// The same plan where radio losses are filtered out and the time that they take is kept (qaddoura2006, section 3).
    ///
    /// A frame of 802.11 is sent again until it is acknowledged, whatever its station's limits say: fades and collisions delay
    /// packets and lose none. So is a block of 802.16 with ARQ, whose lifetime is endless. Without ARQ 802.16 repeats
    /// nothing, so that a loss takes no time beyond the packet's own: there are none. Losses on wires and in queues stay.
    #[must_use]
    pub fn with_radio_losses_filtered(&self) -> Plan {
        let mut plan = self.clone();
        for mac in plan.cells.iter_mut().flat_map(|cell| &mut cell.configs).map(|one| &mut one.mac)
        {
            (mac.short_retry_limit, mac.long_retry_limit) = (None, None);
        }
        plan.wimax.iter_mut().for_each(WimaxPlan::filter_losses);
        plan
    }

    /// True where every station stays with its cell, so that a frame that is repeated for ever is heard at last.
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
