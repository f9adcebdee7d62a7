//! The parameters of 802.16 that change a result, as plain values.

use crate::phy::{Mcs, Phy, Tail};
use base::{FlowId, Span, named};
use net::QueueConfig;

named! {
    /// How long the maps are.
    pub enum Maps, "rule for the maps" {
        Growing = "growing": "an element for each burst (the standard)",
            ///
            /// 236 bytes in all; the uplink's map has room for 7 bursts of data, the downlink's for 8.
        Fixed = "fixed": "arrays of ten elements, whatever they hold (the NIST module)",
    }
    /// What an opportunity to contend costs.
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
    /// What is dropped when a request has been tried as often as it may.
    pub enum GiveUp, "rule for giving up" {
        Head = "head": "the packet at the head of the queue",
        Covered = "covered": "every packet that the request was for (the NIST module)",
    }
    /// When a request's size is fixed.
    pub enum Sized, "moment of a request's size" {
        Sending = "sending": "when it is sent",
        Making = "making": "when its contention begins; it is then sent again unchanged (the NIST module)",
    }
    /// What the base station makes of a request.
    pub enum Requests, "kind of bandwidth request" {
        Aggregate = "aggregate": "all that the connection needs, which replaces earlier requests",
        Incremental = "incremental": "what the connection needs beyond earlier requests",
    }
    /// What the errors of a channel hit.
    pub enum Lossy, "direction of losses" {
        Both = "both": "bursts of both directions",
        Downlink = "downlink": "bursts of the downlink only",
        Uplink = "uplink": "bursts of the uplink only",
    }
}

named! {
    /// Who is served first among stations.
    pub enum Scheduling, "scheduler" {
        RoundRobin = "round_robin": "stations take turns; each gets all that it asked for, or what is left of the frame",
        Weighted = "weighted": "each waiting station gets symbols of every frame in proportion to its weight; what is left is given in turn",
        Deficit = "deficit": "stations take turns; each gets bytes in proportion to its weight and keeps what it could not use for its next turn",
    }
    /// How a service flow gets its bandwidth in the uplink. Who stands first is served first, in both directions.
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
    /// How it gets bandwidth.
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
    /// What carries all that no other does.
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

/// How a frame is divided between both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Downlink to uplink.
    Ratio(u32, u32),
    /// So many symbols for the downlink, preamble included.
    Symbols(u32),
}

/// How a connection repeats.
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

/// What a PDU is made of.
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

/// How stations come into the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryConfig {
    /// When the first station is switched on.
    pub start: Span,
    /// From one station to the next.
    pub apart: Span,
    /// The first window of ranging's backoff is 2 to this power.
    pub window_start: u32,
    /// The largest is 2 to this power.
    pub window_end: u32,
    /// T3: how long a station waits for the answer to its ranging request.
    pub timeout: Span,
    /// How often a ranging request is sent again before the station listens anew.
    pub retries: u32,
    /// From the answer to its ranging request until a station is in the network.
    pub registration: Span,
}

/// How stations ask for bandwidth.
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
    /// How often a request is sent again.
    pub retries: u32,
    /// What goes after that.
    pub give_up: GiveUp,
    /// When its size is fixed.
    pub sized: Sized,
    /// What it means.
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
    /// Where the tail byte is.
    pub tail: Tail,
    /// The burst profile of the broadcast.
    pub broadcast: Mcs,
    /// How long the maps are.
    pub maps: Maps,
    /// How often DCD and UCD are sent.
    pub descriptors: Span,
    /// Opportunities for ranging in a frame.
    pub ranging: u32,
    /// What opportunities cost.
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
