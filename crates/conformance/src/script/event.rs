//! The events of a script, as the file has them.

use base::{Span, Time};
use serde_json::Value;

/// A segment that goes in or is expected out; sequence numbers count from the initial ones.
#[derive(Clone, Debug)]
pub struct Line {
    /// SYN, ACK, FIN, RST and PSH, in one string.
    pub flags: String,
    pub seq: u64,
    pub len: u64,
    pub ack: Option<u64>,
    /// The window field as it is on the wire.
    pub window: Option<u64>,
    pub sack: Vec<(u64, u64)>,
    pub stamps: Option<(u32, u32)>,
    pub mss: Option<u32>,
    pub scale: Option<u32>,
    pub sack_permitted: bool,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum What {
    /// The other side sends.
    In(Line),
    /// We are expected to send, up to this time.
    Out(Line, Option<Time>),
    /// The application calls: name, arguments, the result that is expected.
    App(String, String, i64),
    /// What `tcp_info` must say: field and value.
    Check(Vec<(String, String)>),
    /// A command of the shell; the file does not say which.
    Command,
}

/// An event and its time.
#[derive(Clone, Debug)]
pub struct Event {
    pub at: Time,
    pub what: What,
}

/// The events of a case, or what is wrong with it.
pub fn events(case: &Value) -> Result<Vec<Event>, String> {
    let list = case.get("events").and_then(Value::as_array).ok_or("no list of \"events\"")?;
    list.iter().enumerate().map(|(i, v)| event(v).map_err(|e| format!("event {i}: {e}"))).collect()
}

fn event(v: &Value) -> Result<Event, String> {
    let at = time(v, "t").ok_or("no time \"t\"")?;
    let what = match text(v, "kind") {
        "segment_in" => What::In(line(v)?),
        "segment_out" => What::Out(line(v)?, time(v, "t_max")),
        "app" => {
            let result = text(v, "returns").trim().parse().unwrap_or(0);
            What::App(text(v, "call").to_owned(), text(v, "args").to_owned(), result)
        }
        "check" => What::Check(checks(v)),
        "config_command" => What::Command,
        other => return Err(format!("unknown kind {other:?}")),
    };
    Ok(Event { at, what })
}

fn line(v: &Value) -> Result<Line, String> {
    let number = |name| v.get(name).and_then(Value::as_u64);
    let pair = |p: &Value| Some((p.get(0)?.as_u64()?, p.get(1)?.as_u64()?));
    let sack = v.get("sack").and_then(Value::as_array);
    let sack = sack.map(|blocks| blocks.iter().filter_map(pair).collect());
    let half = |i: usize| -> Option<u32> {
        let part = v.get("ts")?.get(i)?;
        part.as_str().map_or_else(|| part.as_u64().map(|n| n as u32), |s| s.parse().ok())
    };
    Ok(Line {
        flags: text(v, "flags").to_owned(),
        seq: number("seq").ok_or("no number \"seq\"")?,
        len: number("len").unwrap_or(0),
        ack: number("ack"),
        window: number("win"),
        sack: sack.unwrap_or_default(),
        stamps: half(0).zip(half(1)),
        mss: number("mss").map(|n| n as u32),
        scale: number("wscale").map(|n| n as u32),
        sack_permitted: v.get("sack_permitted").is_some(),
    })
}

fn checks(v: &Value) -> Vec<(String, String)> {
    let list = v.get("checks").and_then(Value::as_array);
    let list = list.map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map(|check| (text(check, "field").to_owned(), text(check, "value").to_owned()))
        .collect()
}

fn text<'a>(v: &'a Value, name: &str) -> &'a str {
    v.get(name).and_then(Value::as_str).unwrap_or("")
}

fn time(v: &Value, name: &str) -> Option<Time> {
    v.get(name).and_then(Value::as_f64).map(|s| Time::ZERO + Span::from_secs(s))
}
