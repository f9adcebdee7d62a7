//! What acknowledgements say where there is SACK: RFC 6675, and RFC 8985's RACK in its place.

use super::config::{Recovery, Reduction};
use super::halving::{Halving, MOST_AT_ONCE};
use super::law::{Ack, Law, Loss};
use super::prr::Prr;
use super::rack::{Path, Rack};
use super::rate::Sampler;
use super::record::{News, Record};
use super::scoreboard::Scoreboard;
use super::sender::Sender;
use super::undo::{Frto, Undo};
use base::{Span, Time};
use net::Segment;

/// Where the sender is between losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No loss is known.
    Open,
    /// Losses that acknowledgements told of are repaired.
    Recovery,
    /// Everything is sent again, after a timeout, or with Tahoe after any loss.
    Loss,
}

/// A tail loss probe under way (RFC 8985 section 7.3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    /// TLP.end_seq.
    pub end: u64,
    /// TLP.is_retrans.
    pub again: bool,
}

/// What the recoveries with SACK remember.
#[derive(Clone, Debug)]
pub(super) struct SackState {
    pub board: Scoreboard,
    pub rate: Sampler,
    pub prr: Prr,
    pub halving: Halving,
    pub rack: Rack,
    pub phase: Phase,
    pub undo: Undo,
    pub frto: Frto,
    /// Where recovery ended when a rescue was sent (RFC 6675's RescueRxt).
    pub rescued: Option<u64>,
    pub probe: Option<Probe>,
    /// The farthest that the path reordered, segments; DupThresh at first, as in Linux.
    pub reordering: u64,
    /// Lost bytes that the law was told of.
    lost_told: u64,
}

impl SackState {
    pub fn new(dup_thresh: u32) -> SackState {
        SackState {
            board: Scoreboard::new(),
            rate: Sampler::default(),
            prr: Prr::default(),
            halving: Halving::default(),
            rack: Rack::default(),
            phase: Phase::Open,
            undo: Undo::default(),
            frto: Frto::Off,
            rescued: None,
            probe: None,
            reordering: u64::from(dup_thresh),
            lost_told: 0,
        }
    }
}

impl Sender {
    /// An acknowledgement comes, old or new.
    pub(super) fn on_sack_segment(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) {
        // What an old acknowledgement says of SACK is as true as before.
        let ack = segment.ack.max(self.una);
        let acked = ack - self.una;
        let mut news = News::new(now, self.sack.board.highest(), self.rtt.min_rtt());
        let twice = self.read_blocks(segment, ack, &mut news);
        self.sack.board.acknowledge(ack, &mut news);
        if acked == 0 && news.delivered == 0 && twice.is_none() {
            return self.fill(now, out);
        }
        let rtt = self.sample(now, segment, ack, &news);
        let mut told = self.describe(now, ack, rtt);
        told.selective = segment.has_sack();
        if acked > 0 {
            // What was SACKed before has had its turn.
            told.acked = self.segments(news.delivered);
        }
        self.measure_delivery(now, &news, &mut told);
        (self.una, self.nxt) = (ack, self.nxt.max(ack));
        let safe = self.detect_losses(now, &news) && acked > 0;
        if let Some(twice) = twice {
            self.on_dsack(twice);
        }
        self.check_probe(segment.ack, twice.is_some());
        let sent_before = out.len();
        let repairing = self.in_recovery;
        told.in_recovery |= self.move_phase(now, segment, (acked, &news), out);
        if repairing && !self.in_recovery {
            self.grow_at_exit(&mut told);
        }
        self.tell_law(&told);
        if self.sack.phase == Phase::Recovery {
            let pipe = self.sack.board.pipe();
            let delivered = self.sack.prr.counted(news.delivered, acked == 0, self.mss);
            self.sack.prr.on_ack(delivered, pipe, safe, self.mss);
            self.sack.halving.on_ack(pipe, self.mss);
        }
        if acked > 0 {
            self.limited_bytes = 0;
            self.restart_timer(now);
        }
        if self.sack.frto != Frto::Probing || out.len() == sent_before {
            self.fill(now, out);
        }
    }

    /// Takes the blocks; the one that reports what came twice, where there is one (RFC 2883 section 4).
    fn read_blocks(&mut self, segment: &Segment, ack: u64, news: &mut News) -> Option<(u64, u64)> {
        let mut twice = None;
        let mut second = segment.sack_blocks().skip(1);
        for (i, (start, end)) in segment.sack_blocks().enumerate() {
            if end <= start || end > self.max {
                continue;
            }
            let within = |outer: (u64, u64)| outer.0 <= start && end <= outer.1;
            if i == 0 && (end <= segment.ack || second.next().is_some_and(within)) {
                twice = Some((start, end));
            } else if start >= ack {
                self.sack.board.sack(start, self.with_fin(end), news);
            }
        }
        twice
    }

    /// A FIN that rode on the data before `end` came with them, though no block of data tells of it.
    fn with_fin(&self, end: u64) -> u64 {
        let last = || self.sack.board.get(self.sack.board.last()?);
        let rides = |last: &Record| last.start < end && end < last.end;
        let rode = self.closing && end == self.limit && last().is_some_and(rides);
        end + u64::from(rode)
    }

    /// A sample of the round-trip time, by the configuration's way.
    fn sample(&mut self, now: Time, segment: &Segment, ack: u64, news: &News) -> Option<Span> {
        if self.config.timestamps.is_some() && !self.config.sack.sample_every_ack {
            return self.sample_stamps(now, segment);
        }
        if !self.config.sack.sample_every_ack {
            return self.rtt.on_ack(now, ack);
        }
        if self.config.sack.smooth_oldest {
            return self.sample_ends(now, segment, news);
        }
        // Karn's rule: only what was sent once.
        let rtt = now.since(news.once?);
        self.rtt.sample(rtt);
        Some(rtt)
    }

    /// Fills in what the scoreboard knows of delivery.
    fn measure_delivery(&mut self, now: Time, news: &News, told: &mut Ack) {
        let mss = self.mss as f64;
        let min_rtt = self.rtt.min_rtt();
        if let Some(newest) = &news.newest {
            let rate = self.sack.rate.on_delivered(
                now,
                news.delivered,
                (newest.sent, &newest.rate),
                min_rtt,
            );
            told.delivery_rate = rate.map(|rate| rate / mss);
            told.delivered_at_send = newest.rate.delivered as f64 / mss;
            told.rate_app_limited = newest.rate.app_limited;
            told.flown = newest.rate.flown(self.sack.board.lost_total(), mss);
        }
        told.delivered = self.sack.rate.delivered() as f64 / mss;
        self.delivery_rate = told.delivery_rate.or(self.delivery_rate);
    }

    fn path(&self, now: Time) -> Path {
        Path {
            now,
            min_rtt: self.rtt.min_rtt(),
            srtt: self.rtt.srtt(),
            in_recovery: self.sack.phase != Phase::Open,
            dup_thresh: self.config.dup_thresh.into(),
        }
    }

    /// Marks what is lost; true where nothing more is.
    pub(super) fn detect_losses(&mut self, now: Time, news: &News) -> bool {
        let before = self.sack.board.lost_total();
        let far = news.reordered_by.div_ceil(self.mss);
        self.sack.reordering = self.sack.reordering.max(far);
        if self.recovery == Recovery::RackTlp {
            let path = self.path(now);
            self.sack.rack.on_delivered(&path, news);
            let later = self.sack.rack.detect(&path, &mut self.sack.board);
            self.alarms.reorder = self.on_system_clock(now, later);
        } else {
            self.count_duplicate(news);
            self.sack.board.judge(self.mss, self.config.dup_thresh.into());
            if self.config.sack.detect_lost_retransmits && self.in_recovery {
                self.sack.board.lose_resent_before(news.once);
            }
        }
        self.sack.board.lost_total() == before
    }

    /// When a timer for `due` goes off: after whole ticks and the slack, at the next tick.
    fn on_system_clock(&self, now: Time, due: Time) -> Time {
        let tick = self.config.sack.timer_tick.0;
        if due == Time::NEVER || tick == 0 {
            return due;
        }
        let ticks = due.since(now).0.div_ceil(tick);
        let at = now + Span(ticks * tick) + self.config.sack.timer_slack;
        Time((at.0 / tick + 1) * tick)
    }

    /// RFC 6675 section 5: the DupThresh-th duplicate (an acknowledgement with new SACK blocks) tells of a loss, IsLost
    /// or not.
    fn count_duplicate(&mut self, news: &News) {
        if news.sacked == 0 || self.sack.board.sacked_bytes() == 0 {
            self.dup_acks = 0;
            return;
        }
        self.dup_acks += 1;
        self.stats.dup_acks += 1;
        let first = self.sack.board.first();
        let reached = self.dup_acks == self.config.dup_thresh && self.is_open();
        if let Some(first) = first.filter(|_| reached) {
            self.sack.board.lose_once(first);
        }
    }

    fn is_open(&self) -> bool {
        self.sack.phase == Phase::Open
    }

    /// The time that RACK gave reordering is over.
    pub(super) fn on_reorder_timeout(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.detect_losses(now, &News::default());
        if self.sack.board.waiting_bytes() > 0 && self.is_open() {
            self.enter_recovery(now, (0, &News::default()));
            self.sack.prr.on_ack(1, self.sack.board.pipe(), false, self.mss);
        }
        self.fill(now, out);
    }

    /// Goes from phase to phase; true where the law must not grow.
    fn move_phase(
        &mut self,
        now: Time,
        segment: &Segment,
        (acked, news): (u64, &News),
        out: &mut Vec<Segment>,
    ) -> bool {
        if acked > 0 && self.is_spurious_by_stamps(segment) {
            self.undo();
        }
        match self.sack.phase {
            Phase::Recovery if self.una >= self.recover => {
                self.leave_sack_recovery();
                true
            }
            Phase::Recovery => true,
            Phase::Loss => {
                self.follow_frto(now, acked, news, out);
                if self.una >= self.recover && self.sack.phase == Phase::Loss {
                    self.sack.phase = Phase::Open;
                    self.sack.frto = Frto::Off;
                    self.tell_model_of_repair();
                }
                false
            }
            Phase::Open if self.sack.board.waiting_bytes() > 0 => {
                self.enter_recovery(now, (acked, news));
                true
            }
            Phase::Open => false,
        }
    }

    /// RFC 6675 section 5, step 4.
    pub(super) fn enter_recovery(&mut self, now: Time, (acked, news): (u64, &News)) {
        self.stats.fast_retransmits += 1;
        self.remember_for_undo();
        self.sack.halving = Halving::new(self.window.whole() * self.mss);
        self.lose(Loss::DupAcks);
        self.sack.phase = Phase::Recovery;
        self.in_recovery = true;
        self.sack.rescued = None;
        self.dup_acks = 0;
        self.rtt.stop_timing();
        self.timer_is_probe = false;
        self.restart_timer(now);
        // RFC 9937 section 6: what was SACKed before does not count as delivered in this recovery.
        let old = self.sack.board.sacked_bytes().saturating_sub(news.sacked);
        let flight = (self.max - self.una + acked).saturating_sub(old);
        let target = (self.window.cwnd * self.mss as f64) as u64;
        self.sack.prr = Prr::new(flight, target);
        if self.reduction() == Reduction::PrrNs3 {
            self.sack.prr = self.sack.prr.as_ns3();
        }
    }

    fn leave_sack_recovery(&mut self) {
        self.sack.phase = Phase::Open;
        self.in_recovery = false;
        self.dup_acks = 0;
        self.sack.rack.on_recovered();
        if self.reduction() == Reduction::RateHalving {
            let bound = self.segments(self.sack.board.pipe()) + MOST_AT_ONCE;
            self.window.cwnd = self.window.cwnd.min(bound);
        }
        self.law.on_recovered(&mut self.window);
    }

    /// A law that models the path learns that a repair has ended which is no fast recovery.
    pub(super) fn tell_model_of_repair(&mut self) {
        if self.law.model_based() {
            self.law.on_recovered(&mut self.window);
        }
    }

    /// How much recovery sends: by its window alone where the law decides that itself.
    pub(super) fn reduction(&self) -> Reduction {
        if self.law.model_based() { Reduction::Pipe } else { self.config.sack.reduction }
    }

    /// Tells the law of an acknowledgement, and slow start's guard around it.
    fn tell_law(&mut self, told: &Ack) {
        let mss = self.mss as f64;
        let lost = self.sack.board.lost_total();
        let told = Ack {
            inflight: self.sack.board.pipe() as f64 / mss,
            lost: (lost - self.sack.lost_told) as f64 / mss,
            lost_flown: self.sack.board.take_last_lost().map(|mark| mark.flown(lost, mss)),
            ..*told
        };
        self.sack.lost_told = lost;
        self.grow(&told);
    }

    /// The timer has expired: all that is not SACKed counts as lost (RFC 6675 section 5.1), with RACK what is old enough.
    pub(super) fn time_out_sack(&mut self, now: Time, out: &mut Vec<Segment>) {
        let first_time = self.timed_out_at != Some(self.una) && self.una >= self.recover;
        if self.is_open() {
            self.remember_for_undo();
        }
        // RFC 2018 section 8: a receiver that still misses the first has forgotten what it SACKed.
        let first = self.sack.board.first();
        if first.and_then(|first| self.sack.board.get(first)).is_some_and(|record| record.sacked) {
            self.sack.board.forget_sacks();
        }
        self.lose(Loss::Timeout);
        self.timed_out_at = Some(self.una);
        if self.recovery == Recovery::RackTlp {
            let path = self.path(now);
            self.sack.rack.mark_at_timeout(&path, &mut self.sack.board);
        } else {
            self.sack.board.lose_all();
        }
        self.sack.phase = Phase::Loss;
        self.in_recovery = false;
        self.sack.probe = None;
        self.dup_acks = 0;
        self.alarms.reorder = Time::NEVER;
        self.begin_frto(now, !first_time);
        // The timer's segment goes whatever pacing says.
        if let Some(first) = self.sack.board.next_lost() {
            self.resend(now, first, out);
        }
    }

    /// How much more may be sent, bytes.
    pub(super) fn room(&self) -> u64 {
        let whole = self.window.whole();
        let limit = match self.reduction() {
            Reduction::Prr | Reduction::PrrNs3 if self.sack.phase == Phase::Recovery => {
                return self.sack.prr.allowance();
            }
            Reduction::RateHalving if self.sack.phase == Phase::Recovery => {
                self.sack.halving.limit(whole, self.mss)
            }
            _ => whole.saturating_mul(self.mss),
        };
        limit.saturating_sub(self.sack.board.pipe())
    }
}
