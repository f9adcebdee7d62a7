//! Proxies that watch connections: Snoop and M-TCP.

use super::find::Found;
use crate::at::{At, Problem};
use crate::spec::{MtcpTable, SnoopTable};
use crate::units::Duration;
use base::{FlowId, Span, Time};
use transport::proxy::{MtcpConfig, SnoopConfig};
use world::{End, GuardKind, GuardPlan, Plan, ProxyKind, ProxyPlan};

/// Puts Snoop on the flows found.
pub fn snoop(table: &SnoopTable, found: Found, plan: &mut Plan) -> Result<(), Problem> {
    let config = SnoopConfig {
        cache: positive(&table.cache(), "packets")? as usize,
        retries: table.retries().value,
        dup_thresh: positive(&table.dup_thresh(), "duplicates")?,
        min_timeout: longer(&table.min_timeout())?,
    };
    let at = &table.at;
    guard(GuardKind::Snoop(config), table.restarts.as_ref(), (at.problem(TWICE), found), plan)
}

/// Puts M-TCP on the flows found.
pub fn mtcp(table: &MtcpTable, found: Found, plan: &mut Plan) -> Result<(), Problem> {
    let config = MtcpConfig {
        radio: SnoopConfig {
            cache: positive(&table.cache(), "packets")? as usize,
            retries: table.retries().value,
            dup_thresh: positive(&table.dup_thresh(), "duplicates")?,
            min_timeout: longer(&table.min_timeout())?,
        },
        silence: longer(&table.silence())?,
        hold: longer(&table.hold())?,
        probe: longer(&table.probe())?,
    };
    let at = &table.at;
    guard(GuardKind::Mtcp(config), table.restarts.as_ref(), (at.problem(TWICE), found), plan)
}

const TWICE: &str = "one of its flows is watched over already; a flow can have one such proxy, which names all its nodes";

fn guard(
    kind: GuardKind,
    restarts: Option<&At<Vec<At<Duration>>>>,
    (twice, found): (Problem, Found),
    plan: &mut Plan,
) -> Result<(), Problem> {
    let mobile = |comes_by_air| if comes_by_air { End::Source } else { End::Sink };
    let flows = found.flows.iter().map(|(i, side)| (FlowId(*i as u32), mobile(side.comes_by_air)));
    let flows: Vec<(FlowId, End)> = flows.collect();
    let others = plan.proxies.iter().filter_map(|proxy| match &proxy.kind {
        ProxyKind::Guard(guard) => Some(guard),
        ProxyKind::Split(_) => None,
    });
    let watched = |(flow, _): &(FlowId, End)| flows.iter().any(|(own, _)| own == flow);
    if others.flat_map(|guard| &guard.flows).any(watched) {
        return Err(twice);
    }
    let restarts = restarts.iter().flat_map(|at| &at.value).map(|at| Time::ZERO + at.value.0);
    let kind = ProxyKind::Guard(GuardPlan { kind, flows, restarts: restarts.collect() });
    plan.proxies.push(ProxyPlan { at: found.at, kind });
    Ok(())
}

fn positive(at: &At<u32>, what: &str) -> Result<u32, Problem> {
    match at.value {
        0 => Err(at.out_of_range(format!("0 {what}; allowed: 1 or more"))),
        some => Ok(some),
    }
}

/// Refuses timers of zero, by which time would never pass.
fn longer(at: &At<Duration>) -> Result<Span, Problem> {
    match at.value.0 {
        Span::ZERO => Err(at.out_of_range("no time at all; allowed: more than 0 s")),
        some => Ok(some),
    }
}
