//! Links that change in the course of time: changes, traces, jitter.

use record::MeasuredOutcome;
use scenario::{Files, Laws, Run, check_with};
use world::Outcome;

fn text(link: &str, flow: &str) -> String {
    format!(
        "duration = \"20 s\"\n[[link]]\nends = [\"a\", \"b\"]\ndelay = \"10 ms\"\nqueue = \"20 packets\"\n{link}\n\
         [[flow]]\nfrom = \"a\"\nto = \"b\"\n{flow}\n"
    )
}

fn files(trace: &str) -> Files {
    Files { texts: [("trace".to_owned(), Ok(trace.to_owned()))].into() }
}

fn refused(text: &str, trace: &str) -> String {
    let checked = check_with(text, "x.toml", &[], (&Laws::default(), &files(trace)));
    checked.expect_err("refused").to_string()
}

fn run(text: &str, trace: &str) -> Outcome<MeasuredOutcome> {
    let checked = check_with(text, "x.toml", &[], (&Laws::default(), &files(trace)));
    let scenario = checked.unwrap_or_else(|error| panic!("{error}"));
    let outcome = Run::new(&scenario, None, 0).finish().outcome;
    let p = &outcome.packets;
    assert_eq!(p.made, p.delivered + p.dropped + p.in_flight, "{text}");
    outcome
}

/// More than any of the links here carries, 1,500 B with their headers.
const FLOOD: &str =
    "transport = \"udp\"\napp = { kind = \"cbr\", rate = \"50 Mbps\", payload = \"1472 B\" }";
const TCP: &str = "app = \"bulk\"";

/// Mean and maximum of the first flow, s.
fn delay(outcome: &Outcome<MeasuredOutcome>) -> (f64, f64) {
    let of = outcome.flows[0].delay_s.as_ref().expect("packets came");
    (of.mean, of.max)
}

fn near(found: f64, expected: f64, within: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < within, "{what}: {found} for {expected}");
}

const STEPS: &str = r#"rate = "8 Mbps"
[[link.change]]
at = "5 s"
rate = "2 Mbps"
[[link.change]]
at = "10 s"
down = true
[[link.change]]
at = "15 s"
rate = "4 Mbps"
delay = "50 ms""#;

#[test]
fn a_link_carries_what_its_rates_add_up_to() {
    let outcome = run(&text(STEPS, FLOOD), "");
    let bits = 5.0 * 8e6 + 5.0 * 2e6 + 5.0 * 4e6;
    // The last 50 ms of data are still on their way.
    near(
        outcome.flows[0].packets_delivered as f64,
        (bits - 0.05 * 4e6) / 12_000.0,
        0.001,
        "packets",
    );
    // The queue's 20 packets wait through the outage.
    let most_s = delay(&outcome).1;
    assert!((5.0..5.2).contains(&most_s), "{most_s}");
}

#[test]
fn a_change_that_changes_nothing_changes_nothing() {
    let plain = "rate = \"8 Mbps\"\nloss = 0.01";
    let same = format!(
        "{plain}\n[[link.change]]\nat = \"3 s\"\nrate = \"8 Mbps\"\n[[link.change]]\nat = \"7 s\"\nloss = 0.01"
    );
    for flow in [FLOOD, TCP] {
        let (one, other) = (run(&text(plain, flow), ""), run(&text(&same, flow), ""));
        assert_eq!(
            serde_json::to_string(&one.flows).expect("JSON"),
            serde_json::to_string(&other.flows).expect("JSON")
        );
    }
}

#[test]
fn directions_change_apart() {
    let forward = "rate = \"8 Mbps\"\n[[link.change]]\nat = \"1 s\"\nrate = \"1 Mbps\"\ndirection = \"reverse\"";
    near(
        run(&text(forward, FLOOD), "").flows[0].goodput_bps,
        8e6 * 1472.0 / 1500.0,
        0.01,
        "forward",
    );
}

#[test]
fn a_tcp_connection_survives_an_outage() {
    let down = "rate = \"8 Mbps\"\n[[link.change]]\nat = \"5 s\"\ndown = true\n[[link.change]]\nat = \"9 s\"";
    let share = |flow: &str| run(&text(down, flow), "").flows[0].goodput_bps / 8e6;
    // Without SACK it waits once more for a timer that has been backed off to 4 s.
    let (newreno, linux) =
        (share(TCP), share("tcp = { variant = \"linux-cubic\" }\napp = \"bulk\""));
    assert!((0.4..0.6).contains(&newreno) && (0.6..0.8).contains(&linux), "{newreno} {linux}");
    // Down for good: what waits waits.
    let dead = "rate = \"8 Mbps\"\n[[link.change]]\nat = \"5 s\"\ndown = true";
    let outcome = run(&text(dead, "tcp = { variant = \"linux-cubic\" }\napp = \"bulk\""), "");
    near(outcome.flows[0].goodput_bps, 8e6 / 4.0, 0.1, "a quarter of the time");
}

#[test]
fn mahimahis_traces_say_when_packets_go() {
    // Three packets each 4 ms, and a pause of 8 ms: 9 packets in 20 ms are 5.4 Mbit/s.
    let trace = "4\n4\n4\n8\n8\n8\n12\n12\n20\n";
    let link = "trace = \"trace\"";
    let outcome = run(&text(link, FLOOD), trace);
    near(outcome.flows[0].packets_delivered as f64, 9.0 * 1000.0, 0.002, "packets");
    // Small packets share what one grant carries: 15 of 100 B.
    let small =
        "transport = \"udp\"\napp = { kind = \"cbr\", rate = \"20 Mbps\", payload = \"72 B\" }";
    near(
        run(&text(link, small).replace("20 packets", "100 packets"), trace).flows[0]
            .packets_delivered as f64,
        135_000.0,
        0.002,
        "small",
    );
    let ticks = "transport = \"udp\"\napp = { kind = \"periodic\", interval = \"20 ms\", payload = \"100 B\" }";
    let delays = delay(&run(&text(link, ticks), trace));
    // Each comes at a multiple of 20 ms, the time of a grant; the propagation is 10 ms.
    assert!((0.010..0.0141).contains(&delays.1), "{}", delays.1);
}

#[test]
fn tables_say_what_changes() {
    let trace = "time_s,rate_mbps,delay_ms\n0,8,10\n5,2,10\n10,0,10\n15,4,50\n";
    let by_trace = run(&text("trace = \"trace\"\ntrace_format = \"csv\"", FLOOD), trace);
    let by_changes = run(&text(STEPS, FLOOD), "");
    assert_eq!(by_trace.flows[0].packets_delivered, by_changes.flows[0].packets_delivered);
    assert_eq!(delay(&by_trace), delay(&by_changes));
}

#[test]
fn jitter_spreads_delays_and_reorders_where_packets_may_overtake() {
    let link = |more: &str| format!("rate = \"8 Mbps\"\njitter = \"20 ms\"\n{more}");
    let slow = "transport = \"udp\"\napp = { kind = \"periodic\", interval = \"30 ms\", payload = \"972 B\" }";
    let found = delay(&run(&text(&link(""), slow), ""));
    // 1 ms of sending, 10 ms of way, 0 to 20 ms more, 10 on average.
    near(found.0, 0.021, 0.05, "mean");
    assert!((0.030..0.0311).contains(&found.1), "{}", found.1);
    let exponential = run(&text(&link("jitter_law = \"exponential\""), slow), "");
    assert!(delay(&exponential).1 > 0.06);
    let goodput = |more: &str| run(&text(&link(more), TCP), "").flows[0].goodput_bps;
    let (kept, mixed) = (goodput(""), goodput("overtaking = true"));
    // Reordering looks like loss to a sender that waits for three duplicates.
    assert!(kept > 0.8 * 7.6e6 && mixed < 0.8 * kept, "{kept} {mixed}");
}

#[test]
fn what_cannot_be_is_refused() {
    let change = |key: &str| format!("rate = \"8 Mbps\"\n[[link.change]]\n{key}");
    let twice = "rate = \"8 Mbps\"\n[[link.change]]\nat = \"5 s\"\n[[link.change]]\nat = \"4 s\"";
    for (link, trace, said) in [
        (String::new(), "", "missing key \"rate\""),
        (change("at = \"5 s\"\nrate = \"0 bps\""), "", "100 bps"),
        (change("rate = \"1 Mbps\""), "", "missing key \"at\""),
        (change("at = \"5 s\"\nspeed = 3"), "", "speed"),
        (twice.to_owned(), "", "changes in the order of time"),
        (
            "one_way = true\n".to_owned() + &change("at = \"5 s\"\ndirection = \"reverse\""),
            "",
            "one_way",
        ),
        ("trace = \"trace\"".to_owned(), "1\n2\nx\n", "trace:3: \"x\" is no whole number"),
        ("trace = \"trace\"".to_owned(), "0\n0\n", "no time after 0"),
        ("trace = \"trace\"".to_owned(), "", "no time after 0"),
        (
            "trace = \"trace\"\ntrace_format = \"csv\"".to_owned(),
            "time_s,speed\n",
            "column \"speed\"",
        ),
        (
            "trace = \"trace\"\n[[link.change]]\nat = \"1 s\"\nrate = \"1 Mbps\"".to_owned(),
            "1\n",
            "says when packets go",
        ),
        ("rate = \"1 Mbps\"\ntrace = \"trace\"".to_owned(), "1\n", "leave rate out"),
        ("trace = \"other\"".to_owned(), "1\n", "other"),
        ("rate = \"1 Mbps\"\njitter_law = \"uniform\"".to_owned(), "", "without jitter"),
        ("rate = \"1 Mbps\"\ntrace_format = \"mahi\"".to_owned(), "", "mahimahi"),
    ] {
        let error = refused(&text(&link, FLOOD), trace);
        assert!(error.contains(said) && error.contains("x.toml"), "{link}: {error}");
    }
}
