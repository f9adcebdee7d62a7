//! Results of access functions.

use super::category::Category;
use super::stats::AccessStats;
use base::{Named, outcome};
use net::{QueueStats, Reported};
use serde::Serialize;

outcome! {
    /// One access category of one station.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct AccessOutcome {
        /// Its cell.
        cell: String;
        /// Its node and its category, "sta1/voice".
        name: String;
        /// Its category.
        category: &'static str;
        /// Exchanges begun, block ack requests included.
        attempts: u64 = "attempts", sum;
        /// Block ack requests among them.
        requests: u64 = "block ack requests", sum;
        /// Exchanges that collided, with stations that could be noticed or not.
        collisions: u64 = "collisions", sum;
        /// Times at which a higher category of the same station won too.
        internal_collisions: u64 = "internal collisions", sum;
        /// Exchanges that failed by bit errors, or for a receiver that was too far away or on another channel.
        channel_errors: u64 = "channel errors", sum;
        /// PPDUs with data.
        ppdus: u64 = "PPDUs", sum;
        /// MPDUs sent in them.
        mpdus: u64 = "MPDUs", sum;
        /// Those of these that had been sent before.
        mpdu_retries: u64 = "MPDU retries", sum;
        /// Mean number of MPDUs in a PPDU; null where there were none.
        mpdus_per_ppdu: Option<f64> = "MPDUs per PPDU";
        /// Packets acknowledged.
        acknowledged: u64 = "acknowledged packets" in "packets", sum;
        /// MPDUs given up at a retry limit.
        retry_drops: u64 = "MPDUs given up", sum;
        /// Packets and MPDUs whose lifetime was over.
        expired: u64 = "expired MPDUs", sum;
        /// MPDUs that receivers had already.
        duplicates: u64 = "duplicates", sum;
        /// Packets that receivers had to hold back for others.
        reordered: u64 = "reordered packets" in "packets", sum;
        /// How long they were held back on average; null where none was.
        reordering_delay_s: Option<f64> = "reordering delay";
        /// Packets that its queue refused or dropped.
        queue_drops: u64 = "drops" in "packets", sum;
        /// Mean number of packets in its queue.
        mean_queue: f64 = "mean queue" in "packets";
        /// Share of the measured time that its exchanges took.
        airtime_share: f64 = "airtime", sum;
    }
}

impl AccessOutcome {
    /// Makes the outcome of a category from its counts.
    pub fn new(
        of: &Reported,
        category: Category,
        (stats, queue): (&AccessStats, &QueueStats),
    ) -> AccessOutcome {
        let mean = |sum: f64, number: u64| (number > 0).then(|| sum / number as f64);
        AccessOutcome {
            cell: of.of.clone(),
            name: format!("{}/{}", of.name, category.name()),
            category: category.name(),
            attempts: stats.attempts,
            requests: stats.requests,
            collisions: stats.collisions + stats.hidden,
            internal_collisions: stats.internal_collisions,
            channel_errors: stats.channel_errors + stats.out_of_range + stats.away,
            ppdus: stats.ppdus,
            mpdus: stats.mpdus,
            mpdu_retries: stats.retries,
            mpdus_per_ppdu: mean(stats.mpdus as f64, stats.ppdus),
            acknowledged: stats.acknowledged,
            retry_drops: stats.retry_drops,
            expired: stats.expired,
            duplicates: stats.duplicates,
            reordered: stats.reordered,
            reordering_delay_s: mean(stats.reordering.as_secs(), stats.reordered),
            queue_drops: queue.dropped,
            mean_queue: queue.mean_packets(of.end),
            airtime_share: of.share(stats.airtime),
        }
    }
}
