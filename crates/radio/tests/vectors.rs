//! Path loss, shadowing and packet errors against the reference vectors (`shared/oracles/vectors`).

mod support;

use radio::noise::{dbm_from_w, ratio_from_db};
use radio::propagation::{LIGHT_M_PER_S, PathLoss, shadowed_share};
use radio::{CodeRate, Constellation, ErrorModel, Modulation, Position, Thresholds};
use serde_json::Value;
use support::{cases, number};

fn position(value: &Value, key: &str) -> Position {
    let at = |i: usize| value[key][i].as_f64().expect("three coordinates");
    Position { x_m: at(0), y_m: at(1), z_m: at(2) }
}

#[test]
fn path_loss_is_ns3s_to_its_digits() {
    let cases = cases("pathloss");
    for case in &cases {
        let (input, expect) = (&case["in"], &case["expect"]);
        let wavelength_m = || LIGHT_M_PER_S / number(input, "frequency_hz");
        let model = match input["model"].as_str() {
            Some("Friis") => PathLoss::Friis {
                wavelength_m: wavelength_m(),
                system_loss: number(input, "system_loss"),
            },
            Some("TwoRayGround") => PathLoss::TwoRayGround {
                wavelength_m: wavelength_m(),
                system_loss: number(input, "system_loss"),
                antenna_m: number(input, "antenna_height_above_node_m"),
            },
            _ => PathLoss::LogDistance {
                exponent: number(input, "exponent"),
                reference_m: number(input, "reference_distance_m"),
                reference_db: number(input, "reference_loss_db"),
            },
        };
        let gain = model.gain(position(input, "tx_pos_m"), position(input, "rx_pos_m"));
        let got = gain * number(input, "tx_w");
        let error = (got - number(expect, "rx_w")).abs();
        assert!(error <= number(expect, "abs_tol_w"), "{}: {got} W", case["id"]);
    }
    println!("pathloss: {} cases", cases.len());
}

fn modulation(mode: &str) -> Modulation {
    use CodeRate::{Half, ThreeQuarters, TwoThirds};
    use Constellation::{Bpsk, Qam16, Qam64, Qpsk};
    let ofdm = |constellation, code| Modulation::Ofdm { constellation, code };
    match mode {
        "DsssDbpsk" => Modulation::Dbpsk,
        "DsssDqpsk" => Modulation::Dqpsk,
        "DsssDqpskCck5_5" => Modulation::Cck5_5,
        "DsssDqpskCck11" => Modulation::Cck11,
        "OfdmRate6Mbps" => ofdm(Bpsk, Half),
        "OfdmRate9Mbps" => ofdm(Bpsk, ThreeQuarters),
        "OfdmRate12Mbps" => ofdm(Qpsk, Half),
        "OfdmRate18Mbps" => ofdm(Qpsk, ThreeQuarters),
        "OfdmRate24Mbps" => ofdm(Qam16, Half),
        "OfdmRate36Mbps" => ofdm(Qam16, ThreeQuarters),
        "OfdmRate48Mbps" => ofdm(Qam64, TwoThirds),
        "OfdmRate54Mbps" => ofdm(Qam64, ThreeQuarters),
        other => panic!("unknown mode {other}"),
    }
}

#[test]
fn packets_survive_as_in_ns3_to_their_tolerances() {
    let cases = cases("wifi_per");
    for case in &cases {
        let (input, expect) = (&case["in"], &case["expect"]);
        let modulation = modulation(input["mode"].as_str().expect("a mode"));
        let sinr = ratio_from_db(number(input, "snr_db"));
        let bits = input["bits"].as_u64().expect("bits");
        let got = ErrorModel::Nist.packet_success(modulation, sinr, bits);
        let error = (got - number(expect, "success_probability")).abs();
        assert!(error <= number(expect, "abs_tol"), "{}: {got} {expect}", case["id"]);
    }
    println!("wifi_per: {} cases", cases.len());
}

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
