//! Through a channel that loses, delays, reorders and duplicates in both directions, every byte is delivered once
//! and in order, nothing hangs, and the windows keep their bounds.

use base::Named;
use base::{Purpose, Rng, Seed, Span, Time};
use net::{Ecn, Flags, Segment};
use proptest::prelude::*;
use std::collections::BTreeMap;
use transport::tcp::{
    DelayedAck, EcnMode, ExitGrowth, LossRules, NewRenoConfig, Pacing, PartialAckTimer, Reader,
    Receiver, Recovery, Reduction, RepeatConfig, SackConfig, Sender, SlowStart, SsthreshBase,
    TcpConfig, Threshold, Where,
};

#[derive(Clone, Debug)]
struct Channel {
    delay: Span,
    /// Up to this much is added to each delay: packets overtake.
    spread: Span,
    loss: f64,
    duplication: f64,
    /// How often a segment that can carry a mark gets one.
    marking: f64,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Data(Segment),
    Ack(Segment),
    SenderTimer,
    ReceiverTimer,
    Write(u64),
}

struct Run {
    now: Time,
    events: BTreeMap<(Time, u64), Event>,
    order: u64,
    rng: Rng,
    channel: Channel,
    sender: Sender,
    receiver: Receiver,
    receive_window: u64,
    /// Which bytes have reached the receiver.
    arrived: Vec<bool>,
    in_order: usize,
    delivered: usize,
    paws: bool,
    highest: u64,
    /// When the timers' last events come: the sender's, the receiver's.
    armed: [Time; 2],
}

impl Run {
    fn schedule(&mut self, at: Time, event: Event) {
        self.events.insert((at, self.order), event);
        self.order += 1;
    }

    /// Sends through the channel: no copy, one or two.
    fn transmit(&mut self, segments: Vec<Segment>, event: fn(Segment) -> Event) {
        for mut segment in segments {
            if matches!(segment.ecn, Ecn::Capable | Ecn::Scalable)
                && self.rng.chance(self.channel.marking)
            {
                segment.ecn = Ecn::Marked;
            }
            let copies = 1 + u32::from(self.rng.chance(self.channel.duplication));
            for _ in 0..copies {
                if !self.rng.chance(self.channel.loss) {
                    let extra = self.channel.spread.as_secs() * self.rng.unit();
                    let at = self.now + self.channel.delay + Span::from_secs(extra);
                    self.schedule(at, event(segment));
                }
            }
        }
    }

    fn handle(&mut self, event: Event) {
        let mut out = vec![];
        let now = self.now;
        match event {
            Event::Data(segment) => return self.on_data(&segment),
            Event::ReceiverTimer => {
                self.receiver.on_timeout(now, &mut out);
                self.transmit(out, Event::Ack);
                return self.schedule_timer(self.receiver.next_timeout(), Event::ReceiverTimer);
            }
            Event::Ack(segment) => self.sender.on_segment(now, &segment, &mut out),
            Event::SenderTimer => self.sender.on_timeout(now, &mut out),
            Event::Write(bytes) => self.sender.write(now, bytes, &mut out),
        }
        self.sent(out);
    }

    fn sent(&mut self, out: Vec<Segment>) {
        for segment in &out {
            let probe = segment.len == 0 && segment.flags == Flags::ACK;
            assert!(probe || segment.retransmission || segment.seq >= self.highest);
            self.highest = self.highest.max(segment.end());
        }
        self.transmit(out, Event::Data);
        let state = self.sender.snapshot();
        assert!(state.cwnd.is_finite() && state.cwnd >= 1.0, "{state:?}");
        assert!(state.ssthresh >= 2.0 && state.rto > Span::ZERO, "{state:?}");
        let flight = self.highest.saturating_sub(state.snd_una.max(1));
        assert!(flight <= self.receive_window, "{flight} in flight");
        let waits = self.sender.next_timeout() != Time::NEVER;
        assert!(waits || state.snd_una >= self.highest, "outstanding data and no timer");
        assert!(!waits || !self.sender.finished(), "a timer for nothing");
        self.schedule_timer(self.sender.next_timeout(), Event::SenderTimer);
    }

    fn schedule_timer(&mut self, at: Time, event: Event) {
        let armed = &mut self.armed[usize::from(matches!(event, Event::ReceiverTimer))];
        if at != Time::NEVER && *armed != at {
            *armed = at;
            self.schedule(at, event);
        }
    }

    fn on_data(&mut self, segment: &Segment) {
        let mut out = vec![];
        let delivered = self.receiver.on_segment(self.now, segment, &mut out) as usize;
        if segment.len > 0 {
            let start = segment.seq as usize - 1;
            self.arrived[start..start + segment.len as usize].fill(true);
            assert!(segment.seq >= 1 && segment.end() <= self.arrived.len() as u64 + 1);
        }
        while self.arrived.get(self.in_order) == Some(&true) {
            self.in_order += 1;
        }
        self.delivered += delivered;
        // PAWS refuses what is older than a retransmission (RFC 7323 section 5.3): it has to come again.
        let all = self.delivered == self.in_order;
        assert!(all || (self.paws && self.delivered < self.in_order), "new in order: delivered");
        self.transmit(out, Event::Ack);
        self.schedule_timer(self.receiver.next_timeout(), Event::ReceiverTimer);
    }
}

/// Transfers `writes` (when, bytes) and returns when all is acknowledged.
fn transfer(config: &TcpConfig, channel: Channel, writes: &[(Span, u64)], seed: u64) -> Time {
    let total: u64 = writes.iter().map(|write| write.1).sum();
    let mut run = Run {
        now: Time::ZERO,
        events: BTreeMap::new(),
        order: 0,
        rng: Seed { seed, replication: 0 }.stream(Purpose::LinkLoss, 0),
        channel,
        sender: Sender::new(config),
        receiver: Receiver::new(config),
        receive_window: config.receive_window,
        arrived: vec![false; total as usize],
        in_order: 0,
        delivered: 0,
        paws: config.timestamps.is_some(),
        highest: u64::from(!config.handshake),
        armed: [Time::NEVER; 2],
    };
    let mut out = vec![];
    run.sender.open(Time::ZERO, &mut out);
    run.sent(out);
    for &(after, bytes) in writes {
        run.schedule(Time::ZERO + after, Event::Write(bytes));
    }
    let mut handled = 0;
    while let Some(((now, _), event)) = run.events.pop_first() {
        run.now = now;
        run.handle(event);
        handled += 1;
        assert!(handled < 3_000_000, "no end in sight: {:?}", run.sender);
        if run.delivered as u64 == total && run.sender.finished() {
            return now;
        }
    }
    panic!("it hangs: {:?}", run.sender);
}

fn configs() -> impl Strategy<Value = TcpConfig> {
    let recovery = prop_oneof![
        1 => Just(Recovery::Tahoe),
        1 => Just(Recovery::Reno),
        1 => Just(Recovery::NewReno),
        3 => Just(Recovery::Sack),
        3 => Just(Recovery::RackTlp),
        2 => Just(Recovery::SelectiveRepeat),
    ];
    let base = prop_oneof![
        Just(SsthreshBase::FlightSize),
        Just(SsthreshBase::Window),
        Just(SsthreshBase::WholeWindow)
    ];
    let rules = (base, prop_oneof![Just(LossRules::Rfc), Just(LossRules::Ns2)]);
    let timer = prop_oneof![Just(PartialAckTimer::First), Just(PartialAckTimer::Every)];
    let newreno = (timer, any::<bool>(), any::<bool>())
        .prop_map(|(timer, deflate, exit)| NewRenoConfig { timer, deflate, careful_exit: exit });
    let delayed = proptest::option::of((1..5_u32, 1..500_u64, any::<bool>()).prop_map(
        |(segments, ms, quick)| DelayedAck {
            quick,
            ..DelayedAck::every(segments, Span::millis(ms))
        },
    ));
    // Small and large alike: segments of 1 B to 9000 B, windows of 1 to 1000 segments and a part of one.
    let mss = prop_oneof![1..10_u32, 1..9001_u32];
    let window = (prop_oneof![1..8_u64, 1..1001_u64], 0.0..1.0_f64);
    let first = (1..12_u32, proptest::option::of(2.0..50.0_f64));
    let flags = any::<[bool; 3]>();
    (recovery, rules, newreno, delayed, mss, window, first, flags, options()).prop_map(
        |(recovery, rules, newreno, delayed_ack, mss, window, first, flags, options)| {
            let (ssthresh_base, loss_rules) = rules;
            let part = (window.1 * f64::from(mss)) as u64;
            let mut rto = TcpConfig::default().rto;
            if flags[2] {
                rto.min = Span::millis(200);
                rto.granularity = Span::millis(10);
                rto.round_samples = true;
            }
            TcpConfig {
                recovery,
                ssthresh_base,
                loss_rules,
                newreno,
                delayed_ack,
                mss,
                rto,
                receive_window: window.0 * u64::from(mss) + part,
                initial_window: first.0,
                initial_ssthresh: first.1.map_or(Threshold::Unlimited, Threshold::Segments),
                handshake: flags[0],
                limited_transmit: flags[1],
                ..options
            }
        },
    )
}

/// What is beside recovery: SACK's switches, options, slow start, pacing, a slow reader.
fn options() -> impl Strategy<Value = TcpConfig> {
    let slow_start = prop_oneof![
        Just(SlowStart::Standard),
        Just(SlowStart::HyStart),
        Just(SlowStart::HyStartPlusPlus)
    ];
    let ecn = prop::sample::select(EcnMode::ALL);
    let reader = prop_oneof![
        3 => Just(Reader::Immediate),
        1 => (3.0..8.0_f64).prop_map(|exponent| Reader::Rate(libm::pow(10.0, exponent) as u64)),
    ];
    let pacing = proptest::option::of(Just(Pacing { slow_start: 2.0, avoidance: 1.2 }));
    let stamps = proptest::option::of(prop_oneof![Just(Span::millis(1)), Just(Span::micros(1))]);
    let repeat = (1..200_u32, 50..1000_u64)
        .prop_map(|(window, ms)| RepeatConfig { window, after: Span::millis(ms) });
    let flags = any::<[bool; 8]>();
    (slow_start, ecn, reader, pacing, stamps, repeat, flags).prop_map(
        |(slow_start, ecn, reader, pacing, timestamps, repeat, flags)| TcpConfig {
            repeat,
            slow_start,
            ecn,
            reader,
            pacing,
            timestamps,
            sack: SackConfig {
                reduction: if flags[0] { Reduction::Prr } else { Reduction::Pipe },
                sample_every_ack: flags[1],
                tail_probe: flags[4],
                smooth_oldest: flags[6],
                blocks_count_fin: flags[5],
                exit_grows: if flags[7] { ExitGrowth::Delivered } else { ExitGrowth::Nothing },
                ..SackConfig::default()
            },
            frto: either(flags[2]),
            undo: either(flags[3]),
            dsack: flags[5],
            grow_from_half: flags[6],
            whole_steps: flags[6],
            round_beyond: flags[2],
            window_scaling: flags[7],
            ..TcpConfig::default()
        },
    )
}

/// Everywhere or nowhere.
fn either(on: bool) -> Where {
    if on { Where::Everywhere } else { Where::Nowhere }
}

fn channels() -> impl Strategy<Value = Channel> {
    // One-way delays of 50 us to 5 s, evenly over the decades.
    let loss = prop_oneof![0.0..0.05_f64, 0.0..0.4_f64];
    (-4.3..0.7_f64, 0.0..3.0_f64, loss, 0.0..0.3_f64, 0.0..0.2_f64).prop_map(
        |(exponent, spread, loss, duplication, marking)| {
            let delay = libm::pow(10.0, exponent);
            Channel {
                delay: Span::from_secs(delay),
                spread: Span::from_secs(delay * spread),
                loss,
                duplication,
                marking,
            }
        },
    )
}

/// When, and how many segments and bytes.
fn writes() -> impl Strategy<Value = Vec<(u64, u64, u64)>> {
    proptest::collection::vec((0..20_000_u64, 0..60_u64, 1..2000_u64), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn every_byte_is_delivered_once_and_in_order_through_a_hostile_channel(
        config in configs(),
        channel in channels(),
        writes in writes(),
        seed in any::<u64>(),
    ) {
        let mss = u64::from(config.mss);
        let writes: Vec<_> = writes
            .iter()
            .map(|&(ms, segments, bytes)| (Span::millis(ms), segments * mss + bytes.min(mss * 20)))
            .collect();
        transfer(&config, channel, &writes, seed);
    }

    #[test]
    fn a_run_is_repeated_exactly(config in configs(), channel in channels(), seed in any::<u64>()) {
        let writes = [(Span::ZERO, 30 * u64::from(config.mss))];
        let once = transfer(&config, channel.clone(), &writes, seed);
        prop_assert_eq!(once, transfer(&config, channel, &writes, seed));
    }
}

fn clean() -> Channel {
    Channel {
        delay: Span::millis(50),
        spread: Span::ZERO,
        loss: 0.0,
        duplication: 0.0,
        marking: 0.0,
    }
}

/// A hundred thousand segments, a window of 20,000 and one in a hundred lost: what the scoreboard is for.
#[test]
fn a_long_fat_path_with_loss_is_no_trouble_with_sack() {
    for recovery in [Recovery::Sack, Recovery::RackTlp] {
        let channel = Channel { loss: 0.001, ..clean() };
        let config =
            TcpConfig { recovery, mss: 10, receive_window: 200_000, ..TcpConfig::default() };
        transfer(&config, channel, &[(Span::ZERO, 1_000_000)], 7);
    }
}

/// Without loss: 1 handshake, then slow start from 10 segments: 10 + 20 + 40 + 30.
#[test]
fn a_hundred_segments_take_five_round_trips_on_a_clean_path() {
    let channel = clean();
    let config = TcpConfig::default();
    let end = transfer(&config, channel, &[(Span::ZERO, 100 * 1460)], 1);
    assert_eq!(end, Time::ZERO + Span::millis(500));
}
