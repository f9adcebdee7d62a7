//! Laws from outside: where they may be named, and what they are given.

use base::{Named, Options};
use scenario::{Files, KnownLaw, Laws, Run, check_with};
use std::sync::Mutex;
use transport::tcp::law::{Custom, LawName, Reno};
use world::TransportPlan;

const TWO: &str = r#"
duration = "5 s"
[[link]]
ends = ["a", "b"]
rate = "10 Mbps"
delay = "10 ms"
queue = { packets = 10 }
[[flow]]
name = "one"
from = "a"
to = "b"
[[flow]]
name = "two"
from = "a"
to = "b"
"#;

fn laws(everywhere: Option<u32>) -> Laws {
    let known = ["mine", "yours"].map(|name| KnownLaw { name: name.into(), model_based: false });
    Laws { known: known.into(), everywhere }
}

/// The law's number and the name in results, for each flow.
fn plans(overrides: &[&str], everywhere: Option<u32>) -> Vec<(Option<u32>, String)> {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    let scenario = check_with(TWO, "two.toml", &overrides, (&laws(everywhere), &Files::default()))
        .expect("it is right");
    let of = |flow: &world::FlowPlan| match &flow.transport {
        TransportPlan::Tcp { variant, config, .. } => (config.custom_law, variant.to_string()),
        TransportPlan::Udp { .. } => (None, String::new()),
    };
    scenario.plan.flows.iter().map(of).collect()
}

fn row(number: Option<u32>, name: &str) -> (Option<u32>, String) {
    (number, name.to_owned())
}

#[test]
fn a_law_from_outside_is_named_or_everywhere() {
    let plain = row(None, "newreno");
    assert_eq!(plans(&[], None), [plain.clone(), plain.clone()]);
    let both = [row(Some(1), "sack+yours"), row(Some(1), "sack+yours")];
    assert_eq!(plans(&["tcp.law=yours", "tcp.recovery=sack"], None), both);
    assert_eq!(plans(&["flow.two.tcp.law=mine"], Some(1)), [plain, row(Some(0), "newreno+mine")]);
    let cubic = [row(Some(0), "sack+mine"), row(Some(0), "sack+mine")];
    assert_eq!(plans(&["tcp.variant=cubic"], Some(0)), cubic);
}

#[test]
fn an_unknown_law_is_answered_with_all_names() {
    let overrides = ["tcp.law=yuors".to_owned()];
    let error = check_with(TWO, "two.toml", &overrides, (&laws(None), &Files::default()))
        .expect_err("it is wrong");
    assert!(error.message.contains("did you mean \"yours\"?"), "{error}");
    assert!(error.message.ends_with("bbr3, mine, yours"), "{error}");
    let overrides = ["tcp.law=mine".to_owned(), "tcp.law_options.b=high".to_owned()];
    let error = check_with(TWO, "two.toml", &overrides, (&laws(None), &Files::default()))
        .expect_err("it is wrong");
    assert!(error.message.contains("takes numbers"), "{error}");
}

#[test]
fn reno_from_outside_is_reno_and_is_told_flow_and_options() {
    let overrides = ["tcp.law=yours".to_owned(), "tcp.law_options.b=0.5".to_owned()];
    let scenario = check_with(TWO, "two.toml", &overrides, (&laws(None), &Files::default()))
        .expect("it is right");
    let asked = Mutex::new(Vec::new());
    let run = Run::with_laws(&scenario, None, 0, &|order| {
        let seen = (order.number, order.flow.to_owned(), order.options.get("b"));
        asked.lock().expect("one thread").push(seen);
        Some(Custom::new(Reno::new(&Options::default())))
    });
    let own =
        check_with(TWO, "two.toml", &["tcp.law=reno".to_owned()], (&laws(None), &Files::default()));
    let own = Run::new(&own.expect("it is right"), None, 0).finish().to_json();
    assert_eq!(run.finish().to_json().replace("newreno+yours", "newreno"), own);
    let seen = asked.into_inner().expect("one thread");
    assert_eq!(seen, [(1, "one".into(), Some(0.5)), (1, "two".into(), Some(0.5))]);
    assert_eq!(LawName::by_name("yours"), None);
}

#[test]
fn a_law_that_models_the_path_gets_rack_where_nobody_says_otherwise() {
    let known = vec![KnownLaw { name: "model".into(), model_based: true }];
    let laws = Laws { known, everywhere: None };
    for (overrides, name) in [
        (&["tcp.law=model"][..], "racktlp+model"),
        (&["tcp.law=model", "tcp.recovery=sack"], "sack+model"),
        (&["tcp.law=bbr"], "bbr"),
        (&["tcp.law=bbr", "tcp.recovery=newreno"], "newreno+bbr"),
    ] {
        let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
        let checked = check_with(TWO, "two.toml", &overrides, (&laws, &Files::default()));
        let found = match &checked.expect("it is right").plan.flows[0].transport {
            TransportPlan::Tcp { variant, .. } => variant.to_string(),
            TransportPlan::Udp { .. } => String::new(),
        };
        assert_eq!(found, name);
    }
}

/// The goodput of a law over 10 Mbit/s and 40 ms with this random loss, Mbit/s in 60 s.
fn goodput(law: &str, loss: f64, reduction: &str) -> f64 {
    let lossy = format!("100 }}\nloss = {loss}\nloss_direction = \"forward\"");
    let text = TWO.replace("10 }", &lossy).replace("10 ms", "20 ms").replace("5 s", "60 s");
    let (text, _) = text.split_once("[[flow]]\nname = \"two\"").expect("it is there");
    let overrides = [format!("tcp.law={law}"), format!("tcp.sack_reduction={reduction}")];
    let checked = check_with(text, "x.toml", &overrides, (&laws(None), &Files::default()));
    let result = Run::new(&checked.expect("it is right"), None, 0).finish();
    result.outcome.flows[0].goodput_bps / 1e6
}

/// BBR sends at the rate that it measures: of 10 Mbit/s 5 % are lost, and 40 of 1500 bytes are headers, which leaves
/// 9.25 Mbit/s; the phases of ProbeBW, ProbeRTT and the start may take 5 %. PRR would hold the window after each loss,
/// and give half of that.
#[test]
fn random_loss_costs_bbr_what_is_lost() {
    for reduction in ["prr", "pipe", "rate_halving"] {
        let goodput = goodput("bbr", 0.05, reduction);
        assert!(goodput > 0.95 * 9.25, "{reduction}: {goodput}");
    }
}

/// BBRv3 slows down by the loss rate in each round of CRUISE, of which there are as many as a BDP has segments
/// (draft-ietf-ccwg-bbr section 5.3.3.5): at 1 %, with 34, the mean of 0.99^n is 0.85, and of 9.64 Mbit/s 8.2 remain.
/// ProbeRTT may take 2 %, DOWN and bounds by chance 8 %. Losses of two rounds taken for one round's would cost a fifth.
#[test]
fn random_loss_slows_bbr3_as_its_draft_reckons() {
    let goodput = goodput("bbr3", 0.01, "prr");
    assert!((0.9 * 8.2..9.64).contains(&goodput), "{goodput}");
}
