//! SACK as ns-2's `Agent/TCP/Sack1` has it (tcp-sack1.cc, scoreboard-rq.cc): a pipe counted in packets by the
//! acknowledgements that come, and a scoreboard that each new acknowledgement outside recovery empties, with what it
//! knew of retransmissions. A duplicate counts when its blocks say something that the scoreboard did not know; while
//! duplicates are counted only limited transmit sends, and the duplicate that begins a recovery sends one segment.

use crate::tcp::config::SsthreshBase;
use crate::tcp::law::{Law, Loss};
use crate::tcp::rate::PacketState;
use crate::tcp::record::NewlyDelivered;
use crate::tcp::scoreboard::Scoreboard;
use crate::tcp::tcb::Tcb;
use base::Time;
use net::Segment;

/// SACK by ns-2's rules.
#[derive(Clone, Debug)]
pub struct Ns2Sack {
    board: Scoreboard,
    dup_acks: u32,
    /// In recovery `pipe_`, segments.
    pipe: Option<i64>,
    /// Data before it have been sent again in this recovery (`h_seqno_`).
    repaired: u64,
}

impl Ns2Sack {
    pub fn new() -> Ns2Sack {
        Ns2Sack { board: Scoreboard::new(), dup_acks: 0, pipe: None, repaired: 0 }
    }

    pub fn board(&self) -> &Scoreboard {
        &self.board
    }

    pub fn in_recovery(&self) -> bool {
        self.pipe.is_some()
    }

    /// An acknowledgement comes; an old one says nothing.
    pub fn on_segment(
        &mut self,
        tcb: &mut Tcb,
        now: Time,
        segment: &Segment,
        out: &mut Vec<Segment>,
    ) {
        let ack = segment.ack;
        if ack < tcb.seq.una() {
            return;
        }
        let acked = ack - tcb.seq.una();
        self.add_to_pipe(-1);
        let partial = acked > 0 && self.in_recovery() && ack < tcb.losses.recover();
        if acked > 0 && !partial {
            self.on_full_ack(tcb, now, ack);
        } else if partial {
            self.add_to_pipe(-1);
            self.advance(tcb, ack);
            self.take_blocks(tcb, segment);
            tcb.restart_timer(now);
        } else if tcb.losses.last() != Some(Loss::Timeout) && !tcb.seq.is_idle() {
            return self.on_duplicate(tcb, now, segment, out);
        }
        self.fill(tcb, now, out);
    }

    /// All that was out at the last loss is acknowledged, or there was none.
    fn on_full_ack(&mut self, tcb: &mut Tcb, now: Time, ack: u64) {
        let rtt = tcb.rtt.on_ack(now, ack);
        let mut told = tcb.describe(now, ack, rtt);
        told.in_recovery = self.in_recovery();
        self.advance(tcb, ack);
        self.board.forget_sacks();
        self.dup_acks = 0;
        tcb.losses.forget_last();
        tcb.restart_timer(now);
        if self.pipe.take().is_some() {
            // From here on a loss counts wherever it is.
            tcb.losses.repaired_to(0);
            tcb.law.on_recovered(&mut tcb.window);
        }
        tcb.grow(&told);
    }

    fn advance(&mut self, tcb: &mut Tcb, ack: u64) {
        self.board.acknowledge(ack, &mut NewlyDelivered::default());
        tcb.seq.acknowledge(ack);
        tcb.losses.end_limited();
    }

    fn take_blocks(&mut self, tcb: &Tcb, segment: &Segment) {
        let (una, max) = (tcb.seq.una(), tcb.seq.max());
        for (start, end) in segment.sack_blocks() {
            if start >= una && start < end && end <= max {
                self.board.sack(start, end, &mut NewlyDelivered::default());
            }
        }
    }

    fn add_to_pipe(&mut self, segments: i64) {
        if let Some(pipe) = &mut self.pipe {
            *pipe += segments;
        }
    }

    fn on_duplicate(
        &mut self,
        tcb: &mut Tcb,
        now: Time,
        segment: &Segment,
        out: &mut Vec<Segment>,
    ) {
        let known = self.board.range_bytes();
        self.take_blocks(tcb, segment);
        let changed = self.board.range_bytes() > known;
        tcb.stats.dup_acks += 1;
        let dup_thresh = tcb.config.dup_thresh;
        if self.in_recovery() || (!changed && self.dup_acks == 0) {
            self.fill(tcb, now, out);
        } else if changed {
            self.dup_acks += 1;
            if self.dup_acks == dup_thresh && tcb.seq.una() > tcb.losses.recover() {
                self.enter_recovery(tcb, now, out);
            } else if self.dup_acks < dup_thresh {
                self.send_one(tcb, now, out);
            }
        }
    }

    fn enter_recovery(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        tcb.stats.fast_retransmits += 1;
        let segments = (tcb.seq.max() - tcb.seq.una()) / tcb.seq.mss();
        tcb.lose(Loss::DupAcks, self.loss_base(tcb));
        tcb.rtt.stop_timing();
        tcb.restart_timer(now);
        self.pipe = Some(segments as i64 - i64::from(tcb.config.dup_thresh));
        self.send_again(tcb, now, tcb.seq.una(), out);
    }

    /// Sends the segment at `seq` again. After a timeout it may not have been sent since: what lies before it is not
    /// sent either.
    fn send_again(&mut self, tcb: &mut Tcb, now: Time, seq: u64, out: &mut Vec<Segment>) {
        if let Some(number) = self.board.starting_at(seq) {
            self.repaired = self.board.get(number).map_or(seq, |record| record.end);
            return self.resend(tcb, now, number, out);
        }
        tcb.seq.skip_to(seq);
        if let Some(len) = tcb.seq.fits_before(tcb.seq.edge()) {
            self.repaired = tcb.seq.nxt() + len;
            self.send_new(tcb, now, len, out);
        }
    }

    /// ns-2's `send_one`: as far beyond cwnd as there are duplicates.
    fn send_one(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        let end = tcb.window_end(f64::from(self.dup_acks));
        if let Some(len) = tcb.seq.fits_before(end).filter(|_| tcb.config.limited_transmit) {
            self.send_new(tcb, now, len, out);
        }
    }

    pub fn fill(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        if self.in_recovery() {
            self.fill_pipe(tcb, now, out);
        } else {
            let end = tcb.window_end(0.0);
            while let Some(len) = tcb.seq.fits_before(end) {
                self.send_new(tcb, now, len, out);
            }
        }
        tcb.note_use(self.board.pipe());
    }

    /// ns-2's `send_much` in recovery.
    fn fill_pipe(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        while self.pipe.is_some_and(|pipe| pipe < tcb.window.cwnd as i64) {
            if let Some(hole) = self.board.next_hole(tcb.seq.una().max(self.repaired)) {
                self.send_again(tcb, now, hole, out);
            } else if let Some(len) = tcb.seq.fits_before(tcb.seq.edge()) {
                self.send_new(tcb, now, len, out);
            } else {
                return;
            }
            self.add_to_pipe(1);
        }
    }

    /// The timer has expired: go-back-N, with nothing known of what was SACKed.
    pub fn time_out(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        self.pipe = None;
        tcb.lose(Loss::Timeout, self.loss_base(tcb));
        self.dup_acks = 0;
        tcb.seq.go_back();
        self.board.clear();
        self.fill(tcb, now, out);
    }

    /// Returns the quantity that a loss halves, segments.
    pub fn loss_base(&self, tcb: &Tcb) -> f64 {
        let flight = match tcb.config.ssthresh_base {
            SsthreshBase::Pipe => self.board.pipe(),
            _ => tcb.seq.flight().saturating_sub(tcb.losses.limited()),
        };
        tcb.loss_base(flight, 0.0)
    }

    fn send_new(&mut self, tcb: &mut Tcb, now: Time, len: u64, out: &mut Vec<Segment>) {
        self.board.push(now, tcb.seq.nxt(), tcb.seq.nxt() + len, PacketState::default());
        if self.board.sacked_bytes() > 0 {
            tcb.losses.note_limited(len);
        }
        tcb.send_next(now, len, out);
    }

    fn resend(&mut self, tcb: &mut Tcb, now: Time, number: u64, out: &mut Vec<Segment>) {
        let Some(record) = self.board.get(number) else { return };
        let (start, len) = (record.start, record.end - record.start);
        self.board.resend(now, number, PacketState::default());
        tcb.emit(now, start, len, out);
    }
}
