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
    /// Newly marked lost since the last acknowledgement that a law was told of, segments.
    pub lost: f64,
    /// The acknowledgement carries the echo of a congestion mark (ECE, RFC 3168 section 6.1).
    pub ece: bool,
    /// The size of a full segment, bytes.
    pub mss: u32,
}

impl Default for Ack {
    /// One segment of 1460 B acknowledged, and nothing more known.
    fn default() -> Ack {
        Ack {
            now: Time::ZERO,
            acked: 1.0,
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
            lost: 0.0,
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

    /// Fast recovery has ended and the window is as it will be.
    fn on_recovered(&mut self, _w: &mut Window) {}

    /// Nothing was sent for longer than a retransmission timeout; the window is back at `w`.
    fn on_idle(&mut self, _w: &mut Window) {}

    /// A loss proved spurious (DSACK, Eifel, F-RTO). The sender has already put back this law, as it was before
    /// `on_loss`, and the window, which is no smaller than it was then: most laws add nothing.
    fn undo(&mut self, _w: &mut Window) {}

    /// How fast to send, segments/s; `None`: as the window allows (or at the rate that the sender derives from
    /// the window, where the configuration asks for pacing).
    fn pacing_rate(&self) -> Option<f64> {
        None
    }

    /// The law's state, for probes: empty where it has only one.
    fn state(&self) -> &'static str {
        ""
    }
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
            fn undo(&mut self, w: &mut Window) {
                match self { $(AnyLaw::$law(law) => law.undo(w)),+ }
            }
            fn pacing_rate(&self) -> Option<f64> {
                match self { $(AnyLaw::$law(law) => law.pacing_rate()),+ }
            }
            fn state(&self) -> &'static str {
                match self { $(AnyLaw::$law(law) => law.state()),+ }
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
