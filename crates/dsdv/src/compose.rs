//! Contents of updates, and their times.

use crate::route::Route;
use crate::router::Router;
use crate::update::{Advert, Update};
use base::{NodeId, Span, Time};

/// Broadcasts wait for up to this long, so that neighbours do not speak at once (ns-2: `DSDV_BROADCAST_JITTER`).
const JITTER: Span = Span::millis(10);

/// The least time between an update and one that news has triggered (ns-2: `DSDV_MIN_TUP_PERIOD`).
const APART: Span = Span::secs(1);

impl Router {
    /// The time of the next full update: three quarters of the period to all of it from now.
    fn after_full(&mut self, now: Time) -> Time {
        now + Span((self.settings.period.0 as f64 * (0.75 + 0.25 * self.rng.unit())) as u64)
    }

    /// The period is over.
    pub(crate) fn tell_all(&mut self, now: Time) {
        self.send(true, now);
        self.next_full = self.after_full(now);
        self.last_told = Some(now);
    }

    /// An update is due that tells of a route.
    pub(crate) fn tell_news(&mut self, at: NodeId, now: Time) {
        let possible = self.last_told.map_or(now, |last| last + APART);
        if now < possible {
            for route in self.table.iter_mut().filter(|route| route.trigger < possible) {
                route.trigger = if route.to == at { possible } else { Time::NEVER };
            }
            return;
        }
        if let Some(route) = self.table.get_mut(at) {
            route.trigger = Time::NEVER;
        }
        match self.send(false, now) {
            None => return,
            Some(true) => self.next_full = self.after_full(now),
            Some(false) => {}
        }
        self.last_told = Some(now);
    }

    /// Puts an update on its way; whether it was a full one, if there was something to say.
    fn send(&mut self, is_full: bool, now: Time) -> Option<bool> {
        let update = self.compose(is_full, now)?;
        let is_full = update.is_full;
        let wait = Span((self.rng.unit() * JITTER.0 as f64) as u64);
        self.outbox.push_back((now + wait, update));
        Some(is_full)
    }

    /// Composes an update. If much has changed it has all routes.
    fn compose(&mut self, is_full: bool, now: Time) -> Option<Update> {
        let news = self.table.iter().filter(|route| route.is_news(now)).count();
        let is_full = is_full || (news > 3 && 3 * news > self.table.iter().count());
        if is_full {
            self.sequence += 2;
            self.table.put(Route::own(self.me, self.sequence, now));
        }
        let mut adverts = Vec::new();
        for route in self.table.iter_mut() {
            if !(route.is_news(now) || (is_full && route.advertise_at <= now)) {
                continue;
            }
            let &mut Route { to, metric, sequence, .. } = route;
            adverts.push(Advert { to, metric, sequence });
            route.advertised = metric;
            route.is_renewed = false;
            // A metric that is news is repeated until a full update has told it.
            route.is_changed &= !is_full;
        }
        (!adverts.is_empty()).then_some(Update { adverts, is_full })
    }
}
