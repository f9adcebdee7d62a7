//! What fresh shadowing makes of a frame that is alone where it is heard, by bounds of its mean power.
//!
//! Each frame has a normal number at each receiver, and reception by thresholds only asks whether its power is above a level. So
//! that number is compared with those at which the power crosses the level; the power itself is asked for where both may be. A
//! station that moves is within a small spot for a while, and bounds hold for as long.

use super::receiver::Levels;
use radio::noise::db_from_ratio;

/// In normal numbers, more than what rounding changes of a power that is worked out.
const SURELY: f64 = 1e-6;

/// What a frame does to a station where it is alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is not sensed.
    None,
    /// It is sensed and cannot be decoded.
    Sensed,
    /// It is decoded.
    Decoded,
}

impl Effect {
    /// The effect of a power, W.
    pub fn of(power_w: f64, levels: &Levels) -> Effect {
        match power_w >= levels.sense_w {
            false => Effect::None,
            true if power_w >= levels.receive_w => Effect::Decoded,
            true => Effect::Sensed,
        }
    }
}

/// The levels of power, dB, in standard deviations of shadowing.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    sense: f64,
    receive: f64,
    sigma_db: f64,
}

impl Scale {
    /// For shadowing with this deviation, which is not zero.
    pub fn new(levels: &Levels, sigma_db: f64) -> Scale {
        let of = |level_w| db_from_ratio(level_w) / sigma_db;
        Scale { sense: of(levels.sense_w), receive: of(levels.receive_w), sigma_db }
    }
}

/// The normal numbers that tell the effect of a frame between two stations.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The spots of both for which they hold.
    pub spots: (u32, u32),
    none_below: f64,
    sensed_from: f64,
    weak_below: f64,
    decoded_from: f64,
}

impl Reach {
    /// One that tells nothing.
    pub fn unknown(spots: (u32, u32)) -> Reach {
        Reach {
            spots,
            none_below: f64::NEG_INFINITY,
            sensed_from: f64::INFINITY,
            weak_below: f64::NEG_INFINITY,
            decoded_from: f64::INFINITY,
        }
    }

    /// For a mean power between these, W, while both stations are in these spots.
    pub fn new(scale: &Scale, (least_w, most_w): (f64, f64), spots: (u32, u32)) -> Reach {
        let least = db_from_ratio(least_w) / scale.sigma_db - SURELY;
        let most = db_from_ratio(most_w) / scale.sigma_db + SURELY;
        Reach {
            spots,
            none_below: scale.sense - most,
            sensed_from: scale.sense - least,
            weak_below: scale.receive - most,
            decoded_from: scale.receive.max(scale.sense) - least,
        }
    }

    /// The effect of a frame by its normal number, where that tells.
    #[inline]
    pub fn effect(&self, normal: f64) -> Option<Effect> {
        if normal >= self.decoded_from {
            Some(Effect::Decoded)
        } else if normal < self.none_below {
            Some(Effect::None)
        } else if normal >= self.sensed_from && normal < self.weak_below {
            Some(Effect::Sensed)
        } else {
            None
        }
    }
}
