//! MPDUs of cells with access categories: the bodies that may go again, and what the receivers have.

use crate::scoreboard::Scoreboard;
use base::StationId;
use std::collections::VecDeque;
use wifi::qos::Category;

/// An MPDU as it was when it went for the first time.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Its sequence number.
    pub sequence: u16,
    /// The subframes of several packets.
    pub is_amsdu: bool,
    /// The packet, or the subframes.
    pub bytes: Vec<u8>,
}

/// What a station sends another in a category.
#[derive(Clone, Debug)]
pub struct Agreement {
    from: StationId,
    to: StationId,
    category: Category,
    /// Number of the first in `bodies`.
    first: u64,
    bodies: VecDeque<Body>,
    /// What the receiver has.
    pub board: Scoreboard,
}

impl Agreement {
    /// Forgets what will not go again: what is before `oldest`.
    pub fn forget(&mut self, oldest: u64) {
        while self.first < oldest && self.bodies.pop_front().is_some() {
            self.first += 1;
        }
        self.first = self.first.max(oldest);
    }

    /// Keeps the body of an MPDU.
    pub fn keep(&mut self, number: u64, body: Body) {
        let Some(place) = number.checked_sub(self.first) else { return };
        let place = place as usize;
        if self.bodies.len() <= place {
            self.bodies.resize(place + 1, Body::default());
        }
        self.bodies[place] = body;
    }

    /// The body of an MPDU that goes, perhaps again.
    pub fn body(&self, number: u64) -> Option<&Body> {
        self.bodies.get(number.checked_sub(self.first)? as usize)
    }
}

/// All agreements of an element of the air.
#[derive(Clone, Debug)]
pub struct Agreements {
    all: Vec<Agreement>,
    /// MPDUs of a window.
    window: u32,
    /// A-MPDUs so far.
    aggregates: u32,
}

impl Agreements {
    /// None yet; each will have this window, in MPDUs.
    pub fn new(window: u32) -> Agreements {
        Agreements { all: Vec::new(), window, aggregates: 0 }
    }

    /// What `from` sends `to` in a category.
    pub fn of(&mut self, from: StationId, to: StationId, category: Category) -> &mut Agreement {
        let same = |own: &Agreement| (own.from, own.to, own.category) == (from, to, category);
        let place = self.all.iter().position(same).unwrap_or_else(|| {
            let (bodies, board) = (VecDeque::new(), Scoreboard::new(self.window));
            self.all.push(Agreement { from, to, category, first: 0, bodies, board });
            self.all.len() - 1
        });
        &mut self.all[place]
    }

    /// The reference number of the next A-MPDU.
    pub fn next_reference(&mut self) -> u32 {
        self.aggregates = self.aggregates.wrapping_add(1);
        self.aggregates
    }
}

/// The traffic identifier of a category: a user priority that maps to it (802.11-2020, table 10-1).
pub fn tid(category: Category) -> u8 {
    match category {
        Category::Background => 1,
        Category::BestEffort => 0,
        Category::Video => 5,
        Category::Voice => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_kept_until_they_will_not_go_again() {
        let mut all = Agreements::new(64);
        let own = all.of(StationId(1), StationId(0), Category::Video);
        let body = |sequence| Body { sequence, ..Body::default() };
        (0..4).for_each(|number| own.keep(number, body(number as u16)));
        own.forget(2);
        let seen = [1, 2, 3, 4].map(|number| own.body(number).map(|body| body.sequence));
        assert_eq!(seen, [None, Some(2), Some(3), None]);
        own.forget(9);
        own.keep(9, body(9));
        assert_eq!(own.body(9).map(|body| body.sequence), Some(9));
    }
}
