//! Durations of frames (`wifi_frame_durations`), to the nanosecond.

use crate::case::{Case, Error, cases};
use crate::trial::{Outcome, judged, need};
use base::{Rate, Span};
use serde_json::Value;
use wifi::phy::{
    Dsss, DsssRate, Generation, Mode, Modern, Ofdm, OfdmKind, Preamble, PreambleRule, Width,
};

/// Runs a file of durations.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| judged(file, case, one(case))).collect())
}

fn one(case: &Value) -> Outcome {
    let input = case.get("in").ok_or("no \"in\"")?;
    let airtime = mode(input)?.airtime();
    let bytes = need(input, "/psdu_bytes")? as u32;
    let got = match input.get("scope").and_then(Value::as_str) {
        Some("payload_only") => airtime.payload.of_bits(u64::from(bytes) * 8),
        _ => airtime.of_bytes(bytes),
    };
    let want = need(case, "/expect/duration_ns")?;
    if got.0 as f64 == want {
        return Ok(String::new());
    }
    Err(format!("{} ns instead of {want}", got.0))
}

fn mode(input: &Value) -> Result<Mode, String> {
    let text = |key: &str| input.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = text("mode");
    let unknown = || format!("no mode {name}");
    let ofdm = |kind| {
        let mode = Ofdm::new(kind, rate(name)?, Width::Mhz20).map(Mode::Ofdm);
        mode.ok_or_else(unknown)
    };
    match text("phy_class") {
        "DsssPhy" => {
            let preamble =
                if text("preamble") == "short" { Preamble::Short } else { Preamble::Long };
            let rate = DsssRate::from_rate(rate(name)?).ok_or_else(unknown)?;
            Ok(Mode::Dsss(Dsss { rate, preamble }))
        }
        "OfdmPhy" => ofdm(OfdmKind::Ofdm),
        "ErpOfdmPhy" => ofdm(OfdmKind::Erp),
        "HtPhy" => modern(Generation::Ht, input).ok_or_else(unknown),
        "VhtPhy" => modern(Generation::Vht, input).ok_or_else(unknown),
        "HePhy" => modern(Generation::He, input).ok_or_else(unknown),
        "EhtPhy" => modern(Generation::Eht, input).ok_or_else(unknown),
        other => Err(format!("no PHY {other}")),
    }
}

/// The number in `DsssRate5_5Mbps`, a rate.
fn rate(name: &str) -> Result<Rate, String> {
    let digits = name.split("Rate").nth(1).and_then(|rest| rest.strip_suffix("Mbps"));
    let mbps = digits.and_then(|digits| digits.replace('_', ".").parse::<f64>().ok());
    mbps.map(|mbps| Rate((mbps * 1e6) as u64)).ok_or_else(|| format!("no rate in {name}"))
}

fn modern(generation: Generation, input: &Value) -> Option<Mode> {
    let mcs = input.get("mode")?.as_str()?.rsplit("Mcs").next()?.parse().ok()?;
    let width = input.get("bandwidth_mhz")?.as_u64()? as u16;
    let guard = Span(input.get("guard_interval_ns")?.as_u64()?);
    Modern::new(generation, mcs, 1, width, guard, PreambleRule::Ns3).map(Mode::Modern)
}
