//! Transmissions where there is SACK: NextSeg (RFC 6675 section 4), and their amount.

use super::{Selective, reduction};
use crate::tcp::config::{Recovery, Reduction};
use crate::tcp::law::Law;
use crate::tcp::rate::{PacketState, Sending};
use crate::tcp::tcb::Tcb;
use base::Time;
use net::Segment;

/// The next transmission.
enum Next {
    /// A record of the scoreboard, again.
    Old(u64),
    /// New data of this length.
    New(u64),
}

impl Selective {
    /// Sends what the windows, the reduction and the pace allow.
    pub fn fill(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        self.send_allowed(tcb, now, out);
        tcb.note_use(self.board.pipe());
    }

    fn send_allowed(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        tcb.timers.wait_for_pace(false);
        let mut sent: u32 = 0;
        while let Some(next) = self.next_segment(tcb) {
            let len = match next {
                Next::Old(number) => self.board.get(number).map_or(0, |r| r.end - r.start),
                Next::New(len) => len,
            };
            // A FIN that rides on full data needs no room of its own: the window counts data.
            if len.min(tcb.seq.mss()) > self.room(tcb) {
                return;
            }
            // What leaves together is paced together.
            if tcb.timers.next_send() > now && sent % tcb.law.bunch().max(1) == 0 {
                return tcb.timers.wait_for_pace(true);
            }
            sent += 1;
            match next {
                Next::Old(number) => self.resend(tcb, now, number, out),
                Next::New(len) => self.send_new(tcb, now, len, out),
            }
        }
        if self.board.pipe() < tcb.window_bytes() {
            self.rate.on_app_limited(self.board.pipe());
        }
    }

    /// RFC 6675 section 4, NextSeg, rules 1 to 4.
    fn next_segment(&mut self, tcb: &Tcb) -> Option<Next> {
        if let Some(number) = self.board.next_lost() {
            return Some(Next::Old(number));
        }
        let disorder = self.is_open() && self.board.sacked_bytes() > 0;
        if disorder && !tcb.config.limited_transmit {
            return None;
        }
        if let Some(len) = tcb.seq.fits_before(tcb.seq.edge()) {
            return Some(Next::New(len));
        }
        // Rules 3 and 4 make up for losses that counting does not see; RACK's probe does that for the other recovery.
        let by_count = tcb.config.recovery == Recovery::Sack && self.in_recovery();
        if !by_count {
            return None;
        }
        let spare = self.board.next_spare();
        spare.or_else(|| self.rescue(tcb)).map(Next::Old)
    }

    /// Rule 4: the highest segment once a recovery, when nothing else is left.
    fn rescue(&mut self, tcb: &Tcb) -> Option<u64> {
        if self.rescued.is_some_and(|at| tcb.seq.una() <= at) {
            return None;
        }
        let last = self.board.last()?;
        if self.board.get(last).is_some_and(|record| record.again) {
            return None;
        }
        self.rescued = Some(tcb.losses.recover());
        Some(last)
    }

    /// Returns the bytes that may still be sent.
    fn room(&self, tcb: &Tcb) -> u64 {
        let reduction = self.in_recovery().then(|| reduction(tcb));
        let limit = match reduction {
            Some(Reduction::Prr | Reduction::PrrNs3) => return self.prr.allowance(),
            Some(Reduction::RateHalving) => {
                self.halving.limit(tcb.window.whole() / 2, tcb.seq.mss())
            }
            Some(Reduction::ThresholdHalving) => {
                self.halving.limit(tcb.window.whole(), tcb.seq.mss())
            }
            Some(Reduction::Pipe) | None => tcb.window_bytes(),
        };
        limit.saturating_sub(self.board.pipe())
    }

    /// The window that proportional rate reduction leaves in recovery, bytes.
    pub fn reduced_window(&self, tcb: &Tcb) -> Option<u64> {
        let reduces = self.in_recovery() && reduction(tcb) == Reduction::Prr;
        reduces.then(|| self.board.pipe() + self.prr.allowance())
    }

    /// Sends `len` bytes of the sequence space from SND.NXT on.
    pub fn send_new(&mut self, tcb: &mut Tcb, now: Time, len: u64, out: &mut Vec<Segment>) {
        let packet = self.packet_state(now, len);
        self.board.push(now, tcb.seq.nxt(), tcb.seq.nxt() + len, packet);
        if self.is_open() && self.board.sacked_bytes() > 0 {
            tcb.losses.note_limited(len);
        }
        tcb.send_next(now, len, out);
        self.account(tcb, len);
        self.arm_probe(tcb, now);
    }

    /// Sends record `number` again.
    pub fn resend(&mut self, tcb: &mut Tcb, now: Time, number: u64, out: &mut Vec<Segment>) {
        let Some(record) = self.board.get(number) else { return };
        let (start, len) = (record.start, record.end - record.start);
        let packet = self.packet_state(now, len);
        self.board.resend(now, number, packet);
        tcb.emit(now, start, len, out);
        self.undo.on_resend(tcb.timestamps.value(now));
        self.account(tcb, len);
    }

    /// Returns the sampler state for a segment of `len` bytes.
    fn packet_state(&mut self, now: Time, len: u64) -> PacketState {
        let (in_flight, lost) = (self.board.pipe(), self.board.lost_total());
        self.rate.on_send(now, Sending { len, in_flight, lost })
    }

    fn account(&mut self, tcb: &Tcb, len: u64) {
        if self.in_recovery() {
            self.prr.on_send(len);
            self.halving.on_send(self.board.pipe(), tcb.seq.mss());
        }
    }

    /// Makes the timer a probe of the tail while nothing is SACKed or lost.
    pub fn arm_probe(&self, tcb: &mut Tcb, now: Time) {
        if self.is_open() && self.board.sacked_bytes() == 0 {
            tcb.arm_probe(now);
        }
    }

    /// Probes the tail with `fresh` bytes, or with the last segment again.
    pub fn probe(&mut self, tcb: &mut Tcb, now: Time, fresh: Option<u64>, out: &mut Vec<Segment>) {
        if let Some(len) = fresh {
            self.send_new(tcb, now, len, out);
        } else if let Some(last) = self.board.last() {
            self.resend(tcb, now, last, out);
        }
    }
}
