//! Laws: how the window moves. One file a law, one line in the registry below.
//!
//! The registry gives a law its name in scenarios and lists, the parameters that can be set, and enrols it in the
//! conformance suite (`conformance::laws`). A law from outside (Python) comes in by [`Custom`].

mod custom;
mod interface;
mod least;
mod round;
#[cfg(test)]
mod testing;

pub use super::window::Loss;
use super::window::Window;
use base::{Options, Parameter};
pub use custom::{Custom, CustomLaw};
pub use interface::{Ack, Flown, Law};

/// A law as lists show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawRow {
    /// The name in scenarios.
    pub name: &'static str,
    /// When it was published.
    pub year: u16,
    /// Where.
    pub paper: &'static str,
    /// The idea in a line.
    pub idea: &'static str,
}

/// Makes the names and the closed enum of laws: calls need no heap and no table of functions.
macro_rules! laws {
    ($($module:ident::$law:ident => $name:literal, $year:literal, $paper:literal, $idea:literal;)+) => {
        $(mod $module;)+
        $(pub use $module::$law;)+

        /// How the window moves, by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum LawName {
            $(#[doc = $paper] $law,)+
        }

        impl LawName {
            /// Every law.
            pub const ALL: &'static [LawName] = &[$(LawName::$law),+];
            /// Every law's row in lists, in the order of [`LawName::ALL`].
            pub const ROWS: &'static [LawRow] =
                &[$(LawRow { name: $name, year: $year, paper: $paper, idea: $idea }),+];

            /// The law of that name.
            pub fn by_name(name: &str) -> Option<LawName> {
                match name {
                    $($name => Some(LawName::$law),)+
                    _ => None,
                }
            }

            /// What can be set.
            pub fn parameters(self) -> &'static [Parameter] {
                match self { $(LawName::$law => $module::Params::ALL),+ }
            }
        }

        /// A law at work.
        #[derive(Clone, Debug)]
        pub enum AnyLaw {
            $(#[doc = $paper] $law($law),)+
            /// A law from outside.
            Custom(Custom),
        }

        impl AnyLaw {
            /// A fresh law with these parameters.
            pub fn new(name: LawName, options: &Options) -> AnyLaw {
                match name { $(LawName::$law => AnyLaw::$law($law::new(options))),+ }
            }
        }

        /// Calls a method of whichever law it is.
        macro_rules! each {
            ($self:ident, $one:ident => $call:expr) => {
                match $self {
                    $(AnyLaw::$law($one) => $call,)+
                    AnyLaw::Custom($one) => $call,
                }
            };
        }
    };
}

laws! {
    reno::Reno => "reno", 1988, "Jacobson, SIGCOMM 1988; RFC 5681",
        "adds a segment each round trip, halves the window after a loss";
    vegas::Vegas => "vegas", 1995, "Brakmo and Peterson, JSAC 13(8), 1995",
        "keeps a few segments in the queue, judged by the round-trip time";
    veno::Veno => "veno", 2003, "Fu and Liew, JSAC 21(2), 2003",
        "Reno that blames a loss without a queue on the radio and keeps 4/5 of the window";
    westwood::Westwood => "westwood", 2001, "Mascolo et al., MobiCom 2001",
        "after a loss the window is the estimated bandwidth times the smallest round-trip time";
    westwood_plus::WestwoodPlus => "westwood+", 2004, "Grieco and Mascolo, CCR 34(2), 2004",
        "Westwood with one bandwidth sample a round trip";
    bic::Bic => "bic", 2004, "Xu, Harfoush and Rhee, INFOCOM 2004",
        "searches the window of the last loss by halving the distance to it";
    biad::Biad => "biad", 2012, "Tsiknas and Stamatelos, J. Comput. Netw. Commun. 2012, 806272",
        "grows like BIC and reduces its window like Westwood";
    cubic::Cubic => "cubic", 2008, "Ha, Rhee and Xu, SIGOPS OSR 42(5), 2008; RFC 9438",
        "grows as a cubic of the time since the last loss, flat near the window of that loss";
    highspeed::HighSpeed => "highspeed", 2003, "RFC 3649",
        "the larger the window, the more a round adds and the less a loss takes";
    scalable::Scalable => "scalable", 2003, "Kelly, CCR 33(2), 2003",
        "adds 0.01 segments on each acknowledgement, takes off an eighth after a loss";
    htcp::Htcp => "htcp", 2004, "Leith and Shorten, PFLDnet 2004",
        "grows with the square of the time since the last loss";
    hybla::Hybla => "hybla", 2004, "Caini and Firrincieli, Int. J. Satell. Commun. 22(5), 2004",
        "lets a long path grow as fast as one with a round trip of 25 ms";
    illinois::Illinois => "illinois", 2006, "Liu, Basar and Srikant, VALUETOOLS 2006",
        "the queueing delay sets how much a round adds and a loss takes";
    yeah::Yeah => "yeah", 2007, "Baiocchi, Castellani and Vacirca, PFLDnet 2007",
        "Scalable while the queue is short, Reno when it is long";
    ledbat::Ledbat => "ledbat", 2012, "RFC 6817",
        "keeps at most 100 ms of queue and yields to all other traffic";
    lp::Lp => "lp", 2003, "Kuzmanovic and Knightly, INFOCOM 2003",
        "low priority: halves its window at the first sign of a queue, gives way at the second";
    dctcp::Dctcp => "dctcp", 2010, "Alizadeh et al., SIGCOMM 2010; RFC 8257",
        "reduces its window in proportion to the share of marked segments";
    bbr::Bbr => "bbr", 2016, "Cardwell et al., ACM Queue 14(5), 2016",
        "sends by the highest rate and the smallest delay seen lately, whatever is lost";
    bbr3::Bbr3 => "bbr3", 2023, "draft-ietf-ccwg-bbr",
        "BBR that limits itself after losses and leaves room to others";
}

impl LawName {
    /// The law's row in lists.
    pub const fn row(self) -> &'static LawRow {
        &LawName::ROWS[self as usize]
    }

    /// The name in scenarios.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// True where the law holds a model of the path ([`Law::model_based`]).
    pub fn is_model_based(self) -> bool {
        AnyLaw::new(self, &Options::default()).model_based()
    }

    /// The parameter of that name.
    pub fn parameter(self, name: &str) -> Option<&'static Parameter> {
        self.parameters().iter().find(|parameter| parameter.name == name)
    }
}

impl Law for AnyLaw {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        each!(self, law => law.on_ack(w, a));
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        each!(self, law => law.on_loss(w, why, base));
    }

    fn on_recovered(&mut self, w: &mut Window) {
        each!(self, law => law.on_recovered(w));
    }

    fn on_idle(&mut self, w: &mut Window) {
        each!(self, law => law.on_idle(w));
    }

    fn undo(&mut self, w: &mut Window) {
        each!(self, law => law.undo(w));
    }

    fn pacing_rate(&self) -> Option<f64> {
        each!(self, law => law.pacing_rate())
    }

    fn bunch(&self) -> u32 {
        each!(self, law => law.bunch())
    }

    fn model_based(&self) -> bool {
        each!(self, law => law.model_based())
    }

    fn state(&self) -> &'static str {
        each!(self, law => law.state())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_is_found_by_its_name() {
        for &law in LawName::ALL {
            assert_eq!(LawName::by_name(law.name()), Some(law));
            assert!(!law.row().idea.is_empty() && law.row().year > 1980);
        }
        assert_eq!(LawName::by_name("rino"), None);
    }

    #[test]
    fn every_parameter_is_found_and_says_what_it_means() {
        for &law in LawName::ALL {
            for p in law.parameters() {
                assert_eq!(law.parameter(p.name), Some(p));
                assert!(p.meaning.len() > 10, "{} {}", law.name(), p.name);
                assert!(p.choices.is_empty() || p.default < p.choices.len() as f64);
            }
        }
    }
}
