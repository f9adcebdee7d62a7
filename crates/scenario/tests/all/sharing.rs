//! Access points whose queues are mac80211's: receivers share airtime as the scheduler says, on Wi-Fi of every age.

use scenario::{Run, check};

/// Saturating datagrams from a server to stations of a cell, of which the last is slow.
fn downlink(phy: &str, queue: &str, qos: &str, stations: &[(&str, &str)]) -> Vec<f64> {
    let names: Vec<String> = stations.iter().map(|of| format!("{:?}", of.0)).collect();
    let mut text = format!(
        "duration = \"4 s\"\nwarmup = \"1 s\"\n[phy]\n{phy}\n[qos]\nbest_effort.txop = \"0 us\"\n{qos}\n\
         [[link]]\nends = [\"server\", \"ap\"]\nrate = \"1 Gbps\"\ndelay = \"1 ms\"\nqueue = \"unlimited\"\n\
         [[cell]]\naccess_point = \"ap\"\nstations = [{}]\nqueue = {queue}\n",
        names.join(", ")
    );
    for (name, node) in stations {
        text += &format!("[[node]]\nname = \"{name}\"\n{node}\n");
        text += &format!(
            "[[flow]]\nname = \"{name}\"\nfrom = \"server\"\nto = \"{name}\"\ntransport = \"udp\"\n\
             app = {{ kind = \"cbr\", rate = \"200 Mbps\", payload = \"1470 B\" }}\n"
        );
    }
    let scenario = check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let outcome = Run::new(&scenario, None, 0).finish().outcome;
    let p = &outcome.packets;
    assert_eq!(p.made, p.delivered + p.dropped + p.in_flight, "{qos}");
    outcome.flows.iter().map(|flow| flow.goodput_bps).collect()
}

const N: &str = "standard = \"802.11n\"\nwidth = \"20 MHz\"\nstreams = 1";
const FAIR: &str = "\"mac80211\"";
const HARDWARE: &str = "aql = false\nhardware_aggregates = 2";

fn near(found: f64, expected: f64, within: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < within, "{what}: {found} for {expected}");
}

/// With equal airtime each of n gets an n-th of what it gets alone ("Ending the Anomaly", section 3).
#[test]
fn each_receiver_gets_its_share_of_what_it_gets_alone() {
    for qos in [HARDWARE, "", "hardware_aggregates = 1"] {
        let stations = [("fast", ""), ("other", "mcs = 4"), ("slow", "mcs = 0")];
        let shared = downlink(N, FAIR, qos, &stations);
        for (of, found) in stations.iter().zip(&shared) {
            let alone = downlink(N, FAIR, qos, &[*of])[0];
            near(*found, alone / 3.0, 0.06, &format!("{} with {qos:?}", of.0));
        }
    }
}

#[test]
fn airtime_follows_weights() {
    let heavy = downlink(N, FAIR, HARDWARE, &[("a", "airtime_weight = 512"), ("b", "")]);
    near(heavy[0] / heavy[1], 2.0, 0.03, "twice the weight");
    let light = downlink(N, FAIR, HARDWARE, &[("a", "airtime_weight = 64"), ("b", "mcs = 3")]);
    let (a, b) =
        (downlink(N, FAIR, "", &[("a", "")])[0], downlink(N, FAIR, "", &[("b", "mcs = 3")])[0]);
    near(light[0] / a, 0.2, 0.06, "a quarter of the weight");
    near(light[1] / b, 0.8, 0.06, "four times the weight");
}

/// A queue for all makes the slow receiver's rate that of everyone (Heusse et al. 2003); turns by aggregates do not, but give the
/// slow one more than its share of airtime.
#[test]
fn without_airtime_fairness_the_slow_receiver_takes_more() {
    let stations = [("fast", ""), ("slow", "mcs = 0")];
    // A slow aggregate of 5 ms, and a fast one of 65,535 B that takes 4.
    let get = |queue: &str, qos: &str| {
        downlink(&N.replace("streams = 1", "streams = 2"), queue, qos, &stations)
    };
    let single = get("1000", "driver_queue = 123");
    near(single[0], single[1], 0.15, "one queue");
    let turns = get(FAIR, &format!("airtime_fairness = false\n{HARDWARE}"));
    let fair = get(FAIR, HARDWARE);
    assert!(single[0] < turns[0] && turns[0] < fair[0], "{single:?} {turns:?} {fair:?}");
    assert!(turns[1] > 1.05 * fair[1], "{turns:?} {fair:?}");
}

/// A driver reports the airtime of data frames, without spaces and answers: frames sent alone share that.
#[test]
fn wifi_of_every_age_shares_airtime() {
    // 1470 B with UDP, IP, LLC, a QoS header and FCS: 16 + 8 * 1536 + 6 bits in symbols of 216 and 24 behind 20 us; with
    // 802.11g a signal extension of 6 us.
    for (standard, extension) in [("802.11a", 0.0), ("802.11g", 6.0)] {
        let phy = format!("standard = \"{standard}\"");
        let stations = [("fast", ""), ("slow", "rate = \"6 Mbps\"")];
        let shared = downlink(&phy, FAIR, HARDWARE, &stations);
        let (fast, slow) = (20.0 + 4.0 * 57.0 + extension, 20.0 + 4.0 * 513.0 + extension);
        near(shared[0] / shared[1], slow / fast, 0.02, standard);
    }
    for standard in ["802.11ac", "802.11ax"] {
        let phy = format!("standard = \"{standard}\"\nwidth = \"20 MHz\"\nstreams = 1");
        let get = |stations: &[(&str, &str)]| downlink(&phy, FAIR, HARDWARE, stations);
        let shared = get(&[("fast", ""), ("slow", "mcs = 0")]);
        near(shared[0], get(&[("fast", "")])[0] / 2.0, 0.08, standard);
        near(shared[1], get(&[("slow", "mcs = 0")])[0] / 2.0, 0.08, standard);
    }
}

/// Packets in the hardware wait there: with fewer of them, waits behind them are shorter.
#[test]
fn airtime_limits_bound_the_queue_of_the_hardware() {
    let stations = [("a", "mcs = 2"), ("b", "mcs = 2")];
    let delay = |qos: &str| downlink(N, FAIR, qos, &stations);
    let (tight, loose) = (delay("aql_low = \"1 ms\"\naql_high = \"1 ms\""), delay("aql = false"));
    // Aggregates of 1 ms carry less than those of 5.
    assert!(tight[0] < 0.97 * loose[0], "{tight:?} {loose:?}");
}

/// The estimate of a packet has parts of symbols: aggregates fill what AQL allows, however few packets a symbol holds.
#[test]
fn aggregates_are_as_long_as_airtime_limits_let_them() {
    let phy = "standard = \"802.11ax\"\nwidth = \"80 MHz\"\nstreams = 2\nmcs = 7";
    let limit = "aql_low = \"1 ms\"\naql_high = \"1 ms\"";
    let stations = [("a", ""), ("b", ""), ("c", ""), ("d", "")];
    let total: f64 = downlink(phy, FAIR, limit, &stations).iter().sum();
    // 9,800 bits in 13.6 us; 44 us of preamble, AIFS of 43 and 7.5 slots on average, SIFS and 32 us of answer.
    let (rate, rest) = (9800.0 / 13.6e-6, 44e-6 + 43e-6 + 67.5e-6 + 16e-6 + 32e-6);
    let expected = rate * 1e-3 / (1e-3 + rest) * 1470.0 / 1544.0;
    near(total, expected, 0.05, "1 ms of each exchange");
}

/// What was for a receiver out of reach waits its turn behind the others (ath9k puts it back into the receiver's queue, xmit.c of
/// Linux 6.12, `ath_tx_complete_aggr`): they do not fall silent until its packets are given up.
#[test]
fn a_receiver_out_of_reach_does_not_hold_up_the_others() {
    for qos in [HARDWARE, "", "hardware_aggregates = 1", "aql = false"] {
        let with_places = format!("{qos}\nlifetime = \"10 s\"\n[medium]");
        let place = |far: i32| format!("position = [{far}, 0]");
        let (near, gone, ap) = (place(1), place(100_000), place(0));
        let stations = [("near", near.as_str()), ("gone", gone.as_str())];
        let access_point = format!("[[node]]\nname = \"ap\"\n{ap}");
        let shared = downlink(N, FAIR, &format!("{with_places}\n{access_point}"), &stations);
        assert_eq!(shared[1], 0.0);
        let alone = downlink(N, FAIR, &format!("{with_places}\n{access_point}"), &stations[..1]);
        assert!(shared[0] > 0.4 * alone[0], "{qos}: {} of {}", shared[0], alone[0]);
    }
}

#[test]
fn bad_values_are_refused() {
    let text = |qos: &str, weight: i64| {
        format!(
            "duration = \"1 s\"\n[phy]\nstandard = \"802.11ax\"\n[qos]\n{qos}\n[[cell]]\naccess_point = \"ap\"\n\
             stations = 2\nqueue = \"mac80211\"\n[[node]]\nname = \"sta1\"\nairtime_weight = {weight}\n\
             [[flow]]\nfrom = \"ap\"\nto = \"sta1\"\n"
        )
    };
    for (qos, weight, said) in [
        ("aql_low = \"0 ms\"", 256, "allowed: \"1 us\" to \"10 s\""),
        ("aql_low = \"13 ms\"", 256, "aql_low is above aql_high; allowed: aql_low <= aql_high"),
        ("hardware_aggregates = 0", 256, "allowed: 1 to 64"),
        ("", 0, "0 is out of range; allowed: 1 to 65535"),
        ("", 70_000, "70000 is out of range; allowed: 1 to 65535"),
    ] {
        let error = check(&text(qos, weight), "x.toml", &[]).expect_err("refused").to_string();
        assert!(error.contains(said), "{error}");
    }
}
