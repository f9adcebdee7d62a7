//! Packet scripts: timed segments to one real endpoint of ours, and what it sends against what is expected.
//!
//! As in packetdrill what is expected must come in its order and time; what comes after the last expectation is not
//! looked at. Where Linux' segmentation offload merges segments, ours may make up the expected range together.

mod event;
mod info;
mod known;
mod play;
mod stack;

use crate::case::{Case, Error, Verdict, cases, id};
use base::Span;
use serde_json::Value;

/// Runs a file of scripts.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| run_case(file, case)).collect())
}

fn run_case(file: &str, case: &Value) -> Case {
    let id = id(case);
    // The script was recorded on a kernel whose tick it does not name: it passes with one of those in use.
    let [first, second] = stack::LINUX_TICKS.map(|tick| Case::new(file, id, attempt(case, tick)));
    let judged = if first.passed() || !second.passed() { first } else { second };
    let judged = match known::KNOWN.iter().find(|known| known.id == id) {
        Some(known) => judged.defended(known.exactly, known.why),
        None => judged,
    };
    match judged.verdict {
        Verdict::Fail => Case { reason: judged.reason + &suspects(case), ..judged },
        _ => judged,
    }
}

/// What of the case is not read.
fn suspects(case: &Value) -> String {
    let mut names = event::unread(case);
    names.extend(stack::unread(case));
    if names.is_empty() { String::new() } else { format!("; not read: {}", names.join(", ")) }
}

fn attempt(case: &Value, tick: Span) -> Result<(), String> {
    let events = event::events(case)?;
    let config = stack::config(case, &events, tick)?;
    let peer = stack::first_in(&events).ok_or("nothing comes in")?;
    play::Player::new(&config, peer).play(&events)
}
