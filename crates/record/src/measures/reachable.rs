//! What a flow could reach if nothing were lost on the radio (qaddoura2006's maximum achievable throughput).

use crate::measure::Measure;
use schemars::JsonSchema;
use serde::Serialize;
use world::Plan;

/// Of a second run of the same plan, with the same random numbers, in which radio losses are filtered out and the time that
/// they take is kept ([`Plan::with_radio_losses_filtered`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ReachableOf {
    /// Goodput where radio losses are filtered out and their timing is kept, bit/s.
    pub reachable_bps: f64,
    /// The flow's own goodput over that; null where nothing could be reached.
    pub efficiency: Option<f64>,
}

impl ReachableOf {
    /// Of a flow with both goodputs, bit/s.
    pub fn new(goodput_bps: f64, reachable_bps: f64) -> ReachableOf {
        let efficiency = (reachable_bps > 0.0).then(|| goodput_bps / reachable_bps);
        ReachableOf { reachable_bps, efficiency }
    }
}

/// It takes nothing down itself: who plays both runs fills in what the second has reached.
#[derive(Clone, Debug)]
pub struct Reachable;

impl Measure for Reachable {
    type Of = ReachableOf;

    fn start(_plan: &Plan) -> Reachable {
        Reachable
    }

    fn of(&self, _flow: usize) -> Option<ReachableOf> {
        Some(ReachableOf::default())
    }
}
