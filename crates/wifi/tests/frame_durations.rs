//! Frame durations against ns-3's (`shared/oracles/vectors/wifi_frame_durations.json`), to the nanosecond.

mod support;

use base::{Rate, Span};
use serde_json::Value;
use support::cases;
use wifi::phy::{
    Dsss, DsssRate, Generation, Mode, Modern, Ofdm, OfdmKind, Preamble, PreambleRule, Width,
};

fn mode(input: &Value) -> Mode {
    let text = |key: &str| input[key].as_str().expect("text");
    let whole = |key: &str| input[key].as_u64().expect("a whole number");
    let name = text("mode");
    let mcs = || name.rsplit("Mcs").next().and_then(|mcs| mcs.parse().ok()).expect("an MCS");
    let modern = |generation| {
        let (width, guard) = (whole("bandwidth_mhz") as u16, Span(whole("guard_interval_ns")));
        let mode = Modern::new(generation, mcs(), 1, width, guard, PreambleRule::Ns3);
        Mode::Modern(mode.unwrap_or_else(|| panic!("no mode {input}")))
    };
    let rate = || {
        let digits = name.split("Rate").nth(1).and_then(|rest| rest.strip_suffix("Mbps"));
        let mbps: f64 = digits.expect("a rate").replace('_', ".").parse().expect("a number");
        Rate((mbps * 1e6) as u64)
    };
    let ofdm =
        |kind| Mode::Ofdm(Ofdm::new(kind, rate(), Width::Mhz20).expect("a rate of the standard"));
    match text("phy_class") {
        "DsssPhy" => {
            let preamble =
                if text("preamble") == "short" { Preamble::Short } else { Preamble::Long };
            let rate = DsssRate::from_rate(rate()).expect("a rate of the standard");
            Mode::Dsss(Dsss { rate, preamble })
        }
        "OfdmPhy" => ofdm(OfdmKind::Ofdm),
        "ErpOfdmPhy" => ofdm(OfdmKind::Erp),
        "HtPhy" => modern(Generation::Ht),
        "VhtPhy" => modern(Generation::Vht),
        "HePhy" => modern(Generation::He),
        "EhtPhy" => modern(Generation::Eht),
        other => panic!("unknown PHY {other}"),
    }
}

#[test]
fn frames_last_as_long_as_ns3s_to_the_nanosecond() {
    let cases = cases("wifi_frame_durations");
    let mut wrong = Vec::new();
    for case in &cases {
        let input = &case["in"];
        let airtime = mode(input).airtime();
        let bytes = input["psdu_bytes"].as_u64().expect("bytes");
        let got = match input["scope"].as_str() {
            Some("payload_only") => airtime.payload.of_bits(bytes * 8),
            _ => airtime.of_bytes(bytes as u32),
        };
        if Some(got.0) != case["expect"]["duration_ns"].as_u64() {
            wrong.push(format!("{}: {} ns, {} {}", case["id"], got.0, case["expect"], input));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    println!("wifi_frame_durations: {} cases", cases.len());
}
