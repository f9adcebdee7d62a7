//! Endpoints that pick their variant, from the file to the results.

use base::Time;
use engine::Watch;
use net::Header;
use scenario::{Files, Laws, Run, check, check_with};
use serde_json::Value;
use transport::tcp::variants::VARIANTS;
use world::Note;

/// A lossy path with a short queue.
fn text(tcp: &str, flow: &str) -> String {
    format!(
        "duration = \"20 s\"\n[[link]]\nends = [\"server\", \"client\"]\nrate = \"5 Mbps\"\ndelay = \"15 ms\"\n\
         loss = 0.02\nqueue = {{ packets = 20 }}\n[tcp]\nmss = \"1000 B\"\n{tcp}\n\
         [[flow]]\nname = \"f\"\nfrom = \"server\"\nto = \"client\"\napp = {flow}\n"
    )
}

const BULK: &str = "{ kind = \"bulk\", size = \"1 MB\" }";
const ROUNDS: &str = "{ kind = \"request_response\", response = \"50 kB\", think = \"300 ms\" }";
const SHORT: &str = "{ kind = \"short_flows\", size = \"30 kB\", interarrival = \"500 ms\" }";

/// Every packet that left a transport.
#[derive(Default)]
struct Sent(Vec<(Time, Header)>);

impl Watch<Note> for Sent {
    fn see(&mut self, now: Time, note: &Note) {
        if let Note::Sent { header, .. } = note {
            self.0.push((now, *header));
        }
    }
}

fn segments(text: &str) -> Vec<(Time, Header)> {
    let scenario = check(text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut sent = Sent::default();
    Run::new(&scenario, None, 0).advance_watched(1.0, &mut sent);
    sent.0
}

fn flow(text: &str) -> Value {
    let scenario = check(text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let result: Value = serde_json::from_str(&scenario::run(&scenario, None, 0)).expect("JSON");
    result["flows"][0].clone()
}

#[test]
fn a_policy_of_one_variant_sends_what_that_variant_sends() {
    for variant in VARIANTS {
        let name = variant.name;
        // Both ends agree on the same: SACK or none, marks or none, Linux's receiver or none.
        let default = match (name, variant.recovery.uses_sack()) {
            ("dctcp" | "prague", _) => name,
            (name, _) if name.starts_with("linux-") => "linux-reno",
            (_, true) => "rack",
            (_, false) => "tahoe",
        };
        for (app, conventions) in [BULK, ROUNDS, SHORT].iter().zip(["standard", "ns2", "standard"])
        {
            let text = |tcp: &str| format!("conventions = \"{conventions}\"\n{}", text(tcp, app));
            let fixed = segments(&text(&format!("variant = \"{name}\"")));
            let policy = format!(
                "variant = \"auto\"\npolicy = {{ default = \"{default}\", rule = [{{ use = \"{name}\" }}] }}"
            );
            let picked = segments(&text(&policy));
            assert!(fixed.len() > 500, "{name} {app}");
            let differs = fixed.iter().zip(&picked).find(|(fixed, picked)| fixed != picked);
            assert_eq!(differs, None, "{name} {app}");
            assert_eq!(fixed.len(), picked.len(), "{name} {app}");
        }
    }
}

const LOSSY: &str = "variant = \"auto\"\n[tcp.policy]\ndefault = \"newreno\"\n[[tcp.policy.rule]]\n\
                     when = { loss_above = \"1 %\", segments_above = 100 }\nuse = \"westwood+\"\n\
                     [[tcp.policy.rule]]\nwhen = { rtt_below = \"10 ms\" }\nuse = \"vegas\"";

#[test]
fn later_connections_start_from_what_earlier_ones_measured() {
    for app in [ROUNDS, SHORT] {
        let flow = flow(&text(LOSSY, app));
        let choices = flow["choices"].as_array().expect("choices");
        assert_eq!((&choices[0]["variant"], &choices[0]["rule"]), (&"newreno".into(), &0.into()));
        assert!(
            choices[0]["measured"].get("loss").is_none(),
            "nothing was known but the round trip"
        );
        let then = &choices[1];
        assert_eq!((&then["variant"], &then["rule"]), (&"westwood+".into(), &1.into()));
        assert!(then["measured"]["loss"].as_f64().is_some_and(|loss| loss >= 0.01));
        assert!(then["measured"]["segments"].as_f64().is_some_and(|count| count >= 100.0));
        assert!(flow["picked"]["westwood+"].as_u64() > flow["picked"]["newreno"].as_u64());
        assert_eq!(flow["picked"]["vegas"], 0);
    }
}

#[test]
fn flows_of_one_pair_share_what_is_known_and_others_do_not() {
    let flows = |to: &str| {
        format!(
            "{}[[flow]]\nname = \"late\"\nfrom = \"server\"\nto = \"{to}\"\napp = {BULK}\nstart = \"15 s\"\n\
             [[link]]\nends = [\"client\", \"other\"]\nrate = \"5 Mbps\"\ndelay = \"15 ms\"\n",
            text(LOSSY, "\"bulk\"")
        )
    };
    let late = |to: &str| {
        let scenario = check(&flows(to), "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
        let result: Value = serde_json::from_str(&scenario::run(&scenario, None, 0)).expect("JSON");
        result["flows"][1]["choices"][0]["variant"].clone()
    };
    // The first flow's transfer has no end: it is asked in the middle of it.
    assert_eq!(late("client"), "westwood+");
    assert_eq!(late("other"), "newreno");
}

#[test]
fn runs_repeat_and_fixed_variants_have_no_choices() {
    let auto = text("variant = \"auto\"", SHORT);
    assert_eq!(flow(&auto), flow(&auto));
    let fixed = flow(&text("variant = \"cubic\"", SHORT));
    assert!(fixed.get("choices").is_none() && fixed.get("picked").is_none());
}

#[test]
fn a_policy_may_stand_in_a_file() {
    let rules = "default = \"sack\"\n[[rule]]\nwhen = { rtt_above = \"20 ms\" }\nuse = \"hybla\"\n";
    let scenario = text("variant = \"auto\"\npolicy = \"mine.toml\"", BULK);
    assert_eq!(scenario::files_named(&scenario, "x.toml", &[]), Ok(vec!["mine.toml".to_owned()]));
    let with = |rules: &str| {
        let texts = [("mine.toml".to_owned(), Ok(rules.to_owned()))].into();
        check_with(&scenario, "x.toml", &[], (&Laws::default(), &Files { texts }))
    };
    let checked = with(rules).unwrap_or_else(|error| panic!("{error}"));
    let result: Value = serde_json::from_str(&scenario::run(&checked, None, 0)).expect("JSON");
    assert_eq!(result["flows"][0]["picked"], serde_json::json!({ "sack": 0, "hybla": 1 }));
    for (from, to, said) in [
        ("hybla", "hybal", "mine.toml:4:7: unknown TCP variant \"hybal\"; did you mean \"hybla\"?"),
        ("rtt_above", "rtt_over", "mine.toml:3:10: unknown key \"rtt_over\"; did you mean"),
        ("default", "defualt", "unknown key \"defualt\"; did you mean \"default\"?"),
        (
            "hybla",
            "dctcp",
            "mine.toml:4:7: \"dctcp\" and \"sack\" use congestion marks in different",
        ),
    ] {
        let error = with(&rules.replacen(from, to, 1)).map(|_| ()).expect_err(to).to_string();
        assert!(error.starts_with("x.toml:11:10: error: ") && error.contains(said), "{error}");
    }
}

#[test]
fn mistakes_are_named() {
    let policy =
        |rest: &str| format!("variant = \"auto\"\npolicy = {{ default = \"sack\"{rest} }}");
    for (tcp, said) in [
        ("variant = \"atuo\"".to_owned(), "did you mean \"auto\"?"),
        (policy(", rule = [{ use = \"auto\" }]"), "unknown TCP variant \"auto\""),
        (policy(", rule = [{ when = { loss_above = 2 }, use = \"reno\" }]"), "allowed: 0 to 1"),
        (
            policy(
                ", rule = [{ when = { rtt_above = \"2 s\", rtt_below = \"1 s\" }, use = \"reno\" }]",
            ),
            "rtt_above less than rtt_below",
        ),
        ("variant = \"auto\"\nlaw_options = { beta = 0.7 }".to_owned(), "a parameter of one law"),
        ("variant = \"auto\"\nrecovery = \"sack\"".to_owned(), "give variant, or recovery and law"),
        ("variant = \"auto\"\npolicy = 3".to_owned(), "the name of a TOML file that holds one"),
    ] {
        let error = check(&text(&tcp, BULK), "x.toml", &[]).map(|_| ()).expect_err(&tcp);
        assert!(error.to_string().contains(said), "{error}");
    }
    // Beside a fixed variant a policy waits for its turn: so it may be an axis of a study.
    let fixed = policy("").replacen("auto", "cubic", 1);
    assert!(check(&text(&fixed, BULK), "x.toml", &[]).is_ok());
}
