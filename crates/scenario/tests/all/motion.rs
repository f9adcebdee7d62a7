//! Stations that move, and the ways that packets find among them.

use base::{Span, Time};
use radio::Position;
use scenario::{Files, Laws, Scenario, check_with, files_named};
use serde_json::Value;
use world::LinkRule;

/// Three stations with ns-2's radio: 250 m.
const LINE: &str = r#"
duration = "20 s"
conventions = "ns2"
[medium]
[routing]
kind = "shortest"
[[cell]]
stations = ["a", "b", "c"]
placement = "line 200 m"
[[node]]
name = "b"
waypoints = [
  { at = "10 s", to = [200, 1000], speed = "360 km/h" },
]
[[flow]]
name = "tick"
from = "a"
to = "c"
app = { kind = "cbr", rate = "40 kbps", payload = "500 B" }
"#;

fn files(texts: &[(&str, &str)]) -> Files {
    let text = |&(name, text): &(&str, &str)| (name.to_owned(), Ok(text.to_owned()));
    Files { texts: texts.iter().map(text).collect() }
}

fn check(text: &str, files: &Files) -> Result<Scenario, String> {
    check_with(text, "x.toml", &[], (&Laws::default(), files)).map_err(|error| error.to_string())
}

fn place(scenario: &Scenario, station: usize, s: u64) -> Position {
    let medium = scenario.plan.cells[0].medium.as_ref().expect("it has places");
    medium.places[station].clone().position(Time::ZERO + Span::secs(s))
}

/// The relay leaves at 100 m/s at 10 s, and is 250.011 m from both after sqrt(250.011^2 - 200^2) m = 150.02 m: at 11.5 s.
#[test]
fn a_relay_walks_away() {
    let scenario = check(LINE, &Files::default()).expect("it is right");
    let result: Value = serde_json::from_str(&scenario::run(&scenario, None, 0)).expect("JSON");
    let flow = &result["flows"][0];
    assert_eq!(flow["packets_delivered"], 115);
    assert_eq!(flow["packets_lost"]["no_route"], 86);
    // The one of 11.5 s is on its first hop when the relay passes the range, and is lost at the relay.
    assert_eq!(result["stations"][0]["packets_lost"]["no_route"], 85);
    assert_eq!(result["stations"][1]["packets_lost"]["no_route"], 1);
}

#[test]
fn waypoints_follow_each_other() {
    let points = r#"
  { to = [200, 100], speed = "10 m/s" },
  { to = [300, 100], speed = "36 km/h" },
  { at = "15 s", to = [250, 0], speed = "50 m/s" },
  { at = "19 s", to = [0, 0], speed = "1 m/s" },
"#;
    let from = "  { at = \"10 s\", to = [200, 1000], speed = \"360 km/h\" },\n";
    assert!(LINE.contains(from));
    let scenario = check(&LINE.replace(from, points), &Files::default()).expect("it is right");
    assert_eq!(place(&scenario, 1, 5), Position::flat(200.0, 50.0));
    assert_eq!(place(&scenario, 1, 10), Position::flat(200.0, 100.0));
    // Half way it turns to the south, and arrives after 2 s.
    assert_eq!(place(&scenario, 1, 15), Position::flat(250.0, 100.0));
    assert_eq!(place(&scenario, 1, 16), Position::flat(250.0, 50.0));
    assert_eq!(place(&scenario, 1, 18), Position::flat(250.0, 0.0));
    assert_eq!(place(&scenario, 1, 20), Position::flat(249.0, 0.0));
}

/// The scenario with another rule for b.
fn with_rule(rule: &str) -> String {
    let start = LINE.find("waypoints").expect("they are there");
    let end = LINE.find("[[flow]]").expect("it is there");
    format!("{}mobility = {{ {rule} }}\n{}", &LINE[..start], &LINE[end..])
}

#[test]
fn a_walk_is_drawn_for_each_node_and_run() {
    let rule = r#"kind = "random_waypoint", area = [100, 0, 300, 100], speed = ["1 m/s", "5 m/s"], pause = "2 s""#;
    let text = with_rule(rule).replace("name = \"b\"\nmobility", "name = \"*\"\nmobility");
    let scenario = check(&text, &Files::default()).expect("it is right");
    let run = |replication| scenario::run(&scenario, None, replication);
    assert_eq!(run(0), run(0));
    assert_ne!(run(0), run(1).replace("\"replication\":1", "\"replication\":0"));
    let medium = scenario.plan.cells[0].medium.as_ref().expect("it has places");
    let seed = base::Seed { seed: 1, replication: 0 };
    let mut places: Vec<_> = (0..3).map(|i| medium.places[i].of(seed, i as u32)).collect();
    for s in 0..20 {
        let spots: Vec<Position> =
            places.iter_mut().map(|place| place.position(Time::ZERO + Span::secs(s))).collect();
        assert!(spots[0] != spots[1] && spots[1] != spots[2], "{spots:?}");
        let inside =
            |p: &Position| (100.0..=300.0).contains(&p.x_m) && (0.0..=100.0).contains(&p.y_m);
        assert!(spots.iter().all(inside), "{spots:?}");
    }
}

#[test]
fn traces_of_every_form_are_read() {
    let texts = [
        (
            "setdest",
            "$node_(7) set X_ 200\n$node_(7) set Y_ 0\n$ns_ at 10 \"$node_(7) setdest 200 100 10\"\n",
        ),
        ("bonnmotion", "0 200 0 10 200 0 20 200 100\n"),
        ("csv", "node,time_s,x_m,y_m\nb,0,200,0\nb,10,200,0\nb,20,200,100\n"),
        (
            "fcd",
            "<fcd-export><timestep time=\"0\"><vehicle id=\"b\" x=\"200\" y=\"0\"/></timestep>\
                 <timestep time=\"10\"><vehicle id=\"b\" x=\"200\" y=\"0\"/></timestep>\
                 <timestep time=\"20\"><vehicle id=\"b\" x=\"200\" y=\"100\"/></timestep></fcd-export>",
        ),
    ];
    for (format, trace) in texts {
        let node = match format {
            "setdest" => ", node = \"7\"",
            "bonnmotion" => ", node = \"0\"",
            _ => "",
        };
        let text =
            with_rule(&format!("kind = \"trace\", file = \"w.txt\", format = \"{format}\"{node}"));
        assert_eq!(files_named(&text, "x.toml", &[]).expect("it is right"), ["w.txt"]);
        let scenario = check(&text, &files(&[("w.txt", trace)])).expect(format);
        assert_eq!(place(&scenario, 1, 15), Position::flat(200.0, 50.0), "{format}");
    }
}

#[test]
fn next_hops_and_limits_are_read() {
    let text = LINE.replace(
        "kind = \"shortest\"",
        "kind = \"shortest\"\ndistance = \"450 m\"\ndelay = \"10 ms\"\nttl = 9",
    ) + "[[route]]\nfrom = \"*\"\nto = \"c\"\nvia = \"b\"\n";
    let plan = check(&text, &Files::default()).expect("it is right").plan;
    let oracle = plan.routing.oracle.expect("it has one");
    assert_eq!((oracle.link, oracle.delay), (LinkRule::Distance(450.0), Span::millis(10)));
    assert_eq!(plan.routing.ttl, 9);
    assert_eq!(
        plan.routing.next_hops.len(),
        1,
        "only a's packets for c have another neighbour than c"
    );
}

/// Two ad hoc cells on two channels, a gateway in both, and a host behind a wire: three hops of three kinds.
const MIXED: &str = r#"
duration = "20 s"
conventions = "ns2"
[medium]
[routing]
kind = "shortest"
[[link]]
ends = ["host", "a"]
rate = "10 Mbps"
[[cell]]
stations = ["a", "gate"]
placement = "line 200 m"
[[cell]]
channel_number = 6
stations = ["gate", "b"]
placement = "line 200 m"
[[node]]
name = "gate"
position = [200, 0]
[[flow]]
from = "host"
to = "b"
"#;

#[test]
fn a_node_joins_cells_and_wires() {
    let scenario = check(MIXED, &Files::default()).expect("it is right");
    let result: Value = serde_json::from_str(&scenario::run(&scenario, None, 0)).expect("JSON");
    let one_hop = MIXED.replace("to = \"b\"", "to = \"gate\"");
    let one_hop = check(&one_hop, &Files::default()).expect("it is right");
    let one_hop: Value = serde_json::from_str(&scenario::run(&one_hop, None, 0)).expect("JSON");
    let goodput = |result: &Value| result["flows"][0]["goodput_bps"].as_f64().expect("a number");
    // The second cell is on a channel of its own, so two hops carry what one does.
    let share = goodput(&result) / goodput(&one_hop);
    assert!((0.9..1.1).contains(&share), "{share}");
    let same = check(&MIXED.replace("channel_number = 6\n", ""), &Files::default());
    let same = scenario::run(&same.expect("it is right"), None, 0);
    let share = goodput(&serde_json::from_str(&same).expect("JSON")) / goodput(&one_hop);
    assert!((0.4..0.6).contains(&share), "{share}");
    let torn = MIXED.replace("position = [200, 0]", "rate = \"1 Mbps\"");
    let message = check(&torn, &Files::default()).expect_err("two places");
    assert!(
        message.starts_with("x.toml:15:12: error: \"gate\" is in another cell too"),
        "{message}"
    );
}

#[test]
fn each_mistake_is_named_with_its_place() {
    let route =
        |via: &str| format!("[[route]]\nfrom = \"a\"\nto = \"c\"\nvia = \"{via}\"\n[[flow]]");
    let rule = |rule: &str| with_rule(rule);
    let replace = |from: &str, to: &str| {
        assert!(LINE.contains(from), "{from}");
        LINE.replacen(from, to, 1)
    };
    let walk = "kind = \"random_waypoint\", area = [100, 100]";
    let mistakes = [
        (replace("\"shortest\"", "\"shortes\""), "6:8", "did you mean \"shortest\"?"),
        (replace("[medium]\n", ""), "8:13", "without a [medium]"),
        (replace("kind = \"shortest\"", "delay = \"1 s\""), "6:9", "kind = \"shortest\""),
        (replace("\"shortest\"", "\"shortest\"\nttl = 0"), "7:7", "allowed: 1 to 255"),
        (
            replace("\"shortest\"", "\"shortest\"\nmargin_db = 3\ndistance = \"9 m\""),
            "8:12",
            "give one",
        ),
        (replace("\"shortest\"", "\"shortest\"\nmargin_db = nan"), "7:13", "allowed: -100 to 100"),
        (replace("[[flow]]", &route("d")), "18:7", "unknown node \"d\""),
        (replace("360 km/h", "360 kmh"), "13:44", "unknown unit \"kmh\""),
        (replace("360 km/h", "0 m/s"), "13:44", "more than zero"),
        (
            replace(
                "\"360 km/h\" },",
                "\"1 m/s\" }, { at = \"9 s\", to = [0, 0], speed = \"1 m/s\" },",
            ),
            "13:62",
            "times must rise",
        ),
        (replace("name = \"b\"", "name = \"b\"\nvelocity = [1, 0]"), "10:1", "leave velocity out"),
        (rule(walk), "12:21", "missing key \"speed\""),
        (
            rule(&format!("{walk}, speed = [\"5 m/s\", \"1 m/s\"]")),
            "12:67",
            "the smallest comes first",
        ),
        (
            rule("kind = \"random_waypoint\", speed = \"1 m/s\", area = [1]"),
            "12:64",
            "[west, south, east, north]",
        ),
        (
            rule("kind = \"random_waypoint\", speed = \"1 m/s\", area = [0, 5]"),
            "12:64",
            "the area is empty",
        ),
        (
            rule(&format!("{walk}, file = \"w\"")),
            "12:66",
            "file is for the kind of mobility \"trace\"",
        ),
        (rule("kind = \"trace\", file = \"w\""), "12:21", "allowed: setdest, bonnmotion, fcd, csv"),
        (rule("kind = \"trace\", file = \"w\", format = \"csv\""), "12:37", "w:2: x_m is \"east\""),
        (rule("kind = \"trace\", file = \"v\", format = \"csv\""), "12:37", "cannot be read"),
        (rule("kind = \"trace\", file = \"u\", format = \"csv\""), "12:37", "was not given"),
        (
            rule("kind = \"trace\", file = \"ok\", format = \"csv\", node = \"q\""),
            "12:66",
            "allowed: p",
        ),
        (
            rule("kind = \"trace\", file = \"ok\", format = \"bonnmotion\", dimensions = 4"),
            "12:79",
            "allowed: 2 or 3",
        ),
    ];
    let mut files = files(&[
        ("w", "node,time_s,x_m,y_m\nb,0,east,0\n"),
        ("ok", "node,time_s,x_m,y_m\np,0,0,0\n"),
    ]);
    files.texts.insert("v".into(), Err("cannot be read: permission denied".into()));
    let wrong = |(text, at, says): &(String, &str, &str)| {
        let message = check(text, &files).expect_err(says);
        let right = message.starts_with(&format!("x.toml:{at}: error: ")) && message.contains(says);
        (!right).then(|| format!("{says}, not at {at}: {message}"))
    };
    let wrong: Vec<String> = mistakes.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let circle = LINE.replace(
        "[[flow]]",
        &format!("[[route]]\nfrom = \"b\"\nto = \"c\"\nvia = \"a\"\n{}", route("b")),
    );
    assert!(check(&circle, &files).expect_err("a circle").contains("lead in a circle"));
}
