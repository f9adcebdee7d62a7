//! Stations updated when an exchange is over behave as those that follow it as it happens: with a listening witness every
//! frame is followed as it happens, and that changes nothing. Of few stations, and where shadowing or movement changes powers,
//! the frames that are alone on the air take one way (`medium/alone.rs`); of many that rest, bystanders wait in episodes.

use crate::driver::{Input, Record, dsss, mac, play_to, seed, wavelan};
use base::{PacketId, Span, StationId, Time};
use net::Interfaces;
use proptest::prelude::*;
use radio::mobility::{Mobility, Track};
use radio::noise::{noise_w, w_from_dbm};
use radio::propagation::ShadowingConfig;
use radio::{ErrorModel, Position, Thresholds};
use std::ops::Range;
use wifi::{
    AccessRule, Heard, Medium, MediumConfig, Reception, Sent, SilenceRule, SinrConfig, SlotRule,
    Witness,
};

/// Listens, and keeps nothing.
struct Listener;

impl Witness for Listener {
    fn sent(&mut self, _frame: impl FnOnce() -> Sent) {}

    fn heard(&mut self, _by: impl Iterator<Item = Heard>) {}

    fn is_listening(&self) -> bool {
        true
    }
}

/// Listens after the first frames.
struct Latecomer {
    frames: u32,
}

impl Witness for Latecomer {
    fn sent(&mut self, _frame: impl FnOnce() -> Sent) {
        self.frames += 1;
    }

    fn heard(&mut self, _by: impl Iterator<Item = Heard>) {}

    fn is_listening(&self) -> bool {
        self.frames > 40
    }
}

/// Rules that differ from one medium to the next.
#[derive(Clone, Copy, Debug)]
struct Rules {
    sinr: bool,
    captures: bool,
    /// Frames that could be decoded are not sensed where they are weak.
    is_hard_of_hearing: bool,
    rts: bool,
    gives_up_reservations: bool,
    awaits_data: bool,
    always_backs_off: bool,
    sense_us: u64,
    loses_slots: bool,
    is_shadowed: bool,
    moves: bool,
}

fn medium_of(places: &[Position], rules: Rules) -> MediumConfig {
    let mut mac = mac(if rules.rts { 300 } else { u32::MAX });
    mac.nav_reset = rules.gives_up_reservations;
    if rules.awaits_data {
        mac.silence = SilenceRule::WhileItAwaitsData;
    }
    if rules.always_backs_off {
        mac.access = AccessRule::AlwaysBackoff;
    }
    if rules.loses_slots {
        mac.slots = SlotRule::Truncated;
    }
    let mut phy = dsss();
    phy.sense_time = Span::micros(rules.sense_us);
    let mut config = wavelan(places, phy, mac);
    if rules.is_shadowed {
        config.propagation.shadowing = ShadowingConfig::Fresh { sigma_db: 4.0 };
    }
    if rules.moves
        && let Some(last) = config.members.last_mut()
    {
        let velocity = Position::flat(300.0, -500.0);
        last.place = Mobility::Track(Track::constant_velocity(places[places.len() - 1], velocity));
    }
    if rules.sinr {
        config.reception = Reception::Sinr(SinrConfig {
            detect_w: Thresholds::WAVELAN.receive_w,
            sense_w: if rules.is_hard_of_hearing {
                30.0 * Thresholds::WAVELAN.receive_w
            } else {
                Thresholds::WAVELAN.sense_w
            },
            noise_w: noise_w(22e6, 7.0).max(w_from_dbm(-80.0)),
            model: ErrorModel::Nist,
            capture_ratio: rules.captures.then_some(10.0),
        });
    }
    config.end = END;
    config
}

/// The end of each run.
const END: Time = Time(300_000_000);

/// Everybody is busy for a second, towards the first or the next, with packets of several lengths.
fn played(config: &MediumConfig, number: u64, witness: &mut impl Witness) -> (Record, String) {
    let medium = Medium::new(config, seed(number));
    played_on(medium, config, witness)
}

fn played_on(
    mut medium: Medium,
    config: &MediumConfig,
    witness: &mut impl Witness,
) -> (Record, String) {
    let stations = config.members.len() as u32;
    let mut next = 0;
    let mut packet = |from: StationId| {
        next += 1;
        let to = if from.0 % 3 == 0 { (from.0 + 1) % stations } else { 0 };
        let to = if to == from.0 { stations - 1 } else { to };
        (StationId(to), (PacketId(next), 40 + (next * 7 + from.0 * 131) % 1400))
    };
    // Some begin later, and some have pauses: they come to a medium that is idle, busy, or in the midst of an exchange.
    let begin = |from: u32| Time::ZERO + Span::micros(u64::from(from) * 1_700);
    let inputs: Vec<(Time, Input)> = (0..stations)
        .map(|from| {
            let (to, (id, bytes)) = packet(StationId(from));
            (begin(from), Input::Packet { from: StationId(from), to, id, bytes })
        })
        .collect();
    let refill = |medium: &mut Medium, now: Time, from: StationId| {
        if medium.waiting(from) == 0 {
            let (to, packet) = packet(from);
            _ = medium.offer(now, (from, to), &packet.into());
        }
    };
    let record = play_to(&mut medium, END, &inputs, refill, witness);
    let stats = (0..stations).map(StationId).map(|station| {
        let airtime = medium.airtime_by(station, END);
        format!("{:?} {airtime:?}\n", medium.stats(station))
    });
    let counts = stats.collect();
    (record, counts)
}

/// The places of stations, as parts of a square's sides.
fn spots(stations: Range<usize>) -> impl Strategy<Value = Vec<(f64, f64)>> {
    proptest::collection::vec((0.0_f64..1.0, 0.0_f64..1.0), stations)
}

/// The middle of a square, groups of stations at the same spot nearly, and others alone.
fn places_of(groups: &[(f64, f64, usize)], alone: &[(f64, f64)], side_m: f64) -> Vec<Position> {
    let place = |&(x, y): &(f64, f64)| Position::flat(x * side_m, y * side_m);
    let around = |&(x, y, many): &(f64, f64, usize)| {
        (0..many).map(move |i| Position::flat(x * side_m + i as f64 * 0.2, y * side_m))
    };
    let middle = Position::flat(side_m / 2.0, side_m / 2.0);
    let grouped = groups.iter().flat_map(around);
    std::iter::once(middle).chain(grouped).chain(alone.iter().map(place)).collect()
}

/// Station 13 has sent the RTS that was answered, and has not heard those that set the NAV of the others of its group. It goes by
/// their clock with the next frame, and is sent an RTS in that frame's midst, which it answers.
#[test]
fn who_leaves_a_clock_amid_a_frame_has_its_own_reservation() {
    let groups =
        [(0.939_076_470_643_431, 0.0, 5), (0.086_767_793_409_678_07, 0.219_280_651_177_419_96, 8)];
    let alone = [
        (0.716_687_830_005_553_3, 0.343_933_219_648_351_05),
        (0.704_696_373_205_996_7, 0.650_059_616_646_813_9),
    ];
    let rules = Rules {
        sinr: true,
        captures: false,
        is_hard_of_hearing: false,
        rts: true,
        gives_up_reservations: true,
        awaits_data: false,
        always_backs_off: false,
        sense_us: 9,
        loses_slots: false,
        is_shadowed: false,
        moves: false,
    };
    let config = medium_of(&places_of(&groups, &alone, 40.0), rules);
    let mut shared = Medium::new(&config, seed(636));
    assert!(shared.share_clocks(&config));
    let (by_clock, clock_counts) = played_on(shared, &config, &mut ());
    let (at_once, counts) = played(&config, 636, &mut Listener);
    assert_eq!(by_clock.delivered, at_once.delivered);
    assert_eq!(clock_counts, counts);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 150 } else { 600 }))]

    #[test]
    fn waiting_changes_nothing(
        number in 0_u64..1000,
        spots in prop_oneof![spots(3..9), spots(9..80)],
        side_m in prop_oneof![Just(40.0), Just(300.0), Just(900.0), Just(3000.0)],
        (sinr, captures, rts) in any::<(bool, bool, bool)>(),
        (gives_up_reservations, awaits_data, always_backs_off) in any::<(bool, bool, bool)>(),
        sense_us in prop_oneof![Just(0), Just(9), Just(15)],
        is_hard_of_hearing in any::<bool>(),
        (loses_slots, is_shadowed, moves) in any::<(bool, bool, bool)>(),
    ) {
        let place = |&(x, y): &(f64, f64)| Position::flat(x * side_m, y * side_m);
        let places: Vec<Position> = spots.iter().map(place).collect();
        let rules = Rules {
            sinr, captures, is_hard_of_hearing, rts, gives_up_reservations, awaits_data, always_backs_off,
            sense_us, loses_slots, is_shadowed, moves,
        };
        let config = medium_of(&places, rules);
        let (later, later_counts) = played(&config, number, &mut ());
        let (at_once, counts) = played(&config, number, &mut Listener);
        // Far apart and hard of hearing nobody may get anything.
        prop_assert!(!at_once.delivered.is_empty() || side_m > 100.0);
        prop_assert_eq!(later.delivered, at_once.delivered);
        prop_assert_eq!(later.dropped, at_once.dropped);
        prop_assert_eq!(later_counts, counts);
    }

    /// Groups of stations in sight of a middle, of some size, at some distances from each other.
    #[test]
    fn clocks_that_are_shared_change_nothing(
        number in 0_u64..1000,
        groups in proptest::collection::vec((0.0_f64..1.0, 0.0_f64..1.0, 4_usize..9), 1..5),
        alone in spots(0..4),
        side_m in prop_oneof![Just(40.0), Just(300.0), Just(600.0), Just(900.0)],
        (sinr, captures, rts) in any::<(bool, bool, bool)>(),
        (gives_up_reservations, awaits_data, always_backs_off) in any::<(bool, bool, bool)>(),
        sense_us in prop_oneof![Just(0), Just(9), Just(15)],
        is_hard_of_hearing in any::<bool>(),
        are_parted in any::<bool>(),
    ) {
        let places = places_of(&groups, &alone, side_m);
        let rules = Rules {
            sinr, captures, is_hard_of_hearing, rts, gives_up_reservations, awaits_data, always_backs_off,
            sense_us, loses_slots: false, is_shadowed: false, moves: false,
        };
        let config = medium_of(&places, rules);
        let mut shared = Medium::new(&config, seed(number));
        prop_assume!(shared.share_clocks(&config));
        let (by_clock, clock_counts) = if are_parted {
            played_on(shared, &config, &mut Latecomer { frames: 0 })
        } else {
            played_on(shared, &config, &mut ())
        };
        let (at_once, counts) = played(&config, number, &mut Listener);
        prop_assert_eq!(by_clock.delivered, at_once.delivered);
        prop_assert_eq!(by_clock.dropped, at_once.dropped);
        prop_assert_eq!(clock_counts, counts);
    }
}
