//! Requests, pages and short transfers, from the file to the results.

use apps::{AppConfig, Distribution, GapFrom, Style, WebConfig};
use scenario::check;
use serde_json::Value;

/// One flow over a wire of 10 Mbit/s and 10 ms.
fn wire(app: &str, more: &str) -> String {
    format!(
        "duration = \"100 s\"\n[[link]]\nends = [\"server\", \"client\"]\nrate = \"10 Mbps\"\ndelay = \"10 ms\"\n\
         [tcp]\nmss = \"1000 B\"\n\
         [[flow]]\nname = \"f\"\nfrom = \"server\"\nto = \"client\"\napp = {app}\n{more}"
    )
}

fn config(app: &str) -> WebConfig {
    let scenario =
        check(&wire(app, ""), "x.toml", &[]).unwrap_or_else(|error| panic!("{app}: {error}"));
    match &scenario.plan.flows[0].app {
        AppConfig::Web(web) => (**web).clone(),
        other => panic!("{other:?}"),
    }
}

fn flow(app: &str) -> Value {
    let scenario = check(&wire(app, ""), "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let result: Value = serde_json::from_str(&scenario::run(&scenario, None, 0)).expect("JSON");
    result["flows"][0].clone()
}

#[test]
fn the_models_have_their_parameters_and_each_can_be_another() {
    let webtraf = config("{ kind = \"web\", model = \"webtraf\" }");
    assert_eq!(webtraf.style, Style::Apart);
    assert_eq!(webtraf.size.law.law, Distribution::pareto_ii(12.0, 1.2));
    assert_eq!((webtraf.size.unit, webtraf.request.unit), (1000, 1000));
    assert_eq!(webtraf.page_gap.law, Distribution::Exponential { mean: 15.0 });
    let modern = config("\"web\"");
    assert_eq!((modern.style, modern.connections), (Style::Persistent, 6));
    // The median page: a document and 65 objects, 2.3 MB.
    let page = 18_000.0 + 65.0 * modern.size.law.law.mean();
    assert!((page / 2.311e6 - 1.0).abs() < 0.01, "{page}");
    let own = config(
        "{ kind = \"web\", model = \"webtraf\", pages = 10, think = \"2 s\", think_from = \"page_start\", \
         objects = { law = \"exponential\", mean = 5, max = 50 }, size = { law = \"lognormal\", median = \"9 kB\", sigma = 1.2 }, \
         request = \"400 B\", connections = 2, request_apart = false }",
    );
    assert_eq!((own.style, own.connections, own.gap_from), (Style::PerObject, 2, GapFrom::Start));
    let law = Distribution::Lognormal { median: 9000.0, sigma: 1.2 };
    assert_eq!((own.size.law.law, own.size.unit, own.objects.most), (law, 1, 50.0));
    let rounds = config("{ kind = \"request_response\", connections = 4, persistent = false }");
    assert_eq!((rounds.style, rounds.objects.law), (Style::PerObject, Distribution::Constant(4.0)));
}

#[test]
fn what_is_asked_for_comes_and_is_timed() {
    // The connection is opened once; then each round takes a round trip, 10 ms each way, and 10 segments of slow start.
    let rounds = flow("{ kind = \"request_response\", response = \"10 kB\", request = \"300 B\" }");
    let objects = &rounds["objects"];
    assert!(objects["finished"].as_u64().is_some_and(|n| n > 3000), "{objects}");
    assert_eq!((objects["unfinished"].as_u64(), rounds.get("pages")), (Some(1), None));
    let least = 0.02 + (340.0 + 10.0 * 1040.0) * 8.0 / 1e7;
    let median = objects["response_time_s"]["p50"].as_f64().expect("some came");
    assert!((median / least - 1.0).abs() < 0.035, "{median} against {least}");

    let pages = flow("{ kind = \"web\", think = \"1 s\" }");
    let mean = |what: &str| pages[what]["response_time_s"]["mean"].as_f64().expect("some came");
    assert!(mean("pages") > mean("objects"));
    assert!(pages["pages"]["finished"].as_u64().is_some_and(|n| n > 10), "{}", pages["pages"]);

    let flows = flow("{ kind = \"short_flows\", size = \"3 kB\", interarrival = \"500 ms\" }");
    assert_eq!(flows["objects"]["finished"], 200);
    assert_eq!(flows["goodput_bps"], 48_000.0);
    assert!(flow("\"bulk\"").get("objects").is_none());
}

/// ns-2.35's PagePool/WebTraf (Agent/TCP/Reno, window 10, packets of 1000 B, 8 Mbit/s, 50 ms, objects of constant size, asked
/// for at 1 s) hears the last acknowledgement at 1.40232, 1.6076 and 1.81184 s: 50.04 ms after the last byte has come.
#[test]
fn ns2s_web_traffic_takes_ns2s_time() {
    for (packets, acknowledged) in [(1, 1.40232), (10, 1.6076), (30, 1.81184)] {
        let app = format!(
            "{{ kind = \"web\", model = \"webtraf\", pages = 5, think = \"5 s\", size = \"{packets} packets\" }}"
        );
        let text = wire(&app, "")
            .replace("10 Mbps", "8 Mbps")
            .replace("10 ms", "50 ms")
            .replace("[tcp]", "[tcp]\nvariant = \"reno\"\nwindow = \"10 packets\"");
        let text = format!("conventions = \"ns2\"\n{text}");
        let scenario = check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
        let result: Value = serde_json::from_str(&scenario::run(&scenario, None, 0)).expect("JSON");
        let times = &result["flows"][0]["pages"]["response_time_s"];
        for time in [&times["mean"], &times["max"]] {
            let time = time.as_f64().expect("pages came");
            assert!((time - (acknowledged - 1.0 - 0.05004)).abs() < 1e-6, "{packets}: {time}");
        }
    }
}

#[test]
fn each_mistake_is_named() {
    for (app, says) in [
        (
            "{ kind = \"bulk\", think = \"1 s\" }",
            "think is for the apps \"web\" and \"request_response\"",
        ),
        ("{ kind = \"web\", response = \"1 kB\" }", "response is for the app \"request_response\""),
        ("{ kind = \"web\", model = \"webtrafic\" }", "did you mean \"webtraf\"?"),
        ("{ kind = \"web\", think = 3 }", "3 has no unit"),
        ("{ kind = \"web\", objects = -1 }", "a number, zero or more"),
        ("{ kind = \"web\", sessions = 0 }", "1 or more"),
        ("{ kind = \"web\", connections = 0 }", "1 to 10000"),
        (
            "{ kind = \"web\", size = { law = \"pareto\", mean = \"3 kB\" } }",
            "shape, and mean or scale",
        ),
        (
            "{ kind = \"web\", size = { law = \"gauss\", mean = \"3 kB\" } }",
            "unknown law \"gauss\"",
        ),
        ("{ kind = \"web\", request_apart = true, persistent = true }", "does not stay"),
        ("{ kind = \"short_flows\", interarrival = \"0 s\" }", "1 us or more"),
        ("{ kind = \"bulk\", size = { law = \"exponential\", mean = \"3 kB\" } }", "one size"),
    ] {
        match check(&wire(app, ""), "x.toml", &[]) {
            Ok(_) => panic!("accepted: {app}"),
            Err(error) => {
                let message = error.to_string();
                assert!(message.starts_with("x.toml:12:"), "{app}: {message}");
                assert!(message.contains(says), "{app}: {message}");
            }
        }
    }
    let over_udp = check(&wire("\"web\"", "transport = \"udp\""), "x.toml", &[]);
    assert!(over_udp.is_err_and(|error| error.to_string().contains("go over TCP")));
}
