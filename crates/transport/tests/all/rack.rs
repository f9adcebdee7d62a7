//! RACK-TLP, F-RTO and undoing as scripts, worked by hand from RFC 8985, RFC 5682, RFC 3708 and RFC 3522.

use base::{Span, Time};
use net::Stamps;
use transport::tcp::{Phase, Recovery, SackConfig, TcpConfig};

use super::script::{MSS, Script, config, numbers, pipe_only};

/// RFC 8985 section 6.2: no reordering seen, so three SACKed segments are enough; later a quarter of the round trip.
#[test]
fn rack_waits_a_quarter_of_a_round_trip_for_what_may_be_reordered() {
    let mut script = Script::begin(&config(Recovery::RackTlp), u64::MAX);
    script.wait(100).ack(0, &[(1, 2)]);
    assert_eq!(script.state().phase, Phase::Open);
    let due = script.now + Span::millis(25);
    assert_eq!(script.sender.next_timeout(), due);
    assert_eq!(script.time_out(), [0]);
    assert_eq!(script.state().phase, Phase::Recovery);
    let mut script = Script::begin(&config(Recovery::RackTlp), u64::MAX);
    assert_eq!(script.wait(100).ack(0, &[(1, 4)]), [0]);
}

/// RFC 8985: a retransmission that is lost again is seen by what was sent after it. RFC 6675 waits for the timer.
#[test]
fn rack_repairs_a_lost_retransmission_without_the_timer() {
    let choices = [
        (Recovery::RackTlp, false, true),
        (Recovery::Sack, false, false),
        (Recovery::Sack, true, true),
    ];
    for (recovery, detect_lost_retransmits, repaired) in choices {
        let plain = pipe_only(config(recovery));
        let sack = SackConfig { detect_lost_retransmits, ..plain.sack };
        let mut script = Script::begin(&TcpConfig { sack, ..plain }, u64::MAX);
        assert_eq!(script.wait(100).ack(0, &[(1, 10)])[0], 0);
        // What was sent with it arrives, it does not.
        let mut sent = script.wait(100).ack(0, &[(1, 12)]);
        sent.extend(script.wait(30).ack(0, &[(1, 13)]));
        assert_eq!(sent.contains(&0), repaired, "{recovery:?} {sent:?}");
    }
}

/// RFC 8985 section 6.3: when the timer expires the oldest is lost, and of the others what is old enough.
#[test]
fn a_timeout_leaves_what_was_sent_lately_to_rack() {
    for (recovery, lost) in [(Recovery::RackTlp, 9), (Recovery::Sack, 11)] {
        let plain = config(recovery);
        let sack = SackConfig { tail_probe: false, ..plain.sack };
        let mut script = Script::begin(&TcpConfig { sack, ..plain }, 10 * MSS);
        script.wait(100).ack(1, &[]);
        // Nine are under way; two more go 30 ms before the timer expires.
        script.now = Time::ZERO + Span::millis(1070);
        let mut out = vec![];
        script.sender.write(script.now, 2 * MSS, &mut out);
        assert_eq!(numbers(&out), [10, 11]);
        assert_eq!(script.time_out(), [1], "{recovery:?}");
        assert_eq!(script.now, Time::ZERO + Span::millis(1100));
        assert_eq!(script.sender.lost_and_resent().0, lost, "{recovery:?}");
    }
}

/// RFC 8985 section 7.2: two smoothed round trips after the last data; with new data to send, those.
#[test]
fn the_tail_is_probed_after_two_round_trips() {
    let mut script = Script::begin(&config(Recovery::RackTlp), 12 * MSS);
    assert_eq!(script.wait(100).ack(4, &[]), [10, 11]);
    assert_eq!(script.sender.next_timeout(), script.now + Span::millis(200));
    assert_eq!(script.time_out(), [11], "the last segment again");
    assert_eq!((script.sender.stats().timeouts, script.sender.stats().tail_probes), (0, 1));
    // All arrives, by the probe or before it: nothing above tells that it repaired a loss (section 7.4).
    let before = script.state().cwnd;
    script.wait(100).ack(12, &[]);
    assert!(script.sender.finished());
    assert_eq!(script.state().cwnd, before, "nothing above the probe: no loss is inferred");
}

/// RFC 5682 section 3: the timer was too early, what it sent again was on its way.
#[test]
fn a_spurious_timeout_is_undone_by_frto() {
    let mut script = Script::begin(&config(Recovery::Sack), u64::MAX);
    script.wait(100).ack(1, &[]);
    let before = script.state();
    assert_eq!(script.time_out(), [1]);
    assert_eq!((script.state().phase, script.state().cwnd), (Phase::Loss, 1.0));
    // The first acknowledgement moves: two new segments, nothing again.
    assert_eq!(script.wait(50).ack(2, &[]), [12, 13]);
    // The second is of a segment sent once.
    script.wait(1).ack(3, &[]);
    assert_eq!(script.state().phase, Phase::Open);
    assert!(script.state().cwnd >= before.cwnd, "{:?}", script.state());
    assert_eq!(script.state().ssthresh, before.ssthresh);
    assert_eq!((script.sender.stats().undone, script.sender.stats().retransmits), (1, 1));
}

/// RFC 5682: a duplicate second acknowledgement means that the loss was real.
#[test]
fn a_real_timeout_stays_and_all_holes_are_sent_again() {
    let mut script = Script::begin(&config(Recovery::Sack), 10 * MSS);
    assert_eq!(script.time_out(), [0]);
    // No new data: conventional recovery (section 3.1, step 2c), without what is SACKed.
    assert_eq!(script.wait(100).ack(1, &[(4, 5)]), [1, 2]);
    assert_eq!(script.wait(100).ack(3, &[(4, 5)]), [3, 5, 6]);
    assert_eq!(script.sender.stats().undone, 0);
}

/// RFC 3708: all that was sent again came twice.
#[test]
fn dsack_undoes_a_reduction_for_nothing() {
    let mut script = Script::begin(&config(Recovery::Sack), u64::MAX);
    script.wait(100);
    assert_eq!(script.ack(0, &[(1, 4)])[0], 0);
    assert_eq!(script.state().cwnd, 5.0);
    script.wait(10).ack(5, &[]);
    script.wait(90).ack(8, &[(0, 1)]);
    assert_eq!(script.sender.stats().undone, 1);
    assert!(script.state().cwnd >= 10.0 && script.state().ssthresh.is_infinite());
}

/// RFC 3522: the acknowledgement of a retransmission echoes a clock from before it.
#[test]
fn timestamps_undo_a_reduction_for_nothing() {
    let tick = Span::millis(1);
    let mut script =
        Script::begin(&TcpConfig { timestamps: Some(tick), ..config(Recovery::Sack) }, u64::MAX);
    script.stamps = Some(Stamps { value: 7, echo: 1 });
    assert_eq!(script.wait(100).ack(0, &[(1, 4)])[0], 0);
    script.wait(5).ack(4, &[]);
    assert_eq!(script.state().phase, Phase::Open);
    assert_eq!(script.sender.stats().undone, 1);
}

/// 0 is lost, and 12, which is sent again in the same recovery. Its retransmission is on its way when 0 is repaired and 24
/// turns out to be lost.
fn lose_while_a_retransmission_is_out(script: &mut Script) {
    script.wait(100);
    for end in 2..=12 {
        script.ack(0, &[(1, end)]);
    }
    script.wait(10);
    for end in 14..=23 {
        script.ack(0, &[(13, end), (1, 12)]);
    }
    if let Some(stamps) = &mut script.stamps {
        stamps.echo = 101;
    }
    script.wait(90).ack(12, &[(13, 24)]);
    assert_eq!(script.state().phase, Phase::Open);
    for end in 26..=28 {
        script.ack(12, &[(25, end), (13, 24)]);
    }
}

/// Its clock is older than that of the retransmission of 24, which was needed all the same.
#[test]
fn a_retransmission_of_the_recovery_before_refutes_nothing() {
    let config = TcpConfig { timestamps: Some(Span::millis(1)), ..config(Recovery::Sack) };
    let mut script = Script::begin(&config, u64::MAX);
    script.stamps = Some(Stamps { value: 7, echo: 1 });
    lose_while_a_retransmission_is_out(&mut script);
    script.stamps = Some(Stamps { value: 7, echo: 111 });
    script.wait(10).ack(24, &[(25, 28)]);
    assert_eq!((script.state().phase, script.sender.stats().undone), (Phase::Recovery, 0));
}

/// Nor does a report that it came twice.
#[test]
fn a_duplicate_of_the_recovery_before_undoes_nothing() {
    let mut script = Script::begin(&config(Recovery::Sack), u64::MAX);
    lose_while_a_retransmission_is_out(&mut script);
    script.ack(24, &[(12, 13), (25, 28)]);
    assert_eq!(script.sender.stats().undone, 0);
}

/// The loss of 0 was none, and that of 2 is one: what is SACKed above it still says so when the first is undone.
#[test]
fn what_is_lost_beside_a_reduction_for_nothing_is_sent_again() {
    let config = TcpConfig { timestamps: Some(Span::millis(1)), ..config(Recovery::Sack) };
    let mut script = Script::begin(&config, u64::MAX);
    script.stamps = Some(Stamps { value: 7, echo: 1 });
    script.wait(100);
    for end in 4..=6 {
        script.ack(0, &[(3, end), (1, 2)]);
    }
    script.wait(5).ack(2, &[(3, 6)]);
    assert_eq!((script.state().phase, script.sender.stats().undone), (Phase::Open, 1));
    assert_eq!(script.ack(2, &[(3, 7)])[0], 2);
}
