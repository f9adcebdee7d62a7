//! Stations of today's Wi-Fi with places: what comes through by the power of each frame, and the rates that are chosen for it.

use radio::{BitCode, CodeRate, Constellation, ErrorModel, Modulation, Word};
use scenario::{Run, check};

/// Datagrams from a station to its access point, `snr_db` above the noise of 20 MHz and a noise figure of 7 dB.
fn uplink(phy: &str, snr_db: f64, medium: &str, node: &str) -> String {
    // -174 dBm/Hz at 290 K, 73 dB Hz, 7 dB.
    let noise_dbm = -173.975 + 73.010 + 7.0;
    format!(
        "duration = \"6 s\"\nwarmup = \"2 s\"\n[phy]\nstandard = \"802.11n\"\nwidth = \"20 MHz\"\n{phy}\n\
         [medium]\ntx_power = \"20 dBm\"\nreference_loss_db = {}\n{medium}\n\
         [[cell]]\naccess_point = \"ap\"\nstations = 1\nplacement = \"circle 1 m\"\n{node}\n\
         [[flow]]\nfrom = \"sta1\"\nto = \"ap\"\ntransport = \"udp\"\n\
         app = {{ kind = \"saturated\", payload = \"1472 B\" }}\n",
        20.0 - noise_dbm - snr_db
    )
}

struct Sent {
    goodput_mbps: f64,
    /// The share of MPDUs that were lost.
    lost: f64,
    rate_mbps: f64,
}

fn run(text: &str) -> Sent {
    let scenario = check(text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let outcome = Run::new(&scenario, None, 0).finish().outcome;
    let p = &outcome.packets;
    assert_eq!(p.made, p.delivered + p.dropped + p.in_flight, "{text}");
    let access = outcome.access.iter().find(|of| of.name == "sta1/best_effort").expect("there");
    let station = outcome.stations.iter().find(|of| of.name == "sta1").expect("there");
    Sent {
        goodput_mbps: outcome.flows[0].goodput_bps / 1e6,
        lost: 1.0 - access.acknowledged as f64 / access.mpdus as f64,
        rate_mbps: station.mean_rate_bps.unwrap_or(0.0) / 1e6,
    }
}

#[test]
fn mpdus_are_lost_as_the_error_curve_says() {
    let (constellation, code) = (Constellation::Qam64, CodeRate::FiveSixths);
    let bcc = Modulation::Ofdm { constellation, code: BitCode::convolutional(code) };
    let ldpc = Modulation::Ofdm { constellation, code: BitCode::ldpc(code, Word::Long) };
    // 1472 B of payload, 8 + 20 + 8 above, 26 + 4 around. With LDPC a further word of 1620 bits begins or ends in an MPDU.
    let bits = 1538 * 8;
    for (snr_db, model, medium, coding, modulation, bits) in [
        (19.5, ErrorModel::Soft, "", "bcc", bcc, bits),
        (20.0, ErrorModel::Soft, "", "bcc", bcc, bits),
        (24.0, ErrorModel::Nist, "error_model = \"nist\"", "bcc", bcc, bits),
        (17.6, ErrorModel::Soft, "", "ldpc", ldpc, bits + 1620),
        (17.8, ErrorModel::Nist, "error_model = \"nist\"", "ldpc", ldpc, bits + 1620),
    ] {
        let phy = format!("streams = 1\nmcs = 7\ncoding = \"{coding}\"");
        let sent = run(&uplink(&phy, snr_db, medium, ""));
        let sinr = 10.0_f64.powf(snr_db / 10.0);
        let expected = 1.0 - model.packet_success(modulation, sinr, bits);
        assert!((0.01..0.5).contains(&expected), "{expected}");
        assert!((sent.lost - expected).abs() < 0.02, "{snr_db} dB: {} for {expected}", sent.lost);
    }
    let by_thresholds = "reception = \"thresholds\"\nrx_threshold = \"-90 dBm\"";
    assert_eq!(run(&uplink("streams = 1\nmcs = 7", 10.0, by_thresholds, "")).lost, 0.0);
}

/// Rates of MCS 7 with two streams, of MCS 4 with two, and of MCS 2 with one; at 5 dB none but the slowest two.
#[test]
fn rates_follow_the_signal() {
    for (snr_db, ideal_mbps) in [(35.0, 130.0), (15.0, 78.0), (7.0, 26.0)] {
        let of = |control: &str| {
            run(&uplink(&format!("streams = 2\nrate_control = \"{control}\""), snr_db, "", ""))
        };
        let (ideal, minstrel) = (of("ideal"), of("minstrel_ht"));
        assert_eq!(ideal.rate_mbps, ideal_mbps, "{snr_db} dB");
        let share = minstrel.goodput_mbps / ideal.goodput_mbps;
        // Minstrel-HT may lose some for more than the ideal, which loses nothing.
        assert!((0.93..1.5).contains(&share), "{snr_db} dB: {share}");
    }
}

/// From 10 m to 70 m in six seconds: 30 dB, and less than 5 dB at the end.
#[test]
fn a_station_that_walks_away_gets_slower_rates() {
    let walk = |velocity: &str| {
        let node = format!("[[node]]\nname = \"sta1\"\nposition = [10, 0]\n{velocity}");
        run(&uplink("streams = 1\nrate_control = \"minstrel_ht\"", 60.0, "", &node))
    };
    let (stays, walks) = (walk(""), walk("velocity = [10, 0]"));
    assert!(
        stays.rate_mbps > 64.0 && walks.rate_mbps < 40.0,
        "{} {}",
        stays.rate_mbps,
        walks.rate_mbps
    );
    assert!(
        walks.goodput_mbps > 5.0 && walks.goodput_mbps < 0.7 * stays.goodput_mbps,
        "{} {}",
        walks.goodput_mbps,
        stays.goodput_mbps
    );
}

#[test]
fn what_is_not_modelled_is_refused() {
    let base = uplink("streams = 1", 40.0, "", "");
    let edited = |from: &str, to: &str| {
        assert!(base.contains(from), "{from}");
        base.replacen(from, to, 1)
    };
    let beside = "[[cell]]\nname = \"other\"\naccess_point = \"ap2\"\nstations = [\"x\"]\nplacement = \"line 1 m\"\n[[flow]]";
    check(&edited("circle 1 m", "circle 9 km"), "x.toml", &[]).expect("stations may be hidden");
    check(&edited("[[flow]]", beside), "x.toml", &[]).expect("cells may share a channel");
    check(&edited("[medium]", "[association]\n[medium]"), "x.toml", &[]).expect("they may roam");
    let cell = |name: &str, qos: &str| {
        format!(
            "[[cell]]\nname = \"{name}\"\nstations = [\"{name}1\", \"{name}2\"]\nplacement = \"line 1 m\"\n{qos}\n"
        )
    };
    let mixed = format!(
        "duration = \"1 s\"\nphy = {{ standard = \"802.11g\" }}\n[medium]\n{}{}[[flow]]\nfrom = \"a1\"\nto = \"a2\"\napp = \"bulk\"\n",
        cell("a", "qos = {}"),
        cell("b", "")
    );
    for (text, said) in [
        (edited("streams = 1", "rate_control = \"idael\""), "ideal"),
        (mixed, "give that one a [qos] table, or one of them another channel_number"),
        (
            edited(
                "standard = \"802.11n\"\nwidth = \"20 MHz\"\nstreams = 1",
                "standard = \"802.11g\"\nrate_control = \"ideal\"",
            ),
            "allowed else: \"fixed\", \"arf\"",
        ),
        (
            edited("streams = 1", "rate_control = \"minstrel_ht\"\nmcs = 3"),
            "rate_control chooses the MCS",
        ),
        (edited("tx_power", "error_model = \"sofd\"\ntx_power"), "soft"),
    ] {
        let error = check(&text, "x.toml", &[]).expect_err(said).to_string();
        assert!(error.contains(said) && error.contains("x.toml"), "{error}");
    }
    let without = base.split_once("[medium]").map(|(head, rest)| {
        let tail = rest
            .split_once("[[cell]]")
            .expect("cells")
            .1
            .replace("placement = \"circle 1 m\"\n", "");
        format!("{head}\n[[cell]]{tail}").replace("streams = 1", "rate_control = \"ideal\"")
    });
    let error =
        check(&without.expect("a medium"), "x.toml", &[]).expect_err("no power").to_string();
    assert!(error.contains("it needs a [medium]"), "{error}");
}
