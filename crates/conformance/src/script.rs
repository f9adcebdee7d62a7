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

/// A difference that is known: the case, what exactly comes first that is not expected, and why that is right.
struct Known {
    id: &'static str,
    exactly: &'static str,
    why: &'static str,
}

const KNOWN: &[Known] = &[
    Known {
        id: "cubic-rto-ss-ca-cwnd-bump",
        exactly: "event 69 at 1.425 s: PSH ACK 29001:31001 ack 1 [] expected, at another time: sent 29001:30001 ack 1 \
                  [] at 1.327 s",
        why: "Linux works out CUBIC's growth at most 32 times a second and in whole segments; RFC 9438 sections 4.2 \
              and 4.3, as here, at each acknowledgement: the eighth segment comes an acknowledgement earlier",
    },
    Known {
        id: "basic-v6",
        exactly: "event 5 at 0.1 s: SYN ACK 0:0 ack 1 [] expected, window 65700: sent 0:0 ack 1 [] at 0.1 s",
        why: "the segment size is a parameter here: probing of the path's MTU (RFC 4821) is not modelled",
    },
    Known {
        id: "user-timeout-probe",
        exactly: "event 12 at 0.2 s: tcpi_probes is not modelled",
        why: "a shell command takes the interface down, which the file does not tell; user timeouts (RFC 5482) \
              belong to the socket",
    },
];

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
    match KNOWN.iter().find(|known| known.id == id) {
        Some(known) => judged.defended(known.exactly, known.why),
        None => judged,
    }
}

fn attempt(case: &Value, tick: Span) -> Result<(), String> {
    let events = event::events(case)?;
    let config = stack::config(case, &events, tick);
    let peer = stack::first_in(&events).ok_or("nothing comes in")?;
    play::Player::new(&config, peer).play(&events)
}
