//! Applications that send datagrams, from the file to the results.

use scenario::{Files, Laws, check, check_with, files_named};
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

/// A trace of ten pictures and 400 ms: 10150 B, of which one is larger than two packets and one is nothing.
const TRACE: &str = "1 I 0 2600\n2 P 120 1542\n3 B 40 134\n4 B 80 390\n5 P 240 0\n6 B 160 407\n7 B 200 504\n\
                     8 P 360 903\n9 B 280 2421\n10 B 320 1249\n";

/// The same over a wire, of a video by the trace `text`, with `app` beside file and format.
fn run_trace(text: &str, app: &str, more: &str) -> Result<Value, String> {
    let app = format!("{{ kind = \"video\", file = \"film.txt\"{app} }}");
    let scenario = wire(&app, more);
    let named = files_named(&scenario, "x.toml", &[]).map_err(|error| error.to_string())?;
    assert_eq!(named, ["film.txt"]);
    let texts = [("film.txt".to_owned(), Ok(text.to_owned()))].into_iter().collect();
    let checked = check_with(&scenario, "x.toml", &[], (&Laws::default(), &Files { texts }))
        .map_err(|e| e.to_string())?;
    let result: Value = serde_json::from_str(&scenario::run(&checked, None, 0)).expect("JSON");
    Ok(result["flows"][0].clone())
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

/// Mouth to ear is the deadline and, unless it counts there, the time to fill a datagram.
#[test]
fn speech_has_an_opinion_score() {
    let rating = |app: &str| {
        let flow = run(&wire(&format!("{{ kind = \"voice\", {app} }}"), ""), 0);
        (flow["r_factor"].as_f64().expect("a number"), flow["mos"].as_f64().expect("a number"))
    };
    let (plain, score) = rating("deadline = \"130 ms\", codec = \"g711\"");
    let (counted, _) =
        rating("deadline = \"150 ms\", codec = { ie = 0, bpl = 4.3 }, count_packetisation = true");
    assert_eq!(plain, counted);
    assert!((plain - 89.4).abs() < 0.3 && (score - 4.3).abs() < 0.05, "{plain}: {score}");
    let (worse, _) = rating("deadline = \"130 ms\"");
    assert!((plain - worse - 7.0).abs() < 1e-9, "G.726's Ie is 7: {worse}");
    // All late.
    assert_eq!(rating("deadline = \"10.863 ms\", codec = { ie = 0, bpl = 0.1 }").1, 1.0);
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

/// 500 loops in 200 s, less the 50 ms at the end: all that was sent by then has arrived.
#[test]
fn a_trace_has_the_bytes_of_its_file() {
    let flow =
        run_trace(TRACE, ", format = \"tu_berlin\"", "stop = \"199.99 s\"").expect("it is right");
    let bytes = flow["goodput_bps"].as_f64().expect("a number") * 200.0 / 8.0;
    assert_eq!(bytes.round(), 500.0 * 10_150.0);
    // 3 + 2 + 1 + 1 + 0 + 1 + 1 + 1 + 3 + 2 packets of up to 1000 B.
    assert_eq!(flow["packets_sent"], 500 * 15);
    let pictures = serde_json::json!({ "sent": 4500, "in_time": 4500, "late": 0, "broken": 0, "unusable": 0.0 });
    assert_eq!(flow["pictures"], pictures);
    assert_eq!(flow["unusable"], 0.0);
}

/// 1028 B take 8.224 ms at 1 Mbit/s, and 10 ms on the wire: the second packet of a picture is late, the first is not.
#[test]
fn a_picture_is_as_late_as_its_last_packet() {
    let flow = run_trace(
        TRACE,
        ", format = \"tu_berlin\", deadline = \"18.224 ms\"",
        "stop = \"199.99 s\"",
    );
    let flow = flow.expect("it is right");
    // Four pictures of ten have more than one packet; 3 - 1 + 2 - 1 + 3 - 1 + 2 - 1 packets are late.
    assert_eq!(flow["pictures"]["late"], 500 * 4);
    assert_eq!(flow["pictures"]["in_time"], 500 * 5);
    assert_eq!(flow["late"], 500 * 6);
    near(&flow["unusable"], 6.0 / 15.0, 1e-12);
    near(&flow["pictures"]["unusable"], 4.0 / 9.0, 1e-12);
}

/// A picture of n packets breaks with the probability 1 - 0.9^n.
#[test]
fn a_picture_breaks_with_any_of_its_packets() {
    let text = wire(
        "{ kind = \"video\", film = \"star_wars_iv_high\", payload = \"500 B\" }",
        "stop = \"199 s\"",
    );
    let flow = run(&text.replace("delay", "loss = 0.1\ndelay"), 0);
    let count = |name: &str| flow["pictures"][name].as_f64().expect("a number");
    assert_eq!(count("sent"), count("in_time") + count("broken"));
    let lost = flow["packets_lost"]["wire_loss"].as_f64().expect("a number");
    // With pictures of three packets on average each loss breaks less than one.
    assert!(count("broken") < lost && count("broken") > 0.7 * lost, "{lost} {flow}");
}

#[test]
fn a_trace_can_begin_anywhere_and_end() {
    let once = ", format = \"tu_berlin\", loop = false, offset = \"280 ms\"";
    let flow = run_trace(TRACE, once, "").expect("it is right");
    assert_eq!(flow["pictures"]["sent"], 3);
    assert_eq!(flow["packets_sent"], 1 + 3 + 2);
    let drawn = ", format = \"tu_berlin\", loop = false, offset = \"drawn\"";
    let flow = run_trace(TRACE, drawn, "").expect("it is right");
    assert!((1..=9).contains(&flow["pictures"]["sent"].as_u64().expect("a number")));
}

#[test]
fn films_have_their_rates() {
    // Over 20 runs of 200 s of Star Wars: one wanders by 0.38 x 417^-0.2 = 11 %, twenty by 2.5 %.
    for (film, bps, within) in
        [("star_wars_iv_high", 275_200.0, 0.1), ("lecture_room_cam_vbr", 62_330.0, 0.06)]
    {
        let text = wire(&format!("{{ kind = \"video\", film = \"{film}\" }}"), "");
        let rates = (0..20).map(|i| run(&text, i)["goodput_bps"].as_f64().expect("a number"));
        let mean = rates.sum::<f64>() / 20.0;
        assert!((mean / bps - 1.0).abs() < within, "{film}: {mean}");
    }
}

#[test]
fn what_is_wrong_in_a_trace_is_named_with_file_and_line() {
    for (text, app, says) in [
        ("1 I 0 x\n", ", format = \"tu_berlin\"", "film.txt:1: found \"x\"; a size in bytes"),
        ("10\n", ", format = \"sizes\"", "film.txt:1: the file has no picture rate"),
        (
            "16777216\n",
            ", format = \"sizes\", interval = \"1 s\", payload = \"100 B\"",
            "a picture of 16777216 B in packets of 100 B",
        ),
        ("10\n", "", "missing key \"format\"; allowed: tu_berlin, asu, sizes"),
        ("10\n", ", format = \"size\"", "did you mean \"sizes\"?"),
        ("10\n", ", format = \"sizes\", interval = \"1 ns\"", "allowed: 1 us or more"),
        ("10\n", ", format = \"sizes\", interval = \"1 s\", offset = \"drwan\"", "or \"drawn\""),
        ("10\n", ", film = \"star_wars_iv_high\"", "a film and a file"),
    ] {
        let message = run_trace(text, app, "").expect_err("it is wrong");
        assert!(message.starts_with("x.toml:10:") && message.contains(says), "{message}");
    }
    let message = refused("{ kind = \"video\", file = \"film.txt\", format = \"sizes\" }", "");
    assert!(message.contains("the text of \"film.txt\" was not given"), "{message}");
}

#[test]
fn each_mistake_is_named() {
    for (app, says) in [
        ("\"game\"", "missing key \"direction\": The stream of the game that this flow carries"),
        ("\"periodic\"", "missing key \"interval\""),
        ("{ kind = \"periodic\", interval = \"1 s\" }", "missing key \"payload\""),
        ("{ kind = \"cbr\", burst = \"1 s\" }", "burst is for the apps \"on_off\" and \"voice\""),
        ("{ kind = \"game\", size = \"1 kB\" }", "size is for the apps \"bulk\", \"web\" and"),
        ("{ kind = \"on_off\", shape = 1.5 }", "shape is for times = \"pareto\""),
        (
            "{ kind = \"on_off\", times = \"pareto\", shape = 1.0 }",
            "1 is out of range; allowed: 1.01 to 100",
        ),
        ("{ kind = \"on_off\", times = \"paretto\" }", "did you mean \"pareto\"?"),
        ("{ kind = \"on_off\", burst = \"1 us\" }", "a thousandth of that or more"),
        ("{ kind = \"on_off\", payload = \"0 B\" }", "allowed: 1 B or more"),
        ("{ kind = \"voice\", interval = \"20 ms\", payload = \"80 B\" }", "both set the size"),
        ("{ kind = \"voice\", interval = \"20.1 ms\" }", "are 80.4 B; allowed: a whole number"),
        ("{ kind = \"voice\", deadline = \"0 s\" }", "every datagram would be late"),
        ("{ kind = \"voice\", codec = \"g729\" }", "did you mean \"g729a\"?"),
        ("{ kind = \"voice\", codec = { ie = 1, bpl = 0 } }", "bpl from 0.1 to 1000"),
        ("\"video\"", "missing key \"film\" (star_wars_iv_high, lecture_room_cam_vbr) or \"file\""),
        ("{ kind = \"video\", film = \"star_wars\" }", "did you mean \"star_wars_iv_high\"?"),
        (
            "{ kind = \"video\", film = \"lecture_room_cam_vbr\", loop = false }",
            "loop is for a video by file",
        ),
        ("{ kind = \"cbr\", loop = true }", "loop is for the app \"video\""),
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
    assert!(message.contains("\"game\" and \"video\" go over UDP"), "{message}");
}
