//! Classes of stations that hear the same: every frame is decoded, sensed, or felt as noise by all of a class, or by none.

use super::bits::{self, Rows};
use super::clock::Clock;
use super::links::Links;
use super::node::{Node, Waits};
use super::receiver::Levels;
use base::{Span, StationId, Time};
use std::collections::BTreeMap;

/// Stations that a class has at least: as many as bystanders of an episode. Other numbers were not tried.
const WORTH_SHARING: usize = 4;

/// The number of no class.
const NONE: u32 = u32::MAX;

/// All classes of a medium, and which stations go by their clocks.
#[derive(Clone, Debug)]
pub struct Classes {
    clocks: Vec<Clock>,
    /// By station: the number of its class, and its place in it.
    place_of: Vec<(u32, u32)>,
    /// Stations that go by a clock, as bits.
    on: Vec<u64>,
    /// By sender: the classes that its frames reach, as bits.
    reached: Rows,
    /// By sender and class: the least and the largest power at a member, W.
    powers_w: Vec<(f64, f64)>,
    /// [`MediumConfig::last_wait`](super::MediumConfig::last_wait).
    pub last_wait: Time,
}

/// Rules, beside powers, of how a station counts after what it hears.
#[derive(PartialEq)]
struct Habits {
    waits: Waits,
    slot: Span,
    sense_time: Span,
    resets_nav: bool,
}

impl Habits {
    fn of(node: &Node) -> Habits {
        let &Node { waits, slot, sense_time, resets_nav, .. } = node;
        Habits { waits, slot, sense_time, resets_nav }
    }
}

impl Classes {
    /// Finds the classes of a still medium; `None` where most stations are in none. `clear` is the noise, W, and the ratio to
    /// noise and others from which on no bit of any frame is lost, where bits are lost one by one.
    pub fn find(
        nodes: &[Node],
        links: &Links,
        levels: &Levels,
        (clear, cw_max): (Option<(f64, f64)>, u32),
    ) -> Option<Classes> {
        let stations = nodes.len();
        let mut classes = alike(nodes, links, levels);
        if let Some(clear) = clear {
            classes.retain(|members| is_mostly_clear(members, stations, (links, levels), clear));
        }
        if classes.iter().map(Vec::len).sum::<usize>() * 2 < stations {
            return None;
        }
        let mut place_of = vec![(NONE, 0); stations];
        for (number, members) in classes.iter().enumerate() {
            for (place, at) in members.iter().enumerate() {
                place_of[at.index()] = (number as u32, place as u32);
            }
        }
        let mut reached = Rows::new(stations, classes.len());
        let mut powers_w = Vec::with_capacity(stations * classes.len());
        for from in (0..stations as u32).map(StationId) {
            for (number, members) in classes.iter().enumerate() {
                let bounds = bounds_w(links, from, members);
                powers_w.push(bounds);
                if bounds.1 >= levels.floor_w {
                    reached.insert(from.index(), StationId(number as u32));
                }
            }
        }
        let clock = |members: Vec<StationId>| {
            let view = nodes[members[0].index()].clone();
            Clock::new(members, view, cw_max)
        };
        let clocks = classes.into_iter().map(clock).collect();
        Some(Classes {
            clocks,
            place_of,
            on: vec![0; bits::words_for(stations)],
            reached,
            powers_w,
            last_wait: Time::ZERO,
        })
    }

    /// The clock of a class.
    #[inline]
    pub fn clock(&self, class: usize) -> &Clock {
        &self.clocks[class]
    }

    /// The clock of a class.
    #[inline]
    pub fn clock_mut(&mut self, class: usize) -> &mut Clock {
        &mut self.clocks[class]
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.clocks.len()
    }

    /// The class that a station belongs to, and its place in it.
    #[inline]
    pub fn place_of(&self, station: StationId) -> Option<(usize, usize)> {
        let (class, place) = self.place_of[station.index()];
        (class != NONE).then_some((class as usize, place as usize))
    }

    /// The class by whose clock a station goes, and its place in it.
    #[inline]
    pub fn on_clock(&self, station: StationId) -> Option<(usize, usize)> {
        if bits::has(&self.on, station) { self.place_of(station) } else { None }
    }

    /// One word of the set of stations that go by a clock.
    #[inline]
    pub fn on(&self, word: usize) -> u64 {
        self.on[word]
    }

    /// Notes that a station goes by a clock from now on.
    #[inline]
    pub fn note_on(&mut self, station: StationId) {
        bits::insert(&mut self.on, station);
    }

    /// Notes that a station goes by a counter of its own from now on.
    #[inline]
    pub fn note_off(&mut self, station: StationId) {
        bits::remove(&mut self.on, station);
    }

    /// One word of the set of classes that frames of a sender reach, where there is one.
    #[inline]
    pub fn reached(&self, from: StationId, word: usize) -> Option<u64> {
        self.reached.row(from.index()).get(word).copied()
    }

    /// The least and the largest power at a member of what `from` sends, W.
    #[inline]
    pub fn powers_w(&self, from: StationId, class: usize) -> (f64, f64) {
        self.powers_w[from.index() * self.clocks.len() + class]
    }
}

/// The least and the largest power of what one station sends at the others of a class, W.
fn bounds_w(links: &Links, from: StationId, members: &[StationId]) -> (f64, f64) {
    let others = members.iter().filter(|at| **at != from);
    let powers = others.map(|&at| links.still_w(from, at));
    powers.fold((f64::MAX, 0.0), |(least, most), power_w| (power_w.min(least), power_w.max(most)))
}

/// True where most senders either are decoded for certain by all of a class, or do not harm what its members send each other: else
/// these would leave their clock with nearly every frame.
fn is_mostly_clear(
    members: &[StationId],
    stations: usize,
    (links, levels): (&Links, &Levels),
    (noise_w, ratio): (f64, f64),
) -> bool {
    let own = members.iter().map(|&from| bounds_w(links, from, members).0);
    let own_w = own.fold(f64::MAX, f64::min);
    let (mut reaching, mut unclear) = (0, 0);
    for from in (0..stations as u32).map(StationId) {
        let (least_w, most_w) = bounds_w(links, from, members);
        let is_clear = if levels.are_followed(most_w) {
            least_w >= ratio * noise_w
        } else {
            own_w >= ratio * (noise_w + most_w)
        };
        reaching += u32::from(most_w >= levels.floor_w);
        unclear += u32::from(most_w >= levels.floor_w && !is_clear);
    }
    unclear * 4 <= reaching
}

/// The loudness from which on a frame that is alone can be decoded.
const LOUDEST: u8 = 4;

/// How a frame that is alone is heard, by its power: not at all, as noise, sensed, followed, or strong enough to be decoded.
fn loudness(power_w: f64, levels: &Levels) -> u8 {
    u8::from(power_w >= levels.floor_w)
        + u8::from(power_w >= levels.sense_w)
        + u8::from(levels.are_followed(power_w))
        + u8::from(levels.are_followed(power_w) && power_w >= levels.receive_w)
}

/// Finds the classes that are worth a clock: stations that hear everybody alike, and each other as loud as can be.
fn alike(nodes: &[Node], links: &Links, levels: &Levels) -> Vec<Vec<StationId>> {
    let all = || (0..nodes.len() as u32).map(StationId);
    // Whoever hears itself as loud as can be has the same column of the table as those that hear it so.
    let heard = |from: StationId, at: StationId| {
        if from == at { LOUDEST } else { loudness(links.still_w(from, at), levels) }
    };
    let is_alike = |a: StationId, b: StationId| {
        Habits::of(&nodes[a.index()]) == Habits::of(&nodes[b.index()])
            && all().all(|from| heard(from, a) == heard(from, b))
    };
    let mut classes: Vec<Vec<StationId>> = Vec::new();
    let mut known: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for at in all() {
        let column = all().fold(0_u64, |hash, from| {
            (hash.rotate_left(5) ^ u64::from(heard(from, at))).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        let candidates = known.entry(column).or_default();
        match candidates.iter().find(|class| is_alike(classes[**class][0], at)) {
            Some(&class) => classes[class].push(at),
            None => {
                candidates.push(classes.len());
                classes.push(vec![at]);
            }
        }
    }
    classes.retain(|members| members.len() >= WORTH_SHARING);
    classes
}
