//! A law under test, and its window.

use super::sequence::{Input, Sequence};
use base::{Span, Time};
use transport::tcp::law::{Ack, AnyLaw, Flown, Law, Loss};
use transport::tcp::{TcpConfig, Window};

/// A law under test.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Makes a fresh one.
    pub make: &'a dyn Fn() -> AnyLaw,
    /// The window after a timeout, segments: one, or as the law's paper has it.
    pub timeout_leaves: f64,
}

/// A law that is fed, and what it was fed with so far.
#[derive(Clone)]
pub struct Player {
    law: AnyLaw,
    window: Window,
    now: Time,
    delivered: f64,
    at_send: f64,
    srtt: Option<Span>,
    min_rtt: Option<Span>,
}

/// One call and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The call.
    pub input: Input,
    /// The window before.
    pub before: Window,
    /// The window after.
    pub after: Window,
    /// The law's pacing rate then, segments/s.
    pub pace: Option<f64>,
}

impl Call {
    /// The call in words.
    pub fn told(&self) -> String {
        match self.input {
            Input::Loss(Loss::DupAcks) => "on_loss(dup_acks)".to_owned(),
            Input::Loss(Loss::Timeout) => "on_loss(timeout)".to_owned(),
            Input::Loss(Loss::EcnMark) => "on_loss(ecn_mark)".to_owned(),
            Input::Recovered => "on_recovered".to_owned(),
            Input::Idle => "on_idle".to_owned(),
            Input::Ack { acked, rtt, app_limited, in_recovery, .. } => {
                let rtt = rtt.map_or("none".to_owned(), |rtt| format!("{} s", rtt.as_secs()));
                format!(
                    "on_ack(acked {acked:.3}, rtt {rtt}, in_recovery {in_recovery}, app_limited {app_limited})"
                )
            }
        }
    }

    /// All that can be seen, exactly.
    pub fn bits(&self) -> (u64, u64, Option<u64>) {
        let Window { cwnd, ssthresh, .. } = self.after;
        (cwnd.to_bits(), ssthresh.to_bits(), self.pace.map(f64::to_bits))
    }
}

impl Player {
    /// A fresh law at the start of a connection.
    pub fn new(subject: &Subject<'_>, sequence: &Sequence) -> Player {
        let config = TcpConfig {
            ssthresh_base: sequence.base,
            initial_window: sequence.initial_window,
            ..TcpConfig::default()
        };
        Player {
            law: (subject.make)(),
            window: config.window(),
            now: Time::ZERO,
            delivered: 0.0,
            at_send: 0.0,
            srtt: None,
            min_rtt: None,
        }
    }

    /// Tells the law of one thing, 10 ms after the last.
    pub fn feed(&mut self, input: &Input) -> Call {
        self.now += Span::millis(10);
        let before = self.window;
        match *input {
            Input::Ack { .. } => self.ack(input),
            // What is halved is the window: all of it was in flight.
            Input::Loss(why) => self.law.on_loss(&mut self.window, why, before.cwnd),
            Input::Recovered => self.law.on_recovered(&mut self.window),
            Input::Idle => self.law.on_idle(&mut self.window),
        }
        Call { input: *input, before, after: self.window, pace: self.law.pacing_rate() }
    }

    /// The law's inside, in words.
    pub fn state(&self) -> String {
        format!("{:?}", self.law)
    }

    fn ack(&mut self, input: &Input) {
        let Input::Ack { acked, rtt, app_limited, in_recovery, round_ended, ece, lost } = *input
        else {
            return;
        };
        if let Some(rtt) = rtt {
            self.srtt = Some(rtt);
            self.min_rtt = Some(self.min_rtt.map_or(rtt, |least| least.min(rtt)));
        }
        self.delivered += acked;
        let cwnd = self.window.cwnd;
        let flight = libm::floor(cwnd);
        let ack = Ack {
            now: self.now,
            acked,
            rtt: rtt.into(),
            srtt: self.srtt.into(),
            min_rtt: self.min_rtt.into(),
            flight,
            inflight: libm::floor((cwnd - acked).max(0.0)),
            app_limited,
            in_recovery,
            round_ended,
            delivery_rate: rtt.filter(|_| !ece).map(|rtt| cwnd / rtt.as_secs()).into(),
            delivered: self.delivered,
            delivered_at_send: self.at_send,
            rate_app_limited: app_limited,
            lost,
            lost_flown: (lost > 0.0).then_some(Flown { flight, lost }),
            ece,
            marked: if ece { acked } else { 0.0 },
            ..Ack::default()
        };
        if round_ended {
            self.at_send = self.delivered;
        }
        self.law.on_ack(&mut self.window, &ack);
    }
}
