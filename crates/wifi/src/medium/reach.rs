//! What fresh shadowing makes of a frame that is alone where it is heard, by bounds of its mean power.
//!
//! Each frame has a normal number at each receiver, and reception by thresholds only asks whether its power is above a level. So
//! that number is compared with those at which the power crosses the level; the power itself is asked for where both may be. A
//! station that moves is within a small spot for a while, and bounds hold for as long.

use super::bits;
use super::places::{Places, Spot};
use super::receiver::Levels;
use base::{StationId, Time};
use radio::noise::db_from_ratio;
use radio::propagation::{FreshNumbers, PathLoss};

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

/// The stations at which a frame is heard, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hearers {
    /// Where it is sensed.
    pub sensed: u64,
    /// Where it is decoded.
    pub decoded: u64,
}

impl Hearers {
    /// Notes the effect of the frame at a station.
    #[inline]
    pub fn note(&mut self, bit: u64, effect: Effect) {
        self.sensed |= if effect == Effect::None { 0 } else { bit };
        self.decoded |= if effect == Effect::Decoded { bit } else { 0 };
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

/// Between which numbers the effect of a frame between two stations is known.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    none_below: f64,
    sensed_from: f64,
    weak_below: f64,
    decoded_from: f64,
}

impl Bounds {
    /// Nothing is known.
    const NONE: Bounds = Bounds {
        none_below: f64::NEG_INFINITY,
        sensed_from: f64::INFINITY,
        weak_below: f64::NEG_INFINITY,
        decoded_from: f64::INFINITY,
    };

    /// For a mean power between these, W.
    fn new(scale: &Scale, (least_w, most_w): (f64, f64)) -> Bounds {
        let least = db_from_ratio(least_w) / scale.sigma_db - SURELY;
        let most = db_from_ratio(most_w) / scale.sigma_db + SURELY;
        Bounds {
            none_below: scale.sense - most,
            sensed_from: scale.sense - least,
            weak_below: scale.receive - most,
            decoded_from: scale.receive.max(scale.sense) - least,
        }
    }

    /// Between two spots.
    fn between(scale: &Scale, a: &Spot, b: &Spot, transmit_w: f64, path_loss: &PathLoss) -> Bounds {
        if !a.is_present || !b.is_present {
            return Bounds::new(scale, (0.0, 0.0));
        }
        let gains = path_loss.gains(a.centre, b.centre, a.radius_m + b.radius_m);
        gains.map_or(Bounds::NONE, |(least, most)| {
            Bounds::new(scale, (transmit_w * least, transmit_w * most))
        })
    }
}

/// What the numbers of one path tell.
#[derive(Clone, Copy, Debug)]
struct Reach {
    numbers: FreshNumbers,
    bounds: Bounds,
    /// The spots of both stations for which these hold.
    spots: (u32, u32),
}

/// What the numbers of all paths tell: by sender and receiver, row after row.
#[derive(Clone, Debug)]
pub struct Reaches {
    scale: Scale,
    stations: usize,
    of: Vec<Reach>,
    /// By sender: the changes of spots that its row knows of.
    located: Vec<u32>,
}

impl Reaches {
    /// For paths with these numbers and, where all rest, this mean power, W; without it nothing is known before
    /// [`Reaches::locate`].
    pub fn new(
        scale: Scale,
        stations: usize,
        paths: impl Iterator<Item = (FreshNumbers, Option<f64>)>,
    ) -> Reaches {
        let of = paths.map(|(numbers, mean_w)| {
            let bounds = mean_w.map(|power_w| Bounds::new(&scale, (power_w, power_w)));
            Reach { numbers, bounds: bounds.unwrap_or(Bounds::NONE), spots: (0, 0) }
        });
        let of = of.collect();
        Reaches { scale, stations, of, located: vec![0; stations] }
    }

    /// Lets what is known of frames of `from` be that of where stations are, as of the last [`Places::locate`]; `way`: what all
    /// transmit at, W, and the mean loss.
    #[inline]
    pub fn locate(
        &mut self,
        from: StationId,
        places: &Places,
        transmit_w: f64,
        path_loss: &PathLoss,
    ) {
        if self.located[from.index()] != places.changes() {
            self.locate_anew(from, places, transmit_w, path_loss);
        }
    }

    #[cold]
    fn locate_anew(
        &mut self,
        from: StationId,
        places: &Places,
        transmit_w: f64,
        path_loss: &PathLoss,
    ) {
        self.located[from.index()] = places.changes();
        let a = places.spot(from.index());
        let row = &mut self.of[from.index() * self.stations..][..self.stations];
        for (to, reach) in row.iter_mut().enumerate() {
            let b = places.spot(to);
            if reach.spots != (a.version, b.version) {
                reach.spots = (a.version, b.version);
                reach.bounds = Bounds::between(&self.scale, a, b, transmit_w, path_loss);
            }
        }
    }

    /// Where a frame that `from` begins at `now` is heard, among these stations, which a word holds; and those of which that is not
    /// known, as bits.
    #[inline]
    pub fn hearers(&self, from: StationId, among: u64, now: Time) -> (Hearers, u64) {
        let row = &self.of[from.index() * self.stations..][..self.stations];
        let (mut hearers, mut open) = (Hearers::default(), 0);
        for to in bits::stations(0, among) {
            let Reach { numbers, bounds, .. } = &row[to.index()];
            let number = numbers.at(now);
            let (sensed, decoded) = (number >= bounds.sensed_from, number >= bounds.decoded_from);
            let known =
                decoded | (number < bounds.none_below) | (sensed & (number < bounds.weak_below));
            hearers.sensed |= u64::from(sensed) << to.index();
            hearers.decoded |= u64::from(decoded) << to.index();
            open |= u64::from(!known) << to.index();
        }
        (hearers, open)
    }
}
