//! The transmission control block (RFC 9293 section 3.3.1): what a sender has whatever repairs its losses.

mod emit;
mod growth;

use super::config::{Recovery, SsthreshBase, TcpConfig};
use super::hystart::HyStart;
use super::law::{AnyLaw, Law, Loss};
use super::losses::Losses;
use super::marks::Marks;
use super::rtt::Rtt;
use super::sequence::{FIRST_DATA, Sequence};
use super::stamps::Timestamps;
use super::stats::SenderStats;
use super::timers::Timers;
use super::usage::Usage;
use super::window::Window;
use base::{Span, Time};
use net::Segment;
use std::sync::Arc;

/// PTO before the first sample (RFC 8985 section 7.2).
const FIRST_PROBE: Span = Span::secs(1);

/// No queue to speak of stands where the latest round-trip time lies in this lowest part of the range of all.
const QUEUELESS: f64 = 0.3;

/// A tail loss probe under way (RFC 8985 section 7.3).
#[derive(Clone, Copy, Debug)]
pub(super) struct TailProbe {
    /// TLP.end_seq.
    pub end: u64,
    /// TLP.is_retrans.
    pub again: bool,
}

/// The sequence space, the window and its law, the clock and its timers, and what is counted.
#[derive(Clone, Debug)]
pub(super) struct Tcb {
    /// Shared by all connections that are configured alike.
    pub config: Arc<TcpConfig>,
    pub seq: Sequence,
    pub window: Window,
    pub law: AnyLaw,
    pub rtt: Rtt,
    pub timers: Timers,
    pub losses: Losses,
    pub marks: Marks,
    pub timestamps: Timestamps,
    pub stats: SenderStats,
    /// Where slow start has a guard.
    hystart: Option<Box<HyStart>>,
    usage: Usage,
    tail_probe: Option<TailProbe>,
    /// The end of the present round, for laws.
    round_end: u64,
    delivery_rate: Option<f64>,
    /// The farthest that the path reordered, segments; DupThresh at first, as in Linux.
    reordering: u64,
    last_sent: Time,
}

impl Tcb {
    /// Of a connection that is closed.
    pub fn new(config: Arc<TcpConfig>, law: AnyLaw) -> Tcb {
        Tcb {
            seq: Sequence::new(&config),
            window: config.window(),
            law,
            rtt: Rtt::new(config.rto),
            timers: Timers::new(),
            losses: Losses::default(),
            marks: Marks::default(),
            timestamps: Timestamps::new(config.timestamps),
            stats: SenderStats::default(),
            hystart: HyStart::new(config.slow_start, config.pacing.is_some()),
            usage: Usage::default(),
            tail_probe: None,
            round_end: 0,
            delivery_rate: None,
            reordering: u64::from(config.dup_thresh),
            last_sent: Time::ZERO,
            config,
        }
    }

    /// The same connection with another configuration and law, with nothing in flight.
    ///
    /// What is of the connection stays: sequence numbers, both windows (cwnd, the slow-start threshold, the receiver's),
    /// round-trip times and timeout, clocks, counts, marks, what the application has offered. What is of a law begins
    /// anew: its memory, HyStart. Before any data the window is the configuration's first one, unless a SYN was lost.
    pub fn become_other(&mut self, config: &TcpConfig) {
        let law = AnyLaw::new(config.law, &config.law_options);
        let mut fresh = Tcb::new(Arc::new(config.clone()), law);
        if self.seq.max() > FIRST_DATA || self.stats.timeouts > 0 {
            fresh.window.cwnd = self.window.cwnd;
            fresh.window.ssthresh = self.window.ssthresh;
        }
        let Tcb { config, window, law, hystart, usage, reordering, .. } = fresh;
        (self.config, self.window, self.law) = (config, window, law);
        (self.hystart, self.usage, self.tail_probe) = (hystart, usage, None);
        self.reordering = self.reordering.max(reordering);
        self.losses.end_limited();
        self.marks.end_echo();
    }

    /// Returns whether ns-2's rules replace the RFCs'.
    pub fn ns2(&self) -> bool {
        self.config.keeps_ns2_rules()
    }

    /// One past the last number that may be sent with `extra` segments on top of cwnd.
    pub fn window_end(&self, extra: f64) -> u64 {
        self.seq.end_of(self.window.cwnd + extra)
    }

    /// Tells the law of a loss; `base` is what it halves, in segments.
    pub fn lose(&mut self, why: Loss, base: f64) {
        let (before, una) = (self.window.ssthresh, self.seq.una());
        self.law.on_loss(&mut self.window, why, base);
        // RFC 5681 section 3.1: held constant when the timer expires for the same segment again.
        if why == Loss::Timeout && self.losses.has_timed_out(una) && !self.ns2() {
            self.window.ssthresh = before;
        }
        self.stats.window_cuts += 1;
        self.stats.queueless_cuts += u64::from(self.rtt.in_lowest(QUEUELESS));
        self.losses.on_loss(why, una, self.seq.max());
    }

    /// True where an acknowledgement tells of a mark that is to be answered.
    #[inline]
    pub fn hears_of_marks(&mut self, now: Time, segment: &Segment) -> bool {
        if !self.config.ecn.is_accurate() {
            return self.marks.on_ack(segment, self.seq.max());
        }
        let least = self.law.least_round();
        self.marks.on_counts((now, least), segment, (self.seq.max(), self.seq.mss()))
    }

    /// Tells the law of a congestion mark: as of a loss, and nothing is to be repaired.
    #[cold]
    pub fn cut_for_mark(&mut self, base: f64) {
        self.law.on_loss(&mut self.window, Loss::EcnMark, base);
        self.stats.window_cuts += 1;
        self.stats.marks += 1;
    }

    /// Returns the quantity that a loss halves, in segments: with `flight` bytes in flight (RFC 5681's
    /// FlightSize), and fast recovery's `inflation` of the window.
    pub fn loss_base(&self, flight: u64, inflation: f64) -> f64 {
        let usable = || {
            let receive = self.config.receive_window as f64 / self.seq.mss() as f64;
            (self.window.cwnd + inflation).min(receive)
        };
        match self.config.ssthresh_base {
            SsthreshBase::Window => usable(),
            SsthreshBase::WholeWindow => libm::floor(usable()),
            SsthreshBase::Cwnd => self.window.cwnd,
            SsthreshBase::WholeCwnd => libm::floor(self.window.cwnd),
            SsthreshBase::FlightSize | SsthreshBase::Pipe => self.seq.segments(flight),
        }
    }

    /// A law that models the path learns that a repair has ended which is no fast recovery.
    pub fn tell_model_of_repair(&mut self) {
        if self.law.model_based() {
            self.law.on_recovered(&mut self.window);
        }
    }

    /// Returns the expiry of a retransmission timer that starts now.
    pub fn rto_from(&self, now: Time) -> Time {
        now + self.rtt.rto()
    }

    /// (5.2) and (5.3) of RFC 6298: restarts the timer, or stops it where nothing is outstanding.
    #[inline]
    pub fn restart_timer(&mut self, now: Time) {
        let due = if self.seq.is_idle() { Time::NEVER } else { self.rto_from(now) };
        self.timers.restart(due);
    }

    /// RFC 8985 section 7.2: the timer is for a probe of the tail, unless one is out. Only where nothing is
    /// SACKed or lost.
    #[inline]
    pub fn arm_probe(&mut self, now: Time) {
        if self.config.recovery == Recovery::RackTlp && self.config.sack.tail_probe {
            self.await_probe(now);
        }
    }

    fn await_probe(&mut self, now: Time) {
        if self.tail_probe.is_some() || self.seq.is_idle() {
            return;
        }
        let twice = self.rtt.srtt().map_or(FIRST_PROBE, |srtt| Span(srtt.0.saturating_mul(2)));
        // One segment may wait for the delayed acknowledgement's timer.
        let alone = self.seq.max() - self.seq.una() <= self.seq.mss();
        let delay = if alone { self.config.sack.max_ack_delay } else { Span::ZERO };
        self.timers.await_probe(now + (twice + delay).min(self.rtt.rto()));
    }

    /// Section 7.3: the tail is probed with new data of the length that this returns, or with the last segment again.
    pub fn begin_probe(&mut self) -> Option<u64> {
        self.timers.restart(Time::NEVER);
        let fresh = self.seq.fits_before(self.seq.edge());
        let end = self.seq.max() + fresh.unwrap_or(0);
        self.tail_probe = Some(TailProbe { end, again: fresh.is_none() });
        self.stats.tail_probes += 1;
        fresh
    }

    /// The probe of the tail that an acknowledgement of all before `ack` answers.
    pub fn take_probe(&mut self, ack: u64) -> Option<TailProbe> {
        self.tail_probe.take_if(|probe| ack >= probe.end)
    }

    /// No probe is out any more.
    pub fn forget_probe(&mut self) {
        self.tail_probe = None;
    }

    /// Watches a window that holds everything back: nothing is under way whose acknowledgement would tell more, or the
    /// receiver takes back all that it had granted.
    pub fn watch_window(&mut self, now: Time) {
        if self.seq.is_shut() && (!self.seq.is_idle() || self.seq.has_more()) {
            // RFC 9293 section 3.8.6: what is beyond the window is not sent again, but the window is probed. BSD's
            // tcp_output likewise stops the retransmission timer where the window is zero.
            self.timers.restart(Time::NEVER);
            if !self.timers.is_persisting() {
                self.await_persist(now);
            }
            return;
        }
        let blocked = || self.seq.fits_before(self.seq.edge()).is_none();
        if !(self.seq.is_idle() && self.seq.has_more() && blocked()) {
            if self.timers.is_persisting() && !self.seq.is_idle() {
                self.timers.start(self.rto_from(now));
            }
            self.timers.stop_persist();
        } else if !self.timers.is_persisting() {
            self.await_persist(now);
        }
    }

    /// RFC 9293 section 3.8.6.1: the window's next probe comes after the timeout, doubled at each.
    pub fn await_persist(&mut self, now: Time) {
        self.timers.await_persist(now, self.rtt.rto(), self.config.rto.max);
    }

    /// RFC 5681 section 4.1: after an idle timeout the window is no larger than at first, where that is wanted.
    pub fn restart_after_idle(&mut self, now: Time) {
        if self.seq.is_idle() && now.since(self.last_sent) > self.rtt.rto() {
            if self.config.idle_restart {
                let restart = f64::from(self.config.initial_window.max(1));
                self.window.cwnd = self.window.cwnd.min(restart);
            }
            self.law.on_idle(&mut self.window);
        }
    }

    /// The last valid sample of the delivery rate, segments/s.
    pub fn delivery_rate(&self) -> Option<f64> {
        self.delivery_rate
    }

    /// A sample, or none.
    pub fn note_delivery_rate(&mut self, rate: Option<f64>) {
        self.delivery_rate = rate.or(self.delivery_rate);
    }

    /// The farthest that the path was seen to reorder, segments.
    pub fn reordering(&self) -> u64 {
        self.reordering
    }

    /// The path reordered by `bytes`.
    pub fn note_reordering(&mut self, bytes: u64) {
        if bytes > 0 {
            self.reordering = self.reordering.max(bytes.div_ceil(self.seq.mss()));
        }
    }
}
