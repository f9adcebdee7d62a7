//! The scoreboard's records in the order of their last transmission: what RACK walks.

use super::Scoreboard;
use crate::tcp::record::NONE;

impl Scoreboard {
    /// The segment in the network whose last transmission is the oldest.
    pub fn oldest_sent(&self) -> Option<u64> {
        (self.oldest != NONE).then_some(self.oldest)
    }

    /// The next after `number` in the order of transmission.
    pub fn sent_after(&self, number: u64) -> Option<u64> {
        self.get(number).map(|record| record.newer).filter(|&newer| newer != NONE)
    }

    /// Puts a record that is sent now behind all others.
    pub(super) fn link(&mut self, number: u64) {
        self.link_after(number, self.newest);
    }

    /// Puts a record that was sent before back where it belongs.
    pub(super) fn link_in_order(&mut self, number: u64) {
        let Some(sent) = self.get(number).map(|record| record.sent) else { return };
        let mut place = self.newest;
        while let Some(record) = self.get(place).filter(|record| record.sent > sent) {
            place = record.older;
        }
        self.link_after(number, place);
    }

    /// Puts record `number` behind `older`, or first.
    fn link_after(&mut self, number: u64, older: u64) {
        let newer = self.get(older).map_or(self.oldest, |record| record.newer);
        if let Some(record) = self.at(number) {
            (record.linked, record.older, record.newer) = (true, older, newer);
        }
        match self.at(older) {
            Some(record) => record.newer = number,
            None => self.oldest = number,
        }
        match self.at(newer) {
            Some(record) => record.older = number,
            None => self.newest = number,
        }
    }

    pub(super) fn unlink(&mut self, number: u64) {
        let Some(record) = self.at(number).filter(|record| record.linked) else { return };
        record.linked = false;
        let (older, newer) = (record.older, record.newer);
        match self.at(older) {
            Some(record) => record.newer = newer,
            None => self.oldest = newer,
        }
        match self.at(newer) {
            Some(record) => record.older = older,
            None => self.newest = older,
        }
    }
}
