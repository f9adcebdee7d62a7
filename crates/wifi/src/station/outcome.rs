//! Results of 802.11 stations.

use super::StationStats;
use base::{Span, Tally, outcome};
use net::Reported;
use serde::Serialize;

outcome! {
    /// One 802.11 station.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct StationOutcome {
        /// Its cell.
        cell: String;
        /// Its node.
        name: String;
        /// Exchanges begun.
        attempts: u64 = "attempts", sum;
        /// Mean data rate of these, bit/s; null where there were none.
        mean_rate_bps: Option<f64> = "mean rate";
        /// Those begun with an RTS.
        rts: u64 = "attempts with RTS", sum;
        /// Those for a frame that had failed before.
        retries: u64 = "retries", sum;
        /// Acknowledged exchanges.
        successes: u64 = "successes", sum;
        /// Frames given up at a retry limit.
        retry_drops: u64 = "frames given up", sum;
        /// Packets lost at it, of any flow and direction, by reason.
        packets_lost: Tally = "lost packets" in "packets", sum;
        /// Exchanges that collided.
        collisions: u64 = "collisions", sum;
        /// Exchanges that failed by bit errors.
        channel_errors: u64 = "channel errors", sum;
        /// Exchanges that failed by a station that the sender could not notice.
        hidden: u64 = "collisions with hidden stations", sum;
        /// Exchanges with a receiver that is too far away.
        out_of_range: u64 = "attempts out of range", sum;
        /// Exchanges with a receiver on another channel; absent where nobody changes channels.
        #[serde(skip_serializing_if = "Option::is_none")]
        away: Option<u64> = "attempts while away", sum;
        /// Frames received more than once.
        duplicates: u64 = "duplicates", sum;
        /// Share of the measured time that its exchanges took.
        airtime_share: f64 = "airtime", sum;
        /// Share of the measured time for which the cell's medium was taken by anybody, of whatever cell.
        cell_busy_share: f64 = "busy share of the cell";
    }
}

impl StationOutcome {
    /// Makes the outcome of a station from its counters, the airtime of its exchanges and the busy time of its channel;
    /// `away` is true if any station changes channels.
    pub fn new(
        of: Reported,
        stats: &StationStats,
        (airtime, busy): (Span, Span),
        away: bool,
    ) -> StationOutcome {
        StationOutcome {
            airtime_share: of.share(airtime),
            cell_busy_share: of.share(busy),
            cell: of.of,
            name: of.name,
            attempts: stats.attempts,
            mean_rate_bps: (stats.attempts > 0)
                .then(|| stats.rates_bps as f64 / stats.attempts as f64),
            rts: stats.rts,
            retries: stats.retries,
            successes: stats.successes,
            retry_drops: stats.retry_drops,
            packets_lost: of.packets_lost,
            collisions: stats.collisions,
            channel_errors: stats.channel_errors,
            hidden: stats.hidden,
            out_of_range: stats.out_of_range,
            away: away.then_some(stats.away),
            duplicates: stats.duplicates,
        }
    }
}
