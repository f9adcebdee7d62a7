//! Frames on the air, several at a time.

use super::bits::Rows;
use crate::exchange::Frame;
use crate::outcome::Failure;
use base::StationId;
use std::ops::Range;

/// The place of a frame in [`Frames`].
pub type Slot = u16;

/// All frames on the air, with the power of each at every station.
#[derive(Clone, Debug)]
pub struct Frames {
    stations: usize,
    places: Vec<Option<Frame>>,
    /// By place: why the frame's addressee will not decode it, as far as that is known.
    causes: Vec<Option<Failure>>,
    /// By place, then by station, W; zero in places that are free.
    power_w: Vec<f64>,
    /// By slot: the stations for which the frame has been noted; those that it reaches are among them, with a power.
    told: Rows,
    /// By station: the number of noted frames that reach it.
    reached: Vec<u16>,
    /// The places of those on the air, in their order.
    on_air: Vec<Slot>,
    free: Vec<Slot>,
}

impl Frames {
    /// A quiet air among `stations`.
    pub fn new(stations: usize) -> Frames {
        Frames {
            stations,
            places: Vec::new(),
            causes: Vec::new(),
            power_w: Vec::new(),
            told: Rows::new(0, stations),
            reached: vec![0; stations],
            on_air: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Takes a frame, heard by nobody yet.
    pub fn insert(&mut self, frame: Frame) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            self.causes.push(None);
            self.power_w.resize(self.places.len() * self.stations, 0.0);
            self.told.grow(self.places.len());
            (self.places.len() - 1) as Slot
        });
        self.places[usize::from(slot)] = Some(frame);
        self.causes[usize::from(slot)] = None;
        // Most begin on a free air.
        match self.on_air.is_empty() {
            true => self.on_air.push(slot),
            false => self.insert_amid(slot),
        }
        slot
    }

    fn insert_amid(&mut self, slot: Slot) {
        let place = self.on_air.partition_point(|&other| other < slot);
        self.on_air.insert(place, slot);
    }

    /// Removes a frame that has ended, once its power is zero at all stations; `words` is the range of words of a set with
    /// the stations for which it was noted.
    pub fn remove(&mut self, slot: Slot, words: Range<usize>) {
        self.places[usize::from(slot)] = None;
        match self.on_air[..] {
            [_] => self.on_air.clear(),
            _ => self.on_air.retain(|&other| other != slot),
        }
        match &mut self.told.row_mut(usize::from(slot))[words] {
            [only] => *only = 0,
            several => several.fill(0),
        }
        self.free.push(slot);
    }

    /// Returns true if nobody sends.
    #[inline]
    pub fn are_none(&self) -> bool {
        self.on_air.is_empty()
    }

    /// A frame on the air.
    pub fn get(&self, slot: Slot) -> Option<&Frame> {
        self.places[usize::from(slot)].as_ref()
    }

    /// Power of a frame at a station, W; zero where it is too weak to matter.
    pub fn power_w(&self, slot: Slot, at: StationId) -> f64 {
        self.power_w[usize::from(slot) * self.stations + at.index()]
    }

    /// Notes that a frame reaches a station with this power; the station is among those for which the frame is noted.
    #[inline]
    pub fn reach(&mut self, slot: Slot, at: StationId, power_w: f64) {
        self.power_w[usize::from(slot) * self.stations + at.index()] = power_w;
        self.reached[at.index()] += 1;
    }

    /// Does the same for a station for which the frame was not noted.
    pub fn tell(&mut self, slot: Slot, at: StationId, power_w: f64) {
        self.told.insert(usize::from(slot), at);
        self.reach(slot, at, power_w);
    }

    /// A station of which another keeps account is no longer among those for which a frame is noted.
    pub fn withdraw(&mut self, slot: Slot, at: StationId) {
        super::bits::remove(self.told.row_mut(usize::from(slot)), at);
        self.leave(slot, at);
    }

    /// Notes a frame for these stations of one word of a set, if it reaches them.
    #[inline]
    pub fn note_told(&mut self, slot: Slot, word: usize, stations: u64) {
        self.told.row_mut(usize::from(slot))[word] = stations;
    }

    /// A frame no longer reaches a station that it has reached.
    #[inline]
    pub fn leave(&mut self, slot: Slot, at: StationId) {
        self.power_w[usize::from(slot) * self.stations + at.index()] = 0.0;
        self.reached[at.index()] -= 1;
    }

    /// One word of the set of stations for which a frame is noted.
    #[inline]
    pub fn told(&self, slot: Slot, word: usize) -> u64 {
        self.told.word(usize::from(slot), word)
    }

    /// Returns true if no noted frame reaches a station.
    #[inline]
    pub fn is_clear_at(&self, at: StationId) -> bool {
        self.reached[at.index()] == 0
    }

    /// The places of all frames on the air, and of some that are not.
    pub fn slots(&self) -> std::ops::Range<Slot> {
        0..self.places.len() as Slot
    }

    /// Power of all frames but one at a station, W.
    pub fn interference_w(&self, but: Slot, at: StationId) -> f64 {
        let others = self.on_air.iter().filter(|&&slot| slot != but);
        others.map(|&slot| self.power_w(slot, at)).sum()
    }

    /// Power of all frames but one at a station, and of the strongest of these that is noticed there, W.
    pub fn disturbance(&self, but: Slot, at: StationId, sense_w: f64) -> (f64, f64) {
        let others = self.on_air.iter().filter(|&&slot| slot != but);
        others.map(|&slot| self.power_w(slot, at)).fold((0.0, 0.0), |(sum, most), power_w| {
            let noticed = if power_w >= sense_w { power_w } else { 0.0 };
            (sum + power_w, f64::max(most, noticed))
        })
    }

    /// Whoever sends the strongest other frame that is noticed at a station (`sense_w` or more).
    pub fn strongest_other(&self, but: Slot, at: StationId, sense_w: f64) -> Option<StationId> {
        let others = self.on_air.iter().copied().filter(|&slot| slot != but);
        let strong = others.filter(|&slot| self.power_w(slot, at) >= sense_w);
        let on_air = strong.filter_map(|slot| Some((slot, self.get(slot)?.from)));
        on_air.max_by(|a, b| self.power_w(a.0, at).total_cmp(&self.power_w(b.0, at))).map(|a| a.1)
    }

    /// Why a frame's addressee will not decode it, as far as that is known.
    pub fn cause(&self, slot: Slot) -> Option<Failure> {
        self.causes[usize::from(slot)]
    }

    /// Puts another reason in the place of that which was noted.
    pub fn blame_anew(&mut self, slot: Slot, cause: Failure) {
        self.causes[usize::from(slot)] = Some(cause);
    }

    /// Notes why the addressee of a frame will not decode it; the first reason is kept.
    pub fn blame(&mut self, slot: Slot, cause: Failure) {
        self.causes[usize::from(slot)].get_or_insert(cause);
    }
}
