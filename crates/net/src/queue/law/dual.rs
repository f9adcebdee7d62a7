//! DualPI2, the coupled dual-queue AQM (RFC 9332, Appendix A): a shallow queue for L4S traffic beside one for Classic traffic.
//! One controller watches the delay. Its output is squared into drops and marks of the Classic queue, and multiplied into
//! marks of the L queue, so that flows of both kinds get about the same rate.
//!
//! | RFC 9332 | here |
//! |---|---|
//! | section 2.3 | ECT(1) and CE go to the L queue, Not-ECT and ECT(0) to the Classic one |
//! | A.1, enqueue | what finds no room in both together is dropped |
//! | A.1, dequeue | [`Dual::judge_l4s`], [`Dual::judge_classic`]; likelihoods add up ([`Side::recurs`]) and nothing is drawn |
//! | A.1, update | [`Dual::update`], with the greater of both delays |
//! | A.1, ramp | [`Dual::ramp`] |
//! | A.2 | overload: with `overload_drops` the L queue is dropped from as well once its marks are certain |
//! | A.1, section 4.2.2 | `scheduler`: weighted round robin, or FIFO in which the L queue is ahead by `time_shift` |
//!
//! The updates are due at whole multiples of `update`, as of a timer that began with the run. Between two packets nothing but
//! the time changes, so they are made up for when one comes or goes: no event is needed.

use super::row::Row;
use crate::queue::keep::Keep;
pub(super) use crate::queue::manage::Open;
use crate::queue::manage::{Site, Verdict};
use crate::queue::waiting::{Arrival, Fate, Waiting};
use crate::{DropReason, Ecn};
use base::{Options, Span, Time, parameters};
use std::collections::VecDeque;

parameters! {
    target = 0.015, in Seconds, "delay of the Classic queue aimed at (RFC 9332, A.1)";
    update = 0.015, in Seconds, "time between two updates of the probability: Tupdate (A.1; Linux: 16 ms)";
    alpha = 0.15, "weight of the distance from the target, 1/s (A.1: 0.1 Tupdate / (100 ms)^2; Linux: 0.16)";
    beta = 3.0, "weight of the change of the delay, 1/s (A.1: 0.3 / 100 ms; Linux: 3.2)";
    coupling = 2.0, "marks of the L queue are this many times the probability that is squared for the Classic one: k (section 2.1)";
    min_threshold = 0.0008, in Seconds, "delay of the L queue from which it marks: minTh (A.1; a step at 1 ms in Linux)";
    range = 0.0004, in Seconds, "further delay up to which the share of marks grows to all: range (A.1; 0 is a step)";
    min_length = 1.0, in Packets, "no marks for its delay while no more than this wait in the L queue: Th_len (A.1)";
    scheduler = 0.0, of SCHEDULERS, "which queue is served while packets wait in both (section 4.2.2)";
    classic_share = 0.0625, in Share, "share of the Classic queue in round robin while packets wait in both (A.1: 1/16; Linux: 10 %)";
    time_shift = 0.03, in Seconds, "time by which the L queue is ahead in a time-shifted FIFO (twice the target)";
    overload_drops = 1.0, of base::SWITCH, "drops from the L queue too when its marks are certain (A.2); off: only a full queue stops it";
}

/// The choices of `scheduler`.
const SCHEDULERS: &[&str] = &["round_robin", "time_shifted"];

/// Its source, its parameters and how it is asked.
pub(super) const ROW: Row = Row {
    source: "RFC 9332",
    limit: Some(10_000),
    parameters: &[Params::ALL],
    checks: &[check],
    departs: true,
};

/// Checks the parameters.
fn check(options: &Options) -> Result<(), &'static str> {
    let p = Params::new(options);
    if p.update < 0.000_1 {
        return Err("updates closer than 0.1 ms; allowed: update = \"0.1 ms\" and more");
    }
    if p.coupling <= 0.0 {
        return Err("a coupling of nothing; allowed: more than 0");
    }
    match p.classic_share < 1.0 {
        true => Ok(()),
        false => Err("classic_share must leave something to the L queue; allowed: less than 1"),
    }
}

/// One of the two queues.
#[derive(Clone, Debug)]
struct Side<T> {
    packets: VecDeque<Waiting<T>>,
    bytes: u64,
    /// Likelihoods since the last strike.
    count: f64,
}

impl<T: Copy> Side<T> {
    fn new() -> Side<T> {
        Side { packets: VecDeque::new(), bytes: 0, count: 0.0 }
    }

    fn push(&mut self, waiting: Waiting<T>) {
        self.bytes += u64::from(waiting.bytes);
        self.packets.push_back(waiting);
    }

    fn pop(&mut self) -> Option<Waiting<T>> {
        let next = self.packets.pop_front()?;
        self.bytes -= u64::from(next.bytes);
        Some(next)
    }

    /// Time that its head has waited; zero where it is empty.
    fn delay(&self, now: Time) -> Span {
        self.packets.front().map_or(Span::ZERO, |head| now.since(head.since))
    }

    /// A.1, `recur`: true once the likelihoods add up to more than one.
    fn recurs(&mut self, likelihood: f64) -> bool {
        self.count += likelihood;
        let strikes = self.count > 1.0;
        if strikes {
            self.count -= 1.0;
        }
        strikes
    }

    fn take_out(&mut self, goes: &mut impl FnMut(&Waiting<T>) -> bool) {
        self.packets.retain(|waiting| !goes(waiting));
        self.bytes = self.packets.iter().map(|waiting| u64::from(waiting.bytes)).sum();
    }
}

/// Both queues and their controller.
#[derive(Clone, Debug)]
pub(crate) struct Dual<T> {
    p: Params,
    l4s: Side<T>,
    classic: Side<T>,
    every: Span,
    next_update: Time,
    /// The base probability, p'.
    base: f64,
    /// Delay at the last update, seconds.
    delay_before: f64,
    /// Round robin: bytes that the Classic queue is behind its share.
    credit: f64,
}

impl<T: Copy> Dual<T> {
    /// Both queues empty, and no probability.
    pub fn new(site: &Site<'_>) -> Dual<T> {
        let p = Params::new(site.options);
        let every = Span::from_secs(p.update).max(Span(1));
        Dual {
            p,
            l4s: Side::new(),
            classic: Side::new(),
            every,
            next_update: Time::ZERO + every,
            base: 0.0,
            delay_before: 0.0,
            credit: 0.0,
        }
    }

    /// Probability of the Classic queue, p_C.
    pub fn classic_probability(&self) -> f64 {
        self.base * self.base
    }

    /// Coupled probability of the L queue, p_CL.
    pub fn coupled_probability(&self) -> f64 {
        self.p.coupling * self.base
    }

    /// Makes up for the updates that have been due before `now`.
    fn catch_up(&mut self, now: Time) {
        while self.next_update <= now {
            self.update(self.next_update);
            self.next_update += self.every;
            let idle = self.l4s.packets.is_empty() && self.classic.packets.is_empty();
            if idle && self.base == 0.0 && self.delay_before == 0.0 {
                // Nothing changes any more until a packet comes.
                let missed = now.since(self.next_update).0 / self.every.0;
                self.next_update += Span(missed * self.every.0);
            }
        }
    }

    fn update(&mut self, at: Time) {
        let delay = self.classic.delay(at).max(self.l4s.delay(at)).as_secs();
        let step =
            self.p.alpha * (delay - self.p.target) + self.p.beta * (delay - self.delay_before);
        self.base = (self.base + step).clamp(0.0, 1.0);
        self.delay_before = delay;
    }

    /// The L queue's own probability, after a packet that has waited so long left: p'_L.
    fn ramp(&self, sojourn: Span) -> f64 {
        if self.l4s.packets.len() as f64 <= self.p.min_length {
            return 0.0;
        }
        let beyond = sojourn.as_secs() - self.p.min_threshold;
        match beyond > 0.0 {
            true if beyond < self.p.range => beyond / self.p.range,
            true => 1.0,
            false => 0.0,
        }
    }

    /// True where the L queue is served next.
    fn serves_l4s(&self, now: Time) -> bool {
        if self.classic.packets.is_empty() || self.l4s.packets.is_empty() {
            return self.classic.packets.is_empty();
        }
        match self.p.scheduler == 0.0 {
            true => self.credit <= 0.0,
            false => {
                let ahead = Span::from_secs(self.p.time_shift);
                self.l4s.delay(now) + ahead >= self.classic.delay(now)
            }
        }
    }

    /// A packet leaves: while both wait, each is to have its share of the bytes.
    fn account(&mut self, l4s: bool, bytes: u32) {
        if self.l4s.packets.is_empty() || self.classic.packets.is_empty() {
            self.credit = 0.0;
            return;
        }
        let share = self.p.classic_share;
        let bytes = f64::from(bytes);
        self.credit += if l4s { share * bytes } else { (share - 1.0) * bytes };
    }

    fn judge_l4s(&mut self, sojourn: Span) -> Verdict {
        let coupled = self.coupled_probability();
        let saturated = coupled >= 1.0;
        let drops = saturated && self.p.overload_drops != 0.0;
        if drops && self.l4s.recurs(self.classic_probability()) {
            return Verdict::Drop;
        }
        let own = if saturated { 0.0 } else { self.ramp(sojourn) };
        match self.l4s.recurs(own.max(coupled).min(1.0)) {
            true => Verdict::Mark,
            false => Verdict::Take,
        }
    }

    fn judge_classic(&mut self, ecn: Ecn) -> Verdict {
        let probability = self.classic_probability();
        if !self.classic.recurs(probability) {
            return Verdict::Take;
        }
        // A.2: p_Cmax, at which all packets of the L queue are marked and no mark could say more.
        let most = (1.0 / (self.p.coupling * self.p.coupling)).min(1.0);
        match ecn.is_capable() && probability < most {
            true => Verdict::Mark,
            false => Verdict::Drop,
        }
    }
}

impl<T: Copy> Keep<T> for Dual<T> {
    // Apart, so that the code around the other disciplines stays as short as it was.
    #[inline(never)]
    fn push(
        &mut self,
        now: Time,
        _arrival: &Arrival<'_>,
        waiting: Waiting<T>,
        is_full: bool,
        _gone: impl FnMut(Waiting<T>, DropReason),
    ) -> bool {
        self.catch_up(now);
        if is_full {
            return false;
        }
        match waiting.ecn.is_l4s() {
            true => self.l4s.push(waiting),
            false => self.classic.push(waiting),
        }
        true
    }

    #[inline(never)]
    fn pop(&mut self, now: Time, mut fate: impl FnMut(Waiting<T>, Fate)) -> Option<Waiting<T>> {
        self.catch_up(now);
        loop {
            let l4s = self.serves_l4s(now);
            let next = if l4s { self.l4s.pop()? } else { self.classic.pop()? };
            let verdict = match l4s {
                true => self.judge_l4s(now.since(next.since)),
                false => self.judge_classic(next.ecn),
            };
            if verdict == Verdict::Drop {
                fate(next, Fate::Dropped(DropReason::Aqm));
                continue;
            }
            self.account(l4s, next.bytes);
            if verdict == Verdict::Mark {
                fate(next, Fate::Marked);
            }
            return Some(next);
        }
    }

    fn backlog(&self) -> (u32, u64) {
        let packets = self.l4s.packets.len() + self.classic.packets.len();
        (packets as u32, self.l4s.bytes + self.classic.bytes)
    }

    fn each(&self, each: impl FnMut(&Waiting<T>)) {
        self.l4s.packets.iter().chain(&self.classic.packets).for_each(each);
    }

    fn each_mut(&mut self, each: impl FnMut(&mut Waiting<T>)) {
        self.l4s.packets.iter_mut().chain(&mut self.classic.packets).for_each(each);
    }

    fn take_out(&mut self, now: Time, mut goes: impl FnMut(&Waiting<T>) -> bool) {
        self.catch_up(now);
        self.l4s.take_out(&mut goes);
        self.classic.take_out(&mut goes);
    }
}
