//! Stations with older rates in cells of 802.11n and later: which there are, what they change, and what is refused.

use scenario::{Files, Laws, Run, check, resolve};

const LOWER: &str = "standard = \"802.11n\"\nwidth = \"20 MHz\"\nstreams = 1\nband = \"2.4 GHz\"";
const UPPER: &str = "standard = \"802.11n\"\nwidth = \"20 MHz\"\nstreams = 1";

/// A download of datagrams to "old" and one to "sta"; more of the scenario at its end.
fn text(phy: &str, node: &str, more: &str) -> String {
    let flow = |to: &str| {
        format!(
            "[[flow]]\nname = \"{to}\"\nfrom = \"ap\"\nto = \"{to}\"\ntransport = \"udp\"\n\
             app = {{ kind = \"cbr\", rate = \"40 Mbps\", payload = \"1470 B\" }}\n"
        )
    };
    format!(
        "duration = \"6 s\"\nwarmup = \"1 s\"\n[phy]\n{phy}\n[qos]\nbest_effort.txop = \"0 us\"\naql = false\nhardware_aggregates = 2\n\
         [[cell]]\naccess_point = \"ap\"\nstations = [\"old\", \"sta\"]\nqueue = \"mac80211\"\n\
         [[node]]\nname = \"old\"\n{node}\n{}{}{more}",
        flow("old"),
        flow("sta")
    )
}

fn goodputs(text: &str) -> [f64; 2] {
    let scenario = check(text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let outcome = Run::new(&scenario, None, 0).finish().outcome;
    let p = &outcome.packets;
    assert_eq!(p.made, p.delivered + p.dropped + p.in_flight);
    [outcome.flows[0].goodput_bps, outcome.flows[1].goodput_bps]
}

fn document(text: &str) -> String {
    let known = (&Laws::default(), &Files::default());
    resolve(text, "x.toml", &[], known).expect("a good scenario").1.to_toml()
}

#[test]
fn rates_that_the_band_does_not_have_are_refused() {
    for (phy, node, said) in [
        (UPPER, "rate = \"1 Mbps\"", "1, 2, 5.5 and 11 Mbps are of the 2.4 GHz band"),
        (UPPER, "rate = \"7 Mbps\"", "6 Mbps, 9 Mbps, 12 Mbps"),
        (LOWER, "rate = \"7 Mbps\"", "1 Mbps, 2 Mbps, 5.5 Mbps, 6 Mbps"),
        (UPPER, "standard = \"802.11b\"", "allowed: \"802.11a\""),
        (LOWER, "standard = \"802.11a\"", "\"802.11\", \"802.11b\", \"802.11g\""),
        (LOWER, "standard = \"802.11b\"\nrate = \"6 Mbps\"", "allowed: 1 Mbps, 2 Mbps, 5.5 Mbps"),
        (LOWER, "standard = \"802.11b\"\nmcs = 0", "no MCS"),
        ("standard = \"802.11g\"", "standard = \"802.11b\"", "only a station in a cell of 802.11n"),
        (
            "standard = \"802.11n\"\nband = \"2.4 GHz\"\nrate_control = \"minstrel_ht\"",
            "rate = \"1 Mbps\"",
            "rate_control to \"fixed\"",
        ),
    ] {
        let error = check(&text(phy, node, ""), "x.toml", &[]).expect_err("refused").to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// With equal airtime a station gets half of what it gets alone: at 1 Mbit/s 1498 bytes of 12,496 us, a SIFS and an
/// acknowledgement of 304 us, behind AIFS and 7.5 slots, of which the frames alone are counted.
#[test]
fn an_old_station_gets_its_share_of_airtime_with_places_and_without() {
    let places = "[medium]\n[[node]]\nname = \"*\"\nposition = [0, 0]\n";
    for more in ["", places] {
        let [old, sta] = goodputs(&text(LOWER, "rate = \"1 Mbps\"", more));
        let cycle_us = 192.0 + 8.0 * 1536.0 + 10.0 + 304.0 + 37.0 + 67.5;
        let alone = 1470.0 * 8.0 / cycle_us * 1e6;
        assert!((old / alone - 0.5).abs() < 0.04, "{old} of {alone}");
        assert!(sta > 20e6, "{sta}");
    }
}

/// Nothing is aggregated to a station at an older rate, with categories or without: one frame at 54 Mbit/s at a time.
#[test]
fn an_older_rate_has_no_aggregates() {
    for node in
        ["rate = \"54 Mbps\"", "standard = \"802.11g\"", "standard = \"802.11g\"\nqos = false"]
    {
        let text = text(LOWER, node, "").replace(
            "name = \"sta\"\nfrom = \"ap\"",
            "name = \"sta\"\nstart = \"5 s\"\nfrom = \"ap\"",
        );
        let [old, _] = goodputs(&text);
        // 20 us, 57 symbols, 6 us; SIFS and 34 us; AIFS and 7.5 slots; for a fifth of the time with others.
        let cycle_us = 20.0 + 4.0 * 57.0 + 6.0 + 10.0 + 34.0 + 37.0 + 67.5;
        let alone = 1470.0 * 8.0 / cycle_us;
        assert!(old / 1e6 < 1.02 * alone && old / 1e6 > 0.7 * alone, "{node}: {old} of {alone}");
    }
}

/// A document of a run gives the same run, with the long slot of a cell with 802.11b.
#[test]
fn beside_802_11b_slots_are_long() {
    for (node, slot) in [("rate = \"1 Mbps\"", "9 us"), ("standard = \"802.11b\"", "20 us")] {
        let text = text(LOWER, node, "");
        let document = document(&text);
        assert!(document.contains(&format!("slot = \"{slot}\"")), "{document}");
        assert_eq!(goodputs(&text), goodputs(&document));
    }
}

/// What 802.11b costs beyond its own frames can be chosen: protection, the slot, and with those the price.
#[test]
fn protection_and_slots_can_be_chosen() {
    let node = "standard = \"802.11b\"\nrate = \"11 Mbps\"";
    let usual = goodputs(&text(LOWER, node, ""))[1];
    let bare = goodputs(&text(LOWER, node, "[mac]\nprotection = \"none\"\n"))[1];
    let short = format!("{LOWER}\nslot = \"9 us\"");
    let quick = goodputs(&text(&short, node, "[mac]\nprotection = \"none\"\n"))[1];
    assert!(usual < bare && bare < quick, "{usual} {bare} {quick}");
}

#[test]
fn a_station_of_802_11b_that_may_roam_is_refused() {
    let cell = "[[cell]]\nname = \"other\"\naccess_point = \"ap2\"\nstations = [\"sta2\"]\n[association]\n[medium]\n";
    let error = check(&text(LOWER, "standard = \"802.11b\"", cell), "x.toml", &[]);
    let error = error.expect_err("refused").to_string();
    assert!(error.contains("may go to another cell"), "{error}");
}
