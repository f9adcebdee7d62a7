//! Nothing on a packet's way allocates: every law with every recovery through losses, reordering and lost
//! acknowledgements, once the buffers are as large as the window.

use base::{Named, Span, Time};
use counting::{Counting, allocations};
use net::Segment;
use std::collections::VecDeque;
use transport::tcp::{
    DelayedAck, Endpoint, LawName, LossRules, Receiver, Recovery, Sender, SsthreshBase, TcpConfig,
    Threshold, Where,
};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Segments of the receiver's window: what the buffers grow to.
const WINDOW: u64 = 128;
const RECOVERIES: [Recovery; 5] =
    [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno, Recovery::Sack, Recovery::RackTlp];

/// A connection over a path of 40 ms there and back.
struct Run {
    now: Time,
    sender: Sender,
    receiver: Receiver,
    /// What is under way to the receiver (true) or back, in the order of arrival.
    path: VecDeque<(Time, bool, Segment)>,
    out: Vec<Segment>,
    sent: u64,
    acks: u64,
}

impl Run {
    fn new(config: &TcpConfig) -> Run {
        let (sender, receiver) = (Sender::new(config), Receiver::new(config));
        let (path, out) = (VecDeque::with_capacity(65_536), Vec::with_capacity(65_536));
        let mut run = Run { now: Time::ZERO, sender, receiver, path, out, sent: 0, acks: 0 };
        run.sender.write(run.now, u64::MAX, &mut run.out);
        run.sender.open(run.now, &mut run.out);
        run.ship(true, 0);
        run
    }

    /// Puts what was sent on its way: one in `lose_every` (and one acknowledgement in 31) is lost, one in 53 comes 5 ms
    /// late.
    fn ship(&mut self, forward: bool, lose_every: u64) {
        for segment in self.out.drain(..) {
            self.sent += 1;
            let every = if forward { lose_every } else { 31 };
            if every > 0 && self.sent % every == 0 {
                continue;
            }
            let late = if self.sent % 53 == 0 { 5 } else { 0 };
            let arrival = self.now + Span::millis(20 + late) + Span(self.sent % 1000);
            let place = self.path.partition_point(|row| row.0 <= arrival);
            self.path.insert(place, (arrival, forward, segment));
        }
    }

    /// Runs until the sender has heard `acks` acknowledgements.
    fn run(&mut self, acks: u64, lose_every: u64) {
        let end = self.acks + acks;
        while self.acks < end {
            let arrival = self.path.front().map_or(Time::NEVER, |row| row.0);
            let timers = (self.sender.next_timeout(), self.receiver.next_timeout());
            self.now = arrival.min(timers.0).min(timers.1).max(self.now);
            assert!(self.now < Time::NEVER, "nothing is waited for");
            if arrival <= timers.0.min(timers.1) {
                let Some((_, forward, segment)) = self.path.pop_front() else { return };
                if forward {
                    self.receiver.on_segment(self.now, &segment, &mut self.out);
                } else {
                    self.acks += 1;
                    self.sender.on_segment(self.now, &segment, &mut self.out);
                }
                self.ship(!forward, lose_every);
            } else if timers.0 <= timers.1 {
                self.sender.on_timeout(self.now, &mut self.out);
                self.ship(true, lose_every);
            } else {
                self.receiver.on_timeout(self.now, &mut self.out);
                self.ship(false, lose_every);
            }
        }
    }
}

/// How often 3000 acknowledgements with a loss in 97 allocate, after a warm-up with more losses.
fn allocations_of(config: &TcpConfig) -> (u64, Run) {
    let mut run = Run::new(config);
    run.run(2000, 1000);
    run.run(2000, 7);
    run.run(1000, 97);
    let before = allocations();
    run.run(3000, 97);
    (allocations() - before, run)
}

fn small_window(base: TcpConfig) -> TcpConfig {
    let receive_window = WINDOW * u64::from(base.mss);
    TcpConfig { receive_window, frto: Where::Everywhere, undo: Where::Everywhere, ..base }
}

#[test]
fn no_law_with_no_recovery_allocates_on_the_way_of_an_acknowledgement() {
    for &law in LawName::ALL {
        for recovery in RECOVERIES {
            for stamps in [None, Some(Span::millis(1))] {
                let delayed_ack = stamps.map(|_| DelayedAck::every(2, Span::millis(40)));
                let standard = TcpConfig::standard(recovery, law);
                let config = TcpConfig { timestamps: stamps, delayed_ack, ..standard };
                let (count, run) = allocations_of(&small_window(config));
                assert_eq!(count, 0, "{} with {recovery:?}, {stamps:?}", law.name());
                assert!(run.sender.stats().retransmits > 100, "{:?}", run.sender.stats());
            }
        }
    }
}

#[test]
fn ns2s_recoveries_do_not_allocate() {
    for recovery in &RECOVERIES[..4] {
        let (count, run) = allocations_of(&ns2(*recovery));
        assert_eq!(count, 0, "{recovery:?}");
        assert!(run.sender.stats().retransmits > 100);
    }
}

/// A sender of ns-2's.
fn ns2(recovery: Recovery) -> TcpConfig {
    let standard = TcpConfig::standard(recovery, LawName::Reno);
    TcpConfig {
        mss: 1000,
        receive_window: WINDOW * 1000,
        initial_ssthresh: Threshold::Window,
        loss_rules: LossRules::Ns2,
        ssthresh_base: SsthreshBase::Window,
        ..standard
    }
}

/// Requests of 300 B and responses of 60 segments over one connection that stays, with a segment in 23 lost.
#[test]
fn ends_that_speak_both_ways_do_not_allocate() {
    let config = small_window(TcpConfig::standard(Recovery::Sack, LawName::Reno));
    let mut ends = [Endpoint::new(&config), Endpoint::new(&config)];
    let (mut path, mut out) = (VecDeque::with_capacity(4096), Vec::with_capacity(4096));
    let (mut now, mut sent, mut got, mut before) = (Time::ZERO, 0_u64, [0_u64; 2], 0);
    ends[0].connect(now, &mut out);
    ends[0].write(now, 300, &mut out);
    let (mut from, mut rounds) = (0, 0);
    while rounds < 60 {
        for segment in out.drain(..) {
            sent += 1;
            if sent % 23 != 0 {
                path.push_back((now + Span::millis(20), 1 - from, segment));
            }
        }
        let arrival = path.front().map_or(Time::NEVER, |row: &(Time, usize, Segment)| row.0);
        let timeouts = [ends[0].next_timeout(), ends[1].next_timeout()];
        now = arrival.min(timeouts[0]).min(timeouts[1]).max(now);
        assert!(now < Time::NEVER, "nothing is waited for");
        if arrival <= now {
            let Some((_, to, segment)) = path.pop_front() else { return };
            got[to] += ends[to].on_segment(now, &segment, &mut out);
            from = to;
        } else {
            from = usize::from(timeouts[1] <= now);
            ends[from].on_timeout(now, &mut out);
        }
        if got[1] == 300 {
            got[1] = 0;
            ends[1].write(now, 60 * 1460, &mut out);
        } else if got[0] == 60 * 1460 {
            (got[0], rounds) = (0, rounds + 1);
            ends[0].write(now, 300, &mut out);
            before = if rounds == 20 { allocations() } else { before };
        }
    }
    assert_eq!(allocations() - before, 0);
    assert!(ends[1].sender.stats().retransmits > 50, "{:?}", ends[1].sender.stats());
}

#[test]
fn the_count_counts() {
    let before = allocations();
    drop(std::hint::black_box(Vec::<u64>::with_capacity(std::hint::black_box(8))));
    assert_eq!(allocations() - before, 1);
}
