//! A frame's layout (802.16-2004, 8.3.5): how many symbols go to preamble, broadcast, contention and data. Pure functions.

use crate::config::{FrameConfig, Maps, Pricing, RequestConfig, Split};
use crate::kinds::Ratio;
use crate::phy::{Coding, Mcs, Tail};

/// Symbols of the long preamble and of the FCH.
const PREAMBLE: u32 = 3;
/// DCD and UCD with seven burst profiles each: headers, each TLV of the channel once, each profile, CRC.
const DESCRIPTORS: u64 = (6 + 3 + 36 + 7 * 12 + 4) + (6 + 6 + 17 + 7 * 6 + 4);
/// The NIST module's maps.
const FIXED_MAPS: u64 = 236;
/// Elements in an array of the NIST module's maps: of the uplink's, two regions and the end; of the downlink's, broadcast and end.
const FIXED_UP: u32 = 7;
const FIXED_DOWN: u32 = 8;
/// A bandwidth request, and RNG-REQ with header, TLVs and CRC: bits.
const REQUEST_BITS: u64 = 48;
const RANGING_BITS: u64 = 152;

/// Frame layout: the part that is the same in every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    config: FrameConfig,
    /// The most robust burst profile of the uplink.
    data: Mcs,
    /// Symbols in a frame.
    pub symbols: u32,
    /// Downlink symbols among these.
    pub down: u32,
    /// Symbols of ranging, before the requests' region.
    pub ranging: u32,
    /// Symbols of both regions together.
    pub contention: u32,
    /// Frames from one DCD and UCD to the next.
    pub descriptors_every: u64,
}

impl Layout {
    /// Computes the layout of a cell; `data` is the most robust burst profile of its uplink.
    pub fn new(config: &FrameConfig, requests: &RequestConfig, data: Mcs) -> Layout {
        let symbols = config.phy.symbols();
        let Split { ratio: Ratio(down, up), downlink_symbols } = config.split;
        let share = u64::from(symbols) * u64::from(down) / u64::from(down + up);
        let down = downlink_symbols.unwrap_or(u32::try_from(share).unwrap_or(u32::MAX));
        let down = down.min(symbols);
        let (ranging, contention) = regions(config, requests.opportunities, data);
        let frame = config.phy.frame.0.max(1);
        let descriptors_every = ((config.descriptors.0 + frame / 2) / frame).max(1);
        Layout { config: *config, data, symbols, down, ranging, contention, descriptors_every }
    }

    /// Symbols of the uplink.
    pub fn up(&self) -> u32 {
        self.symbols - self.down
    }

    /// Symbols from the start of a frame to its first burst of data.
    pub fn broadcast(&self, frame: u64, down_bursts: u32, up_bursts: u32) -> u32 {
        PREAMBLE + self.broadcast_symbols(self.describes(frame), down_bursts, up_bursts)
    }

    /// True where a frame describes the channels (DCD and UCD).
    pub fn describes(&self, frame: u64) -> bool {
        frame % self.descriptors_every == 0
    }

    /// The same, without DCD and UCD.
    pub fn plain_broadcast(&self, down_bursts: u32, up_bursts: u32) -> u32 {
        PREAMBLE + self.broadcast_symbols(false, down_bursts, up_bursts)
    }

    fn broadcast_symbols(&self, has_descriptors: bool, down_bursts: u32, up_bursts: u32) -> u32 {
        let maps = match self.config.maps {
            Maps::Fixed => FIXED_MAPS,
            Maps::Growing => self.growing_maps(down_bursts, up_bursts),
        };
        let bytes = maps + if has_descriptors { DESCRIPTORS } else { 0 };
        let coding = Coding { mcs: self.config.broadcast, tail: self.config.tail };
        coding.symbols(bytes) + self.config.gap
    }

    /// Generic header, fixed part, an element for each burst and one for the end, CRC (6.3.2.3.2, 6.3.2.3.4).
    fn growing_maps(&self, down_bursts: u32, up_bursts: u32) -> u64 {
        let regions = u64::from(self.ranging > 0) + u64::from(self.contention > self.ranging);
        let down_map = 6 + 8 + 4 * (u64::from(down_bursts) + 1) + 4;
        let up_map = 6 + 7 + 6 * (u64::from(up_bursts) + regions + 1) + 4;
        down_map + up_map
    }

    /// Returns true if the maps have room for this many bursts of data.
    pub fn has_elements(&self, down_bursts: u32, up_bursts: u32) -> bool {
        match self.config.maps {
            Maps::Growing => true,
            Maps::Fixed => down_bursts <= FIXED_DOWN && up_bursts <= FIXED_UP,
        }
    }

    /// Symbols of an uplink burst of `bytes` bytes, preamble included.
    pub fn up_burst(&self, coding: Coding, bytes: u64) -> u32 {
        self.config.preamble.saturating_add(coding.symbols(bytes))
    }

    /// Symbols of the long preamble and of the FCH.
    pub fn head(&self) -> u32 {
        PREAMBLE
    }

    /// Symbols of silence at the end of a region of contention.
    pub fn region_gap(&self) -> u32 {
        if self.config.pricing == Pricing::Data { self.config.gap } else { 0 }
    }

    /// Symbols of silence after a burst.
    pub fn gap(&self) -> u32 {
        self.config.gap
    }

    /// Symbols of preamble before a burst of the uplink.
    pub fn preamble(&self) -> u32 {
        self.config.preamble
    }

    /// Symbols left for the data of the given numbers of bursts: downlink and uplink.
    pub fn data(&self, down_bursts: u32, up_bursts: u32) -> (u32, u32) {
        let gaps = |bursts: u32| self.config.gap * bursts.saturating_sub(1);
        let broadcast = self.plain_broadcast(down_bursts, up_bursts);
        let down = self.down.saturating_sub(broadcast + gaps(down_bursts));
        let around = self.config.preamble * up_bursts + gaps(up_bursts);
        (down, self.up().saturating_sub(self.contention + around))
    }

    /// Checks that a PDU of `least` bytes fits in both directions.
    ///
    /// # Errors
    /// Returns the direction with too few symbols.
    pub fn check(&self, least: u64) -> Result<(), Infeasible> {
        let coding = Coding { mcs: self.data, tail: self.config.tail };
        let needed = self.contention.saturating_add(self.up_burst(coding, least));
        if self.up() < needed {
            let contention = self.contention;
            return Err(Infeasible::Uplink { symbols: self.up(), contention, needed });
        }
        let needed = self.plain_broadcast(1, 0) + 1;
        if self.down < needed {
            return Err(Infeasible::Downlink { symbols: self.down, needed });
        }
        Ok(())
    }
}

/// Why a frame has no room for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infeasible {
    /// Behind contention no burst fits.
    Uplink {
        /// The uplink's symbols.
        symbols: u32,
        /// Contention symbols among these.
        contention: u32,
        /// Symbols needed.
        needed: u32,
    },
    /// Behind preamble and broadcast no burst fits.
    Downlink {
        /// The downlink's symbols.
        symbols: u32,
        /// Symbols needed.
        needed: u32,
    },
}

/// Symbols of the ranging region, and of both.
fn regions(config: &FrameConfig, requests: u32, data: Mcs) -> (u32, u32) {
    match config.pricing {
        Pricing::Slots => (4 * config.ranging, 4 * config.ranging + 2 * requests),
        Pricing::Data => {
            let bits = match config.tail {
                Tail::Burst => u64::from(data.bytes()) * 8,
                Tail::Symbol => u64::from(data.bytes() - 1) * 8,
            };
            let region = |count: u32, preamble: u64, needed: u64| {
                let symbols = (u64::from(count) * (preamble * bits + needed)).div_ceil(bits);
                if count == 0 { 0 } else { symbols as u32 + config.gap }
            };
            let ranging = region(config.ranging, 2, RANGING_BITS);
            (ranging, ranging + region(requests, 1, REQUEST_BITS))
        }
    }
}
