//! Goodput that a flow could reach without radio losses (qaddoura2006's maximum achievable throughput).

use crate::measure::Measure;
use base::outcome;
use serde::Serialize;
use world::Plan;

outcome! {
    /// Results of a second run of the same plan, with the same random numbers, in which radio losses are filtered out and
    /// the time that they take is kept ([`Plan::with_radio_losses_filtered`]).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
    pub struct ReachableOf {
        /// Goodput where radio losses are filtered out and their timing is kept, bit/s.
        reachable_bps: f64 = "goodput without radio losses", sum;
        /// The flow's own goodput over that; null where nothing could be reached.
        efficiency: Option<f64> = "efficiency" in "1" of 0.0..=f64::INFINITY, goodput_bps over reachable_bps;
    }
}

impl ReachableOf {
    /// Computes the results of a flow from both goodputs, bit/s.
    pub fn new(goodput_bps: f64, reachable_bps: f64) -> ReachableOf {
        let efficiency = (reachable_bps > 0.0).then(|| goodput_bps / reachable_bps);
        ReachableOf { reachable_bps, efficiency }
    }
}

/// Records nothing itself: the caller, which plays both runs, fills in the goodput of the second.
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
