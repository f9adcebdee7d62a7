//! Saturated cells against an independent contention-level Monte Carlo. All its rows, and Bianchi's model, are in
//! `lasthop validate dcf_ns3 bianchi`.

use crate::support::saturated::{saturate, standard_mac};
use base::Rate;
use wifi::phy::{Preamble, Standard, Width};
use wifi::{BystanderRule, PhyConfig};

const B: Standard = Standard::HrDsss(Preamble::Long);
const A: Standard = Standard::Ofdm(Width::Mhz20);

fn phy(standard: Standard, data_mbps: f64, control_mbps: f64) -> PhyConfig {
    let mode = |mbps: f64| standard.mode(Rate((mbps * 1e6) as u64)).expect("a standard rate");
    PhyConfig::of(standard, mode(data_mbps), Some(mode(control_mbps)))
}

/// Three rows of `shared/oracles/ns3/dcf_vs_models.csv`, so that a clone alone compares: throughput in Mbit/s at 7 attempts.
#[test]
fn cells_do_what_the_monte_carlo_does_in_three_known_cases() {
    for (phy, n, payload, rule, expected) in [
        (phy(B, 11.0, 1.0), 10, 1500, BystanderRule::Eifs, 5.7563),
        (phy(A, 54.0, 24.0), 10, 1000, BystanderRule::Difs, 23.3973),
        (phy(A, 54.0, 24.0), 20, 500, BystanderRule::Difs, 15.3497),
    ] {
        let got = saturate(n, phy, standard_mac(Some(7), 36, rule), payload + 28, 200_000);
        let mbps = got.frames_per_s * f64::from(payload) * 8e-6;
        assert!((mbps / expected - 1.0).abs() < 0.005, "n {n}: {mbps} {expected}");
    }
}
