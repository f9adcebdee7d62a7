//! What a router knows of one destination, and the table of all.

use crate::update::INFINITE;
use base::{NodeId, Span, Time};

/// Longer than any run: what has no news of its own is not told of.
const NEXT_WEEK: Span = Span::secs(604_800);

/// What a router knows of one destination.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    pub to: NodeId,
    /// The neighbour that it goes by.
    pub by: NodeId,
    pub metric: u8,
    pub sequence: u32,
    /// From then on it may be told of: a better way of the same number may still come before.
    pub advertise_at: Time,
    /// Its number is news.
    pub is_renewed: bool,
    /// Its metric is news.
    pub is_changed: bool,
    /// When an update is due that tells of it.
    pub trigger: Time,
    /// Of a neighbour: when nothing has been heard of it for too long.
    pub silent_at: Time,
    /// The metric of the last update that told of it.
    pub advertised: u8,
    /// When the way was last changed.
    pub changed_at: Time,
    /// When its number was first heard.
    pub sequence_at: Time,
    /// How long after a new number the best metric comes, smoothed: the weighted settling time.
    pub settling: Span,
}

impl Route {
    /// Of a destination that nothing is known of.
    pub fn unknown(to: NodeId, settling: Span, now: Time) -> Route {
        Route {
            to,
            by: to,
            metric: INFINITE,
            sequence: 0,
            advertise_at: now + NEXT_WEEK,
            is_renewed: false,
            is_changed: false,
            trigger: Time::NEVER,
            silent_at: Time::NEVER,
            advertised: 0,
            changed_at: now,
            sequence_at: now,
            settling,
        }
    }

    /// A router's way to itself.
    pub fn own(to: NodeId, sequence: u32, now: Time) -> Route {
        Route {
            metric: 0,
            sequence,
            advertise_at: Time::ZERO,
            is_renewed: true,
            ..Route::unknown(to, Span::ZERO, now)
        }
    }

    /// True where packets can go by it.
    pub fn is_whole(&self) -> bool {
        self.metric != INFINITE
    }

    /// True where the next update tells of it.
    pub fn is_news(&self, now: Time) -> bool {
        (self.is_renewed || self.is_changed) && self.advertise_at <= now
    }
}

/// All routes, by destination.
#[derive(Clone, Debug, Default)]
pub struct Table(Vec<Route>);

impl Table {
    fn place(&self, to: NodeId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&to.0, |route| route.to.0)
    }

    pub fn get(&self, to: NodeId) -> Option<&Route> {
        self.place(to).ok().map(|at| &self.0[at])
    }

    pub fn get_mut(&mut self, to: NodeId) -> Option<&mut Route> {
        self.place(to).ok().map(|at| &mut self.0[at])
    }

    /// In the place of what is known of its destination.
    pub fn put(&mut self, route: Route) {
        match self.place(route.to) {
            Ok(at) => self.0[at] = route,
            Err(at) => self.0.insert(at, route),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Route> {
        self.0.iter()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Route> {
        self.0.iter_mut()
    }
}
