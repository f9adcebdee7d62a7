//! Noise at receivers that have places: what comes through by the power of each frame.
//!
//! All stations sense each other, so that one clock serves for all as it does without places; what differs is which MPDUs and
//! control frames a station decodes. Frames that begin together are lost whatever their powers.

use crate::frames::Kind;
use crate::medium::{BANDWIDTH_HZ, Hazards, Levels, Links, Propagation, Reception};
use crate::rate::Rung;
use crate::receiver::Receiver;
use crate::station::StationConfig;
use base::{Keyed, Purpose, Seed, StationId, Time};
use radio::HazardTables;
use radio::mobility::Mobility;
use radio::noise::sinr;

/// Where the stations of a cell are, and what happens to power on its way.
#[derive(Clone, Debug)]
pub struct SignalConfig {
    /// By station.
    pub places: Vec<Mobility>,
    /// Path loss, shadowing and fading.
    pub propagation: Propagation,
    /// Transmit power with antenna gains, W.
    pub transmit_w: f64,
    /// How frames are decoded.
    pub reception: Reception,
    /// The tables of bit errors by SINR, which runs share.
    pub hazards: HazardTables,
}

/// A rate is clear where fewer bits than this are lost (ns-3's `IdealWifiManager`).
const CLEAR: f64 = 1e-6;

/// The powers between the stations of a cell.
#[derive(Clone, Debug)]
pub(super) struct Signals {
    links: Links,
    levels: Levels,
    reception: Reception,
    hazards: Hazards,
    /// By receiver: what decides whether a frame is lost, by the time of its end.
    draws: Vec<Keyed>,
}

impl Signals {
    pub fn new(
        config: &SignalConfig,
        stations: &[StationConfig],
        receivers: &[Receiver],
        seed: Seed,
    ) -> Signals {
        let levels = Levels::new(&config.reception);
        let owner = receivers.first().map_or(0, |first| (first.stream >> 16) as u32);
        let rungs = stations.iter().flat_map(|station| &station.ladder.rungs);
        let draws = receivers.iter().map(|of| seed.keyed(Purpose::ChannelError, of.stream));
        Signals {
            links: Links::new(
                config.propagation,
                (config.transmit_w, &levels),
                &config.places,
                (seed, owner),
            ),
            levels,
            reception: config.reception,
            hazards: Hazards::of_rungs(config.reception.error_model(), rungs, &config.hazards),
            draws: draws.collect(),
        }
    }

    /// Power at one station of a frame that another begins at `start`, W.
    pub fn power_w(&mut self, (from, at): (StationId, StationId), start: Time) -> f64 {
        self.links.power_w(from, at, start)
    }

    /// Hazard of a bit of a frame on its way. Noise is that of the channel's width with data of 802.11n, 802.11ac and
    /// 802.11ax, of 22 MHz with all else; each stream has the ratio of the whole, as with as many antennas as streams.
    pub fn bit_hazard(
        &mut self,
        way: (StationId, StationId),
        start: Time,
        rung: &Rung,
        kind: Kind,
    ) -> f64 {
        let power_w = self.power_w(way, start);
        if power_w < self.levels.receive_w {
            return f64::INFINITY;
        }
        let Reception::Sinr(config) = &self.reception else { return 0.0 };
        let (modulation, mode) = match kind {
            Kind::Data => (rung.modulations.data, rung.mode),
            Kind::End => (rung.modulations.basic, None),
            _ => (rung.modulations.answers, None),
        };
        let share = mode.map_or(1.0, |mode| f64::from(mode.width_mhz()) * 1e6 / BANDWIDTH_HZ);
        self.hazards.of_bit(modulation, sinr(power_w, 0.0, config.noise_w * share))
    }

    /// True where at this instant next to nothing of data at a rate would be lost.
    pub fn is_clear(&mut self, way: (StationId, StationId), start: Time, rung: &Rung) -> bool {
        self.bit_hazard(way, start, rung, Kind::Data) < CLEAR
    }

    /// True where what ends at `end` and has such a hazard is lost.
    pub fn loses(&self, at: StationId, end: Time, hazard: f64) -> bool {
        hazard > 0.0 && hazard >= self.draws[at.index()].exp1(end.0)
    }

    /// True where all of so many parts are lost, of which each has such a hazard.
    pub fn loses_all(&self, at: StationId, end: Time, hazard: f64, parts: u32) -> bool {
        let lost = -libm::expm1(-hazard);
        self.draws[at.index()].unit(end.0) < libm::pow(lost, f64::from(parts))
    }
}
