//! The disciplines, and what each decides: which packet is dropped or marked, as it comes or as its turn comes.
//!
//! A discipline is a file with its parameters and its [`Manage`], and a line in the registry.

use super::manage::{Found, Head, Manage, Site, Verdict};
use base::{Options, Parameter, Time, named};

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
    ($($(#[$meta:meta])* $name:ident = $text:literal: $module:ident::$law:ident in $held:ty, departs $departs:literal,
       limit $limit:expr, [$($part:ident),+], $idea:literal, $source:literal;)+) => {
        $(pub(super) mod $module;)+

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
            parameters: &[$($part::Params::ALL),+],
            checks: &[$($part::check),+],
            departs: $departs,
        }),+];

        /// The law of any discipline: a closed list, so that a packet costs a comparison.
        #[derive(Clone, Debug)]
        pub(crate) enum AnyLaw { $($name($held),)+ }

        impl AnyLaw {
            /// The law of a discipline, at rest.
            pub(crate) fn new(discipline: Discipline, site: &Site<'_>) -> AnyLaw {
                match discipline { $(Discipline::$name => AnyLaw::$name($module::$law::new(site))),+ }
            }
        }

        impl Manage for AnyLaw {
            #[inline(always)]
            fn on_arrival(&mut self, now: Time, found: &Found) -> Verdict {
                match self { $(AnyLaw::$name(law) => law.on_arrival(now, found),)+ }
            }

            #[inline(always)]
            fn on_departure(&mut self, now: Time, head: &Head) -> Verdict {
                match self { $(AnyLaw::$name(law) => law.on_departure(now, head),)+ }
            }

            #[inline(always)]
            fn on_empty(&mut self, now: Time) {
                match self { $(AnyLaw::$name(law) => law.on_empty(now),)+ }
            }
        }
    };
}

disciplines! {
    #[default]
    DropTail = "drop_tail": drop_tail::DropTail in drop_tail::DropTail, departs false, limit None, [drop_tail],
        "a packet that finds no room is dropped", "RFC 7567 section 2.1";
    Red = "red": red::Red in Box<red::Red>, departs false, limit None, [red],
        "random early detection: the longer the mean queue, the more arriving packets are dropped",
        "Floyd and Jacobson 1993";
    Codel = "codel": codel::Codel in codel::Codel, departs true, limit Some(1000), [codel],
        "controlled delay: drops at the head while every packet of an interval has waited longer than a target",
        "RFC 8289";
    Pie = "pie": pie::Pie in Box<pie::Pie>, departs true, limit Some(1000), [pie],
        "a controller holds the delay at a target by dropping at random as packets come", "RFC 8033";
    FqCodel = "fq_codel": flows::Codel in flows::Codel, departs true, limit Some(10_240), [flows, codel],
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
