//! Values that 802.11n, ac and ax do not have are refused, with a list of theirs.

use scenario::{Run, check, run};
use serde_json::Value;

fn text(phy: &str, qos: &str) -> String {
    format!(
        "duration = \"1 s\"\n[phy]\n{phy}\n[qos]\n{qos}\n[[cell]]\naccess_point = \"ap\"\nstations = 1\n\
         [[flow]]\nfrom = \"sta1\"\nto = \"ap\"\n"
    )
}

fn refusal(phy: &str, qos: &str) -> String {
    check(&text(phy, qos), "x.toml", &[]).expect_err("refused").to_string()
}

#[test]
fn modes_that_a_standard_does_not_have_are_refused() {
    for (phy, said) in [
        ("standard = \"802.11n\"\nstreams = 1\nmcs = 8", "0, 1, 2, 3, 4, 5, 6, 7"),
        (
            "standard = \"802.11ac\"\nstreams = 1\nwidth = \"20 MHz\"\nmcs = 9",
            "0, 1, 2, 3, 4, 5, 6, 7, 8",
        ),
        ("standard = \"802.11ax\"\nmcs = 12", "up to 11"),
        (
            "standard = \"802.11n\"\nwidth = \"80 MHz\"",
            "no channel of this width; allowed: \"20 MHz\", \"40 MHz\"",
        ),
        ("standard = \"802.11n\"\nstreams = 5", "1 to 4"),
        ("standard = \"802.11g\"\nmcs = 3", "only 802.11n, 802.11ac and 802.11ax have this key"),
    ] {
        let error = refusal(phy, "");
        assert!(error.contains(said) && error.contains("x.toml"), "{error}");
    }
}

#[test]
fn a_txop_without_room_for_a_frame_is_refused() {
    let phy = "standard = \"802.11ax\"\nwidth = \"20 MHz\"\nstreams = 1\nmcs = 0";
    // Behind 43.2 us of preamble 16 + 8 * 30 + 6 bits in three symbols of 117 and 13.6 us; SIFS, and 14 B at 6 Mbit/s: 16 + 44.
    let error = refusal(phy, "best_effort = { txop = \"32 us\" }");
    assert!(error.contains("at least \"144 us\"") && error.contains("txop"), "{error}");
    for (key, limit) in [("best_effort", "9 ms"), ("voice", "-1 us")] {
        let error = refusal(phy, &format!("{key} = {{ txop = \"{limit}\" }}"));
        assert!(error.contains("txop") && error.contains("allowed"), "{error}");
    }
    let limits = "best_effort = { txop = \"144 us\" }\nvideo = { txop = \"0 us\" }";
    check(&text(phy, limits), "x.toml", &[]).expect("a frame without payload keeps 144 us");
}

#[test]
fn a_cts_to_oneself_before_nothing_is_refused() {
    let phy = "standard = \"802.11ax\"";
    let error = refusal(phy, "protection = \"cts_to_self\"");
    assert!(error.contains("rts") && error.contains("allowed"), "{error}");
    let text = text(phy, "protection = \"cts_to_self\"\n[mac]\nrts = \"always\"");
    check(&text, "x.toml", &[]).expect("it goes before all data frames");
}

/// Only agreements that are asked for end, after whole time units, or are declined.
#[test]
fn agreements_that_exist_from_the_start_neither_end_nor_are_declined() {
    let ac = "standard = \"802.11ac\"";
    let declines = "[[node]]\nname = \"sta1\"\naccepts_agreements = false";
    let frames = "agreements = \"frames\"\n";
    let early = refusal(ac, "block_ack_timeout = \"10.24 ms\"");
    assert!(early.contains("x.toml:5") && early.contains("\"frames\""), "{early}");
    let broken = refusal(ac, &format!("{frames}block_ack_timeout = \"10 ms\""));
    assert!(broken.contains("1.024 ms") && broken.contains("10240 us"), "{broken}");
    let nobody = refusal(ac, declines);
    assert!(nobody.contains("accepts_agreements") && nobody.contains("\"frames\""), "{nobody}");
    let good = format!("{frames}block_ack_timeout = \"10.24 ms\"\n{declines}");
    check(&text(ac, &good), "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
}

/// 802.11ax has no convolutional code above 20 MHz, above four streams, and with MCS 10 and 11.
#[test]
fn codes_that_802_11ax_does_not_have_are_refused() {
    let ax = "standard = \"802.11ax\"\ncoding = \"bcc\"";
    let wide = refusal(ax, "");
    assert!(wide.contains("coding") && wide.contains("\"ldpc\""), "{wide}");
    let narrow = format!("{ax}\nwidth = \"20 MHz\"");
    let fast = refusal(&format!("{narrow}\nmcs = 10"), "");
    assert!(fast.contains("mcs") && fast.contains("9"), "{fast}");
    for phy in [&narrow, &format!("{ax}\npreambles = \"ns3\""), "standard = \"802.11ax\""] {
        check(&text(phy, ""), "x.toml", &[]).unwrap_or_else(|error| panic!("{phy}: {error}"));
    }
    let old = refusal("standard = \"802.11a\"\ncoding = \"ldpc\"", "");
    assert!(old.contains("802.11n"), "{old}");
}

/// A walker between two access points, 100 m from each other, and a datagram each 5 ms both ways.
fn walk(phy: [&str; 2], rest: &str) -> String {
    let cell = |name: &str, stations: &str, channel: u32, phy: &str| {
        format!(
            "[[cell]]\nname = \"{name}\"\naccess_point = \"ap{name}\"\nstations = [{stations}]\nchannel_number = {channel}\nphy = {{ {phy} }}\n"
        )
    };
    let link = |ap: &str| {
        format!("[[link]]\nends = [\"server\", \"{ap}\"]\nrate = \"1 Gbps\"\ndelay = \"1 ms\"\n")
    };
    let flow = |from: &str, to: &str| {
        format!(
            "[[flow]]\nfrom = \"{from}\"\nto = \"{to}\"\ntransport = \"udp\"\napp = {{ kind = \"periodic\", payload = \"500 B\", interval = \"5 ms\" }}\n"
        )
    };
    let node = |name: &str, x_m: u32, rest: &str| {
        format!("[[node]]\nname = \"{name}\"\nposition = [{x_m}, 0]\n{rest}\n")
    };
    [
        "duration = \"20 s\"\n[medium]\n[association]\nmode = \"signal\"\nroam_below = \"-60 dBm\"\n".to_owned(),
        cell("a", "\"walker\"", 36, phy[0]),
        cell("b", "\"other\"", 40, phy[1]),
        link("apa") + &link("apb"),
        node("apa", 0, "") + &node("apb", 100, "") + &node("other", 99, ""),
        node("walker", 5, "velocity = [5, 0]"),
        flow("server", "walker") + &flow("walker", "server"),
        rest.to_owned(),
    ]
    .concat()
}

#[test]
fn stations_of_todays_wifi_roam() {
    let slow = "standard = \"802.11ac\", width = \"20 MHz\", streams = 1, mcs = 0";
    for rest in [
        "",
        "[queue]\ndiscipline = \"mac80211\"\n",
        "[mobile_ip]\nhome_agent = \"apa\"\nmobile_nodes = [\"walker\"]\n",
    ] {
        let text = walk([slow; 2], rest);
        let scenario = check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
        let outcome = Run::new(&scenario, None, 0).finish().outcome;
        let handoffs = outcome.handoffs.iter().flatten();
        assert_eq!(handoffs.filter(|handoff| handoff.station == "walker").count(), 2, "{rest}");
        for flow in &outcome.flows {
            // A handoff costs the way down a quarter of a second at most, the way up nothing but waiting.
            assert!(flow.goodput_bps > 0.985 * 800e3, "{rest}: {} bit/s", flow.goodput_bps);
        }
    }
}

/// From a cell of 802.11ac into one of 802.11a without categories, or the other way: each frame goes at a rate of the older one of both
/// ends, and no packet is lost but on the way down.
#[test]
fn stations_roam_between_cells_with_and_without_categories() {
    let (ac, old) = (
        "standard = \"802.11ac\", width = \"20 MHz\", streams = 1, mcs = 0",
        "standard = \"802.11a\", rate = \"24 Mbps\"",
    );
    // The second walker is one of 802.11a at both access points.
    for (phy, rates) in [([ac, old], [6.5, 24.0]), ([old, ac], [24.0, 24.0])] {
        for rest in ["", "[queue]\ndiscipline = \"mac80211\"\n"] {
            let text = walk(phy, rest);
            let scenario = check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
            let outcome = Run::new(&scenario, None, 0).finish().outcome;
            let handoffs = outcome.handoffs.iter().flatten();
            assert_eq!(handoffs.filter(|handoff| handoff.station == "walker").count(), 2, "{rest}");
            for flow in &outcome.flows {
                // What is for a station that scans is given up without agreements: in two cells of 802.11a 1.6 % are.
                assert!(flow.goodput_bps > 0.98 * 800e3, "{rest}: {} bit/s", flow.goodput_bps);
            }
            for (name, expected) in ["apa", "apb"].into_iter().zip(rates) {
                let station = outcome.stations.iter().find(|station| station.name == name);
                let rate_mbps = station.and_then(|own| own.mean_rate_bps).unwrap_or_default() / 1e6;
                assert!((rate_mbps - expected).abs() < 0.01, "{name}: {rate_mbps}");
            }
        }
    }
    let coded = walk([ac, old], "")
        .replace("channel_number = 40", "channel_number = 40\nfec = {}")
        .replace("[medium]", "[medium]\nreception = \"thresholds\"");
    let error = check(&coded, "x.toml", &[]).expect_err("no codes there").to_string();
    assert!(error.contains("code of whole frames"), "{error}");
}

/// What a station sends before it has an access point waits for the one that the scenario names. Where it joins another, such
/// packets come or are lost: none stays.
#[test]
fn nothing_stays_in_the_queue_for_an_access_point_that_was_never_met() {
    let slow = "standard = \"802.11ac\", width = \"20 MHz\", streams = 1, mcs = 0";
    for rest in ["", "[queue]\ndiscipline = \"mac80211\"\n"] {
        let text = walk([slow; 2], rest)
            .replace("position = [5, 0]\nvelocity = [5, 0]", "position = [95, 0]")
            .replace("interval = \"5 ms\"", "interval = \"2 ms\"");
        let scenario = check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
        let outcome = Run::new(&scenario, None, 0).finish().outcome;
        let up = &outcome.flows[1];
        let lost: u64 = up.packets_lost.values().sum();
        let left = up.packets_sent - up.packets_delivered - lost;
        assert!(up.packets_sent > 9_000 && left <= 5, "{rest}: {left} of {up:?}");
    }
}

/// What is given up leaves a gap in the window, of which a station without QoS knows nothing: it waits for no number.
#[test]
fn a_station_without_qos_gets_no_block_ack_requests() {
    let text = |node: &str| {
        format!(
            "duration = \"1 s\"\n[phy]\nstandard = \"802.11ac\"\n[mac]\nretry_limit = 2\n\
             [channel]\nmodel = \"bernoulli\"\nframe_loss = 0.4\n\
             [[cell]]\nname = \"cell\"\naccess_point = \"ap\"\nstations = [\"old\"]\n{node}\
             [[flow]]\nfrom = \"ap\"\nto = \"old\"\ntransport = \"udp\"\n\
             app = {{ kind = \"cbr\", rate = \"2 Mbps\", payload = \"1000 B\" }}\n"
        )
    };
    let requests = |text: &str| {
        let run = run(&check(text, "x.toml", &[]).expect("valid"), None, 0);
        let document: Value = serde_json::from_str(&run.to_string()).expect("JSON");
        let rows = document["access"].as_array().expect("categories").clone();
        let of_ap = rows.iter().find(|row| row["name"] == "ap/best_effort").expect("of the AP");
        (of_ap["retry_drops"].as_u64(), of_ap["requests"].as_u64())
    };
    let (dropped, asked) = requests(&text("[[node]]\nname = \"old\"\nqos = false\n"));
    assert!(dropped > Some(5), "{dropped:?}");
    assert_eq!(asked, Some(0));
    let (_, asked) = requests(&text(""));
    assert!(asked > Some(5), "{asked:?}");
}
