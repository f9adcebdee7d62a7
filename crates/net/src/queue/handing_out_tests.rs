//! Packets that are handed out of turn, against a plain list.

use super::*;
use base::Span;
use proptest::prelude::*;

proptest! {
    /// What is wanted and taken goes, in order; the rest keeps its order, bytes and times.
    #[test]
    fn what_is_handed_out_leaves_the_others_as_they_were(
        rounds in prop::collection::vec(
            (prop::collection::vec((0..3_u8, 1..2000_u32), 0..12), 0..3_u8, 0..9_u32, 0..2000_u32),
            1..20,
        ),
    ) {
        let owner = Owner { seed: Seed { seed: 1, replication: 0 }, purpose: Purpose::StationQueue, number: 0 };
        let limit = QueueLimit::Packets(1000);
        let mut queue: Queue<u8> = Queue::new(&limit.into(), Rate(1_000_000), owner);
        let mut plain: Vec<(PacketId, u8, u32, Time)> = Vec::new();
        let (mut id, mut now, mut area) = (0, Time::ZERO, 0);
        for (packets, of, most, largest) in rounds {
            for (with, bytes) in packets {
                let arrival = (PacketId(id), bytes).into();
                queue.push(now, (&arrival, with), Device::Sending, |_, _| ()).expect("there is room");
                plain.push((PacketId(id), with, bytes, now));
                id += 1;
            }
            now += Span::millis(1);
            let mut handed = Vec::new();
            queue.hand_out(now, most, |&with| with == of, |waiting| {
                let fits = waiting.bytes <= largest;
                handed.extend(fits.then_some(waiting.id));
                fits
            });
            let mine = plain.iter().filter(|packet| packet.1 == of).take(most as usize);
            let goes: Vec<_> = mine.take_while(|packet| packet.2 <= largest).copied().collect();
            prop_assert_eq!(&handed, &goes.iter().map(|packet| packet.0).collect::<Vec<_>>());
            area += goes.iter().map(|packet| now.since(packet.3).0).sum::<u64>();
            plain.retain(|packet| !handed.contains(&packet.0));
            let bytes = plain.iter().map(|packet| u64::from(packet.2)).sum();
            prop_assert_eq!(queue.backlog(), (plain.len() as u32, bytes));
            let mut left = Vec::new();
            queue.store.each(|waiting| left.push(waiting.id));
            prop_assert_eq!(left, plain.iter().map(|packet| packet.0).collect::<Vec<_>>());
        }
        let waits = plain.iter().map(|packet| now.since(packet.3).0).sum::<u64>();
        let mean = (area + waits) as f64 / now.since(Time::ZERO).0 as f64;
        prop_assert!((queue.stats_by(now).mean_packets(now) - mean).abs() < 1e-9);
    }
}
