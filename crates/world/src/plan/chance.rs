//! Whether anything in a plan is random.

use super::{FlowPlan, LinkPlan, Plan, TransportPlan};
use crate::build::takes_salt;
use apps::{AppConfig, SourceConfig};
use net::Discipline;

impl Plan {
    /// Returns false where no part draws a random number, so that each replication is as the first, whatever the seed;
    /// true where one may draw.
    ///
    /// It knows wires, their queues that draw nothing, and sources at fixed times. All else counts as random: also what never
    /// comes to a draw, such as one station alone on a clean channel, laws from outside, and the salt of queues that hash flows.
    pub fn may_draw(&self) -> bool {
        let has_others = !self.cells.is_empty()
            || !self.wimax.is_empty()
            || !self.lans.is_empty()
            || !self.proxies.is_empty()
            || self.association.is_some()
            || self.mobile_ip.is_some()
            || self.routing.dsdv.is_some()
            || self.routing.clusters.is_some();
        has_others
            || self.links.iter().any(LinkPlan::may_draw)
            || self.flows.iter().any(FlowPlan::may_draw)
    }
}

impl LinkPlan {
    fn may_draw(&self) -> bool {
        self.loss > 0.0
            || self.bursts.is_some()
            || self.jitter.is_some()
            || self.course.is_some()
            || !matches!(self.queue.discipline, Discipline::DropTail | Discipline::Codel)
    }
}

impl FlowPlan {
    fn may_draw(&self) -> bool {
        let transport_draws = match &self.transport {
            TransportPlan::Tcp { config, policy, .. } => {
                policy.is_some() || config.custom_law.is_some() || takes_salt(config)
            }
            TransportPlan::Udp { .. } => false,
        };
        transport_draws
            || match &self.app {
                AppConfig::Bulk { on_times, .. } => on_times.is_some(),
                AppConfig::Datagrams(own) => !matches!(own.source, SourceConfig::Cbr { .. }),
                AppConfig::Saturated { .. } => false,
                AppConfig::Web(_) => true,
            }
    }
}
