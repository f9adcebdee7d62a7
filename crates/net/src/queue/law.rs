//! The disciplines, and what each decides: which packet is dropped or marked, as it comes or as its turn comes.
//!
//! A discipline is a file with its parameters and its [`Manage`], and a line in the registry.

use super::codel::Codel;
use super::drop_tail::DropTail;
use super::limit::Backlog;
use super::pie::Pie;
use super::red::Red;
use base::{Options, Parameter, Purpose, Rate, Rng, Seed, Span, Time, named};

/// What a discipline does with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Take,
    /// It stays, with a congestion mark (RFC 3168): only where [`Arrival::markable`](super::Arrival) says that it can bear one.
    Mark,
    /// It goes.
    Drop,
}

/// What a packet finds as it comes.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// What waits.
    pub backlog: Backlog,
    /// Since when the device has had nothing to do, where it has nothing.
    pub idle_since: Option<Time>,
    /// The packet can bear a congestion mark.
    pub markable: bool,
}

/// A packet whose turn has come.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// How long it has waited.
    pub sojourn: Span,
    /// Packets that stay behind it, and their bytes.
    pub left: (u32, u64),
    /// It can bear a congestion mark.
    pub markable: bool,
}

/// What a discipline decides about the packets of one line, first in, first out. A full queue is not its business.
pub(crate) trait Manage {
    /// A packet comes, and there is room for it.
    fn on_arrival(&mut self, _now: Time, _found: &Found) -> Verdict {
        Verdict::Take
    }

    /// A packet would be sent. It is asked again for the next one after each drop.
    fn on_departure(&mut self, _now: Time, _head: &Head) -> Verdict {
        Verdict::Take
    }

    /// The device asked for a packet, and none was there.
    fn on_empty(&mut self, _now: Time) {}
}

/// What a discipline is built from.
pub(crate) struct Site<'a> {
    /// The values that a scenario sets.
    pub options: &'a Options,
    /// Bits per second of the device behind the queue, as its data sheet says.
    pub rate: Rate,
    /// Of its random numbers: the root, what they are for, and whose they are.
    pub seed: Seed,
    pub purpose: Purpose,
    pub owner: u64,
}

impl Site<'_> {
    /// Its own stream of random numbers.
    pub fn rng(&self) -> Rng {
        self.seed.stream(self.purpose, self.owner)
    }
}

/// Says what is wrong with parameters.
pub type Check = fn(&Options) -> Result<(), &'static str>;

/// A discipline as lists show it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The discipline.
    pub discipline: Discipline,
    /// Where it is written down.
    pub source: &'static str,
    /// Packets that it holds where nothing is said; `None`: the scenario's default.
    pub limit: Option<u32>,
    /// Its parameters.
    pub parameters: &'static [&'static [Parameter]],
    /// What is wrong with values that contradict each other or cannot be.
    pub checks: &'static [Check],
    /// It decides when packets depart, or in which order: the device must ask for each.
    pub departs: bool,
}

macro_rules! disciplines {
    ($($(#[$meta:meta])* $name:ident = $text:literal: $law:ident, departs $departs:literal, limit $limit:expr,
       [$($module:ident),+], $idea:literal, $source:literal;)+) => {
        named! {
            /// Who waits, who is dropped, who is marked, who is next.
            #[derive(Default)]
            pub enum Discipline, "queue discipline" { $($(#[$meta])* $name = $text: $idea,)+ }
        }

        /// All disciplines.
        pub const DISCIPLINES: &[Row] = &[$(Row {
            discipline: Discipline::$name,
            source: $source,
            limit: $limit,
            parameters: &[$(super::$module::Params::ALL),+],
            checks: &[$(super::$module::check),+],
            departs: $departs,
        }),+];

        impl AnyLaw {
            /// The law of a discipline, at rest.
            pub(crate) fn new(discipline: Discipline, site: &Site<'_>) -> AnyLaw {
                match discipline { $(Discipline::$name => AnyLaw::$law($law::new(site))),+ }
            }
        }
    };
}

disciplines! {
    #[default]
    DropTail = "drop_tail": DropTail, departs false, limit None, [drop_tail],
        "who finds no room is dropped", "RFC 7567 section 2.1";
    Red = "red": Red, departs false, limit None, [red],
        "random early detection: the longer the mean queue, the more are dropped as they come",
        "Floyd and Jacobson 1993";
    Codel = "codel": Codel, departs true, limit Some(1000), [codel],
        "controlled delay: drops at the head while every packet of an interval has waited longer than a target",
        "RFC 8289";
    Pie = "pie": Pie, departs true, limit Some(1000), [pie],
        "a controller holds the delay at a target by dropping at random as packets come", "RFC 8033";
    FqCodel = "fq_codel": Codel, departs true, limit Some(10_240), [flows, codel],
        "a queue for each flow, served in turn, and CoDel in each", "RFC 8290";
}

impl Discipline {
    /// Its entry in the list.
    pub fn row(self) -> &'static Row {
        &DISCIPLINES[self as usize]
    }

    /// Whether parameters can be so.
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

/// The law of any discipline: a closed list, so that a packet costs a comparison.
#[derive(Clone, Debug)]
pub(crate) enum AnyLaw {
    DropTail(DropTail),
    Red(Box<Red>),
    Codel(Codel),
    Pie(Box<Pie>),
}

macro_rules! forward {
    ($self:ident, $law:ident => $call:expr) => {
        match $self {
            AnyLaw::DropTail($law) => $call,
            AnyLaw::Red($law) => $call,
            AnyLaw::Codel($law) => $call,
            AnyLaw::Pie($law) => $call,
        }
    };
}

impl Manage for AnyLaw {
    #[inline(always)]
    fn on_arrival(&mut self, now: Time, found: &Found) -> Verdict {
        forward!(self, law => law.on_arrival(now, found))
    }

    #[inline(always)]
    fn on_departure(&mut self, now: Time, head: &Head) -> Verdict {
        forward!(self, law => law.on_departure(now, head))
    }

    #[inline(always)]
    fn on_empty(&mut self, now: Time) {
        forward!(self, law => law.on_empty(now));
    }
}
