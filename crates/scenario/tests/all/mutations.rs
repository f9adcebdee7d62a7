//! Two thousand damaged scenarios: each is refused with a line and a column, or runs without a panic. Overflow checks and
//! debug assertions are on in tests.

use base::{Purpose, Rng, Seed};
use proptest::prelude::*;
use scenario::{Error, Files, Laws, Run, Scenario, check_by};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

const INPUTS: u64 = 2000;

const SCENARIOS: [&str; 8] = [
    include_str!("../../../../scenarios/roaming.toml"),
    include_str!("../../../../scenarios/mobile_ip.toml"),
    include_str!("../../../../scenarios/game_video_ftp.toml"),
    include_str!("../../../../scenarios/web.toml"),
    include_str!("../../../../scenarios/rate_control.toml"),
    include_str!("../../../../scenarios/random_waypoint.toml"),
    include_str!("../../../../scenarios/two_stations.toml"),
    include_str!("../../../../scenarios/dumbbell.toml"),
];

/// Replacements of a value: the ends of ranges, other types, other units.
const VALUES: [&str; 26] = [
    "0",
    "-1",
    "1",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "1e308",
    "-0.0",
    "nan",
    "inf",
    "true",
    "\"\"",
    "\"0 s\"",
    "\"1 ns\"",
    "\"584 h\"",
    "\"1e30 s\"",
    "\"0 B\"",
    "\"9 GB\"",
    "\"1 bps\"",
    "\"999 Gbps\"",
    "\"*\"",
    "[]",
    "{}",
    "[[[[]]]]",
    "\"none\"",
    "1979-05-27",
];

fn index(length: usize, rng: &mut Rng) -> usize {
    rng.below(length.max(1) as u32) as usize
}

/// Damages a text once: bytes, values, lines, tables.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let at = index(lines.len(), rng);
    let other = index(lines.len(), rng);
    match rng.below(8) {
        0 => {
            lines.remove(at);
        }
        1 => lines.swap(at, other),
        2 => lines.insert(other, lines[at].clone()),
        3 => lines.truncate(at + 1),
        4 => {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=rng.below(4) {
                let at = index(bytes.len(), rng);
                bytes[at] = rng.below(256) as u8;
            }
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        _ => {
            let with_value: Vec<usize> =
                (0..lines.len()).filter(|&i| lines[i].contains(" = ")).collect();
            if with_value.is_empty() {
                return text.to_owned();
            }
            let at = with_value[index(with_value.len(), rng)];
            let value = VALUES[index(VALUES.len(), rng)];
            if let Some((key, _)) = lines[at].split_once(" = ") {
                lines[at] = format!("{key} = {value}");
            }
        }
    }
    lines.join("\n")
}

/// True where the message begins with the file, a line and a column.
fn has_a_place(message: &str) -> bool {
    let mut parts = message.split(':');
    parts.next() == Some("x.toml")
        && parts.next().is_some_and(|line| line.parse::<u32>().is_ok_and(|line| line > 0))
        && parts.next().is_some_and(|column| column.parse::<u32>().is_ok_and(|column| column > 0))
}

/// Written once: each mistake would write it anew.
static SCHEMA: LazyLock<Json> =
    LazyLock::new(|| serde_json::from_str(&scenario::schema()).expect("JSON"));

fn checked(text: &str, changes: &[String]) -> Result<Scenario, Vec<Error>> {
    let known = (&Laws::default(), &Files::default());
    check_by(text, "x.toml", changes, known, &|| Cow::Borrowed(&SCHEMA))
}

/// Checks a text, and runs for two milliseconds of simulated time what is valid; what is wrong with the outcome.
fn outcome(text: &str) -> Result<bool, String> {
    let scenario = match checked(text, &[]) {
        Ok(scenario) => scenario,
        Err(errors) if has_a_place(&errors[0].to_string()) => return Ok(false),
        Err(errors) => return Err(format!("no place: {}", errors[0])),
    };
    // Large but allowed: what it costs is its author's business, not this test's.
    if scenario.plan.flows.len() > 500 || scenario.plan.nodes.len() > 500 {
        return Ok(true);
    }
    let part = 0.002 / scenario.plan.duration.as_secs();
    let mut run = Run::new(&scenario, None, 0);
    run.advance(part.min(1.0));
    Ok(true)
}

#[test]
fn damaged_scenarios_are_refused_with_a_place_or_run() {
    let mut ran = 0;
    for number in 0..INPUTS {
        let mut rng = Seed { seed: number, replication: 0 }.stream(Purpose::App, 0);
        let mut text = SCENARIOS[(number % SCENARIOS.len() as u64) as usize].to_owned();
        for _ in 0..=rng.below(3) {
            text = damaged(&text, &mut rng);
        }
        match catch_unwind(AssertUnwindSafe(|| outcome(&text))) {
            Ok(Ok(valid)) => ran += u64::from(valid),
            Ok(Err(why)) => panic!("input {number}: {why}\n{text}"),
            Err(_) => panic!(
                "input {number} panics; save it as x.toml and: cargo run -p lasthop-scenario < x.toml\n{text}"
            ),
        }
    }
    // Enough of each kind that the test means something.
    assert!((INPUTS / 20..INPUTS * 19 / 20).contains(&ran), "{ran} of {INPUTS} were valid");
}

proptest! {
    /// Any text, and any change of a good text, is accepted or refused with a place.
    #[test]
    fn nothing_panics(
        good in prop::sample::select(&SCENARIOS[..]),
        at in any::<prop::sample::Index>(),
        length in 0_usize..30,
        insert in "\\PC{0,20}",
        set in "[a-z.0-9]{0,12}=?\\PC{0,12}",
    ) {
        let at = at.index(good.len());
        let end = (at + length).min(good.len());
        let text = format!("{}{insert}{}", &good[..at], &good[end..]);
        for result in [checked(&text, &[]), checked(good, &[set]), checked(&insert, &[])] {
            if let Err(errors) = result {
                let message = errors[0].to_string();
                prop_assert!(message.starts_with("x.toml:") || message.starts_with("--set "), "{message}");
            }
        }
    }
}
