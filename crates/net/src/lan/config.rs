//! Configuration of a shared LAN.

use crate::{LARGEST_PACKET, QueueConfig};
use base::{Bytes, Rate, Span, named, settings};

named! {
    /// Preset of a LAN's rules, for all that is not set explicitly.
    pub enum LanPreset, "set of rules" {
        Standard = "802.3": "the rules of IEEE 802.3, clause 4",
            ///
            /// Frames without preamble and check sequence; a collision frees the medium at once for everybody, and the backoff begins
            /// after the gap.
        Ns2 = "ns2": "the rules of ns-2's Mac/802_3",
    }

    /// Effect of a collision.
    pub enum Collisions, "kind of collision" {
        Jam = "jam": "a station that notices one completes its preamble, sends a jam and then backs off; others wait until all of it has passed them",
        Notice = "notice": "a jam and a gap after a station has noticed one, the medium counts as free for it and its backoff begins (ns-2)",
    }
}

settings! {
    /// Bytes that a frame adds to its network-layer packet.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Framing {
        /// The preamble and start delimiter before each frame.
        preamble: u32 as Bytes = 8, "preamble", 0..=LARGEST_PACKET;
        /// The addresses, type and check sequence of a frame.
        header: u32 as Bytes = 18, "header", 0..=LARGEST_PACKET;
        /// The shortest frame, header included. Shorter ones are padded.
        minimum: u32 as Bytes = 64, "minimum_frame", 0..=LARGEST_PACKET;
    }
}

settings! {
    /// Rules of a LAN. The defaults are IEEE 802.3's.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct LanSettings {
        /// The set of rules from which the defaults of other keys come.
        preset: LanPreset = LanPreset::Standard, "preset";
        /// The bit rate of the medium. A slot is 512 bit times, the gap between frames 96, and a jam 32.
        rate: Rate = Rate(10_000_000), "rate";
        /// The propagation delay between any two stations. A collision must be noticed within a slot, which limits
        /// it.
        delay: Span = Span::micros(1), "delay";
        /// The speed of signals on the bus, as a share of the speed of light.
        velocity: f64 = 0.77, "velocity", 0.01..=1.0;
        /// What happens after a collision.
        collisions: Collisions = Collisions::Jam, "collisions";
        /// A frame is given up after so many collisions.
        attempt_limit: u32 = 16, "attempt_limit", 1..=1000;
        /// The window of a backoff doubles with each collision, up to 2 to this power.
        backoff_limit: u32 = 10, "backoff_limit", 0..=20;
        /// Bytes of frames.
        nested framing: Framing;
    }
}

/// Propagation delay between stations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The same delay between any two.
    Alike(Span),
    /// By station: its place on the bus, as the time from the bus's end.
    Bus(Vec<Span>),
}

/// Configuration of a LAN.
#[derive(Clone, Debug, PartialEq)]
pub struct LanConfig {
    /// Bits per second.
    pub rate: Rate,
    /// Number of stations.
    pub stations: usize,
    /// From station to station.
    pub reach: Reach,
    /// Bytes that frames add to packets.
    pub framing: Framing,
    /// Effect of a collision.
    pub collisions: Collisions,
    /// Number of collisions after which a frame is given up.
    pub attempt_limit: u32,
    /// The window of a backoff is at most 2 to this power.
    pub backoff_limit: u32,
    /// The queue of each station.
    pub queue: QueueConfig,
}

/// The interframe gap, bits (IEEE 802.3, 4.4.2).
const GAP_BITS: u64 = 96;
/// The slot, up to 100 Mbit/s, bits.
const SLOT_BITS: u64 = 512;
/// Jam signal after a collision, bits.
const JAM_BITS: u64 = 32;

/// Durations on a LAN.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub gap: Span,
    pub slot: Span,
    pub jam: Span,
    pub preamble: Span,
    /// Time before the end of a gap from which a new transmission no longer stops the station that waits for that end.
    pub deaf: Span,
    /// The longest way between two stations.
    pub widest: Span,
}

impl Framing {
    /// Size of the frame of a packet of `bytes` bytes, without its preamble.
    pub fn frame(self, bytes: u32) -> u32 {
        self.minimum.max(bytes + self.header)
    }
}

impl Reach {
    /// From one station to another.
    #[inline]
    pub fn between(&self, a: usize, b: usize) -> Span {
        match self {
            Reach::Alike(_) if a == b => Span::ZERO,
            Reach::Alike(delay) => *delay,
            Reach::Bus(places) => Span(places[a].0.abs_diff(places[b].0)),
        }
    }

    /// The longest way there is.
    pub fn widest(&self) -> Span {
        match self {
            Reach::Alike(delay) => *delay,
            Reach::Bus(places) => {
                let (first, last) = (places.iter().min(), places.iter().max());
                first.zip(last).map_or(Span::ZERO, |(first, last)| *last - *first)
            }
        }
    }
}

impl LanConfig {
    /// Returns the configuration by these rules.
    pub fn of(
        rules: &LanSettings,
        (stations, reach): (usize, Reach),
        queue: QueueConfig,
    ) -> LanConfig {
        let &LanSettings { rate, framing, collisions, attempt_limit, backoff_limit, .. } = rules;
        LanConfig {
            rate,
            stations,
            reach,
            framing,
            collisions,
            attempt_limit,
            backoff_limit,
            queue,
        }
    }

    /// The longest way between two stations on which each notices a collision while it sends its shortest frame: a slot is
    /// the way there and back and a jam (4.4.2).
    pub fn longest_way(rate: Rate) -> Span {
        Span(rate.time_for_bits(SLOT_BITS - JAM_BITS).0 / 2)
    }

    pub(super) fn timing(&self) -> Timing {
        let bits = |bits| self.rate.time_for_bits(bits);
        Timing {
            gap: bits(GAP_BITS),
            slot: bits(SLOT_BITS),
            jam: bits(JAM_BITS),
            preamble: bits(8 * u64::from(self.framing.preamble)),
            deaf: match self.collisions {
                // The last third of the gap (4.2.3.2.1).
                Collisions::Jam => bits(GAP_BITS / 3),
                Collisions::Notice => bits(GAP_BITS),
            },
            widest: self.reach.widest(),
        }
    }

    /// Time for which a packet of `bytes` bytes is on the medium.
    pub fn airtime(&self, bytes: u32) -> Span {
        let frame = self.framing.preamble + self.framing.frame(bytes);
        self.rate.time_for_bits(8 * u64::from(frame))
    }
}
