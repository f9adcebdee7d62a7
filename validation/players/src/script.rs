//! Packet scripts: timed segments to one real endpoint of ours, and what it sends against what is expected.
//!
//! As in packetdrill what is expected must come in its order and time; what comes after the last expectation is not
//! looked at. Where Linux' segmentation offload merges segments, ours may make up the expected range together.

mod age;
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
    // The script was recorded on a kernel whose tick it does not name, and at times not its version: it passes with
    // one of those in use.
    let kernels = stack::kernels(case);
    let mut tries =
        kernels.iter().flat_map(|kernel| stack::LINUX_TICKS.map(|tick| (tick, *kernel)));
    let first = tries.next().map(|settings| attempt(case, settings)).unwrap_or(Ok(()));
    let passes = |settings: (Span, Option<&'static str>)| {
        attempt(case, settings).is_ok().then_some(settings.1)
    };
    let (judged, alone) = match first {
        Ok(()) => (Case::new(file, id, Ok(())), None),
        Err(why) => match tries.find_map(passes) {
            Some(kernel) => (Case::new(file, id, Ok(())), kernel),
            None => (Case::new(file, id, Err(why)), None),
        },
    };
    let judged = match known::KNOWN.iter().find(|known| known.id == id) {
        // An event's number hangs on how its file splits checks.
        Some(known) if judged.reason.ends_with(known.exactly) => {
            let exactly = judged.reason.clone();
            judged.defended(&exactly, known.why)
        }
        Some(_) => judged,
        None => judged,
    };
    let judged = match judged.verdict {
        Verdict::Fail => Case { reason: judged.reason + &suspects(case), ..judged },
        _ => judged,
    };
    let (group, sign) = age::of(case, alone);
    let between = if judged.reason.is_empty() || sign.is_empty() { "" } else { "; " };
    Case { group, reason: judged.reason + between + &sign, ..judged }
}

/// The parts of the case that are not read.
fn suspects(case: &Value) -> String {
    let mut names = event::unread(case);
    names.extend(stack::unread(case));
    if names.is_empty() { String::new() } else { format!("; not read: {}", names.join(", ")) }
}

fn attempt(case: &Value, (tick, kernel): (Span, Option<&str>)) -> Result<(), String> {
    let events = event::events(case)?;
    let config = stack::config(case, &events, tick, kernel)?;
    let peer = stack::first_in(&events).ok_or("nothing comes in")?;
    play::Player::new(&config, peer, stack::tolerance(case)?).play(&events)
}
