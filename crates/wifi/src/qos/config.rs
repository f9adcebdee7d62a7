//! Rules and limits of a cell with access categories, aggregation and block acknowledgements.

use super::category::{AccessParameters, Categories, Category, CategorySettings};
use super::sharing::{Pace, SharingSettings};
use crate::config::{PhyConfig, RetryLimit};
use crate::errors::ErrorConfig;
use crate::frames::BLOCK_ACK_BYTES;
use crate::rates::{RateRef, Rates};
use crate::station::StationConfig;
use base::{Maybe, Span, StationId, named, settings};

/// The longest PPDU of HT, VHT and HE (aPPDUMaxTime, 802.11-2020, table 19-25).
const LONGEST_PPDU: Span = Span::micros(5484);

/// The time unit of 802.11, TU.
pub const TIME_UNIT: Span = Span::micros(1024);
/// The largest number of time units that fits a frame.
const LONGEST_TIMEOUT: Span = Span(TIME_UNIT.0 * 65_535);

/// The generation whose rules a cell follows, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QosGeneration {
    /// 802.11a and 802.11g with access categories (802.11e): nothing is aggregated.
    Legacy,
    /// 802.11n.
    Ht,
    /// 802.11ac.
    Vht,
    /// 802.11ax.
    He,
}

impl QosGeneration {
    /// The largest A-MPDU (802.11-2020, table 9-34; 802.11ax-2021, 9.4.2.248).
    fn longest_ampdu(self) -> u32 {
        match self {
            QosGeneration::Legacy => 0,
            QosGeneration::Ht => 65_535,
            QosGeneration::Vht => 1_048_575,
            QosGeneration::He => 6_500_631,
        }
    }

    /// MPDUs that a block acknowledgement covers.
    fn window(self) -> u32 {
        if self == QosGeneration::He { 256 } else { 64 }
    }

    /// True where a single MPDU goes as an A-MPDU of one, with its delimiter, and agreements are made for single MPDUs too.
    pub fn has_single_mpdus(self) -> bool {
        self >= QosGeneration::Vht
    }
}

named! {
    /// Protection of long data frames, aggregates included.
    pub enum Guard, "protection of aggregates" {
        RtsCts = "rts_cts": "an RTS, which the receiver answers with a CTS",
            ///
            /// At a basic rate, with a reservation to the end of the answer or of the TXOP (802.11-2020, 10.27 and 9.2.5.2).
        CtsToSelf = "cts_to_self": "a CTS to oneself, which nobody answers",
    }
    /// How block-ack agreements come about.
    pub enum Agreements, "agreements" {
        Start = "start": "all exist from the start",
        Frames = "frames": "a station asks for each with an ADDBA Request, which the receiver answers",
    }
    /// When MPDUs of an aggregate reach the layers above.
    pub enum HandingUp, "handing up" {
        Ppdu = "ppdu": "all at the end of their PPDU",
        Mpdu = "mpdu": "each at its own end (ns-3)",
    }
}

settings! {
    /// Aggregation and block acknowledgement, as files give them.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct QosSettings {
        /// How many MPDUs a block acknowledgement covers.
        block_ack_window: Option<u32> as Maybe<u32> = None => "64 with 802.11n and 802.11ac, 256 with 802.11ax", "block_ack_window", Some(1)..=Some(1024);
        /// The longest PPDU.
        longest_ppdu: Span = LONGEST_PPDU, "longest_ppdu", Span(100_000)..=LONGEST_PPDU;
        /// Whether block-ack agreements exist from the start, or stations ask for them with frames.
        agreements: Agreements = Agreements::Start, "agreements";
        /// How long an agreement that a station has asked for lasts without frames and answers of its category. Then its ends send
        /// DELBA frames. A multiple of 1.024 ms, the time unit of 802.11; `"0 s"`: it does not end so.
        block_ack_timeout: Span = Span::ZERO, "block_ack_timeout", Span::ZERO..=LONGEST_TIMEOUT;
        /// How long a packet may be in the MAC before it is given up. ns-3 and the standard have about as much.
        lifetime: Span = Span::millis(500), "lifetime";
        /// How often an MPDU of an aggregate is sent, or "none". A frame sent alone obeys `short_retry_limit`.
        ampdu_retry_limit: Option<u32> as RetryLimit = None, "ampdu_retry_limit";
        /// What goes before data frames, aggregates included, that are longer than `rts` in `[mac]` says.
        guard: Guard = Guard::RtsCts, "protection";
        /// Whether a missed block acknowledgement is asked for again before more data go. Without it the same aggregate
        /// is sent again.
        request_after_miss: bool = true, "request_after_miss";
        /// When the MPDUs of an aggregate reach the layers above.
        hand_up: HandingUp = HandingUp::Ppdu, "hand_up";
        /// How many packets leave the queue before their turn on the air, for each category. Where drop tail hands out all, its
        /// limit counts what is on the air too, with `limit_counts_service`.
        driver_queue: Option<u32> as Maybe<u32> = None => "128 below an AQM, all below drop tail", "driver_queue", Some(1)..=Some(65_536);
        /// Queues of a station that Linux's mac80211 keeps.
        nested sharing: SharingSettings;
    }
}

/// Rules of all stations of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QosConfig {
    /// The generation.
    pub generation: QosGeneration,
    /// What files give.
    pub settings: QosSettings,
}

/// How a station sends packets to a receiver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent<'a> {
    pub category: Category,
    pub parameters: &'a AccessParameters,
    /// Bytes by which an MPDU is longer than its packet.
    pub added: u32,
    /// Both agree to aggregates.
    pub aggregates: bool,
}

impl QosConfig {
    /// How long packets take at a rate, and how many bytes go in a PPDU.
    pub(super) fn pace(&self, rate: RateRef, rates: &Rates, sent: &Sent<'_>) -> Pace {
        let Sent { category, parameters: of, added, aggregates } = *sent;
        let timing = rates.timing(rate);
        let Some(mode) = rates.mode(rate) else {
            return Pace::older(timing.data_plcp(), timing.data_rate(), added);
        };
        let answer = timing.sifs + timing.control(BLOCK_ACK_BYTES);
        let limit = match of.txop {
            Span::ZERO => self.settings.longest_ppdu,
            txop => self.settings.longest_ppdu.min(Span(txop.0.saturating_sub(answer.0))),
        };
        let aggregates = aggregates && of.ampdu > 0;
        let most = if aggregates { timing.most_bytes(limit).min(u64::from(of.ampdu)) } else { 0 };
        let is_voice = category == Category::Voice;
        let mut pace = Pace::modern(mode, timing.data_rate(), added, is_voice);
        pace.most = most;
        pace
    }

    /// MPDUs that a block acknowledgement covers.
    pub fn window(&self) -> u32 {
        self.settings.block_ack_window.unwrap_or(self.generation.window())
    }
}

/// Settings of each category, by [`Category`].
pub type Edca = [CategorySettings; Category::COUNT];

/// The parameters of a station's categories: what is given, over the standard's for its PHY and generation
/// (802.11-2020, table 9-155). An access point has its own set (annex C, dot11QAPEDCATable).
pub fn parameters(
    edca: &Edca,
    phy: &PhyConfig,
    (generation, is_access_point): (QosGeneration, bool),
) -> [AccessParameters; Category::COUNT] {
    let (low, high) = (phy.cw_min, phy.cw_max);
    let first = if is_access_point { 1 } else { 2 };
    let best = if is_access_point { 4 * low + 3 } else { high };
    let half = |cw: u32| cw.div_ceil(2).saturating_sub(1);
    let us = Span::micros;
    Category::EVERY.map(|category| {
        let (aifsn, cw_min, cw_max, txop) = match category {
            Category::Background => (7, low, high, us(2528)),
            Category::BestEffort => (3, low, best.min(high), us(2528)),
            Category::Video => (first, half(low), low, us(4096)),
            Category::Voice => (first, half(half(low)), half(low), us(2080)),
        };
        let own = &edca[category as usize];
        let ampdu = if category == Category::Voice { 0 } else { generation.longest_ampdu() };
        AccessParameters {
            aifsn: own.aifsn.unwrap_or(aifsn),
            cw_min: own.cw_min.unwrap_or(cw_min),
            cw_max: own.cw_max.unwrap_or(cw_max),
            txop: own.txop.unwrap_or(txop),
            ampdu: own.ampdu.unwrap_or(ampdu),
            amsdu: own.amsdu,
        }
    })
}

/// Configuration of a cell.
#[derive(Clone, Debug)]
pub struct QosCellConfig {
    /// Stations, access point included. All have the slot and the spaces of the first.
    pub stations: Vec<StationConfig>,
    /// By station: its categories' parameters; `None`: a station without QoS, which contends by DCF.
    pub categories: Vec<Option<[AccessParameters; Category::COUNT]>>,
    /// By station: its weight where others share airtime among receivers; 256 is usual.
    pub weights: Vec<u32>,
    /// By station: whether it agrees where others ask it for block-ack agreements.
    pub accept_agreements: Vec<bool>,
    /// Index of the access point.
    pub access_point: Option<StationId>,
    /// Bit error model, without a code.
    pub errors: ErrorConfig,
    /// Aggregation and block acknowledgement.
    pub qos: QosConfig,
    /// By flow: its category.
    pub of_flow: Categories,
}
