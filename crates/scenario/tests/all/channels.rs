//! Channels with any number of states: what is refused, and the two-state channel as a case of them.

use scenario::check;
use world::Plan;

/// A cell whose channel has these keys.
fn cell(channel: &str) -> String {
    format!(
        r#"duration = "20 s"
[[cell]]
access_point = "ap"
stations = 2
[channel]
{channel}
[[flow]]
from = "sta1"
to = "ap"
app = "bulk"
[[flow]]
from = "ap"
to = "sta2"
app = "voice"
"#
    )
}

fn plan(channel: &str) -> Plan {
    std::sync::Arc::unwrap_or_clone(check(&cell(channel), "x.toml", &[]).expect("valid").plan)
}

#[test]
fn what_is_no_chain_is_refused_at_its_place() {
    let three =
        "model = \"markov\"\nmean = [\"9 ms\", \"5 ms\", \"2 ms\"]\nber = [0, 1e-5, 1e-3]\n";
    for (keys, place, message) in [
        ("model = \"markov\"\nmean = [\"9 ms\"]\nber = [0]", "7:8", "1 states; allowed: 2 to 32"),
        ("model = \"markov\"\nmean = [\"9 ms\", \"1 ns\"]\nber = [0, 1]", "8:11", "every bit"),
        ("model = \"markov\"\nmean = [\"9 ms\", \"1 ns\"]\nber = [0, 0]", "7:17", "too short"),
        ("model = \"markov\"\nmean = [\"9 ms\", \"5 ms\"]", "7:8", "needs ber or loss"),
        (&format!("{three}loss = [0, 0, 1]"), "9:8", "ber and loss both"),
        (&format!("{three}next = [[0, 1, 0], [1, 0, 0]]"), "9:8", "2 where `mean` lists 3"),
        (&format!("{three}next = [[0, 1, 0], [1, 0], [1, 0, 0]]"), "9:20", "one probability"),
        (&format!("{three}next = [[0, 1, 0], [0.5, 0, 0.4], [1, 0, 0]]"), "9:20", "sum to 0.9"),
        (&format!("{three}next = [[0.5, 0.5, 0], [1, 0, 0], [1, 0, 0]]"), "9:10", "state 1 would"),
        (&format!("{three}next = [[0, 1, 0], [1, 0, 0], [1, 0, 0]]"), "9:8", "never reached"),
        (&format!("{three}next = [[0, 1, 0], [1, 0, 2], [1, 0, 0]]"), "9:27", "not a probability"),
        (&format!("{three}next = 1"), "9:8", "list"),
    ] {
        let error = check(&cell(keys), "x.toml", &[]).expect_err(keys).to_string();
        assert!(error.contains(&format!("x.toml:{place}")), "{keys}: {error}");
        assert!(error.contains(message), "{keys}: {error}");
    }
}

/// Two states said as a chain lose the same frames as the Gilbert-Elliott channel.
#[test]
fn two_states_are_gilbert_elliott() {
    let two = plan(
        "model = \"gilbert_elliott\"\nmean_good = \"90 ms\"\nmean_bad = \"10 ms\"\nber_good = 1e-6\nber_bad = 1e-3",
    );
    let chain = plan("model = \"markov\"\nmean = [\"90 ms\", \"10 ms\"]\nber = [1e-6, 1e-3]");
    assert_eq!(two.cells[0].channel, chain.cells[0].channel);
}

/// Without `next` a state is followed by its neighbours in the list.
#[test]
fn neighbours_follow_each_other() {
    let plan =
        plan("model = \"markov\"\nmean = [\"9 ms\", \"5 ms\", \"2 ms\"]\nloss = [0, 0.1, 1]");
    let radio::ChannelConfig::Markov(chain) = &plan.cells[0].channel else { panic!() };
    let next: Vec<_> = chain.states.iter().map(|state| &state.next[..]).collect();
    assert_eq!(next, [[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]);
}
