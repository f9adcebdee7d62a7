//! End-to-end semantics: whatever the wire and the air lose, delay and reorder, wherever the mobile goes and whenever a base
//! station forgets all, no acknowledgement reaches the sender of what the mobile has not got, and all bytes arrive.

use base::{Span, Time};
use net::{Flags, Segment};
use proptest::prelude::*;
use std::collections::BTreeMap;
use transport::proxy::{Eln, Fate, Mtcp, MtcpConfig, Orders, Snoop, SnoopConfig};
use transport::tcp::law::LawName;
use transport::tcp::{DelayedAck, Endpoint, Halves, Recovery, TcpConfig};

const MSS: u64 = 1000;

/// What stands at a base station.
#[derive(Clone, Debug)]
enum Machine {
    Snoop(Snoop),
    Mtcp(Mtcp),
}

impl Machine {
    fn new(is_mtcp: bool) -> Machine {
        if is_mtcp {
            Machine::Mtcp(Mtcp::new(MtcpConfig::default()))
        } else {
            Machine::Snoop(Snoop::new(SnoopConfig { cache: 20, ..SnoopConfig::default() }))
        }
    }

    fn on_data(&mut self, now: Time, segment: &Segment) {
        match self {
            Machine::Snoop(snoop) => snoop.on_data(now, segment),
            Machine::Mtcp(mtcp) => mtcp.on_data(now, segment),
        }
    }

    fn on_ack(&mut self, now: Time, segment: &mut Segment, orders: &mut Orders) -> Fate {
        match self {
            Machine::Snoop(snoop) => snoop.on_ack(now, segment, orders),
            Machine::Mtcp(mtcp) => mtcp.on_ack(now, segment, orders),
        }
    }

    fn next_timeout(&self) -> Time {
        match self {
            Machine::Snoop(snoop) => snoop.next_timeout(),
            Machine::Mtcp(mtcp) => mtcp.next_timeout(),
        }
    }

    fn on_timeout(&mut self, now: Time, orders: &mut Orders) {
        match self {
            Machine::Snoop(snoop) => snoop.on_timeout(now, orders),
            Machine::Mtcp(mtcp) => mtcp.on_timeout(now, orders),
        }
    }
}

/// Where a segment comes to.
#[derive(Clone, Copy, Debug)]
enum Place {
    Sender,
    /// From the wire, or from the air.
    Base(usize, bool),
    Mobile,
}

/// What may go wrong, in percent, and when the mobile moves or a station forgets all.
#[derive(Clone, Debug)]
struct Weather {
    is_mtcp: bool,
    recovery: Recovery,
    timestamps: bool,
    delayed: bool,
    wire_loss: u64,
    air_loss: u64,
    reorder: u64,
    /// (ms, it is a move)
    changes: Vec<(u64, bool)>,
    seed: u64,
}

struct Net {
    weather: Weather,
    now: Time,
    draw: u64,
    ends: [Endpoint; 2],
    bases: [Machine; 2],
    serving: usize,
    under_way: BTreeMap<(Time, u64), (Place, Segment)>,
    sent: u64,
    got: u64,
    gone: bool,
}

impl Net {
    fn new(weather: Weather) -> Net {
        let config = TcpConfig {
            mss: MSS as u32,
            receive_window: 40 * MSS,
            timestamps: weather.timestamps.then_some(Span::millis(1)),
            delayed_ack: weather.delayed.then_some(DelayedAck::every(2, Span::millis(100))),
            ..TcpConfig::standard(weather.recovery, LawName::Reno)
        };
        let end = Endpoint::new(&config);
        Net {
            now: Time::ZERO,
            draw: weather.seed | 1,
            ends: [end.clone().with_halves(Halves::Sender), end.with_halves(Halves::Receiver)],
            bases: [Machine::new(weather.is_mtcp), Machine::new(weather.is_mtcp)],
            serving: 0,
            under_way: BTreeMap::new(),
            sent: 0,
            got: 0,
            gone: false,
            weather,
        }
    }

    fn percent(&mut self) -> u64 {
        self.draw = self
            .draw
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.draw >> 33) % 100
    }

    fn hop(&mut self, loss: u64, ms: u64, to: Place, segment: Segment) {
        if self.percent() < loss {
            return;
        }
        let late = if self.percent() < self.weather.reorder { 7 } else { 0 };
        self.sent += 1;
        self.under_way.insert((self.now + Span::millis(ms + late), self.sent), (to, segment));
    }

    fn send_to_base(&mut self, out: Vec<Segment>) {
        for segment in out {
            self.hop(self.weather.wire_loss, 10, Place::Base(self.serving, true), segment);
        }
    }

    fn send_to_mobile(&mut self, segment: Segment, from: usize) {
        // The station that the mobile has left does not reach it.
        let loss = if self.gone || from != self.serving { 100 } else { self.weather.air_loss };
        self.hop(loss, 3, Place::Mobile, segment);
    }

    fn answer_base(&mut self, out: Vec<Segment>) {
        for segment in out {
            let loss = if self.gone { 100 } else { self.weather.air_loss };
            self.hop(loss, 3, Place::Base(self.serving, false), segment);
        }
    }

    fn obey(&mut self, orders: Orders, at: usize) {
        for segment in orders.down {
            self.send_to_mobile(segment, at);
        }
        for segment in orders.up {
            assert!(self.weather.is_mtcp, "Snoop acknowledges nothing");
            self.hop(self.weather.wire_loss, 10, Place::Sender, segment);
        }
    }

    fn arrive(&mut self, place: Place, mut segment: Segment) {
        let mut out = vec![];
        match place {
            Place::Sender => {
                let has = self.ends[1].receiver.next_expected();
                assert!(segment.ack <= has, "{} acknowledged, {has} expected", segment.ack);
                self.ends[0].on_segment(self.now, &segment, &mut out);
                self.send_to_base(out);
            }
            Place::Mobile => {
                self.got += self.ends[1].on_segment(self.now, &segment, &mut out);
                self.answer_base(out);
            }
            Place::Base(at, true) => {
                self.bases[at].on_data(self.now, &segment);
                self.send_to_mobile(segment, at);
            }
            Place::Base(at, false) => {
                let mut orders = Orders::default();
                let fate = self.bases[at].on_ack(self.now, &mut segment, &mut orders);
                self.obey(orders, at);
                if fate == Fate::Pass {
                    self.hop(self.weather.wire_loss, 10, Place::Sender, segment);
                }
            }
        }
    }

    /// The mobile moves, or a station forgets all.
    fn change(&mut self, moves: bool) {
        if moves {
            self.serving = 1 - self.serving;
            // A quarter of moves leave it without a station until the next change.
            self.gone = self.percent() < 25;
        } else {
            self.bases[self.serving] = Machine::new(self.weather.is_mtcp);
        }
    }

    /// Until all is acknowledged; how many bytes came.
    fn run(mut self, segments: u64) -> u64 {
        let mut out = vec![];
        self.ends[0].connect(self.now, &mut out);
        self.ends[0].write(self.now, segments * MSS, &mut out);
        self.ends[0].finish(self.now, &mut out);
        self.send_to_base(out);
        let mut changes = self.weather.changes.clone();
        changes.sort_unstable();
        changes.reverse();
        while !self.ends[0].sender.finished() {
            let arrival = self.under_way.keys().next().map_or(Time::NEVER, |key| key.0);
            let timers = [0, 1].map(|i| self.ends[i].next_timeout());
            let bases = [0, 1].map(|i| self.bases[i].next_timeout());
            let change = changes.last().map_or(Time::NEVER, |c| Time::ZERO + Span::millis(c.0));
            let due = timers.into_iter().chain(bases).chain([arrival, change]).min();
            let due = due.unwrap_or(Time::NEVER);
            assert!(due < Time::ZERO + Span::secs(5_000_000), "it does not end");
            self.now = self.now.max(due);
            if change == due {
                let moves = changes.pop().is_some_and(|c| c.1);
                self.change(moves);
                // It comes back at last.
                self.gone &= !changes.is_empty();
            } else if arrival == due {
                if let Some((_, (place, segment))) = self.under_way.pop_first() {
                    self.arrive(place, segment);
                }
            } else if let Some(at) = bases.iter().position(|&base| base == due) {
                let mut orders = Orders::default();
                self.bases[at].on_timeout(self.now, &mut orders);
                self.obey(orders, at);
            } else {
                let end = usize::from(timers[1] == due);
                let mut out = vec![];
                self.ends[end].on_timeout(self.now, &mut out);
                if end == 0 { self.send_to_base(out) } else { self.answer_base(out) }
            }
        }
        assert!(self.ends[1].receiver.is_closed());
        self.got
    }
}

fn weather() -> impl Strategy<Value = Weather> {
    let recovery = prop::sample::select(vec![
        Recovery::Tahoe,
        Recovery::Reno,
        Recovery::NewReno,
        Recovery::Sack,
        Recovery::RackTlp,
    ]);
    let losses = (0..12_u64, 0..35_u64, 0..12_u64);
    let changes = prop::collection::vec((0..8_000_u64, any::<bool>()), 0..8);
    (any::<bool>(), recovery, any::<[bool; 2]>(), losses, changes, any::<u64>()).prop_map(
        |(is_mtcp, recovery, [timestamps, delayed], losses, changes, seed)| {
            let (wire_loss, air_loss, reorder) = losses;
            Weather {
                is_mtcp,
                recovery,
                timestamps,
                delayed,
                wire_loss,
                air_loss,
                reorder,
                changes,
                seed,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn end_to_end_semantics_hold(weather in weather()) {
        prop_assert_eq!(Net::new(weather).run(150), 150 * MSS);
    }

    /// Marks that say of nothing what is not so: what is marked never came over the air.
    #[test]
    fn no_mark_on_what_came_over_the_air(
        lost in prop::collection::vec(any::<bool>(), 100),
        acks in prop::collection::vec(0..101_u64, 0..60),
    ) {
        let mut eln = Eln::default();
        let mut acks = acks;
        acks.sort_unstable();
        for (i, lost) in lost.iter().enumerate() {
            let data = Segment { seq: 1 + i as u64 * MSS, len: MSS as u32, ..Segment::default() };
            if !lost {
                eln.on_data(&data);
            }
        }
        for ack in acks {
            let mut segment = Segment { ack: 1 + ack * MSS, flags: Flags::ACK, ..Segment::default() };
            eln.on_ack(&mut segment);
            let came = |i: u64| lost.get(i as usize).is_some_and(|lost| !lost);
            let is_hole = !came(ack) && (ack..100).any(came);
            prop_assert_eq!(segment.flags.has(Flags::ELN), is_hole);
        }
    }
}
