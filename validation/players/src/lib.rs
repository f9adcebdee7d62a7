//! Cases from other people's suites, run against our transport, radio and 802.11: text in, verdicts out, no files.
//!
//! Each kind of case file is a module with a function from the parsed file to its cases; [`run_file`] knows a file
//! by its name, and a file of another name by the shape of what is in it.

mod access;
mod bbr;
mod case;
mod congestion;
mod cubic;
pub mod dumbbell;
mod durations;
mod fall_floyd;
mod linux;
mod pathloss;
mod prose;
mod script;
mod survival;
pub mod three_nodes;
mod trajectory;
mod trial;
mod westwood;
mod wimax;

pub use case::{Case, Error, Verdict, to_json};
use serde_json::Value;

/// The player of a kind of file: the name for `Case::file` and the parsed file in, a verdict for each case
/// out.
type Runner = fn(&str, &Value) -> Result<Vec<Case>, Error>;

/// The kinds of files: the beginning of the name, and what runs it.
const KINDS: &[(&str, Runner)] = &[
    ("packetdrill_", script::run),
    ("ns3_congestion", congestion::run),
    ("ns3_trajectories", trajectory::run),
    ("bbr_behaviour", bbr::run),
    ("ns2_linux_cwnd", linux::run),
    ("ns2_fall_floyd", fall_floyd::run),
    ("cubic_quic", cubic::run),
    ("westwood_filter", westwood::run),
    ("dcf_access_timing", access::run),
    ("edca_access_timing", access::run),
    ("wifi_frame_durations", durations::run),
    ("wifi_per", survival::run),
    ("pathloss", pathloss::run),
];

/// Runs every case of a file, given by its name (a path is allowed) and its text.
///
/// # Errors
/// Where the text is neither JSON nor, by its name, a table of 802.16, or of no kind that is known, or a case lacks what
/// its kind needs.
pub fn run_file(name: &str, text: &str) -> Result<Vec<Case>, Error> {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if file.ends_with(".csv") {
        return wimax::run(file, text);
    }
    let value: Value = serde_json::from_str(text).map_err(|e| Error::new(file, e.to_string()))?;
    let runner = runner(file, &value).ok_or_else(|| {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.0).collect();
        let known = known.join(", ");
        let what = format!(
            "neither its name nor its cases are of a known kind; names begin with: {known}"
        );
        Error::new(file, what)
    })?;
    runner(file, &value)
}

/// By the name, then by the shape of the first case.
fn runner(file: &str, value: &Value) -> Option<Runner> {
    let named = KINDS.iter().find(|kind| file.starts_with(kind.0)).map(|kind| kind.1);
    named.or_else(|| shaped(value.get("cases")?.get(0)?))
}

/// The player of cases of this shape.
fn shaped(case: &Value) -> Option<Runner> {
    let algorithm = case.get("algorithm").and_then(Value::as_str).unwrap_or_default();
    match case {
        _ if case.pointer("/in/events").is_some() => Some(access::run),
        _ if case.pointer("/in/psdu_bytes").is_some() => Some(durations::run),
        _ if case.pointer("/in/snr_db").is_some() => Some(survival::run),
        _ if case.pointer("/in/tx_pos_m").is_some() => Some(pathloss::run),
        _ if case.get("events").is_some() => Some(script::run),
        _ if case.get("setup").is_some() => Some(bbr::run),
        _ if case.get("flows").is_some() => Some(linux::run),
        _ if case.get("forced_drop_list").is_some() => Some(fall_floyd::run),
        _ if case.get("rows").is_some() => Some(trajectory::run),
        _ if algorithm.starts_with("westwood") => Some(westwood::run),
        _ if algorithm == "cubic" && case.pointer("/in/op").is_some() => Some(cubic::run),
        _ if !algorithm.is_empty() && case.get("in").is_some() => Some(congestion::run),
        _ => None,
    }
}
