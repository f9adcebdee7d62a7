//! The side of a proxy on which the air is.

use base::NodeId;
use world::Plan;

/// A flow, seen from a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The node of the proxy at first.
    pub at: NodeId,
    /// The data come over the air to it: a station is the source.
    pub comes_by_air: bool,
}

/// Returns the side of a flow, by its position in the plan; an error says why it has none. With `passing` the path from end to
/// end must pass the proxy. `mobiles` count as stations that the first of `places` reaches.
pub fn side(
    plan: &Plan,
    (places, mobiles): (&[NodeId], &[NodeId]),
    flow: usize,
    passing: bool,
) -> Result<Side, &'static str> {
    let flow = &plan.flows[flow];
    if places.contains(&flow.from) || places.contains(&flow.to) {
        return Err("begins or ends at the proxy itself");
    }
    let base_of = |end| {
        let of_station = places.iter().copied().find(|&place| is_beyond(plan, place, end));
        of_station.or_else(|| places.first().copied().filter(|_| mobiles.contains(&end)))
    };
    let side = match (base_of(flow.from), base_of(flow.to)) {
        (Some(at), None) => Side { at, comes_by_air: true },
        (None, Some(at)) => Side { at, comes_by_air: false },
        (None, None) => return Err("has no end that is a station beyond the proxy"),
        (Some(_), Some(_)) => return Err("has two ends that are stations beyond the proxy"),
    };
    // Paths to a mobile node of Mobile IP begin with its home agent, wherever it is.
    if passing && !plan.is_mobile(flow.from) && !plan.is_mobile(flow.to) {
        let topology = plan.topology();
        let length = |from, to| {
            let path = topology.path(from, to, usize::from(plan.routing.ttl));
            path.is_complete().then_some(path.hops.len())
        };
        let by_proxy = length(flow.from, side.at).zip(length(side.at, flow.to));
        if by_proxy.map(|(there, on)| there + on) != length(flow.from, flow.to) {
            return Err("does not pass the proxy");
        }
    }
    Ok(side)
}

/// Returns true where `end` is a station that `place` reaches over the air.
fn is_beyond(plan: &Plan, place: NodeId, end: NodeId) -> bool {
    let in_cell = plan.cells.iter().any(|cell| {
        let base = cell.access_point.map(|ap| cell.stations[ap.index()]);
        let has = |node| cell.stations.contains(&node);
        has(end) && has(place) && base.is_none_or(|base| base == place)
    });
    let in_wimax = |cell: &world::WimaxPlan| {
        cell.stations.first() == Some(&place) && cell.stations.contains(&end)
    };
    in_cell || plan.wimax.iter().any(in_wimax)
}
