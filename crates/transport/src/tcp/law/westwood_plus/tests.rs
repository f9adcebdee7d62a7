use super::*;
use crate::tcp::law::testing::{Rounds, window};

fn filtered(filter: f64, samples: &[f64]) -> Vec<f64> {
    let mut law = WestwoodPlus::new(&Options::of(&[("filter", filter)]));
    samples.iter().map(|&b| (law.sample(b), law.estimate).1).collect()
}

#[test]
fn the_tustin_filter_starts_from_nothing() {
    // ns-3's tcp-westwood-plus.cc with gain 0.9: 1000, 1000, 1000.
    for (got, want) in filtered(1.0, &[1000.0; 3]).iter().zip([50.0, 145.0, 230.5]) {
        assert!((got - want).abs() < 1e-9, "{got} for {want}");
    }
}

#[test]
fn linuxs_filter_starts_from_the_first_sample() {
    assert_eq!(filtered(2.0, &[1000.0; 3]), [1000.0; 3]);
    // 1000, 0: the inner one 875, the outer one 1000 - 125/8 (Linux truncates: 984).
    assert_eq!(filtered(2.0, &[1000.0, 0.0]), [1000.0, 984.375]);
}

#[test]
fn recovery_can_end_with_more_than_the_window_was() {
    let options = Options::of(&[("exit", 1.0)]);
    for (mut law, kept) in
        [(WestwoodPlus::new(&Options::default()), 12.0), (WestwoodPlus::new(&options), 20.0)]
    {
        let mut w = window(12.0, 10.0);
        (law.estimate, law.min_rtt) = (200.0, 0.1);
        law.on_loss(&mut w, Loss::DupAcks, 12.0);
        // What recovery itself measures is for the next loss.
        law.estimate = 400.0;
        law.on_recovered(&mut w);
        assert_eq!((w.cwnd, w.ssthresh), (kept, 20.0));
    }
}

#[test]
fn the_window_round_by_round() {
    // 20 segments a round of 100 ms: 200/s. A loss leaves 20 whatever the window is.
    let mut c = Rounds::new(WestwoodPlus::new(&Options::default()), 20.0, 10.0);
    assert_eq!(c.play(&[100.0, 100.0, 100.0]), [21.0, 21.9, 22.9]);
    let left = c.lose();
    assert!((19.0..23.0).contains(&left), "{left}");
}

#[test]
fn linux_26_leaves_half_as_threshold_and_what_the_path_holds_as_window() {
    let options = Options::of(&[("threshold", 1.0)]);
    for (estimate, left) in [(200.0, 20.0), (30.0, 6.0)] {
        let mut law = WestwoodPlus::new(&options);
        let mut w = window(12.0, 10.0);
        (law.estimate, law.min_rtt) = (estimate, 0.1);
        law.on_loss(&mut w, Loss::DupAcks, 12.0);
        assert_eq!(w.ssthresh, 6.0);
        law.on_recovered(&mut w);
        assert_eq!(w.cwnd, left);
        law.on_loss(&mut w, Loss::Timeout, 12.0);
        assert_eq!((w.cwnd, w.ssthresh), (1.0, 6.0));
    }
}

/// Four segments a burst and 100 ms; the second burst's first is lost: what the samples come to, segments/s.
fn samples(options: &[(&str, f64)]) -> Vec<f64> {
    let mut law = WestwoodPlus::new(&Options::of(options));
    let mut w = window(8.0, 4.0);
    let rtt = Some(base::Span::millis(100)).into();
    let at = |ms| base::Time::ZERO + base::Span::millis(ms);
    let mut got = vec![];
    // (ms, covered, delivered so far, in recovery, ends it)
    let bursts: [(u64, f64, f64, bool, bool); 9] = [
        (0, 1.0, 1.0, false, false),
        (1, 1.0, 2.0, false, false),
        (101, 0.0, 3.0, false, false),
        (102, 0.0, 4.0, true, false),
        (103, 0.0, 5.0, true, false),
        (202, 4.0, 6.0, true, true),
        (203, 1.0, 7.0, false, false),
        (303, 1.0, 8.0, false, false),
        (404, 1.0, 9.0, false, false),
    ];
    for (ms, covered, delivered, in_recovery, ends) in bursts {
        if ends {
            law.on_recovered(&mut w);
        }
        let before = law.inner;
        let a = Ack {
            now: at(ms),
            covered,
            delivered,
            in_recovery,
            rtt,
            srtt: rtt,
            min_rtt: rtt,
            round_ended: ms % 100 > 0,
            ..Ack::default()
        };
        law.on_ack(&mut w, &a);
        if law.inner != before {
            got.push(law.inner);
        }
    }
    got
}

#[test]
fn ns3_counts_twice_what_was_sacked() {
    let timer = ("interval", 2.0);
    // By the timer: from 0, 101, 202 and 303 ms on; silence counts for nothing.
    let once = samples(&[("filter", 1.0), timer]);
    assert_eq!(once, [10.0, 30.0, 20.0, 10.0]);
    let twice = samples(&[("filter", 1.0), timer, ("count", 1.0)]);
    assert_eq!(twice, [10.0, 30.0, 50.0, 10.0]);
}
