//! Results of shared wired LANs.

use super::Lan;
use crate::Reported;
use base::{StationId, Tally, outcome};
use serde::Serialize;

outcome! {
    /// One shared wired LAN.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct LanOutcome {
        /// Its name.
        name: String;
        /// Share of the measured time for which frames were on it that came through, preambles included.
        utilisation: f64 = "utilisation" in "1";
        /// Share of the measured time for which stations sent that collided.
        collision_share: f64 = "share of time in collisions";
        /// Collisions, however many stations took part in each.
        collisions: u64 = "collisions", sum;
        /// Frames that a station sent one after the other, while others waited, before another had its turn: the mean; null where
        /// nobody ever waited for another.
        mean_run: Option<f64> = "mean run";
    }

    /// One station of a shared wired LAN.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct LanStationOutcome {
        /// Its LAN.
        lan: String;
        /// Its node.
        name: String;
        /// Times that it began to send.
        attempts: u64 = "attempts", sum;
        /// Those that came through.
        successes: u64 = "successes", sum;
        /// Those that collided.
        collisions: u64 = "collisions", sum;
        /// Frames that waited for others before their first attempt.
        deferrals: u64 = "deferrals", sum;
        /// Frames given up after the last attempt.
        given_up: u64 = "frames given up", sum;
        /// The most frames that it sent one after the other while others waited.
        longest_run: u64 = "longest run", max;
        /// Packets lost at it, of any flow and direction, by reason.
        packets_lost: Tally = "lost packets" in "packets", sum;
        /// Share of the measured time for which it sent.
        airtime_share: f64 = "airtime", sum;
    }
}

impl Lan {
    /// Returns the results of the whole LAN.
    pub fn outcome(&self, of: &Reported) -> LanOutcome {
        let stats = self.stats_by(of.end);
        LanOutcome {
            name: of.name.clone(),
            utilisation: of.share(stats.carrying),
            collision_share: of.share(stats.colliding),
            collisions: stats.collisions,
            mean_run: (stats.runs > 0).then(|| stats.contested as f64 / stats.runs as f64),
        }
    }

    /// Returns the results of a station.
    pub fn station_outcome(&self, station: StationId, of: Reported) -> LanStationOutcome {
        let stats = self.station_by(station, of.end);
        LanStationOutcome {
            airtime_share: of.share(stats.airtime),
            lan: of.of,
            name: of.name,
            attempts: stats.attempts,
            successes: stats.successes,
            collisions: stats.collisions,
            deferrals: stats.deferrals,
            given_up: stats.given_up,
            longest_run: stats.longest_run,
            packets_lost: of.packets_lost,
        }
    }
}
