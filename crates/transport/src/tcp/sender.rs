//! The sending end: the connection's states, and which part of the sender answers what comes.

mod choosing;
mod observe;

use super::auto::Chooser;
use super::config::{EcnMode, TcpConfig};
use super::law::{AnyLaw, Law};
use super::repair::Repair;
use super::sequence::FIRST_DATA;
use super::tcb::Tcb;
use base::Time;
use net::{Flags, Segment};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Closed,
    /// `passive`: answers a SYN, and so sends no third segment of the handshake.
    SynSent {
        passive: bool,
    },
    Established,
}

/// The sending end of a connection.
///
/// After each call ask [`Sender::next_timeout`] again; the segments to send are appended to `out`.
#[derive(Clone, Debug)]
pub struct Sender {
    state: State,
    tcb: Tcb,
    repair: Repair,
    /// Picks the variant, where that is wanted.
    chooser: Option<Box<Chooser>>,
}

impl Sender {
    /// A closed end with the law that `config` names.
    pub fn new(config: &TcpConfig) -> Sender {
        Sender::with_law(Arc::new(config.clone()), AnyLaw::new(config.law, &config.law_options))
    }

    /// A closed end with this law, whichever `config` names.
    pub fn with_law(config: Arc<TcpConfig>, law: AnyLaw) -> Sender {
        let repair = Repair::new(&law, &config);
        Sender { state: State::Closed, tcb: Tcb::new(config, law), repair, chooser: None }
    }

    /// A law that draws begins here: before the connection is opened.
    pub fn salt(&mut self, salt: f64) {
        self.tcb.law.salt(salt);
    }

    /// Opens the connection: sends the SYN, or begins at once where the configuration has no handshake.
    pub fn open(&mut self, now: Time, out: &mut Vec<Segment>) {
        if self.state != State::Closed {
            return;
        }
        if self.tcb.config.handshake {
            self.state = State::SynSent { passive: false };
            self.tcb.send_syn(now, out);
        } else {
            self.tcb.open_at_once(now);
            self.state = State::Established;
            self.choose(now);
            self.fill(now, out);
        }
    }

    /// Waits for the acknowledgement of a SYN-ACK that goes out now, from the other half of this end. It goes out again
    /// when the SYN comes again: then the first round trip is not timed, and the window begins at one segment (RFC 5681
    /// section 3.1).
    pub fn open_passively(&mut self, now: Time) {
        if self.state == State::Closed {
            self.state = State::SynSent { passive: true };
            self.tcb.rtt.on_send(now, FIRST_DATA);
            self.tcb.note_syn(now);
        } else if self.state == (State::SynSent { passive: true }) {
            self.tcb.rtt.stop_timing();
            self.tcb.window.cwnd = 1.0;
        }
    }

    /// A FIN follows what was offered so far.
    pub fn close(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.tcb.seq.close();
        if self.state == State::Established {
            self.fill(now, out);
        }
    }

    /// The application offers `bytes` more; `u64::MAX`: without end.
    pub fn write(&mut self, now: Time, bytes: u64, out: &mut Vec<Segment>) {
        self.tcb.seq.offer(bytes);
        if self.state == State::Established {
            self.tcb.restart_after_idle(now);
            self.choose(now);
            self.fill(now, out);
            self.tcb.watch_window(now);
        }
    }

    /// The application offers nothing beyond what was sent so far.
    pub fn stop_writing(&mut self) {
        self.tcb.seq.stop_offering();
    }

    /// A segment comes from the receiver.
    pub fn on_segment(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) {
        // RFC 9293 section 3.10.7.4: what was never sent cannot be acknowledged.
        if !segment.flags.has(Flags::ACK) || segment.ack > self.tcb.seq.max() {
            return;
        }
        if let State::SynSent { passive } = self.state {
            return self.on_syn_ack(now, segment, passive, out);
        }
        let opened = self.tcb.seq.take_window(segment);
        self.tcb.timestamps.note(segment);
        self.note_echo(now, segment);
        self.repair.on_segment(&mut self.tcb, now, segment, opened, out);
        self.tcb.seq.note_window(segment.window);
        let seq = &self.tcb.seq;
        if seq.is_idle() || seq.is_shut() || self.tcb.timers.is_persisting() {
            self.tcb.watch_window(now);
            self.note_pause(now);
        }
    }

    #[cold]
    fn on_syn_ack(&mut self, now: Time, segment: &Segment, passive: bool, out: &mut Vec<Segment>) {
        if segment.ack != FIRST_DATA {
            return;
        }
        let tcb = &mut self.tcb;
        if !tcb.config.rto.times_handshake {
            tcb.rtt.stop_timing();
        }
        tcb.rtt.on_ack(now, FIRST_DATA);
        if tcb.stats.retransmits > 0 {
            tcb.rtt.after_lost_syn();
        }
        self.state = State::Established;
        tcb.seq.on_established();
        tcb.timestamps.note(segment);
        tcb.seq.on_first_window(segment.window);
        tcb.timers.restart(Time::NEVER);
        self.choose(now);
        let before = out.len();
        self.fill(now, out);
        if out.len() == before && !passive {
            // Nothing to carry it: the handshake's third segment goes alone.
            self.tcb.send_empty(now, self.tcb.seq.nxt(), out);
        }
        self.tcb.watch_window(now);
    }

    /// RFC 3168 section 6.1.2: a mark counts as a loss, once a round trip, unless the window was cut in it already.
    #[inline]
    fn note_echo(&mut self, now: Time, segment: &Segment) {
        let tcb = &mut self.tcb;
        if tcb.config.ecn != EcnMode::Off && tcb.hears_of_marks(now, segment) {
            let cut = self.repair.in_recovery() || tcb.seq.una() < tcb.losses.recover();
            if !cut {
                tcb.cut_for_mark(self.repair.loss_base(tcb));
            }
        }
    }

    /// The time of [`Sender::next_timeout`] has come.
    pub fn on_timeout(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.on_alarms(now, out);
        let tcb = &mut self.tcb;
        if now < tcb.timers.retransmission() {
            return;
        }
        if tcb.timers.is_probe() {
            return self.repair.probe(tcb, now, out);
        }
        tcb.rtt.stop_timing();
        if self.repair.times_each_packet() && self.state == State::Established {
            return self.repair.time_out(tcb, now, out);
        }
        tcb.stats.timeouts += 1;
        tcb.rtt.back_off();
        tcb.timers.restart(tcb.rto_from(now));
        if self.state == State::Established {
            self.repair.time_out(tcb, now, out);
        } else {
            // RFC 5681 section 3.1: after a lost SYN the initial window is one segment.
            tcb.window.cwnd = 1.0;
            tcb.send_syn(now, out);
        }
    }

    /// Takes all outstanding data for lost, as if their timer had expired.
    pub fn expire(&mut self, now: Time, out: &mut Vec<Segment>) {
        if self.state == State::Established && !self.tcb.seq.is_idle() {
            self.repair.make_due(now);
            self.tcb.timers.restart(now);
            self.on_timeout(now, out);
        }
    }

    fn on_alarms(&mut self, now: Time, out: &mut Vec<Segment>) {
        if self.tcb.timers.take_reorder(now) {
            self.repair.on_reorder_timeout(&mut self.tcb, now, out);
        }
        if self.tcb.timers.take_pacing(now) {
            self.fill(now, out);
        }
        if self.tcb.timers.take_persist(now) {
            self.probe_window(now, out);
        }
    }

    /// The window is probed, or a piece sent that fits it (RFC 9293 sections 3.8.6.1 and 3.8.6.2.1).
    fn probe_window(&mut self, now: Time, out: &mut Vec<Segment>) {
        let tcb = &mut self.tcb;
        tcb.stats.window_probes += 1;
        let room = tcb.seq.edge().saturating_sub(tcb.seq.nxt());
        if room > 0 {
            return self.repair.send_piece(tcb, now, room, out);
        }
        // An old number and no data: the receiver answers with its window.
        tcb.send_empty(now, tcb.seq.una().saturating_sub(1), out);
        tcb.await_persist(now);
    }

    /// Returns the time for [`Sender::on_timeout`]; [`Time::NEVER`]: no timer runs.
    #[inline]
    pub fn next_timeout(&self) -> Time {
        self.tcb.timers.next()
    }

    /// Sends what the windows allow from SND.NXT on.
    fn fill(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.repair.fill(&mut self.tcb, now, out);
    }
}
