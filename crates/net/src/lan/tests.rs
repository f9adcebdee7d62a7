//! A LAN, offered packets by hand, against timelines worked out on paper: 10 Mbit/s, so a bit takes 100 ns, the gap 9.6 us, the
//! slot 51.2 us, a jam 3.2 us, a preamble 6.4 us.

use super::*;
use crate::QueueLimit;
use base::Span;

const A: StationId = StationId(0);
const B: StationId = StationId(1);
const C: StationId = StationId(2);

/// Returns rules as ns-2's Mac/802_3.
fn ns2() -> LanSettings {
    let framing = Framing { preamble: 0, header: 14, minimum: 64 };
    LanSettings { framing, collisions: Collisions::Notice, ..LanSettings::default() }
}

fn lan_of(rules: &LanSettings, reach: Reach, seed: u64) -> Lan {
    let queue = QueueLimit::Packets(50).into();
    let config = LanConfig { rules: *rules, stations: 3, reach, queue, bursts: None };
    Lan::new(&config, Seed { seed, replication: 0 }, 0)
}

fn lan(rules: &LanSettings, seed: u64) -> Lan {
    lan_of(rules, Reach::Alike(Span::micros(5)), seed)
}

fn offer(lan: &mut Lan, ns: u64, from: StationId, id: u32) {
    let arrival = Arrival::from((PacketId(id), 1000));
    assert_eq!(lan.offer(Time(ns), (from, C), &arrival), Ok(false));
}

/// 1000 B with preamble, header and check sequence: 1026 B.
const FRAME: u64 = 820_800;

/// Transmissions in the order of their starts: sender, start, end.
fn sent(lan: &Lan) -> Vec<(StationId, u64, u64)> {
    lan.now.sendings.iter().map(|s| (s.station, s.start.0, s.end.0)).collect()
}

/// Ends the transmissions; returns the stations that have stopped, and whether each gives up.
fn end(lan: &mut Lan) -> Vec<(StationId, bool)> {
    let mut ended = Vec::new();
    assert!(lan.on_end(lan.now.end(), |end| ended.push((end.station, end.given_up.is_some()))));
    ended
}

#[test]
fn frames_have_26_bytes_and_64_at_least() {
    let config = |rules: &LanSettings| LanConfig {
        rules: *rules,
        stations: 2,
        reach: Reach::Alike(Span::ZERO),
        queue: QueueLimit::Packets(1).into(),
        bursts: None,
    };
    let standard = config(&LanSettings::default());
    assert_eq!(standard.airtime(1000).0, FRAME);
    assert_eq!(standard.airtime(1), standard.airtime(46));
    assert_eq!(standard.airtime(46), Span(57_600));
    assert_eq!(standard.airtime(47), Span(58_400));
    let ns2 = config(&ns2());
    assert_eq!((ns2.airtime(50), ns2.airtime(1000)), (Span(51_200), Span(811_200)));
}

#[test]
fn one_alone_sends_with_gaps() {
    let mut lan = lan(&LanSettings::default(), 1);
    offer(&mut lan, 1000, A, 0);
    offer(&mut lan, 1000, A, 1);
    assert_eq!((lan.next_start(), lan.on_start()), (Time(1000), Time(1000 + FRAME)));
    assert_eq!(end(&mut lan), [(A, false)]);
    assert_eq!(lan.last_arrival(), Some(Time(6000 + FRAME)));
    assert_eq!(lan.next_start(), Time(1000 + FRAME + 9600));
    let arrived = lan.arrive().map(|frame| (frame.id, frame.to));
    assert_eq!(arrived, Some((PacketId(0), C)));
}

#[test]
fn who_hears_it_defers_and_all_begin_at_the_end_of_their_gaps() {
    let mut lan = lan(&LanSettings::default(), 1);
    offer(&mut lan, 0, A, 0);
    offer(&mut lan, 0, A, 1);
    lan.on_start();
    // The signal is there after 5 us: at 5.001 us B hears it.
    offer(&mut lan, 5001, B, 2);
    assert_eq!((lan.moved_end(), end(&mut lan)), (None, vec![(A, false)]));
    // A's gap ends first; B's a way later, just as A is heard there: B no longer listens.
    let start = FRAME + 9600;
    assert_eq!(lan.next_start(), Time(start));
    lan.on_start();
    // A hears B 10 us after its beginning, B hears A at once and completes its preamble.
    let of_a = (A, start, start + 10_000 + 3200);
    let of_b = (B, start + 5000, start + 5000 + 6400 + 3200);
    assert_eq!(sent(&lan), [of_a, of_b]);
    end(&mut lan);
    assert_eq!(
        (lan.station_by(B, Time(0)).deferrals, lan.station_by(A, Time(0)).deferrals),
        (1, 0)
    );
}

/// B begins 3 us after A, and neither has heard the other.
fn collided(rules: &LanSettings, seed: u64) -> Lan {
    let mut lan = lan(rules, seed);
    offer(&mut lan, 0, A, 0);
    lan.on_start();
    offer(&mut lan, 3000, B, 1);
    lan
}

#[test]
fn a_collision_is_noticed_jammed_and_over_when_its_last_bit_has_passed() {
    let mut jam = collided(&LanSettings::default(), 1);
    // A hears B at 8 us; B hears A at 5 us and completes its preamble at 9.4 us. Both then jam.
    assert_eq!(sent(&jam), [(A, 0, 11_200), (B, 3000, 12_600)]);
    assert_eq!(jam.moved_end(), Some(Time(12_600)));
    // What was said before no longer holds.
    assert!(!jam.on_end(Time(FRAME), |_| ()));
    assert_eq!(end(&mut jam), [(A, false), (B, false)]);
    let silent = |lan: &Lan, at| match &lan.access {
        Access::Detection(rules) => rules.silent_at(&lan.last, at),
        Access::Avoidance(_) => panic!("a LAN with collision detection"),
    };
    assert_eq!([A, B, C].map(|at| silent(&jam, at).0), [17_600, 16_200, 17_600]);
    // ns-2: a jam after each has noticed, whatever is still on the medium.
    let mut notice = collided(&ns2(), 1);
    assert_eq!(sent(&notice), [(A, 0, 11_200), (B, 3000, 8200)]);
    end(&mut notice);
    assert_eq!([A, B, C].map(|at| silent(&notice, at).0), [11_200, 8200, 11_200]);
}

#[test]
fn a_shortest_collision_is_a_preamble_and_a_jam() {
    let mut lan = lan_of(&LanSettings::default(), Reach::Alike(Span(100)), 1);
    offer(&mut lan, 0, A, 0);
    offer(&mut lan, 0, B, 1);
    lan.on_start();
    assert_eq!(sent(&lan), [(A, 0, 9600), (B, 0, 9600)]);
}

/// Draws of 0 or 1 slot after the first collision: all four pairs come, each with the timeline that belongs to it.
#[test]
fn the_first_backoff_is_none_or_a_slot_from_the_end_of_the_jam() {
    let mut seen = [0; 4];
    for seed in 0..400 {
        let mut lan = collided(&LanSettings::default(), seed);
        end(&mut lan);
        lan.on_start();
        let found = sent(&lan);
        // A's gap ends at 17.6 + 9.6, B's at 16.2 + 9.6; a slot after their jams: 62.4 and 63.8.
        let which = match found.as_slice() {
            [(B, 25_800, _), (A, 27_200, _)] => 0,
            [(A, 27_200, end)] if *end == 27_200 + FRAME => 1,
            [(B, 25_800, end)] if *end == 25_800 + FRAME => 2,
            [(A, 62_400, _), (B, 63_800, _)] => 3,
            other => panic!("seed {seed}: {other:?}"),
        };
        seen[which] += 1;
    }
    // Each a quarter: 100, standard deviation 8.7.
    assert!(seen.iter().all(|count| (60..140).contains(count)), "{seen:?}");
}

/// Windows are 2, 4, ... 1024, 1024: the mean of the k-th backoff is (2^min(k, 10) - 1) / 2 slots; the 16th collision is the last.
#[test]
fn windows_double_up_to_a_limit_and_frames_are_given_up() {
    const RUNS: u64 = 400;
    let mut sums = [0_u64; 16];
    for seed in 0..RUNS {
        let mut lan = lan(&LanSettings::default(), seed);
        offer(&mut lan, 0, A, 0);
        for k in 1..=16 {
            let sending = Sending { station: A, start: Time(0), end: Time(0) };
            let given_up = lan.collided(Time(0), sending);
            assert_eq!(given_up.map(|(frame, _)| frame.id), (k == 16).then_some(PacketId(0)));
            if let Some(service) = lan.stations[0].service {
                assert_eq!(service.ready.0 % 51_200, 0);
                sums[k - 1] += service.ready.0 / 51_200;
            }
        }
        assert_eq!(lan.station_by(A, Time(0)).given_up, 1);
        assert!(lan.waiting.is_empty());
    }
    for (k, sum) in sums[..15].iter().enumerate() {
        let window = f64::from(1 << (k + 1).min(10));
        let (mean, expected) = (*sum as f64 / RUNS as f64, (window - 1.0) / 2.0);
        // Five standard errors of the mean of a uniform draw.
        let bound = 5.0 * window / 12_f64.sqrt() / (RUNS as f64).sqrt();
        assert!((mean - expected).abs() < bound, "{k}: {mean}, not {expected}");
    }
}

/// Two saturated stations: the last sender draws from the smallest window, the other from ever larger ones.
#[test]
fn the_winner_captures_the_medium() {
    let mut lan = lan(&LanSettings::default(), 3);
    let mut id = 0;
    for from in [A, B] {
        for _ in 0..2 {
            offer(&mut lan, 0, from, id);
            id += 1;
        }
    }
    for _ in 0..4000 {
        let now = lan.on_start();
        for (station, _) in end(&mut lan) {
            while lan.waiting(station) < 1 {
                offer(&mut lan, now.0, station, id);
                id += 1;
            }
        }
        while lan.arrive().is_some() {}
    }
    let stats = lan.stats_by(Time::NEVER);
    let mean_run = stats.contested as f64 / stats.runs as f64;
    // Fair turns by chance have a mean of 2.
    assert!(mean_run > 10.0, "{mean_run}");
    let longest = lan.station_by(A, Time::NEVER).longest_run;
    assert!(longest > 50, "{longest}");
}

/// On a bus what is near is heard sooner: B, beside A, defers where C, at the other end, collides.
#[test]
fn on_a_bus_only_those_far_away_collide() {
    let bus = Reach::Bus(vec![Span::ZERO, Span(100), Span::micros(20)]);
    let mut lan = lan_of(&LanSettings::default(), bus, 1);
    offer(&mut lan, 0, A, 0);
    lan.on_start();
    offer(&mut lan, 10_000, B, 1);
    let arrival = Arrival::from((PacketId(2), 1000));
    assert_eq!(lan.offer(Time(10_000), (C, A), &arrival), Ok(false));
    // A hears C at 30 us; C hears A at 20 us.
    assert_eq!(sent(&lan), [(A, 0, 33_200), (C, 10_000, 23_200)]);
}

#[test]
fn times_before_the_measurement_do_not_count() {
    let mut lan = lan(&LanSettings::default(), 1);
    offer(&mut lan, 0, A, 0);
    lan.on_start();
    lan.begin_measurement(Time(FRAME / 2));
    assert_eq!(lan.stats_by(Time(FRAME)).carrying, Span(FRAME / 2));
    assert_eq!(lan.station_by(A, Time(FRAME * 3 / 4)).airtime, Span(FRAME / 4));
    end(&mut lan);
    assert_eq!(lan.stats_by(Time(FRAME)).carrying, Span(FRAME / 2));
    assert_eq!(lan.station_by(A, Time(FRAME)).airtime, Span(FRAME / 2));
}
