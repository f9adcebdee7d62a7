//! A router's knowledge of one destination, and the table of all.

use crate::update::INFINITE;
use base::{NodeId, Span, Time};

/// Longer than any run: a route without news is not advertised.
const NEXT_WEEK: Span = Span::secs(604_800);

/// A router's knowledge of one destination.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    pub to: NodeId,
    /// The neighbour that it goes by.
    pub by: NodeId,
    pub metric: u8,
    pub sequence: u32,
    /// Time from which it may be advertised: a better route of the same number may still come before.
    pub advertise_at: Time,
    /// Its number is news.
    pub is_renewed: bool,
    /// Its metric is news.
    pub is_changed: bool,
    /// Time at which an update that advertises it is due.
    pub trigger: Time,
    /// For a neighbour: time at which it has been silent for too long.
    pub silent_at: Time,
    /// Metric in the last update that advertised it.
    pub advertised: u8,
    /// Time of the last change of the route.
    pub changed_at: Time,
    /// Time at which its number was first heard.
    pub sequence_at: Time,
    /// Smoothed time from a new number to its best metric: the weighted settling time.
    pub settling: Span,
}

impl Route {
    /// Creates the route to an unknown destination.
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

    /// Returns true if the next update advertises it.
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
