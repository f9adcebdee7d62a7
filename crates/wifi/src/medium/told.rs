//! Updates of lazy bystanders: see [`super::bystanders`].

use super::Medium;
use super::bits;
use super::bystanders::{Bystanders, Heard, Meets};
use super::frame::Slot;
use crate::exchange::Frame;
use crate::mlme::GROUP;
use base::{Span, StationId};

/// For fewer bystanders an episode costs more than it saves: measured on saturated stations around one access point.
const WORTH_WAITING: u32 = 4;

impl Medium {
    /// Lets bystanders wait from now on, where what they will have heard does not depend on when that is asked: nothing
    /// moves, no channel beside power loses frames, and an answer follows before anybody else could begin.
    pub(super) fn let_bystanders_wait(&mut self) {
        let sense_times = self.nodes.iter().map(|node| node.sense_time);
        self.sense_time = sense_times.max().unwrap_or(Span::ZERO);
        let spaces = self.nodes.iter().map(|node| node.waits.difs.min(node.waits.after_error));
        let space = spaces.min().unwrap_or(Span::ZERO);
        self.answers_first =
            self.nodes.iter().all(|node| node.waits.sifs + self.sense_time <= space);
        let is_simple = self.is_one_channel
            && self.managers.is_empty()
            && self.errors.is_none()
            && self.edca.is_none();
        let is_worth_it = self.nodes.len() > 2 * WORTH_WAITING as usize;
        if !(self.links.are_still() && is_simple && self.answers_first && is_worth_it) {
            return;
        }
        self.bystanders = Some(Bystanders::new(self.nodes.len()));
        for station in (0..self.nodes.len() as u32).map(StationId) {
            self.note_quiet(station);
        }
    }

    /// Updates all stations with everything, and follows every frame as it happens from now on.
    pub(super) fn tell_all(&mut self) {
        while self.bystanders.as_ref().is_some_and(|bystanders| bystanders.open() > 0) {
            self.tell_episode(0);
        }
        self.bystanders = None;
        self.part_clocks();
    }

    /// A station may be quiet again.
    #[inline]
    pub(super) fn note_quiet(&mut self, station: StationId) {
        let Some(bystanders) = &mut self.bystanders else { return };
        let node = &self.nodes[station.index()];
        let is_quiet = node.is_at_leisure() && !node.is_engaged();
        if is_quiet && self.frames.is_clear_at(station) {
            bystanders.note_quiet(station);
        }
    }

    /// Begins a frame at the stations that will be updated later.
    pub(super) fn spread_to_bystanders(&mut self, slot: Slot, frame: &Frame) {
        self.tell_station(frame.to);
        let sure_w = self.sure_w(frame);
        let heard = Heard { frame: *frame, slot, sure_w, is_on_air: true };
        self.go_on_with_episodes(&heard);
        self.open_episode(&heard);
    }

    /// Opens an episode for the quiet stations that a frame reaches, if they are enough to be worth it.
    fn open_episode(&mut self, heard: &Heard) {
        let (from, to, start) = (heard.frame.from, heard.frame.to, heard.frame.start);
        let Some(bystanders) = &mut self.bystanders else { return };
        let (followers, words) = (self.links.followers(from), self.links.words_near(from));
        if bystanders.shuns(from) {
            return;
        }
        let quiet = |word: usize| bystanders.quiet_among(word, followers[word]).count_ones();
        if words.clone().map(quiet).sum::<u32>() < WORTH_WAITING {
            return;
        }
        let episode = bystanders.open_for(heard);
        for word in words {
            let mut quiet = bystanders.quiet_among(word, followers[word]);
            quiet &= !bits::of_word(word, to);
            if quiet != 0 {
                quiet &= !self.starts.between(word, (start, start + self.sense_time));
                bystanders.join(episode, word, quiet);
                self.starts.forget(word, quiet);
            }
        }
        bystanders.close_if_empty(episode);
    }

    /// The next episode from this one on that a frame of `from` may have to do with.
    #[inline]
    fn next_near(&self, episode: usize, from: StationId) -> Option<usize> {
        self.bystanders.as_ref()?.next_between(episode, &self.links.words_near(from))
    }

    /// A frame begins amid episodes: they go on with it.
    fn go_on_with_episodes(&mut self, heard: &Heard) {
        let from = heard.frame.from;
        let mut next = 0;
        while let Some(episode) = self.next_near(next, from) {
            let near = self.links.near(from);
            let met = self.bystanders.as_mut().map(|all| all.meet(episode, heard, near));
            let is_open = met != Some(Meets::Breaks) || self.tell_those_near(episode, from);
            next = episode + usize::from(is_open);
        }
    }

    /// Makes all stations that hear `from` follow its frame as it happens.
    pub(super) fn tell_all_near(&mut self, from: StationId) {
        let mut next = 0;
        while let Some(episode) = self.next_near(next, from) {
            next = episode + usize::from(self.tell_those_near(episode, from));
        }
    }

    /// Updates the members of an episode that a frame of `from` reaches; returns false if none is left in it.
    fn tell_those_near(&mut self, episode: usize, from: StationId) -> bool {
        for word in self.links.words_near(from) {
            let near = self.links.near(from)[word];
            self.tell_some(episode, word, near);
        }
        self.is_left_open(episode)
    }

    /// Ends a frame for the stations that have not been updated with it. Those that notice no sender any more are updated
    /// now, unless the next frame of the exchange follows and will be heard.
    pub(super) fn end_for_bystanders(&mut self, slot: Slot, frame: &Frame) {
        let next = if frame.to == frame.from { frame.from } else { frame.to };
        let goes_on = next != GROUP && self.nodes[next.index()].reply.is_some();
        let mut first = 0;
        while let Some(episode) = self.next_near(first, frame.from) {
            first =
                episode + usize::from(self.end_in_episode(episode, slot, goes_on.then_some(next)));
        }
    }

    /// False where nobody is left in the episode.
    fn end_in_episode(&mut self, episode: usize, slot: Slot, next: Option<StationId>) -> bool {
        let Some(bystanders) = &mut self.bystanders else { return false };
        let present = bystanders.episode_mut(episode);
        if !present.end(slot) {
            return true;
        }
        if let Some(next) = next {
            present.await_next(next);
        }
        for word in bystanders.words(episode) {
            self.tell_some(episode, word, !self.still_followed(episode, word));
        }
        self.is_left_open(episode)
    }

    /// One word of the set of stations that notice a sender of an episode, or will within a SIFS.
    fn still_followed(&self, episode: usize, word: usize) -> u64 {
        let Some(bystanders) = &self.bystanders else { return 0 };
        let senders = bystanders.episode(episode).senders();
        senders.fold(0, |all, sender| all | self.links.followers(sender)[word])
    }

    /// Somebody will not go on with an exchange after all.
    pub(super) fn give_up_waiting_for(&mut self, station: StationId) {
        let mut episode = 0;
        while let Some(bystanders) = self.bystanders.as_ref().filter(|all| episode < all.open()) {
            if bystanders.episode(episode).awaits(station) {
                self.tell_episode(episode);
            } else {
                episode += 1;
            }
        }
    }

    /// Updates a station before it takes part in an exchange.
    pub(super) fn tell_station(&mut self, station: StationId) {
        let of = self.bystanders.as_ref().and_then(|bystanders| bystanders.episode_of(station));
        if let Some(episode) = of {
            let word = station.index() / bits::WORD;
            self.tell_some(episode, word, bits::of_word(word, station));
            self.is_left_open(episode);
        }
    }

    fn tell_episode(&mut self, episode: usize) {
        let words = self.bystanders.as_ref().map(|all| all.words(episode));
        for word in words.unwrap_or_default() {
            self.tell_some(episode, word, u64::MAX);
        }
        self.is_left_open(episode);
    }

    /// False where an episode has no members any more and was closed.
    fn is_left_open(&mut self, episode: usize) -> bool {
        self.bystanders.as_mut().is_some_and(|bystanders| !bystanders.close_if_empty(episode))
    }

    /// Tells members of an episode among `stations`, and takes them out of it.
    fn tell_some(&mut self, episode: usize, word: usize, stations: u64) {
        let Some(bystanders) = &mut self.bystanders else { return };
        let those = bystanders.members(episode, word) & stations;
        if those == 0 {
            return;
        }
        bystanders.leave(episode, word, those);
        let told = std::mem::take(bystanders.episode_mut(episode));
        let is_over = !told.frames.iter().any(|heard| heard.is_on_air);
        let others = if is_over { self.tell_at_a_glance((word, those), &told) } else { those };
        for at in bits::stations(word, others) {
            self.catch_up(at, &told, is_over);
        }
        if let Some(bystanders) = &mut self.bystanders {
            *bystanders.episode_mut(episode) = told;
            if is_over {
                bystanders.note_all_quiet(word, those);
            }
        }
    }
}
