//! 802.16 cells: what a file says of them, what is refused, and what a run makes of it.

use base::Span;
use scenario::{check, run};
use serde_json::Value;
use wimax::{Mcs, Preset, Split};

fn text(cell: &str, flow: &str) -> String {
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

const DOWN: &str = "from = \"server\"\nto = \"ss*\"\napp = \"bulk\"";
const UP: &str = "from = \"ss*\"\nto = \"server\"\napp = \"bulk\"";

fn cell(keys: &str) -> Result<wimax::CellConfig, String> {
    let checked = check(&text(keys, DOWN), "x.toml", &[]);
    checked.map(|found| found.plan.wimax[0].config.clone()).map_err(|error| error.to_string())
}

fn document(text: &str) -> Value {
    let scenario = check(text, "x.toml", &[]).expect("a good scenario");
    serde_json::from_str(&run(&scenario, Some(1), 0)).expect("JSON")
}

fn outcome(keys: &str, flow: &str) -> Value {
    document(&text(keys, flow))
}

fn goodput(run: &Value) -> f64 {
    let flows = run["flows"].as_array().expect("flows");
    flows.iter().map(|flow| flow["goodput_bps"].as_f64().expect("a rate")).sum()
}

#[test]
fn a_cell_without_keys_is_the_presets() {
    for (keys, preset) in [("", Preset::Standard), ("preset = \"nist\"", Preset::Nist)] {
        let cell = cell(keys).expect("a cell");
        assert_eq!(cell.frame, preset.frame());
        assert_eq!((cell.pdus, cell.requests), (preset.pdus(), preset.requests()));
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
    assert_eq!(
        (cell.frame.split, cell.frame.phy.frame),
        (Split::Symbols(80), Span::micros(12_500))
    );
    let profiles: Vec<_> = cell.subscribers.iter().map(|one| (one.down, one.up)).collect();
    let (first, second) = ((Mcs::Qam64R23, Mcs::Qpsk12), (Mcs::Bpsk12, Mcs::Qpsk12));
    assert_eq!(profiles, [first, second, first]);
    assert_ne!(cell.subscribers[1].up_queue, cell.subscribers[1].down_queue);
}

#[test]
fn what_a_cell_cannot_be_is_refused_with_what_is_allowed() {
    let refused = [
        ("frame = \"6 ms\"", "allowed: \"2.5 ms\", \"4 ms\""),
        ("bandwidth = \"50 MHz\"", "allowed: 1.25 MHz to 28 MHz"),
        ("ratio = \"3\"", "such as \"3:1\""),
        ("ratio = \"0:1\"", "each 1 to 1000"),
        ("modulation = \"16QAM34\"", "did you mean \"16QAM3/4\"?"),
        ("presets = \"nist\"", "did you mean \"preset\""),
        ("backoff_start = 7", "allowed: backoff_start <= backoff_end"),
        ("backoff_end = 16", "allowed: 0 to 15"),
        ("ratio = \"1:1\"\ndownlink_symbols = 3", "leave one of them out"),
        ("downlink_symbols = 146", "a frame has 146 symbols"),
        ("t16 = \"0 s\"", "allowed: more than \"0 ms\""),
        ("[[wimax.station]]\nname = \"st1\"", "did you mean \"ss1\"?"),
        // What a 6:1 frame has no room for, by name.
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
    let share = |keys: &str| {
        let keys = format!("channel = {{ model = \"bernoulli\", frame_loss = 0.2 }}\n{keys}");
        let run = document(&text(&keys, udp).replace("6 s", "200 s"));
        let flow = &run["flows"][0];
        let lost = flow["packets_lost"]["air"].as_f64().expect("a count");
        lost / flow["packets_sent"].as_f64().expect("a count")
    };
    // 3,600 packets: five standard errors are 0.033. In BPSK each needs three frames or so.
    for keys in ["", "uplink_modulation = \"BPSK1/2\"\npiggyback = true"] {
        let share = share(keys);
        assert!((share - 0.2).abs() < 0.033, "{keys}: {share}");
    }
}

#[test]
fn every_discipline_serves_both_directions() {
    for queue in ["\"codel\"", "\"fq_codel\"", "\"pie\"", "\"red\"", "{ bytes = \"40 kB\" }"] {
        let run = outcome(&format!("queue = {queue}\nratio = \"3:1\""), DOWN);
        assert!(goodput(&run) > 5e6, "{queue}: {}", goodput(&run));
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    assert_eq!(outcome("preset = \"nist\"", DOWN), outcome("preset = \"nist\"", DOWN));
}
