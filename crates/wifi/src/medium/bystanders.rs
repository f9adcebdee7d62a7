//! Lazy bystanders: a station that takes no part in an exchange is updated when the exchange is over.
//!
//! A frame that a station neither sends nor answers nor waits for changes only its carrier sense, its reservation and its
//! slots, and none of these can be seen before its slots pass again. So a station that notices no sender when a frame
//! begins is entered in an [`Episode`], with all others that hear the same, and is updated at once with all its frames when
//! the last has ended: an exchange of data and acknowledgement moves its slots once instead of four times.

use super::bits::{self, Rows};
use super::frame::Slot;
use crate::exchange::Frame;
use base::StationId;
use std::ops::Range;

/// The most frames of an episode: then its members are updated, and follow the rest frame by frame.
pub const MOST_FRAMES: usize = 8;
/// The most episodes: then they are no longer divided.
const MOST_EPISODES: usize = 64;

/// For how many frames nobody waits for a station after one that was broken. Any number gives the same results.
const SHUNNED: u8 = 31;

/// A frame of an episode.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    /// The frame.
    pub frame: Frame,
    /// Its place while it is on the air.
    pub slot: Slot,
    /// From this power on it is decoded where it is alone, W.
    pub sure_w: f64,
    /// True until it has ended.
    pub is_on_air: bool,
}

/// A frame begins or ends.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Index of the frame in its episode.
    pub frame: u8,
    /// True if it begins.
    pub begins: bool,
    /// Indices of the frames that were on the air before, in order.
    on_air: [u8; MOST_FRAMES],
    count: u8,
}

impl Event {
    /// Indices of the episode's frames that were on the air before.
    #[inline]
    pub fn on_air(&self) -> &[u8] {
        &self.on_air[..usize::from(self.count)]
    }
}

/// Frames heard by the same stations, and by these alone, from the first to when they notice nobody any more.
#[derive(Clone, Debug, Default)]
pub struct Episode {
    /// The frames, as they began.
    pub frames: Vec<Heard>,
    /// Starts and ends of frames.
    pub events: Vec<Event>,
    /// Stations that answer a frame that has ended within a SIFS, or continue after it.
    awaits: Vec<StationId>,
}

impl Episode {
    fn clear(&mut self) {
        self.frames.clear();
        self.events.clear();
        self.awaits.clear();
    }

    fn copy_from(&mut self, other: &Episode) {
        self.frames.clone_from(&other.frames);
        self.events.clone_from(&other.events);
        self.awaits.clone_from(&other.awaits);
    }

    fn note(&mut self, frame: usize, begins: bool) {
        let mut event = Event { frame: frame as u8, begins, on_air: [0; MOST_FRAMES], count: 0 };
        let others = |&i: &usize| self.frames[i].is_on_air && !(begins && i == frame);
        for i in (0..self.frames.len()).filter(others) {
            let place = event.on_air().partition_point(|&other| {
                self.frames[usize::from(other)].slot < self.frames[i].slot
            });
            let count = usize::from(event.count);
            event.on_air.copy_within(place..count, place + 1);
            event.on_air[place] = i as u8;
            event.count += 1;
        }
        self.events.push(event);
    }

    fn begin(&mut self, heard: &Heard) {
        self.awaits.retain(|&station| station != heard.frame.from);
        self.frames.push(*heard);
        self.note(self.frames.len() - 1, true);
    }

    /// A frame ends; false where it is none of the episode's.
    pub fn end(&mut self, slot: Slot) -> bool {
        let of_slot = |heard: &Heard| heard.is_on_air && heard.slot == slot;
        let Some(frame) = self.frames.iter().position(of_slot) else { return false };
        self.note(frame, false);
        self.frames[frame].is_on_air = false;
        true
    }

    /// A station will answer, or go on.
    pub fn await_next(&mut self, station: StationId) {
        self.awaits.push(station);
    }

    /// True where a station has been waited for.
    pub fn awaits(&self, station: StationId) -> bool {
        self.awaits.contains(&station)
    }

    /// Senders of the frames that its members hear now, or will hear within a SIFS.
    pub fn senders(&self) -> impl Iterator<Item = StationId> + '_ {
        let on_air = self.frames.iter().filter(|heard| heard.is_on_air);
        on_air.map(|heard| heard.frame.from).chain(self.awaits.iter().copied())
    }

    fn hears(&self, slot: Slot) -> bool {
        self.frames.iter().any(|heard| heard.is_on_air && heard.slot == slot)
    }

    /// Another frame begins in the midst of those that are on the air: seldom worth to be waited for.
    fn is_broken_by(&self, heard: &Heard) -> bool {
        let start = heard.frame.start;
        self.frames.iter().any(|other| other.is_on_air && other.frame.start != start)
    }
}

/// Effect of a new frame on an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meets {
    /// It reaches none of its members.
    None,
    /// The episode continues with this frame, for the members that it reaches.
    GoesOn,
    /// The episode breaks: the members that it reaches must be updated.
    Breaks,
}

/// The sets of a medium's stations that have to do with [`Episode`]s.
#[derive(Clone, Debug)]
pub struct Bystanders {
    /// Stations that notice no sender, take part in no exchange and are up to date.
    quiet: Vec<u64>,
    /// Stations in an episode.
    waiting: Vec<u64>,
    /// Those that are open, and behind them those that wait to be used again.
    episodes: Vec<Episode>,
    /// By episode: its members, which have to be updated.
    members: Rows,
    /// By episode: between which words of a set these are.
    words: Vec<(u32, u32)>,
    open: usize,
    /// By station: for how many of its frames nobody waits, because the last that was waited for was broken.
    shunned: Vec<u8>,
}

impl Bystanders {
    /// Stations of which nobody is known to be quiet.
    pub fn new(stations: usize) -> Bystanders {
        let none = || vec![0; bits::words_for(stations)];
        Bystanders {
            quiet: none(),
            waiting: none(),
            episodes: Vec::new(),
            members: Rows::new(0, stations),
            words: Vec::new(),
            open: 0,
            shunned: vec![0; stations],
        }
    }

    /// Notes that a station notices no sender, takes part in no exchange and is up to date.
    #[inline]
    pub fn note_quiet(&mut self, station: StationId) {
        bits::insert(&mut self.quiet, station);
    }

    /// Notes that a station follows events as they happen.
    #[inline]
    pub fn note_involved(&mut self, station: StationId) {
        bits::remove(&mut self.quiet, station);
    }

    /// Removes the stations of one word of a set that are in no episode from the quiet ones, and returns them.
    #[inline]
    pub fn involve(&mut self, word: usize, set: u64) -> u64 {
        let told = set & !self.waiting[word];
        self.quiet[word] &= !told;
        told
    }

    /// Notes that all these stations of one word of a set notice no sender, take part in no exchange and are up to date.
    #[inline]
    pub fn note_all_quiet(&mut self, word: usize, stations: u64) {
        self.quiet[word] |= stations;
    }

    /// Returns the quiet stations of one word of a set.
    #[inline]
    pub fn quiet_among(&self, word: usize, set: u64) -> u64 {
        self.quiet[word] & set
    }

    /// Number of open episodes.
    #[inline]
    pub fn open(&self) -> usize {
        self.open
    }

    /// An episode.
    #[inline]
    pub fn episode(&self, episode: usize) -> &Episode {
        &self.episodes[episode]
    }

    /// An episode.
    #[inline]
    pub fn episode_mut(&mut self, episode: usize) -> &mut Episode {
        &mut self.episodes[episode]
    }

    /// Between which words of a set an episode's members are.
    #[inline]
    pub fn words(&self, episode: usize) -> Range<usize> {
        let (first, end) = self.words[episode];
        first as usize..end as usize
    }

    /// The next episode from this one on that may have members between these words of a set.
    #[inline]
    pub fn next_between(&self, from: usize, words: &Range<usize>) -> Option<usize> {
        let (start, end) = (words.start as u32, words.end as u32);
        let mut others = self.words[..self.open].iter().skip(from);
        others.position(|other| other.0 < end && start < other.1).map(|place| from + place)
    }

    /// One word of an episode's members.
    #[inline]
    pub fn members(&self, episode: usize, word: usize) -> u64 {
        self.members.word(episode, word)
    }

    /// True where a frame of this station is likely to be broken as its last was.
    #[inline]
    pub fn shuns(&mut self, station: StationId) -> bool {
        let left = &mut self.shunned[station.index()];
        let shuns = *left > 0;
        *left = left.saturating_sub(1);
        shuns
    }

    fn open_empty(&mut self) -> usize {
        if self.open == self.episodes.len() {
            self.episodes.push(Episode::default());
            self.words.push((0, 0));
            self.members.grow(self.episodes.len());
        }
        self.open += 1;
        self.open - 1
    }

    /// Opens an episode with a frame that begins, for the quiet stations. It comes after all others and has no members yet.
    pub fn open_for(&mut self, heard: &Heard) -> usize {
        let episode = self.open_empty();
        self.episodes[episode].clear();
        self.episodes[episode].begin(heard);
        self.words[episode] = (0, 0);
        episode
    }

    /// Puts quiet stations into an episode that has none in this word.
    #[inline]
    pub fn join(&mut self, episode: usize, word: usize, stations: u64) {
        self.members.row_mut(episode)[word] = stations;
        self.quiet[word] &= !stations;
        self.waiting[word] |= stations;
        let (first, end) = &mut self.words[episode];
        if *end == 0 {
            *first = word as u32;
        }
        *end = word as u32 + 1;
    }

    /// Takes stations out of an episode, to be updated.
    #[inline]
    pub fn leave(&mut self, episode: usize, word: usize, stations: u64) {
        self.members.row_mut(episode)[word] &= !stations;
        self.waiting[word] &= !stations;
    }

    /// Goes on with an episode where a frame reaches its members; divides it where it reaches only some.
    pub fn meet(&mut self, at: usize, heard: &Heard, near: &[u64]) -> Meets {
        let episode = &self.episodes[at];
        let (mut some, mut others) = (0, 0);
        for word in self.words(at) {
            let members = self.members.word(at, word);
            some |= members & near[word];
            others |= members & !near[word];
        }
        if some == 0 || episode.hears(heard.slot) {
            return Meets::None;
        }
        let is_full = episode.frames.len() == MOST_FRAMES;
        let is_crowded = others != 0 && self.open >= MOST_EPISODES;
        if is_full || is_crowded || episode.is_broken_by(heard) {
            if let Some(first) = episode.frames.first() {
                self.shunned[first.frame.from.index()] = SHUNNED;
            }
            return Meets::Breaks;
        }
        let those = if others == 0 { at } else { self.divide(at, near) };
        self.episodes[those].begin(heard);
        Meets::GoesOn
    }

    /// Opens a separate episode for the members in `near`.
    fn divide(&mut self, at: usize, near: &[u64]) -> usize {
        let new = self.open_empty();
        let mut episode = std::mem::take(&mut self.episodes[new]);
        episode.copy_from(&self.episodes[at]);
        self.words[new] = self.words[at];
        for word in self.words(at) {
            let members = self.members.word(at, word);
            self.members.row_mut(new)[word] = members & near[word];
            self.members.row_mut(at)[word] = members & !near[word];
        }
        self.episodes[new] = episode;
        new
    }

    /// Closes an episode if it has no members left, and says so; another may come into its place.
    pub fn close_if_empty(&mut self, episode: usize) -> bool {
        if self.words(episode).any(|word| self.members.word(episode, word) != 0) {
            return false;
        }
        self.open -= 1;
        self.episodes.swap(episode, self.open);
        self.words.swap(episode, self.open);
        for word in self.words(episode) {
            let last = self.members.word(self.open, word);
            self.members.row_mut(self.open)[word] = 0;
            self.members.row_mut(episode)[word] = last;
        }
        true
    }

    /// The episode that a station is in.
    #[inline]
    pub fn episode_of(&self, station: StationId) -> Option<usize> {
        if !bits::has(&self.waiting, station) {
            return None;
        }
        (0..self.open).find(|&episode| self.members.has(episode, station))
    }
}
