//! Conditions for decoding a frame: thresholds of power, or signal to interference and noise.

use super::frame::Slot;
use super::hazards::{CERTAIN, Hazards};
use crate::exchange::Frame;
use base::{Keyed, StationId, Time};
use radio::noise::sinr;
use radio::{ErrorModel, Modulation, Thresholds};

/// Reception model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reception {
    /// As in ns-2 (`mac/wireless-phy.cc`, `mac/mac-802_11.cc`): a frame is decoded if it is strong enough when it begins,
    /// no other was heard before, and all that come later are weaker by the capture ratio.
    Thresholds(Thresholds),
    /// Bit by bit.
    Sinr(SinrConfig),
}

/// Reception by signal over interference and noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinrConfig {
    /// From here on the start of a frame is noticed, and the frame followed to its end, W.
    pub detect_w: f64,
    /// From here on the medium is felt to be taken by a frame, W.
    pub sense_w: f64,
    /// Thermal noise and the receiver's own ([`radio::noise::noise_w`]), W.
    pub noise_w: f64,
    /// Bit errors by ratio.
    pub model: ErrorModel,
    /// Ratio of powers at which a frame captures the receiver from one that is still in its preamble. `None`: never.
    pub capture_ratio: Option<f64>,
}

impl Reception {
    /// From here on a station holds the medium for taken, W.
    pub fn sense_w(&self) -> f64 {
        match self {
            Reception::Thresholds(thresholds) => thresholds.sense_w,
            Reception::Sinr(config) => config.sense_w,
        }
    }

    /// From here on a frame can be decoded, W.
    pub fn receive_w(&self) -> f64 {
        match self {
            Reception::Thresholds(thresholds) => thresholds.receive_w,
            Reception::Sinr(config) => config.detect_w,
        }
    }

    /// The same with levels that powers between resting stations reach if they did before these were kept as singles
    /// ([`super::links::Links`]): a station may stand right where a frame can just be decoded.
    pub fn for_singles(self) -> Reception {
        match self {
            Reception::Thresholds(Thresholds { receive_w, sense_w, capture_ratio }) => {
                let (receive_w, sense_w) = (single_below(receive_w), single_below(sense_w));
                Reception::Thresholds(Thresholds { receive_w, sense_w, capture_ratio })
            }
            Reception::Sinr(config) => Reception::Sinr(SinrConfig {
                detect_w: single_below(config.detect_w),
                sense_w: single_below(config.sense_w),
                ..config
            }),
        }
    }

    /// How bits are lost, where that goes one by one.
    pub fn error_model(&self) -> Option<ErrorModel> {
        match self {
            Reception::Thresholds(_) => None,
            Reception::Sinr(config) => Some(config.model),
        }
    }

    /// Power below this changes nothing, W: unnoticed, and a thousandth of the noise.
    pub fn floor_w(&self) -> f64 {
        match self {
            Reception::Thresholds(thresholds) => thresholds.sense_w,
            Reception::Sinr(config) => config.sense_w.min(config.noise_w * 1e-3),
        }
    }
}

/// The largest single that is no larger than a number which is not negative.
fn single_below(number: f64) -> f64 {
    let nearest = (number as f32).to_bits();
    let is_above = f64::from(number as f32) > number;
    f64::from(f32::from_bits(nearest - u32::from(is_above)))
}

/// Levels of power at a station, for fast checks.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    /// [`Reception::floor_w`].
    pub floor_w: f64,
    /// [`Reception::sense_w`].
    pub sense_w: f64,
    /// From here on a station that listens to nothing follows a frame that it senses, to be decoded or not, W.
    pub follow_w: f64,
    /// [`Reception::receive_w`].
    pub receive_w: f64,
    /// True where bits are lost one by one.
    pub bit_by_bit: bool,
}

impl Levels {
    /// Those of a kind of reception.
    pub fn new(reception: &Reception) -> Levels {
        Levels {
            floor_w: reception.floor_w(),
            sense_w: reception.sense_w(),
            follow_w: match reception {
                Reception::Thresholds(thresholds) => thresholds.sense_w,
                Reception::Sinr(config) => config.detect_w,
            },
            receive_w: reception.receive_w(),
            bit_by_bit: matches!(reception, Reception::Sinr(_)),
        }
    }

    /// True where a station that notices nothing else senses a frame of this power and follows it.
    #[inline(always)] // for all whom a frame reaches
    pub fn are_followed(&self, power_w: f64) -> bool {
        power_w >= self.follow_w && power_w >= self.sense_w
    }
}

/// State of a station's reception of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    /// The frame's power here, W.
    pub power_w: f64,
    /// Start.
    pub start: Time,
    /// End of preamble and header.
    pub preamble_ends: Time,
    /// True where thresholds say that it cannot be decoded.
    pub spoiled: bool,
    /// True where it was beyond help when it began: weak, or amid others.
    pub hopeless: bool,
}

impl Hold {
    /// Begins the reception of a frame at `start`, the first that a station listens to, with or without others on the air.
    #[inline]
    pub fn first(
        (start, preamble_ends): (Time, Time),
        power_w: f64,
        (levels, others): (&Levels, bool),
    ) -> Hold {
        let weak = power_w < levels.receive_w;
        // By thresholds a frame that begins amid others is lost however weak these are (ns-2).
        let hopeless = weak || (others && !levels.bit_by_bit);
        Hold { power_w, start, preamble_ends, spoiled: hopeless, hopeless }
    }

    /// Another frame begins meanwhile at `now`, with `power_w`.
    #[inline]
    pub fn meet(&self, now: Time, power_w: f64, reception: &Reception) -> Meeting {
        let stronger = self.start == now && power_w > self.power_w;
        match reception {
            Reception::Thresholds(thresholds) => Meeting {
                spoils: !stronger && !thresholds.captures(self.power_w, power_w),
                takes_over: stronger,
                alone: thresholds.captures(power_w, self.power_w) && !self.hopeless,
            },
            Reception::Sinr(config) => {
                let is_captured = config.capture_ratio.is_some_and(|ratio| {
                    now < self.preamble_ends
                        && power_w >= self.power_w * ratio
                        && power_w >= config.detect_w
                });
                Meeting { spoils: false, takes_over: stronger || is_captured, alone: true }
            }
        }
    }

    /// Begins the reception of a frame that captures the receiver from this one.
    #[inline]
    pub fn after(&self, (start, preamble_ends): (Time, Time), power_w: f64, alone: bool) -> Hold {
        Hold { power_w, start, preamble_ends, spoiled: !alone, hopeless: self.hopeless }
    }
}

/// Result of a frame that begins while a station receives another.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// Thresholds say that the other cannot be decoded any more.
    pub spoils: bool,
    /// The station listens to it instead.
    pub takes_over: bool,
    /// True if it can be decoded then.
    pub alone: bool,
}

/// The frame that a station listens to.
#[derive(Clone, Copy, Debug)]
pub struct Lock {
    /// Slot of the frame.
    pub slot: Slot,
    /// True where it addresses the station.
    pub for_me: bool,
    /// State of its reception.
    pub hold: Hold,
    /// Hazard of its bits so far.
    hazard: f64,
    /// Hazard without interference.
    clean: f64,
    /// Up to when they count.
    counted: Time,
}

impl Lock {
    /// A frame that begins to reach the station `at`.
    pub fn new((slot, frame): (Slot, &Frame), at: StationId, hold: Hold) -> Lock {
        let for_me = frame.to == at;
        Lock { slot, for_me, hold, hazard: 0.0, clean: 0.0, counted: frame.start }
    }

    /// Up to when its time has been counted.
    pub fn counted_up_to(&self) -> Time {
        self.counted
    }

    /// Up to when its time has been counted; from here on it counts up to `now`.
    pub fn count_time(&mut self, now: Time) -> Time {
        std::mem::replace(&mut self.counted, now)
    }

    /// True where there are bits to count before `now`.
    pub fn is_behind(&self, now: Time) -> bool {
        self.counted < now
    }

    /// Counts the hazard of the frame's bits up to `now`, under the interference that there was, W.
    #[inline]
    pub fn count(
        &mut self,
        now: Time,
        (frame, interference_w): (&Frame, impl FnOnce() -> f64),
        (config, hazards, modulation): (&SinrConfig, &mut Hazards, Modulation),
    ) {
        let bits_from = frame.start + frame.plcp;
        let (from, until) = (self.counted.max(bits_from), now.max(bits_from));
        self.counted = now;
        let body = frame.end().since(bits_from);
        if until <= from || body.0 == 0 {
            return;
        }
        let interference_w = interference_w();
        let clean = hazards.of_bit(modulation, sinr(self.hold.power_w, 0.0, config.noise_w));
        // Most frames are alone where they are heard: one look at the table is enough for these.
        let noisy = if interference_w > 0.0 {
            hazards.of_bit(modulation, sinr(self.hold.power_w, interference_w, config.noise_w))
        } else {
            clean
        };
        if noisy > 0.0 {
            let bits = frame.sent_bits as f64 * until.since(from).0 as f64 / body.0 as f64;
            self.hazard += bits * noisy;
            self.clean += bits * clean;
        }
    }

    /// True where so much hazard has been counted that it makes no difference how much more there is.
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.hazard > CERTAIN
    }

    /// Fate of the frame when it ends, by an error budget drawn from its start.
    #[inline]
    pub fn fate(&self, errors: Keyed, frame: &Frame) -> Fate {
        if self.hold.spoiled {
            return Fate::Interference;
        }
        fate_of((self.hazard, self.clean), errors, frame.start)
    }
}

/// Fate of bits with such a hazard, and one without interference, by the budget that is drawn for an instant.
#[inline]
pub fn fate_of((hazard, clean): (f64, f64), errors: Keyed, instant: Time) -> Fate {
    if hazard == 0.0 {
        return Fate::Decoded;
    }
    // -ln(1 - u) is not below u: where the hazard is, the logarithm cannot matter.
    if hazard < errors.unit(instant.0) * (1.0 - 1e-9) {
        return Fate::Decoded;
    }
    let budget = errors.exp1(instant.0);
    match (hazard >= budget, clean >= budget) {
        (false, _) => Fate::Decoded,
        (true, true) => Fate::Noise,
        (true, false) => Fate::Interference,
    }
}

/// Fate of a reception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// All is understood.
    Decoded,
    /// Lost, and would have been without anybody else on the air.
    Noise,
    /// Lost to others on the air, or never strong enough.
    Interference,
}
