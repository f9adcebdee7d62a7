//! Configuration of a shared LAN.

use crate::{BurstConfig, LARGEST_PACKET, QueueConfig};
use base::{Bytes, Rate, Span, named, settings};

named! {
    /// Preset of a LAN's rules, for all that is not set explicitly.
    pub enum LanPreset, "set of rules" {
        Standard = "802.3": "the rules of IEEE 802.3, clause 4",
            ///
            /// Frames without preamble and check sequence; a collision frees the medium at once for everybody, and the backoff begins
            /// after the gap.
        Ns2 = "ns2": "the rules of ns-2's Mac/802_3",
            ///
            /// ns-2 before its release 2.1b5 of March 1999, with the settings that its sources call WaveLAN's.
        Ns2CsmaCa = "ns2-csma-ca": "the rules of ns-2's Mac/Csma/Ca",
    }

    /// The way to the medium.
    pub enum Access, "access method" {
        CsmaCd = "csma-cd": "a station that hears another while it sends stops, and sends the frame again after a backoff (IEEE 802.3)",
        CsmaCa = "csma-ca": "a station backs off where it finds the medium taken, never stops a frame, and pauses after each (ns-2)",
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
    /// Intervals and windows of CSMA/CA. The defaults are those of ns-2.1b4's Mac/Csma.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AvoidanceRules {
        /// The time for which the medium must have been free before a station with CSMA/CA begins.
        ifs: Span = Span::micros(16), "ifs";
        /// The unit of a backoff of CSMA/CA.
        slot: Span = Span::micros(16), "slot";
        /// The window of a first backoff of CSMA/CA, which draws 0 to this less one slots. After each of its frames a
        /// station also pauses for as many slots as the window has.
        cw_min: u32 = 16, "cw_min", 1..=1 << 20;
        /// The largest window of a backoff of CSMA/CA. It doubles each time that a frame finds the medium taken.
        cw_max: u32 = 1024, "cw_max", 1..=1 << 20;
    }
}

settings! {
    /// Rules of a LAN. The defaults are IEEE 802.3's.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct LanSettings {
        /// The set of rules from which the defaults of other keys come.
        preset: LanPreset = LanPreset::Standard, "preset";
        /// How stations come to the medium.
        access: Access = Access::CsmaCd, "access";
        /// The bit rate of the medium. A slot is 512 bit times, the gap between frames 96, and a jam 32.
        rate: Rate = Rate(10_000_000), "rate";
        /// The propagation delay between any two stations. With CSMA/CD a collision must be noticed within a slot,
        /// which limits it. With CSMA/CA all that begin within it collide.
        delay: Span = Span::micros(1), "delay";
        /// The speed of signals on the bus, as a share of the speed of light.
        velocity: f64 = 0.77, "velocity", 0.01..=1.0;
        /// What happens after a collision with CSMA/CD.
        collisions: Collisions = Collisions::Jam, "collisions";
        /// A frame is given up after this number of attempts that collided (CSMA/CD) or found the medium taken (CSMA/CA).
        attempt_limit: u32 = 16, "attempt_limit", 1..=1000;
        /// The window of a backoff of CSMA/CD doubles with each collision, up to 2 to this power.
        backoff_limit: u32 = 10, "backoff_limit", 0..=20;
        /// Bytes of frames.
        nested framing: Framing;
        /// Intervals and windows of CSMA/CA.
        nested avoidance: AvoidanceRules;
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
    /// Its rules.
    pub rules: LanSettings,
    /// Number of stations.
    pub stations: usize,
    /// From station to station.
    pub reach: Reach,
    /// The queue of each station.
    pub queue: QueueConfig,
    /// Losses in bursts, which all stations share.
    pub bursts: Option<BurstConfig>,
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
    /// The longest way between two stations on which each notices a collision while it sends its shortest frame: a slot is
    /// the way there and back and a jam (4.4.2).
    pub fn longest_way(rate: Rate) -> Span {
        Span(rate.time_for_bits(SLOT_BITS - JAM_BITS).0 / 2)
    }

    pub(super) fn timing(&self) -> Timing {
        let bits = |bits| self.rules.rate.time_for_bits(bits);
        Timing {
            gap: bits(GAP_BITS),
            slot: bits(SLOT_BITS),
            jam: bits(JAM_BITS),
            preamble: bits(8 * u64::from(self.rules.framing.preamble)),
            deaf: match self.rules.collisions {
                // The last third of the gap (4.2.3.2.1).
                Collisions::Jam => bits(GAP_BITS / 3),
                Collisions::Notice => bits(GAP_BITS),
            },
            widest: self.reach.widest(),
        }
    }

    /// Time for which a packet of `bytes` bytes is on the medium.
    pub fn airtime(&self, bytes: u32) -> Span {
        let frame = self.rules.framing.preamble + self.rules.framing.frame(bytes);
        self.rules.rate.time_for_bits(8 * u64::from(frame))
    }
}
