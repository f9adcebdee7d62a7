//! A law on trial by itself: what is read from a case, a window, and events by hand.

use crate::case::{Case, Verdict, id};
use base::{Named, Options, Span, Time};
use serde_json::Value;
use transport::tcp::law::{Ack, AnyLaw, Law, LawName, Loss};
use transport::tcp::{TcpConfig, Window};

/// Against rounding: a whole number of segments that floating point missed by this is that number.
const EPSILON: f64 = 1e-9;

/// The result of a case: nothing or a remark, or the failure.
pub type Outcome = Result<String, String>;

/// The verdict on a case, with the remark as its reason.
pub fn judged(file: &str, case: &Value, outcome: Outcome) -> Case {
    let (result, remark) = match outcome {
        Ok(remark) => (Ok(()), remark),
        Err(wrong) => (Err(wrong), String::new()),
    };
    let judged = Case::new(file, id(case), result);
    if judged.verdict == Verdict::Pass { Case { reason: remark, ..judged } } else { judged }
}

/// Returns the message about an unknown name.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    format!("an unknown {what} {name:?}; known: {}", known.join(", "))
}

/// The number at a JSON pointer.
pub fn number(case: &Value, pointer: &str) -> Option<f64> {
    case.pointer(pointer).and_then(Value::as_f64)
}

/// The number at a JSON pointer that must be there.
pub fn need(case: &Value, pointer: &str) -> Result<f64, String> {
    number(case, pointer).ok_or_else(|| format!("no number at {pointer}"))
}

/// `s` seconds, at most eleven days: a mistyped time overflows nothing.
pub fn span(s: f64) -> Span {
    Span::from_secs(s.clamp(0.0, 1e6))
}

/// `x` as a number of steps to play: what a mistyped number must not turn into hours.
pub fn steps(what: &str, x: f64) -> Result<u64, String> {
    if (0.0..=1e6).contains(&x) {
        return Ok(x as u64);
    }
    Err(format!("{what}: {x}, where 0 to 1000000 are played"))
}

/// The numbers of the list at a JSON pointer.
pub fn numbers(case: &Value, pointer: &str) -> Vec<f64> {
    let list = case.pointer(pointer).and_then(Value::as_array);
    list.map(|list| list.iter().filter_map(Value::as_f64).collect()).unwrap_or_default()
}

/// True where `got` is `want` or misses it by `tolerance` at most.
pub fn near(what: &str, got: f64, want: f64, tolerance: f64) -> Result<(), String> {
    if (got - want).abs() <= tolerance {
        return Ok(());
    }
    Err(format!("{what}: {got} instead of {want}"))
}

/// `x` rounded down, past rounding errors.
pub fn floor(x: f64) -> f64 {
    libm::floor(x + EPSILON * x.abs().max(1.0))
}

/// A law and its window.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The law.
    pub law: AnyLaw,
    /// Its window.
    pub w: Window,
    /// Seconds.
    pub now: f64,
    /// The last acknowledgement: the next is made from it.
    pub told: Ack,
}

impl Trial {
    /// A law of that name with these parameters and a window of `cwnd` segments. An acknowledgement counts for at
    /// most `abc_limit` segments.
    pub fn new(
        law: &str,
        options: &[(&str, f64)],
        cwnd: f64,
        abc_limit: f64,
    ) -> Result<Trial, String> {
        let name = LawName::by_name(law).ok_or_else(|| format!("no law {law}"))?;
        let mut w = TcpConfig { abc_limit, ..TcpConfig::default() }.window();
        (w.cwnd, w.ssthresh) = (cwnd, 0.0);
        let law = AnyLaw::new(name, &Options::of(options));
        let told = Ack { flight: cwnd, acked: 1.0, delivered: 0.0, ..Ack::default() };
        Ok(Trial { law, w, now: 0.0, told })
    }

    /// An acknowledgement of `acked` segments now, after `rtt` seconds.
    pub fn ack(&mut self, acked: f64, rtt: f64) {
        self.tell(acked, rtt, false);
    }

    /// The same, with which a round ends.
    pub fn end_round(&mut self, acked: f64, rtt: f64) {
        self.tell(acked, rtt, true);
    }

    /// A sample of the round-trip time that lets nothing grow.
    pub fn sample(&mut self, rtt: f64, round_ended: bool) {
        self.told.app_limited = true;
        self.tell(0.0, rtt, round_ended);
        self.told.app_limited = false;
    }

    fn tell(&mut self, acked: f64, rtt: f64, round_ended: bool) {
        let rtt = span(rtt);
        let least = self.told.min_rtt.get().map_or(rtt, |least| least.min(rtt));
        self.told = Ack {
            now: Time::ZERO + span(self.now),
            acked,
            rtt: Some(rtt).into(),
            srtt: Some(rtt).into(),
            min_rtt: Some(least).into(),
            delivered: self.told.delivered + acked,
            round_ended,
            ..self.told
        };
        let told = self.told;
        self.law.on_ack(&mut self.w, &told);
    }

    /// A loss with the whole window in flight; the threshold after it.
    pub fn lose(&mut self, why: Loss) -> f64 {
        let base = self.w.cwnd;
        self.law.on_loss(&mut self.w, why, base);
        self.w.ssthresh
    }
}
