//! Losses by acknowledgements with SACK: RFC 6675, and RFC 8985's RACK in its place.

mod growth;
mod send;
mod spurious;

use super::samples::sample;
use super::undo::{Frto, Undo};
use crate::tcp::config::{Recovery, Reduction, SsthreshBase, TcpConfig};
use crate::tcp::halving::{Halving, MOST_AT_ONCE};
use crate::tcp::law::{Law, Loss};
use crate::tcp::losses::Phase;
use crate::tcp::prr::Prr;
use crate::tcp::rack::{Context, Rack};
use crate::tcp::rate::Sampler;
use crate::tcp::record::{NewlyDelivered, Record};
use crate::tcp::scoreboard::Scoreboard;
use crate::tcp::tcb::Tcb;
use base::{Span, Time};
use net::Segment;

/// The recoveries with SACK.
#[derive(Clone, Debug)]
pub struct Selective {
    board: Scoreboard,
    rate: Sampler,
    phase: Phase,
    /// Duplicates since data were last acknowledged, as RFC 6675 counts them.
    dup_acks: u32,
    prr: Prr,
    halving: Halving,
    rack: Rack,
    undo: Undo,
    frto: Frto,
    /// The end of the recovery in which a rescue was sent (RFC 6675's RescueRxt).
    rescued: Option<u64>,
    /// Lost bytes that the law knows of.
    lost_told: u64,
}

impl Selective {
    pub fn new() -> Selective {
        Selective {
            board: Scoreboard::new(),
            rate: Sampler::default(),
            phase: Phase::Open,
            dup_acks: 0,
            prr: Prr::default(),
            halving: Halving::default(),
            rack: Rack::default(),
            undo: Undo::default(),
            frto: Frto::Off,
            rescued: None,
            lost_told: 0,
        }
    }

    pub fn board(&self) -> &Scoreboard {
        &self.board
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    fn is_open(&self) -> bool {
        self.phase == Phase::Open
    }

    pub fn in_recovery(&self) -> bool {
        self.phase == Phase::Recovery
    }

    /// An acknowledgement comes, old or new.
    pub fn on_segment(
        &mut self,
        tcb: &mut Tcb,
        now: Time,
        segment: &Segment,
        out: &mut Vec<Segment>,
    ) {
        // The SACK blocks of an old acknowledgement are as true as before.
        let ack = segment.ack.max(tcb.seq.una());
        let acked = ack - tcb.seq.una();
        let mut newly = NewlyDelivered::new(now, self.board.highest(), tcb.rtt.min_rtt());
        newly.acked = acked;
        let twice = self.read_blocks(tcb, segment, ack, &mut newly);
        self.board.acknowledge(ack, &mut newly);
        if acked == 0 && newly.delivered == 0 && !twice {
            return self.fill(tcb, now, out);
        }
        let rtt = sample(tcb, now, segment, ack, &newly);
        let mut told = tcb.describe(now, ack, rtt);
        told.selective = segment.has_sack();
        if acked > 0 {
            // What was SACKed before has had its turn.
            told.acked = tcb.seq.segments(newly.delivered);
        }
        self.measure_delivery(tcb, now, &newly, &mut told);
        tcb.seq.acknowledge(ack);
        // RFC 9937's SafeACK: it advances and tells of no further loss.
        let safe = self.detect_losses(tcb, now, &newly) && acked > 0;
        if twice {
            self.on_dsack(tcb);
        }
        self.check_probe(tcb, segment.ack, twice);
        let sent_before = out.len();
        let repairing = self.in_recovery();
        told.in_recovery |= self.move_phase(tcb, now, segment, &newly, out);
        if repairing && !self.in_recovery() {
            self.grow_at_exit(tcb, &mut told);
        }
        self.tell_law(tcb, &mut told);
        if self.in_recovery() {
            // Also where this acknowledgement began it: the fast retransmit is the first that PRR lets go.
            let (pipe, mss) = (self.board.pipe(), tcb.seq.mss());
            let delivered = self.prr.counted(newly.delivered, acked == 0, mss);
            self.prr.on_ack(delivered, pipe, safe, mss);
            self.halving.on_ack(pipe, mss);
        }
        if acked > 0 {
            // RFC 6298 (5.3): new data that are acknowledged restart the timer, in recovery too.
            tcb.losses.end_limited();
            tcb.restart_timer(now);
            self.arm_probe(tcb, now);
        }
        // RFC 5682 section 3.1, step 2b: what F-RTO asks with is all that goes now.
        if self.frto != Frto::Probing || out.len() == sent_before {
            self.fill(tcb, now, out);
        }
    }

    /// Takes the blocks; true where the first reports what came twice (RFC 2883 section 4).
    fn read_blocks(
        &mut self,
        tcb: &Tcb,
        segment: &Segment,
        ack: u64,
        newly: &mut NewlyDelivered,
    ) -> bool {
        let mut twice = false;
        let mut second = segment.sack_blocks().skip(1);
        for (i, (start, end)) in segment.sack_blocks().enumerate() {
            if end <= start || end > tcb.seq.max() {
                continue;
            }
            let within = |outer: (u64, u64)| outer.0 <= start && end <= outer.1;
            if i == 0 && (end <= segment.ack || second.next().is_some_and(within)) {
                twice = true;
            } else if start >= ack {
                self.board.sack(start, self.with_fin(tcb, end), newly);
            }
        }
        twice
    }

    /// A FIN that rode on the data before `end` came with them, though no block of data tells of it.
    fn with_fin(&self, tcb: &Tcb, end: u64) -> u64 {
        let last = || self.board.get(self.board.last()?);
        let rides = |last: &Record| last.start < end && end < last.end;
        let rode = tcb.seq.ends_data(end) && last().is_some_and(rides);
        end + u64::from(rode)
    }

    fn context(&self, tcb: &Tcb, now: Time) -> Context {
        Context {
            now,
            min_rtt: tcb.rtt.min_rtt(),
            srtt: tcb.rtt.srtt(),
            in_recovery: !self.is_open(),
            dup_thresh: tcb.config.dup_thresh.into(),
        }
    }

    /// Marks what is lost; true where nothing more is.
    fn detect_losses(&mut self, tcb: &mut Tcb, now: Time, newly: &NewlyDelivered) -> bool {
        let before = self.board.lost_total();
        tcb.note_reordering(newly.reordered_by);
        if tcb.config.recovery == Recovery::RackTlp {
            let context = self.context(tcb, now);
            self.rack.on_delivered(&context, newly);
            let later = self.rack.detect(&context, &mut self.board);
            tcb.timers.set_reorder(on_system_clock(&tcb.config, now, later));
        } else {
            self.count_duplicate(tcb, newly);
            self.board.judge(tcb.seq.mss(), tcb.config.dup_thresh.into());
            if tcb.config.sack.detect_lost_retransmits && self.in_recovery() {
                self.board.lose_resent_before(newly.once);
            }
        }
        self.board.lost_total() == before
    }

    /// RFC 6675 section 5: the DupThresh-th duplicate (an acknowledgement with new SACK blocks) tells of a loss, IsLost
    /// or not.
    fn count_duplicate(&mut self, tcb: &mut Tcb, newly: &NewlyDelivered) {
        if newly.sacked == 0 || self.board.sacked_bytes() == 0 {
            self.dup_acks = 0;
            return;
        }
        self.dup_acks += 1;
        tcb.stats.dup_acks += 1;
        let first = self.board.first();
        let reached = self.dup_acks == tcb.config.dup_thresh && self.is_open();
        if let Some(first) = first.filter(|_| reached) {
            self.board.lose_once(first);
        }
    }

    /// The time that RACK gave reordering is over.
    pub fn on_reorder_timeout(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        self.detect_losses(tcb, now, &NewlyDelivered::default());
        if self.board.waiting_bytes() > 0 && self.is_open() {
            self.enter_recovery(tcb, now, &NewlyDelivered::default());
            self.prr.on_ack(1, self.board.pipe(), false, tcb.seq.mss());
        }
        self.fill(tcb, now, out);
    }

    /// Goes from phase to phase; true where the law must not grow.
    fn move_phase(
        &mut self,
        tcb: &mut Tcb,
        now: Time,
        segment: &Segment,
        newly: &NewlyDelivered,
        out: &mut Vec<Segment>,
    ) -> bool {
        if newly.acked > 0 && self.undo.is_refuted_by(segment) && !self.is_open() {
            self.undo(tcb);
        }
        match self.phase {
            Phase::Recovery if tcb.seq.una() >= tcb.losses.recover() => {
                self.leave_recovery(tcb);
                true
            }
            Phase::Recovery => true,
            Phase::Loss => {
                self.follow_frto(tcb, now, newly, out);
                if tcb.seq.una() >= tcb.losses.recover() && self.phase == Phase::Loss {
                    self.phase = Phase::Open;
                    self.frto = Frto::Off;
                    tcb.tell_model_of_repair();
                }
                false
            }
            Phase::Open if self.board.waiting_bytes() > 0 => {
                self.enter_recovery(tcb, now, newly);
                true
            }
            Phase::Open => false,
        }
    }

    /// RFC 6675 section 5, step 4.
    fn enter_recovery(&mut self, tcb: &mut Tcb, now: Time, newly: &NewlyDelivered) {
        let mss = tcb.seq.mss();
        tcb.stats.fast_retransmits += 1;
        self.undo.remember(tcb);
        let oldest = self.board.first().and_then(|first| self.board.get(first));
        let resent = oldest.filter(|record| record.resent);
        let stamp = resent.and_then(|record| tcb.timestamps.value(record.sent));
        self.undo.inherit(self.board.count().1 as u32, stamp);
        self.halving = Halving::new(tcb.window.whole() * mss);
        self.lose(tcb, Loss::DupAcks);
        self.phase = Phase::Recovery;
        self.rescued = None;
        self.dup_acks = 0;
        // Karn: what is timed may be sent again, and its acknowledgement tells no more of which.
        tcb.rtt.stop_timing();
        tcb.restart_timer(now);
        // RFC 9937 section 6: what was SACKed before does not count as delivered in this recovery.
        let old = self.board.sacked_bytes().saturating_sub(newly.sacked);
        let flight = (tcb.seq.max() - tcb.seq.una() + newly.acked).saturating_sub(old);
        let target = (tcb.window.cwnd * mss as f64) as u64;
        self.prr = Prr::new(flight, target);
        if reduction(tcb) == Reduction::PrrNs3 {
            self.prr = self.prr.as_ns3();
        }
    }

    fn leave_recovery(&mut self, tcb: &mut Tcb) {
        self.phase = Phase::Open;
        self.dup_acks = 0;
        self.rack.on_recovered();
        if reduction(tcb) == Reduction::RateHalving {
            let bound = tcb.seq.segments(self.board.pipe()) + MOST_AT_ONCE;
            tcb.window.cwnd = tcb.window.cwnd.min(bound);
        }
        tcb.law.on_recovered(&mut tcb.window);
    }

    /// The timer has expired: all that is not SACKed counts as lost (RFC 6675 section 5.1), with RACK what is old enough.
    pub fn time_out(&mut self, tcb: &mut Tcb, now: Time, out: &mut Vec<Segment>) {
        let una = tcb.seq.una();
        let repairing = tcb.losses.has_timed_out(una) || una < tcb.losses.recover();
        if self.is_open() {
            self.undo.remember(tcb);
        }
        // RFC 2018 section 8: a receiver that still misses the first has forgotten what it SACKed.
        let first = self.board.first();
        if first.and_then(|first| self.board.get(first)).is_some_and(|record| record.sacked) {
            self.board.forget_sacks();
        }
        self.lose(tcb, Loss::Timeout);
        if tcb.config.recovery == Recovery::RackTlp {
            let context = self.context(tcb, now);
            self.rack.mark_at_timeout(&context, &mut self.board);
        } else {
            self.board.lose_all();
        }
        self.phase = Phase::Loss;
        tcb.forget_probe();
        self.dup_acks = 0;
        tcb.timers.set_reorder(Time::NEVER);
        self.frto = Frto::after_timeout(tcb, repairing);
        // The timer's segment goes whatever pacing says.
        if let Some(first) = self.board.next_lost() {
            self.resend(tcb, now, first, out);
        }
    }

    fn lose(&mut self, tcb: &mut Tcb, why: Loss) {
        tcb.lose(why, self.loss_base(tcb));
    }

    /// Returns the quantity that a loss halves, segments.
    pub fn loss_base(&self, tcb: &Tcb) -> f64 {
        let halves_pipe = tcb.config.ssthresh_base == SsthreshBase::Pipe;
        let flight = match self.phase {
            // What the last timeout gave up for lost, and has not been sent again, is not in flight.
            phase if halves_pipe || phase == Phase::Loss => self.board.pipe(),
            // A recovery that a timeout ends may have sent windows of new data meanwhile: what of it was SACKed has left.
            Phase::Recovery => tcb.seq.flight().saturating_sub(self.board.sacked_bytes()),
            // Limited transmit's segments do not count (RFC 5681 section 3.2, step 2). Right after a recovery up to a window
            // that was SACKed waits below what it repaired: no more than the window is in flight, and none grows by a loss.
            // A mark has cut the window already: a loss of the same round trip is not to cut it again (RFC 3168, 6.1.2).
            _ => {
                let window = (tcb.window.cwnd * tcb.seq.mss() as f64) as u64;
                let is_cut = tcb.marks.are_answered_beyond(tcb.seq.una());
                let flight = tcb.seq.flight().saturating_sub(tcb.losses.limited());
                if is_cut { flight } else { flight.min(window) }
            }
        };
        tcb.loss_base(flight, 0.0)
    }
}

/// Returns the reduction in recovery: by its window alone where the law decides that itself.
fn reduction(tcb: &Tcb) -> Reduction {
    if tcb.law.model_based() { Reduction::Pipe } else { tcb.config.sack.reduction }
}

/// Returns the time at which a timer for `due` goes off: after whole ticks and the slack, at the next tick.
fn on_system_clock(config: &TcpConfig, now: Time, due: Time) -> Time {
    let tick = config.sack.timer_tick.0;
    if due == Time::NEVER || tick == 0 {
        return due;
    }
    let ticks = due.since(now).0.div_ceil(tick);
    let at = now + Span(ticks * tick) + config.sack.timer_slack;
    Time((at.0 / tick + 1) * tick)
}
