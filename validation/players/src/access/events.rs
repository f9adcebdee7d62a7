//! The events of a case, in order.

use super::grant::micros;
use crate::trial::need;
use base::{Span, Time};
use serde_json::Value;

/// The answer to a transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It wants none, or has it at once.
    AtOnce,
    /// So long after its end.
    After(Span),
    /// Never.
    Never,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A transmission of others is noticed, with its number in the case.
    Busy(usize),
    /// It ends; whether it was decoded, where it was a frame.
    Idle(usize, Option<bool>),
    /// The station sends something that needs no access; receptions end.
    Transmit(usize),
    /// A frame is to be sent: its queue, how long it takes, its answer.
    Request(usize, Span, Answer),
    /// The station sends a frame no longer, and wants this answer.
    Sent(usize, Answer),
    /// The answer to the frame of that number comes.
    Answered,
    /// A reservation until then; true where it replaces all others.
    Reserve(Time, bool),
    /// The station leaves the channel for another, which is busy until the end of this number.
    Switch(usize),
    /// A question whether the medium is busy.
    Look,
}

/// A backoff of a queue: when it is drawn, and its slots.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// The time.
    pub at: Time,
    /// For which queue.
    pub queue: usize,
    /// The output.
    pub slots: u32,
}

/// All that a case says.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The event and its time.
    pub agenda: Vec<(Time, Event)>,
    /// The random numbers to come.
    pub draws: Vec<Draw>,
    /// The number of numbered transmissions.
    pub numbered: usize,
}

/// Reads `events`, with a remark on what was left out.
pub fn script(input: &Value) -> Result<(Script, &'static str), String> {
    let list = input.get("events").and_then(Value::as_array).ok_or("no list \"events\"")?;
    // ns-3 puts them on a secondary channel wherever a case has a width, which the file does not repeat.
    let wide = input.pointer("/params_raw/chWidth").is_some();
    let mut script = Script::default();
    let mut remark = "";
    for event in list {
        let kind = event.get("kind").and_then(Value::as_str).unwrap_or_default();
        if wide && kind == "cca_busy" {
            remark = "without the busy secondary channel: channels are 20 MHz wide";
            continue;
        }
        script.add(kind, event)?;
    }
    Ok((script, remark))
}

impl Script {
    fn add(&mut self, kind: &str, event: &Value) -> Result<(), String> {
        let at = micros(need(event, "/at_us")?);
        let span = |key: &str| Ok::<Span, String>(micros(need(event, key)?) - Time::ZERO);
        let queue = || event.get("queue").and_then(Value::as_u64).unwrap_or(0) as usize;
        let draw = |key| {
            let slots = need(event, key)? as u32;
            Ok::<Draw, String>(Draw { at, queue: queue(), slots })
        };
        match kind {
            "draw_backoff" => self.draws.push(draw("/slots")?),
            "internal_collision" => self.draws.push(draw("/new_backoff_slots")?),
            "access_request" => {
                let answer = match event.get("ack").and_then(Value::as_str) {
                    Some("timeout") => Answer::Never,
                    Some("ok") => Answer::After(span("/ack_delay_us")?),
                    _ => Answer::AtOnce,
                };
                self.agenda.push((at, Event::Request(queue(), span("/tx_us")?, answer)));
            }
            "nav_start" | "nav_reset" => {
                let until = at + span("/dur_us")?;
                self.agenda.push((at, Event::Reserve(until, kind == "nav_reset")));
            }
            _ => self.occupy(kind, at, at + span("/dur_us")?)?,
        }
        Ok(())
    }

    /// Something takes the medium. A frame that cannot be decoded is known as such when it ends: EIFS runs from there
    /// (802.11-2020, 10.3.2.3.7), however early the error was (`err_after_us`).
    fn occupy(&mut self, kind: &str, at: Time, end: Time) -> Result<(), String> {
        let number = self.numbered;
        let (start, decoded) = match kind {
            "rx_ok" | "rx_start" | "rx_inside_sifs" => (Event::Busy(number), Some(true)),
            "rx_err" => (Event::Busy(number), Some(false)),
            "cca_busy" => (Event::Busy(number), None),
            "own_tx" => (Event::Transmit(number), None),
            "channel_switch" => (Event::Switch(number), None),
            _ => return Err(format!("an unknown event: {kind:?}")),
        };
        self.numbered += 1;
        self.agenda.push((at, start));
        self.agenda.push((end, Event::Idle(number, decoded)));
        Ok(())
    }
}
