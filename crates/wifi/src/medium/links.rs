//! Links between stations: path loss, shadowing and fading.

use super::bits::Rows;
use super::places::Places;
use super::receiver::Levels;
use base::{Seed, StationId, Time};
use radio::mobility::Mobility;
use radio::noise::{db_from_ratio, random_ratio_from_db, ratio_from_db};
use radio::propagation::{Fading, FadingConfig, PathLoss, Shadowing, ShadowingConfig};
use std::ops::Range;

/// Added to a normal number, it is more than what rounding takes from a power that is worked out.
const SURELY: f64 = 1e-6;

/// Propagation model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Propagation {
    /// Mean loss by distance.
    pub path_loss: PathLoss,
    /// Log-normal shadowing.
    pub shadowing: ShadowingConfig,
    /// Rayleigh or Rician fading, where there is any. A frame keeps the gain of its start.
    pub fading: Option<FadingConfig>,
}

impl Propagation {
    /// More than the gain of shadowing and fading in all but 1e-9 of cases, a ratio.
    fn headroom(&self) -> f64 {
        let sigma_db = match self.shadowing {
            ShadowingConfig::Off => 0.0,
            ShadowingConfig::Fresh { sigma_db } | ShadowingConfig::Correlated { sigma_db, .. } => {
                sigma_db
            }
        };
        ratio_from_db(6.0 * sigma_db) * if self.fading.is_some() { 21.0 } else { 1.0 }
    }

    /// True where power depends on places alone.
    pub fn is_steady(&self) -> bool {
        self.shadowing == ShadowingConfig::Off && self.fading.is_none()
    }
}

/// The power of every path.
#[derive(Clone, Debug)]
pub struct Links {
    stations: usize,
    propagation: Propagation,
    /// True where nothing changes: all rest, and power depends on places alone.
    is_still: bool,
    transmit_w: f64,
    /// Places of stations; `None` if all rest.
    places: Option<Box<Places>>,
    /// Mean power by sender and receiver, W: row after row; of those that rest.
    mean_w: Vec<f64>,
    /// By sender: stations that its frames can touch.
    near: Rows,
    /// By sender: between which words of a set these are.
    words_near: Vec<(u32, u32)>,
    /// By sender: stations that follow its frames if they hear no other; empty if that changes.
    followers: Rows,
    /// Shadowing by pair; empty where there is none.
    shadowing: Vec<Shadowing>,
    /// Fading by pair; empty where there is none.
    fading: Vec<Fading>,
    /// By pair, where shadowing is fresh: the number from which on a frame is decoded where it is alone; infinite where
    /// that changes.
    sure_normal: Vec<f64>,
}

impl Links {
    /// Between stations at `places`, all sending at `transmit_w`.
    pub fn new(
        propagation: Propagation,
        (transmit_w, levels): (f64, &Levels),
        places: &[Mobility],
        (seed, owner): (Seed, u32),
    ) -> Links {
        let stations = places.len();
        let numbers = || 0..stations as u32;
        let pairs = || numbers().flat_map(move |a| numbers().map(move |b| (owner + a, owner + b)));
        let shadow = |(a, b)| Shadowing::new(propagation.shadowing, seed, a, b);
        let has_shadow = propagation.shadowing != ShadowingConfig::Off;
        let fading = propagation.fading;
        let mut links = Links {
            stations,
            propagation,
            is_still: places.iter().all(rests) && propagation.is_steady(),
            transmit_w,
            places: (!places.iter().all(rests)).then(|| Box::new(Places::new(places))),
            mean_w: Vec::new(),
            near: Rows::new(stations, stations),
            words_near: Vec::new(),
            followers: Rows::default(),
            shadowing: if has_shadow { pairs().map(shadow).collect() } else { Vec::new() },
            fading: fading.map_or_else(Vec::new, |config| {
                pairs().map(|(a, b)| Fading::new(config, seed, a, b)).collect()
            }),
            sure_normal: Vec::new(),
        };
        links.settle(places, levels);
        links.settle_sure(places, levels);
        links
    }

    /// Works out from which normal number on fresh shadowing lets a frame be decoded, a little more than that.
    fn settle_sure(&mut self, places: &[Mobility], levels: &Levels) {
        let ShadowingConfig::Fresh { sigma_db } = self.propagation.shadowing else { return };
        let sure_w = levels.receive_w.max(levels.sense_w);
        let rests: Vec<bool> = places.iter().map(rests).collect();
        let of_pair = |(pair, mean_w): (usize, &f64)| {
            let (from, to) = (pair / self.stations, pair % self.stations);
            let is_known = rests[from] && rests[to] && self.fading.is_empty() && sigma_db > 0.0;
            let normal = db_from_ratio(sure_w / mean_w) / sigma_db;
            if is_known { normal + SURELY } else { f64::INFINITY }
        };
        self.sure_normal = self.mean_w.iter().enumerate().map(of_pair).collect();
    }

    /// Works out what does not change.
    fn settle(&mut self, places: &[Mobility], levels: &Levels) {
        let moves = self.places.is_some();
        let floor_w = levels.floor_w / self.propagation.headroom();
        let mut places = places.to_vec();
        let spots: Vec<_> = places.iter_mut().map(|place| place.position(Time::ZERO)).collect();
        if self.is_still {
            self.followers = Rows::new(self.stations, self.stations);
        }
        for (from, &a) in spots.iter().enumerate() {
            for (to, &b) in spots.iter().enumerate() {
                let power_w = self.transmit_w * self.propagation.path_loss.gain(a, b);
                self.mean_w.push(power_w);
                if to != from && (moves || power_w >= floor_w) {
                    self.near.insert(from, StationId(to as u32));
                }
                if to != from && self.is_still && levels.are_followed(power_w) {
                    self.followers.insert(from, StationId(to as u32));
                }
            }
            let near = self.near.row(from);
            let first = near.iter().position(|&word| word != 0).unwrap_or(0);
            let end = near.iter().rposition(|&word| word != 0).map_or(first, |last| last + 1);
            self.words_near.push((first as u32, end as u32));
        }
    }

    /// Returns true if every frame reaches every other station with at least this mean power, W.
    pub fn are_all_from(&self, sure_w: f64) -> bool {
        let n = self.stations;
        let is_own = |pair: usize| pair / n == pair % n;
        let weak = |(pair, &power_w): (usize, &f64)| power_w < sure_w && !is_own(pair);
        !self.mean_w.iter().enumerate().any(weak)
    }

    /// Returns, by station, the power of what `from` sends, W; only where [`Links::are_still`], and none of its own.
    pub fn row(&self, from: StationId) -> &[f64] {
        &self.mean_w[from.index() * self.stations..][..self.stations]
    }

    /// True where nothing changes: all rest, and power depends on places alone.
    pub fn are_still(&self) -> bool {
        self.is_still
    }

    /// Stations that a frame of `from` can touch, as bits.
    #[inline]
    pub fn near(&self, from: StationId) -> &[u64] {
        self.near.row(from.index())
    }

    /// Range of words of a set with the stations that a frame of `from` can touch.
    #[inline]
    pub fn words_near(&self, from: StationId) -> Range<usize> {
        let (first, end) = self.words_near[from.index()];
        first as usize..end as usize
    }

    /// Stations that follow a frame of `from` if they hear no other, as bits; only where [`Links::are_still`].
    #[inline]
    pub fn followers(&self, from: StationId) -> &[u64] {
        self.followers.row(from.index())
    }

    /// True where a frame of `from` can touch `to`, another station.
    pub fn touches(&self, from: StationId, to: StationId) -> bool {
        self.near.has(from.index(), to)
    }

    /// Power at `to` of what `from` sends, without shadowing and fading, W.
    #[inline]
    pub fn mean_w(&mut self, from: StationId, to: StationId, now: Time) -> f64 {
        let pair = self.pair(from, to);
        let (transmit_w, path_loss) = (self.transmit_w, &self.propagation.path_loss);
        match &mut self.places {
            None => self.mean_w[pair],
            Some(places) => places
                .mean_w((from.index(), to.index()), now, |a, b| transmit_w * path_loss.gain(a, b)),
        }
    }

    /// Power at `to` of a frame that `from` begins at `now`, W.
    #[inline(always)] // for all whom a frame reaches
    pub fn power_w(&mut self, from: StationId, to: StationId, now: Time) -> f64 {
        if self.is_still {
            return self.still_w(from, to);
        }
        self.momentary_w(from, to, now)
    }

    /// Returns true only if a frame that `from` begins at `now` is strong enough at `to` to be decoded where it is alone:
    /// a comparison of fresh shadowing that spares most powers.
    #[inline(always)] // for all whom a frame reaches
    pub fn is_sure(&self, from: StationId, to: StationId, now: Time) -> bool {
        let pair = self.pair(from, to);
        let sure = self.sure_normal.get(pair).copied().unwrap_or(f64::INFINITY);
        sure < f64::INFINITY && self.shadowing[pair].normal(now) >= sure
    }

    /// The same where [`Links::are_still`].
    #[inline(always)] // for all whom a frame reaches
    pub fn still_w(&self, from: StationId, to: StationId) -> f64 {
        self.mean_w[self.pair(from, to)]
    }

    fn momentary_w(&mut self, from: StationId, to: StationId, now: Time) -> f64 {
        let mut power_w = self.mean_w(from, to, now);
        let pair = self.pair(from, to);
        if self.propagation.is_steady() {
            return power_w;
        }
        let travelled_m = self.places.as_mut().map_or(0.0, |places| {
            places.travelled_m(from.index(), now) + places.travelled_m(to.index(), now)
        });
        if let Some(shadowing) = self.shadowing.get_mut(pair) {
            power_w *= random_ratio_from_db(shadowing.gain_db(now, travelled_m));
        }
        if let Some(fading) = self.fading.get(pair) {
            power_w *= fading.gain(now, travelled_m);
        }
        power_w
    }

    fn pair(&self, from: StationId, to: StationId) -> usize {
        from.index() * self.stations + to.index()
    }
}

/// Returns true if a node stays at one place from the start to the end of time.
fn rests(place: &Mobility) -> bool {
    match place {
        Mobility::Track(track) => {
            let still = |leg: &radio::mobility::Leg| leg.velocity.squared() == 0.0;
            track.is_present(Time::ZERO)
                && track.legs().len() == 1
                && track.legs().iter().all(still)
        }
        Mobility::RandomWaypoint(_) => false,
    }
}
