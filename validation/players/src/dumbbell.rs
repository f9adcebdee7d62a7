//! A path for laws alone: flows with ideal selective recovery share one bottleneck, segment by segment.
//!
//! ```text
//! flow: window, pacing -> [ bottleneck: rate, buffer | policer, marks, drops ] -> delay -> acknowledgement
//! ```
//!
//! Every segment is acknowledged by itself. A loss is known when three later segments are acknowledged, and what was
//! lost is sent again as a segment like any other: the law is on trial here, not the recovery. Times are seconds.

mod bottleneck;

pub use bottleneck::Bottleneck;

use base::{Span, Time};
use std::collections::VecDeque;
use transport::tcp::law::{Ack, AnyLaw, Flown, Law, Loss};
use transport::tcp::{TcpConfig, Window};

/// Later segments whose acknowledgement tells of a loss.
const DUP_THRESHOLD: u64 = 3;
/// The retransmission timeout.
const RTO: f64 = 1.0;

/// A segment in flight.
#[derive(Clone, Copy, Debug)]
struct Sent {
    number: u64,
    at: f64,
    first_at: f64,
    delivered: f64,
    delivered_at: f64,
    app_limited: bool,
    /// Sent and not known to be delivered or lost, with this one.
    in_flight: f64,
    /// Lost so far.
    lost: u64,
    /// The arrival of its acknowledgement, and whether it was marked; `None`: it was dropped.
    ack: Option<(f64, bool)>,
}

/// A flow.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The law on trial.
    pub law: AnyLaw,
    /// Its window.
    pub w: Window,
    /// Round-trip time without queue and service, s.
    pub delay: f64,
    /// The offered rate of the application, segments/s; infinite: all that fits.
    pub app_rate: f64,
    /// Sends nothing from here on until there, s.
    pub pause: (f64, f64),
    /// Segments that an acknowledgement covers, while nothing is lost.
    pub segments_per_ack: u32,
    /// The highest that cwnd may grow, segments.
    pub limit: f64,
    /// Segments acknowledged so far.
    pub delivered: f64,
    /// Segments known to be lost.
    pub lost: u64,
    /// Reductions so far.
    pub losses: u64,
    flying: VecDeque<Sent>,
    /// Segments that came since the last acknowledgement.
    covered: f64,
    next_number: u64,
    next_send: f64,
    delivered_at: f64,
    first_at: f64,
    newly_lost: f64,
    lost_flown: Option<Flown>,
    round_end: u64,
    /// The end of the recovery, while there is one.
    recover: Option<u64>,
    /// Data sent before this belong to the last reduction.
    reduced_at: u64,
    marked_until: u64,
    least: f64,
    srtt: f64,
    last_heard: f64,
}

impl Flow {
    /// A flow that starts at `start` s, `delay` s long without queues.
    pub fn new(law: AnyLaw, config: &TcpConfig, delay: f64, start: f64) -> Flow {
        Flow {
            law,
            w: config.window(),
            delay,
            app_rate: f64::INFINITY,
            pause: (f64::INFINITY, f64::INFINITY),
            segments_per_ack: 1,
            limit: f64::INFINITY,
            covered: 0.0,
            delivered: 0.0,
            lost: 0,
            losses: 0,
            flying: VecDeque::new(),
            next_number: 0,
            next_send: start,
            delivered_at: start,
            first_at: start,
            newly_lost: 0.0,
            lost_flown: None,
            round_end: 0,
            recover: None,
            reduced_at: 0,
            marked_until: 0,
            least: f64::INFINITY,
            srtt: 0.0,
            last_heard: start,
        }
    }

    /// Segments in flight.
    pub fn inflight(&self) -> f64 {
        self.flying.len() as f64
    }

    /// The smoothed round-trip time, s.
    pub fn srtt(&self) -> f64 {
        self.srtt
    }

    fn window(&self) -> f64 {
        libm::floor(self.w.cwnd.min(self.limit)).max(1.0)
    }

    fn next_ack(&self) -> f64 {
        let ack = self.flying.iter().find_map(|sent| sent.ack);
        match ack {
            Some((at, _)) => at,
            None if self.flying.is_empty() => f64::INFINITY,
            None => self.last_heard + RTO,
        }
    }

    fn next_sending(&self, now: f64) -> f64 {
        if self.inflight() + self.covered >= self.window() {
            return f64::INFINITY;
        }
        let at = self.next_send.max(now);
        if at >= self.pause.0 && at < self.pause.1 { self.pause.1 } else { at }
    }

    fn send(&mut self, now: f64, link: &mut Bottleneck) {
        if self.flying.is_empty() {
            (self.first_at, self.delivered_at) = (now, now);
            if now >= self.pause.1 && self.pause.1.is_finite() {
                self.law.on_idle(&mut self.w);
                self.pause = (f64::INFINITY, f64::INFINITY);
            }
            self.last_heard = now;
        }
        let ack = link.offer(now, self.next_number);
        let ack = ack.map(|(leaves, marked)| (link.leaves(leaves + self.delay), marked));
        let app_limited = self.app_rate.is_finite();
        let (at, first_at) = (now, self.first_at);
        let (delivered, delivered_at) = (self.delivered, self.delivered_at);
        let number = self.next_number;
        self.flying.push_back(Sent {
            number,
            at,
            first_at,
            delivered,
            delivered_at,
            app_limited,
            in_flight: self.inflight() + 1.0,
            lost: self.lost,
            ack,
        });
        self.next_number += 1;
        let rate = self.law.pacing_rate().unwrap_or(f64::INFINITY).min(self.app_rate);
        self.next_send = now + 1.0 / rate;
    }

    fn hear(&mut self, now: f64) {
        self.last_heard = now;
        let Some(i) = self.flying.iter().position(|sent| sent.ack.is_some()) else {
            self.time_out();
            return;
        };
        let before = self.inflight() + self.covered;
        let Some(sent) = self.flying.remove(i) else { return };
        self.delivered += 1.0;
        self.delivered_at = now;
        self.first_at = sent.at;
        self.note_lost(sent.number, before);
        self.covered += 1.0;
        let ended = self.recover.is_some_and(|end| sent.number >= end);
        if ended {
            self.recover = None;
            self.w.cwnd = self.w.ssthresh.max(1.0);
            self.law.on_recovered(&mut self.w);
        }
        // The delay of an acknowledgement itself is left out; losses are reported at once.
        let whole = self.covered >= f64::from(self.segments_per_ack);
        if !whole && self.recover.is_none() && !ended && self.inflight() >= 1.0 {
            return;
        }
        let a = self.describe(now, &sent, before, ended);
        if a.ece && sent.number >= self.marked_until {
            self.marked_until = self.next_number;
            self.losses += 1;
            self.law.on_loss(&mut self.w, Loss::EcnMark, before);
        }
        self.law.on_ack(&mut self.w, &a);
    }

    fn describe(&mut self, now: f64, sent: &Sent, before: f64, ended: bool) -> Ack {
        let rtt = now - sent.at;
        self.least = self.least.min(rtt);
        self.srtt = if self.srtt == 0.0 { rtt } else { self.srtt + (rtt - self.srtt) / 8.0 };
        let elapsed = (sent.at - sent.first_at).max(now - sent.delivered_at);
        let valid = elapsed >= self.least * 0.999;
        let round_ended = sent.number >= self.round_end;
        if round_ended {
            self.round_end = self.next_number;
        }
        let span = |s: f64| Some(Span::from_secs(s));
        let acked = std::mem::take(&mut self.covered);
        let ece = sent.ack.is_some_and(|(_, marked)| marked);
        Ack {
            now: Time::ZERO + Span::from_secs(now),
            acked,
            rtt: span(rtt).into(),
            srtt: span(self.srtt).into(),
            min_rtt: span(self.least).into(),
            flight: before,
            inflight: self.inflight(),
            app_limited: before + 1.0 <= self.window() || self.w.cwnd >= self.limit,
            in_recovery: self.recover.is_some() || ended,
            round_ended,
            delivery_rate: valid.then(|| (self.delivered - sent.delivered) / elapsed).into(),
            delivered: self.delivered,
            delivered_at_send: sent.delivered,
            rate_app_limited: sent.app_limited,
            flown: self.flown(sent),
            lost_flown: self.lost_flown.take(),
            lost: std::mem::take(&mut self.newly_lost),
            ece,
            marked: if ece { acked } else { 0.0 },
            ..Ack::default()
        }
    }

    fn flown(&self, sent: &Sent) -> Flown {
        Flown { flight: sent.in_flight, lost: (self.lost - sent.lost) as f64 }
    }

    /// Segments that three later ones have overtaken.
    fn note_lost(&mut self, acked: u64, before: f64) {
        while let Some(head) = self.flying.front() {
            if head.ack.is_some() || head.number + DUP_THRESHOLD > acked {
                break;
            }
            let (number, head) = (head.number, *head);
            self.flying.pop_front();
            self.lost += 1;
            self.lost_flown = Some(self.flown(&head));
            self.newly_lost += 1.0;
            if number >= self.reduced_at {
                self.reduced_at = self.next_number;
                self.recover = Some(self.next_number);
                self.losses += 1;
                self.law.on_loss(&mut self.w, Loss::DupAcks, before);
            }
        }
    }

    fn time_out(&mut self) {
        let before = self.inflight();
        self.newly_lost += before;
        self.lost += before as u64;
        let head = self.flying.front().copied();
        self.lost_flown = head.map(|head| self.flown(&head));
        self.losses += 1;
        self.flying.clear();
        self.recover = None;
        self.reduced_at = self.next_number;
        self.law.on_loss(&mut self.w, Loss::Timeout, before);
    }
}

/// Flows and their bottleneck.
#[derive(Clone, Debug)]
pub struct Dumbbell {
    /// The bottleneck that they share.
    pub link: Bottleneck,
    /// The flows that share it.
    pub flows: Vec<Flow>,
    /// Now, s.
    pub now: f64,
}

impl Dumbbell {
    /// At 0 s.
    pub fn new(link: Bottleneck, flows: Vec<Flow>) -> Dumbbell {
        Dumbbell { link, flows, now: 0.0 }
    }

    /// Runs until `end` s; `look` sees the path after each acknowledgement.
    pub fn run(&mut self, end: f64, mut look: impl FnMut(&Dumbbell)) {
        loop {
            let mut next = (end, usize::MAX, false);
            for (i, flow) in self.flows.iter().enumerate() {
                let (ack, send) = (flow.next_ack(), flow.next_sending(self.now));
                if ack < next.0 {
                    next = (ack, i, true);
                }
                if send < next.0 {
                    next = (send, i, false);
                }
            }
            let (at, i, ack) = next;
            self.now = self.now.max(at);
            match self.flows.get_mut(i) {
                None => return,
                Some(flow) if ack => {
                    flow.hear(at);
                    look(self);
                }
                Some(flow) => flow.send(at, &mut self.link),
            }
        }
    }
}
