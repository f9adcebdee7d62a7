//! Channels and group frames: reception when stations change channels, and the cost of a frame without an answer.

use crate::driver::{Input, Record, Saturated, dsss, mac, play, seed, wavelan};
use base::{PacketId, Span, StationId, Time};
use net::DropReason;
use radio::Position;
use wifi::{GROUP, Medium, MediumConfig};

const AP: StationId = StationId(0);
const A: StationId = StationId(1);
const B: StationId = StationId(2);

fn at_x(x_m: f64) -> Position {
    Position::flat(x_m, 0.0)
}

fn micros(us: u64) -> Time {
    Time::ZERO + Span::micros(us)
}

fn packet(at: Time, from: StationId, to: StationId, id: u32, bytes: u32) -> (Time, Input) {
    (at, Input::Packet { from, to, id: PacketId(id), bytes })
}

fn played(config: &MediumConfig, inputs: &[(Time, Input)]) -> (Medium, Record) {
    let mut medium = Medium::new(config, seed(1));
    let record = play(&mut medium, micros(10_000_000), inputs, |_, _, _| {});
    (medium, record)
}

/// Two pairs within 10 m of each other: on one channel they share it, on two each has its own whole.
#[test]
fn pairs_on_channels_of_their_own_do_not_notice_each_other() {
    let places = [0.0, 5.0, 10.0, 15.0].map(at_x);
    let ways = [(StationId(1), StationId(0), 1000), (StationId(3), StationId(2), 1000)];
    let sent = |channels: [u32; 4], ways: &[(StationId, StationId, u32)]| {
        let mut config = wavelan(&places, dsss(), mac(u32::MAX));
        for (member, channel) in config.members.iter_mut().zip(channels) {
            member.channel = channel;
        }
        let saturated = Saturated::new(ways.to_vec());
        let (medium, record) = saturated.run_medium(&config, micros(20_000_000), seed(1));
        let busy = [1, 6].map(|channel| medium.busy_by(channel, micros(20_000_000)));
        let of = |to: StationId| record.delivered.iter().filter(|d| d.1 == to).count();
        (of(StationId(0)), of(StationId(2)), busy)
    };
    let (alone, _, [busy_alone, _]) = sent([1; 4], &ways[..1]);
    let (first, second, [busy_first, busy_second]) = sent([1, 1, 6, 6], &ways);
    assert_eq!((first, busy_first), (alone, busy_alone));
    assert!(second.abs_diff(alone) < alone / 50 && busy_second > Span::secs(15));
    let (first, second, [_, unused]) = sent([1; 4], &ways);
    assert!(first + second < alone * 11 / 10, "{first} {second} {alone}");
    assert_eq!(unused, Span::ZERO);
}

/// A data frame of 1000 B takes 192 + 8 x 1036 / 2 = 4336 us, an ACK 10 + 248 us later.
#[test]
fn an_exchange_is_finished_before_its_sender_leaves() {
    let config = wavelan(&[at_x(0.0), at_x(10.0)], dsss(), mac(u32::MAX));
    for leaves_at in [1000, 4340] {
        let tune = (micros(leaves_at), Input::Tune(A, 6, Span::micros(250)));
        let inputs = [packet(Time::ZERO, A, AP, 0, 1000), packet(Time::ZERO, A, AP, 1, 1000), tune];
        let (medium, record) = played(&config, &inputs);
        assert_eq!(record.delivered, [(micros(4336), AP, PacketId(0))]);
        // The second packet finds nobody on the other channel, seven times.
        assert_eq!(record.dropped, [(PacketId(1), DropReason::Handoff)]);
        let stats = medium.stats(A);
        assert_eq!((stats.successes, stats.away, stats.attempts), (1, 7, 8));
        assert_eq!(medium.channel(A), Some(6));
    }
}

#[test]
fn whoever_leaves_in_the_midst_of_a_frame_does_not_get_it() {
    let mut config = wavelan(&[at_x(0.0), at_x(10.0)], dsss(), mac(u32::MAX));
    config.members[1].station.mac.short_retry_limit = Some(1);
    let away = (micros(1000), Input::Tune(AP, 6, Span::ZERO));
    let back = (micros(100_000), Input::Tune(AP, 1, Span::ZERO));
    let inputs =
        [packet(Time::ZERO, A, AP, 0, 1000), away, back, packet(micros(200_000), A, AP, 1, 1000)];
    let (medium, record) = played(&config, &inputs);
    assert_eq!(record.dropped, [(PacketId(0), DropReason::Handoff)]);
    assert_eq!(record.delivered, [(micros(204_336), AP, PacketId(1))]);
    assert_eq!(medium.stats(A).away, 1);
}

/// A has heard a reservation and leaves: the other channel is free for it after DIFS, though the reservation still runs.
#[test]
fn reservations_are_left_behind_with_the_channel() {
    let mut config = wavelan(&[0.0, 10.0, 20.0, 30.0].map(at_x), dsss(), mac(u32::MAX));
    config.members[3].channel = 6;
    let target = StationId(3);
    // B's frame ends at 4336 us and reserves up to 4594 us.
    let inputs = [
        packet(Time::ZERO, B, AP, 0, 1000),
        (micros(4337), Input::Tune(A, 6, Span::ZERO)),
        packet(micros(4338), A, target, 1, 1000),
    ];
    let (_, record) = played(&config, &inputs);
    // 4337 + DIFS 50 + 4336.
    assert!(record.delivered.contains(&(micros(8723), target, PacketId(1))), "{record:?}");
}

/// A frame under way on the new channel is energy: the station waits for its end but does not decode it.
#[test]
fn a_frame_under_way_on_the_new_channel_keeps_a_station_waiting() {
    let mut config = wavelan(&[0.0, 10.0, 20.0].map(at_x), dsss(), mac(u32::MAX));
    config.members[1].channel = 6;
    let inputs = [
        packet(Time::ZERO, B, GROUP, 0, 1000),
        (micros(1000), Input::Tune(A, 1, Span::ZERO)),
        packet(micros(2000), A, AP, 1, 1000),
    ];
    let (_, record) = played(&config, &inputs);
    // 1000 B for all at 1 Mbit/s: 192 + 8 x 1036 = 8480 us, heard by the access point alone.
    assert_eq!(record.broadcast, [(micros(8480), PacketId(0), vec![AP])]);
    // A waits for its end and DIFS, not EIFS, and then for its backoff: it found the medium busy.
    let [(at, to, id)] = record.delivered[..] else { panic!("{record:?}") };
    let slots = (at - micros(8480 + 50 + 4336)).0 as f64 / 20_000.0;
    assert_eq!((to, id), (AP, PacketId(1)));
    assert!(slots.fract() == 0.0 && slots <= 31.0, "{slots}");
}

/// Nobody answers a frame for all, and it is not repeated, whoever was out of range.
#[test]
fn frames_for_all_go_once_at_the_lowest_rate_without_an_answer() {
    let config = wavelan(&[at_x(0.0), at_x(100.0), at_x(240.0), at_x(400.0)], dsss(), mac(0));
    let inputs = [packet(Time::ZERO, AP, GROUP, 0, 200), packet(micros(1), AP, GROUP, 1, 200)];
    let (medium, record) = played(&config, &inputs);
    let airtime = 192 + 8 * 236;
    assert_eq!(record.broadcast[0], (micros(airtime), PacketId(0), vec![A, B]));
    // DIFS and a backoff of the smallest window between both: no wait for an ACK.
    let gap = record.broadcast[1].0 - micros(2 * airtime + 50);
    assert!(gap.0 % 20_000 == 0 && gap <= Span::micros(31 * 20), "{gap:?}");
    let stats = medium.stats(AP);
    assert_eq!((stats.attempts, stats.retries, stats.successes), (2, 0, 2));
    assert_eq!(medium.busy_by(1, micros(1_000_000)), Span::micros(2 * airtime));
    assert!(record.delivered.is_empty() && record.dropped.is_empty());
}

/// An ad hoc cell: each of three stations sends to all, and everybody else hears it unless two collide.
#[test]
fn broadcasts_that_collide_are_lost_and_not_repeated() {
    let config = wavelan(&[at_x(0.0), at_x(10.0), at_x(20.0)], dsss(), mac(u32::MAX));
    let inputs: Vec<_> = (0..300)
        .map(|i| packet(micros(u64::from(i / 3) * 50_000), StationId(i % 3), GROUP, i, 500))
        .collect();
    let (medium, record) = played(&config, &inputs);
    assert_eq!(record.broadcast.len(), 300);
    // All three begin at once when they find the medium idle: of each round no frame is heard by anybody.
    let heard = record.broadcast.iter().filter(|sent| sent.2.len() == 2).count();
    assert_eq!(heard, 0);
    assert_eq!([AP, A, B].map(|station| medium.stats(station).attempts), [100; 3]);
}
