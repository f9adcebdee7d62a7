//! Vegas against hand calculation and ns-3's cases.

use super::*;
use crate::tcp::law::testing::Rounds;

fn linux() -> Options {
    Options::of(crate::tcp::variants::LINUX_VEGAS)
}

#[test]
fn one_more_below_alpha_one_less_above_beta() {
    // 20 segments, base 100 ms: 110 ms hold 1.8 waiting, 125 ms hold 4.
    let mut c = Rounds::new(Vegas::new(&linux()), 20.0, 10.0);
    assert_eq!(c.play(&[100.0, 110.0, 125.0, 111.0]), [21.0, 22.0, 21.0, 21.0]);
}

/// The end of a round of ns-2's, which began when `begun` segments were sent: `sent` in all, the newest of which is
/// acknowledged with `covered` others; mean and least round trip in ms. The window of 32 after it.
fn counted(begun: f64, sent: f64, (acked, covered): (f64, f64), mean: f64) -> f64 {
    let options = Options::of(&[("diff", 1.0)]);
    let mut law = Vegas::new(&options);
    let mut w = crate::tcp::law::testing::window(32.0, 2.0);
    law.begun = Some(Begun { at: Time::ZERO, sent: begun });
    law.on_ack(&mut w, &crate::tcp::law::testing::ack(mean));
    law.delays.base = 0.04291;
    let flight = sent - acked + covered;
    let inflight = flight - covered;
    let own = Ack { acked: covered, covered, flight, inflight, delivered: acked, ..Ack::default() };
    // Its own sample, of 100 ms, counts in the next round.
    let rtt = Some(base::Span::from_secs(0.1)).into();
    law.on_ack(&mut w, &Ack { rtt, ..own });
    assert_eq!(law.delays.samples, 1.0);
    w.cwnd
}

#[test]
fn ns2_counts_what_is_outstanding_and_what_was_sent() {
    // Rounds of a run of ns-2.35 with delayed acknowledgements (segments numbered from 0): begin, acknowledged, next, mean
    // round trip, and whether the window grew.
    let rounds = [
        (24096.0, 24096.0, 24127.0, 42.92, true), // 31 expected, 31 in the round: 0.007
        (24159.0, 24160.0, 24192.0, 43.77, true), // 32, 33: -0.35; of the window it would be 0.6
        (24192.0, 24192.0, 24224.0, 43.71, false), // 32, 32: 0.59
    ];
    for (begin, ack, next, mean, grew) in rounds {
        // Its count of what is outstanding has one more than is under way.
        let after = counted(begin, next, (ack + 1.0, 2.0), mean);
        assert_eq!(after, if grew { 33.0 } else { 32.0 }, "{begin}");
    }
    // One acknowledgement a segment: 3.4 and 3.6 waiting.
    assert_eq!([48.0, 48.4].map(|ms| counted(0.0, 32.0, (1.0, 1.0), ms)), [32.0, 31.0]);
    // The end of a recovery: a queue of 3 segments is not seen.
    assert_eq!(counted(24642.0, 24699.0, (24672.0, 38.0), 48.0), 33.0);
}

#[test]
fn a_round_of_one_segment_sets_ns2_s_least_round_trip() {
    let mut law = Vegas::new(&Options::of(&[("diff", 1.0)]));
    law.begun = Some(Begun { at: Time::ZERO, sent: 0.0 });
    law.delays.base = 0.04;
    // What was sent before its begin ends no round.
    let early = Ack { flight: 2.0, delivered: 0.0, inflight: 1.0, ..Ack::default() };
    assert_eq!(law.count(&early), None);
    let at = |ms| Time::ZERO + base::Span::millis(ms);
    let a = Ack { now: at(70), delivered: 1.0, inflight: 0.0, ..Ack::default() };
    law.count(&a);
    assert_eq!(law.delays.base, 0.07);
    // Of two, not: the round took longer for its queue.
    law.count(&Ack { now: at(170), delivered: 2.0, inflight: 1.0, ..Ack::default() });
    assert_eq!(law.delays.base, 0.07);
}

#[test]
fn the_handshake_s_round_trip_counts_where_it_is_asked_for() {
    // 20 segments in 103 ms: 0.58 wait beyond data's 100 ms, 1.4 beyond the SYN's 96 ms.
    let after = |base| {
        let mut law = Vegas::new(&Options::of(&[("base", base)]));
        law.delays.base = 0.1;
        let mut w = crate::tcp::law::testing::window(20.0, 10.0);
        let min_rtt = Some(base::Span::from_secs(0.096)).into();
        let a = Ack { min_rtt, round_ended: true, ..crate::tcp::law::testing::ack(103.0) };
        law.on_ack(&mut w, &a);
        w.cwnd
    };
    assert_eq!([0.0, 1.0].map(after), [21.0, 20.0]);
}

#[test]
fn slow_start_ends_when_a_segment_waits() {
    // ns-3's suite, case vegas-00: 38 segments, base 100 ms, round of 106 ms; integer 36, here 36.85.
    let mut c = Rounds::new(Vegas::new(&linux()), 38.0, 40.0);
    c.law.delays.base = 0.1;
    c.w.ssthresh = 1000.0;
    let cwnd = c.round(106.0);
    assert!((cwnd - (75.0 / 1.06 + 1.0)).abs() < 1e-9, "{cwnd}");
    let mut c = Rounds::new(Vegas::default(), 38.0, f64::INFINITY);
    c.law.delays.base = 0.1;
    c.law.round = 1;
    assert_eq!(c.round(106.0), 38.0 * 7.0 / 8.0);
    assert_eq!(c.w.ssthresh, 2.0);
}

#[test]
fn the_window_round_by_round() {
    // Slow start doubles in rounds 1 and 3 only; 16 segments fill 100 ms, each more waits 6.25 ms.
    let mut c = Rounds::new(Vegas::default(), 4.0, f64::INFINITY);
    let mut cwnds = vec![];
    for _ in 0..10 {
        let rtt = (c.w.cwnd * 6.25).max(100.0);
        cwnds.extend(c.play(&[rtt]));
    }
    assert_eq!(cwnds, [8.0, 8.0, 16.0, 16.0, 32.0, 28.0, 27.0, 26.0, 25.0, 24.0]);
    assert_eq!(c.lose(), 18.0);
}

#[test]
fn the_segment_more_can_be_spread_over_the_next_round() {
    let spread = Options::of(&[("spread", 1.0)]);
    let mut c = Rounds::new(Vegas::new(&spread), 20.0, 10.0);
    let cwnds = c.play(&[100.0; 3]);
    // What ends a round adds its own 1/20; the others come with the acknowledgements of the next.
    assert_eq!(cwnds, [20.1, 21.0, 22.0]); // 20.05, 21.05, 22.0
}

#[test]
fn the_way_down_from_a_loss_is_no_slow_start() {
    // 40 segments where 20 fill the path: after the cut to 30 the window goes on falling, a segment a round.
    let mut c = Rounds::new(Vegas::default(), 40.0, 10.0);
    c.law.delays.base = 0.1;
    assert_eq!(c.lose(), 30.0);
    assert_eq!(c.play(&[150.0, 145.0, 140.0]), [29.0, 28.0, 27.0]);
}

#[test]
fn a_loss_may_leave_the_threshold_or_a_segment_less() {
    // ns-3: min(ssthresh, cwnd - 1), whatever told of the loss.
    let options = Options::of(&[("at_loss", 1.0)]);
    for (ssthresh, left) in [(15.0, 15.0), (30.0, 19.0)] {
        let mut c = Rounds::new(Vegas::new(&options), 20.0, ssthresh);
        c.law.on_loss(&mut c.w, Loss::DupAcks, 20.0);
        assert_eq!((c.w.cwnd, c.w.ssthresh), (left, left));
        c.w.cwnd = 20.0;
        c.law.on_loss(&mut c.w, Loss::Timeout, 20.0);
        assert_eq!((c.w.cwnd, c.w.ssthresh), (1.0, left.min(19.0)));
    }
}
