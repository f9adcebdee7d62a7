//! Transmissions and retransmissions by the kind of recovery: each kind holds its own state.

mod deliveries;
mod ns2_sack;
mod plain;
mod samples;
mod selective;
mod selective_repeat;
mod undo;

use super::config::{Recovery, TcpConfig};
use super::law::{AnyLaw, Loss};
use super::losses::Phase;
use super::scoreboard::Scoreboard;
use super::tcb::Tcb;
use base::Time;
use net::Segment;
use ns2_sack::Ns2Sack;
use plain::Plain;
use selective::Selective;
use selective_repeat::SelectiveRepeat;

/// The state of a connection's recovery.
#[derive(Clone, Debug)]
// What remembers each segment is large: boxed, it takes no room where it is not used.
// A tag of its own: every segment asks for it, and a tag hidden in a field is computed.
#[repr(u8)]
pub(super) enum Repair {
    /// Tahoe, Reno, NewReno.
    Plain(Plain),
    /// With a scoreboard (RFC 6675, RFC 8985).
    Selective(Box<Selective>),
    /// With a scoreboard by ns-2's rules.
    Ns2Sack(Box<Ns2Sack>),
    /// A timer for each packet.
    Repeat(Box<SelectiveRepeat>),
}

/// Calls a method of whichever recovery it is.
macro_rules! each {
    ($self:ident, $one:ident => $call:expr) => {
        match $self {
            Repair::Plain($one) => $call,
            Repair::Selective($one) => $call,
            Repair::Ns2Sack($one) => $call,
            Repair::Repeat($one) => $call,
        }
    };
}

impl Repair {
    /// Nothing is sent.
    pub fn new(law: &AnyLaw, config: &TcpConfig) -> Repair {
        if config.recovery == Recovery::SelectiveRepeat {
            return Repair::Repeat(Box::default());
        }
        if !config.recovery.uses_sack() {
            return Repair::Plain(Plain::new(law));
        }
        match (config.keeps_ns2_rules(), config.recovery) {
            (true, Recovery::Sack) => Repair::Ns2Sack(Box::new(Ns2Sack::new())),
            _ => Repair::Selective(Box::new(Selective::new())),
        }
    }

    /// Sends what the windows and the pace allow.
    pub fn fill(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        each!(self, kind => kind.fill(tcb, now, out));
    }

    /// A segment comes from the receiver; `opened`: it opens the window.
    #[inline]
    pub fn on_segment(
        &mut self,
        tcb: &mut Tcb,
        now: Time,
        segment: &Segment,
        opened: bool,
        out: &mut Vec<Segment>,
    ) {
        match self {
            Repair::Plain(plain) => plain.on_segment(tcb, now, segment, opened, out),
            Repair::Selective(selective) => selective.on_segment(tcb, now, segment, out),
            Repair::Ns2Sack(sack) => sack.on_segment(tcb, now, segment, out),
            Repair::Repeat(repeat) => repeat.on_segment(tcb, now, segment, out),
        }
    }

    /// The retransmission timer has expired.
    pub fn time_out(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        each!(self, kind => kind.time_out(tcb, now, out));
    }

    /// RACK's time for reordering is over.
    pub fn on_reorder_timeout(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        if let Repair::Selective(selective) = self {
            selective.on_reorder_timeout(tcb, now, out);
        }
    }

    /// RFC 8985 section 7.3: a probe of the tail goes; then the timer is the retransmission timer.
    pub fn probe(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        let fresh = tcb.begin_probe();
        if let Repair::Selective(selective) = self {
            selective.probe(tcb, now, fresh, out);
        }
        tcb.timers.restart(tcb.rto_from(now));
    }

    /// Sends `len` bytes that fit a window too small for a segment (RFC 9293 section 3.8.6.2.1).
    pub fn send_piece(&mut self, tcb: &mut Tcb, now: Time, len: u64, out: &mut Vec<Segment>) {
        match self {
            Repair::Plain(plain) => plain.send_next(tcb, now, len, out),
            Repair::Selective(selective) => selective.send_new(tcb, now, len, out),
            Repair::Ns2Sack(_) => tcb.send_next(now, len, out),
            Repair::Repeat(repeat) => repeat.send_new(tcb, now, len, out),
        }
    }

    /// The timers of all packets that have one have come.
    pub fn make_due(&mut self, now: Time) {
        if let Repair::Repeat(repeat) = self {
            repeat.make_due(now);
        }
    }

    /// Returns true where the timer is that of a packet, not of the connection: it is not backed off and
    /// indicates no loss.
    #[inline]
    pub fn times_each_packet(&self) -> bool {
        matches!(self, Repair::Repeat(_))
    }

    /// Returns the quantity that a loss halves, segments.
    pub fn loss_base(&self, tcb: &Tcb) -> f64 {
        each!(self, kind => kind.loss_base(tcb))
    }

    /// True in fast recovery.
    pub fn in_recovery(&self) -> bool {
        each!(self, kind => kind.in_recovery())
    }

    /// Returns the phase of the sender between losses.
    pub fn phase(&self, tcb: &Tcb) -> Phase {
        // Go-back-N follows the timer, and with Tahoe any loss.
        let goes_back = match tcb.losses.last() {
            Some(Loss::Timeout) => true,
            Some(Loss::DupAcks) => tcb.config.recovery == Recovery::Tahoe,
            Some(Loss::EcnMark) | None => false,
        };
        match self {
            Repair::Selective(selective) => selective.phase(),
            _ if self.in_recovery() => Phase::Recovery,
            _ if tcb.seq.una() < tcb.losses.recover() && goes_back => Phase::Loss,
            _ => Phase::Open,
        }
    }

    /// Returns the scoreboard, where there is SACK.
    pub fn board(&self) -> Option<&Scoreboard> {
        match self {
            Repair::Plain(_) | Repair::Repeat(_) => None,
            Repair::Selective(selective) => Some(selective.board()),
            Repair::Ns2Sack(sack) => Some(sack.board()),
        }
    }

    /// RFC 9937 section 6: in recovery the window is what is in the network and what may be sent beside it. `None`: it is
    /// cwnd.
    pub fn window_bytes(&self, tcb: &Tcb) -> Option<u64> {
        match self {
            Repair::Selective(selective) => selective.reduced_window(tcb),
            Repair::Plain(_) | Repair::Ns2Sack(_) | Repair::Repeat(_) => None,
        }
    }
}
