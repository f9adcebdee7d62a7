//! A node's router: it hears updates, believes them or not, and says what it knows.

use crate::route::{Route, Table};
use crate::update::{Advert, INFINITE, Update};
use base::{NodeId, Rng, Span, Time, settings};
use std::collections::VecDeque;

/// Routers begin to speak within this time (ns-2: `DSDV_STARTUP_JITTER`).
const STARTUP: Span = Span::secs(2);

/// The longest time of a constant.
const LONGEST: Span = Span::secs(86_400);

settings! {
    /// The constants of all routers. The defaults are those of ns-2 (`perup_`, `wst0_`, `min_update_periods_`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Settings {
        /// With dsdv: the longest time between two full updates of a station. The shortest is three quarters of it.
        period: Span = Span::secs(15), "update_period", Span::millis(100)..=LONGEST;
        /// With dsdv: the settling time of a new destination. A station waits twice as long before it announces a
        /// change.
        settling: Span = Span::secs(6), "settling_time", ..=LONGEST;
        /// With dsdv: the number of periods without news after which a neighbour is lost.
        missed: u32 = 3, "missed_updates", 1..=1000;
    }
}

/// A node's router.
#[derive(Clone, Debug)]
pub struct Router {
    pub(crate) me: NodeId,
    pub(crate) settings: Settings,
    pub(crate) rng: Rng,
    /// Sequence number of its last advertisement.
    pub(crate) sequence: u32,
    pub(crate) next_full: Time,
    /// Time of its last update.
    pub(crate) last_told: Option<Time>,
    pub(crate) table: Table,
    /// Updates, with the times at which they leave.
    pub(crate) outbox: VecDeque<(Time, Update)>,
}

impl Router {
    /// One that knows itself alone.
    pub fn new(me: NodeId, settings: Settings, mut rng: Rng) -> Router {
        let next_full = Time::ZERO + Span((rng.unit() * STARTUP.0 as f64) as u64);
        let mut table = Table::default();
        table.put(Route { is_changed: true, ..Route::own(me, 0, Time::ZERO) });
        let (last_told, outbox) = (None, VecDeque::new());
        Router { me, settings, rng, sequence: 2, next_full, last_told, table, outbox }
    }

    /// The neighbour by which packets go to a destination.
    pub fn way(&self, to: NodeId) -> Option<NodeId> {
        self.table.get(to).filter(|route| route.is_whole()).map(|route| route.by)
    }

    /// Number and metric of what is known of a destination.
    pub fn known(&self, to: NodeId) -> Option<(u32, u8)> {
        self.table.get(to).map(|route| (route.sequence, route.metric))
    }

    /// A packet waits for a way to a destination: it is known from now on that there is such a one.
    pub fn seek(&mut self, to: NodeId, now: Time) {
        if self.table.get(to).is_none() {
            self.table.put(Route::unknown(to, self.settings.settling, now));
        }
    }

    /// Time at which [`Router::on_timeout`] is due.
    pub fn next_timeout(&self) -> Time {
        let routes = self.table.iter().map(|route| route.trigger.min(route.silent_at));
        let leaving = self.outbox.iter().map(|leaving| leaving.0);
        routes.chain(leaving).fold(self.next_full, Time::min)
    }

    /// Time has come: what is to be broadcast is put into `said`. True where ways have changed.
    pub fn on_timeout(&mut self, now: Time, said: &mut Vec<Update>) -> bool {
        let silent = self.table.iter().filter(|route| route.silent_at <= now);
        let silent: Vec<NodeId> = silent.map(|route| route.to).collect();
        for &neighbour in &silent {
            self.lose(neighbour, now);
        }
        if self.next_full <= now {
            self.tell_all(now);
        }
        while let Some(to) = self.triggered(now) {
            self.tell_news(to, now);
        }
        let mut leaving = std::mem::take(&mut self.outbox);
        leaving.retain(|(at, update)| {
            let waits = *at > now;
            if !waits {
                said.push(update.clone());
            }
            waits
        });
        self.outbox = leaving;
        !silent.is_empty()
    }

    /// Finds the first destination for which an update is due.
    fn triggered(&self, now: Time) -> Option<NodeId> {
        self.table.iter().find(|route| route.trigger <= now).map(|route| route.to)
    }

    /// A neighbour has been silent for too long: all ways by it are broken, and their numbers odd.
    fn lose(&mut self, neighbour: NodeId, now: Time) {
        for route in self.table.iter_mut() {
            if route.by == neighbour && route.is_whole() {
                route.metric = INFINITE;
                route.sequence += 1;
                route.advertise_at = now;
                (route.is_renewed, route.is_changed) = (true, true);
                route.trigger = now;
            }
            if route.to == neighbour {
                route.silent_at = Time::NEVER;
            }
        }
    }

    /// An update of a neighbour has come. True where ways have changed.
    pub fn on_update(&mut self, from: NodeId, update: &Update, now: Time) -> bool {
        let mut changes = false;
        for advert in &update.adverts {
            changes |= self.hear(from, advert, now);
        }
        let silent_at = now + self.settings.period * u64::from(self.settings.missed);
        if self.table.get(from).is_none() {
            // It did not speak of itself: it is a neighbour all the same.
            let route = Route::unknown(from, self.settings.settling, now);
            self.table.put(Route { metric: 1, ..route });
            changes = true;
        }
        if let Some(route) = self.table.get_mut(from) {
            route.silent_at = silent_at;
        }
        changes
    }

    /// Handles a neighbour's advertisement of one destination. Returns true if the route there has changed.
    fn hear(&mut self, from: NodeId, advert: &Advert, now: Time) -> bool {
        if advert.to == self.me {
            if advert.metric == INFINITE {
                // Nobody but itself says that it is gone.
                self.next_full = now;
            }
            return false;
        }
        let before = self.table.get(advert.to).copied();
        let heard = self.heard(from, advert, before, now);
        let Some(known) = before else {
            let is_whole = heard.is_whole();
            let trigger = if is_whole { heard.advertise_at } else { Time::NEVER };
            self.table.put(Route { is_changed: is_whole, trigger, ..heard });
            return is_whole;
        };
        if heard.sequence == known.sequence && heard.metric < known.metric {
            let is_changed = heard.metric != known.advertised;
            let trigger = if is_changed { heard.advertise_at } else { known.trigger };
            self.table.put(Route { is_changed, trigger, ..heard });
            return true;
        }
        if heard.sequence > known.sequence {
            let is_changed = heard.metric != known.advertised;
            self.table.put(Route { is_renewed: true, is_changed, ..heard });
            return (known.by, known.is_whole()) != (heard.by, heard.is_whole());
        }
        if heard.sequence < known.sequence && !heard.is_whole() && known.is_whole() {
            // It knows an older number, and a broken way: it shall know better.
            let route = Route { advertise_at: now, is_changed: true, trigger: now, ..known };
            self.table.put(route);
        }
        false
    }

    /// The route that an advertisement offers.
    fn heard(&self, from: NodeId, advert: &Advert, before: Option<Route>, now: Time) -> Route {
        let Advert { to, metric, sequence } = *advert;
        let metric = if metric == INFINITE { metric } else { (metric + 1).min(INFINITE) };
        let unknown = Route::unknown(to, self.settings.settling, now);
        let route = before.unwrap_or(unknown);
        let route = Route { by: from, metric, sequence, changed_at: now, ..route };
        let route = match before {
            Some(known) if known.sequence != sequence => {
                let settled = known.changed_at.since(known.sequence_at);
                let settling = Span((7 * known.settling.0 + settled.0) / 8);
                Route { settling, sequence_at: now, ..route }
            }
            _ => route,
        };
        let was_whole = before.is_none_or(|known| known.is_whole());
        let wait = if route.is_whole() && was_whole { route.settling * 2 } else { Span::ZERO };
        Route { advertise_at: now + wait, ..route }
    }
}
