//! Laws: how the window moves. One file a law, one line in the registry below.
//!
//! The registry gives a law its name in scenarios and lists, the parameters that can be set, and enrols it in the
//! conformance suite (`conformance::laws`). A law from outside (Python) comes in by [`Custom`].

mod custom;
mod least;
mod round;
#[cfg(test)]
mod testing;

use super::window::Window;
use base::parameters;
pub use base::{Options as LawOptions, Parameter, SWITCH};
use base::{Span, Time};
pub use custom::{Custom, CustomLaw};
use round::Delays;

/// What an acknowledgement of new data tells. One struct, so that a new signal changes no signature.
#[derive(Clone, Copy, Debug)]
pub struct Ack {
    /// When it came.
    pub now: Time,
    /// Newly acknowledged data, segments.
    pub acked: f64,
    /// What the acknowledgement has advanced by, segments: `acked`, and what was SACKed before.
    pub covered: f64,
    /// The round-trip time that it measured, where it did (Karn: never from a retransmission).
    pub rtt: Option<Span>,
    /// Smoothed round-trip time; `None` before the first sample.
    pub srtt: Option<Span>,
    /// The smallest sample so far; `None` before the first.
    pub min_rtt: Option<Span>,
    /// Data in flight before this acknowledgement, segments: from SND.UNA to SND.NXT, whatever became of them.
    pub flight: f64,
    /// Data in the network after this acknowledgement, segments: without what is known to have arrived or to be
    /// lost (RFC 6675's pipe; in recoveries without SACK, `flight` less `acked`).
    pub inflight: f64,
    /// The window was not what held the sender back: a law does not grow then (RFC 7661; RFC 9002 section 7.8 in
    /// a sentence).
    pub app_limited: bool,
    /// Fast recovery goes on, or ends with this acknowledgement: a law does not grow then.
    pub in_recovery: bool,
    /// What was in flight when the last round began is now acknowledged.
    pub round_ended: bool,
    /// Delivery rate that the newest segment acknowledged measured, segments/s (draft-cheng-iccrg-delivery-rate-
    /// estimation section 3.3); `None` where the sample is not valid, or the recovery keeps no record of segments.
    pub delivery_rate: Option<f64>,
    /// Data delivered to the receiver since the connection began, segments; SACKed data count once, when SACKed.
    pub delivered: f64,
    /// What `delivered` was when the newest segment acknowledged was sent (its P.delivered), segments.
    pub delivered_at_send: f64,
    /// While that segment was sent the application, not a window, held the sender back: its rate may be too low.
    pub rate_app_limited: bool,
    /// The flight of the newest segment acknowledged.
    pub flown: Flown,
    /// The flight of the segment that was marked lost last, where one was since the last acknowledgement that a law was
    /// told of.
    pub lost_flown: Option<Flown>,
    /// Newly marked lost since the last acknowledgement that a law was told of, segments.
    pub lost: f64,
    /// The acknowledgement carries SACK blocks.
    pub selective: bool,
    /// The acknowledgement carries the echo of a congestion mark (ECE, RFC 3168 section 6.1).
    pub ece: bool,
    /// The size of a full segment, bytes.
    pub mss: u32,
}

impl Ack {
    /// True where a law grows: the window binds, and no recovery goes on.
    pub fn may_grow(&self) -> bool {
        !(self.app_limited || self.in_recovery)
    }
}

/// The network that a segment flew through, segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flown {
    /// In flight when it was sent, itself included (RS.tx_in_flight in draft-ietf-ccwg-bbr).
    pub flight: f64,
    /// Lost since then, itself included where it is (RS.lost).
    pub lost: f64,
}

impl Default for Ack {
    /// One segment of 1460 B acknowledged, and nothing more known.
    fn default() -> Ack {
        Ack {
            now: Time::ZERO,
            acked: 1.0,
            covered: 1.0,
            rtt: None,
            srtt: None,
            min_rtt: None,
            flight: 1.0,
            inflight: 0.0,
            app_limited: false,
            in_recovery: false,
            round_ended: false,
            delivery_rate: None,
            delivered: 1.0,
            delivered_at_send: 0.0,
            rate_app_limited: false,
            flown: Flown { flight: 1.0, lost: 0.0 },
            lost_flown: None,
            lost: 0.0,
            selective: false,
            ece: false,
            mss: 1460,
        }
    }
}

/// How a loss was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// By acknowledgements: three duplicates, or what SACK and RACK make of them.
    DupAcks,
    /// By the retransmission timer.
    Timeout,
    /// Nothing was lost: a router set a congestion mark (RFC 3168), told at most once a round trip.
    EcnMark,
}

/// How the window moves. A law sees no packet, no clock and no random number, and allocates nothing.
pub trait Law {
    /// New data are acknowledged.
    fn on_ack(&mut self, w: &mut Window, a: &Ack);

    /// Data were lost. `base` is what RFC 5681 equation 4 halves, in segments: data in flight, or ns-2's window.
    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64);

    /// Fast recovery has ended and the window is as it will be; for a law that is model-based also: all that a timeout
    /// gave up for lost has arrived.
    fn on_recovered(&mut self, _w: &mut Window) {}

    /// Nothing was sent for longer than a retransmission timeout; the window is `w`, back at its first size where the
    /// configuration says so: the time that passed was none to grow in.
    fn on_idle(&mut self, _w: &mut Window) {}

    /// A loss proved spurious (DSACK, Eifel, F-RTO). The sender has already put back this law, as it was before
    /// `on_loss`, and the window, which is no smaller than it was then: most laws add nothing.
    fn undo(&mut self, _w: &mut Window) {}

    /// How fast to send, segments/s; `None`: as the window allows (or at the rate that the sender derives from
    /// the window, where the configuration asks for pacing).
    fn pacing_rate(&self) -> Option<f64> {
        None
    }

    /// Segments that leave together where they are paced: what Linux hands on at once.
    fn bunch(&self) -> u32 {
        1
    }

    /// The law holds a model of the path, as BBR does: it decides its own window in recoveries too, where PRR or rate
    /// halving would hold another's, and is told when the repairs after a timeout end.
    fn model_based(&self) -> bool {
        false
    }

    /// The law's state, for probes: empty where it has only one.
    fn state(&self) -> &'static str {
        ""
    }
}

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
            pub fn new(name: LawName, options: &LawOptions) -> AnyLaw {
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
        "one segment more a round trip, half after a loss";
    vegas::Vegas => "vegas", 1995, "Brakmo and Peterson, JSAC 13(8), 1995",
        "keeps a few segments waiting in the queue, seen by the round-trip time";
    veno::Veno => "veno", 2003, "Fu and Liew, JSAC 21(2), 2003",
        "Reno that takes a loss without a queue for the radio's: then 4/5 remain";
    westwood::Westwood => "westwood", 2001, "Mascolo et al., MobiCom 2001",
        "a loss leaves what the filtered bandwidth says that the path holds";
    westwood_plus::WestwoodPlus => "westwood+", 2004, "Grieco and Mascolo, CCR 34(2), 2004",
        "Westwood with one bandwidth sample a round trip";
    bic::Bic => "bic", 2004, "Xu, Harfoush and Rhee, INFOCOM 2004",
        "searches the window of the last loss by halves";
    biad::Biad => "biad", 2012, "Tsiknas and Stamatelos, J. Comput. Netw. Commun. 2012, 806272",
        "BIC's search upwards, Westwood's estimate downwards";
    cubic::Cubic => "cubic", 2008, "Ha, Rhee and Xu, SIGOPS OSR 42(5), 2008; RFC 9438",
        "a cubic of the time since the last loss, flat where it came";
    highspeed::HighSpeed => "highspeed", 2003, "RFC 3649",
        "the larger the window, the more a round adds and the less a loss takes";
    scalable::Scalable => "scalable", 2003, "Kelly, CCR 33(2), 2003",
        "a hundredth more an acknowledgement, an eighth less a loss";
    htcp::Htcp => "htcp", 2004, "Leith and Shorten, PFLDnet 2004",
        "grows with the square of the time since the last loss";
    hybla::Hybla => "hybla", 2004, "Caini and Firrincieli, Int. J. Satell. Commun. 22(5), 2004",
        "a long path grows as fast as one of 25 ms";
    illinois::Illinois => "illinois", 2006, "Liu, Basar and Srikant, VALUETOOLS 2006",
        "the queueing delay sets how much a round adds and a loss takes";
    yeah::Yeah => "yeah", 2007, "Baiocchi, Castellani and Vacirca, PFLDnet 2007",
        "Scalable while the queue is short, Reno when it is long";
    ledbat::Ledbat => "ledbat", 2012, "RFC 6817",
        "fills the path up to 100 ms of queue and yields to everybody";
    lp::Lp => "lp", 2003, "Kuzmanovic and Knightly, INFOCOM 2003",
        "low priority: halves at the first sign of a queue, and leaves at the second";
    dctcp::Dctcp => "dctcp", 2010, "Alizadeh et al., SIGCOMM 2010; RFC 8257",
        "cuts in proportion to how many segments were marked";
    bbr::Bbr => "bbr", 2016, "Cardwell et al., ACM Queue 14(5), 2016",
        "paces at the greatest rate and the least delay seen lately, whatever is lost";
    bbr3::Bbr3 => "bbr3", 2023, "draft-ietf-ccwg-bbr",
        "BBR that bounds itself by what it lost, and leaves room to others";
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
        AnyLaw::new(self, &LawOptions::default()).model_based()
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
