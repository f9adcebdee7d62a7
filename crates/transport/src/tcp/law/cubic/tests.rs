//! CUBIC against RFC 9438 and worked examples.

use super::*;
use crate::tcp::law::testing::{Rounds, ack, window};
use base::Span;

#[test]
fn the_cubic_is_that_of_the_worked_example() {
    // s2n-quic's test: 2304 segments, K = 12 s; W(0) = 1612.8, W(10) = 2300.8, W(15) = 2314.8.
    let mut w = window(2304.0, 1000.0);
    let mut law = Cubic::new(&Options::default());
    law.on_loss(&mut w, Loss::DupAcks, 2304.0);
    law.begin_epoch(Time::ZERO, w.cwnd);
    assert!((law.k - 12.0).abs() < 1e-9 && law.w_max == 2304.0);
    for (t, want) in [(0.0, 1612.8), (10.0, 2300.8), (15.0, 2314.8)] {
        assert!((law.w_cubic(t) - want).abs() < 1e-9);
    }
    // At t = 9.8 s with an RTT of 0.2 s and a window of 2000: +(2300.8 - 2000)/2000.
    w.cwnd = 2000.0;
    let now = Time::ZERO + Span::millis(9800);
    law.on_ack(&mut w, &Ack { now, ..ack(200.0) });
    assert!((w.cwnd - 2000.1504).abs() < 1e-9, "{}", w.cwnd);
}

#[test]
fn a_second_loss_below_the_plateau_gives_way() {
    let mut w = window(100.0, 10.0);
    let mut law = Cubic::new(&Options::default());
    law.on_loss(&mut w, Loss::DupAcks, 100.0);
    w.cwnd = 80.0;
    law.on_loss(&mut w, Loss::DupAcks, 80.0);
    assert!((law.w_max - 68.0).abs() < 1e-9 && (w.cwnd - 56.0).abs() < 1e-9);
    law.on_loss(&mut w, Loss::EcnMark, 40.0);
    assert_eq!(w.cwnd, 34.0);
}

#[test]
fn the_window_round_by_round() {
    // From 100: 70 remain, K = cbrt(75) = 4.2 s, 42 rounds. Concave first.
    let mut c = Rounds::new(Cubic::new(&Options::default()), 100.0, 50.0);
    c.lose();
    let rounds = c.play(&[100.0; 45]);
    assert_eq!(rounds[..6], [72.0, 74.0, 75.9, 77.7, 79.4, 81.0]);
    assert!((rounds[41] - 100.0).abs() < 0.5, "{}", rounds[41]);
}

#[test]
fn reno_s_estimate_can_keep_its_alpha() {
    let alpha = 3.0 * 0.3 / 1.7;
    for (full, last) in [(1.0, 1.0), (0.0, alpha)] {
        let mut law = Cubic::new(&Options::of(&[("full_alpha", full)]));
        (law.w_est, law.prior) = (9.0, 10.0);
        law.estimate_reno(10.0, 10.0, 0.0, 0.1);
        assert!((law.w_est - (9.0 + alpha)).abs() < 1e-9);
        law.w_est = 10.0;
        law.estimate_reno(10.0, 10.0, 0.0, 0.1);
        assert!((law.w_est - (10.0 + last)).abs() < 1e-9, "{}", law.w_est);
    }
}

#[test]
fn whole_segments_are_reached_and_give_way_only_to_less() {
    // 9.6 segments at the loss, 9 counted; from 8, W(0) lies 0.9 below 9: 9 is the target at once, and is reached.
    for (whole, reached) in [(0.0, false), (1.0, true)] {
        let options = Options::of(&[("whole", whole), ("reno_friendly", 0.0)]);
        let mut law = Cubic::new(&options);
        let mut w = crate::tcp::law::testing::window(9.6, 9.0);
        law.w_max = 9.0;
        law.on_loss(&mut w, Loss::DupAcks, 9.0);
        assert_eq!(law.w_max, if whole == 1.0 { 9.0 } else { 9.6 });
        (w.cwnd, w.ssthresh) = (8.0, 7.0);
        for _ in 0..8 {
            law.on_ack(&mut w, &crate::tcp::law::testing::ack(40.0));
        }
        assert_eq!(w.cwnd >= 9.0, reached, "{}", w.cwnd);
    }
}

#[test]
fn what_a_plateau_saves_is_spent_after_it() {
    let grown = |saved: f64| {
        let options = [("whole", 1.0), ("reno_friendly", 0.0), ("ahead", 1.0), ("saved", saved)];
        let mut law = Cubic::new(&Options::of(&options));
        let mut w = window(20.0, 15.0);
        law.w_max = 20.0;
        // W stays at 20 for cbrt(1/0.4) = 1.36 s, in which 130 segments arrive, and is 23 after 2 s.
        for _ in 0..130 {
            law.on_ack(&mut w, &ack(10.0));
        }
        assert_eq!(w.cwnd, 20.0);
        let mut ack = ack(10.0);
        ack.now = Time::ZERO + Span::from_secs(2.0);
        for _ in 0..4 {
            law.on_ack(&mut w, &ack);
        }
        w.cwnd
    };
    assert_eq!(grown(1.0), 23.0);
    assert!(grown(0.0) < 21.0);
}
