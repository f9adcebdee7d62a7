//! Scenarios with places: what they mean, what they refuse, what comes of them.

use radio::propagation::{PathLoss, ShadowingConfig};
use radio::{Modulation, Position, Thresholds};
use scenario::check;
use wifi::Reception;
use world::Plan;

const TWO_SIDES: &str = r#"duration = "20 s"
conventions = "ns2"
[medium]
cs_threshold = "3.652e-10 W"
[phy]
rate = "2 Mbps"
[mac]
rts = "never"
[[cell]]
name = "cell"
access_point = "ap"
stations = 2
[[node]]
name = "ap"
position = [0, 0]
[[node]]
name = "sta1"
position = [-140, 0]
[[node]]
name = "sta2"
position = [140.0, 0.0]
[[flow]]
name = "up"
from = "sta*"
to = "ap"
transport = "udp"
app = { kind = "saturated", payload = "1500 B" }
"#;

fn plan(text: &str, overrides: &[&str]) -> Plan {
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    std::sync::Arc::unwrap_or_clone(
        check(text, "x.toml", &overrides).unwrap_or_else(|error| panic!("{error}")).plan,
    )
}

fn refused(text: &str) -> String {
    match check(text, "x.toml", &[]) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    }
}

/// Goodput of all flows, bit/s.
fn total(text: &str, overrides: &[&str]) -> f64 {
    let mut world =
        world::World::build(&plan(text, overrides), base::Seed { seed: 1, replication: 0 })
            .expect("it is connected");
    world.run();
    world.outcome().flows.iter().map(|flow| flow.goodput_bps).sum()
}

/// Returns the positions of the stations of each cell at time zero.
fn places(text: &str) -> Vec<Vec<Position>> {
    let at_zero = |place: &radio::mobility::Mobility| place.clone().position(base::Time::ZERO);
    let of_cell = |cell: &world::CellPlan| {
        let medium = cell.medium.as_ref().expect("it has places");
        medium.places.iter().map(at_zero).collect()
    };
    plan(text, &[]).cells.iter().map(of_cell).collect()
}

#[test]
fn a_placement_is_laid_around_the_access_point() {
    let two = |shape: &str| {
        let cell = |i: u32| {
            format!(
                "[[cell]]\nname = \"c{i}\"\naccess_point = \"ap{i}\"\nstations = [\"s{i}\", \"t{i}\"]\nplacement = \"{shape}\"\n"
            )
        };
        let node = "[[node]]\nname = \"ap1\"\nposition = [60, -20, 5]\nvelocity = [1, 0]\n";
        let flow = "[[flow]]\nfrom = \"s1\"\nto = \"ap1\"\n";
        let (one, other) = (cell(0), cell(1));
        format!("duration = \"1 s\"\n[medium]\n{one}{other}{node}{flow}")
    };
    let up = |x_m, y_m| Position { x_m, y_m, z_m: 5.0 };
    let flat = |x_m, y_m| Position::flat(x_m, y_m);
    let line = [
        vec![flat(0.0, 0.0), flat(10.0, 0.0), flat(20.0, 0.0)],
        vec![up(60.0, -20.0), up(70.0, -20.0), up(80.0, -20.0)],
    ];
    assert_eq!(places(&two("line 10 m")), line);
    let near = |a: Position, b: Position| a.distance_m(b) < 1e-12;
    let circle = [
        [flat(0.0, 0.0), flat(10.0, 0.0), flat(-10.0, 0.0)],
        [up(60.0, -20.0), up(70.0, -20.0), up(50.0, -20.0)],
    ];
    for (found, expected) in
        places(&two("circle 10 m")).iter().flatten().zip(circle.iter().flatten())
    {
        assert!(near(*found, *expected), "{found:?} is not {expected:?}");
    }
}

#[test]
fn ns2s_radio_is_wavelan_over_two_ray_ground() {
    let plan = plan(TWO_SIDES, &["medium.cs_threshold=1.559e-11 W"]);
    let medium = plan.cells[0].medium.as_ref().expect("it has places");
    assert_eq!(medium.reception, Reception::Thresholds(Thresholds::WAVELAN));
    assert_eq!(medium.propagation.path_loss, PathLoss::ns2_two_ray(914e6));
    assert_eq!(medium.transmit_w, Thresholds::WAVELAN_TRANSMIT_W);
    assert_eq!(medium.channel, 1);
}

#[test]
fn hidden_stations_of_a_scenario_recover_with_rts() {
    let (bare, rts) = (total(TWO_SIDES, &[]), total(TWO_SIDES, &["mac.rts=always"]));
    assert!(rts > 2.0 * bare, "{rts} {bare}");
    let seen = total(TWO_SIDES, &["medium.cs_threshold=1.559e-11 W"]);
    assert!(bare < 0.5 * seen, "{bare} {seen}");
}

#[test]
fn a_circle_puts_the_access_point_in_its_centre() {
    let text = TWO_SIDES.replace("stations = 2", "stations = 4\nplacement = \"circle 10 m\"");
    let i = text.find("[[node]]").expect("there are nodes");
    let j = text.find("[[flow]]").expect("there is a flow");
    let mut plan = plan(&format!("{}{}", &text[..i], &text[j..]), &[]);
    let cell = plan.cells.remove(0);
    let mut medium = cell.medium.clone().expect("it has places");
    assert!(medium.is_level(), "and the fast way does");
    let mut at = |i: usize| medium.places[i].position(base::Time::ZERO);
    assert_eq!(at(0), Position::default());
    assert!(at(2).distance_m(Position::flat(0.0, 10.0)) < 1e-12);
    assert!((at(1).distance_m(at(3)) - 20.0).abs() < 1e-12);
}

#[test]
fn a_station_has_a_rate_of_its_own_and_the_modulation_that_goes_with_it() {
    let text = TWO_SIDES.replace(
        "position = [-140, 0]",
        "position = [-140, 0]\nrate = \"1 Mbps\"\nvelocity = [3, 4]",
    );
    let plan = plan(&text, &[]);
    let mut medium = plan.cells[0].medium.clone().expect("it has places");
    let rung = |i: usize| plan.cells[0].configs[i].ladder.rungs[0];
    assert_eq!(rung(1).modulations.data, Modulation::Dbpsk);
    assert_eq!(rung(2).modulations.data, Modulation::Dqpsk);
    assert_eq!(rung(1).phy.data.payload.rate(), base::Rate(1_000_000));
    let after = base::Time::ZERO + base::Span::secs(10);
    assert_eq!(medium.places[1].position(after), Position::flat(-110.0, 40.0));
}

#[test]
fn the_parts_of_propagation_are_read() {
    let overrides = [
        "medium.path_loss=log_distance",
        "medium.exponent=2.7",
        "medium.shadowing_db=4",
        "medium.tx_power=20 dBm",
        "medium.reception=sinr",
        "medium.fading=rayleigh",
        "medium.cs_threshold=-110 dBm",
    ];
    let plan = plan(TWO_SIDES, &overrides);
    let medium = plan.cells[0].medium.as_ref().expect("it has places");
    let PathLoss::LogDistance { exponent, reference_m, reference_db } =
        medium.propagation.path_loss
    else {
        panic!("{:?}", medium.propagation)
    };
    // Free space at 1 m and 914 MHz: 31.66 dB (ns-2's speed of light).
    assert_eq!((exponent, reference_m), (2.7, 1.0));
    assert!((reference_db - 31.66).abs() < 0.01, "{reference_db}");
    assert_eq!(medium.propagation.shadowing, ShadowingConfig::Fresh { sigma_db: 4.0 });
    assert!((medium.transmit_w - 0.1).abs() < 1e-15);
    assert!(medium.propagation.fading.is_some_and(|fading| fading.k_factor == 0.0));
    let Reception::Sinr(sinr) = medium.reception else { panic!("{:?}", medium.reception) };
    assert_eq!(sinr.capture_ratio, None);
    assert!((sinr.noise_w / 4.4145e-13 - 1.0).abs() < 1e-3, "{}", sinr.noise_w);
}

#[test]
fn each_mistake_is_named_with_its_place() {
    let mistakes = [
        ("[medium]", "[mdium]", "x.toml:3:2", "did you mean \"medium\"?"),
        ("\"3.652e-10 W\"", "\"3.652e-10 V\"", "x.toml:4:16", "unknown unit \"V\""),
        ("\"3.652e-10 W\"", "\"30 dBm\"", "x.toml:4:16", "above rx_threshold"),
        ("\"3.652e-10 W\"", "\"1 dBn\"", "x.toml:4:16", "or dBm"),
        (
            "[medium]",
            "[medium]\npath_loss = \"log_distance\"\nexponent = -1",
            "x.toml:5:12",
            "-1 is out of range; allowed: 0.1",
        ),
        (
            "[medium]",
            "[medium]\npath_loss = \"tworay\"",
            "x.toml:4:13",
            "did you mean \"two_ray\"?",
        ),
        ("[medium]", "[medium]\nshadowing_db = nan", "x.toml:4:16", "allowed: 0 to 30"),
        ("[-140, 0]", "[-140]", "x.toml:18:12", "[east, north]"),
        ("[-140, 0]", "[inf, 0]", "x.toml:18:12", "10000 km"),
        ("name = \"sta1\"", "name = \"sta9\"", "x.toml:17:8", "unknown node \"sta9\""),
        ("stations = 2", "stations = 3", "x.toml:12:12", "\"sta3\" has no place"),
        ("stations = 2", "stations = 2\nplacement = \"ring 3 m\"", "x.toml:13:13", "circle 10 m"),
        ("stations = 2", "stations = 2\nplacement = \"circle 3\"", "x.toml:13:13", "no unit"),
        (
            "cs_threshold = \"3.652e-10 W\"\n",
            "reception = \"sinr\"\n[fec]\nn = 255\nk = 223\n",
            "x.toml:5:1",
            "no model of a code against noise",
        ),
        ("[medium]\ncs_threshold = \"3.652e-10 W\"\n", "", "x.toml:13:12", "without a [medium]"),
    ];
    for (from, to, place, says) in mistakes {
        assert!(TWO_SIDES.contains(from), "{from}");
        let message = refused(&TWO_SIDES.replacen(from, to, 1));
        assert!(message.starts_with(place), "{to}: not at {place}: {message}");
        assert!(message.contains(says), "{to}: {message}");
    }
}

/// The channel can lose frames that power leaves intact, where stations are hidden from each other or on the move; a code repairs some.
#[test]
fn channels_lose_frames_of_stations_with_places() {
    let bursts = "channel={ model = \"gilbert_elliott\", mean_good = \"50 ms\", mean_bad = \"50 ms\", ber_good = 0.0, ber_bad = 2e-4 }";
    let moving =
        TWO_SIDES.replace("position = [140.0, 0.0]", "position = [140.0, 0.0]\nvelocity = [0, 1]");
    let near = moving.replace("140.0", "-141.0");
    for text in [TWO_SIDES, &moving, &near] {
        let (clean, lossy) = (total(text, &[]), total(text, &[bursts]));
        assert!(lossy > 0.0 && lossy < 0.9 * clean, "{clean} {lossy}");
    }
    let coded = total(&near, &[bursts, "fec={ n = 255, k = 223 }"]);
    assert!(coded > 1.1 * total(&near, &[bursts]), "{coded}");
}

#[test]
fn cells_on_one_radio_channel_have_one_law_of_losses() {
    let cell = |name: &str, number: u32, loss: f64| {
        format!(
            "[[cell]]\nname = \"{name}\"\naccess_point = \"ap_{name}\"\nstations = [\"s_{name}\"]\nplacement = \"circle 5 m\"\n\
             channel_number = {number}\nchannel = {{ model = \"bernoulli\", frame_loss = {loss} }}\n"
        )
    };
    let scenario = |number: u32, loss: f64| {
        let (a, b) = (cell("a", 1, 0.1), cell("b", number, loss));
        format!("duration = \"1 s\"\n[medium]\n{a}{b}[[flow]]\nfrom = \"s_a\"\nto = \"ap_a\"\n")
    };
    let _accepted = (plan(&scenario(1, 0.1), &[]), plan(&scenario(6, 0.2), &[]));
    let message = refused(&scenario(1, 0.2));
    assert!(
        message.starts_with("x.toml:16:11") && message.contains("\"a\" has others"),
        "{message}"
    );
}

const RATES: &str = r#"
duration = "1 s"
[phy]
standard = "802.11bg"
rate_control = "minstrel"
rates = ["11 Mbps", "54 Mbps", "6 Mbps"]
[[cell]]
access_point = "ap"
stations = ["a", "b"]
[[node]]
name = "*"
retry_limit = 9
[[node]]
name = "b"
rate = "11 Mbps"
rate_control = "arf"
short_retry_limit = 3
cw_min = 63
queue = "7 packets"
[[flow]]
from = "a"
to = "ap"
transport = "udp"
app = "saturated"
"#;

#[test]
fn stations_have_rates_limits_and_queues_of_their_own() {
    use wifi::rate::{ArfConfig, MinstrelConfig, RateRule};
    let plan = plan(RATES, &[]);
    let [_, a, b] = &plan.cells[0].configs[..] else { panic!("three stations") };
    let mbps = |config: &wifi::StationConfig| -> Vec<u64> {
        let rungs = config.ladder.rungs.iter();
        rungs.map(|rung| rung.phy.data.payload.rate().0 / 1_000_000).collect()
    };
    assert_eq!(mbps(a), [6, 11, 54], "slow to fast");
    assert_eq!(a.ladder.rule, RateRule::Minstrel(MinstrelConfig::default()));
    assert_eq!(
        (a.ladder.first, a.mac.short_retry_limit, a.mac.long_retry_limit),
        (0, Some(9), Some(9))
    );
    assert_eq!(b.ladder.rule, RateRule::Arf(ArfConfig::ARF));
    assert_eq!(
        (b.ladder.first, b.mac.short_retry_limit, b.mac.long_retry_limit),
        (1, Some(3), Some(9))
    );
    assert_eq!((b.ladder.phy().cw_min, a.ladder.phy().cw_min), (63, 15));
    assert_eq!(b.queue.limit, net::QueueLimit::Packets(7));
    assert!(a.mac.cts_to_self);
}

#[test]
fn rates_that_cannot_be_are_refused_where_they_stand() {
    for (from, to, says) in [
        ("rate = \"11 Mbps\"", "rate = \"12 Mbps\"", "not among the rates"),
        ("rate_control = \"minstrel\"\n", "", "rates are those among which rate_control chooses"),
        ("\"54 Mbps\", ", "\"6 Mbps\", ", "named twice"),
        ("\"54 Mbps\", ", "\"7 Mbps\", ", "7 Mbps is not a rate"),
        ("\"11 Mbps\", \"54 Mbps\", \"6 Mbps\"", "", "one rate or more"),
        ("rate_control = \"arf\"", "rate_control = \"arv\"", "arf"),
        (
            "short_retry_limit = 3",
            "short_retry_limit = 3\nretry_limit = 4",
            "retry_limit sets both",
        ),
    ] {
        assert!(RATES.contains(from), "{from}");
        let message = refused(&RATES.replacen(from, to, 1));
        assert!(message.contains(says) && message.starts_with("x.toml:"), "{to}: {message}");
    }
}

/// Wherever time is cut, within the SIFS before an answer too, the medium is busy for as long before and after as in one.
#[test]
fn the_time_for_which_a_medium_is_busy_adds_up_over_a_cut() {
    let busy = |from_us: u64, to_us: u64| {
        let text = format!(
            "duration = \"{to_us} us\"\nwarmup = \"{from_us} us\"\n[[cell]]\naccess_point = \"ap\"\nstations = 2\n\
             placement = \"circle 5 m\"\n[medium]\n[mac]\nrts = \"always\"\n[phy]\nstandard = \"802.11b\"\n\
             [[flow]]\nfrom = \"sta1\"\nto = \"ap\"\napp = \"saturated\"\n"
        );
        let scenario =
            scenario::check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
        let run: serde_json::Value =
            serde_json::from_str(&scenario::run(&scenario, None, 0)).expect("JSON");
        let share = run["stations"][1]["cell_busy_share"].as_f64().expect("a share");
        share * (to_us - from_us) as f64
    };
    let whole = busy(0, 10_000);
    // One exchange, three SIFS of 10 us in it.
    for cut in (5_000..8_000).step_by(4) {
        let off = whole - busy(0, cut) - busy(cut, 10_000);
        assert!(off.abs() < 1e-3, "cut at {cut} us: {off} us");
    }
}
