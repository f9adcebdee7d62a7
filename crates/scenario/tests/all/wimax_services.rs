//! Services of an 802.16 cell: what is granted, polled and asked for, and the delays that follow.

use super::wimax::{DOWN, cell, goodput, outcome};
use serde_json::Value;

/// A call from ss1 beside uploads of all, with the service given.
fn call(service: &str) -> Value {
    let calls = "name = \"call\"\nfrom = \"ss1\"\nto = \"server\"\ntransport = \"udp\"\n\
                 app = { kind = \"periodic\", payload = \"200 B\", interval = \"20 ms\" }\n[[flow]]\n";
    let bulk = "name = \"bulk\"\nfrom = \"ss*\"\nto = \"server\"\napp = \"bulk\"";
    outcome(&format!("ratio = \"3:1\"\n{service}"), &format!("{calls}{bulk}"))
}

fn delay_ms(run: &Value, key: &str) -> f64 {
    1e3 * run["flows"][0]["delay_s"][key].as_f64().expect("a delay")
}

#[test]
fn a_call_with_a_service_of_its_own_is_not_behind_bulk() {
    let service = |keys: &str| format!("[[wimax.service]]\nflows = [\"call\"]\n{keys}");
    let plain = delay_ms(&call(""), "mean");
    let granted = call(&service("class = \"ugs\"\ngrant = \"238 B\""));
    // The link's 20 ms, at most the interval, and the frame; a packet fits a grant with its 28 B of header and 10 B of MAC.
    assert!(delay_ms(&granted, "max") < 20.0 + 20.0 + 10.0, "{}", delay_ms(&granted, "max"));
    let polled = call(&service("class = \"rtps\""));
    assert!(delay_ms(&polled, "max") < 20.0 + 20.0 + 20.0, "{}", delay_ms(&polled, "max"));
    assert!(plain > 2.0 * delay_ms(&polled, "mean"), "{plain} {}", delay_ms(&polled, "mean"));
    // Unsolicited grants are taken from bulk, used or not.
    let queues = granted["queues"].as_array().expect("queues");
    assert!(queues.iter().any(|queue| queue["name"] == "wimax/ss1:1"), "{queues:?}");
}

#[test]
fn who_is_polled_does_not_contend() {
    let udp = "from = \"ss1\"\nto = \"bs\"\ntransport = \"udp\"\napp = \"cbr\"";
    let asked = |class: &str| {
        let keys = format!("[[wimax.service]]\nflows = [\"flow1\"]\nclass = \"{class}\"");
        let run = outcome(&keys, udp);
        let delivered = run["flows"][0]["packets_delivered"].as_u64().expect("a count");
        assert!(delivered > 10, "{class}: {delivered}");
        run["subscribers"][0]["requests"]["attempts"].as_u64().expect("a count")
    };
    assert_eq!(asked("rtps"), 0);
    assert!(asked("nrtps") > 0 && asked("be") > 0);
}

#[test]
fn weights_divide_both_directions() {
    let own = "[[wimax.station]]\nname = \"ss1\"\nweight = 3\n";
    let udp = |from: &str, to: &str| {
        format!(
            "from = \"{from}\"\nto = \"{to}\"\ntransport = \"udp\"\n\
             app = {{ kind = \"cbr\", rate = \"20 Mbps\", payload = \"1000 B\" }}"
        )
    };
    for rule in ["weighted", "deficit"] {
        let keys = format!(
            "piggyback = true\ndownlink_scheduler = \"{rule}\"\nuplink_scheduler = \"{rule}\"\n{own}"
        );
        for (from, to) in [("bs", "ss*"), ("ss*", "bs")] {
            let run = outcome(&keys, &udp(from, to));
            let rate = |i: usize| run["flows"][i]["goodput_bps"].as_f64().expect("a rate");
            let ratio = rate(0) / rate(1);
            // A frame of few bursts is divided in whole symbols.
            assert!((2.6..3.4).contains(&ratio), "{rule} {from}: {ratio}");
            assert!((rate(1) / rate(2) - 1.0).abs() < 0.15, "{rule} {from}");
        }
    }
}

#[test]
fn services_that_cannot_be_are_refused() {
    for (keys, message) in [
        ("flows = [\"flow2\"]\nclass = \"be\"", "did you mean \"flow1"),
        ("flows = [\"flow1\"]\nclass = \"ugs\"", "add grant"),
        ("flows = [\"flow1\"]\nclass = \"rtps\"\ngrant = \"9 B\"", "leave it out"),
        ("flows = [\"flow1\", \"flow1-2\"]\nclass = \"be\"", "\"flow1-2\" is in two services"),
        ("flows = [\"flow1\"]\nclass = \"rtps\"\ninterval = \"10 us\"", "\"1 ms\" or more"),
    ] {
        let error = cell(&format!("[[wimax.service]]\n{keys}")).expect_err(keys);
        assert!(error.contains(message), "{keys}: {error}");
    }
}

#[test]
fn the_parts_of_a_wait_add_up() {
    let run = outcome("ratio = \"6:1\"", DOWN);
    for station in run["subscribers"].as_array().expect("stations") {
        let (wait, up) = (&station["requests"]["wait_s"], &station["up"]["delay_s"]["mean"]);
        let part = |key: &str| wait[key].as_f64().expect("a time");
        let sum = part("request") + part("grant") + part("transmission");
        assert!((sum - up.as_f64().expect("a mean")).abs() < 1e-9, "{wait}");
        assert!(part("request") > 1e-3 && part("grant") > 1e-3);
    }
}

#[test]
fn what_is_granted_unasked_waits_for_no_request() {
    let call = "from = \"ss1\"\nto = \"server\"\ntransport = \"udp\"\n\
                app = { kind = \"periodic\", payload = \"200 B\", interval = \"20 ms\" }";
    let service = "[[wimax.service]]\nflows = [\"flow1\"]\nclass = \"ugs\"\ngrant = \"238 B\"";
    for (keys, asks) in [("", true), (service, false)] {
        let run = outcome(keys, call);
        let wait = &run["subscribers"][0]["requests"]["wait_s"];
        let part = |key: &str| wait[key].as_f64().expect("a time");
        assert_eq!(part("request") > 0.0, asks, "{wait}");
        assert!(part("grant") > 1e-4, "{wait}");
    }
}

/// Three steady uploads that take two thirds of a short uplink, with requests of this kind.
fn steady(kind: &str, t16: &str) -> Value {
    let flow = "from = \"ss*\"\nto = \"server\"\ntransport = \"udp\"\n\
                app = { kind = \"cbr\", payload = \"1000 B\", rate = \"200 kbps\" }";
    outcome(&format!("ratio = \"6:1\"\nrequests = \"{kind}\"\nt16 = \"{t16}\""), flow)
}

#[test]
fn an_incremental_request_adds_to_what_was_asked() {
    // No station requests again while a request is outstanding: then both kinds are the same.
    assert_eq!(steady("aggregate", "500 ms"), steady("incremental", "500 ms"));
    // A late grant makes stations request again: in place of the first request, or in addition to it. Bytes that are granted
    // twice are padding.
    let [aggregate, incremental] = ["aggregate", "incremental"].map(|kind| steady(kind, "5 ms"));
    let fills = |run: &Value| -> Vec<f64> {
        let stations = run["subscribers"].as_array().expect("stations");
        stations.iter().map(|station| station["up"]["fill"].as_f64().expect("a share")).collect()
    };
    let (once, twice) = (fills(&aggregate), fills(&incremental));
    // A burst's last symbol is not full: half of 108 B, of about 2 packets of 1038 B.
    assert!(once.iter().all(|&fill| fill > 0.96), "{once:?}");
    assert!(twice.iter().all(|&fill| fill < 0.9), "{twice:?}");
    let share = |run: &Value| run["wimax"][0]["uplink_share"].as_f64().expect("a share");
    assert!(share(&incremental) > 1.1 * share(&aggregate));
    // The uplink carries all of it either way.
    let ratio = goodput(&incremental) / goodput(&aggregate);
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
}
