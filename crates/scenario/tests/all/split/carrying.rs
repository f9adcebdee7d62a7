//! The goodput of a flow in two legs.

use super::{DOWNLOAD, run, split, split_run};
use world::FlowOutcome;

trait Retransmits {
    fn retransmits(&self) -> u64;
}

impl Retransmits for FlowOutcome {
    fn retransmits(&self) -> u64 {
        let beyond = self.split.as_ref().map_or(0, |split| split.beyond.sender.retransmits);
        self.sender.retransmits + beyond
    }
}

/// With nothing lost and no window too small both legs together carry what one connection carries.
#[test]
fn without_loss_a_split_changes_nothing_that_can_be_seen() {
    for direction in [&[][..], &["flow.0.from=mobile", "flow.0.to=host"]] {
        let (plain, split) = (run(DOWNLOAD, direction, 0), split_run(direction, 0));
        let (before, after) = (plain.flows[0].goodput_bps, split.flows[0].goodput_bps);
        assert!((after / before - 1.0).abs() < 0.01, "{before} against {after}");
        assert_eq!(split.flows[0].retransmits() + plain.flows[0].retransmits(), 0);
    }
}

/// Two legs carry as much as the slower: the wire of 1 Mbit/s, or the air of 1 Mbit/s.
#[test]
fn two_legs_carry_what_the_slower_carries() {
    let wire = ["link.0.rate=1 Mbps", "phy.rate=11 Mbps", "phy.standard=802.11b"];
    let slow_wire = split_run(&wire, 0);
    // 1460 of 1500 bytes are payload; the first round trips are slow start's.
    let most = 1e6 * 1460.0 / 1500.0;
    let goodput = slow_wire.flows[0].goodput_bps;
    assert!(goodput < most && goodput > 0.98 * most, "{goodput}");
    let air = ["phy.rate=1 Mbps"];
    let alone = run(&DOWNLOAD.replace("\"host\"\nto", "\"ap\"\nto"), &air, 0);
    let (both, (flow, held)) = (split_run(&air, 0), (alone.flows[0].goodput_bps, 0.0));
    assert!((both.flows[0].goodput_bps / flow - 1.0).abs() < 0.01, "{flow} {held}");
}

/// A window of one packet is stop-and-wait: a loss costs the timer, what comes a round trip (Bertsekas and Gallager, section
/// 2.4.1). More packets carry as much more, up to the link's rate.
#[test]
fn selective_repeat_carries_what_its_closed_form_says() {
    let text = "duration = \"400 s\"\n[[link]]\nends = [\"a\", \"b\"]\nrate = \"10 Mbps\"\ndelay = \"5 ms\"\nloss = 0.1\n\
                loss_direction = \"forward\"\n[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\n";
    let run = |sets: &[&str]| {
        let all = ["tcp.variant=selective-repeat", "tcp.repeat_after=40 ms"];
        run(text, &[&all[..], sets].concat(), 0).flows.remove(0)
    };
    let (bits, round_trip) = (1460.0 * 8.0, 0.010 + (1500.0 + 40.0) * 8.0 / 10e6);
    let alone = run(&["tcp.repeat_window=1"]);
    let expected = bits / (0.1 / 0.9 * 0.040 + round_trip);
    // 25,000 packets, of which 2,800 are lost give or take 50: 0.5 % of the time.
    assert!((alone.goodput_bps / expected - 1.0).abs() < 0.02, "{} {expected}", alone.goodput_bps);
    assert_eq!(
        (&*alone.variant, alone.sender.window_cuts.values().sum()),
        ("selective-repeat", 0_u64)
    );
    let four = run(&["tcp.repeat_window=4", "link.0.loss=0"]).goodput_bps;
    assert!((four * round_trip / (4.0 * bits) - 1.0).abs() < 0.01, "{four}");
}

/// Half a second away a window of 20 packets decides: a split takes nothing of it, and its round trip is the wire's alone.
#[test]
fn a_leg_that_its_window_limits_has_the_whole_window() {
    let far = [
        "link.0.delay=250 ms",
        "tcp.window=20 packets",
        "duration=100 s",
        "warmup=10 s",
        "phy.rate=2 Mbps",
    ];
    let (plain, split) = (run(DOWNLOAD, &far, 0), split_run(&far, 0));
    // There 1500 B at 10 Mbit/s and 250 ms, back 40 B and as long.
    let round_trip = 0.5 + (1500.0 + 40.0) * 8.0 / 10e6;
    let expected = 20.0 * 1460.0 * 8.0 / round_trip;
    let (with, without) = (split.flows[0].goodput_bps, plain.flows[0].goodput_bps);
    assert!((with / expected - 1.0).abs() < 0.01, "{with} {expected}");
    assert!(with > without, "{with} {without}");
}

/// Far away, with losses in the air that the MAC does not repair: one connection is held to what a loss costs over the whole round
/// trip (Mathis et al. 1997), two to what it costs over the air, which is next to nothing.
#[test]
fn a_loss_in_the_air_costs_a_round_trip_over_the_air() {
    let far = [
        "link.0.delay=100 ms",
        "tcp.window=60 packets",
        "duration=200 s",
        "warmup=10 s",
        "phy.rate=2 Mbps",
        "mac.retry_limit=1",
        "channel={ model = \"bernoulli\", frame_loss = 0.02 }",
    ];
    let (plain, divided) = (run(DOWNLOAD, &far, 0), split_run(&far, 0));
    let losses: u64 = plain.flows[0].packets_lost.values().sum();
    let rate = losses as f64 / plain.flows[0].packets_sent as f64;
    // RTT sqrt(2 p / 3) a segment: each acknowledged, losses one by one.
    let most = 1460.0 * 8.0 / (0.21 * (2.0 * rate / 3.0).sqrt());
    let one = plain.flows[0].goodput_bps;
    assert!((0.5 * most..1.1 * most).contains(&one), "{one} {most}");
    let (flow, parts) = split(&divided);
    assert!(flow.goodput_bps > 2.0 * one, "{} {one}", flow.goodput_bps);
    // The wire loses nothing, and its window is what holds the source: the air is the slower leg.
    assert_eq!((flow.sender.retransmits, flow.sender.timeouts), (0, 0));
    assert!(parts.beyond.sender.retransmits > 500);
}
