//! What is sent where there is SACK: NextSeg (RFC 6675 section 4) and the tail loss probe (RFC 8985 section 7).

use super::config::Recovery;
use super::law::{Law, Loss};
use super::rate::{Mark, Sending};
use super::sack::{Phase, Probe};
use super::sender::Sender;
use base::{Span, Time};
use net::Segment;

/// What goes next.
enum Next {
    /// A record of the scoreboard, again.
    Old(u64),
    /// New data of this length.
    New(u64),
}

/// PTO before the first sample (RFC 8985 section 7.2).
const FIRST_PROBE: Span = Span::secs(1);

impl Sender {
    /// Sends what the windows, the reduction and the pace allow.
    pub(super) fn fill_sack(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.alarms.pacing = Time::NEVER;
        let mut together = 0;
        while let Some(next) = self.next_segment() {
            let len = match next {
                Next::Old(number) => self.sack.board.get(number).map_or(0, |r| r.end - r.start),
                Next::New(len) => len,
            };
            if len > self.room() || (together == 0 && !self.pace_allows(now)) {
                return;
            }
            // What leaves together is paced together.
            together = if together == 0 { self.law.bunch() } else { together } - 1;
            match next {
                Next::Old(number) => self.resend(now, number, out),
                Next::New(len) => self.send_new(now, len, out),
            }
        }
        if self.sack.board.pipe() < self.window.whole().saturating_mul(self.mss) {
            self.sack.rate.on_app_limited(self.sack.board.pipe());
        }
    }

    /// RFC 6675 section 4, NextSeg, rules 1 to 4.
    fn next_segment(&mut self) -> Option<Next> {
        if let Some(number) = self.sack.board.next_lost() {
            return Some(Next::Old(number));
        }
        let disorder = self.sack.phase == Phase::Open && self.sack.board.sacked_bytes() > 0;
        if disorder && !self.config.limited_transmit {
            return None;
        }
        if let Some(len) = self.fits_before(self.edge) {
            return Some(Next::New(len));
        }
        let by_count = self.recovery == Recovery::Sack && self.sack.phase == Phase::Recovery;
        if !by_count {
            return None;
        }
        let spare = self.sack.board.next_spare();
        spare.or_else(|| self.rescue()).map(Next::Old)
    }

    /// Rule 4: the highest segment once a recovery, when nothing else is left.
    fn rescue(&mut self) -> Option<u64> {
        if self.sack.rescued.is_some_and(|at| self.una <= at) {
            return None;
        }
        let last = self.sack.board.last()?;
        if self.sack.board.get(last).is_some_and(|record| record.again) {
            return None;
        }
        self.sack.rescued = Some(self.recover);
        Some(last)
    }

    /// Sends `len` bytes of the sequence space from SND.NXT on.
    pub(super) fn send_new(&mut self, now: Time, len: u64, out: &mut Vec<Segment>) {
        let mark = self.mark(now, len);
        self.sack.board.push(now, self.nxt, self.nxt + len, mark);
        if self.sack.phase == Phase::Open && self.sack.board.sacked_bytes() > 0 {
            self.limited_bytes += len;
        }
        self.send_next(now, len, out);
        self.account(len);
        if self.sack.phase == Phase::Open {
            self.arm_probe(now);
        }
    }

    /// Sends record `number` again.
    pub(super) fn resend(&mut self, now: Time, number: u64, out: &mut Vec<Segment>) {
        let Some(record) = self.sack.board.get(number) else { return };
        let (start, len) = (record.start, record.end - record.start);
        let mark = self.mark(now, len);
        self.sack.board.resend(now, number, mark);
        self.emit(now, start, len, out);
        let stamp = self.clock.map(|clock| clock.at(now));
        self.sack.undo.on_resend(stamp);
        self.account(len);
    }

    /// What a segment of `len` bytes takes with it.
    fn mark(&mut self, now: Time, len: u64) -> Mark {
        let (in_flight, lost) = (self.sack.board.pipe(), self.sack.board.lost_total());
        self.sack.rate.on_send(now, Sending { len, in_flight, lost })
    }

    fn account(&mut self, len: u64) {
        if self.sack.phase == Phase::Recovery {
            self.sack.prr.on_send(len);
            self.sack.halving.on_send(self.sack.board.pipe(), self.mss);
        }
    }

    /// Section 7.2: the timer stands for the probe while nothing is SACKed or lost and no probe is out.
    pub(super) fn arm_probe(&mut self, now: Time) {
        let wanted = self.recovery == Recovery::RackTlp
            && self.config.sack.tail_probe
            && self.sack.phase == Phase::Open
            && self.sack.probe.is_none()
            && self.sack.board.sacked_bytes() == 0
            && self.una < self.max;
        if !wanted {
            return;
        }
        let twice = self.rtt.srtt().map_or(FIRST_PROBE, |srtt| Span(srtt.0.saturating_mul(2)));
        // One segment may wait for the delayed acknowledgement's timer.
        let alone = self.max - self.una <= self.mss;
        let delay = if alone { self.config.sack.max_ack_delay } else { Span::ZERO };
        self.timer = now + (twice + delay).min(self.rtt.rto());
        self.timer_is_probe = true;
    }

    /// Section 7.3: new data, or the last segment again; then the timer is the retransmission timer.
    pub(super) fn send_probe(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.timer_is_probe = false;
        self.timer = Time::NEVER;
        let fresh = self.fits_before(self.edge);
        self.sack.probe =
            Some(Probe { end: self.max + fresh.unwrap_or(0), again: fresh.is_none() });
        if let Some(len) = fresh {
            self.send_new(now, len, out);
        } else if let Some(last) = self.sack.board.last() {
            self.resend(now, last, out);
        }
        self.stats.tail_probes += 1;
        self.timer = now + self.rtt.rto();
    }

    /// Section 7.4: was it the probe that repaired a loss?
    pub(super) fn check_probe(&mut self, ack: u64, came_twice: bool) {
        let Some(probe) = self.sack.probe.filter(|probe| ack >= probe.end) else { return };
        self.sack.probe = None;
        if probe.again && !came_twice && ack > probe.end && self.sack.phase == Phase::Open {
            // Hidden by the probe, the loss is a sign of congestion all the same.
            self.remember_for_undo();
            self.lose(Loss::DupAcks);
            self.tell_model_of_repair();
            self.recover = self.una;
        }
    }
}
