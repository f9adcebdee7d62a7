//! The parameters of 802.16 that change a result, as plain values.

use crate::phy::{Mcs, Phy, Tail};
use base::{FlowId, Span, named};
use net::QueueConfig;

named! {
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

/// Division of a frame between the two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Downlink to uplink.
    Ratio(u32, u32),
    /// Symbols of the downlink, preamble included.
    Symbols(u32),
}

/// ARQ parameters of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArqConfig {
    /// Bytes of a block: packets are cut between blocks only.
    pub block: u32,
    /// Blocks from the first that is missing to the last that may be sent.
    pub window: u32,
    /// From the end of a block that was lost until it may be sent again.
    pub retry: Span,
    /// A packet is given up so long after its first block was sent; zero: never.
    pub lifetime: Span,
    /// Packets are handed up in order.
    pub in_order: bool,
}

/// PDU format: headers, fragmentation, packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PduConfig {
    /// A CRC of 4 bytes ends every PDU.
    pub crc: bool,
    /// Bytes of a fragmentation subheader; `None`: packets are never cut.
    pub fragmentation: Option<u32>,
    /// Bytes of a packing subheader; `None`: a PDU carries one packet.
    pub packing: Option<u32>,
    /// Blocks are repeated where they are lost; every PDU then has a fragmentation subheader. Not with packing.
    pub arq: Option<ArqConfig>,
}

/// Network entry of stations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryConfig {
    /// Time at which the first station is switched on.
    pub start: Span,
    /// From one station to the next.
    pub apart: Span,
    /// The first window of ranging's backoff is 2 to this power.
    pub window_start: u32,
    /// The largest is 2 to this power.
    pub window_end: u32,
    /// T3: how long a station waits for the answer to its ranging request.
    pub timeout: Span,
    /// Retries of a ranging request before the station listens again for the channel descriptors.
    pub retries: u32,
    /// From the answer to its ranging request until a station is in the network.
    pub registration: Span,
}

/// Bandwidth request parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestConfig {
    /// Opportunities in a frame.
    pub opportunities: u32,
    /// The first window is 2 to this power.
    pub window_start: u32,
    /// The largest window is 2 to this power.
    pub window_end: u32,
    /// The range of a draw.
    pub draw: Draw,
    /// T16: how long a station waits for a grant.
    pub timeout: Span,
    /// Retries of a request.
    pub retries: u32,
    /// Packets to drop after the last retry.
    pub give_up: GiveUp,
    /// Moment at which the size is fixed.
    pub sized: Sized,
    /// Meaning of the size: aggregate or incremental.
    pub kind: Requests,
    /// A burst carries a request for what it leaves.
    pub piggyback: bool,
}

/// A cell's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameConfig {
    /// Bandwidth, guard time and frame length.
    pub phy: Phy,
    /// Downlink and uplink.
    pub split: Split,
    /// Position of the tail byte.
    pub tail: Tail,
    /// The burst profile of the broadcast.
    pub broadcast: Mcs,
    /// Length rule of the maps.
    pub maps: Maps,
    /// Interval of DCD and UCD.
    pub descriptors: Span,
    /// Opportunities for ranging in a frame.
    pub ranging: u32,
    /// Cost of contention opportunities.
    pub pricing: Pricing,
    /// Symbols of preamble before a burst of the uplink.
    pub preamble: u32,
    /// Symbols of silence after a burst.
    pub gap: u32,
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
