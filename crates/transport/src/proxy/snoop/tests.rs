use super::*;

const LEN: u32 = 1000;
const WINDOW: u32 = 64_000;

fn at(ms: u64) -> Time {
    Time::ZERO + Span::millis(ms)
}

/// The `i`-th segment, from 0.
fn seq(i: u64) -> u64 {
    1 + i * u64::from(LEN)
}

fn data(i: u64) -> Segment {
    Segment { seq: seq(i), len: LEN, flags: Flags::ACK, ..Segment::default() }
}

/// All before the `i`-th are acknowledged.
fn ack(i: u64) -> Segment {
    Segment { ack: seq(i), window: WINDOW, flags: Flags::ACK, ..Segment::default() }
}

/// The same with the segments from one to another in a SACK block.
fn sack(i: u64, (from, to): (u64, u64)) -> Segment {
    let mut segment = ack(i);
    assert!(segment.push_sack(seq(from), seq(to)));
    segment
}

struct Base {
    snoop: Snoop,
    now: Time,
}

impl Base {
    /// All of these have passed, each a millisecond after the other, and what is before the first is acknowledged.
    fn after(config: SnoopConfig, segments: impl IntoIterator<Item = u64>) -> Base {
        let mut base = Base { snoop: Snoop::new(config), now: at(0) };
        let segments: Vec<u64> = segments.into_iter().collect();
        assert_eq!(base.hear(ack(segments[0])), (Fate::Pass, vec![]));
        segments.into_iter().for_each(|i| base.pass(i));
        base
    }

    fn pass(&mut self, i: u64) {
        self.now += Span::millis(1);
        self.snoop.on_data(self.now, &data(i));
    }

    /// Returns the fate of an acknowledgement, and the segments that are sent again.
    fn hear(&mut self, mut segment: Segment) -> (Fate, Vec<u64>) {
        self.now += Span::millis(1);
        let mut orders = Orders::default();
        let fate = self.snoop.on_ack(self.now, &mut segment, &mut orders);
        (fate, numbers(&orders))
    }

    fn wait(&mut self) -> Vec<u64> {
        let mut orders = Orders::default();
        self.now = self.snoop.next_timeout();
        assert_ne!(self.now, Time::NEVER);
        self.snoop.on_timeout(self.now, &mut orders);
        numbers(&orders)
    }
}

fn numbers(orders: &Orders) -> Vec<u64> {
    assert!(orders.up.is_empty(), "it acknowledges nothing");
    orders.down.iter().map(|segment| (segment.seq - 1) / u64::from(LEN)).collect()
}

fn plain() -> SnoopConfig {
    SnoopConfig::default()
}

const SUPPRESSED: (Fate, Vec<u64>) = (Fate::Suppress, vec![]);
const PASSED: (Fate, Vec<u64>) = (Fate::Pass, vec![]);

#[test]
fn the_first_duplicate_brings_what_the_air_has_lost_and_none_reaches_the_sender() {
    let mut base = Base::after(plain(), 5..10);
    assert_eq!(base.hear(ack(5)), (Fate::Suppress, vec![5]));
    // 7, 8 and 9 were on their way before it: three more duplicates say nothing new.
    for _ in 7..10 {
        assert_eq!(base.hear(ack(5)), SUPPRESSED);
    }
    assert_eq!(base.hear(ack(10)), PASSED);
    let stats = SnoopStats { local_retransmissions: 1, suppressed: 4, ..SnoopStats::default() };
    assert_eq!((*base.snoop.stats(), base.snoop.kept()), (stats, 0));
    assert_eq!(base.snoop.next_timeout(), Time::NEVER);
}

#[test]
fn more_duplicates_than_were_on_their_way_say_that_the_copy_is_lost() {
    let mut base = Base::after(plain(), 0..3);
    assert_eq!(base.hear(ack(0)), (Fate::Suppress, vec![0]));
    base.pass(3);
    assert_eq!(base.hear(ack(0)), SUPPRESSED);
    assert_eq!(
        base.hear(ack(0)),
        (Fate::Suppress, vec![0]),
        "that of 3, which went after the copy"
    );
}

#[test]
fn it_may_wait_for_more_duplicates() {
    let mut base = Base::after(SnoopConfig { dup_thresh: 3, ..plain() }, 0..9);
    assert_eq!(base.hear(ack(0)), SUPPRESSED);
    assert_eq!(base.hear(ack(0)), SUPPRESSED);
    assert_eq!(base.hear(ack(0)), (Fate::Suppress, vec![0]));
}

#[test]
fn what_was_lost_on_the_wire_is_the_senders() {
    let mut base = Base::after(plain(), [0, 2, 3]);
    assert_eq!(base.hear(ack(1)), PASSED);
    assert_eq!(base.hear(ack(1)), PASSED);
    assert_eq!(base.hear(ack(1)), PASSED);
    // The sender's repair, and duplicates of what was on its way meanwhile.
    base.pass(1);
    assert_eq!(base.hear(ack(1)), PASSED);
    assert_eq!((base.snoop.stats().wire_gaps, base.snoop.stats().passed), (1, 3));
    assert_eq!(base.hear(ack(4)), PASSED);
    assert_eq!(base.snoop.kept(), 0);
}

#[test]
fn a_repair_of_the_sender_that_the_air_loses_is_sent_again_by_the_timer() {
    let mut base = Base::after(plain(), [0, 2, 3]);
    assert_eq!(base.hear(ack(1)), PASSED);
    base.pass(1);
    assert_eq!(base.wait(), [1]);
}

#[test]
fn what_the_sender_sends_again_is_known_as_that() {
    let mut base = Base::after(plain(), 0..4);
    base.pass(0);
    // The mobile had it: its answer tells of no loss. The next would.
    assert_eq!(base.hear(ack(0)), PASSED);
    assert_eq!(base.hear(ack(0)), PASSED, "0 is the sender's");
    assert_eq!(base.hear(ack(4)), PASSED);
    base.pass(2);
    assert_eq!(base.snoop.stats().sender_repeats, 2);
    assert_eq!(base.snoop.kept(), 0, "the mobile has it");
}

#[test]
fn the_timer_is_that_of_the_air() {
    let mut base = Base::after(plain(), 0..2);
    assert_eq!(base.snoop.next_timeout(), at(2) + Span::secs(1), "nothing was measured");
    assert_eq!(base.hear(ack(1)), PASSED);
    // 2 ms were measured: the least time it is.
    let heard = base.now;
    assert_eq!(base.snoop.next_timeout(), heard + plain().min_timeout);
    assert_eq!(base.wait(), [1]);
    assert_eq!(base.snoop.stats().local_timeouts, 1);
    // It was late only: the copy's answer is not the sender's to hear, and no loss.
    base.pass(2);
    base.pass(3);
    assert_eq!(base.hear(ack(2)), PASSED);
    assert_eq!(base.hear(ack(2)), SUPPRESSED);
    assert_eq!(base.hear(ack(2)), (Fate::Suppress, vec![2]));
}

#[test]
fn it_tries_so_often_and_then_the_sender_hears() {
    let mut base = Base::after(SnoopConfig { retries: 2, ..plain() }, 0..1);
    assert_eq!((base.wait(), base.wait(), base.wait()), (vec![0], vec![0], vec![]));
    assert_eq!(base.snoop.next_timeout(), Time::NEVER);
    base.pass(1);
    // Two copies may still be answered.
    assert_eq!((base.hear(ack(0)), base.hear(ack(0))), (SUPPRESSED, SUPPRESSED));
    assert_eq!(base.hear(ack(0)), PASSED);
}

#[test]
fn a_full_cache_lets_pass_what_it_cannot_keep() {
    let mut base = Base::after(SnoopConfig { cache: 2, ..plain() }, 0..4);
    assert_eq!((base.snoop.kept(), base.snoop.stats().uncached), (2, 2));
    assert_eq!(base.hear(ack(2)), PASSED);
    assert_eq!(base.hear(ack(2)), PASSED);
}

#[test]
fn what_the_stations_queue_drops_is_congestion() {
    let mut base = Base::after(plain(), 0..3);
    base.snoop.on_dropped(&data(0));
    assert_eq!(base.hear(ack(0)), PASSED);
}

#[test]
fn windows_that_change_and_data_are_no_duplicates() {
    let mut base = Base::after(plain(), 0..3);
    assert_eq!(base.hear(Segment { window: 5, ..ack(0) }), PASSED);
    assert_eq!(base.hear(Segment { window: 5, len: 10, ..ack(0) }), PASSED);
    assert_eq!(base.hear(Segment { window: 5, ..ack(0) }), (Fate::Suppress, vec![0]));
}

#[test]
fn blocks_beyond_a_hole_on_the_air_stay_here() {
    let mut base = Base::after(plain(), 0..6);
    assert_eq!(base.hear(sack(0, (1, 2))), (Fate::Suppress, vec![0]));
    let mut orders = Orders::default();
    // 0 has come, 2 has not: a new acknowledgement tells so.
    let mut next = sack(2, (3, 6));
    assert_eq!(base.snoop.on_ack(base.now, &mut next, &mut orders), Fate::Pass);
    assert_eq!((next, numbers(&orders)), (ack(2), vec![2]));
    // A hole on the wire is reported.
    let mut base = Base::after(plain(), [0, 1, 3]);
    let mut next = sack(2, (3, 4));
    assert_eq!(base.snoop.on_ack(base.now, &mut next, &mut orders), Fate::Pass);
    assert_eq!(next, sack(2, (3, 4)));
}

#[test]
fn a_duplicate_that_tells_of_a_repeat_is_no_loss() {
    let mut base = Base::after(plain(), 0..6);
    assert_eq!(base.hear(ack(3)), PASSED);
    assert_eq!(base.hear(sack(3, (1, 2))), PASSED, "RFC 2883: the sender's own repeat");
    assert_eq!(base.hear(sack(3, (4, 5))), (Fate::Suppress, vec![3]));
}

#[test]
fn a_machine_that_has_forgotten_all_breaks_nothing() {
    let mut base = Base::after(plain(), 0..6);
    base.snoop = Snoop::new(plain());
    assert_eq!(base.hear(ack(2)), PASSED);
    assert_eq!(base.hear(ack(2)), PASSED);
    base.pass(6);
    base.pass(2);
    assert_eq!(base.hear(ack(2)), PASSED);
    assert_eq!(base.hear(ack(7)), PASSED);
    base.pass(7);
    base.pass(8);
    assert_eq!(base.hear(ack(7)), (Fate::Suppress, vec![7]));
}

/// Its copies are lost on the air, so that their duplicates never come; the sender has not heard of what the mobile has, and
/// repeats it: the answer is the sender's.
#[test]
fn what_the_sender_has_not_heard_it_hears_whatever_copies_are_unanswered() {
    let mut base = Base::after(plain(), 0..3);
    assert_eq!(base.hear(ack(2)), PASSED);
    for _ in 0..2 {
        assert_eq!(base.wait(), [2]);
    }
    base.pass(1);
    assert_eq!(base.hear(ack(2)), PASSED);
    assert_eq!(base.hear(ack(2)), SUPPRESSED);
}
