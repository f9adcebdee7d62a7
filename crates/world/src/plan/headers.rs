//! What queues can read in the IP headers of packets.

use super::{MobileIpPlan, Plan};
use net::{Discipline, IpHeader, IpHeaders, QueueConfig};
use std::sync::Arc;

/// All queues of a plan but those of links, to look at (`iter`) or to change (`iter_mut, mut`).
macro_rules! queues {
    ($plan:expr, $iter:ident $(, $mut:tt)?) => {{
        let lans = $plan.lans.$iter().map(|lan| &$($mut)? lan.config.queue);
        let stations = $plan.cells.$iter().flat_map(|cell| cell.configs.$iter());
        let wimax = $plan.wimax.$iter().flat_map(|cell| {
            let services = cell.config.services.$iter().flat_map(|own| own.queue.$iter());
            let own = cell.config.subscribers.$iter();
            own.flat_map(|own| [&$($mut)? own.down_queue, &$($mut)? own.up_queue]).chain(services)
        });
        lans.chain(stations.map(|station| &$($mut)? station.queue)).chain(wimax)
    }};
}

fn reads(queue: &QueueConfig) -> bool {
    queue.discipline == Discipline::Cake
}

impl Plan {
    /// True where a queue's discipline reads IP headers.
    pub fn reads_headers(&self) -> bool {
        self.links.iter().any(|link| reads(&link.queue)) || queues!(self, iter).any(reads)
    }

    /// Lets such queues know the headers of all flows. A packet in a tunnel is known by its inner header, as Linux's flow
    /// dissector has it.
    pub fn tell_headers(&mut self) {
        if !self.reads_headers() {
            return;
        }
        let of_flows = self.flows.iter().map(|flow| (flow.from, flow.to, flow.dscp));
        let ways = self.mobile_ip.iter().flat_map(MobileIpPlan::ways);
        let all = of_flows.chain(ways.map(|(from, to)| (from, to, 0)));
        let headers: IpHeaders =
            all.map(|(source, destination, dscp)| IpHeader { source, destination, dscp }).collect();
        for link in self.links.iter_mut().filter(|link| reads(&link.queue)) {
            Arc::make_mut(&mut link.queue).headers = headers.clone();
        }
        for queue in queues!(self, iter_mut, mut).filter(|queue| reads(queue)) {
            queue.headers = headers.clone();
        }
    }
}
