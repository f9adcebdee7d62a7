//! Applications that send datagrams, from the file to the results.

use scenario::check;
use serde_json::Value;

/// One flow over a wire of 1 Mbit/s and 10 ms.
fn wire(app: &str, more: &str) -> String {
    format!(
        "duration = \"200 s\"\n[[link]]\nends = [\"a\", \"b\"]\nrate = \"1 Mbps\"\ndelay = \"10 ms\"\n\
         [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\napp = {app}\n{more}"
    )
}

/// The result of the flow, in the `replication`-th run.
fn run(text: &str, replication: u64) -> Value {
    let scenario = check(text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let result: Value =
        serde_json::from_str(&scenario::run(&scenario, None, replication)).expect("JSON");
    result["flows"][0].clone()
}

fn refused(app: &str, more: &str) -> String {
    match check(&wire(app, more), "x.toml", &[]) {
        Ok(_) => panic!("accepted: {app}"),
        Err(error) => error.to_string(),
    }
}

fn near(value: &Value, expected: f64, relative: f64) {
    let found = value.as_f64().expect("a number");
    assert!((found / expected - 1.0).abs() <= relative, "{found}, not {expected}");
}

#[test]
fn a_game_has_its_two_streams() {
    for (direction, bytes, interval) in [("up", 42.0, 0.06), ("down", 200.0, 0.05)] {
        let flow =
            run(&wire(&format!("{{ kind = \"game\", direction = \"{direction}\" }}"), ""), 0);
        near(&flow["goodput_bps"], bytes * 8.0 / interval, 0.001);
        near(&flow["interarrival_s"]["mean"], interval, 1e-9);
        near(&flow["interarrival_s"]["p95"], interval, 0.032);
        assert!(flow["interarrival_s"]["std"].as_f64().expect("a number") < 1e-9);
        assert_eq!(flow["late"], Value::Null, "there is no deadline");
        assert_eq!(flow["unusable"], 0.0);
    }
}

#[test]
fn jitter_shows_in_interarrival_times() {
    let app =
        "{ kind = \"periodic\", payload = \"100 B\", interval = \"20 ms\", jitter = \"20 ms\" }";
    let flow = run(&wire(app, ""), 0);
    near(&flow["interarrival_s"]["mean"], 0.02, 0.001);
    // The difference of two uniform times on 0 to 20 ms: 20 ms / sqrt(6), of 10,000 gaps.
    near(&flow["interarrival_s"]["std"], 0.02 / 6_f64.sqrt(), 0.03);
}

/// A share of 1 / 2.35 of 32 kbit/s; over 40 runs of 200 s it lies within 2 % (four standard errors are 1.9 %).
#[test]
fn voice_has_its_share_of_its_rate() {
    let mean = |text: &str| {
        let bits = (0..40).map(|i| run(text, i)["goodput_bps"].as_f64().expect("a number"));
        bits.sum::<f64>() / 40.0
    };
    let rate = mean(&wire("\"voice\"", ""));
    assert!((rate / (32_000.0 / 2.35) - 1.0).abs() < 0.02, "{rate}");
}

/// 80 B take 0.864 ms with their headers, and 10 ms on the wire.
#[test]
fn what_is_older_than_the_deadline_is_late() {
    let with = |deadline: &str, more: &str| {
        run(&wire(&format!("{{ kind = \"voice\", deadline = \"{deadline}\"{more} }}"), ""), 0)
    };
    let (early, late) = (with("10.864 ms", ""), with("10.863 ms", ""));
    let arrived = late["packets_delivered"].as_u64().expect("a number");
    assert!(arrived > 1000);
    assert_eq!((&early["late"], &early["unusable"]), (&0.into(), &0.0.into()));
    assert_eq!((&late["late"], &late["unusable"]), (&arrived.into(), &1.0.into()));
    near(&late["deadline_s"], 0.010_863, 1e-12);
    // 20 ms to fill a datagram.
    let counted = ", count_packetisation = true";
    assert_eq!(with("30.864 ms", counted)["late"], 0);
    assert_eq!(with("30.863 ms", counted)["late"], arrived);
}

/// A link that loses one in ten, and a deadline that nothing misses: what is unusable is what is lost.
#[test]
fn what_is_lost_is_unusable() {
    let text =
        wire("{ kind = \"cbr\", deadline = \"1 s\" }", "").replace("delay", "loss = 0.1\ndelay");
    let flow = run(&text, 0);
    let lost = flow["packets_lost"]["wire_loss"].as_f64().expect("a number");
    let arrived = flow["packets_delivered"].as_f64().expect("a number");
    near(&flow["unusable"], lost / (lost + arrived), 1e-12);
    assert!((0.09..0.11).contains(&(lost / (lost + arrived))));
}

#[test]
fn ns2s_on_off_source_begins_silent_and_counts_packets() {
    // Means of 500 ms: some of 40 stationary sources send in the first 26 ms, one packet's time; none of ns-2's.
    let text = |conventions: &str| {
        format!("{conventions}{}", wire("\"on_off\"", "").replace("200 s", "37 ms"))
    };
    let sent = |text: &str| {
        (0..40).map(|i| run(text, i)["packets_sent"].as_u64().expect("a number")).sum::<u64>()
    };
    let (standard, ns2) = (sent(&text("")), sent(&text("conventions = \"ns2\"\n")));
    assert!(standard > ns2 && ns2 <= 8, "{standard} and {ns2}");
}

#[test]
fn each_mistake_is_named() {
    for (app, says) in [
        ("\"game\"", "missing key \"direction\": \"up\" (42 B every 60 ms)"),
        ("\"periodic\"", "missing key \"interval\""),
        ("{ kind = \"periodic\", interval = \"1 s\" }", "missing key \"payload\""),
        ("{ kind = \"cbr\", burst = \"1 s\" }", "burst is for the apps \"on_off\" and \"voice\""),
        ("{ kind = \"game\", size = \"1 kB\" }", "size is for the apps \"bulk\", \"web\" and"),
        ("{ kind = \"on_off\", shape = 1.5 }", "shape is for times = \"pareto\""),
        ("{ kind = \"on_off\", times = \"pareto\", shape = 1.0 }", "1; allowed: 1.01 to 100"),
        ("{ kind = \"on_off\", times = \"paretto\" }", "did you mean \"pareto\"?"),
        ("{ kind = \"on_off\", burst = \"1 us\" }", "a thousandth of that or more"),
        ("{ kind = \"on_off\", payload = \"0 B\" }", "allowed: 1 B or more"),
        ("{ kind = \"voice\", interval = \"20 ms\", payload = \"80 B\" }", "say the same"),
        ("{ kind = \"voice\", interval = \"20.1 ms\" }", "are 80.4 B; allowed: a whole number"),
        ("{ kind = \"voice\", deadline = \"0 s\" }", "all would be late"),
        (
            "{ kind = \"voice\", deadline = \"20 ms\", count_packetisation = true }",
            "allowed: more than 0.02 s",
        ),
        (
            "{ kind = \"game\", direction = \"up\", jitter = \"61 ms\" }",
            "up to the interval, 0.06 s",
        ),
    ] {
        let message = refused(app, "");
        assert!(message.starts_with("x.toml:10:"), "{app}: {message}");
        assert!(message.contains(says), "{app}: {message}");
    }
    let message = refused("\"voice\"", "transport = \"tcp\"");
    assert!(message.contains("over TCP go the apps \"bulk\""), "{message}");
    assert!(message.contains("\"voice\" and \"game\" go over UDP"), "{message}");
}
