//! The recoveries with SACK as scripts: acknowledgements with blocks in, segments out, worked by hand from the RFCs.

use base::{Span, Time};
use net::{Ecn, Flags, Segment};
use transport::tcp::{
    EcnMode, ExitGrowth, LawName, Pacing, Phase, Reader, Receiver, Recovery, Reduction, SackConfig,
    Sender, SsthreshBase, TcpConfig,
};

use super::script::{MSS, NONE, Script, config, numbers, pipe_only};

/// RFC 6675 section 5: 0 and 2 are lost. The pipe counts what is neither SACKed nor lost; half of 10 is the window.
#[test]
fn sack_fills_every_hole_in_one_round_trip() {
    let mut script = Script::begin(&pipe_only(config(Recovery::Sack)), u64::MAX);
    script.wait(100);
    assert_eq!(script.ack(0, &[(1, 2)]), [10]);
    assert_eq!(script.ack(0, &[(3, 4), (1, 2)]), [11]);
    // Third: recovery. 12 out, 3 SACKed, 0 lost: the pipe is 8, above the window, yet the first goes.
    script.ack(0, &[(3, 5), (1, 2)]);
    assert_eq!((script.state().phase, script.state().cwnd), (Phase::Recovery, 5.0));
    let mut sent = vec![];
    for end in 6..=12 {
        sent.extend(script.ack(0, &[(3, end), (1, 2)]));
    }
    assert_eq!(&sent[..2], [0, 2], "both holes, before anything new");
    assert!(script.state().pipe <= 5 * MSS);
    script.wait(100).ack(12, &[]);
    assert_eq!((script.state().phase, script.state().cwnd), (Phase::Open, 5.0));
    assert_eq!(script.sender.stats().window_cuts, 1);
}

/// RFC 5681 section 3.2, step 6: the window is the threshold. ns-3 then takes the last acknowledgement as one of 12.
#[test]
fn the_end_of_a_recovery_may_grow_the_window() {
    for (exit_grows, abc_limit, cwnd) in [
        (ExitGrowth::Nothing, 1.0, 5.0),
        (ExitGrowth::Covered, 1.0, 5.2),
        (ExitGrowth::Covered, f64::INFINITY, 5.0 + 12.0 / 5.0),
    ] {
        let plain = config(Recovery::Sack);
        let sack = SackConfig { exit_grows, ..plain.sack };
        let mut script = Script::begin(&TcpConfig { sack, abc_limit, ..plain }, u64::MAX);
        script.wait(100);
        for end in 2..=12 {
            script.ack(0, &[(1, end)]);
        }
        assert_eq!(script.state().phase, Phase::Recovery);
        script.wait(100).ack(12, &[]);
        assert_eq!((script.state().phase, script.state().cwnd), (Phase::Open, cwnd));
    }
}

/// RFC 5681 section 3.1 takes what is in flight for no more than the window. 0 is lost, and its retransmission is late: new
/// segments are SACKed meanwhile, above 12, which is repaired with it. When 24 is lost, 17 are not acknowledged, but the
/// window is 5.
#[test]
fn a_loss_right_after_a_recovery_does_not_raise_the_threshold() {
    let mut script = Script::begin(&pipe_only(config(Recovery::Sack)), u64::MAX);
    script.wait(100);
    for end in 2..=12 {
        script.ack(0, &[(1, end)]);
    }
    for end in 14..=23 {
        script.ack(0, &[(13, end), (1, 12)]);
    }
    assert_eq!((script.state().phase, script.state().cwnd), (Phase::Recovery, 5.0));
    script.wait(100).ack(12, &[(13, 24)]);
    for end in 26..=28 {
        script.ack(12, &[(25, end), (13, 24)]);
    }
    let state = script.state();
    assert_eq!(script.sender.stats().window_cuts, 2);
    assert_eq!((state.phase, state.cwnd, state.ssthresh), (Phase::Recovery, 2.5, 2.5));
}

/// What is halved: 12 are out (two by limited transmit, which flight does not count), 3 are SACKed and 1 is lost.
#[test]
fn a_loss_halves_the_flight_or_the_pipe() {
    for (ssthresh_base, left) in [(SsthreshBase::FlightSize, 5.0), (SsthreshBase::Pipe, 4.0)] {
        let config = TcpConfig { ssthresh_base, ..config(Recovery::Sack) };
        let mut script = Script::begin(&config, u64::MAX);
        script.wait(100);
        for end in 2..=4 {
            script.ack(0, &[(1, end)]);
        }
        assert_eq!((script.state().phase, script.state().cwnd), (Phase::Recovery, left));
    }
}

/// Linux before PRR: a segment for two that leave the network.
#[test]
fn rate_halving_sends_for_every_second_acknowledgement() {
    let plain = config(Recovery::Sack);
    let sack = SackConfig { reduction: Reduction::RateHalving, ..plain.sack };
    let mut script = Script::begin(&TcpConfig { sack, ..plain }, u64::MAX);
    script.wait(100);
    let sent: Vec<usize> = (2..=11).map(|end| script.ack(0, &[(1, end)]).len()).collect();
    assert_eq!(sent[3..], [0, 1, 0, 1, 0, 1, 0]);
}

/// Linux 2.6, laws without a least window: from the threshold on, a segment for each that leaves.
#[test]
fn threshold_halving_ends_at_the_threshold() {
    for (reduction, last) in
        [(Reduction::RateHalving, [0, 1, 0]), (Reduction::ThresholdHalving, [1, 1, 1])]
    {
        let plain = config(Recovery::Sack);
        let sack = SackConfig { reduction, ..plain.sack };
        let mut script = Script::begin(&TcpConfig { sack, ..plain }, u64::MAX);
        script.wait(100);
        let sent: Vec<usize> = (2..=15).map(|end| script.ack(0, &[(1, end)]).len()).collect();
        assert_eq!(sent[3..8], [0, 1, 0, 1, 0]);
        assert_eq!(sent[11..], last, "{reduction:?}");
    }
}

/// Linux 2.6 takes a law's round-trip time from the segments that an acknowledgement covers: 4 has waited 205 ms for its
/// acknowledgement, so Veno sees a queue, where segment 10 was SACKed after 105 ms.
#[test]
fn a_law_may_sample_only_what_is_covered() {
    for (sample_sacked, left) in [(true, 0.8), (false, 0.5)] {
        let plain = TcpConfig { law: LawName::Veno, ..config(Recovery::Sack) };
        let sack = SackConfig { sample_sacked, ..plain.sack };
        let config = TcpConfig { sack, ssthresh_base: SsthreshBase::Cwnd, ..plain };
        let mut script = Script::begin(&config, u64::MAX);
        script.wait(100);
        for number in 1..=4 {
            script.ack(number, &[]);
        }
        script.wait(105).ack(5, &[(10, 11)]);
        let before = script.state().cwnd;
        for end in 12..=14 {
            script.ack(5, &[(10, end)]);
        }
        assert_eq!(script.state().phase, Phase::Recovery);
        let cut = script.state().cwnd / before;
        assert!((cut - left).abs() < 1e-9, "{sample_sacked}: {cut}");
    }
}

/// RFC 6675 section 2: a duplicate is an acknowledgement with new SACK information; others say nothing.
#[test]
fn duplicates_without_news_are_not_counted() {
    let mut script = Script::begin(&config(Recovery::Sack), u64::MAX);
    script.wait(100).ack(0, &[(1, 2)]);
    for _ in 0..5 {
        assert_eq!(script.ack(0, &[(1, 2)]), NONE);
        assert_eq!(script.ack(0, &[]), NONE);
    }
    assert_eq!(script.state().phase, Phase::Open);
}

/// RFC 6675 section 4, rules 3 and 4: with no new data, holes that are not known to be lost, then the last segment.
#[test]
fn the_end_of_the_data_is_rescued() {
    let mut script = Script::begin(&pipe_only(config(Recovery::Sack)), 10 * MSS);
    script.wait(100);
    // 0, 8 and 9 are lost; nothing above tells of the last two.
    let mut sent = script.ack(0, &[(1, 8)]);
    sent.extend(script.wait(100).ack(8, &[]));
    assert_eq!(sent[0], 0);
    assert!(sent.contains(&9), "{sent:?}");
    assert_eq!(script.sender.stats().timeouts, 0);
}

/// RFC 3168 section 6.1.2: once a round trip, nothing is sent again, and CWR answers. RFC 8511: 0.8 remains.
#[test]
fn a_mark_cuts_the_window_once_a_round_trip_and_is_answered() {
    let config = TcpConfig { ecn: EcnMode::Classic, ..config(Recovery::Sack) };
    let mut script = Script::begin(&config, u64::MAX);
    let marked = Flags::ACK.with(Flags::ECE);
    script.wait(100).feed(1, &[], marked);
    assert_eq!(script.state().cwnd, 8.0);
    script.feed(2, &[], marked);
    script.feed(3, &[], marked);
    assert_eq!((script.sender.stats().marks, script.sender.stats().retransmits), (1, 0));
    let mut receiver = Receiver::new(&config);
    let mut out = vec![];
    let data = |seq, ecn, flags| Segment { seq, len: 1000, ecn, flags, ..Segment::default() };
    receiver.on_segment(Time(0), &data(1, Ecn::Marked, Flags::ACK), &mut out);
    receiver.on_segment(Time(1), &data(1001, Ecn::Capable, Flags::ACK), &mut out);
    let answered = Flags::ACK.with(Flags::CWR);
    receiver.on_segment(Time(2), &data(2001, Ecn::Capable, answered), &mut out);
    let echoes: Vec<_> = out.iter().map(|ack| ack.flags.has(Flags::ECE)).collect();
    assert_eq!(echoes, [true, true, false]);
}

/// RFC 3168 section 6.1.2: a loss in the round trip of a mark halves the 9 in flight, not the 8 that the mark has left.
#[test]
fn a_loss_in_the_round_trip_of_a_mark_halves_what_is_in_flight() {
    let config = pipe_only(TcpConfig { ecn: EcnMode::Classic, ..config(Recovery::Sack) });
    let mut script = Script::begin(&config, u64::MAX);
    script.wait(100).feed(1, &[], Flags::ACK.with(Flags::ECE));
    assert_eq!(script.state().cwnd, 8.0);
    for end in 3..=5 {
        script.ack(1, &[(2, end)]);
    }
    assert_eq!((script.state().phase, script.state().ssthresh), (Phase::Recovery, 4.5));
}

/// 10 segments at twice 10 in 100 ms: one every 5 ms once a round trip is known.
#[test]
fn pacing_spreads_what_the_window_allows() {
    let pacing = Some(Pacing { slow_start: 2.0, avoidance: 1.2 });
    let mut script = Script::begin(&TcpConfig { pacing, ..config(Recovery::Sack) }, u64::MAX);
    assert_eq!(script.wait(100).ack(10, &[]), [10]);
    let next = script.sender.next_send();
    // cwnd is 11 by now.
    assert_eq!(next, script.now + Span::from_secs(0.1 / 22.0));
    assert_eq!(script.sender.next_timeout(), next);
    assert_eq!(script.time_out(), [11]);
}

/// RFC 9293 section 3.8.6.1, and a reader that opens the window again.
#[test]
fn a_closed_window_is_probed_until_it_opens() {
    let config =
        TcpConfig { receive_window: 2 * MSS, reader: Reader::Manual, ..config(Recovery::Sack) };
    let (mut sender, mut receiver) = (Sender::new(&config), Receiver::new(&config));
    let (mut out, mut acks) = (vec![], vec![]);
    sender.open(Time(0), &mut out);
    sender.write(Time(0), 10 * MSS, &mut out);
    assert_eq!(numbers(&out), [0, 1]);
    for segment in &out {
        receiver.on_segment(Time(1), segment, &mut acks);
    }
    for ack in &acks {
        out.clear();
        sender.on_segment(Time(2), ack, &mut out);
    }
    assert!(out.is_empty() && acks[1].window == 0);
    let at = sender.next_timeout();
    sender.on_timeout(at, &mut out);
    assert_eq!((out.len(), out[0].len, sender.stats().window_probes), (1, 0, 1));
    assert_eq!(sender.next_timeout().since(at), Span::secs(2), "twice the first interval");
    acks.clear();
    receiver.on_segment(at, &out[0], &mut acks);
    assert_eq!((acks.len(), acks[0].window), (1, 0), "a probe is answered");
    acks.clear();
    receiver.read(at, 2 * MSS, &mut acks);
    assert_eq!(acks[0].window, 2000, "the reader says that there is room");
    out.clear();
    sender.on_segment(at, &acks[0], &mut out);
    assert_eq!(numbers(&out), [2, 3]);
}

/// A FIN that rode on the last data came with them, though a block of data ends before its number; one that went alone
/// did not.
#[test]
fn a_block_of_data_tells_of_the_fin_that_rode_on_them() {
    for rides in [true, false] {
        let mut script = Script::begin(&config(Recovery::Sack), 12 * MSS);
        let mut out = vec![];
        if rides {
            script.sender.close(script.now, &mut out);
        }
        script.ack(1, &[]);
        script.ack(2, &[]);
        if !rides {
            script.sender.close(script.now, &mut out);
            assert_eq!(out.len(), 1);
        }
        script.ack(2, &[(11, 12)]);
        assert_eq!(script.sender.sacked_segments(), 1, "rides: {rides}");
    }
}
