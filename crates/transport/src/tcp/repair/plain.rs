//! Losses by acknowledgements and the timer, and their repair: Tahoe, Reno, NewReno.

use super::deliveries::Deliveries;
use super::undo::{FRTO_SEGMENTS, Frto, Undo};
use crate::tcp::config::{PartialAckTimer, Recovery};
use crate::tcp::law::{Ack, AnyLaw, Law, Loss};
use crate::tcp::tcb::Tcb;
use base::Time;
use net::{Flags, Segment};

/// Segments beyond cwnd that limited transmit may send (RFC 3042 section 2).
const LIMITED_SEGMENTS: u32 = 2;

/// Segments that an F-RTO which found a real loss leaves of the window (RFC 5682 section 2.1, step 3a).
const AFTER_REAL_TIMEOUT: f64 = 3.0;

/// Fast recovery (RFC 5681 section 3.2).
#[derive(Clone, Copy, Debug)]
struct FastRecovery {
    /// The addition to cwnd, segments.
    inflation: f64,
    /// Partial acknowledgements so far (RFC 6582).
    partials: u32,
}

/// The recoveries without SACK.
#[derive(Clone, Debug)]
pub struct Plain {
    dup_acks: u32,
    fast: Option<FastRecovery>,
    frto: Frto,
    undo: Undo,
    /// The number that was last sent again because it was lost on the air.
    lost_on_air: u64,
    /// Deliveries for the law, where it wants them.
    deliveries: Option<Box<Deliveries>>,
}

impl Plain {
    pub fn new(law: &AnyLaw) -> Plain {
        let deliveries = Deliveries::new(law).map(Box::new);
        Plain {
            dup_acks: 0,
            fast: None,
            frto: Frto::Off,
            undo: Undo::default(),
            lost_on_air: 0,
            deliveries,
        }
    }

    pub fn in_recovery(&self) -> bool {
        self.fast.is_some()
    }

    fn inflation(&self) -> f64 {
        self.fast.map_or(0.0, |fast| fast.inflation)
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
        if segment.ack > tcb.seq.una() {
            self.on_new_ack(tcb, now, segment, out);
        } else if tcb.seq.is_duplicate(segment) {
            if tcb.config.eln && segment.flags.has(Flags::ELN) && !self.in_recovery() {
                return self.repair_air(tcb, now, out);
            }
            self.on_dup_ack(tcb, now, out);
        } else if opened {
            self.fill(tcb, now, out);
        }
    }

    /// `segment` acknowledges new data.
    fn on_new_ack(&mut self, tcb: &mut Tcb, now: Time, segment: &Segment, out: &mut Vec<Segment>) {
        let ack = segment.ack;
        let rtt = if tcb.timestamps.is_used() {
            tcb.sample_stamps(now, segment)
        } else {
            tcb.rtt.on_ack(now, ack)
        };
        // Before SND.UNA moves, from which the counts of the report are taken.
        let mut told = tcb.describe(now, ack, rtt);
        let acked = told.acked;
        self.measure(tcb, now, ack, &mut told);
        if tcb.config.abc_limit > 1.0 && !self.in_recovery() {
            // What duplicates told of had its turn: a window that counts all segments counts the rest.
            told.acked = (acked - f64::from(self.dup_acks)).max(acked.min(1.0));
        }
        tcb.seq.acknowledge(ack);
        if self.undo.is_refuted_by(segment) {
            self.undo(tcb);
        }
        tcb.losses.end_limited();
        let partial = self.in_recovery() && ack < tcb.losses.recover();
        if partial && tcb.config.recovery == Recovery::NewReno {
            told.in_recovery = true;
            self.on_partial_ack(tcb, now, acked, out);
        } else {
            self.dup_acks = 0;
            tcb.restart_timer(now);
            if self.in_recovery() {
                self.leave_recovery(tcb);
                // ns-2 grows here, whether or not the window is full.
                told.in_recovery |= !tcb.ns2();
                told.app_limited &= !tcb.ns2();
            }
        }
        tcb.grow(&told);
        if !self.follow_frto(tcb, now, out) {
            self.fill(tcb, now, out);
        }
    }

    /// Fills in what is known of delivery, and says to a law that models the path when go-back-N has repaired a loss.
    #[inline]
    fn measure(&mut self, tcb: &mut Tcb, now: Time, ack: u64, told: &mut Ack) {
        if let Some(deliveries) = &mut self.deliveries {
            deliveries.on_ack(now, ack, tcb, told);
            let recover = tcb.losses.recover();
            if !self.in_recovery() && tcb.seq.una() < recover && ack >= recover {
                tcb.tell_model_of_repair();
            }
        }
    }

    /// An acknowledgement says the same as the last one.
    #[cold]
    fn on_dup_ack(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        tcb.stats.dup_acks += 1;
        self.dup_acks += 1;
        if let Some(deliveries) = &mut self.deliveries {
            deliveries.on_duplicate(now, tcb);
        }
        if self.refute_frto(tcb) {
            self.dup_acks = 0;
            return self.fill(tcb, now, out);
        }
        let dup_thresh = tcb.config.dup_thresh;
        if let Some(fast) = &mut self.fast {
            // Each tells of a segment that has left the network (RFC 5681 section 3.2, step 4).
            fast.inflation += 1.0;
        } else if self.dup_acks == dup_thresh && may_retransmit(tcb) {
            self.fast_retransmit(tcb, now, out);
        } else if self.dup_acks < dup_thresh {
            return self.limited_transmit(tcb, now, out);
        }
        self.fill(tcb, now, out);
    }

    /// A duplicate says that what it asks for was lost on the air: it is sent again, once, and no window is cut.
    #[cold]
    fn repair_air(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        tcb.stats.dup_acks += 1;
        if self.lost_on_air != tcb.seq.una() {
            self.lost_on_air = tcb.seq.una();
            tcb.rtt.stop_timing();
            tcb.restart_timer(now);
            self.retransmit_head(tcb, now, out);
        }
        self.fill(tcb, now, out);
    }

    /// The timer has expired: slow start from the oldest segment on, go-back-N.
    pub fn time_out(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        let una = tcb.seq.una();
        let repairing = self.in_recovery() || una < tcb.losses.recover();
        if !repairing {
            self.undo.remember(tcb);
        }
        self.frto = Frto::after_timeout(tcb, repairing || tcb.losses.has_timed_out(una));
        if tcb.ns2() {
            // Its window that is halved has lost the inflation already.
            self.fast = None;
        }
        self.lose(tcb, Loss::Timeout);
        self.fast = None;
        self.dup_acks = 0;
        tcb.seq.go_back();
        self.fill(tcb, now, out);
    }

    /// RFC 5681 section 3.2, steps 2 and 3.
    fn fast_retransmit(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        tcb.stats.fast_retransmits += 1;
        self.undo.remember(tcb);
        self.lose(tcb, Loss::DupAcks);
        // Karn: the acknowledgement of what is sent twice tells not of which.
        tcb.rtt.stop_timing();
        tcb.restart_timer(now);
        if tcb.config.recovery == Recovery::Tahoe {
            // Jacobson 1988: slow start, and the caller's fill begins again at the loss.
            tcb.window.cwnd = f64::from(tcb.config.loss_window);
            tcb.seq.go_back();
        } else {
            let inflation = f64::from(tcb.config.dup_thresh);
            self.fast = Some(FastRecovery { inflation, partials: 0 });
            self.retransmit_head(tcb, now, out);
        }
    }

    /// RFC 6582 section 3.2, step 3, partial acknowledgements: the next hole is sent again.
    #[cold]
    fn on_partial_ack(&mut self, tcb: &mut Tcb, now: Time, acked: f64, out: &mut Vec<Segment>) {
        let Some(fast) = &mut self.fast else { return };
        tcb.rtt.stop_timing();
        // RFC 6582 section 4: restarted by the first only, a window of many losses ends by the timer.
        if fast.partials == 0 || tcb.config.newreno.timer == PartialAckTimer::Every {
            tcb.restart_timer(now);
        }
        fast.partials += 1;
        if tcb.config.newreno.deflate {
            fast.deflate(tcb, acked);
        } else {
            fast.inflation = 0.0;
        }
        self.retransmit_head(tcb, now, out);
    }

    /// Returns the number of segments that the windows may release at once: ns-2's NewReno sends two while it
    /// counts duplicates.
    fn burst(&self, tcb: &Tcb) -> usize {
        let few = self.dup_acks > 0 && tcb.ns2() && tcb.config.recovery == Recovery::NewReno;
        if few { 2 } else { usize::MAX }
    }

    /// All that was out at the loss is acknowledged (NewReno), or anything new is (Reno).
    fn leave_recovery(&mut self, tcb: &mut Tcb) {
        self.fast = None;
        if !tcb.ns2() {
            tcb.window.cwnd = tcb.window.ssthresh.max(1.0);
            if tcb.config.recovery == Recovery::NewReno && tcb.config.newreno.careful_exit {
                // RFC 6582 section 3.2, step 3, option 1: no burst into an empty path.
                let flight = tcb.seq.segments(tcb.seq.flight()).max(1.0);
                tcb.window.cwnd = tcb.window.cwnd.min(flight + 1.0);
            }
        }
        tcb.law.on_recovered(&mut tcb.window);
    }

    fn lose(&mut self, tcb: &mut Tcb, why: Loss) {
        tcb.lose(why, self.loss_base(tcb));
    }

    /// Returns the quantity that a loss halves, segments.
    pub fn loss_base(&self, tcb: &Tcb) -> f64 {
        // It is counted from SND.NXT: data that go-back-N gave up for lost and has not sent again are not in
        // flight. Limited transmit's segments do not count (RFC 5681 section 3.2, step 2). The inflation
        // counts segments that have left, each indicated by a duplicate (step 4).
        let inflation = self.inflation();
        let left = tcb.losses.limited() + (inflation * tcb.seq.mss() as f64) as u64;
        tcb.loss_base(tcb.seq.flight().saturating_sub(left), inflation)
    }

    /// RFC 3042 section 2: a new segment on each of the first two duplicates.
    fn limited_transmit(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        // RFC: previously unsent data only. ns-2 sends whatever is next.
        let fresh = tcb.seq.nxt() >= tcb.seq.max();
        if !tcb.config.limited_transmit || !(fresh || tcb.ns2()) {
            return;
        }
        let beyond = if tcb.ns2() { self.dup_acks } else { LIMITED_SEGMENTS };
        if let Some(len) = tcb.seq.fits_before(tcb.window_end(f64::from(beyond))) {
            self.send_next(tcb, now, len, out);
            tcb.losses.note_limited(len);
        }
    }

    /// Sends what the windows and the pace allow from SND.NXT on.
    pub fn fill(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        let end = tcb.window_end(self.inflation());
        let most = out.len().saturating_add(self.burst(tcb));
        while let Some(len) = tcb.seq.fits_before(end).filter(|_| tcb.timers.next_send() <= now) {
            if out.len() == most {
                break;
            }
            self.send_next(tcb, now, len, out);
        }
        let waits = tcb.timers.next_send() > now && tcb.seq.fits_before(end).is_some();
        tcb.timers.wait_for_pace(waits);
        if let Some(deliveries) = &mut self.deliveries {
            deliveries.note_limit(tcb);
        }
        tcb.note_use(tcb.seq.flight());
    }

    /// Sends `len` numbers from SND.NXT on.
    #[inline]
    pub fn send_next(&mut self, tcb: &mut Tcb, now: Time, len: u64, out: &mut Vec<Segment>) {
        self.send(tcb, now, tcb.seq.nxt(), len, out);
        tcb.seq.advance(len);
    }

    /// Sends the oldest segment again; SND.NXT stays.
    fn retransmit_head(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        let una = tcb.seq.una();
        let len = tcb.seq.mss().min(tcb.seq.max() - una);
        self.send(tcb, now, una, len, out);
    }

    #[inline]
    fn send(&mut self, tcb: &mut Tcb, now: Time, seq: u64, len: u64, out: &mut Vec<Segment>) {
        if let Some(deliveries) = &mut self.deliveries {
            deliveries.on_send(now, tcb, seq, len);
        }
        if tcb.emit(now, seq, len, out) {
            self.undo.on_resend(tcb.timestamps.value(now));
        }
    }

    /// RFC 5682 section 2.1, steps 2b and 3b, at an acknowledgement that advances; true where it sent what is to be sent.
    fn follow_frto(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) -> bool {
        match self.frto.take() {
            Frto::Waiting if tcb.seq.una() < tcb.losses.recover() => {
                let (before, back) = (out.len(), tcb.seq);
                tcb.seq.skip_to(tcb.seq.max());
                for _ in 0..FRTO_SEGMENTS {
                    if let Some(len) = tcb.seq.fits_before(tcb.seq.edge()) {
                        self.send_next(tcb, now, len, out);
                    }
                }
                if out.len() == before {
                    // Nothing new to ask with: go-back-N goes on where it was.
                    tcb.seq = back;
                    return false;
                }
                self.frto = Frto::Probing;
                true
            }
            Frto::Probing => {
                // What was sent before the timeout, and only then, has arrived.
                tcb.seq.skip_to(tcb.seq.max());
                self.undo(tcb);
                false
            }
            Frto::Off | Frto::Waiting => false,
        }
    }

    /// Step 3a: a duplicate while F-RTO asks; true where that proves that the loss was real, and go-back-N begins.
    fn refute_frto(&mut self, tcb: &mut Tcb) -> bool {
        let refuted = self.frto.take() == Frto::Probing;
        if refuted {
            tcb.window.cwnd = tcb.window.cwnd.min(AFTER_REAL_TIMEOUT);
            tcb.seq.go_back();
        }
        refuted
    }

    /// The last loss was none.
    fn undo(&mut self, tcb: &mut Tcb) {
        if self.undo.restore(tcb) {
            (self.frto, self.fast, self.dup_acks) = (Frto::Off, None, 0);
            // What go-back-N was about to send again has arrived.
            tcb.seq.skip_to(tcb.seq.max());
        }
    }
}

impl FastRecovery {
    /// Takes the acknowledged segments off the inflated window and puts one back, for the segment that is sent.
    fn deflate(&mut self, tcb: &mut Tcb, acked: f64) {
        // RFC 6582: nothing is put back for less than a segment.
        let back = if acked >= 1.0 { 1.0 } else { 0.0 };
        if self.inflation > acked {
            self.inflation -= acked - back;
        } else {
            let rest = tcb.window.cwnd - (acked - self.inflation);
            tcb.window.cwnd = rest.max(1.0);
            self.inflation = back;
        }
    }
}

/// RFC 6582 section 3.2, step 2: not for losses before `recover`, since after go-back-N duplicates come from
/// what was sent twice. RFC 5681's Reno, which leaves recovery at any new acknowledgement, finds further
/// losses of the same window by further duplicates; ns-2's does not, and waits for the timer.
fn may_retransmit(tcb: &Tcb) -> bool {
    let again = tcb.config.recovery == Recovery::Reno && !tcb.ns2();
    let reno = again && tcb.losses.last() == Some(Loss::DupAcks);
    tcb.seq.una() > tcb.losses.recover() || reno
}
