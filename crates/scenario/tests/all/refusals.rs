//! Whatever a person may write wrongly: place, reason, what is allowed, the nearest name. Never a panic.

use scenario::{Code, Files, Laws, Step, check, check_all};

const GOOD: &str = r#"name = "good"
duration = "100 s"
warmup = "10 s"
[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"
queue = { packets = 50 }
[[cell]]
access_point = "ap"
stations = 3
[phy]
cw_min = 31
[mac]
rts = "never"
[channel]
model = "bernoulli"
frame_loss = 0.1
[tcp]
variant = "reno"
[[flow]]
name = "up"
from = "sta1"
to = "server"
app = "bulk"
"#;

#[test]
fn of_many_nodes_all_are_searched_and_counted() {
    let many = GOOD.replace("stations = 3", "stations = 150");
    let said = |from: &str| {
        let text = many.replacen("from = \"sta1\"", &format!("from = \"{from}\""), 1);
        check(&text, "x.toml", &[]).expect_err(from).to_string()
    };
    assert!(said("sat77").contains("did you mean \"sta77\"?"), "{}", said("sat77"));
    for name in ["sat77", "stb*"] {
        assert!(
            said(name).contains(", sta2") && said(name).contains(" and 52 more"),
            "{}",
            said(name)
        );
    }
}

/// The message for `GOOD` with one change.
fn refused(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    let text = GOOD.replacen(from, to, 1);
    match check(&text, "x.toml", &[]) {
        Ok(_) => panic!("accepted: {to}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_good_is_accepted() {
    assert!(check(GOOD, "x.toml", &[]).is_ok());
}

#[test]
fn each_mistake_is_named_with_its_place() {
    // (text, its replacement, the place of the refusal, words of the message)
    let mistakes = [
        ("delay =", "dealy =", "x.toml:7:1", "unknown key \"dealy\"; did you mean \"delay\"?"),
        ("[phy]", "[phys]", "x.toml:12:2", "unknown key \"phys\"; did you mean \"phy\"?"),
        ("\"2 ms\"", "\"2 mss\"", "x.toml:7:9", "did you mean \"ms\"? allowed: ns, us, ms, s"),
        (
            "\"2 ms\"",
            "2",
            "x.toml:7:9",
            "allowed: \"2 ns\", \"2 us\", \"2 ms\", \"2 s\", \"2 min\", \"2 h\"",
        ),
        ("\"2 ms\"", "true", "x.toml:7:9", "a time with its unit"),
        ("\"5 Mbps\"", "\"0 Mbps\"", "x.toml:6:8", "100 bps or more"),
        ("\"5 Mbps\"", "\"5 ms\"", "x.toml:6:8", "allowed: bps, kbps, Mbps"),
        ("packets = 50", "packets = -5", "x.toml:8:21", "-5 is negative"),
        ("packets = 50", "bytes = \"-5 kB\"", "x.toml:8:19", "negative"),
        ("{ packets = 50 }", "{ }", "x.toml:8:9", "exactly one of: packets, bytes, unlimited"),
        ("\"reno\"", "\"rino\"", "x.toml:20:11", "did you mean \"reno\"? allowed: tahoe, reno"),
        ("\"reno\"", "\"reno\"\nmss = \"70 kB\"", "x.toml:21:7", "allowed: \"1 B\" to \"65535 B\""),
        ("\"reno\"", "\"reno\"\nlaw = \"reno\"", "x.toml:21:7", "a recovery and a law"),
        ("\"reno\"", "\"reno\"\nwindow = \"100 B\"", "x.toml:21:10", "holds no segment"),
        (
            "\"server\"\napp",
            "\"nowhere\"\napp",
            "x.toml:24:6",
            "unknown node \"nowhere\"; allowed:",
        ),
        ("to = \"server\"", "to = \"serevr\"", "x.toml:24:6", "did you mean \"server\"?"),
        ("\"10 s\"", "\"100 s\"", "x.toml:3:10", "less than the duration"),
        ("\"100 s\"", "\"0 s\"", "x.toml:2:12", "more than \"0 s\""),
        ("cw_min = 31", "cw_min = 2000", "x.toml:13:10", "cw_min <= cw_max"),
        ("cw_min = 31", "cw_max = 2000", "x.toml:13:10", "up to 1023"),
        ("frame_loss = 0.1", "frame_loss = 1.5", "x.toml:18:14", "allowed: 0 to 1"),
        (
            "frame_loss = 0.1",
            "ber = 0.1",
            "x.toml:17:9",
            "missing key \"frame_loss\": The probability that a frame is lost",
        ),
        ("\"bernoulli\"", "\"bernuli\"", "x.toml:17:9", "did you mean \"bernoulli\"?"),
        ("stations = 3", "stations = 0", "x.toml:11:12", "allowed: 1 to 10000"),
        ("stations = 3", "stations = [\"a\", \"a\"]", "x.toml:11:18", "in this cell already"),
        ("stations = 3", "stations = [\"ap\"]", "x.toml:11:13", "in this cell already"),
        ("stations = 3", "stations = [\"a b\"]", "x.toml:11:13", "' ' in a name"),
        ("\"sta1\"", "\"sta9*\"", "x.toml:23:8", "no node matches \"sta9*\""),
        ("\"bulk\"", "\"saturated\"\ntransport = \"tcp\"", "x.toml:25:7", "go over UDP"),
        (
            "\"bulk\"",
            "\"cbr\"\ntransport = \"tcp\"",
            "x.toml:25:7",
            "over TCP go the apps \"bulk\"",
        ),
        (
            "\"bulk\"",
            "{ kind = \"bulk\", rate = \"1 Mbps\" }",
            "x.toml:25:31",
            "for the apps \"cbr\", \"on_off\" and \"voice\"",
        ),
        ("\"bulk\"", "{ kind = \"bluk\" }", "x.toml:25:16", "did you mean \"bulk\"?"),
        ("\"never\"", "\"sometimes\"", "x.toml:15:7", "\"always\", \"never\", or a size"),
        ("rts = \"never\"", "retry_limit = 0", "x.toml:15:15", "sent at least once"),
        ("duration = \"100 s\"\n", "", "x.toml:1:1", "missing key \"duration\""),
        ("ends = [\"server\", \"ap\"]", "ends = [\"ap\"]", "x.toml:5:8", "a link has two"),
        ("[[cell]]", "[[cell]", "x.toml:9:", "error:"),
        (
            "name = \"good\"",
            "name = \"a\"\nname = \"b\"",
            "x.toml:2:1",
            "\"name\" is set already in this table",
        ),
        (
            "[phy]",
            "[[flow]]\nfrom = \"a\"\n[phy]\n[phy]",
            "x.toml:15:2",
            "there is a [phy] already",
        ),
    ];
    for (from, to, place, says) in mistakes {
        let message = refused(from, to);
        assert!(message.starts_with(place), "{to}: not at {place}: {message}");
        assert!(message.contains(": error: ") && message.contains(says), "{to}: {message}");
        assert!(message.contains(" | "), "{to}: no excerpt: {message}");
    }
}

/// Line, column and the beginning of each message.
fn all_of(text: &str, overrides: &[&str]) -> Vec<String> {
    let overrides: Vec<String> = overrides.iter().map(|&set| set.to_owned()).collect();
    let known = (&Laws::default(), &Files::default());
    let errors = check_all(text, "x.toml", &overrides, known).expect_err("it is wrong");
    let first = check(text, "x.toml", &overrides).expect_err("it is wrong");
    assert_eq!(first, errors[0]);
    let start = |error: &scenario::Error| {
        let said = error.to_string();
        said.split(['\n', ';']).next().unwrap_or_default().replace("x.toml:", "")
    };
    errors.iter().map(start).collect()
}

#[test]
fn all_mistakes_are_told_in_the_order_of_the_text_and_what_is_missing_at_the_end() {
    let text = GOOD
        .replace("warmup = \"10 s\"", "warmup = 10")
        .replace("delay = \"2 ms\"\n", "dealy = \"2 ms\"\nloss = true\n")
        .replace("queue = { packets = 50 }", "queue = { packet = 50, target = [1] }")
        .replace("stations = 3", "stations = [\"a\", 1]")
        .replace("app = \"bulk\"", "app = { kind = \"bulk\", rate = \"1 Mbps\" }")
        .replace("to = \"server\"\n", "");
    assert_eq!(
        all_of(&text, &["phy.cw_min=many", "seed=1.5"]),
        [
            "3:10: error: 10 has no unit",
            "7:1: error: unknown key \"dealy\"",
            "8:8: error: found true",
            "9:11: error: unknown key \"packet\"",
            "9:34: error: found 1",
            "12:18: error: found 1",
            "25:31: error: rate is for the apps \"cbr\", \"on_off\" and \"voice\"",
            "--set phy.cw_min=many: error: found \"many\"",
            "--set seed=1.5: error: found 1.5",
            "22:1: error: missing key \"to\": The node to which the data go. A star works as in `from`",
        ]
    );
}

#[test]
fn what_is_handed_down_to_many_is_told_of_once() {
    let text = GOOD.replace("variant = \"reno\"", "variant = \"rino\"").replace(
        "app = \"bulk\"",
        "app = \"bulk\"\n[[flow]]\nname = \"b\"\nfrom = \"sta2\"\nto = \"server\"",
    );
    assert_eq!(all_of(&text, &[]), ["20:11: error: unknown TCP variant \"rino\""]);
}

#[test]
fn a_contradiction_is_told_of_where_all_is_written_well() {
    let text = GOOD.replace("to = \"server\"", "to = \"nobody\"");
    assert_eq!(all_of(&text, &[]), ["24:6: error: unknown node \"nobody\""]);
}

/// One flow more, with these lines.
fn and_flow(lines: &str) -> String {
    format!("[[flow]]\napp = \"bulk\"\n{lines}\n")
}

#[test]
fn contradictions_that_do_not_rest_on_each_other_are_told_together() {
    let text = GOOD
        .replace("warmup = \"10 s\"", "warmup = \"200 s\"")
        .replace("cw_min = 31", "cw_min = 2000")
        .replace("stations = 3", "stations = 3\nplacement = \"circle 10 m\"")
        .replace("to = \"server\"", "to = \"servr\"")
        + &and_flow("from = \"sta9\"\nto = \"ap\"\nstart = \"300 s\"")
        + &and_flow("from = \"ap\"\nto = \"ap\"")
        + "[association]\n[[route]]\nfrom = \"ap\"\nto = \"nobody\"\nvia = \"server\"\n";
    let told = [
        "3:10: error: a warm-up of 200 s leaves nothing of the 100 s to measure",
        "12:13: error: places and channels have no meaning without a [medium]",
        "14:10: error: cw_min = 2000 is above cw_max = 1023",
        "25:6: error: unknown node \"servr\"",
        "29:8: error: unknown node \"sta9\"",
        "31:9: error: the flow begins after the end",
        "35:6: error: a flow from \"ap\" to itself",
        "36:1: error: association by signal needs a [medium]",
    ];
    assert_eq!(all_of(&text, &[]), told);
}

#[test]
fn ways_and_names_of_flows_are_told_together() {
    let text = GOOD.replace("delay = \"2 ms\"", "one_way = true")
        + &and_flow("name = \"up\"\nfrom = \"sta2\"\nto = \"ap\"")
        + &and_flow("from = \"sta2\"\nto = \"server\"\nvia = [\"sta9\"]");
    let told = [
        "24:6: error: no path from \"sta1\" to \"server\"",
        "28:8: error: a second flow \"up\"",
        "35:8: error: unknown node \"sta9\"",
    ];
    assert_eq!(all_of(&text, &[]), told);
}

#[test]
fn what_rests_on_a_mistake_is_not_told() {
    // No node of the second link is known, so "c" may be one; a flow of no time begins whenever it likes.
    let text = GOOD
        .replace("duration = \"100 s\"", "duration = \"0 s\"")
        .replace("ends = [\"server\", \"ap\"]", "ends = [\"server\"]")
        .replace("to = \"server\"", "to = \"c\"");
    assert_eq!(all_of(&text, &[]), ["2:12: error: a duration of zero", "5:8: error: 1 ends"]);
}

#[test]
fn a_flow_without_a_way_is_refused() {
    let message = refused("ends = [\"server\", \"ap\"]", "ends = [\"server\", \"router\"]");
    assert!(message.contains("no path from \"sta1\" to \"server\""), "{message}");
    assert!(message.contains("reaches: ap, sta2, sta3"), "{message}");
    let message = refused("delay = \"2 ms\"", "one_way = true");
    assert!(message.contains("no path from \"sta1\" to \"server\""), "{message}");
}

#[test]
fn a_saturated_source_is_a_station() {
    let swapped = GOOD
        .replace("from = \"sta1\"\nto = \"server\"", "from = \"server\"\nto = \"sta1\"")
        .replace("\"bulk\"", "\"saturated\"");
    let message = check(&swapped, "x.toml", &[]).unwrap_err().to_string();
    assert!(message.contains("the first hop from \"server\" is a wire"), "{message}");
}

#[test]
fn names_are_given_once() {
    let twice = |section: &str| {
        let at = GOOD.find(section).unwrap_or_default();
        let end = GOOD[at + 2..].find("\n[").map_or(GOOD.len(), |end| at + 2 + end + 1);
        let text = format!("{GOOD}{}", &GOOD[at..end]);
        check(&text, "x.toml", &[]).unwrap_err().to_string()
    };
    assert!(twice("[[flow]]").contains("a second flow \"up\""));
    assert!(twice("[[link]]").contains("a second link \"server>ap\""));
    assert!(twice("[[cell]]").contains("a list"), "{}", twice("[[cell]]"));
}

#[test]
fn what_is_no_scenario_is_refused() {
    let message = |text: &str| check(text, "x.toml", &[]).unwrap_err().to_string();
    assert!(message("").starts_with("x.toml:1:1: error: the file is empty"));
    assert!(message(" \n# a comment\n").starts_with("x.toml:1:1: error: the file is empty"));
    assert!(
        message("duration = \"1 s\"\n\u{7f}ELF\u{0}").starts_with("x.toml:2:1: error: a control")
    );
    assert!(message(&"#".repeat(1_000_001)).contains("at most 1000000"));
    assert!(message("duration = \"1 s\"").contains("no [[flow]]"));
    assert!(message("a = ").starts_with("x.toml:1:"));
    assert!(message(&"[".repeat(100_000)).starts_with("x.toml:1:"));
    assert!(message(&format!("a = {}", "[".repeat(100_000))).starts_with("x.toml:1:"));
}

#[test]
fn an_error_in_an_override_names_it() {
    let message = |set: &str| {
        let overrides = [set.to_owned()];
        check(GOOD, "x.toml", &overrides).unwrap_err().to_string()
    };
    for (set, says) in [
        ("tcp.variant=bick", "unknown TCP variant \"bick\""),
        ("tcp.varient=reno", "unknown key \"varient\"; did you mean \"variant\"?"),
        ("tcp.min_rto=1s", "unknown key \"min_rto\"; did you mean \"rto_min\"?"),
        ("tcp.sack=true", "unknown key \"sack\"; did you mean \"recovery\"?"),
        ("flow.7.app=bulk", "unknown flow \"7\"; allowed: up, or by number: flow.0\n"),
        ("flow.down.app=bulk", "unknown flow \"down\"; allowed: up, or by number: flow.0\n"),
        ("link.7.rate=3", "no link \"7\"; allowed: link.0\n"),
        ("flow.start=1s", "in which flow? allowed: flow.up.start\n"),
        ("link.rate=3Mbps", "in which link? allowed: link.0.rate\n"),
        (
            "node.a.qos=false",
            "the scenario has no [[node]] in which this could be set; allowed: \
             node=[{ name = \"a\", qos = false }], which makes one\n",
        ),
        ("lan.rate=1Mbps", "allowed: lan=[{ rate = \"1Mbps\" }], which makes one\n"),
        ("link.0.rate=3", "3 has no unit"),
        ("link.0.rate=3 mbps", "did you mean \"Mbps\"?"),
        ("link=5", "not a table"),
        ("name.x=5", "not a table"),
        ("duration", "allowed: key=value"),
        ("duration=", "no value"),
        ("=5", "an empty part"),
        ("warmup=200 s", "less than the duration"),
        ("tcp.mss=[1", "error:"),
    ] {
        let message = message(set);
        assert!(message.starts_with(&format!("--set {set}: error: ")), "{set}: {message}");
        assert!(message.contains(says), "{set}: {message}");
    }
}

#[test]
fn what_ns2s_rules_do_not_know_is_refused_and_not_overruled() {
    let text = |tcp: &str| {
        format!(
            "conventions = \"ns2\"\n{}",
            GOOD.replacen("variant = \"reno\"", &format!("variant = \"reno\"\n{tcp}"), 1)
        )
    };
    for key in ["frto", "undo"] {
        let message =
            check(&text(&format!("{key} = true")), "x.toml", &[]).expect_err(key).to_string();
        assert!(
            message.contains(&format!("have no {key}")) && message.contains("22:"),
            "{message}"
        );
        for fine in [format!("{key} = false"), format!("{key} = true\nloss_rules = \"rfc\"")] {
            check(&text(&fine), "x.toml", &[]).expect(&fine);
        }
    }
}

/// A mistake is data: its kind, the key, and where it is.
#[test]
fn a_mistake_has_its_code_and_its_path() {
    let told = |text: &str, change: &[String]| {
        let known = (&Laws::default(), &Files::default());
        let errors = check_all(text, "x.toml", change, known).unwrap_err();
        let error = errors.into_iter().next().unwrap();
        let path = error.path.iter().map(|step| match step {
            Step::Key(key) => key.clone(),
            Step::Place(place) => place.to_string(),
        });
        (error.code, path.collect::<Vec<_>>().join("."), error.line_and_column())
    };
    let cell = "duration = \"3 s\"\n[[cell]]\nstations = [\"a\", \"b\"]\nphy = { cw_min = -7 }\n";
    assert_eq!(told(cell, &[]), (Code::OutOfRange, "cell.0.phy.cw_min".to_owned(), Some((4, 18))));
    let typed = cell.replace("cw_min = -7", "cwmin = 7");
    assert_eq!(told(&typed, &[]).0, Code::UnknownKey);
    let change = ["cell.0.mac.rts=alwas".to_owned()];
    let sound = cell.replace("-7", "7");
    assert_eq!(told(&sound, &change), (Code::WrongKind, "cell.0.mac.rts".to_owned(), None));
    assert_eq!(told("a = [", &[]).0, Code::NoToml);
}
