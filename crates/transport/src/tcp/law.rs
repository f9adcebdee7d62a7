//! Laws: how the window moves. One file a law, one line in the registry below.
//!
//! The registry gives a law its name in scenarios and lists, and enrols it in the conformance suite
//! (`tests/laws.rs`).

mod reno;

use super::window::Window;
use base::{Span, Time};
pub use reno::Reno;

/// What an acknowledgement of new data tells. One struct, so that a new signal changes no signature.
#[derive(Clone, Copy, Debug)]
pub struct Ack {
    /// When it came.
    pub now: Time,
    /// Newly acknowledged data, segments.
    pub acked: f64,
    /// The round-trip time that it measured, where it did (Karn: never from a retransmission).
    pub rtt: Option<Span>,
    /// Smoothed round-trip time; `None` before the first sample.
    pub srtt: Option<Span>,
    /// The smallest sample so far; `None` before the first.
    pub min_rtt: Option<Span>,
    /// Data in flight before this acknowledgement, segments.
    pub flight: f64,
    /// The window was not what held the sender back: a law does not grow then (RFC 7661; RFC 9002 section 7.8 in
    /// a sentence).
    pub app_limited: bool,
    /// Fast recovery goes on, or ends with this acknowledgement: a law does not grow then.
    pub in_recovery: bool,
    /// What was in flight when the last round began is now acknowledged.
    pub round_ended: bool,
}

/// How a loss was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// By three duplicate acknowledgements.
    DupAcks,
    /// By the retransmission timer.
    Timeout,
}

/// How the window moves. A law sees no packet, no clock and no random number, and allocates nothing.
pub trait Law {
    /// New data are acknowledged.
    fn on_ack(&mut self, w: &mut Window, a: &Ack);

    /// Data were lost. `base` is what RFC 5681 equation 4 halves, in segments: data in flight, or ns-2's window.
    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64);

    /// Fast recovery has ended and the window is as it will be.
    fn on_recovered(&mut self, _w: &mut Window) {}

    /// Nothing was sent for longer than a retransmission timeout; the window is back at `w`.
    fn on_idle(&mut self, _w: &mut Window) {}
}

/// Makes the names and the closed enum of laws: calls need no heap and no table of functions.
macro_rules! laws {
    ($($(#[$doc:meta])* $law:ident => $name:literal, $idea:literal;)+) => {
        /// How the window moves, by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum LawName {
            $($(#[$doc])* $law,)+
        }

        impl LawName {
            /// Every law.
            pub const ALL: &'static [LawName] = &[$(LawName::$law),+];
            /// Every law's name with its idea in a line.
            pub const NAMES: &'static [(&'static str, &'static str)] = &[$(($name, $idea)),+];

            /// The name in scenarios.
            pub fn name(self) -> &'static str {
                match self { $(LawName::$law => $name),+ }
            }

            /// The law of that name.
            pub fn by_name(name: &str) -> Option<LawName> {
                match name {
                    $($name => Some(LawName::$law),)+
                    _ => None,
                }
            }
        }

        /// A law at work.
        #[derive(Clone, Debug)]
        pub enum AnyLaw {
            $($(#[$doc])* $law($law),)+
        }

        impl AnyLaw {
            /// A fresh law.
            pub fn new(name: LawName) -> AnyLaw {
                match name { $(LawName::$law => AnyLaw::$law($law::default())),+ }
            }
        }

        impl Law for AnyLaw {
            fn on_ack(&mut self, w: &mut Window, a: &Ack) {
                match self { $(AnyLaw::$law(law) => law.on_ack(w, a)),+ }
            }
            fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
                match self { $(AnyLaw::$law(law) => law.on_loss(w, why, base)),+ }
            }
            fn on_recovered(&mut self, w: &mut Window) {
                match self { $(AnyLaw::$law(law) => law.on_recovered(w)),+ }
            }
            fn on_idle(&mut self, w: &mut Window) {
                match self { $(AnyLaw::$law(law) => law.on_idle(w)),+ }
            }
        }
    };
}

laws! {
    /// Additive increase, multiplicative decrease by half (RFC 5681).
    Reno => "reno", "one segment more a round trip, half after a loss";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_is_found_by_its_name() {
        for &law in LawName::ALL {
            assert_eq!(LawName::by_name(law.name()), Some(law));
        }
        assert_eq!(LawName::ALL.len(), LawName::NAMES.len());
        assert_eq!(LawName::by_name("rino"), None);
    }
}
