//! One link, offered packets by hand.

use super::*;
use crate::test_support::packet;
use crate::{Device, Discipline, QueueLimit};
use base::Options;

const SEED: Seed = Seed { seed: 1, replication: 0 };

fn config(queue: QueueLimit) -> WireConfig {
    WireConfig {
        rate: Rate(8_000_000),
        delay: Span::millis(10),
        queue: queue.into(),
        loss: 0.0,
        loss_place: LossPlace::Leaving,
        bursts: None,
        drop_lists: vec![],
        course: None,
        jitter: None,
    }
}

/// A link, with the packets of a network in which there is no other.
struct Alone {
    wire: Wire,
    transits: Transits,
}

impl Alone {
    fn new(config: WireConfig, number: u64) -> Alone {
        Alone::of(Wire::new(config, SEED, number))
    }

    fn of(wire: Wire) -> Alone {
        Alone { wire, transits: Transits::default() }
    }

    fn offer(&mut self, now: Time, arrival: &Arrival<'_>) -> Result<(Offer, bool), DropReason> {
        self.wire.offer(now, FlowId(0), arrival, &mut self.transits)
    }

    fn arrive(&mut self, now: Time) -> (Option<Landed>, Next) {
        self.wire.arrive(now, &self.transits)
    }

    fn depart(&mut self, now: Time) -> Departure {
        self.wire.depart(now, &mut self.transits)
    }

    fn backlog(&mut self, now: Time) -> Backlog {
        self.wire.backlog(now, &self.transits)
    }

    fn stats_by(&self, now: Time) -> WireStats {
        self.wire.stats_by(now, &self.transits)
    }
}

fn wire(queue: QueueLimit) -> Alone {
    Alone::new(config(queue), 0)
}

/// Offers 1000 B that can carry a mark.
fn offer(wire: &mut Alone, now: u64, id: u32) -> Result<(Offer, bool), DropReason> {
    let packet = packet(0);
    let arrival = Arrival { id: PacketId(id), bytes: 1000, packet: Some(&packet) };
    wire.offer(Time(now), &arrival)
}

#[test]
fn packets_leave_one_after_the_other_and_arrive_in_order() {
    let mut wire = wire(QueueLimit::Packets(10));
    // 1000 B at 8 Mbit/s take 1 ms.
    assert_eq!(offer(&mut wire, 0, 0), Ok((Offer::Head(Time(11_000_000)), false)));
    assert_eq!(offer(&mut wire, 0, 1), Ok((Offer::Behind, false)));
    let second = Some((Time(12_000_000), PacketId(1)));
    assert_eq!(wire.arrive(Time(11_000_000)), (Some(Ok(PacketId(0))), second));
    assert_eq!(wire.arrive(Time(12_000_000)), (Some(Ok(PacketId(1))), None));
    assert_eq!(wire.arrive(Time(13_000_000)), (None, None));
}

#[test]
fn a_packet_is_marked_when_more_than_the_threshold_wait() {
    let mut config = config(QueueLimit::Packets(10));
    config.queue.options = Options::of(&[("mark_above", 2.0)]);
    let mut wire = Alone::new(config, 0);
    let marks: Vec<bool> = (0..5).map(|i| offer(&mut wire, 0, i).expect("room").1).collect();
    // The first is sent at once; the second and third wait.
    assert_eq!(marks, [false, false, false, true, true]);
    assert_eq!(wire.stats_by(Time(0)).queue.marked, 2);
}

#[test]
fn a_full_queue_drops_the_tail() {
    let mut wire = wire(QueueLimit::Packets(2));
    let fates: Vec<_> = (0..4).map(|i| offer(&mut wire, 0, i)).collect();
    assert_eq!(fates[3], Err(DropReason::Queue));
    assert_eq!(wire.stats_by(Time(0)).queue.max_packets, 2);
    let mean = |wire: &Alone, at| wire.stats_by(at).queue.mean_packets(at);
    // After 0.5 ms two have waited all the time.
    assert!((mean(&wire, Time(500_000)) - 2.0).abs() < 1e-12);
    // At 1 ms the first has left and the second begins: one waits.
    assert_eq!(wire.backlog(Time(1_000_000)).packets, 1);
    assert_eq!(wire.backlog(Time(1_000_000)).bytes, 1000);
    // The second waited 1 ms, the third 1.5 ms so far, and 2 ms in all.
    assert!((mean(&wire, Time(1_500_000)) - 5.0 / 3.0).abs() < 1e-12);
    assert!((mean(&wire, Time(3_000_000)) - 1.0).abs() < 1e-12);
}

#[test]
fn what_is_queued_when_the_measurement_begins_counts_from_then_on() {
    let mut wire = wire(QueueLimit::Packets(10));
    (0..4).for_each(|i| _ = offer(&mut wire, 0, i));
    wire.wire.begin_measurement(Time(1_500_000), &wire.transits);
    let begun = wire.stats_by(Time(1_500_000));
    // The second is being sent, two wait: until 2 ms and until 3 ms.
    assert_eq!((begun.queue.max_packets, begun.packets, begun.busy), (2, 0, Span::ZERO));
    let later = wire.stats_by(Time(2_500_000));
    assert_eq!((later.packets, later.busy), (1, Span::millis(1)));
    assert!((later.queue.mean_packets(Time(2_500_000)) - 1.5).abs() < 1e-12);
    let last = wire.stats_by(Time(5_500_000));
    assert_eq!((last.packets, last.busy), (2, Span(2_500_000)));
    assert!((last.queue.mean_packets(Time(5_500_000)) - 0.5).abs() < 1e-12);
}

/// Results for packets at these times: arrivals (time, packet, lost), drops, counts at the end.
type Story = (Vec<(u64, u32, bool)>, Vec<u32>, u64, u32, f64, u64, Span);

/// Plays packets of sizes at times through a link, as the world does.
fn play(mut wire: Alone, packets: &[(u64, u32)], end: u64) -> Story {
    // (time, phase, packet): arrivals, departures, then new packets.
    let mut agenda: std::collections::BTreeSet<(u64, u8, u32)> =
        packets.iter().enumerate().map(|(i, &(at, _))| (at, 2, i as u32)).collect();
    let (mut arrived, mut dropped) = (Vec::new(), Vec::new());
    while let Some((now, what, id)) = agenda.pop_first().filter(|next| next.0 <= end) {
        let mut departs = what == 1;
        match what {
            0 => {
                let (fate, next) = wire.arrive(Time(now));
                if let Some(fate) = fate {
                    let (id, lost) = fate.map_or_else(|id| (id, true), |id| (id, false));
                    arrived.push((now, id.0, lost));
                }
                agenda.extend(next.map(|(at, _)| (at.0, 0, 0)));
            }
            1 => {}
            _ => {
                let bytes = packets[id as usize].1;
                match wire.offer(Time(now), &(PacketId(id), bytes).into()) {
                    Ok((Offer::Head(at), _)) => _ = agenda.insert((at.0, 0, 0)),
                    Ok((Offer::Due, _)) => {
                        agenda.insert((now, 2, id));
                        departs = true;
                    }
                    Ok((offer, _)) => departs = offer == Offer::Ready,
                    Err(_) => dropped.push(id),
                }
            }
        }
        if departs {
            let departure = wire.depart(Time(now));
            agenda.extend(departure.head.map(|at| (at.0, 0, 0)));
            agenda.extend(departure.next.map(|at| (at.0, 1, 0)));
        }
    }
    let stats = wire.stats_by(Time(end));
    let mean = stats.queue.mean_packets(Time(end));
    (
        arrived,
        dropped,
        stats.queue.offered,
        stats.queue.max_packets,
        mean,
        stats.packets,
        stats.busy,
    )
}

/// The same link, whose queue hands the packets out.
fn by_queue(Alone { wire, .. }: &Alone, config: &WireConfig) -> Alone {
    let owner = Owner { seed: SEED, purpose: Purpose::LinkQueue, number: 0 };
    let queue = Queue::new(&config.queue, config.rate, owner);
    let managed = Managed { queue, held: Span::ZERO, is_shaped: false, fates: Vec::new() };
    Alone::of(Wire { line: Line::Managed(Box::new(managed)), ..wire.clone() })
}

/// The express way of drop tail and the general way, in which the queue hands packets out, are one link.
#[test]
fn drop_tail_ahead_of_time_is_drop_tail_packet_by_packet() {
    let mut rng = SEED.stream(Purpose::App, 1);
    for case in 0..300 {
        let mut at = 0;
        let packets: Vec<(u64, u32)> = (0..200)
            .map(|_| {
                // Multiples of the time of 500 B, so that many things happen at once.
                at += 500_000 * u64::from(rng.below(4));
                (at, 500 * (1 + rng.below(4)))
            })
            .collect();
        let limits =
            [QueueLimit::Packets(case % 7), QueueLimit::Bytes(4000), QueueLimit::Unlimited];
        let mut config = config(limits[case as usize % 3]);
        config.loss = 0.1 * f64::from(case % 2);
        let ahead = Alone::new(config.clone(), case.into());
        let managed = by_queue(&ahead, &config);
        assert_eq!(play(ahead, &packets, at), play(managed, &packets, at), "case {case}");
    }
}

#[test]
fn a_link_whose_queue_hands_packets_out_is_asked_for_each() {
    let mut config = config(QueueLimit::Packets(10));
    config.queue.discipline = Discipline::Codel;
    let mut wire = Alone::new(config, 0);
    assert_eq!(offer(&mut wire, 0, 0), Ok((Offer::Ready, false)));
    let first = wire.depart(Time(0));
    assert_eq!(first.head, Some(Time(11_000_000)));
    assert_eq!(first.next, Some(Time(1_000_000)));
    assert_eq!(offer(&mut wire, 0, 1), Ok((Offer::Waits, false)));
    assert_eq!(wire.backlog(Time(0)).device, Device::Sending);
    // A packet that comes as the transmission ends is behind the one that waits, which goes first.
    assert_eq!(offer(&mut wire, 1_000_000, 2), Ok((Offer::Due, false)));
    let second = wire.depart(Time(1_000_000)).begins.expect("one waits");
    assert_eq!((second.0, second.1.arrival), (PacketId(1), Some(Time(12_000_000))));
    // The event that was scheduled for the same instant finds the link busy.
    assert!(wire.depart(Time(1_000_000)).begins.is_none());
}

/// A link that has three rates, is silent for a while, and has shorter and longer delays.
fn unsteady(overtakes: bool) -> WireConfig {
    let stretch = |from_ms, rate, delay_ms, loss| Stretch {
        from: Time::ZERO + Span::millis(from_ms),
        rate: Rate(rate),
        delay: Span::millis(delay_ms),
        loss,
    };
    let stretches = [
        stretch(0, 8_000_000, 20, 0.0),
        stretch(30, 2_000_000, 5, 0.2),
        stretch(60, 0, 5, 0.0),
        stretch(90, 20_000_000, 30, 0.1),
    ];
    WireConfig {
        course: Some(CourseConfig { stretches: stretches.into(), grants: None }),
        jitter: Some(JitterConfig {
            law: JitterLaw::Exponential,
            size: Span::millis(3),
            overtakes,
        }),
        ..config(QueueLimit::Packets(40))
    }
}

fn offered() -> Vec<(u64, u32)> {
    (0..400_u64).map(|i| (i * 317_000, 100 + (i * 7919 % 1400) as u32)).collect()
}

#[test]
fn drop_tail_ahead_of_time_is_the_same_on_an_unsteady_link() {
    for overtakes in [false, true] {
        let config = unsteady(overtakes);
        let ahead = Alone::new(config.clone(), 0);
        let managed = by_queue(&ahead, &config);
        let end = 1_000_000_000;
        assert_eq!(play(ahead, &offered(), end), play(managed, &offered(), end));
    }
}

#[test]
fn packets_overtake_where_they_may_and_nowhere_else() {
    let order = |overtakes| {
        let story = play(Alone::new(unsteady(overtakes), 0), &offered(), 1_000_000_000);
        let (arrived, dropped) = (story.0, story.1);
        assert_eq!(arrived.len() + dropped.len(), 400, "each once");
        assert!(arrived.windows(2).all(|two| two[0].0 <= two[1].0), "in the order of time");
        let late = arrived.windows(2).filter(|two| two[0].1 > two[1].1).count();
        let mut by_packet = arrived;
        by_packet.sort_by_key(|&(_, id, _)| id);
        (late, by_packet)
    };
    let ((none, kept), (some, free)) = (order(false), order(true));
    assert!(none == 0 && some > 20, "{none} {some}");
    // Kept in order a packet arrives when the last of those up to it would have arrived.
    let mut last = 0;
    for (kept, free) in kept.iter().zip(&free) {
        last = last.max(free.0);
        assert_eq!(*kept, (last, free.1, free.2));
    }
}

/// A shaper holds packets back while the link is idle: the link asks again when it opens. 1000 B take 1 ms on the link and 2 ms of
/// the shaper's bandwidth.
#[test]
fn a_shaper_spaces_what_the_link_sends() {
    let mut config = config(QueueLimit::Packets(10));
    config.queue.discipline = Discipline::Cake;
    config.queue.options = Options::of(&[("bandwidth", 4e6)]);
    let wire = || Alone::new(config.clone(), 0);
    // Two at once, one while the shaper is closed and the link idle, one as it opens, one after a pause, and two behind it.
    let at = [0, 0, 3_500_000, 6_000_000, 20_000_000, 20_000_000, 20_100_000];
    let packets = at.map(|at| (at, 1000));
    let (arrived, dropped, offered, longest, _, sent, busy) = play(wire(), &packets, 40_000_000);
    let expected = [11, 13, 15, 17, 31, 33, 35].map(|ms| ms * 1_000_000);
    assert_eq!(arrived.iter().map(|&(at, ..)| at).collect::<Vec<_>>(), expected);
    assert_eq!((dropped.len(), offered, sent, busy), (0, 7, 7, Span::millis(7)));
    assert_eq!(longest, 2);
    let mut wire = wire();
    offer(&mut wire, 0, 0).expect("room");
    assert_eq!(wire.depart(Time(0)).next, Some(Time(2_000_000)));
    assert_eq!(wire.backlog(Time(1_500_000)).device, Device::Blocked);
    assert_eq!(offer(&mut wire, 1_500_000, 1), Ok((Offer::Waits, false)));
    assert!(wire.depart(Time(1_999_999)).begins.is_none());
    assert!(wire.depart(Time(2_000_000)).begins.is_some());
}
