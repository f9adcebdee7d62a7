//! When a station decodes a frame: by thresholds of power, or by signal over interference and noise.

use super::frame::{Frames, Slot};
use crate::exchange::Frame;
use base::{Keyed, StationId, Time};
use radio::noise::sinr;
use radio::{ErrorModel, HazardTable, Modulation, Thresholds};

/// How frames are received.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reception {
    /// As in ns-2 (PROTOCOLS 1.3): a frame is decoded where it is strong enough when it begins, nothing was heard
    /// before, and everything that comes later is weaker by the capture ratio.
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
    /// A frame takes the receiver over from one that is so many times weaker and still in its preamble. `None`: never.
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

    /// Power below this changes nothing, W: unnoticed, and a thousandth of the noise.
    pub fn floor_w(&self) -> f64 {
        match self {
            Reception::Thresholds(thresholds) => thresholds.sense_w,
            Reception::Sinr(config) => config.sense_w.min(config.noise_w * 1e-3),
        }
    }
}

/// What power does to a station, at a glance.
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
}

/// Bit errors of the modulations in use.
#[derive(Clone, Debug, Default)]
pub struct Hazards {
    tables: Vec<(Modulation, HazardTable)>,
    /// The place of that which was asked last: stations that hear the same frame ask for the same.
    last: usize,
}

impl Hazards {
    /// For these modulations.
    pub fn new(model: ErrorModel, modulations: &[Modulation]) -> Hazards {
        let mut hazards = Hazards::default();
        for &modulation in modulations {
            if hazards.tables.iter().all(|(known, _)| *known != modulation) {
                hazards.tables.push((modulation, HazardTable::new(model, modulation)));
            }
        }
        hazards
    }

    #[inline]
    fn of_bit(&mut self, modulation: Modulation, sinr: f64) -> f64 {
        if self.tables.get(self.last).is_none_or(|(known, _)| *known != modulation) {
            let place = self.tables.iter().position(|(known, _)| *known == modulation);
            self.last = place.unwrap_or(self.tables.len());
        }
        self.tables.get(self.last).map_or(0.0, |(_, table)| table.bit_hazard(sinr))
    }
}

/// The frame that a station listens to.
#[derive(Clone, Copy, Debug)]
pub struct Lock {
    /// Which.
    pub slot: Slot,
    /// True where it addresses the station.
    pub for_me: bool,
    /// Its power here, W.
    pub power_w: f64,
    /// When it began.
    pub start: Time,
    /// True where thresholds say that it cannot be decoded.
    pub spoiled: bool,
    /// True where it was beyond help when it began: weak, or amid others.
    pub hopeless: bool,
    /// Hazard of its bits so far.
    hazard: f64,
    /// What it would be without interference.
    clean: f64,
    /// Up to when they count.
    counted: Time,
}

impl Lock {
    /// A frame that begins to reach the station `at`.
    pub fn new((slot, frame): (Slot, &Frame), at: StationId, power_w: f64, hopeless: bool) -> Lock {
        let (for_me, start) = (frame.to == at, frame.start);
        let (spoiled, hazard, clean, counted) = (hopeless, 0.0, 0.0, start);
        Lock { slot, for_me, power_w, start, spoiled, hopeless, hazard, clean, counted }
    }

    /// True where there are bits to count before `now`.
    pub fn is_behind(&self, now: Time) -> bool {
        self.counted < now
    }

    /// Counts the hazard of the bits up to `now`, under the interference that there was.
    pub fn count(
        &mut self,
        now: Time,
        (at, frames): (StationId, &Frames),
        (config, hazards, modulation): (&SinrConfig, &mut Hazards, Modulation),
    ) {
        let Some(frame) = frames.get(self.slot) else { return };
        let bits_from = frame.start + frame.plcp;
        let (from, until) = (self.counted.max(bits_from), now.max(bits_from));
        self.counted = now;
        let body = frame.end().since(bits_from);
        if until <= from || body.0 == 0 {
            return;
        }
        let interference_w = frames.interference_w(self.slot, at);
        let clean = hazards.of_bit(modulation, sinr(self.power_w, 0.0, config.noise_w));
        // Most frames are alone where they are heard: one look at the table is enough for these.
        let noisy = if interference_w > 0.0 {
            hazards.of_bit(modulation, sinr(self.power_w, interference_w, config.noise_w))
        } else {
            clean
        };
        if noisy > 0.0 {
            let bits = frame.sent_bits as f64 * until.since(from).0 as f64 / body.0 as f64;
            self.hazard += bits * noisy;
            self.clean += bits * clean;
        }
    }

    /// How the frame fares when it ends, by a budget drawn by its start.
    pub fn fate(&self, errors: Keyed, frame: &Frame) -> Fate {
        if self.spoiled {
            return Fate::Interference;
        }
        if self.hazard == 0.0 {
            return Fate::Decoded;
        }
        // -ln(1 - u) is not below u: where the hazard is, the logarithm cannot matter.
        if self.hazard < errors.unit(frame.start.0) * (1.0 - 1e-9) {
            return Fate::Decoded;
        }
        let budget = errors.exp1(frame.start.0);
        match (self.hazard >= budget, self.clean >= budget) {
            (false, _) => Fate::Decoded,
            (true, true) => Fate::Noise,
            (true, false) => Fate::Interference,
        }
    }
}

/// What became of a reception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// All is understood.
    Decoded,
    /// Lost, and would have been without anybody else on the air.
    Noise,
    /// Lost to others on the air, or never strong enough.
    Interference,
}
