//! A sender that picks its variant, as a script: when it picks, what it keeps, what it tells.

use base::{Span, Time};
use net::{Flags, Segment};
use std::sync::Arc;
use transport::tcp::auto::{
    Alternative, Condition, News, PathMemory, Policy, Quantity, Rule, Side,
};
use transport::tcp::{EcnMode, Sender, TcpConfig, variants};

const MSS: u64 = 1000;
const HOUR: Span = Span::secs(3600);

fn alternative(name: &str) -> Alternative {
    let variant = variants::by_name(name).expect("a variant");
    let config = TcpConfig { mss: MSS as u32, ..variant.config() };
    Alternative { name: name.into(), config }
}

fn above(quantity: Quantity, bound: f64) -> Vec<Condition> {
    vec![Condition { quantity, side: Side::Above, bound }]
}

/// NewReno; SACK on paths of 100 ms and more; Westwood+ after many losses.
fn policy() -> Policy {
    Policy {
        alternatives: ["newreno", "sack", "westwood+"].map(alternative).into(),
        rules: vec![
            Rule { when: above(Quantity::Loss, 0.01), pick: 2 },
            Rule { when: above(Quantity::Rtt, 0.1), pick: 1 },
        ],
        default: 0,
        forget_after: HOUR,
    }
}

/// The same, where marks are used in this way.
fn with_ecn(ecn: EcnMode) -> Policy {
    let mut policy = policy();
    policy.alternatives.iter_mut().for_each(|each| each.config.ecn = ecn);
    policy
}

struct Script {
    sender: Sender,
    now: Time,
    /// Segments acknowledged.
    acked: u64,
}

impl Script {
    /// Opens; the SYN-ACK comes after `rtt`.
    fn open(memory: &PathMemory, rtt: Span) -> Script {
        Script::open_with(policy(), memory, rtt)
    }

    fn open_with(policy: Policy, memory: &PathMemory, rtt: Span) -> Script {
        let mut sender = Sender::choosing(Arc::new(policy));
        sender.recall(memory);
        let mut script = Script { sender, now: Time::ZERO, acked: 0 };
        script.sender.open(script.now, &mut vec![]);
        script.now += rtt;
        script.segment(1, Flags::SYN.with(Flags::ACK));
        script
    }

    fn segment(&mut self, ack: u64, flags: Flags) -> usize {
        let mut out = vec![];
        let segment = Segment { ack, window: 1 << 20, flags, ..Segment::default() };
        self.sender.on_segment(self.now, &segment, &mut out);
        out.len()
    }

    fn write(&mut self, segments: u64) -> usize {
        let mut out = vec![];
        self.sender.write(self.now, segments * MSS, &mut out);
        out.len()
    }

    /// All up to the next segment is acknowledged `after` later.
    fn ack(&mut self, segments: u64, after: Span) {
        self.now += after;
        self.acked += segments;
        self.segment(1 + self.acked * MSS, Flags::ACK);
    }

    /// Picks: (alternative, rule).
    fn picks(&mut self) -> Vec<(usize, Option<usize>)> {
        let choices = self.sender.take_choices();
        choices.iter().map(|choice| (choice.alternative, choice.rule)).collect()
    }
}

#[test]
fn the_first_connection_picks_by_its_round_trip() {
    let unknown = PathMemory::default();
    assert_eq!(Script::open(&unknown, Span::millis(20)).picks(), [(0, None)]);
    assert_eq!(Script::open(&unknown, Span::millis(100)).picks(), [(1, Some(1))]);
}

#[test]
fn a_later_one_picks_by_what_is_remembered() {
    let mut memory = PathMemory::default();
    let news = News { sent: 100.0, resent: 2.0, ..News::default() };
    memory.merge(Time::ZERO, &news, HOUR);
    assert_eq!(Script::open(&memory, Span::millis(20)).picks(), [(2, Some(0))]);
}

#[test]
fn nothing_is_picked_while_data_are_in_flight() {
    let mut script = Script::open(&PathMemory::default(), Span::millis(20));
    script.picks();
    assert_eq!(script.write(5), 5);
    assert_eq!(script.picks(), [(0, None)]);
    let mut lossy = PathMemory::default();
    lossy.merge(Time::ZERO, &News { sent: 1000.0, resent: 900.0, ..News::default() }, HOUR);
    script.sender.recall(&lossy);
    script.ack(4, Span::millis(20));
    script.write(3);
    assert_eq!(script.picks(), []);
    script.ack(4, Span::millis(20));
    assert_eq!(script.picks(), []);
    script.write(1);
    assert_eq!(script.picks(), [(2, Some(0))]);
}

#[test]
fn a_loss_at_a_short_round_trip_is_one_without_a_queue() {
    let shares = [20, 200].map(|last| {
        let mut script = Script::open(&PathMemory::default(), Span::millis(20));
        for rtt in [20, 220, last] {
            script.write(2);
            script.ack(2, Span::millis(rtt));
        }
        script.write(8);
        // The first of them is lost: the others' acknowledgements repeat the number.
        (0..4).for_each(|_| script.ack(0, Span::millis(1)));
        assert_eq!(script.sender.stats().fast_retransmits, 1);
        let news = script.sender.report(script.now).expect("news");
        let mut memory = PathMemory::default();
        memory.merge(script.now, &news, HOUR);
        memory.measured(script.now, (None, None), HOUR).get(Quantity::QueuelessLoss)
    });
    assert_eq!(shares, [Some(1.0), Some(0.0)]);
}

#[test]
fn transfers_are_timed_in_round_trips() {
    let mut script = Script::open(&PathMemory::default(), Span::millis(20));
    for _ in 0..2 {
        script.write(10);
        script.ack(4, Span::millis(40));
        script.ack(6, Span::millis(60));
    }
    let news = script.sender.report(script.now).expect("news");
    assert_eq!(news.transfers.count, 2.0);
    let mut memory = PathMemory::default();
    memory.merge(script.now, &news, HOUR);
    let measured = memory.measured(script.now, (None, None), HOUR);
    assert!((measured.get(Quantity::Rounds).expect("rounds") - 5.0).abs() < 1e-9);
    // One segment of each transfer is timed: SRTT rises by an eighth of 20 ms, then by an eighth of 17.5 ms.
    let excess = measured.get(Quantity::QueueingDelay).expect("a delay");
    assert!((excess - (2.5e-3 + 4.6875e-3) / 2.0).abs() < 1e-6, "{excess}");
}

#[test]
fn windows_times_and_counts_are_handed_over() {
    let mut script = Script::open(&PathMemory::default(), Span::millis(90));
    script.write(10);
    script.ack(10, Span::millis(400));
    let (before, counts) = (script.sender.snapshot(), *script.sender.stats());
    assert!(before.cwnd > 10.0 && before.srtt > Some(Span::millis(100)));
    script.picks();
    script.write(1);
    assert_eq!(script.picks(), [(1, Some(1))], "NewReno becomes SACK");
    let after = script.sender.snapshot();
    assert_eq!(
        (after.cwnd, after.ssthresh, after.srtt, after.rto, after.snd_una),
        (before.cwnd, before.ssthresh, before.srtt, before.rto, before.snd_una)
    );
    assert_eq!(script.sender.stats().segments_sent, counts.segments_sent + 1);
    // It is SACK indeed: three segments above a hole send it again.
    script.write(9);
    let mut out = vec![];
    let mut sack =
        Segment { ack: 1 + 10 * MSS, window: 1 << 20, flags: Flags::ACK, ..Segment::default() };
    sack.push_sack(1 + 11 * MSS, 1 + 14 * MSS);
    script.sender.on_segment(script.now + Span::millis(90), &sack, &mut out);
    assert!(out.iter().any(|segment| segment.retransmission && segment.seq == 1 + 10 * MSS));
}

#[test]
fn what_was_measured_is_told_when_a_transfer_is_over() {
    let mut script = Script::open(&PathMemory::default(), Span::millis(20));
    script.write(20);
    script.ack(10, Span::millis(40));
    assert_eq!(script.sender.take_news(), None);
    script.ack(10, Span::millis(40));
    let news = script.sender.take_news().expect("news");
    assert_eq!((news.sent, news.resent, news.min_rtt), (21.0, 0.0, Some(Span::millis(20))));
    // 20 segments of 1000 B in 80 ms.
    assert_eq!(news.rate, Some(2e6));
    // RFC 6298 section 2.3 for samples of 20, 40 and 40 ms: SRTT 20, 22.5, 24.6875; RTTVAR 10, 12.5, 13.75.
    assert_eq!(news.srtt, Some(Span(24_687_500)));
    assert_eq!(news.rttvar, Some(Span(13_750_000)));
    assert_eq!(script.sender.take_news(), None);
}

#[test]
fn a_repair_of_two_segments_is_a_burst_of_two() {
    let mut script = Script::open(&PathMemory::default(), Span::millis(20));
    script.write(10);
    // The first and the third segment are lost: three duplicate acknowledgements, and a partial one.
    for _ in 0..3 {
        script.ack(0, Span::millis(20));
    }
    script.ack(2, Span::millis(20));
    assert_eq!(script.sender.take_news(), None);
    script.ack(8, Span::millis(20));
    let news = script.sender.take_news().expect("news");
    assert_eq!((news.resent, news.repairs, news.timeouts), (2.0, 1.0, 0.0));
}

#[test]
fn marks_are_told_where_they_are_echoed() {
    let marks = |ecn: EcnMode| {
        let mut script = Script::open_with(with_ecn(ecn), &PathMemory::default(), Span::millis(20));
        script.write(10);
        script.now += Span::millis(20);
        script.acked = 4;
        script.segment(1 + 4 * MSS, Flags::ACK.with(Flags::ECE));
        script.ack(6, Span::millis(20));
        script.sender.take_news().expect("news").marked
    };
    assert_eq!(marks(EcnMode::Classic), Some(4.0));
    assert_eq!(marks(EcnMode::Off), None);
}
