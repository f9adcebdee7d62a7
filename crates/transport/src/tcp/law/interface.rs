//! The interface of laws.

use crate::tcp::outside::{Known, RawAck};
use crate::tcp::window::{Loss, Window};
use base::{Parameter, Span, Time};
use std::mem::offset_of;

/// A law's source and parameters, as lists show them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawRow {
    /// The year of publication.
    pub year: u16,
    /// The publication.
    pub paper: &'static str,
    /// The parameters that a scenario can set.
    pub parameters: &'static [Parameter],
}

/// The signals of an acknowledgement of new data. One struct, so that a new signal changes no signature.
///
/// It begins as [`RawAck`] does, whose layout it has: a law from another library reads it where it is.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Ack {
    /// The arrival time.
    pub now: Time,
    /// The round-trip time that it measured, where it did (Karn: never from a retransmission).
    pub rtt: Known<Span>,
    /// Smoothed round-trip time; not known before the first sample.
    pub srtt: Known<Span>,
    /// The smallest sample so far; not known before the first.
    pub min_rtt: Known<Span>,
    /// Delivery rate that the newest segment acknowledged measured, segments/s (draft-cheng-iccrg-delivery-rate-
    /// estimation section 3.3); not known where the sample is not valid, or the recovery keeps no record of segments.
    pub delivery_rate: Known<f64>,
    /// Newly acknowledged data, segments.
    pub acked: f64,
    /// Data in flight before this acknowledgement, segments: from SND.UNA to SND.NXT, whatever became of them.
    pub flight: f64,
    /// Data in the network after this acknowledgement, segments: without what is known to have arrived or to be
    /// lost (RFC 6675's pipe; in recoveries without SACK, `flight` less `acked`).
    pub inflight: f64,
    /// Data delivered to the receiver since the connection began, segments; SACKed data count once, when SACKed.
    pub delivered: f64,
    /// `delivered` at the time when the newest segment acknowledged was sent (its P.delivered), segments.
    pub delivered_at_send: f64,
    /// Segments newly marked lost since the last acknowledgement that the law saw.
    pub lost: f64,
    /// Data newly told to be marked, segments: all of `acked` with an echo; where the receiver counts (RFC 9768), what it
    /// counted since the last acknowledgement that a law was told of.
    pub marked: f64,
    /// The size of a full segment, bytes.
    pub mss: u32,
    /// The window was not what held the sender back: a law does not grow then (RFC 7661; RFC 9002 section 7.8 in
    /// a sentence).
    pub app_limited: bool,
    /// Fast recovery goes on, or ends with this acknowledgement: a law does not grow then.
    pub in_recovery: bool,
    /// True where the data in flight when the last round began are now acknowledged.
    pub round_ended: bool,
    /// While the newest segment acknowledged was sent the application, not a window, held the sender back: its rate may be
    /// too low.
    pub rate_app_limited: bool,
    /// The acknowledgement carries the echo of a congestion mark (ECE, RFC 3168 section 6.1).
    pub ece: bool,
    // A law from another library does not see what follows.
    /// The acknowledgement carries SACK blocks.
    pub selective: bool,
    /// The advance of the acknowledgement, segments: `acked`, and segments SACKed before.
    pub covered: f64,
    /// The flight of the newest segment acknowledged.
    pub flown: Flown,
    /// The flight of the segment that was marked lost last, where one was since the last acknowledgement that a law was
    /// told of.
    pub lost_flown: Option<Flown>,
}

/// Asserts that fields of [`Ack`] are where those of [`RawAck`] are.
macro_rules! same_places {
    ($($own:ident $raw:ident),+ $(,)?) => {
        const _: () = { $(assert!(offset_of!(Ack, $own) == offset_of!(RawAck, $raw));)+ };
    };
}

same_places! {
    now now_ns, rtt rtt_ns, srtt srtt_ns, min_rtt min_rtt_ns, delivery_rate delivery_rate, acked acked, flight flight,
    inflight inflight, delivered delivered, delivered_at_send delivered_at_send, lost lost, marked marked, mss mss,
    app_limited app_limited, in_recovery in_recovery, round_ended round_ended, rate_app_limited rate_app_limited, ece ece,
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
            rtt: None.into(),
            srtt: None.into(),
            min_rtt: None.into(),
            flight: 1.0,
            inflight: 0.0,
            app_limited: false,
            in_recovery: false,
            round_ended: false,
            delivery_rate: None.into(),
            delivered: 1.0,
            delivered_at_send: 0.0,
            rate_app_limited: false,
            flown: Flown { flight: 1.0, lost: 0.0 },
            lost_flown: None,
            lost: 0.0,
            selective: false,
            ece: false,
            marked: 0.0,
            mss: 1460,
        }
    }
}

/// The movement of the window. A law sees no packet, no clock and no random number, and allocates nothing.
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

    /// Returns the sending rate, segments/s; `None`: as the window allows (or at the rate that the sender
    /// derives from the window, where the configuration asks for pacing).
    fn pacing_rate(&self) -> Option<f64> {
        None
    }

    /// Segments that leave together where they are paced: what Linux hands on at once.
    fn bunch(&self) -> u32 {
        1
    }

    /// Returns true where the law holds a model of the path, as BBR does: it then decides its own window in
    /// recoveries too, where PRR or rate halving would hold another's, and is notified when the repairs after
    /// a timeout end.
    fn model_based(&self) -> bool {
        false
    }

    /// The shortest time between two answers to congestion marks where the receiver counts them (RFC 9768): a round trip, and
    /// at least this.
    fn least_round(&self) -> Span {
        Span::ZERO
    }

    /// A law that draws begins here; any other takes no notice.
    fn salt(&mut self, _salt: f64) {}

    /// The law's state, for probes: empty where it has only one.
    fn state(&self) -> &'static str {
        ""
    }
}
