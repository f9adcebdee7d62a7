//! Recoveries without SACK: timeouts and cuts that prove spurious, and the delivery rate that a law is told of.

use base::{Span, Time};
use net::{Flags, Segment, Stamps};
use transport::tcp::law::{Ack, AnyLaw, Custom, Law, Loss};
use transport::tcp::{LawName, Recovery, Sender, TcpConfig, Where, Window};

const MSS: u64 = 1000;
const TICK: Span = Span::millis(1);

fn config(recovery: Recovery) -> TcpConfig {
    TcpConfig {
        mss: MSS as u32,
        handshake: false,
        frto: Where::Everywhere,
        undo: Where::Everywhere,
        ..TcpConfig::standard(recovery, LawName::Reno)
    }
}

fn at(ms: u64) -> Time {
    Time::ZERO + Span::millis(ms)
}

/// A sender with an endless offer, ten segments out at 0 s.
fn open(config: &TcpConfig) -> Sender {
    let mut sender = Sender::new(config);
    sender.write(at(0), u64::MAX, &mut vec![]);
    let mut out = vec![];
    sender.open(at(0), &mut out);
    assert_eq!(out.len(), 10);
    sender
}

/// An acknowledgement of `segments`, that echoes the clock of `echo` ms: what it is answered with.
fn ack(sender: &mut Sender, ms: u64, segments: u64, echo: Option<u64>) -> Vec<u64> {
    let window = TcpConfig::default().receive_window as u32;
    let mut segment =
        Segment { ack: 1 + segments * MSS, window, flags: Flags::ACK, ..Segment::default() };
    // The sender's clock begins at 1, so that an echo of 0 is none.
    let stamps = |ms: u64| Stamps { value: 1, echo: ms as u32 + 1 };
    segment.set_stamps(echo.map(stamps));
    let mut out = vec![];
    sender.on_segment(at(ms), &segment, &mut out);
    numbers(&out)
}

fn numbers(out: &[Segment]) -> Vec<u64> {
    out.iter().map(|segment| (segment.seq - 1) / MSS).collect()
}

/// The timer goes off; when, and what is sent.
fn time_out(sender: &mut Sender) -> (u64, Vec<u64>) {
    let now = sender.next_timeout();
    let mut out = vec![];
    sender.on_timeout(now, &mut out);
    (now.0 / 1_000_000, numbers(&out))
}

#[test]
fn a_late_window_after_a_timeout_is_not_sent_again() {
    // RFC 5682 section 2.1: two acknowledgements in a row that advance, the second for what was sent once.
    for recovery in [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno] {
        let mut sender = open(&config(recovery));
        let before = sender.snapshot().cwnd;
        assert_eq!(time_out(&mut sender), (1000, vec![0]));
        assert_eq!(ack(&mut sender, 1100, 1, None), [10, 11], "two new segments ask");
        let sent = ack(&mut sender, 1101, 2, None);
        assert!(sent.iter().all(|&number| number >= 12), "{recovery:?}: {sent:?}");
        assert_eq!((sender.stats().undone, sender.stats().retransmits), (1, 1));
        assert!(sender.snapshot().cwnd >= before && sender.snapshot().ssthresh.is_infinite());
    }
}

#[test]
fn a_duplicate_after_a_timeout_proves_the_loss() {
    let mut sender = open(&config(Recovery::NewReno));
    time_out(&mut sender);
    assert_eq!(ack(&mut sender, 1100, 1, None), [10, 11]);
    // Step 3a: no more than three segments, and go-back-N from the first that is missing.
    let sent = ack(&mut sender, 1101, 1, None);
    assert_eq!(sent, [1, 2]);
    assert_eq!(sender.stats().undone, 0);
}

#[test]
fn without_frto_the_whole_window_is_sent_again() {
    let mut sender = open(&TcpConfig {
        frto: Where::WithSack,
        undo: Where::WithSack,
        ..config(Recovery::NewReno)
    });
    time_out(&mut sender);
    assert_eq!(ack(&mut sender, 1100, 1, None), [1, 2]);
}

#[test]
fn an_echo_from_before_the_retransmission_undoes_the_cut() {
    // RFC 3522: three duplicates of a reordered path, then the acknowledgement of the first transmission.
    for (echo, undone) in [(0, 1), (103, 0)] {
        let config = TcpConfig { timestamps: Some(TICK), ..config(Recovery::NewReno) };
        let mut sender = open(&config);
        for ms in 101..=103 {
            ack(&mut sender, ms, 0, Some(0));
        }
        assert_eq!(sender.stats().fast_retransmits, 1);
        ack(&mut sender, 110, 12, Some(echo));
        assert_eq!(sender.stats().undone, undone, "echo of {echo} ms");
        assert_eq!(sender.snapshot().cwnd >= 10.0, undone == 1);
        assert!(!sender.snapshot().in_recovery);
    }
}

#[test]
fn a_shrunk_window_is_obeyed() {
    // RFC 9293 section 3.8.6, SHLD-14: nothing new beyond the window of the latest acknowledgement.
    let mut sender = open(&config(Recovery::NewReno));
    let closed = Segment { ack: 1 + 10 * MSS, window: 0, flags: Flags::ACK, ..Segment::default() };
    let mut out = vec![];
    sender.on_segment(at(100), &closed, &mut out);
    assert!(out.is_empty(), "{:?}", numbers(&out));
    // Probed after a timeout, and opened again.
    let (probe, sent) = time_out(&mut sender);
    assert_eq!((probe, sent.len()), (1100, 1));
    assert_eq!(sender.snapshot().snd_nxt, 1 + 10 * MSS);
    assert_eq!(ack(&mut sender, 1200, 10, None)[0], 10);
}

/// Keeps the last rate that it was told of in the threshold, where a test sees it.
#[derive(Clone, Copy, Debug)]
struct Listens;

impl Law for Listens {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        w.ssthresh = a.delivery_rate.get().unwrap_or(w.ssthresh);
    }
    fn on_loss(&mut self, _w: &mut Window, _why: Loss, _base: f64) {}
}

#[test]
fn a_law_is_told_the_delivery_rate_without_sack() {
    let law = AnyLaw::Custom(Custom::new(Listens));
    let mut sender = Sender::with_law(config(Recovery::NewReno).into(), law);
    sender.write(at(0), u64::MAX, &mut vec![]);
    let mut out = vec![];
    sender.open(at(0), &mut out);
    // One acknowledgement each 10 ms from 100 ms on: 100 segments a second, once a window of them has gone.
    for segments in 1..=30 {
        ack(&mut sender, 100 + 10 * segments, segments, None);
    }
    let rate = sender.snapshot().ssthresh;
    assert!((80.0..=101.0).contains(&rate), "{rate} segments/s");
    assert_eq!(sender.snapshot().delivery_rate, Some(rate));
}

/// A retransmission is lost too, and the duplicates of new data keep the window sliding until the timer expires: what the
/// duplicates told of has left the network, and is no ground for a threshold above the window (RFC 5681 equation 4 is the
/// most that it may be).
#[test]
fn a_recovery_that_a_timeout_ends_leaves_no_threshold_above_its_window() {
    for recovery in [Recovery::Reno, Recovery::NewReno, Recovery::Sack] {
        let mut sender =
            open(&TcpConfig { frto: Where::WithSack, undo: Where::WithSack, ..config(recovery) });
        // All but the first segment arrive, and all new ones.
        let mut out: std::collections::VecDeque<u64> = (1..10).collect();
        let mut most = 0;
        for ms in 1..200 {
            let Some(arrived) = out.pop_front() else { break };
            most = most.max(arrived);
            let window = TcpConfig::default().receive_window as u32;
            let mut duplicate = Segment { ack: 1, window, flags: Flags::ACK, ..Segment::default() };
            if recovery == Recovery::Sack {
                duplicate.push_sack(1 + MSS, 1 + (arrived + 1) * MSS);
            }
            let mut sent = vec![];
            sender.on_segment(at(ms), &duplicate, &mut sent);
            out.extend(numbers(&sent).into_iter().filter(|&number| number > 0));
        }
        assert!(most > 100, "{recovery:?}: new data went on to {most}");
        let cut = sender.snapshot().ssthresh;
        time_out(&mut sender);
        let after = sender.snapshot().ssthresh;
        assert!(after <= cut, "{recovery:?}: {cut}, then {after}");
    }
}
