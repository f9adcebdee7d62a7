//! The parameters of 802.16 that change a result, as plain values.

use crate::kinds::Ratio;
use crate::phy::{Mcs, Phy, Tail};
use base::{Bytes, FlowId, Maybe, Span, named, settings};
use net::QueueConfig;

named! {
    /// Source of a cell's rules.
    pub enum Preset, "set of rules" {
        Standard = "standard": "802.16-2004, and the simplest rule where it leaves a choice",
            ///
            /// Gaps instead of preambles, maps of a fixed size, contention at the data's modulation, batches dropped.
        Nist = "nist": "the NIST module for ns-2",
    }
    /// Length rule of the maps.
    pub enum Maps, "rule for the maps" {
        Growing = "growing": "an element for each burst (the standard)",
            ///
            /// 236 bytes in all; the uplink's map has room for 7 bursts of data, the downlink's for 8.
        Fixed = "fixed": "arrays of ten elements, whatever they hold (the NIST module)",
    }
    /// Cost of a contention opportunity.
    pub enum Pricing, "price of opportunities" {
        Slots = "slots": "whole symbols each: 4 for ranging, 2 for a request, with its preamble (the standard)",
            ///
            /// Each region is rounded up to whole symbols, and a symbol of gap follows.
        Data = "data": "as many symbols as it would take at the data's modulation (the NIST module)",
    }
    /// The range of a backoff draw.
    pub enum Draw, "range of request backoffs" {
        Exclusive = "0..2^w-1": "0 to 2^w - 1 opportunities (the standard)",
        Inclusive = "0..2^w": "0 to 2^w opportunities (the NIST module)",
    }
    /// Packets to drop when a request has used up its retries.
    pub enum GiveUp, "rule for giving up" {
        Head = "head": "the packet at the head of the queue",
        Covered = "covered": "every packet that the request was for (the NIST module)",
    }
    /// Moment at which a request's size is fixed.
    pub enum Sized, "moment of a request's size" {
        Sending = "sending": "when it is sent",
        Making = "making": "when its contention begins; it is then sent again unchanged (the NIST module)",
    }
    /// Meaning of a request to the base station: aggregate or incremental.
    pub enum Requests, "kind of bandwidth request" {
        Aggregate = "aggregate": "all that the connection needs, which replaces earlier requests",
        Incremental = "incremental": "what the connection needs beyond earlier requests",
    }
    /// Directions that channel errors affect.
    pub enum Lossy, "direction of losses" {
        Both = "both": "bursts of both directions",
        Downlink = "downlink": "bursts of the downlink only",
        Uplink = "uplink": "bursts of the uplink only",
    }
}

named! {
    /// Scheduling rule among stations.
    pub enum Scheduling, "scheduler" {
        RoundRobin = "round_robin": "stations take turns; each gets all that it asked for, or what is left of the frame",
        Weighted = "weighted": "each waiting station gets symbols of every frame in proportion to its weight; what is left is given in turn",
        Deficit = "deficit": "stations take turns; each gets bytes in proportion to its weight and keeps what it could not use for its next turn",
    }
    /// Scheduling service of a flow in the uplink. Earlier classes have priority, in both directions.
    pub enum Class, "class of service" {
        Ugs = "ugs": "unsolicited grants of a fixed size at fixed times, used or not",
        RtPs = "rtps": "real-time polling: it is asked at fixed times what it needs, and never contends",
        NrtPs = "nrtps": "non-real-time polling: it is asked now and then, and may contend too",
        BestEffort = "be": "best effort: it contends for all bandwidth",
    }
}

/// A service flow, the same for each station that it passes.
#[derive(Clone, Debug)]
pub struct ServiceConfig {
    /// Scheduling service.
    pub class: Class,
    /// From one unsolicited grant or poll to the next.
    pub interval: Span,
    /// Bytes of PDUs in an unsolicited grant.
    pub grant: u64,
    /// The flows that it carries.
    pub flows: Vec<FlowId>,
    /// The subscriber stations whose uplink it passes, from zero.
    pub stations: Vec<usize>,
    /// The queue of each of its connections; `None`: as its station's.
    pub queue: Option<QueueConfig>,
}

impl ServiceConfig {
    /// The service of all packets that no other service carries.
    pub fn best_effort() -> ServiceConfig {
        ServiceConfig {
            class: Class::BestEffort,
            interval: Span::ZERO,
            grant: 0,
            flows: Vec::new(),
            stations: Vec::new(),
            queue: None,
        }
    }

    /// By flow: which of some services carries it, the first where none is said to.
    pub fn by_flow(services: &[ServiceConfig]) -> Vec<u8> {
        let mut found = Vec::new();
        for (number, service) in services.iter().enumerate() {
            for flow in &service.flows {
                if found.len() <= flow.index() {
                    found.resize(flow.index() + 1, 0);
                }
                found[flow.index()] = number as u8;
            }
        }
        found
    }
}

settings! {
    /// The rules of a cell, beside its stations and channel. The defaults are 802.16-2004's, and the simplest rule where it
    /// leaves a choice.
    #[derive(Clone, Debug)]
    pub struct CellSettings {
        /// The set of rules from which the defaults of other keys come.
        preset: Preset = Preset::Standard, "preset";
        /// The burst profile (modulation and code rate) of both directions.
        modulation: Mcs = Mcs::Qam64R34, "modulation";
        /// The burst profile of the downlink.
        downlink_modulation: Option<Mcs> as Maybe<Mcs> = None => "`modulation`", "downlink_modulation";
        /// The burst profile of the uplink.
        uplink_modulation: Option<Mcs> as Maybe<Mcs> = None => "`modulation`", "uplink_modulation";
        /// The direction that the errors of the channel hit.
        errors_in: Lossy = Lossy::Both, "errors_in";
        /// How the downlink is shared among stations of one class.
        downlink_scheduler: Scheduling = Scheduling::RoundRobin, "downlink_scheduler";
        /// How the uplink is shared among stations of one class.
        uplink_scheduler: Scheduling = Scheduling::RoundRobin, "uplink_scheduler";
        /// The frame.
        nested frame: FrameConfig;
        /// PDUs.
        nested pdus: PduConfig;
        /// Requests.
        nested requests: RequestConfig;
    }
}

settings! {
    /// Division of a frame between the two directions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Split {
        /// The symbols of the downlink to those of the uplink, such as "3:1".
        ratio: Ratio = Ratio(1, 1), "ratio";
        /// How many symbols the downlink has, preamble included. It takes the place of `ratio`.
        downlink_symbols: Option<u32> as Maybe<u32> = None, "downlink_symbols";
    }
}

settings! {
    /// ARQ parameters of a connection.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ArqConfig {
        /// The size of a block, 16 B to 1024 B. Packets are divided only between blocks.
        block: u32 as Bytes = 64, "block", 16..=1024;
        /// How many blocks lie at most between the first that is missing and the last that may be sent.
        window: u32 = 1024, "window", 1..=1024;
        /// The time from the end of a block that was lost until it may be sent again.
        retry: Span = Span::millis(20), "retry";
        /// How long after its first block was sent a packet is given up. With "0 s" none is.
        lifetime: Span = Span::millis(500), "lifetime";
        /// Whether packets are handed up in order.
        in_order: bool = true, "in_order";
    }
}

settings! {
    /// PDU format: headers, fragmentation, packing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PduConfig {
        /// Whether PDUs end with a CRC.
        crc: bool = true, "crc";
        /// Whether a packet is divided where a burst ends.
        fragmentation: bool = true, "fragmentation";
        /// The size of the subheader of a part of a packet.
        fragment_header: u32 as Bytes = 1, "fragment_header", 1..=2;
        /// Whether a PDU carries several packets.
        packing: bool = false, "packing";
        /// Blocks are repeated where they are lost; every PDU then has a fragmentation subheader. Not with packing.
        internal arq: Option<ArqConfig> = None;
    }
}

settings! {
    /// Network entry of stations.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct EntryConfig {
        /// When the first station is switched on.
        start: Span = Span::ZERO, "start";
        /// The time from the switching on of one station to that of the next.
        apart: Span = Span::ZERO, "apart";
        /// The exponent of the first backoff window of ranging, which is 2 to this power, in opportunities.
        window_start: Option<u32> as Maybe<u32> = None => "that of requests", "backoff_start", Some(0)..=Some(15);
        /// The exponent of the largest backoff window of ranging, which is 2 to this power, in opportunities.
        window_end: Option<u32> as Maybe<u32> = None => "that of requests", "backoff_end", Some(0)..=Some(15);
        /// How long a station waits for the answer to its ranging request before it tries again (T3).
        timeout: Span = Span::millis(200), "t3", Span(1)..;
        /// How often a station tries again before it listens anew.
        retries: u32 = 16, "retries", 0..=1_000_000;
        /// The time from the answer to its ranging request until a station is in the network.
        registration: Option<Span> as Maybe<Span> = None => "four frames, in which capabilities and registration are requested and answered", "registration";
    }
}

settings! {
    /// Bandwidth request parameters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct RequestConfig {
        /// How many opportunities for bandwidth requests each frame has.
        opportunities: u32 = 5, "request_opportunities", 1..=1000;
        /// The exponent of the first backoff window of a request, which is 2 to this power, in opportunities.
        window_start: u32 = 3, "backoff_start", 0..=15;
        /// The exponent of the largest backoff window of a request, which is 2 to this power, in opportunities.
        window_end: u32 = 6, "backoff_end", 0..=15;
        /// The range from which the backoff of a request is drawn.
        draw: Draw = Draw::Exclusive, "backoff_draw";
        /// How long a station waits for a grant before it sends its request again (T16).
        timeout: Span = Span::millis(50), "t16", Span(1)..;
        /// How often a request is sent again before packets are dropped.
        retries: u32 = 16, "request_retries", 0..=1_000_000;
        /// Which packets are dropped when the last retry of a request has failed.
        give_up: GiveUp = GiveUp::Head, "give_up";
        /// When the size that a request asks for is fixed.
        sized: Sized = Sized::Sending, "request_size";
        /// What a request says.
        kind: Requests = Requests::Aggregate, "requests";
        /// Whether a burst of the uplink carries a request for what it leaves in the queue.
        piggyback: bool = false, "piggyback";
    }
}

settings! {
    /// A cell's frame.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct FrameConfig {
        /// Which byte belongs to the coder.
        tail: Tail = Tail::Burst, "tail_byte";
        /// The burst profile of the broadcast at the start of a frame, which holds the maps.
        broadcast: Mcs = Mcs::Bpsk12, "broadcast_modulation";
        /// How long the maps are.
        maps: Maps = Maps::Growing, "maps";
        /// How often the base station describes the channels (DCD and UCD).
        descriptors: Span = Span::secs(10), "descriptors";
        /// How many opportunities for ranging each frame has. They take room whether stations enter or not.
        ranging: u32 = 1, "ranging_opportunities", 0..=1000;
        /// How many symbols an opportunity takes.
        pricing: Pricing = Pricing::Slots, "opportunity_price";
        /// How many symbols of preamble precede each burst of the uplink.
        preamble: u32 = 1, "preamble", 0..=100;
        /// How many symbols of silence follow each burst.
        gap: u32 = 0, "burst_gap", 0..=100;
        /// Bandwidth, guard time and frame length.
        nested phy: Phy;
        /// Downlink and uplink.
        nested split: Split;
    }
}

/// A subscriber station.
#[derive(Clone, Debug)]
pub struct SubscriberConfig {
    /// The burst profile towards it.
    pub down: Mcs,
    /// The burst profile from it.
    pub up: Mcs,
    /// The base station's queue for it.
    pub down_queue: QueueConfig,
    /// Its own queue.
    pub up_queue: QueueConfig,
    /// Its share, where the scheduler has shares.
    pub weight: u32,
}
