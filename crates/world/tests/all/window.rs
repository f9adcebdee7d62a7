//! The edges of the measured window: what is measured is recomputed from packets and frames, wherever it begins and ends.

use crate::support::{bulk, cbr, cell, duplex, gilbert_elliott, ns2, plan};
use base::{CellId, PacketId, Seed, Span, StationId, Time};
use net::QueueLimit;
use radio::mobility::Mobility;
use radio::propagation::{PathLoss, ShadowingConfig};
use radio::{ChannelConfig, Position, Thresholds};
use std::collections::BTreeMap;
use transport::tcp::Recovery;
use wifi::{FrameKind, Propagation, Reception, Sent, StationOutcome};
use world::{MediumPlan, Note, Outcome, Plan, World};

/// From the first instant of the first to the last of the last.
type Interval = (Time, Time);
type Place = (CellId, StationId);

/// What packets and frames say of queues and exchanges.
#[derive(Default)]
struct Recount {
    /// By link: when packets waited.
    wires: BTreeMap<usize, Vec<Interval>>,
    /// By station.
    stations: BTreeMap<Place, Station>,
}

#[derive(Default)]
struct Station {
    /// Packets that have not been sent yet, in their order, and when they came.
    here: Vec<(PacketId, Time)>,
    waits: Vec<Interval>,
    /// The frames of its present exchange.
    frames: Vec<Interval>,
    /// When its last exchange ended.
    ended: Time,
    /// All exchanges, and when they had ended.
    exchanges: Vec<(Interval, Option<Time>)>,
}

/// A SIFS and a CTS or an ACK.
const ANSWER: Span = Span::micros(10 + 192 + 56);

impl Recount {
    fn of(notes: &[(Time, Note)]) -> Recount {
        let mut recount = Recount::default();
        for (now, note) in notes {
            recount.take(*now, note);
        }
        recount.stations.values_mut().for_each(Station::finish);
        recount
    }

    fn take(&mut self, now: Time, note: &Note) {
        match note {
            Note::WireIn { link, transit, .. } => {
                self.wires.entry(link.index()).or_default().push((now, transit.start));
            }
            &Note::AirIn { cell, from, id, .. } => {
                self.stations.entry((cell, from)).or_default().here.push((id, now));
            }
            Note::Dropped { id, .. } => {
                for station in self.stations.values_mut() {
                    if let Some(at) = station.here.iter().position(|packet| packet.0 == *id) {
                        station.here.remove(at);
                    }
                }
            }
            Note::FrameSent { cell, frame, .. } => {
                let owner = match frame.kind {
                    FrameKind::Cts | FrameKind::Ack => frame.to,
                    _ => frame.from,
                };
                self.stations.entry((*cell, owner)).or_default().send(frame);
            }
            &Note::ExchangeEnded { cell, station } => {
                self.stations.entry((cell, station)).or_default().end(now);
            }
            _ => {}
        }
    }
}

impl Station {
    fn send(&mut self, frame: &Sent) {
        let end = frame.start + frame.airtime;
        self.frames.push((frame.start, end));
        if let Some(id) = frame.opens {
            let at = self.here.iter().position(|packet| packet.0 == id).expect("it is here");
            assert_eq!(at, 0, "first come, first served");
            let (_, came) = self.here.remove(at);
            self.waits.push((came, came.max(self.ended)));
        }
    }

    fn end(&mut self, now: Time) {
        // An answer that is not over when its addressee gives up comes too late to be of the exchange.
        let over = self.frames.iter().map(|frame| frame.1).filter(|&end| end <= now).max();
        if let (Some(first), Some(end)) = (self.frames.first(), over) {
            self.exchanges.push(((first.0, end), Some(now)));
        }
        self.frames.clear();
        self.ended = now;
    }

    /// What still waits at the end of the notes waits for ever, but for the one that is next.
    fn finish(&mut self) {
        let end = self.frames.iter().map(|frame| frame.1).max();
        if let (Some(first), Some(end)) = (self.frames.first(), end) {
            self.exchanges.push(((first.0, end), None));
        }
        self.waits.extend(self.here.iter().map(|&(_, came)| (came, Time::NEVER)));
    }
}

fn overlap((from, to): Interval, window: Interval) -> f64 {
    to.min(window.1).since(from.max(window.0)).as_secs()
}

fn sum(intervals: &[Interval], window: Interval) -> f64 {
    intervals.iter().map(|&interval| overlap(interval, window)).sum()
}

/// A wire, an access point and a station that get more than they can send, a lossy channel, RTS for some.
fn overloaded(seed: u64) -> Plan {
    let mut plan = plan(6, 3);
    let queue = if seed % 2 == 0 { QueueLimit::Unlimited } else { QueueLimit::Packets(30) };
    duplex(&mut plan, (0, 1), 3_000_000, Span::millis(2), queue);
    cell(&mut plan, 1..6, 2_000_000, gilbert_elliott());
    for station in &mut plan.cells[0].configs {
        station.queue = queue.into();
        station.mac.rts_threshold = 700;
    }
    for (from, to) in [(0, 2), (0, 3), (4, 0), (5, 3)] {
        let packet = if to == 2 { 500 } else { 1000 };
        bulk(&mut plan, (from, to), ns2(Recovery::Reno, packet, 2000));
    }
    plan.warmup = Span((seed * 37_123_457) % 900_000_000);
    plan.duration = Span::secs(1) + Span((seed * 53_812_361) % 500_000_000);
    plan
}

/// The same stations heard at different strengths, so that exchanges are played frame by frame.
fn with_places(seed: u64) -> Plan {
    let mut plan = overloaded(seed);
    plan.cells[0].channel = ChannelConfig::Ideal;
    let place = |i: u32| Mobility::fixed(Position::flat(120.0 * f64::from(i), 0.0));
    plan.cells[0].medium = Some(MediumPlan {
        channel: 1,
        propagation: Propagation {
            path_loss: PathLoss::ns2_two_ray(914e6),
            shadowing: ShadowingConfig::Fresh { sigma_db: 4.0 },
            fading: None,
        },
        transmit_w: Thresholds::WAVELAN_TRANSMIT_W,
        reception: Reception::Thresholds(Thresholds::WAVELAN),
        places: [0, 1, 2, 1, 2].into_iter().map(place).collect(),
    });
    plan
}

/// What was measured, and what is told up to a while after the end.
fn watched(plan: &Plan, seed: u64) -> (Outcome, Recount) {
    let seed = Seed { seed, replication: 0 };
    let mut world = World::build(plan, seed).expect("it is connected");
    let mut notes: Vec<(Time, Note)> = Vec::new();
    let end = Time::ZERO + plan.duration;
    world.run_watched(end, &mut notes);
    let outcome = world.outcome();
    world.run_watched(end + Span::secs(2), &mut notes);
    (outcome, Recount::of(&notes))
}

fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{what}: {a} against {b}");
}

/// A station's failed exchanges, for all causes.
fn failures(station: &StationOutcome) -> u64 {
    let own = station.collisions + station.channel_errors + station.hidden;
    own + station.out_of_range + station.away.unwrap_or(0)
}

fn compare_stations(plan: &Plan, outcome: &Outcome, recount: &Recount, window: Interval) {
    let measured_s = window.1.since(window.0).as_secs();
    for (i, station) in outcome.stations.iter().enumerate() {
        let what = format!("{} from {} to {}", station.name, window.0, window.1);
        let queue = &outcome.queues[plan.links.len() + i];
        let Some(told) = recount.stations.get(&(CellId(0), StationId(i as u32))) else {
            assert_eq!((station.attempts, queue.offered, queue.mean_packets), (0, 0, 0.0));
            continue;
        };
        close(queue.mean_packets * measured_s, sum(&told.waits, window), &what);
        assert!(f64::from(queue.max_packets) >= queue.mean_packets, "{what}: {queue:?}");
        let begun = |&&((start, _), _): &&(Interval, Option<Time>)| {
            (start > window.0 || window.0 == Time::ZERO) && start <= window.1
        };
        let begun: Vec<_> = told.exchanges.iter().filter(begun).collect();
        let over = begun.iter().filter(|it| it.1.is_some_and(|ended| ended <= window.1)).count();
        assert_eq!(station.attempts, begun.len() as u64, "{what}");
        assert_eq!(station.successes + failures(station), over as u64, "{what}");
        assert!(station.retries <= station.attempts && station.retry_drops <= failures(station));
        let air: Vec<Interval> = told.exchanges.iter().map(|it| it.0).collect();
        let (taken, off) = (sum(&air, window), station.airtime_share * measured_s);
        // An answer on the air at the end may come too late: whether it is of the exchange is not known then.
        let under_way = air.iter().any(|it| it.0 <= window.1 && window.1 <= it.1 + ANSWER);
        let given_up =
            if plan.cells[0].medium.is_some() && under_way { ANSWER.as_secs() } else { 0.0 };
        assert!((taken - off).abs() <= 1e-9 + given_up, "{what}: {off} s, told {taken} s");
        assert!(station.airtime_share <= 1.0 && station.cell_busy_share <= 1.0, "{what}");
    }
}

fn compare_wires(plan: &Plan, outcome: &Outcome, recount: &Recount, window: Interval) {
    let measured_s = window.1.since(window.0).as_secs();
    for (i, queue) in outcome.queues[..plan.links.len()].iter().enumerate() {
        let waits = recount.wires.get(&i).map_or(&[][..], |waits| waits);
        close(queue.mean_packets * measured_s, sum(waits, window), &queue.name);
        assert!(f64::from(queue.max_packets) >= queue.mean_packets, "{queue:?}");
        let begun = |start: Time| start > window.0 && start <= window.1;
        let begun = waits.iter().filter(|wait| begun(wait.1)).count() as u64;
        if window.0 > Time::ZERO {
            assert_eq!(outcome.links[i].packets, begun, "{}", queue.name);
        }
        assert!(outcome.links[i].utilisation <= 1.0);
    }
}

#[test]
fn queues_exchanges_and_airtime_are_those_of_the_measured_window() {
    let mut standing = 0;
    for seed in 0..24 {
        for plan in [overloaded(seed), with_places(seed)] {
            let (outcome, recount) = watched(&plan, seed);
            let window = (Time::ZERO + plan.warmup, Time::ZERO + plan.duration);
            compare_wires(&plan, &outcome, &recount, window);
            compare_stations(&plan, &outcome, &recount, window);
            standing += outcome.queues.iter().filter(|queue| queue.mean_packets > 20.0).count();
        }
    }
    assert!(standing > 24, "there are queues that stand: {standing}");
}

/// A queue that only grows: 8 Mbit/s come and 2 go. A warm-up leaves it as long as it is.
#[test]
fn a_growing_queue_has_the_mean_of_a_ramp_and_begins_where_the_warm_up_left_it() {
    let mut plan = plan(3, 10);
    duplex(&mut plan, (0, 1), 100_000_000, Span::ZERO, QueueLimit::Unlimited);
    duplex(&mut plan, (1, 2), 2_000_000, Span::ZERO, QueueLimit::Unlimited);
    // 1000 B every millisecond; the wire sends one in four.
    cbr(&mut plan, (0, 2), 1000, 8_000_000);
    for (warmup, mean, most) in [(0, 3750.0, 7500), (5, 5625.0, 7500)] {
        plan.warmup = Span::secs(warmup);
        let (outcome, _) = watched(&plan, 1);
        let queue = &outcome.queues[2];
        assert!((queue.mean_packets / mean - 1.0).abs() < 0.001, "{queue:?}");
        assert!(queue.max_packets.abs_diff(most) < 5, "{queue:?}");
    }
}
