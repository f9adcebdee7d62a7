//! Parameters of the queues of Linux's mac80211 (include/net/fq.h and net/mac80211/tx.c of Linux 6.12): FQ-CoDel whose flows are
//! shared by all receivers of a radio.

use super::codel::Codel;
use super::flows::{Flows, Rules};
use super::row::Row;
pub(super) use crate::queue::manage::Open;
use crate::queue::manage::Site;
use base::{SWITCH, parameters};

parameters! {
    flows = 4096.0, "queues among which the flows of all receivers are spread";
    quantum = 300.0, in Bytes, "bytes that a queue sends in its turn";
    target = 0.02, in Seconds, "acceptable standing delay";
    interval = 0.1, in Seconds, "time over which the least wait is taken";
    mtu = 0.0, in Bytes, "no drops while no more than this waits behind (Linux sets none)";
    ecn = 1.0, of SWITCH, "marks ECN-capable packets instead of dropping them";
    memory = 16e6, in Bytes, "bytes of packets that all queues hold; Linux has 4 MB for 802.11n, and counts its own overhead";
}

/// Its source, its parameters and how it is asked.
pub(super) const ROW: Row = Row {
    source: "Hoiland-Jorgensen et al., Ending the Anomaly, USENIX ATC 2017; Linux 6.12, net/mac80211",
    limit: Some(8192),
    parameters: &[Params::ALL],
    checks: &[super::flows::check, super::codel::check],
    departs: true,
};

/// Flows without tins, and the bytes that they may hold.
pub(in crate::queue) fn flows<T: Copy>(site: &Site<'_>) -> (Flows<T>, u64) {
    let p = Params::new(site.options);
    let rules = Rules { flows: p.flows as usize, quantum: p.quantum as i64, batch: 1 };
    let law = Codel::with((p.target, p.interval), p.mtu, p.ecn != 0.0);
    (Flows::with(site, rules, law), p.memory as u64)
}
