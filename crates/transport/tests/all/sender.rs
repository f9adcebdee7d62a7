//! A sender as a script: acknowledgements in, segments out, worked by hand from the RFCs.

use super::script::{MSS, NONE, Script, WINDOW, config, numbers};
use base::{Span, Time};
use net::{Ecn, Flags, Segment};
use transport::tcp::{EcnMode, LossRules, Recovery, Sender, TcpConfig};

/// Segment 0 of 10 is lost. Limited transmit sends 10 and 11 (RFC 3042), which do not count in FlightSize.
#[test]
fn tahoe_goes_back_to_one_segment_at_the_third_duplicate() {
    let (mut script, first) = Script::open(&config(Recovery::Tahoe), u64::MAX);
    assert_eq!(first, (0..10).collect::<Vec<_>>());
    script.wait(100);
    assert_eq!(script.acks(0, 3), [[10], [11], [0]]);
    assert_eq!((script.state().cwnd, script.state().ssthresh), (1.0, 5.0));
    assert_eq!(script.acks(0, 8), vec![NONE; 8]);
    assert_eq!(script.wait(100).ack(12, &[]), [12, 13]);
    assert_eq!(script.state().cwnd, 2.0);
}

/// RFC 5681 section 3.2: ssthresh 5; the window is 5 + the number of duplicates, so that the 8th lets 12 go.
#[test]
fn reno_is_clocked_by_duplicates_and_deflates_at_the_end() {
    let (mut script, _) = Script::open(&config(Recovery::Reno), u64::MAX);
    script.wait(100);
    assert_eq!(script.acks(0, 3), [[10], [11], [0]]);
    assert_eq!(script.acks(0, 4), vec![NONE; 4]);
    assert_eq!(script.acks(0, 4), [[12], [13], [14], [15]]);
    assert!(script.sender.snapshot().in_recovery);
    // 12 to 15 are in flight; the window is ssthresh = 5.
    assert_eq!(script.wait(100).ack(12, &[]), [16]);
    assert_eq!((script.state().cwnd, script.state().ssthresh), (5.0, 5.0));
    assert!(!script.sender.snapshot().in_recovery);
}

/// RFC 6582 section 3.2, with 0 and 5 lost. Partial acknowledgement: 5 + 10 - 5 + 1 = 11 segments from 5 on.
#[test]
fn newreno_sends_the_next_hole_at_a_partial_acknowledgement() {
    let (mut script, _) = Script::open(&config(Recovery::NewReno), u64::MAX);
    script.wait(100);
    assert_eq!(script.acks(0, 3), [[10], [11], [0]]);
    assert_eq!(script.acks(0, 4), vec![NONE; 4]);
    assert_eq!(script.acks(0, 3), [[12], [13], [14]]);
    assert_eq!(script.wait(100).ack(5, &[]), [5, 15]);
    assert!(script.sender.snapshot().in_recovery);
    assert_eq!(script.acks(5, 3), [[16], [17], [18]]);
    // Full: min(ssthresh 5, flight 4 + 1), and 15 to 18 are in flight.
    assert_eq!(script.wait(100).ack(15, &[]), [19]);
    assert_eq!(script.state().cwnd, 5.0);
    assert_eq!(script.sender.stats().window_cuts, 1);
}

/// RFC 6582 section 3.2, step 3: the first partial acknowledgement restarts the timer, and no later one.
#[test]
fn the_impatient_newreno_restarts_its_timer_once() {
    let (mut script, _) = Script::open(&config(Recovery::NewReno), u64::MAX);
    script.wait(100).acks(0, 9);
    script.wait(100).ack(2, &[]);
    let deadline = script.sender.next_timeout();
    assert_eq!(deadline, script.now + Span::secs(1));
    script.wait(100).ack(4, &[]);
    assert_eq!(script.sender.next_timeout(), deadline);
}

/// RFC 6582 section 3.2, step 3: with little in flight the window after recovery allows one segment more, no burst.
#[test]
fn the_careful_exit_sends_no_burst() {
    let (mut script, _) = Script::open(&config(Recovery::NewReno), u64::MAX);
    script.wait(100).acks(0, 3);
    // Everything up to 11 arrived at once: nothing is in flight.
    assert_eq!(script.wait(100).ack(12, &[]), [12, 13]);
    assert_eq!(script.state().cwnd, 2.0);
}

/// RFC 5681 section 3.1: half the flight, then held while the same segment times out again; RFC 6298 (5.5): double.
#[test]
fn timeouts_double_the_timer_and_cut_the_threshold_once() {
    let (mut script, _) = Script::open(&config(Recovery::NewReno), u64::MAX);
    assert_eq!(script.sender.next_timeout(), Time::ZERO + Span::secs(1));
    assert_eq!(script.time_out(), [0]);
    assert_eq!((script.state().cwnd, script.state().ssthresh), (1.0, 5.0));
    assert_eq!(script.sender.next_timeout(), Time::ZERO + Span::secs(3));
    assert_eq!(script.time_out(), [0]);
    assert_eq!((script.state().cwnd, script.state().ssthresh), (1.0, 5.0));
    assert_eq!(script.sender.next_timeout(), Time::ZERO + Span::secs(7));
    // Only 0 was lost: nothing else is sent again.
    assert_eq!(script.wait(100).ack(10, &[]), [10, 11]);
    assert_eq!(script.sender.snapshot().rto, Span::secs(4), "no sample: Karn");
    assert_eq!(script.sender.stats().retransmits, 2);
}

/// RFC 6582 section 4: duplicates of what was out before a timeout start no fast retransmit.
#[test]
fn duplicates_after_a_timeout_are_not_believed() {
    for recovery in [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno] {
        let (mut script, _) = Script::open(&config(recovery), u64::MAX);
        script.time_out();
        assert_eq!(script.ack(4, &[]), [4, 5]);
        assert_eq!(script.acks(4, 4), vec![NONE; 4]);
        assert_eq!(script.sender.stats().fast_retransmits, 0, "{recovery:?}");
    }
}

/// RFC 5681 knows no "recover": Reno takes the second loss of a window by a second fast retransmit. ns-2's waits.
#[test]
fn reno_halves_twice_for_two_losses_in_a_window_unless_it_is_ns2s() {
    for (loss_rules, expected) in [(LossRules::Rfc, 2), (LossRules::Ns2, 1)] {
        let config = TcpConfig { loss_rules, ..config(Recovery::Reno) };
        let (mut script, _) = Script::open(&config, u64::MAX);
        script.acks(0, 8);
        script.acks(5, 4);
        assert_eq!(script.sender.stats().fast_retransmits, expected);
    }
}

/// RFC 3042 section 2: new data only, two segments at most, and not beyond the receiver's window.
#[test]
fn limited_transmit_keeps_its_limits() {
    let mut config = config(Recovery::NewReno);
    config.receive_window = 11 * MSS;
    let (mut script, _) = Script::open(&config, u64::MAX);
    let mut out = vec![];
    let ack = Segment { seq: 1, ack: 1, window: 11_000, flags: Flags::ACK, ..Segment::default() };
    for _ in 0..2 {
        script.sender.on_segment(script.now, &ack, &mut out);
    }
    assert_eq!(numbers(&out), [10]);
    config.limited_transmit = false;
    let (mut script, _) = Script::open(&config, u64::MAX);
    assert_eq!(script.acks(0, 2), vec![NONE; 2]);
}

#[test]
fn the_handshakes_last_segment_rides_on_data_or_goes_alone() {
    let config = TcpConfig { handshake: true, ..config(Recovery::Reno) };
    let flags = Flags::SYN.with(Flags::ACK);
    let syn_ack = Segment { ack: 1, window: WINDOW, flags, ..Segment::default() };
    for (bytes, lens) in [(0, vec![0]), (1500, vec![1000, 500])] {
        let mut sender = Sender::new(&config);
        let mut out = vec![];
        sender.write(Time::ZERO, bytes, &mut out);
        sender.open(Time::ZERO, &mut out);
        assert_eq!((out.len(), out[0].flags, out[0].end()), (1, Flags::SYN, 1));
        out.clear();
        sender.on_segment(Time(5_000_000), &syn_ack, &mut out);
        assert_eq!(out.iter().map(|s| s.len).collect::<Vec<_>>(), lens);
        assert_eq!(sender.snapshot().srtt, Some(Span::millis(5)));
        assert_eq!(sender.finished(), bytes == 0);
    }
}

/// RFC 5681 section 3.1 (one segment) and RFC 6298 (5.7) (3 s).
#[test]
fn after_a_lost_syn_the_sender_begins_with_one_segment_and_three_seconds() {
    let config = TcpConfig { handshake: true, ..config(Recovery::Reno) };
    let mut sender = Sender::new(&config);
    let mut out = vec![];
    sender.open(Time::ZERO, &mut out);
    sender.write(Time::ZERO, u64::MAX, &mut out);
    let at = sender.next_timeout();
    sender.on_timeout(at, &mut out);
    assert_eq!(out.len(), 2);
    assert!(out[1].retransmission);
    out.clear();
    let flags = Flags::SYN.with(Flags::ACK);
    let syn_ack = Segment { ack: 1, window: WINDOW, flags, ..Segment::default() };
    sender.on_segment(at, &syn_ack, &mut out);
    assert_eq!(out.len(), 1);
    assert_eq!(sender.next_timeout(), at + Span::secs(3));
}

/// RFC 5681 section 4.1.
#[test]
fn after_idling_for_a_timeout_the_window_is_the_initial_one() {
    let mut script =
        Script { sender: Sender::new(&config(Recovery::Reno)), now: Time::ZERO, stamps: None };
    let mut out = vec![];
    script.sender.open(script.now, &mut out);
    script.sender.write(script.now, 20 * MSS, &mut out);
    for number in 1..=20 {
        script.wait(1).ack(number, &[]);
    }
    assert!(script.sender.finished() && script.sender.next_timeout() == Time::NEVER);
    assert!(script.state().cwnd > 10.0);
    out.clear();
    script.wait(1100);
    script.sender.write(script.now, 100 * MSS, &mut out);
    assert_eq!(out.len(), 10);
}

#[test]
fn a_window_of_one_segment_takes_a_full_one_with_its_fin() {
    for recovery in [Recovery::Tahoe, Recovery::NewReno, Recovery::Sack, Recovery::RackTlp] {
        let mut sender =
            Sender::new(&TcpConfig { initial_window: 1, handshake: true, ..config(recovery) });
        let mut out = vec![];
        sender.open(Time::ZERO, &mut out);
        sender.write(Time::ZERO, MSS, &mut out);
        sender.close(Time::ZERO, &mut out);
        let answer = Segment { ack: 1, window: WINDOW, flags: Flags::ACK, ..Segment::default() };
        out.clear();
        sender.on_segment(Time::ZERO, &answer, &mut out);
        let sent: Vec<_> = out.iter().map(|s| (s.len, s.flags.has(Flags::FIN))).collect();
        assert_eq!(sent, [(MSS as u32, true)], "{recovery:?}");
    }
}

#[test]
fn an_ended_offer_is_finished_when_what_was_sent_is_acknowledged() {
    let (mut script, first) = Script::open(&config(Recovery::Reno), u64::MAX);
    script.sender.stop_writing();
    assert_eq!(first.len(), 10);
    assert_eq!(script.ack(9, &[]), NONE);
    assert!(!script.sender.finished());
    assert_eq!(script.time_out(), [9]);
    assert_eq!(script.ack(10, &[]), NONE);
    assert!(script.sender.finished());
}

/// RFC 9293 section 3.8.6.2.1: a segment is not cut to the window; the last one goes when it fits.
#[test]
fn segments_are_full_but_for_the_last() {
    let mut config = config(Recovery::Reno);
    config.receive_window = 2500;
    let mut sender = Sender::new(&config);
    let mut out = vec![];
    sender.open(Time::ZERO, &mut out);
    sender.write(Time::ZERO, 3000, &mut out);
    assert_eq!(out.iter().map(|s| s.len).collect::<Vec<_>>(), [1000, 1000]);
    out.clear();
    let ack = Segment { seq: 1, ack: 1001, window: 2500, flags: Flags::ACK, ..Segment::default() };
    sender.on_segment(Time(1), &ack, &mut out);
    assert_eq!(out.iter().map(|s| s.len).collect::<Vec<_>>(), [1000]);
    let mut sender = Sender::new(&config);
    out.clear();
    sender.open(Time::ZERO, &mut out);
    sender.write(Time::ZERO, 2300, &mut out);
    assert_eq!(out.iter().map(|s| s.len).collect::<Vec<_>>(), [1000, 1000, 300]);
}

/// RFC 3168 section 6.1.5: a retransmission that is lost must not become a mark. ns-2 and DCTCP differ.
#[test]
fn what_is_sent_again_cannot_be_marked() {
    let again = |ecn, loss_rules| {
        let config = TcpConfig { ecn, loss_rules, ..config(Recovery::Reno) };
        let (mut script, _) = Script::open(&config, u64::MAX);
        let mut out = vec![];
        script.now = script.sender.next_timeout();
        script.sender.on_timeout(script.now, &mut out);
        (out[0].retransmission, out[0].ecn)
    };
    assert_eq!(again(EcnMode::Classic, LossRules::Rfc), (true, Ecn::NotCapable));
    assert_eq!(again(EcnMode::Classic, LossRules::Ns2), (true, Ecn::Capable));
    assert_eq!(again(EcnMode::EveryMark, LossRules::Rfc), (true, Ecn::Capable));
    let ecn = TcpConfig { ecn: EcnMode::Classic, ..config(Recovery::Reno) };
    let mut out = vec![];
    let mut sender = Sender::new(&ecn);
    sender.open(Time::ZERO, &mut out);
    sender.write(Time::ZERO, MSS, &mut out);
    assert_eq!(out[0].ecn, Ecn::Capable);
}

/// RFC 9293 section 3.10.2: the FIN is the last that a connection sends.
#[test]
fn nothing_is_offered_after_the_end() {
    let mut sender = Sender::new(&config(Recovery::Reno));
    let mut out = vec![];
    sender.open(Time::ZERO, &mut out);
    sender.write(Time::ZERO, 500, &mut out);
    sender.close(Time::ZERO, &mut out);
    sender.write(Time::ZERO, u64::MAX, &mut out);
    let sent: Vec<_> = out.iter().map(|s| (s.seq, s.len, s.flags.has(Flags::FIN))).collect();
    assert_eq!(sent, [(1, 500, false), (501, 0, true)]);
    let ack = Segment { seq: 1, ack: 502, window: WINDOW, flags: Flags::ACK, ..Segment::default() };
    sender.on_segment(Time(1), &ack, &mut out);
    assert!(sender.finished());
}

/// RFC 9293 section 3.8.6: nothing beyond a window is sent again; a window of zero is probed. What was outstanding keeps its
/// place, and so does the timer's length (M-TCP lives by that).
#[test]
fn a_window_taken_back_to_zero_stops_the_timer_and_cuts_nothing() {
    for recovery in [Recovery::Reno, Recovery::NewReno, Recovery::Sack, Recovery::RackTlp] {
        let (mut script, _) = Script::open(&config(recovery), u64::MAX);
        script.wait(100).acks(4, 1);
        let (cwnd, timeouts) = (script.state().cwnd, script.sender.stats().timeouts);
        let mut out = vec![];
        let shut = Segment { seq: 1, ack: 1 + 5 * MSS, flags: Flags::ACK, ..Segment::default() };
        let now = script.wait(10).now;
        script.sender.on_segment(now, &shut, &mut out);
        assert!(out.is_empty(), "{recovery:?}");
        for _ in 0..4 {
            assert!(
                script.time_out().iter().all(|&number| number <= 4),
                "only probes, of old numbers"
            );
        }
        assert!(script.state().cwnd >= cwnd, "{recovery:?}");
        assert_eq!(script.sender.stats().timeouts, timeouts);
        // It opens: what the window allows goes out, and the timer runs again.
        assert!(!script.ack(5, &[]).is_empty(), "{recovery:?}");
        assert!(script.sender.next_timeout() <= script.now + Span::secs(1));
        assert!(script.state().cwnd >= cwnd);
    }
}

#[test]
fn what_was_lost_on_the_air_is_sent_again_once_and_cuts_nothing() {
    for (eln, sent) in [
        (true, vec![vec![2], vec![], vec![], vec![]]),
        (false, vec![vec![], vec![], vec![2], vec![]]),
    ] {
        let config = TcpConfig { eln, limited_transmit: false, ..config(Recovery::NewReno) };
        let (mut script, _) = Script::open(&config, u64::MAX);
        script.wait(100).ack(2, &[]);
        let cwnd = script.state().cwnd;
        let marked = Segment {
            seq: 1,
            ack: 1 + 2 * MSS,
            window: WINDOW,
            flags: Flags::ACK.with(Flags::ELN),
            ..Segment::default()
        };
        let mut lines = vec![];
        for _ in 0..4 {
            let mut out = vec![];
            script.sender.on_segment(script.now, &marked, &mut out);
            lines.push(numbers(&out).into_iter().filter(|&number| number == 2).collect::<Vec<_>>());
        }
        assert_eq!(lines, sent, "an end that knows nothing of it takes the mark for nothing");
        assert_eq!(script.state().cwnd == cwnd, eln);
    }
}
