//! The events of a script, as the file has them, and what of them is not read.

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
    /// The network header's congestion field, where the script says it: "noecn", "ect0", "ect1" or "ce".
    pub ecn: Option<String>,
}

/// A requirement on `tcp_info`: field, comparison, value.
#[derive(Clone, Debug)]
pub struct Claim {
    pub field: String,
    pub op: String,
    pub value: String,
}

/// The latest that an event may come, s.
const LONGEST_S: f64 = 100_000.0;

/// The event.
#[derive(Clone, Debug)]
pub enum What {
    /// The other side sends.
    In(Line),
    /// We are expected to send, up to this time.
    Out(Line, Option<Time>),
    /// The application calls: name, arguments, the result that is expected.
    App(String, String, i64),
    /// The requirements on `tcp_info`.
    Check(Vec<Claim>),
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
    let at = time(v, "t").ok_or_else(|| format!("no time \"t\" from 0 to {LONGEST_S} s"))?;
    let what = match text(v, "kind") {
        "segment_in" => What::In(line(v)?),
        "segment_out" => What::Out(line(v)?, time(v, "t_max")),
        "app" => {
            let result = text(v, "returns").trim().parse().unwrap_or(0);
            What::App(text(v, "call").to_owned(), text(v, "args").to_owned(), result)
        }
        "check" => What::Check(checks(v)),
        "config_command" => What::Command,
        other => return Err(format!("events of the kind {other:?} are not read")),
    };
    Ok(Event { at, what })
}

/// A number of TCP's header, or none.
fn in_range(value: Option<&Value>) -> bool {
    value.is_none_or(|value| value.as_u64().is_some_and(|number| number <= u64::from(u32::MAX)))
}

fn line(v: &Value) -> Result<Line, String> {
    if let Some(name) = ["seq", "len", "ack", "win"].iter().find(|name| !in_range(v.get(name))) {
        return Err(format!("{name:?}: a number from 0 to {} is needed", u32::MAX));
    }
    let number = |name| v.get(name).and_then(Value::as_u64);
    let end = |p: &Value, i| p.get(i).filter(|end| in_range(Some(end))).and_then(Value::as_u64);
    let sack = v.get("sack").and_then(Value::as_array);
    let sack: Option<Vec<_>> = sack
        .map(|blocks| blocks.iter().map(|p| end(p, 0).zip(end(p, 1))).collect())
        .unwrap_or(Some(vec![]));
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
        sack: sack.ok_or("\"sack\": pairs of numbers are needed")?,
        stamps: half(0).zip(half(1)),
        mss: number("mss").map(|n| n.clamp(1, 65_535) as u32),
        // RFC 7323 section 2.3: 14 at most.
        scale: number("wscale").map(|n| n.min(14) as u32),
        sack_permitted: v.get("sack_permitted").is_some(),
        ecn: v.get("ecn").and_then(Value::as_str).map(str::to_owned),
    })
}

fn checks(v: &Value) -> Vec<Claim> {
    let list = v.get("checks").and_then(Value::as_array);
    let text_of = |check: &Value, name| match check.get(name) {
        Some(Value::Number(number)) => number.to_string(),
        _ => text(check, name).to_owned(),
    };
    let claim = |check| Claim {
        field: text_of(check, "field"),
        op: text_of(check, "op"),
        value: text_of(check, "value"),
    };
    list.map(Vec::as_slice).unwrap_or_default().iter().map(claim).collect()
}

/// The form of a segment's line.
const READ: &[&str] = &[
    "t",
    "t_max",
    "kind",
    "flags",
    "seq",
    "len",
    "ack",
    "win",
    "sack",
    "ts",
    "mss",
    "wscale",
    "sack_permitted",
    "ecn",
];

/// Calls that are made, and those that change nothing of what a connection sends.
const CALLS: &[&str] = &[
    "write",
    "send",
    "sendto",
    "writev",
    "sendmsg",
    "sendfile",
    "read",
    "recv",
    "recvfrom",
    "recvmsg",
    "readv",
    "connect",
    "close",
    "shutdown",
    "socket",
    "bind",
    "listen",
    "accept",
    "accept4",
    "setsockopt",
    "getsockopt",
    "fcntl",
    "ioctl",
    "poll",
    "epoll_create",
    "epoll_ctl",
    "epoll_wait",
];

/// Socket options that change what is sent, and are not modelled.
const OPTIONS: &[&str] =
    &["TCP_CORK", "TCP_USER_TIMEOUT", "TCP_MD5SIG", "TCP_FASTOPEN", "SO_KEEPALIVE", "TCP_REPAIR"];

/// Names of what the case has and the player does not read, in the order of the script: no reason to fail as long as
/// what is sent is as expected, and the first suspect where it is not.
pub fn unread(case: &Value) -> Vec<String> {
    let mut names = vec![];
    let list = case.get("events").and_then(Value::as_array);
    for event in list.map(Vec::as_slice).unwrap_or_default() {
        let (call, args) = (text(event, "call"), text(event, "args"));
        match text(event, "kind") {
            "config_command" => names.push("a shell command in the middle".to_owned()),
            "app" if !CALLS.contains(&call) => names.push(format!("the call {call}")),
            "app" if args.contains("MSG_MORE") => names.push("MSG_MORE".to_owned()),
            "app" => {
                let option = OPTIONS.iter().find(|option| args.contains(*option));
                names.extend(option.map(|option| (*option).to_owned()));
            }
            "check" if event.get("raw_python").is_some() && checks(event).is_empty() => {
                let said = text(event, "raw_python");
                names.extend((!said.contains('=')).then(|| format!("the assertion {said:?}")));
            }
            "segment_in" | "segment_out" => names.extend(unread_of_segment(event)),
            _ => {}
        }
    }
    let mut seen: Vec<String> = vec![];
    names.retain(|name| !seen.contains(name) && (seen.push(name.clone()), true).1);
    names
}

fn unread_of_segment(event: &Value) -> Vec<String> {
    let keys = event.as_object().into_iter().flat_map(|object| object.keys());
    let unknown = keys.filter(|key| !READ.contains(&key.as_str()));
    let mut names: Vec<String> = unknown.map(|key| format!("a segment's {key:?}")).collect();
    names.extend(text(event, "flags").contains("URG").then(|| "urgent data".to_owned()));
    names
}

fn text<'a>(v: &'a Value, name: &str) -> &'a str {
    v.get(name).and_then(Value::as_str).unwrap_or("")
}

/// Seconds of a script; longer ones are mistyped.
fn time(v: &Value, name: &str) -> Option<Time> {
    let seconds = v.get(name).and_then(Value::as_f64).filter(|s| (0.0..=LONGEST_S).contains(s));
    seconds.map(|s| Time::ZERO + Span::from_secs(s))
}
