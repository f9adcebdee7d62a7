//! The access of a station to the medium (`dcf_access_timing`, `edca_access_timing`): events go in, the
//! instants at which it begins come out, to the nanosecond.
//!
//! The rule about a medium that has been idle for long is ns-3's own: a DIFS from the request with DCF
//! ([`AccessRule::DifsFromRequest`]), the next slot boundary with EDCA ([`AccessRule::SlotBoundary`]).

mod events;
mod grant;
mod play;

use crate::case::{Case, Error, cases, id};
use crate::trial::{Outcome, judged, need, number, numbers};
use base::{Span, Time};
use events::{Event, script};
use grant::{Grant, micros, us};
use play::Play;
use serde_json::Value;
use wifi::phy::{Airtime, Dsss, DsssRate, Mode, Payload, Preamble, Standard};
use wifi::{Access, AccessRule, MacConfig, PhyConfig};

/// The reason why a backoff of EDCA that others interrupt can end differently here.
const SLOT_COUNT: &str = "802.11e is not modelled: its backoff counts a slot when it begins (802.11-2020, 10.23.2.4), \
     DCF's, as here, when it has passed (10.3.4.3)";

/// Runs a file of such cases.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    let edca_file = file.starts_with("edca");
    let run = |case| {
        let edca = edca_file || id(case).starts_with("edca");
        let judged = judged(file, case, one(case, edca));
        if edca && draws_backoff(case) {
            // What is not modelled can come out in any way.
            let reason = judged.reason.clone();
            return judged.defended(&reason, SLOT_COUNT);
        }
        judged
    };
    Ok(cases(file, value)?.iter().map(run).collect())
}

fn draws_backoff(case: &Value) -> bool {
    let events = case.pointer("/in/events").and_then(Value::as_array);
    let draws = |event: &Value| event.get("kind") == Some(&Value::from("draw_backoff"));
    events.is_some_and(|events| events.iter().any(draws))
}

fn one(case: &Value, edca: bool) -> Outcome {
    let input = case.get("in").ok_or("no \"in\"")?;
    let rule = if edca { AccessRule::SlotBoundary } else { AccessRule::DifsFromRequest };
    let expect = expectation(case)?;
    let (mut script, remark) = script(input)?;
    script.agenda.extend(expect.looks.iter().map(|&(at, _)| (at, Event::Look)));
    let mut play = Play::new(queues(input, rule)?, script);
    play.run()?;
    grants_match(&play.grants, &expect.grants)?;
    for (got, &(at, busy)) in play.looks.iter().zip(&expect.looks) {
        if *got != busy {
            let told = if *got { "busy" } else { "idle" };
            return Err(format!("at {} the medium is {told}", us(at)));
        }
    }
    Ok(remark.to_owned())
}

/// The expected output.
struct Expectation {
    grants: Vec<Grant>,
    /// The times at which the station is asked whether it takes the medium for busy, in order, and the
    /// expected answers.
    looks: Vec<(Time, bool)>,
}

fn expectation(case: &Value) -> Result<Expectation, String> {
    let mut found = Expectation { grants: Vec::new(), looks: Vec::new() };
    for expect in case.get("expect").and_then(Value::as_array).ok_or("no list \"expect\"")? {
        if let Some(busy) = expect.get("medium_busy").and_then(Value::as_bool) {
            found.looks.push((micros(need(expect, "/at_us")?), busy));
        } else {
            let queue = number(expect, "/queue").unwrap_or(0.0) as usize;
            found.grants.push((micros(need(expect, "/grant_at_us")?), queue));
        }
    }
    found.grants.sort_unstable();
    found.looks.sort_unstable();
    Ok(found)
}

fn grants_match(got: &[Grant], wanted: &[Grant]) -> Result<(), String> {
    let told = |grants: &[Grant]| {
        let each = grants.iter().map(|&(at, queue)| format!("queue {queue} at {}", us(at)));
        each.collect::<Vec<_>>().join(", ")
    };
    if got == wanted {
        return Ok(());
    }
    Err(format!("begins: {}; instead of: {}", told(got), told(wanted)))
}

/// A station as each of its queues sees it.
fn queues(input: &Value, access: AccessRule) -> Result<Vec<Access>, String> {
    let time = |key: &str| Ok::<Span, String>(micros(need(input, key)?) - Time::ZERO);
    let (slot, sifs) = (time("/slot_us")?, time("/sifs_us")?);
    let (error, timeout) = (time("/eifs_minus_difs_minus_sifs_us")?, time("/ack_timeout_us")?);
    if slot == Span::ZERO || timeout < sifs + slot {
        return Err("a slot of zero, or an ACK timeout below a SIFS and a slot".to_owned());
    }
    let mode = Mode::Dsss(Dsss { rate: DsssRate::Mbps1, preamble: Preamble::Long });
    let nothing = Payload::Symbols { bits: 1, symbol: Span::ZERO, overhead_bits: 0, granule: None };
    let phy = PhyConfig {
        slot,
        sifs,
        // EIFS is SIFS + DIFS + this.
        lowest: Airtime { preamble: error, payload: nothing, extension: Span::ZERO },
        rx_start_delay: timeout - sifs - slot,
        ..PhyConfig::of(Standard::HrDsss(Preamble::Long), mode, None)
    };
    let mac = MacConfig {
        rts_threshold: u32::MAX,
        short_retry_limit: None,
        long_retry_limit: None,
        mac_header: 0,
        llc_header: 0,
        access,
        ..MacConfig::default()
    };
    let aifsn = numbers(input, "/aifsn_per_queue");
    if aifsn.is_empty() {
        return Err("no aifsn_per_queue".to_owned());
    }
    Ok(aifsn.iter().map(|&slots| Access::new(&phy, &mac, slots as u64)).collect())
}
