//! The two sets of rules that others have: the standard's, in its simplest form, and those of the NIST module for ns-2.

use crate::config::{
    Draw, FrameConfig, GiveUp, Maps, PduConfig, Pricing, RequestConfig, Requests, Sized, Split,
};
use crate::phy::{Mcs, Phy, Tail};
use base::{Span, named};

named! {
    /// Source of a cell's rules.
    pub enum Preset, "set of rules" {
        Standard = "standard": "802.16-2004, and the simplest rule where it leaves a choice",
            ///
            /// Gaps instead of preambles, maps of a fixed size, contention at the data's modulation, batches dropped.
        Nist = "nist": "the NIST module for ns-2",
    }
}

impl Preset {
    /// The frame: 7 MHz, a prefix of 1/16, 5 ms, as much downlink as uplink, where nothing else is said.
    pub fn frame(self) -> FrameConfig {
        let phy = Phy { bandwidth: 7_000_000, prefix: 16, frame: Span::millis(5) };
        let standard = FrameConfig {
            phy,
            split: Split::Ratio(1, 1),
            tail: Tail::Burst,
            broadcast: Mcs::Bpsk12,
            maps: Maps::Growing,
            descriptors: Span::secs(10),
            ranging: 1,
            pricing: Pricing::Slots,
            preamble: 1,
            gap: 0,
        };
        match self {
            Preset::Standard => standard,
            Preset::Nist => FrameConfig {
                tail: Tail::Symbol,
                broadcast: Mcs::Qam16R12,
                maps: Maps::Fixed,
                descriptors: Span::secs(5),
                ranging: 5,
                pricing: Pricing::Data,
                preamble: 0,
                gap: 1,
                ..standard
            },
        }
    }

    /// PDUs: each with a CRC and one packet, which can be cut.
    pub fn pdus(self) -> PduConfig {
        match self {
            Preset::Standard => {
                PduConfig { crc: true, fragmentation: Some(1), packing: None, arq: None }
            }
            Preset::Nist => {
                PduConfig { crc: false, fragmentation: Some(2), packing: None, arq: None }
            }
        }
    }

    /// Requests: five opportunities in a frame.
    pub fn requests(self) -> RequestConfig {
        let standard = RequestConfig {
            opportunities: 5,
            window_start: 3,
            window_end: 6,
            draw: Draw::Exclusive,
            timeout: Span::millis(50),
            retries: 16,
            give_up: GiveUp::Head,
            sized: Sized::Sending,
            kind: Requests::Aggregate,
            piggyback: false,
        };
        match self {
            Preset::Standard => standard,
            Preset::Nist => RequestConfig {
                window_start: 2,
                draw: Draw::Inclusive,
                timeout: Span::millis(100),
                retries: 2,
                give_up: GiveUp::Covered,
                sized: Sized::Making,
                ..standard
            },
        }
    }
}
