//! A LAN with CSMA/CA, against timelines worked out on paper: 10 Mbit/s, a channel's delay of 4 us, intervals and slots of 16 us,
//! windows from 16 slots. Frames have 20 B before their packets, so that one of 980 B lasts 800 us.

use super::avoidance::Avoidance;
use super::*;
use crate::QueueLimit;
use base::Span;

const A: StationId = StationId(0);
const B: StationId = StationId(1);
const C: StationId = StationId(2);

const FRAME: u64 = 800_000;
/// 16 us and 16 slots.
const PAUSE: u64 = 272_000;

fn lan(attempt_limit: u32, seed: u64) -> Lan {
    let rules = LanSettings {
        access: LanAccess::CsmaCa,
        framing: Framing { preamble: 0, header: 20, minimum: 0 },
        attempt_limit,
        ..LanSettings::default()
    };
    let (reach, queue) = (Reach::Alike(Span::micros(4)), QueueLimit::Packets(50).into());
    Lan::new(
        &LanConfig { rules, stations: 3, reach, queue, bursts: None },
        Seed { seed, replication: 0 },
        0,
    )
}

fn offer(lan: &mut Lan, ns: u64, from: StationId, id: u32) {
    assert_eq!(lan.offer(Time(ns), (from, C), &Arrival::from((PacketId(id), 980))), Ok(false));
}

/// Ends the transmissions; returns which packets are lost, and why.
fn end(lan: &mut Lan) -> Vec<(u32, DropReason)> {
    let mut lost = Vec::new();
    assert!(lan.on_end(lan.now.end(), |end| {
        lost.extend(end.given_up.map(|(frame, reason)| (frame.id.0, reason)));
    }));
    lost
}

#[test]
fn one_alone_begins_at_once_and_pauses_after_each_frame() {
    let mut lan = lan(16, 1);
    offer(&mut lan, 1000, A, 0);
    offer(&mut lan, 1000, A, 1);
    assert_eq!((lan.next_start(), lan.on_start()), (Time(1000), Time(1000 + FRAME)));
    assert_eq!(end(&mut lan), []);
    assert_eq!(lan.last_arrival(), Some(Time(1000 + FRAME + 4000)));
    assert_eq!(lan.next_start(), Time(1000 + FRAME + PAUSE));
    lan.on_start();
    end(&mut lan);
    // The pause holds for a packet that comes amid it too.
    let before = 1000 + 2 * FRAME + PAUSE;
    offer(&mut lan, before + 20_000, A, 2);
    assert_eq!(lan.next_start(), Time(before + PAUSE));
}

#[test]
fn those_that_begin_within_the_delay_of_the_channel_lose_their_frames() {
    let mut lan = lan(16, 1);
    offer(&mut lan, 0, A, 0);
    offer(&mut lan, 0, A, 1);
    lan.on_start();
    offer(&mut lan, 4000, B, 2);
    // The later one ends later; both pause from their own ends.
    assert_eq!(lan.moved_end(), Some(Time(4000 + FRAME)));
    assert_eq!(end(&mut lan), [(0, DropReason::Collision), (2, DropReason::Collision)]);
    assert_eq!(lan.last_arrival(), None);
    assert_eq!(lan.next_start(), Time(FRAME + PAUSE));
    assert_eq!((lan.stats.collisions, lan.station_by(B, Time(0)).given_up), (1, 1));
}

#[test]
fn one_that_finds_the_medium_taken_draws_0_to_15_slots_from_an_interval_after_its_end() {
    let mut seen = [0; 16];
    for seed in 0..1600 {
        let mut lan = lan(16, seed);
        offer(&mut lan, 0, A, 0);
        lan.on_start();
        // From 4.001 us on A is sensed.
        offer(&mut lan, 4001, B, 1);
        assert_eq!((lan.moved_end(), end(&mut lan)), (None, vec![]));
        let wait = lan.next_start().0 - FRAME - 16_000;
        assert_eq!(wait % 16_000, 0);
        seen[wait as usize / 16_000] += 1;
    }
    // Each a sixteenth: 100, standard deviation 9.7.
    assert!(seen.iter().all(|count| (55..145).contains(count)), "{seen:?}");
}

/// The window doubles each time that the medium is taken, and at the last of the attempts the packet is given up.
#[test]
fn a_packet_that_always_finds_the_medium_taken_is_given_up() {
    let mut lan = lan(3, 5);
    let busy = Period { sendings: vec![Sending { station: A, start: Time(0), end: Time(FRAME) }] };
    offer(&mut lan, 0, B, 0);
    let (mut tries, mut ready, mut lost) = (Vec::new(), Time(FRAME), Vec::new());
    while lan.stations[B.index()].service.is_some() {
        lan.last = Period { sendings: vec![Sending { end: ready, ..busy.sendings[0] }] };
        lan.sense(ready, B, &mut |end| {
            lost.extend(end.given_up.map(|(frame, why)| (frame.id, why)))
        });
        if let Some(service) = lan.stations[B.index()].service {
            tries.push((service.ready.0 - ready.0 - 16_000) / 16_000);
            ready = service.ready;
        }
    }
    assert!(matches!(tries[..], [first, second] if first < 16 && second < 32), "{tries:?}");
    assert_eq!(lost, [(PacketId(0), DropReason::ExcessiveCollisions)]);
    assert!(lan.waiting.is_empty());
}

/// A frame shorter than the contention period takes all of that, since its end is decided then.
#[test]
fn a_short_frame_takes_the_contention_period() {
    let mut lan = lan(16, 1);
    assert_eq!(lan.offer(Time(0), (A, C), &Arrival::from((PacketId(0), 0))), Ok(false));
    // 20 B last 16 us, longer than the period of 4 us.
    assert_eq!(lan.on_start(), Time(16_000));
    let rules =
        Avoidance::new(&LanConfig { reach: Reach::Alike(Span::micros(50)), ..lan.config.clone() });
    assert_eq!(rules.end(&lan.now, Time(0), Span::micros(16)), Time(50_000));
}
