//! A link as a receiver meets it: path loss, shadowing and thresholds together, against closed forms.

use base::{Seed, Time};
use radio::noise::{dbm_from_w, ratio_from_db};
use radio::propagation::{
    Fading, FadingConfig, PathLoss, Shadowing, ShadowingConfig, rician_outage, shadowed_share,
};
use radio::{Position, Thresholds};

const SEED: Seed = Seed { seed: 11, replication: 0 };
const FRAMES: u64 = 100_000;

fn within(share: f64, expected: f64, n: u64) -> bool {
    // Four and a half standard errors.
    (share - expected).abs() < 4.5 * (expected * (1.0 - expected) / n as f64).sqrt() + 1e-9
}

/// janevski2011's link budget at ns-2's 914 MHz: exponent 2.7, 4 dB, 50 and 100 m.
#[test]
fn the_share_of_frames_received_under_ns2s_shadowing_is_the_closed_form() {
    let model = PathLoss::ns2_shadowing(914e6, 2.7);
    let thresholds = Thresholds::WAVELAN;
    for (node, distance_m) in [(1, 50.0), (2, 100.0), (3, 150.0)] {
        let mean_w = Thresholds::WAVELAN_TRANSMIT_W
            * model.gain(Position::flat(0.0, 0.0), Position::flat(distance_m, 0.0));
        let mut shadowing = Shadowing::new(ShadowingConfig::Fresh { sigma_db: 4.0 }, SEED, 0, node);
        let received = |i: u64| {
            let power_w = mean_w * ratio_from_db(shadowing.gain_db(Time(i * 777_777), 0.0));
            power_w >= thresholds.receive_w
        };
        let share = (0..FRAMES).map(received).filter(|&heard| heard).count() as f64 / FRAMES as f64;
        let expected = shadowed_share(dbm_from_w(mean_w), 4.0, dbm_from_w(thresholds.receive_w));
        assert!(within(share, expected, FRAMES), "{distance_m} m: {share} {expected}");
    }
}

/// At 20 m/s and 2.4 GHz a block of fading lasts 2.6 ms: looks 10 ms apart are independent.
#[test]
fn a_moving_nodes_outage_is_the_closed_form() {
    for k_factor in [0.0, 3.0] {
        let config = FadingConfig { k_factor, wavelength_m: 0.125, doppler_hz: 0.0 };
        let fading = Fading::new(config, SEED, 0, 1);
        let below = |i: u64| {
            let now = Time(i * 10_000_000);
            fading.gain(now, 20.0 * now.as_secs()) < 0.2
        };
        let share = (0..FRAMES).map(below).filter(|&below| below).count() as f64 / FRAMES as f64;
        let expected = rician_outage(k_factor, 0.2);
        assert!(within(share, expected, FRAMES), "K {k_factor}: {share} {expected}");
    }
}
