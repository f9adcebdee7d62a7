//! Packet scripts: timed segments to one real endpoint of ours, and what it sends against what is expected.
//!
//! As in packetdrill what is expected must come in its order and time; what comes after the last expectation is not
//! looked at. Where Linux' segmentation offload merges segments, ours may make up the expected range together.

mod event;
mod info;
mod play;
mod stack;

use crate::case::{Case, Error, cases, id};
use base::Span;
use serde_json::Value;

/// Cases about what lasthop does not have, and why that is no loss: (beginning of the id, reason).
const BEYOND: &[(&str, &str)] = &[
    (
        "basic-v6",
        "probing of the path's MTU (RFC 4821) is not modelled: the segment size is a parameter",
    ),
    (
        "user-timeout-probe",
        "a shell command takes the interface down, which the file does not tell; user timeouts (RFC 5482) belong to \
         the socket",
    ),
];

/// Differences that are known: (beginning of the id, what goes wrong and nothing before it, reason).
const KNOWN: &[(&str, &str, &str)] = &[(
    "cubic-rto-ss-ca-cwnd-bump",
    "event 69 at 1.425 s: PSH ACK 29001:31001",
    "Linux works out CUBIC's growth at most 32 times a second and in whole segments; RFC 9438 sections 4.2 and 4.3, \
     as here, at each acknowledgement: the eighth segment comes an acknowledgement earlier",
)];

/// Runs a file of scripts.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| run_case(file, case)).collect())
}

fn run_case(file: &str, case: &Value) -> Case {
    let id = id(case);
    let first = Case::new(file, id, attempt(case, stack::LINUX_TICKS[0]));
    let beyond = BEYOND.iter().find(|(begin, _)| id.starts_with(begin));
    if let Some((_, reason)) = beyond {
        return first.defended(reason);
    }
    let known = KNOWN
        .iter()
        .find(|(begin, what, _)| id.starts_with(begin) && first.reason.starts_with(what));
    if let Some((_, _, reason)) = known {
        return first.defended(reason);
    }
    // The script was recorded on a kernel whose tick it does not name: it passes with one of those in use.
    let second = || Case::new(file, id, attempt(case, stack::LINUX_TICKS[1]));
    if first.reason.is_empty() {
        first
    } else {
        Some(second()).filter(Case::passed).unwrap_or(first)
    }
}

fn attempt(case: &Value, tick: Span) -> Result<(), String> {
    let events = event::events(case)?;
    let config = stack::config(case, &events, tick);
    let peer = stack::first_in(&events).ok_or("nothing comes in")?;
    play::Player::new(&config, peer).play(&events)
}
