//! The age of the kernel that a script was written for, where its file tells.

use super::event::{Event, What, events};
use super::stack;
use base::Span;
use serde_json::Value;

/// The group of scripts of today's kernels: those that show no sign of an older one.
const TODAY: &str = "today's kernels";

/// The group of scripts of older ones.
const OLDER: &str = "older kernels";

/// Up to which version a kernel that a script names is an older one: RACK recovers since 4.4.
const RACK: (u32, u32) = (4, 4);

/// The folder of the tests that Google's tool first came with, in 2013, for Linux 3.11 (its commit ea8f2fe; d570e24 in 2019
/// deletes "old Linux tests from circa 3.11").
const FIRST_TESTS: &str = "packetdrill/tests/";

/// Scripts of which runs have shown their kernels, but which do not tell them.
const SHOWN: &[(&str, &str)] = &[(
    "cubic-bulk-166k",
    "Linux 5.16 to 6.13, whose HyStart begins rounds from 16 segments on (docs/model/tcp.md)",
)];

/// The group of a case, and the sign by which it is of an older kernel; empty: none. `passed` is the older kernel by which
/// alone it passed.
pub fn of(case: &Value, passed: Option<&str>) -> (&'static str, String) {
    let source = |key: &str| {
        case.pointer(&format!("/source/{key}")).and_then(Value::as_str).unwrap_or_default()
    };
    if source("repo").contains("freebsd") {
        return ("", String::new());
    }
    let shown = SHOWN.iter().find(|shown| shown.0 == crate::case::id(case));
    let sign = match (stack::named_kernel(case), shown, passed) {
        (Some(kernel), _, _) if stack::version(kernel).is_none_or(|v| (v[0], v[1]) >= RACK) => None,
        (Some(kernel), _, _) => Some(format!("Linux {kernel}, as it says")),
        (None, Some(shown), _) => Some(shown.1.to_owned()),
        (None, None, Some(kernel)) => Some(format!("Linux {kernel}, as which alone it passes")),
        (None, None, None) if source("path").contains(FIRST_TESTS) => {
            Some("Linux 3.11, by its folder".to_owned())
        }
        (None, None, None) => events(case).ok().and_then(|events| expects(&events)),
    };
    sign.map_or_else(
        || (TODAY, String::new()),
        |sign| (OLDER, format!("of an older kernel: {sign}")),
    )
}

/// Expectations of the script that today's kernels do not meet.
fn expects(events: &[Event]) -> Option<String> {
    if first_timeout(events)
        .is_some_and(|wait| wait > Span::millis(2900) && wait < Span::millis(3500))
    {
        return Some("before Linux 3.1, since its first timeout takes 3 s".to_owned());
    }
    let segments = initial_window(events)?;
    (segments <= 4).then(|| format!("before Linux 2.6.39, since its initial window is {segments}"))
}

/// From a segment to its first repetition, which is the first of the script.
fn first_timeout(events: &[Event]) -> Option<Span> {
    let mut sent = vec![];
    for event in events {
        let What::Out(line, _) = &event.what else { continue };
        let what = (line.seq, line.flags.contains("SYN"));
        if line.len == 0 && !what.1 {
            continue;
        }
        if let Some((at, _)) = sent.iter().find(|(_, before)| *before == what) {
            return Some(event.at.since(*at));
        }
        sent.push((event.at, what));
    }
    None
}

/// The segments of the first flight, where more was written and would have fitted the other side's window.
fn initial_window(events: &[Event]) -> Option<u64> {
    let (mut mss, mut scale, mut window) = (None, 0, 0);
    let (mut written, mut flight) = (0, 0);
    for event in events {
        match &event.what {
            What::In(_) if flight > 0 => break,
            What::In(line) => {
                mss = line.mss.or(mss);
                scale = line.scale.unwrap_or(scale);
                let shift = if line.flags.contains("SYN") { 0 } else { scale };
                window = line.window.unwrap_or(0) << shift;
            }
            What::Out(line, _) => flight += line.len,
            What::App(call, _, result) if call == "write" => written += (*result).max(0) as u64,
            _ => {}
        }
    }
    let mss = u64::from(mss?);
    let held = flight > 0 && written >= flight + mss && window >= flight + mss;
    held.then(|| flight.div_ceil(mss))
}
