//! Selective repeat: a window of packets, a timer for each, and no law.

use base::{Span, Time};
use net::{Flags, Segment};
use transport::tcp::{Recovery, RepeatConfig, Sender, TcpConfig};

const MSS: u64 = 1000;
const AFTER: Span = Span::millis(40);

fn at(ms: u64) -> Time {
    Time::ZERO + Span::millis(ms)
}

fn ack(number: u64, blocks: &[(u64, u64)]) -> Segment {
    let mut segment =
        Segment { ack: number, window: 1 << 20, flags: Flags::ACK, ..Segment::default() };
    for &(start, end) in blocks {
        segment.push_sack(start, end);
    }
    segment
}

/// The packets' numbers, from zero.
fn numbers(out: &mut Vec<Segment>) -> Vec<u64> {
    out.drain(..).map(|segment| (segment.seq - 1) / MSS).collect()
}

/// A sender with a window of four packets, at time zero, and what it sends at once.
fn open(packets: u64) -> (Sender, Vec<Segment>) {
    let config = TcpConfig {
        recovery: Recovery::SelectiveRepeat,
        mss: MSS as u32,
        handshake: false,
        initial_window: 1,
        repeat: RepeatConfig { window: 4, after: AFTER },
        ..TcpConfig::default()
    };
    let (mut sender, mut out) = (Sender::new(&config), vec![]);
    sender.open(at(0), &mut out);
    sender.write(at(0), packets * MSS, &mut out);
    (sender, out)
}

#[test]
fn the_window_is_full_at_once_and_moves_with_the_oldest() {
    let (mut sender, mut out) = open(10);
    assert_eq!(numbers(&mut out), [0, 1, 2, 3]);
    // The second and third have come: the window stands where the first is.
    sender.on_segment(at(5), &ack(1, &[(1 + MSS, 1 + 3 * MSS)]), &mut out);
    assert!(numbers(&mut out).is_empty());
    sender.on_segment(at(6), &ack(1 + 3 * MSS, &[]), &mut out);
    assert_eq!(numbers(&mut out), [4, 5, 6]);
}

/// Each packet after its own time, as often as it takes, and no other; the window is what it was.
#[test]
fn a_packet_is_sent_again_after_its_own_time_and_no_other() {
    let (mut sender, mut out) = open(10);
    out.clear();
    // The first comes: the fifth goes 10 ms after the others. The second is lost.
    sender.on_segment(at(10), &ack(1 + MSS, &[]), &mut out);
    assert_eq!(numbers(&mut out), [4]);
    sender.on_segment(at(11), &ack(1 + MSS, &[(1 + 2 * MSS, 1 + 4 * MSS)]), &mut out);
    assert_eq!(sender.next_timeout(), at(40));
    sender.on_timeout(at(40), &mut out);
    assert_eq!(numbers(&mut out), [1]);
    assert_eq!(sender.next_timeout(), at(50));
    sender.on_timeout(at(50), &mut out);
    assert_eq!(numbers(&mut out), [4]);
    sender.on_timeout(at(80), &mut out);
    assert_eq!(numbers(&mut out), [1]);
    sender.on_segment(at(85), &ack(1 + 5 * MSS, &[]), &mut out);
    assert_eq!(numbers(&mut out), [5, 6, 7, 8]);
    assert_eq!((sender.stats().window_cuts, sender.stats().retransmits), (0, 3));
}

#[test]
fn with_all_held_no_timer_runs() {
    let (mut sender, mut out) = open(3);
    out.clear();
    sender.on_segment(at(10), &ack(1 + 3 * MSS, &[]), &mut out);
    assert!(sender.finished() && out.is_empty());
    assert_eq!(sender.next_timeout(), Time::NEVER);
}
