//! What a run measured of 802.16 cells.

use super::flow::DelayOutcome;
use super::reasons::by_reason;
use crate::air::Air;
use crate::element::Element;
use crate::network::Network;
use crate::plan::WimaxPlan;
use base::{Span, StationId, Time};
use net::QueueStats;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use wimax::{Cell, EntryTimes, RequestStats, WayStats};

/// One 802.16 cell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WimaxOutcome {
    /// Its name.
    pub name: String,
    /// Symbols in a frame.
    pub frame_symbols: u32,
    /// Of these, of the downlink.
    pub downlink_symbols: u32,
    /// Of the uplink's, for contention.
    pub contention_symbols: u32,
    /// A symbol's length, s.
    pub symbol_s: f64,
    /// Frames that began.
    pub frames: u64,
    /// Share of the downlink's symbols that preamble and broadcast took.
    pub broadcast_share: f64,
    /// Share of the downlink's symbols that bursts took.
    pub downlink_share: f64,
    /// Share of the uplink's symbols that bursts took.
    pub uplink_share: f64,
    /// Share of the uplink's symbols that contention took.
    pub contention_share: f64,
}

/// One subscriber station.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SubscriberOutcome {
    /// Its cell.
    pub cell: String,
    /// Its node.
    pub name: String,
    /// Towards it.
    pub down: WayOutcome,
    /// From it.
    pub up: WayOutcome,
    /// How it asked for bandwidth.
    pub requests: RequestOutcome,
    /// How it came into the network, warm-up included; absent where all are there from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryOutcome>,
    /// Packets lost at it, of any flow, by reason; those lost at the base station count there.
    pub packets_lost: BTreeMap<&'static str, u64>,
}

/// One direction of a subscriber station.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WayOutcome {
    /// Network-layer bits that arrived, a second.
    pub throughput_bps: f64,
    /// Packets that arrived.
    pub packets: u64,
    /// Packets that were sent whole and lost on the air; with ARQ, that were given up.
    pub lost: u64,
    /// Pieces sent again by ARQ.
    pub resent: u64,
    /// Bursts.
    pub bursts: u64,
    /// Share of its bursts' bytes that were PDUs, not padding; null where there was no burst.
    pub fill: Option<f64>,
    /// From a packet's arrival at its queue to its arrival at the other end of the air; null where none arrived.
    pub delay_s: Option<DelayOutcome>,
}

/// How a subscriber station came into the network; null: not yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EntryOutcome {
    /// From being switched on until it heard the channels described, s; where ranging failed as a whole, the last time.
    pub listening_s: Option<f64>,
    /// From then to the answer to its ranging request, s.
    pub ranging_s: Option<f64>,
    /// From then until it was in the network, s.
    pub registration_s: Option<f64>,
    /// All of it, s.
    pub total_s: Option<f64>,
    /// Ranging requests that it sent.
    pub attempts: u64,
}

/// Bandwidth requests of a subscriber station.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RequestOutcome {
    /// Sent in an opportunity.
    pub attempts: u64,
    /// Share of these that were alone in it; null where there were none.
    pub success: Option<f64>,
    /// Found lost when T16 was over.
    pub timeouts: u64,
    /// Given up after the last retry.
    pub given_up: u64,
    /// Sent in a burst of data.
    pub piggybacked: u64,
    /// How long packets waited in the uplink, by what for; null where none was sent.
    pub wait_s: Option<WaitOutcome>,
}

/// The mean delay of packets of the uplink by what they waited for; the parts add up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WaitOutcome {
    /// All of it.
    pub mean: f64,
    /// Until the base station had a request for them.
    pub request: f64,
    /// From then to their first symbol.
    pub grant: f64,
    /// To their last.
    pub transmission: f64,
}

fn way(stats: &WayStats, measured_s: f64) -> WayOutcome {
    WayOutcome {
        throughput_bps: stats.bytes as f64 * 8.0 / measured_s,
        packets: stats.packets,
        lost: stats.lost,
        resent: stats.resent,
        bursts: stats.bursts,
        fill: (stats.room > 0).then(|| stats.used as f64 / stats.room as f64),
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

impl Network {
    /// The 802.16 cells of the plan, at work.
    fn wimax(&self) -> impl Iterator<Item = (&WimaxPlan, &Element, &Cell)> {
        let cells = self.plan.wimax.iter().zip(self.sites.of_wimax());
        cells.filter_map(|(plan, id)| {
            let element = &self.elements[id.index()];
            let Air::Wimax(cell) = &element.air else { return None };
            Some((plan, element, cell))
        })
    }

    pub(super) fn wimax_outcomes(&self) -> Vec<WimaxOutcome> {
        let outcome = |(plan, _, cell): (&WimaxPlan, &Element, &Cell)| {
            let (layout, stats) = (cell.layout(), cell.frame_stats());
            let phy = plan.config.frame.phy;
            let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
            WimaxOutcome {
                name: plan.name.clone(),
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
        };
        self.wimax().map(outcome).collect()
    }

    pub(super) fn subscriber_outcomes(&self, measured_s: f64) -> Vec<SubscriberOutcome> {
        let of_cell = |(plan, element, cell)| {
            let (plan, element, cell): (&WimaxPlan, &Element, &Cell) = (plan, element, cell);
            (1..plan.stations.len()).map(move |i| {
                let station = StationId(i as u32);
                let stats = cell.stats(station);
                SubscriberOutcome {
                    cell: plan.name.clone(),
                    name: self.node_name(plan.stations[i]).to_owned(),
                    down: way(&stats.down, measured_s),
                    up: way(&stats.up, measured_s),
                    requests: requests(&stats.requests),
                    entry: cell.entry(station).map(entry),
                    packets_lost: by_reason(element.lost(station)).collect(),
                }
            })
        };
        self.wimax().flat_map(of_cell).collect()
    }

    /// The queues of all 802.16 cells by name: of each subscriber station and service, best effort first, the base station's
    /// and its own.
    pub(super) fn wimax_queues(&self, end: Time) -> impl Iterator<Item = (String, QueueStats)> {
        self.wimax().flat_map(move |(plan, _, cell)| {
            let name = |i: usize| self.node_name(plan.stations[i]);
            let of_station = move |i: usize| {
                let queues = cell.queue_stats_by(StationId(i as u32), end).enumerate();
                queues.flat_map(move |(service, (down, up))| {
                    let of = if service == 0 { String::new() } else { format!(":{service}") };
                    let to = format!("{}/{}>{}{of}", plan.name, name(0), name(i));
                    [(to, down), (format!("{}/{}{of}", plan.name, name(i)), up)]
                })
            };
            (1..plan.stations.len()).flat_map(of_station)
        })
    }
}
