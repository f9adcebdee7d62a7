//! The disciplines, and what each decides: which packet is dropped or marked, as it comes or as its turn comes.
//!
//! A discipline is a file with its [`Row`], its parameters and its [`Manage`], and a row in the registry.

pub(super) mod cake;
pub(super) mod codel;
mod drop_tail;
pub(super) mod dual;
pub(super) mod flows;
pub(super) mod mac80211;
mod pie;
mod red;
mod row;

use super::manage::{Found, Head, Manage, Site, Verdict};
use base::{Options, Parameter, Time, registry};
pub use row::Row;

registry! {
    /// Queue discipline: admission, drops, marks and order of service.
    #[derive(Default)]
    pub enum Discipline, "queue discipline",
    /// The law of any discipline.
    pub(crate) AnyLaw by disciplines {
        #[default]
        DropTail(drop_tail::DropTail) = "drop_tail": "a packet that finds no room is dropped",
        Red(red::Red, boxed) = "red": "random early detection: the longer the mean queue, the more arriving packets are dropped",
        Codel(codel::Codel, boxed) = "codel": "controlled delay: drops at the head while every packet of an interval has waited longer than a target",
        Pie(pie::Pie, boxed) = "pie": "a controller holds the delay at a target by dropping at random as packets come",
        FqCodel(flows::Open) = "fq_codel": "a queue for each flow, served in turn, and CoDel in each",
        Mac80211(mac80211::Open) = "mac80211": "Linux's queues of a station for each receiver and category, with fq_codel in each; the [qos] table says who is served when",
        DualPi2(dual::Open) = "dualpi2": "a shallow queue for ECT(1) beside one for all else, coupled so that flows of both share the rate",
        Cake(cake::Open) = "cake": "a shaper, tins by DiffServ, fair shares for hosts and their flows, and COBALT for each flow",
    }
}

impl AnyLaw {
    /// The law of a discipline, at rest.
    pub(crate) fn new(discipline: Discipline, site: &Site<'_>) -> AnyLaw {
        disciplines!(make discipline, Law => Law::new(site))
    }
}

impl Manage for AnyLaw {
    #[inline(always)]
    fn on_arrival(&mut self, now: Time, found: &Found) -> Verdict {
        disciplines!(each self, law => law.on_arrival(now, found))
    }

    #[inline(always)]
    fn on_departure(&mut self, now: Time, head: &Head) -> Verdict {
        disciplines!(each self, law => law.on_departure(now, head))
    }

    #[inline(always)]
    fn on_empty(&mut self, now: Time) {
        disciplines!(each self, law => law.on_empty(now));
    }
}

impl Discipline {
    /// Its entry in the list.
    pub fn row(self) -> &'static Row {
        disciplines!(in self, law => &law::ROW)
    }

    /// Checks parameters.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(self, options: &Options) -> Result<(), &'static str> {
        self.row().checks.iter().try_for_each(|check| check(options))
    }

    /// Its parameters, one after the other.
    pub fn parameters(self) -> impl Iterator<Item = &'static Parameter> {
        self.row().parameters.iter().copied().flatten()
    }
}
