//! Ranges and shadowing against the closed forms (`shared/oracles/vectors/analytic.json`); path loss and packet errors are in
//! the conformance crate.

use crate::support::{cases, number};
use radio::noise::dbm_from_w;
use radio::propagation::{PathLoss, shadowed_share};
use radio::{Position, Thresholds};
use serde_json::Value;

#[test]
fn ns2s_ranges_and_shadowed_shares_are_the_closed_forms() {
    let (mut ranges, mut shares) = (0, 0);
    for case in cases("analytic") {
        let (input, expect) = (&case["in"], &case["expect"]);
        match case["group"].as_str() {
            Some("ns2_range") => {
                let model = PathLoss::ns2_two_ray(number(input, "freq_hz"));
                let reach = |w: f64| model.range_m(w / number(input, "Pt_w"));
                let wavelan = Thresholds::WAVELAN;
                assert!((reach(wavelan.receive_w) - number(expect, "rx_range_m")).abs() < 1e-3);
                assert!((reach(wavelan.sense_w) - number(expect, "cs_range_m")).abs() < 1e-3);
                ranges += 1;
            }
            Some("ns2_shadowing") => {
                shadowed(input, expect);
                shares += 1;
            }
            _ => {}
        }
    }
    println!("analytic: ns2_range {ranges} case, ns2_shadowing {shares} cases");
}

fn shadowed(input: &Value, expect: &Value) {
    let model = PathLoss::ns2_shadowing(number(input, "freq_hz"), number(input, "beta"));
    let here = Position::flat(0.0, 0.0);
    let there = Position::flat(number(input, "d_m"), 0.0);
    let mean_dbm = dbm_from_w(number(input, "Pt_w") * model.gain(here, there));
    assert!((mean_dbm - number(expect, "mean_rx_dbm")).abs() < 1e-3, "{mean_dbm} dBm");
    for (threshold_w, key) in [
        (Thresholds::WAVELAN.receive_w, "P_above_RXThresh_3.652e-10"),
        (Thresholds::WAVELAN.sense_w, "P_above_CSThresh_1.559e-11"),
    ] {
        let got = shadowed_share(mean_dbm, number(input, "sigma_db"), dbm_from_w(threshold_w));
        assert!((got - number(expect, key)).abs() < 1e-9, "{key} at {input}: {got}");
    }
}
