//! 802.16 cells: their tables, mistakes in these, and the results of runs.

use base::Span;
use scenario::{check, run, wimax_settings};
use serde_json::Value;
use wimax::{Mcs, Preset, Ratio, Split};

pub fn text(cell: &str, flow: &str) -> String {
    format!(
        r#"
duration = "6 s"
warmup = "1 s"
[[link]]
ends = ["server", "bs"]
rate = "100 Mbps"
delay = "20 ms"
[[wimax]]
base_station = "bs"
stations = 3
{cell}
[tcp]
variant = "newreno"
[[flow]]
{flow}
"#
    )
}

pub const DOWN: &str = "from = \"server\"\nto = \"ss*\"\napp = \"bulk\"";
pub const UP: &str = "from = \"ss*\"\nto = \"server\"\napp = \"bulk\"";

pub fn cell(keys: &str) -> Result<wimax::CellConfig, String> {
    let checked = check(&text(keys, DOWN), "x.toml", &[]);
    checked.map(|found| found.plan.wimax[0].config.clone()).map_err(|error| error.to_string())
}

pub fn document(text: &str) -> Value {
    let scenario = check(text, "x.toml", &[]).expect("a good scenario");
    serde_json::from_str(&run(&scenario, Some(1), 0)).expect("JSON")
}

pub fn outcome(keys: &str, flow: &str) -> Value {
    document(&text(keys, flow))
}

pub fn goodput(run: &Value) -> f64 {
    let flows = run["flows"].as_array().expect("flows");
    flows.iter().map(|flow| flow["goodput_bps"].as_f64().expect("a rate")).sum()
}

#[test]
fn a_cell_without_keys_is_the_presets() {
    for (keys, preset) in [("", Preset::Standard), ("preset = \"nist\"", Preset::Nist)] {
        let cell = cell(keys).expect("a cell");
        let known = wimax_settings(preset);
        assert_eq!((cell.frame, cell.pdus), (known.frame, known.pdus));
        assert_eq!(cell.requests, known.requests);
        assert_eq!(cell.pdus.fragment_header == 2, preset == Preset::Nist);
    }
}

#[test]
fn a_station_says_what_is_its_own() {
    let keys = r#"
modulation = "16QAM3/4"
uplink_modulation = "QPSK1/2"
downlink_symbols = 80
frame = "12.5 ms"
[[wimax.station]]
name = "ss*"
downlink_modulation = "64QAM2/3"
[[wimax.station]]
name = "ss2"
downlink_modulation = "BPSK1/2"
uplink_queue = "7 packets"
"#;
    let cell = cell(keys).expect("a cell");
    let split = Split { ratio: Ratio(1, 1), downlink_symbols: Some(80) };
    assert_eq!((cell.frame.split, cell.frame.phy.frame), (split, Span::micros(12_500)));
    let profiles: Vec<_> = cell.subscribers.iter().map(|one| (one.down, one.up)).collect();
    let (first, second) = ((Mcs::Qam64R23, Mcs::Qpsk12), (Mcs::Bpsk12, Mcs::Qpsk12));
    assert_eq!(profiles, [first, second, first]);
    assert_ne!(cell.subscribers[1].up_queue, cell.subscribers[1].down_queue);
}

#[test]
fn what_a_cell_cannot_be_is_refused_with_what_is_allowed() {
    let refused = [
        ("frame = \"6 ms\"", "allowed: \"2.5 ms\", \"4 ms\""),
        ("bandwidth = \"50 MHz\"", "allowed: \"1.25 MHz\" to \"28 MHz\""),
        ("ratio = \"3\"", "such as \"3:1\""),
        ("ratio = \"0:1\"", "each 1 to 1000"),
        ("modulation = \"16QAM34\"", "did you mean \"16QAM3/4\"?"),
        ("presets = \"nist\"", "did you mean \"preset\""),
        ("backoff_start = 7", "allowed: backoff_start <= backoff_end"),
        ("backoff_end = 16", "allowed: 0 to 15"),
        ("ratio = \"1:1\"\ndownlink_symbols = 3", "leave one of them out"),
        ("downlink_symbols = 146", "a frame has 146 symbols"),
        ("t16 = \"0 s\"", "allowed: more than \"0 s\""),
        ("[[wimax.station]]\nname = \"st1\"", "did you mean \"ss1\"?"),
        // The parts for which a 6:1 frame has no room, by name.
        (
            "preset = \"nist\"\nratio = \"6:1\"\ncyclic_prefix = \"1/4\"",
            "uplink has 18 of 124 symbols, of which contention takes 19",
        ),
        ("downlink_symbols = 9", "no burst fits behind preamble and broadcast"),
    ];
    for (keys, message) in refused {
        let error = cell(keys).expect_err(keys);
        assert!(error.contains(message), "{keys}: {error}");
        assert!(error.contains("x.toml:"), "{error}");
    }
    let members = [
        ("3\n", "[\"ss\", \"ss\"]\n", "\"ss\" is in this cell already"),
        ("3\n", "[\"bs\"]\n", "\"bs\" is in this cell already"),
        ("3\n", "[\"s s\"]\n", "' ' in a name"),
        ("\"bs\"\nstations", "\"ss2\"\nstations", "\"ss2\" is in this cell already"),
        ("\"server\", \"bs\"", "\"ss1\", \"bs\"", "there is a node \"ss1\" already"),
        (
            "[tcp]",
            "[[wimax]]\nname = \"wimax\"\nbase_station = \"b2\"\nstations = [\"z\"]\n[tcp]",
            "x.toml:13:8: error: a second cell \"wimax\"; give each cell its own name",
        ),
    ];
    for (before, after, message) in members {
        let changed = text("", DOWN).replacen(before, after, 1);
        let error = check(&changed, "x.toml", &[]).expect_err(after).to_string();
        assert!(error.contains(message), "{after}: {error}");
    }
    let saturated =
        text("", "from = \"ss1\"\nto = \"bs\"\ntransport = \"udp\"\napp = \"saturated\"");
    let error = check(&saturated, "x.toml", &[]).expect_err("a station of 802.16").to_string();
    assert!(error.contains("is in 802.16; allowed here: \"cbr\""), "{error}");
}

#[test]
fn a_frame_that_just_has_room_runs() {
    // The module's contention, at 6:1, needs about 141 symbols (a prefix of 1/16 has 146).
    assert!(cell("preset = \"nist\"\nratio = \"6:1\"").is_ok());
}

#[test]
fn downloads_share_the_frame_and_leave_most_of_the_uplink() {
    let run = outcome("modulation = \"16QAM3/4\"", DOWN);
    // 60 symbols of 72 B each 5 ms, less headers: 6.9 Mbit/s, of which TCP's payload is 97 %.
    let rate = goodput(&run);
    assert!((6.2e6..6.9e6).contains(&rate), "{rate}");
    let cell = &run["wimax"][0];
    assert_eq!(cell["frames"], 1000);
    let uplink = cell["uplink_share"].as_f64().expect("a share");
    assert!((0.01..0.3).contains(&uplink), "{uplink}");
    let queues = run["queues"].as_array().expect("queues");
    assert!(queues.iter().any(|queue| queue["name"] == "wimax/bs>ss3"));
}

#[test]
fn uploads_ask_for_what_they_send() {
    let run = outcome("piggyback = true", UP);
    let asked = &run["subscribers"][0]["requests"];
    assert!(asked["attempts"].as_u64() > Some(0) && asked["piggybacked"].as_u64() > Some(100));
    // 58 symbols of 108 B each 5 ms.
    assert!((7e6..10.1e6).contains(&goodput(&run)), "{}", goodput(&run));
}

#[test]
fn losses_are_of_the_direction_that_is_named() {
    let channel = "channel = { model = \"bernoulli\", frame_loss = 0.02 }\n";
    for (errors_in, down, up) in
        [("both", true, true), ("downlink", true, false), ("uplink", false, true)]
    {
        let run = outcome(&format!("{channel}errors_in = \"{errors_in}\""), DOWN);
        let flow = &run["flows"][0];
        let lost = |key: &str| flow[key].as_u64().unwrap_or(0) > 0;
        assert_eq!(flow["packets_lost"]["air"].as_u64() > Some(0), down, "{errors_in}");
        assert_eq!(lost("acks_lost"), up, "{errors_in}");
    }
}

#[test]
fn a_packet_lost_in_pieces_is_lost_as_often_as_one_in_one_piece() {
    let udp = "from = \"ss1\"\nto = \"bs\"\ntransport = \"udp\"\napp = { kind = \"cbr\", rate = \"200 kbps\", payload = \"1400 B\" }";
    let share = |channel: &str, keys: &str| {
        let keys = format!("channel = {{ {channel} }}\n{keys}");
        let run = document(&text(&keys, udp).replace("6 s", "200 s"));
        let flow = &run["flows"][0];
        let lost = flow["packets_lost"]["air"].as_f64().expect("a count");
        lost / flow["packets_sent"].as_f64().expect("a count")
    };
    // 3,600 packets: five standard errors are 0.033. In BPSK each needs three frames or so.
    // The bad state is over before the next packet, 56 ms later.
    let states =
        "model = \"gilbert_elliott\", bad_share = 0.2, mean_bad = \"3 ms\", loss_bad = 1.0";
    for channel in ["model = \"bernoulli\", frame_loss = 0.2", states] {
        for keys in ["", "uplink_modulation = \"BPSK1/2\"\npiggyback = true"] {
            let share = share(channel, keys);
            assert!((share - 0.2).abs() < 0.033, "{channel}, {keys}: {share}");
        }
    }
}

#[test]
fn every_discipline_serves_both_directions() {
    for queue in
        ["\"codel\"", "\"fq_codel\"", "\"cake\"", "\"pie\"", "\"red\"", "{ bytes = \"40 kB\" }"]
    {
        let run = outcome(&format!("queue = {queue}\nratio = \"3:1\""), DOWN);
        assert!(goodput(&run) > 5e6, "{queue}: {}", goodput(&run));
    }
}

#[test]
fn cells_of_802_11_stand_behind_subscriber_stations() {
    let wifi = "\n[[cell]]\naccess_point = \"ss1\"\nstations = [\"phone\", \"tablet\"]\n[phy]\nstandard = \"802.11g\"\n";
    let flow = format!(
        "from = \"server\"\nto = \"phone\"\napp = \"bulk\"\n[[flow]]\nfrom = \"tablet\"\nto = \"ss2\"\napp = \"bulk\"{wifi}"
    );
    let named = text("", &flow).replace("stations = 3", "stations = [\"ss1\", \"ss2\"]");
    let run = document(&named);
    for flow in run["flows"].as_array().expect("flows") {
        assert!(flow["goodput_bps"].as_f64() > Some(1e6), "{flow}");
    }
}

/// Downloads, the stations so far from the base station, m.
fn far(metres: &str, keys: &str) -> Value {
    let places =
        format!("\n[[node]]\nname = \"bs\"\nposition = [0, 0]\n[[node]]\nname = \"ss*\"\n{metres}");
    outcome(&format!("[wimax.signal]\n{keys}"), &format!("{DOWN}{places}"))
}

#[test]
fn burst_profiles_follow_the_signal() {
    // 43 dBm, 43.3 dB at a metre, 30 dB a decade, noise at -98.5 dBm: 24.4 dB reach 288 m, 22.7 dB 328 m, 11.2 dB 796 m;
    // stations have 5 dB less.
    let at = |metres: u32| far(&format!("position = [{metres}, 0]"), "");
    let rates: Vec<f64> = [280, 300, 700].map(|metres| goodput(&at(metres))).into();
    assert!(rates[0] > 1.05 * rates[1] && rates[1] > 2.0 * rates[2], "{rates:?}");
    assert!((rates[1] / rates[0] - 96.0 / 108.0).abs() < 0.05, "{rates:?}");
    assert_eq!(goodput(&at(1300)), 0.0);
}

#[test]
fn a_profile_that_the_signal_does_not_carry_loses_all() {
    let fixed = |metres: u32| far(&format!("position = [{metres}, 0]"), "adaptive = false");
    assert!(goodput(&fixed(180)) > 8e6);
    let lost = fixed(300);
    assert_eq!(goodput(&lost), 0.0);
    assert!(lost["subscribers"][0]["down"]["lost"].as_u64() > Some(0));
}

#[test]
fn a_station_that_goes_away_changes_its_profile() {
    let leaves = far("position = [250, 0]\nvelocity = [100, 0]", "");
    let stays = goodput(&far("position = [250, 0]", ""));
    assert!((0.2..0.8).contains(&(goodput(&leaves) / stays)), "{}", goodput(&leaves) / stays);
}

#[test]
fn a_signal_needs_places() {
    let error = cell("[wimax.signal]").expect_err("nobody has a place");
    assert!(error.contains("\"bs\" has no place; add [[node]]"), "{error}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    assert_eq!(outcome("preset = \"nist\"", DOWN), outcome("preset = \"nist\"", DOWN));
}
