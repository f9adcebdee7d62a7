//! Links between stations: path loss, shadowing and fading.

use super::bits::{self, Rows};
use super::places::Places;
use super::reach::{Effect, Hearers, Reaches, Scale};
use super::receiver::Levels;
use base::{Seed, StationId, Time};
use radio::mobility::Mobility;
use radio::noise::{random_ratio_from_db, ratio_from_db};
use radio::propagation::{Fading, FadingConfig, PathLoss, Shadowing, ShadowingConfig};
use std::ops::Range;

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
    /// Mean power by sender and receiver, W: row after row; of those that rest. Half as long as in doubles, and exact to
    /// 3e-7 dB: of a thousand stations this is most of what is held.
    mean_w: Box<[f32]>,
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
    /// What the numbers of shadowing tell, where it is fresh and there is nothing else.
    reaches: Option<Box<Reaches>>,
}

impl Links {
    /// Between stations at `places`, all sending at `transmit_w`.
    pub fn new(
        propagation: Propagation,
        (transmit_w, levels): (f64, &Levels),
        places: &[&Mobility],
        (seed, owner): (Seed, u32),
    ) -> Links {
        let stations = places.len();
        let rest = places.iter().all(|place| rests(place));
        let numbers = || 0..stations as u32;
        let pairs = || numbers().flat_map(move |a| numbers().map(move |b| (owner + a, owner + b)));
        let shadow = |(a, b)| Shadowing::new(propagation.shadowing, seed, a, b);
        let has_shadow = propagation.shadowing != ShadowingConfig::Off;
        let fading = propagation.fading;
        let mut links = Links {
            stations,
            propagation,
            is_still: rest && propagation.is_steady(),
            transmit_w,
            places: (!rest).then(|| Box::new(Places::new(places))),
            mean_w: Box::default(),
            near: Rows::new(stations, stations),
            words_near: Vec::new(),
            followers: Rows::default(),
            shadowing: if has_shadow { pairs().map(shadow).collect() } else { Vec::new() },
            fading: fading.map_or_else(Vec::new, |config| {
                pairs().map(|(a, b)| Fading::new(config, seed, a, b)).collect()
            }),
            reaches: None,
        };
        links.settle(places, levels);
        links.settle_reaches(levels);
        links
    }

    /// Works out what the numbers of fresh shadowing tell.
    fn settle_reaches(&mut self, levels: &Levels) {
        let ShadowingConfig::Fresh { sigma_db } = self.propagation.shadowing else { return };
        if sigma_db <= 0.0 || !self.fading.is_empty() {
            return;
        }
        let rests = self.places.is_none();
        let numbers = self.shadowing.iter().map(Shadowing::fresh);
        let mean_w = self.mean_w.iter().map(|&mean_w| rests.then_some(f64::from(mean_w)));
        let paths = numbers.zip(mean_w);
        let reaches = Reaches::new(Scale::new(levels, sigma_db), self.stations, paths);
        self.reaches = Some(Box::new(reaches));
    }

    /// Works out what does not change.
    fn settle(&mut self, places: &[&Mobility], levels: &Levels) {
        let moves = self.places.is_some();
        let floor_w = levels.floor_w / self.propagation.headroom();
        let spot = |place: &&Mobility| (*place).clone().position(Time::ZERO);
        let spots: Vec<_> = places.iter().map(spot).collect();
        if self.is_still {
            self.followers = Rows::new(self.stations, self.stations);
        }
        let mut mean_w = Vec::with_capacity(self.stations * self.stations);
        for (from, &a) in spots.iter().enumerate() {
            for (to, &b) in spots.iter().enumerate() {
                let kept_w = (self.transmit_w * self.propagation.path_loss.gain(a, b)) as f32;
                mean_w.push(kept_w);
                let power_w = f64::from(kept_w);
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
        self.mean_w = mean_w.into();
    }

    /// Returns true if every frame reaches every other station with at least this mean power, W.
    pub fn are_all_from(&self, sure_w: f64) -> bool {
        let n = self.stations;
        let is_own = |pair: usize| pair / n == pair % n;
        let weak = |(pair, &power_w): (usize, &f32)| f64::from(power_w) < sure_w && !is_own(pair);
        !self.mean_w.iter().enumerate().any(weak)
    }

    /// Returns, by station, the power of what `from` sends, W; only where [`Links::are_still`], and none of its own.
    pub fn row(&self, from: StationId) -> &[f32] {
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
            None => f64::from(self.mean_w[pair]),
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

    /// Where a frame that `from` begins at `now` is heard, if it is alone, among these stations, which a word holds.
    #[inline]
    pub fn hearers(&mut self, from: StationId, among: u64, now: Time, levels: &Levels) -> Hearers {
        let (mut hearers, open) = self.hearers_by_number(from, among, now);
        for to in bits::stations(0, open) {
            let effect = Effect::of(self.power_w(from, to, now), levels);
            hearers.note(bits::of_word(0, to), effect);
        }
        hearers
    }

    /// Those that are known by the numbers of shadowing, and as bits those of which these do not tell.
    #[inline]
    fn hearers_by_number(&mut self, from: StationId, among: u64, now: Time) -> (Hearers, u64) {
        let Some(reaches) = &mut self.reaches else { return (Hearers::default(), among) };
        if let Some(places) = &mut self.places {
            places.locate(now);
            reaches.locate(from, places, self.transmit_w, &self.propagation.path_loss);
        }
        reaches.hearers(from, among, now)
    }

    /// The same where [`Links::are_still`].
    #[inline(always)] // for all whom a frame reaches
    pub fn still_w(&self, from: StationId, to: StationId) -> f64 {
        f64::from(self.mean_w[self.pair(from, to)])
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::medium::Reception;
    use radio::propagation::PathLoss;
    use radio::{Position, Thresholds};

    /// Numbers of shadowing tell of a frame what its power does, at rest and under way, and nearly always tell it.
    #[test]
    fn numbers_tell_what_powers_do() {
        let reception = Reception::Thresholds(Thresholds::WAVELAN);
        let levels = Levels::new(&reception);
        let propagation = Propagation {
            path_loss: PathLoss::ns2_shadowing(914e6, 2.7),
            shadowing: ShadowingConfig::Fresh { sigma_db: 4.0 },
            fading: None,
        };
        let rest = Mobility::fixed(Position::default());
        let walk = Mobility::Track(radio::mobility::Track::constant_velocity(
            Position::flat(20.0, 0.0),
            Position::flat(10.0, 3.0),
        ));
        let seed = Seed { seed: 3, replication: 0 };
        for places in [[rest.clone(), Mobility::fixed(Position::flat(250.0, 0.0))], [rest, walk]] {
            let transmit = (Thresholds::WAVELAN_TRANSMIT_W, &levels);
            let mut links = Links::new(propagation, transmit, &places.each_ref(), (seed, 0));
            let (a, b) = (StationId(0), StationId(1));
            let (mut told, mut met) = (0, [0; 3]);
            for i in 0..60_000 {
                let now = Time(i * 777_000);
                let effect = Effect::of(links.power_w(a, b, now), &levels);
                let mut heard = Hearers::default();
                heard.note(0b10, effect);
                let (known, open) = links.hearers_by_number(a, 0b10, now);
                if open == 0 {
                    assert_eq!(known, heard, "at {now}");
                    told += 1;
                }
                assert_eq!(links.hearers(a, 0b10, now, &levels), heard);
                met[effect as usize] += 1;
            }
            assert!(told > 58_000 && met.iter().all(|of| *of > 500), "{told} {met:?}");
        }
    }

    /// A level that is the very power at a distance is reached there.
    #[test]
    fn a_station_at_the_edge_of_reach_is_within_it() {
        let path_loss = PathLoss::ns2_shadowing(914e6, 2.7);
        let propagation = Propagation { path_loss, shadowing: ShadowingConfig::Off, fading: None };
        for distance_m in (1..500).map(f64::from) {
            let at = Position::flat(distance_m, 0.0);
            let edge_w = Thresholds::WAVELAN_TRANSMIT_W * path_loss.gain(Position::default(), at);
            let levels = Thresholds { receive_w: edge_w, sense_w: edge_w, capture_ratio: 10.0 };
            let reception = Reception::Thresholds(levels).for_singles();
            let transmit = (Thresholds::WAVELAN_TRANSMIT_W, &Levels::new(&reception));
            let places = [Mobility::fixed(Position::default()), Mobility::fixed(at)];
            let seed = Seed { seed: 1, replication: 0 };
            let links = Links::new(propagation, transmit, &places.each_ref(), (seed, 0));
            let power_w = links.still_w(StationId(0), StationId(1));
            assert!(power_w >= reception.receive_w() && power_w >= reception.sense_w());
            assert!((power_w / edge_w - 1.0).abs() < 1e-7);
        }
    }
}
