//! What a receiver has of the MPDUs of an agreement (the scoreboard context of full-state operation, 802.11-2020,
//! 10.25.6.3 to 10.25.6.5), with running numbers in the place of sequence numbers.

use crate::dot11::Bitmap;
use std::collections::VecDeque;

/// A receiver's record.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    /// The first number of its window.
    start: u64,
    /// For each number of its window: whether it has come.
    came: VecDeque<bool>,
}

impl Scoreboard {
    /// An empty one for a window of MPDUs.
    pub fn new(window: u32) -> Scoreboard {
        Scoreboard { start: 0, came: VecDeque::from(vec![false; window as usize]) }
    }

    /// An MPDU comes; one beyond the window moves it.
    pub fn take(&mut self, number: u64) {
        self.move_to((number + 1).saturating_sub(self.came.len() as u64));
        let place = number.checked_sub(self.start);
        if let Some(came) = place.and_then(|place| self.came.get_mut(place as usize)) {
            *came = true;
        }
    }

    /// A request comes, by which nothing before `number` will come again.
    pub fn move_to(&mut self, number: u64) {
        let steps = number.saturating_sub(self.start);
        for _ in 0..steps.min(self.came.len() as u64) {
            self.came.pop_front();
            self.came.push_back(false);
        }
        self.start += steps;
    }

    /// The acknowledgement: the first number that it tells of, and what has come from there on. Of a window with more than 256
    /// MPDUs it tells of those from `oldest` on.
    pub fn tell(&self, oldest: u64) -> (u64, Bitmap) {
        let all = self.came.len();
        let skipped = if all > 256 { oldest.saturating_sub(self.start) } else { 0 };
        let mut words = [0; 4];
        let told = self.came.iter().skip(skipped as usize).take(256).enumerate();
        told.filter(|(_, came)| **came).for_each(|(bit, _)| words[bit / 64] |= 1 << (bit % 64));
        let bitmap = if all > 64 { Bitmap::Long(words) } else { Bitmap::Short(words[0]) };
        (self.start + skipped, bitmap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_follows_the_newest_and_requests() {
        let mut board = Scoreboard::new(64);
        [0, 2, 63].into_iter().for_each(|number| board.take(number));
        assert_eq!(board.tell(0), (0, Bitmap::Short(1 << 63 | 0b101)));
        board.take(65);
        assert_eq!(board.tell(0), (2, Bitmap::Short(1 << 63 | 1 << 61 | 1)));
        board.move_to(64);
        assert_eq!(board.tell(64), (64, Bitmap::Short(0b10)));
        board.take(3);
        board.move_to(1000);
        assert_eq!(board.tell(1000), (1000, Bitmap::Short(0)));
    }

    #[test]
    fn a_long_window_has_a_long_bitmap() {
        let mut board = Scoreboard::new(256);
        board.take(255);
        assert_eq!(board.tell(0), (0, Bitmap::Long([0, 0, 0, 1 << 63])));
        let mut board = Scoreboard::new(1024);
        board.take(300);
        assert_eq!(board.tell(300), (300, Bitmap::Long([1, 0, 0, 0])));
    }
}
