//! SACK as ns-2's `Agent/TCP/Sack1` has it (tcp-sack1.cc, scoreboard-rq.cc): a pipe counted in packets by the
//! acknowledgements that come, and a scoreboard that each new acknowledgement outside recovery empties, with what it
//! knew of retransmissions. A duplicate counts when its blocks say something that the scoreboard did not know; while
//! duplicates are counted only limited transmit sends, and the duplicate that begins a recovery sends one segment.

use super::law::{Law, Loss};
use super::record::News;
use super::sender::Sender;
use base::Time;
use net::Segment;

impl Sender {
    /// An acknowledgement comes that is not old.
    pub(super) fn on_ns2_sack(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) {
        let ack = segment.ack;
        if ack < self.una {
            return;
        }
        let acked = ack - self.una;
        let mut news = News::default();
        if self.in_recovery {
            self.ns2_pipe -= 1;
        }
        let partial = acked > 0 && self.in_recovery && ack < self.recover;
        if acked > 0 && !partial {
            let rtt = self.rtt.on_ack(now, ack);
            let mut told = self.describe(now, ack, rtt);
            told.in_recovery = self.in_recovery;
            self.advance(ack, &mut news);
            self.sack.board.forget_sacks();
            self.dup_acks = 0;
            self.last_loss = None;
            self.restart_timer(now);
            if self.in_recovery {
                self.in_recovery = false;
                // From here on a loss counts wherever it is.
                self.recover = 0;
                self.law.on_recovered(&mut self.window);
            }
            self.grow(&told);
        } else if partial {
            self.ns2_pipe -= 1;
            self.advance(ack, &mut news);
            self.take_blocks(segment, &mut news);
            self.restart_timer(now);
        } else if self.last_loss != Some(Loss::Timeout) && self.una < self.max {
            self.on_ns2_duplicate(now, segment, &mut news, out);
            return;
        }
        self.fill(now, out);
    }

    fn advance(&mut self, ack: u64, news: &mut News) {
        self.sack.board.acknowledge(ack, news);
        (self.una, self.nxt) = (ack, self.nxt.max(ack));
        self.limited_bytes = 0;
    }

    fn take_blocks(&mut self, segment: &Segment, news: &mut News) {
        for (start, end) in segment.sack_blocks() {
            if start >= self.una && start < end && end <= self.max {
                self.sack.board.sack(start, end, news);
            }
        }
    }

    fn on_ns2_duplicate(
        &mut self,
        now: Time,
        segment: &Segment,
        news: &mut News,
        out: &mut Vec<Segment>,
    ) {
        let known = self.sack.board.told_bytes();
        self.take_blocks(segment, news);
        let changed = self.sack.board.told_bytes() > known;
        self.stats.dup_acks += 1;
        if self.in_recovery {
            return self.fill(now, out);
        }
        if changed {
            self.dup_acks += 1;
            if self.dup_acks == self.config.dup_thresh && self.una > self.recover {
                self.enter_ns2_recovery(now, out);
            } else if self.dup_acks < self.config.dup_thresh {
                self.ns2_single(now, out);
            }
        } else if self.dup_acks == 0 {
            self.fill(now, out);
        }
    }

    fn enter_ns2_recovery(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.stats.fast_retransmits += 1;
        let out_segments = (self.max - self.una) / self.mss;
        self.ns2_pipe = out_segments as i64 - i64::from(self.config.dup_thresh);
        self.lose(Loss::DupAcks);
        self.rtt.stop_timing();
        self.restart_timer(now);
        self.in_recovery = true;
        self.repair_ns2(now, self.una, out);
    }

    /// Sends the segment at `seq` again. After a timeout it may not have been sent since: what lies before it is not
    /// sent either.
    fn repair_ns2(&mut self, now: Time, seq: u64, out: &mut Vec<Segment>) {
        let number = self.sack.board.starting_at(seq);
        if let Some((number, end)) = number.and_then(|n| Some((n, self.sack.board.get(n)?.end))) {
            self.resend(now, number, out);
            self.ns2_repaired = end;
            return;
        }
        self.nxt = self.nxt.max(seq);
        if let Some(len) = self.fits_before(self.edge) {
            self.ns2_repaired = self.nxt + len;
            self.send_new(now, len, out);
        }
    }

    /// ns-2's `send_one`: as far beyond cwnd as there are duplicates.
    fn ns2_single(&mut self, now: Time, out: &mut Vec<Segment>) {
        if !self.config.limited_transmit {
            return;
        }
        let end = self.window_end(f64::from(self.dup_acks));
        if let Some(len) = self.fits_before(end) {
            self.send_new(now, len, out);
        }
    }

    /// ns-2's `send_much`.
    pub(super) fn fill_ns2(&mut self, now: Time, out: &mut Vec<Segment>) {
        if !self.in_recovery {
            let end = self.window_end(0.0);
            while let Some(len) = self.fits_before(end) {
                self.send_new(now, len, out);
            }
            return;
        }
        while self.ns2_pipe < self.window.cwnd as i64 {
            if let Some(hole) = self.sack.board.next_hole(self.una.max(self.ns2_repaired)) {
                self.repair_ns2(now, hole, out);
            } else if let Some(len) = self.fits_before(self.edge) {
                self.send_new(now, len, out);
            } else {
                return;
            }
            self.ns2_pipe += 1;
        }
    }

    /// The timer has expired: go-back-N, with nothing known of what was SACKed.
    pub(super) fn time_out_ns2(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.in_recovery = false;
        self.lose(Loss::Timeout);
        self.timed_out_at = Some(self.una);
        self.dup_acks = 0;
        self.nxt = self.una;
        self.sack.board.clear();
        self.fill(now, out);
    }
}
