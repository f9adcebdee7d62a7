use super::*;

const LEN: u32 = 1000;
const WINDOW: u32 = 64_000;

fn seq(i: u64) -> u64 {
    1 + i * u64::from(LEN)
}

fn data(i: u64) -> Segment {
    Segment { seq: seq(i), len: LEN, flags: Flags::ACK, ..Segment::default() }
}

fn ack(i: u64) -> Segment {
    Segment { ack: seq(i), window: WINDOW, flags: Flags::ACK, ..Segment::default() }
}

struct Host {
    mtcp: Mtcp,
    now: Time,
}

impl Host {
    /// Returns a host that `segments` segments have passed, a millisecond apart.
    fn after(segments: u64) -> Host {
        let mut host = Host { mtcp: Mtcp::new(MtcpConfig::default()), now: Time::ZERO };
        (0..segments).for_each(|i| host.pass(i));
        host
    }

    fn pass(&mut self, i: u64) {
        self.now += Span::millis(1);
        self.mtcp.on_data(self.now, &data(i));
    }

    /// Returns the part of an acknowledgement that goes on, and the segments sent beside it.
    fn hear(&mut self, mut segment: Segment) -> (Option<Segment>, Orders) {
        self.now += Span::millis(1);
        let mut orders = Orders::default();
        let fate = self.mtcp.on_ack(self.now, &mut segment, &mut orders);
        ((fate == Fate::Pass).then_some(segment), orders)
    }

    /// The next timer; after how many milliseconds it came.
    fn wait(&mut self) -> (u64, Orders) {
        let mut orders = Orders::default();
        let due = self.mtcp.next_timeout();
        assert_ne!(due, Time::NEVER);
        let waited = due.since(self.now).0 / 1_000_000;
        self.now = due;
        self.mtcp.on_timeout(due, &mut orders);
        (waited, orders)
    }
}

fn told(i: u64) -> Option<Segment> {
    Some(Segment { ack: seq(i) - 1, window: WINDOW + 1, ..ack(i) })
}

#[test]
fn the_last_byte_is_kept_back_and_the_windows_edge_is_where_it_was() {
    let mut host = Host::after(4);
    for i in 1..4 {
        let (passed, orders) = host.hear(ack(i));
        assert_eq!(passed, told(i));
        assert!(orders.down.is_empty() && orders.up.is_empty());
    }
    assert_eq!(host.mtcp.stats().held, 3);
}

#[test]
fn blocks_stay_where_they_are_when_the_number_before_them_moves() {
    let mut host = Host::after(1);
    host.pass(2);
    let mut segment = ack(1);
    segment.push_sack(seq(2), seq(3));
    let (passed, _) = host.hear(segment);
    let blocks: Vec<_> = passed.iter().flat_map(|segment| segment.sack_blocks()).collect();
    assert_eq!(blocks, [(seq(2), seq(3))]);
}

/// What the mobile has counted of congestion marks, now and once the last byte goes.
#[test]
fn counts_of_marks_go_on() {
    let mut host = Host::after(2);
    let mut segment = ack(2);
    let counts = net::MarkBytes { marked: 1000, capable: 3000, scalable: true };
    segment.set_mark_bytes(counts);
    segment.flags = segment.flags.with_ace(5);
    let (passed, _) = host.hear(segment);
    let (_, orders) = host.wait();
    for each in passed.iter().chain(&orders.up) {
        assert_eq!((each.mark_bytes(), each.flags.ace()), (Some(counts), 5));
    }
    assert_eq!((passed.is_some(), orders.up.len()), (true, 1));
}

#[test]
fn the_last_byte_goes_when_nothing_else_will_come() {
    let mut host = Host::after(2);
    host.hear(ack(2));
    let (waited, orders) = host.wait();
    assert_eq!((waited, &orders.up[..]), (100, &[ack(2)][..]));
    assert_eq!(host.mtcp.next_timeout(), Time::NEVER);
    // Data that come meanwhile have an acknowledgement to come.
    let mut host = Host::after(2);
    host.hear(ack(2));
    host.pass(2);
    let (_, orders) = host.wait();
    assert_eq!(orders.up, []);
}

#[test]
fn a_silent_mobile_freezes_the_sender_and_its_first_word_frees_it() {
    let mut host = Host::after(5);
    host.hear(ack(2));
    // The local timer comes first, twice; then the mobile is gone.
    while !host.mtcp.is_frozen() {
        let (_, orders) = host.wait();
        let shut = Segment { window: 0, ..ack(2) };
        assert_eq!(orders.up, if host.mtcp.is_frozen() { vec![shut] } else { vec![] });
    }
    assert_eq!(host.now, Time::ZERO + Span::millis(6 + 300));
    // It is called ever again, however often.
    for _ in 0..50 {
        let (waited, orders) = host.wait();
        let numbers: Vec<u64> = orders.down.iter().map(|segment| segment.seq).collect();
        assert_eq!((waited, numbers, orders.up.len()), (200, vec![seq(2)], 0));
    }
    let (passed, orders) = host.hear(ack(3));
    assert_eq!(passed, told(3), "the window is open");
    let numbers: Vec<u64> = orders.down.iter().map(|segment| segment.seq).collect();
    assert_eq!(numbers, [seq(3), seq(4)], "all that the mobile waits for");
    assert!(!host.mtcp.is_frozen());
    assert_eq!(host.mtcp.stats().freezes, 1);
}

#[test]
fn a_mobile_that_comes_back_with_the_old_number_opens_the_window_too() {
    let mut host = Host::after(5);
    host.hear(ack(2));
    let mut orders = Orders::default();
    host.mtcp.freeze(host.now, &mut orders);
    assert_eq!(orders.up, [Segment { window: 0, ..ack(2) }]);
    let (passed, _) = host.hear(ack(2));
    assert_eq!(passed, Some(ack(2)));
}

#[test]
fn with_nothing_kept_back_the_sender_cannot_be_frozen() {
    let mut host = Host::after(2);
    host.hear(ack(2));
    host.wait();
    host.pass(2);
    let mut orders = Orders::default();
    host.mtcp.freeze(host.now, &mut orders);
    assert!(orders.up.is_empty() && !host.mtcp.is_frozen());
    assert_eq!(host.mtcp.stats().missed, 1);
}
