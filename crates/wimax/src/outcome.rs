//! Results of 802.16 cells.

use crate::entry::EntryTimes;
use crate::stats::{RequestStats, WayStats};
use crate::{Cell, Phy};
use base::{DelayOutcome, Span, StationId, Tally, Time, outcome};
use net::Reported;
use serde::Serialize;

outcome! {
    /// One 802.16 cell.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct WimaxOutcome {
        /// Its name.
        name: String;
        /// Symbols in a frame.
        frame_symbols: u32 = "symbols of a frame";
        /// Downlink symbols among these.
        downlink_symbols: u32 = "symbols of the downlink";
        /// Contention symbols among the uplink's.
        contention_symbols: u32 = "symbols of contention";
        /// A symbol's length, s.
        symbol_s: f64 = "time of a symbol";
        /// Frames that began.
        frames: u64 = "frames", sum;
        /// Share of the downlink's symbols that preamble and broadcast took.
        broadcast_share: f64 = "share of broadcasts";
        /// Share of the downlink's symbols that bursts took.
        downlink_share: f64 = "used share of the downlink";
        /// Share of the uplink's symbols that bursts took.
        uplink_share: f64 = "used share of the uplink";
        /// Share of the uplink's symbols that contention took.
        contention_share: f64 = "used share of contention";
    }

    /// One subscriber station.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct SubscriberOutcome {
        /// Its cell.
        cell: String;
        /// Its node.
        name: String;
        /// Towards it.
        down: WayOutcome = "down";
        /// From it.
        up: WayOutcome = "up";
        /// Its bandwidth requests.
        requests: RequestOutcome;
        /// Network entry, warm-up included; absent if all stations are in the network from the start.
        #[serde(skip_serializing_if = "Option::is_none")]
        entry: Option<EntryOutcome>;
        /// Packets lost at it, of any flow, by reason; those lost at the base station count there.
        packets_lost: Tally = "lost packets" in "packets", sum;
    }

    /// One direction of a subscriber station.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct WayOutcome {
        /// Network-layer bits that arrived, a second.
        throughput_bps: f64 = "throughput", sum;
        /// Packets that arrived.
        packets: u64 = "packets" in "packets", sum;
        /// Packets that were sent whole and lost on the air; with ARQ, that were given up.
        lost: u64 = "lost packets" in "packets", sum;
        /// Pieces sent again by ARQ.
        resent: u64 = "packets sent again" in "packets", sum;
        /// Bursts.
        bursts: u64 = "bursts", sum;
        /// Share of its bursts' bytes that were PDUs, not padding; null where there was no burst.
        fill: Option<f64> = "used share of bursts" in "1";
        /// From a packet's arrival at its queue to its arrival at the other end of the air; null where none arrived.
        delay_s: Option<DelayOutcome> = "delay";
    }

    /// Network entry of a subscriber station; null for steps not reached yet.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct EntryOutcome {
        /// From being switched on until it heard the channels described, s; where ranging failed as a whole, the last time.
        listening_s: Option<f64> = "time until the maps were heard";
        /// From then to the answer to its ranging request, s.
        ranging_s: Option<f64> = "time of ranging at entry";
        /// From then until it was in the network, s.
        registration_s: Option<f64> = "time of registration";
        /// All of it, s.
        total_s: Option<f64> = "time of entry";
        /// Ranging requests that it sent.
        attempts: u64 = "attempts at entry", sum;
    }

    /// Bandwidth requests of a subscriber station.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct RequestOutcome {
        /// Sent in an opportunity.
        attempts: u64 = "bandwidth requests", sum;
        /// Share of these that were alone in it; null where there were none.
        success: Option<f64> = "requests that were alone" in "1";
        /// Found lost when T16 was over.
        timeouts: u64 = "timeouts of requests", sum;
        /// Given up after the last retry.
        given_up: u64 = "requests given up", sum;
        /// Sent in a burst of data.
        piggybacked: u64 = "piggybacked requests", sum;
        /// Mean wait of packets in the uplink, by cause; null if none was sent.
        wait_s: Option<WaitOutcome> = "wait for bandwidth";
    }

    /// The mean delay of packets of the uplink by what they waited for; the parts add up.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct WaitOutcome {
        /// All of it.
        mean: f64;
        /// Until the base station had a request for them.
        request: f64;
        /// From then to their first symbol.
        grant: f64;
        /// To their last.
        transmission: f64;
    }
}

fn way(stats: &WayStats, end: Time, measured_s: f64) -> WayOutcome {
    let bursts = stats.bursts.before(end);
    WayOutcome {
        throughput_bps: stats.bytes as f64 * 8.0 / measured_s,
        packets: stats.packets,
        lost: stats.lost,
        resent: stats.resent,
        bursts: bursts.bursts,
        fill: (bursts.room > 0).then(|| bursts.used as f64 / bursts.room as f64),
        delay_s: DelayOutcome::of(&stats.delay),
    }
}

fn requests(stats: &RequestStats) -> RequestOutcome {
    let &RequestStats { attempts, successes, timeouts, given_up, piggybacked, .. } = stats;
    let success = (attempts > 0).then(|| successes as f64 / attempts as f64);
    let mean = |sum: Span| sum.as_secs() / stats.packets as f64;
    let wait_s = (stats.packets > 0).then(|| WaitOutcome {
        mean: mean(stats.request_wait + stats.grant_wait + stats.transmission),
        request: mean(stats.request_wait),
        grant: mean(stats.grant_wait),
        transmission: mean(stats.transmission),
    });
    RequestOutcome { attempts, success, timeouts, given_up, piggybacked, wait_s }
}

fn entry(times: &EntryTimes) -> EntryOutcome {
    let span = |from: Option<Time>, to: Option<Time>| Some(to?.since(from?).as_secs());
    EntryOutcome {
        listening_s: span(Some(times.on), times.heard),
        ranging_s: span(times.heard, times.ranged),
        registration_s: span(times.ranged, times.entered),
        total_s: span(Some(times.on), times.entered),
        attempts: times.attempts,
    }
}

impl Cell {
    /// Returns the results of the cell's frames.
    pub fn outcome(&self, phy: Phy, of: &Reported) -> WimaxOutcome {
        let (layout, stats) = (self.layout(), self.frame_stats_by(of.end));
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        WimaxOutcome {
            name: of.name.clone(),
            frame_symbols: layout.symbols,
            downlink_symbols: layout.down,
            contention_symbols: layout.contention,
            symbol_s: phy.slots(phy.symbol_slots()).as_secs(),
            frames: stats.frames,
            broadcast_share: share(stats.broadcast, stats.down),
            downlink_share: share(stats.down_bursts, stats.down),
            uplink_share: share(stats.up_bursts, stats.up),
            contention_share: share(stats.contention, stats.up),
        }
    }

    /// Returns the results of a subscriber station.
    pub fn subscriber_outcome(&self, station: StationId, of: Reported) -> SubscriberOutcome {
        let stats = self.stats(station);
        SubscriberOutcome {
            cell: of.of,
            name: of.name,
            down: way(&stats.down, of.end, of.measured_s),
            up: way(&stats.up, of.end, of.measured_s),
            requests: requests(&stats.requests),
            entry: self.entry(station).map(entry),
            packets_lost: of.packets_lost,
        }
    }
}
