//! What acknowledgements and the timer say of losses, and what is sent again: Tahoe, Reno, NewReno.

use super::config::{Recovery, SsthreshBase};
use super::law::{Law, Loss};
use super::sack::Phase;
use super::sender::Sender;
use base::Time;
use net::Segment;

/// Segments beyond cwnd that limited transmit may send (RFC 3042 section 2).
const LIMITED_SEGMENTS: u32 = 2;

impl Sender {
    /// `segment` acknowledges new data.
    pub(super) fn on_new_ack(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) {
        let ack = segment.ack;
        let rtt = match self.clock {
            Some(_) => self.sample_stamps(now, segment),
            None => self.rtt.on_ack(now, ack),
        };
        let mut told = self.describe(now, ack, rtt);
        let acked = told.acked;
        self.measure_plain(now, (ack, ack - self.una), &mut told);
        if self.config.abc_limit > 1.0 && !self.in_recovery {
            // What duplicates told of had its turn: a window that counts all segments counts the rest.
            told.acked = (acked - f64::from(self.dup_acks)).max(acked.min(1.0));
        }
        self.una = ack;
        self.nxt = self.nxt.max(ack);
        if self.is_spurious_by_stamps(segment) {
            self.undo();
        }
        self.limited_bytes = 0;
        if self.in_recovery && self.recovery == Recovery::NewReno && ack < self.recover {
            told.in_recovery = true;
            self.on_partial_ack(now, acked, out);
        } else {
            self.dup_acks = 0;
            self.restart_timer(now);
            if self.in_recovery {
                self.leave_recovery();
                // ns-2 grows here, whether or not the window is full.
                told.in_recovery |= !self.ns2;
                told.app_limited &= !self.ns2;
            }
        }
        self.grow(&told);
        if !self.follow_plain_frto(now, out) {
            self.fill(now, out);
        }
    }

    /// `ack` says the same as the last one.
    pub(super) fn on_dup_ack(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.stats.dup_acks += 1;
        self.dup_acks += 1;
        self.note_duplicate(now);
        if self.refute_frto() {
            self.dup_acks = 0;
            return self.fill(now, out);
        }
        if self.in_recovery {
            // Each tells of a segment that has left the network (RFC 5681 section 3.2, step 4).
            self.inflation += 1.0;
        } else if self.dup_acks == self.config.dup_thresh && self.may_retransmit() {
            self.fast_retransmit(now, out);
        } else if self.dup_acks < self.config.dup_thresh {
            self.limited_transmit(now, out);
            return;
        }
        self.fill(now, out);
    }

    /// The timer has expired: slow start from the oldest segment on, go-back-N.
    pub(super) fn go_back(&mut self, now: Time, out: &mut Vec<Segment>) {
        let repairing = self.in_recovery || self.una < self.recover;
        if !repairing {
            self.remember_for_undo();
        }
        self.begin_frto(now, repairing || self.timed_out_at == Some(self.una));
        if self.ns2 {
            self.end_inflation();
        }
        self.lose(Loss::Timeout);
        self.end_inflation();
        self.timed_out_at = Some(self.una);
        self.dup_acks = 0;
        self.nxt = self.una;
        self.fill(now, out);
    }

    pub(super) fn segments(&self, bytes: u64) -> f64 {
        // Nearly always one whole segment: the division is spared.
        if bytes == self.mss { 1.0 } else { bytes as i64 as f64 / self.mss as i64 as f64 }
    }

    /// RFC 6582 section 3.2, step 2: not for losses before `recover`, since after go-back-N duplicates come from
    /// what was sent twice. RFC 5681's Reno, which leaves recovery at any new acknowledgement, finds further
    /// losses of the same window by further duplicates; ns-2's does not, and waits for the timer.
    fn may_retransmit(&self) -> bool {
        let again = self.recovery == Recovery::Reno && !self.ns2;
        self.una > self.recover || (again && self.last_loss == Some(Loss::DupAcks))
    }

    /// RFC 5681 section 3.2, steps 2 and 3.
    fn fast_retransmit(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.stats.fast_retransmits += 1;
        self.remember_for_undo();
        self.lose(Loss::DupAcks);
        self.rtt.stop_timing();
        self.restart_timer(now);
        if self.recovery == Recovery::Tahoe {
            // Jacobson 1988: slow start, and the caller's fill begins again at the loss.
            self.window.cwnd = f64::from(self.config.loss_window);
            self.nxt = self.una;
        } else {
            self.in_recovery = true;
            self.partials = 0;
            self.inflation = f64::from(self.config.dup_thresh);
            self.retransmit_head(now, out);
        }
    }

    /// RFC 6582 section 3.2, step 3, partial acknowledgements: the next hole is sent again.
    fn on_partial_ack(&mut self, now: Time, acked: f64, out: &mut Vec<Segment>) {
        self.rtt.stop_timing();
        if self.partial_restarts_timer() {
            self.restart_timer(now);
        }
        self.partials += 1;
        if self.config.newreno.deflate {
            self.deflate(acked);
        } else {
            self.inflation = 0.0;
        }
        self.retransmit_head(now, out);
    }

    /// Takes the acknowledged segments off the inflated window and puts one back, for the segment that is sent.
    fn deflate(&mut self, acked: f64) {
        // RFC 6582: nothing is put back for less than a segment.
        let back = if acked >= 1.0 { 1.0 } else { 0.0 };
        if self.inflation > acked {
            self.inflation -= acked - back;
        } else {
            let rest = self.window.cwnd - (acked - self.inflation);
            self.window.cwnd = rest.max(1.0);
            self.inflation = back;
        }
    }

    /// How many segments the windows may let go at once: ns-2's NewReno sends two while it counts duplicates.
    pub(super) fn burst(&self) -> usize {
        let few = self.ns2 && self.recovery == Recovery::NewReno && self.dup_acks > 0;
        if few { 2 } else { usize::MAX }
    }

    /// All that was out at the loss is acknowledged (NewReno), or anything new is (Reno).
    fn leave_recovery(&mut self) {
        self.end_inflation();
        if !self.ns2 {
            self.window.cwnd = self.window.ssthresh.max(1.0);
            if self.recovery == Recovery::NewReno && self.config.newreno.careful_exit {
                // RFC 6582 section 3.2, step 3, option 1: no burst into an empty path.
                let flight = self.segments(self.nxt - self.una).max(1.0);
                self.window.cwnd = self.window.cwnd.min(flight + 1.0);
            }
        }
        self.law.on_recovered(&mut self.window);
    }

    fn end_inflation(&mut self) {
        self.in_recovery = false;
        self.inflation = 0.0;
    }

    /// Tells the law of a loss and remembers how far the data had come.
    pub(super) fn lose(&mut self, why: Loss) {
        let before = self.window.ssthresh;
        let base = self.loss_base();
        self.law.on_loss(&mut self.window, why, base);
        // RFC 5681 section 3.1: held constant when the timer expires for the same segment again.
        if why == Loss::Timeout && self.timed_out_at == Some(self.una) && !self.ns2 {
            self.window.ssthresh = before;
        }
        self.stats.window_cuts += 1;
        self.recover = self.max;
        self.last_loss = Some(why);
    }

    /// What is halved at a loss, in segments.
    pub(super) fn loss_base(&self) -> f64 {
        let usable = || {
            let receive = self.config.receive_window as f64 / self.mss as f64;
            (self.window.cwnd + self.inflation).min(receive)
        };
        match self.config.ssthresh_base {
            SsthreshBase::Window => usable(),
            SsthreshBase::WholeWindow => libm::floor(usable()),
            SsthreshBase::Cwnd => self.window.cwnd,
            SsthreshBase::WholeCwnd => libm::floor(self.window.cwnd),
            SsthreshBase::FlightSize | SsthreshBase::Pipe => self.outstanding(),
        }
    }

    /// Data in flight, in segments: RFC 5681's FlightSize, half of which is the most that ssthresh may be (equation 4).
    ///
    /// It is counted from SND.NXT: what go-back-N gave up for lost and has not sent again is not in flight. Limited
    /// transmit's segments do not count (RFC 5681 section 3.2, step 2).
    fn outstanding(&self) -> f64 {
        if self.halves_pipe() || self.sack.phase == Phase::Loss {
            // What the last timeout gave up for lost, and has not been sent again, is not in flight.
            self.segments(self.sack.board.pipe())
        } else if self.sack.phase == Phase::Recovery {
            // A recovery that a timeout ends may have sent windows of new data meanwhile: what of it was SACKed has left.
            let sacked = self.sack.board.sacked_bytes();
            self.segments((self.nxt - self.una).saturating_sub(sacked))
        } else {
            // The inflation stands for segments that have left, each told by a duplicate (RFC 5681 section 3.2, step 4).
            let left = self.limited_bytes + (self.inflation * self.mss as f64) as u64;
            self.segments((self.nxt - self.una).saturating_sub(left))
        }
    }

    fn halves_pipe(&self) -> bool {
        self.by_board && self.config.ssthresh_base == SsthreshBase::Pipe
    }

    /// RFC 3042 section 2: a new segment on each of the first two duplicates.
    fn limited_transmit(&mut self, now: Time, out: &mut Vec<Segment>) {
        // RFC: previously unsent data only. ns-2 sends whatever is next.
        if !self.config.limited_transmit || (self.nxt < self.max && !self.ns2) {
            return;
        }
        let beyond = if self.ns2 { self.dup_acks } else { LIMITED_SEGMENTS };
        if let Some(len) = self.fits_before(self.window_end(f64::from(beyond))) {
            self.send_next(now, len, out);
            self.limited_bytes += len;
        }
    }
}
