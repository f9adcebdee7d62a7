//! Where stations have places and all decode all, the medium of stations that sense for themselves and the cell's one clock,
//! with a medium as the referee of what begins together, deliver the same packets at the same nanoseconds.
//!
//! The scenes are drawn: places, numbers of stations, who sends to whom, lengths, rules, reception and channels. What may differ
//! is what `medium_equals_cell` says of senders that wait in vain.

use crate::driver::{Saturated, dsss, level, mac, member, seed, wavelan};
use base::{Purpose, Rate, Rng, Span, StationId, Time};
use radio::mobility::Mobility;
use radio::propagation::{PathLoss, ShadowingConfig};
use radio::{
    ChannelConfig, ErrorModel, FecConfig, FecModel, HazardTables, Modulation, Position, Sampling,
    StatePer, Thresholds,
};
use wifi::phy::{Preamble, Standard, Width};
use wifi::rate::{Ladder, Modulations};
use wifi::{
    AccessRule, BackoffDraw, BystanderRule, ErrorConfig, ErrorScope, MacConfig, Medium,
    MediumConfig, PhyConfig, Propagation, Reception, SilenceRule, SinrConfig, SlotRule,
    StationStats, TimeoutRule,
};

type Way = (StationId, StationId, u32);

/// Stations, and who sends to whom.
struct Scene {
    config: MediumConfig,
    ways: Vec<Way>,
}

fn of<T: Copy>(rng: &mut Rng, values: &[T]) -> T {
    values[rng.below(values.len() as u32) as usize]
}

/// On a circle around the first, or scattered: most powers differ.
fn places(rng: &mut Rng, stations: usize) -> Vec<Position> {
    let radius_m = of(rng, &[2.0, 10.0, 25.0]);
    let is_circle = rng.below(3) == 0;
    let place = |i: usize, rng: &mut Rng| {
        let turn = std::f64::consts::TAU * rng.unit();
        let around = std::f64::consts::TAU * i as f64 / stations as f64;
        match is_circle {
            true if i == 0 => Position::flat(0.0, 0.0),
            true => Position::flat(radius_m * around.cos(), radius_m * around.sin()),
            false => {
                let radius_m = radius_m * rng.unit().sqrt();
                Position::flat(radius_m * turn.cos(), radius_m * turn.sin())
            }
        }
    };
    (0..stations).map(|i| place(i, rng)).collect()
}

fn reception(rng: &mut Rng) -> Reception {
    let (detect_w, sense_w) = (1e-11, 1e-12);
    match rng.below(2) {
        0 => Reception::Thresholds(Thresholds {
            receive_w: detect_w,
            sense_w,
            capture_ratio: of(rng, &[1.5, 10.0, 100.0]),
        }),
        _ => Reception::Sinr(SinrConfig {
            detect_w,
            sense_w,
            noise_w: 4e-13,
            model: ErrorModel::default(),
            capture_ratio: of(rng, &[None, Some(10.0)]),
        }),
    }
}

fn rules(rng: &mut Rng) -> MacConfig {
    let plain = mac(of(rng, &[u32::MAX, u32::MAX, 500, 0]));
    let is_ns2_like = rng.below(4) == 0;
    let rules = if is_ns2_like {
        MacConfig {
            access: AccessRule::AlwaysBackoff,
            backoff: BackoffDraw::Exclusive,
            silence: SilenceRule::WhileItAwaitsData,
            nav_reset: false,
            ..plain
        }
    } else {
        plain
    };
    let bystanders =
        of(rng, &[BystanderRule::Eifs, BystanderRule::Difs, BystanderRule::EifsThenDifs]);
    let timeouts =
        of(rng, &[TimeoutRule::Timeout, TimeoutRule::TimeoutThenDifs, TimeoutRule::WholeAnswer]);
    match rng.below(2) {
        0 => rules,
        _ => MacConfig { bystanders, timeouts, ..rules },
    }
}

fn physics(rng: &mut Rng) -> PhyConfig {
    let of_standard = |standard: Standard, mbps: u64, control: Option<u64>| {
        let rate = |mbps: u64| Rate(mbps * 1_000_000);
        let mode = |mbps| standard.mode(rate(mbps)).expect("a rate of the standard");
        PhyConfig::of(standard, mode(mbps), control.map(mode))
    };
    match rng.below(5) {
        0 => of_standard(Standard::Ofdm(Width::Mhz20), 54, None),
        1 => PhyConfig {
            sense_time: Span::micros(4),
            ..of_standard(Standard::Ofdm(Width::Mhz20), 24, None)
        },
        2 => of_standard(Standard::ErpMixed(Preamble::Long), 54, None),
        3 => PhyConfig { sense_time: Span::micros(15), ..dsss() },
        _ => dsss(),
    }
}

/// Channels that lose frames beside power, in a third of scenes.
fn errors(rng: &mut Rng) -> ErrorConfig {
    if rng.below(3) != 0 {
        return ErrorConfig::IDEAL;
    }
    let means = [Span::millis(60), Span::millis(15)];
    let bursts = |sampling| ChannelConfig::gilbert_elliott(means, [1e-6, 5e-4], [0.0; 2], sampling);
    let channel = match rng.below(4) {
        0 => ChannelConfig::Bernoulli { frame_loss: 0.1 },
        1 => ChannelConfig::BitErrors { ber: 2e-5 },
        2 => bursts(Sampling::EachBit),
        _ => bursts(Sampling::FrameStart),
    };
    let feedback_delay = Span::millis(5);
    let (n, k, symbol_bits, protects_plcp) = (255, 223, 8, true);
    let adaptive = rng.below(2) == 0;
    let model = of(rng, &[FecModel::Block, FecModel::ResidualBer]);
    let fec = FecConfig { n, k, symbol_bits, model, adaptive, protects_plcp, feedback_delay };
    let state_per = of(rng, &[StatePer::Cell, StatePer::Receiver, StatePer::Station]);
    ErrorConfig { channel, state_per, fec: (rng.below(3) == 0).then_some(fec) }
}

/// Up to the first, up and down, or from each to another; of one length or of several.
fn ways(rng: &mut Rng, stations: u32) -> Vec<Way> {
    let is_equal = rng.below(2) == 0;
    let bytes = |i: u32| if is_equal { 1000 } else { 200 + 430 * (i % 4) };
    let up = (1..stations).map(|i| (StationId(i), StationId(0), bytes(i)));
    match rng.below(3) {
        0 => up.collect(),
        1 => up.chain([(StationId(0), StationId(1), bytes(2))]).collect(),
        _ => {
            let step = 1 + rng.below(stations - 1);
            let peer = |i: u32| StationId((i + step) % stations);
            (0..stations).map(|i| (StationId(i), peer(i), bytes(i))).collect()
        }
    }
}

fn scene(number: u64, hazards: &HazardTables) -> Scene {
    let rng = &mut seed(number).stream(Purpose::Backoff, 1 << 40);
    let stations = of(rng, &[2, 3, 4, 6, 9, 10, 14, 25, 40, 101]);
    let (places, phy, mac) = (places(rng, stations), physics(rng), rules(rng));
    let errors = errors(rng);
    let mac = match rng.below(4) {
        0 => MacConfig { errors: ErrorScope { control_frames: false, plcp: true }, ..mac },
        _ => mac,
    };
    let path_loss = PathLoss::LogDistance { exponent: 3.0, reference_m: 1.0, reference_db: 40.0 };
    let mut members: Vec<_> =
        places.iter().enumerate().map(|(i, &place)| member(i, place, phy, mac)).collect();
    if rng.below(2) == 0 {
        // Bit errors that depend on the rate, not on the slowest alone.
        for member in &mut members {
            let modulations = Modulations::alike(Modulation::Dqpsk);
            member.station.ladder = Ladder::fixed(phy, modulations);
        }
    }
    let config = MediumConfig {
        members,
        propagation: Propagation { path_loss, ..level() },
        transmit_w: 0.04,
        reception: reception(rng),
        errors,
        of_flow: Default::default(),
        hazards: hazards.clone(),
        end: Time::NEVER,
    };
    Scene { config, ways: ways(rng, stations as u32) }
}

/// What differs between the two, in words.
fn difference(number: u64, hazards: &HazardTables) -> Option<String> {
    let Scene { mut config, ways } = scene(number, hazards);
    let until = Time::ZERO + Span::secs(if config.members.len() > 30 { 2 } else { 4 });
    config.end = until;
    let saturated = || Saturated::new(ways.clone());
    let (cell, a) = saturated().run_refereed(&config, until, seed(number));
    let (medium, b) = saturated().run_medium(&config, until, seed(number));
    let (a_times, b_times) = (&a.delivered, &b.delivered);
    let what = || {
        let first = &config.members[0].station;
        let (phy, mac) = (first.ladder.phy(), first.mac);
        let n = config.members.len();
        format!(
            "scene {number}: {n} stations, {phy:?}, {mac:?}, {:?}, {:?}, {ways:?}",
            config.reception, config.errors
        )
    };
    if let Some(at) = a_times.iter().zip(b_times).position(|(a, b)| a != b) {
        let (first, other) = (a_times[at], b_times[at]);
        return Some(format!("{}: delivery {at}: {first:?}, {other:?}", what()));
    }
    if a_times.len() != b_times.len() || a_times.len() < 10 {
        return Some(format!("{}: {} and {} deliveries", what(), a_times.len(), b_times.len()));
    }
    for station in (0..config.members.len() as u32).map(StationId) {
        let (a, b) = (cell.stats(station), medium.stats(station));
        // An exchange that the end cuts has counted already whether it brings a duplicate.
        let plain = |stats: &StationStats| StationStats { duplicates: 0, ..*stats };
        let is_same = format!("{:?}", plain(a)) == format!("{:?}", plain(b));
        if !is_same || a.duplicates.abs_diff(b.duplicates) > 1 {
            return Some(format!("{}: {station:?}: {a:?} and {b:?}", what()));
        }
    }
    None
}

#[test]
fn drawn_scenes() {
    let (scenes, hazards) = (200, HazardTables::default());
    let all: Vec<u64> = (0..scenes).filter(|&number| has_one_clock(number, &hazards)).collect();
    assert!(all.len() as u64 > scenes * 3 / 4, "most have one clock: {}", all.len());
    let found: Vec<String> =
        all.iter().filter_map(|&number| difference(number, &hazards)).collect();
    assert!(found.is_empty(), "{} of {}:\n{}", found.len(), all.len(), found.join("\n"));
}

fn has_one_clock(number: u64, hazards: &HazardTables) -> bool {
    let Scene { config, .. } = scene(number, hazards);
    Medium::new(&config, seed(number)).has_one_clock(&config.members)
}

/// A scene of two that has one clock, and what takes it away.
#[test]
fn what_differs_or_changes_has_no_common_clock() {
    let config = || {
        let places = [Position::flat(0.0, 0.0), Position::flat(10.0, 0.0)];
        wavelan(&places, dsss(), mac(u32::MAX))
    };
    let asked = |config: MediumConfig| Medium::new(&config, seed(1)).has_one_clock(&config.members);
    assert!(asked(config()));
    let with = |change: &dyn Fn(&mut MediumConfig)| {
        let mut config = config();
        change(&mut config);
        asked(config)
    };
    let out_of_reach = Mobility::fixed(Position::flat(300.0, 0.0));
    assert!(!with(&|config| config.members[1].place = out_of_reach.clone()), "hidden");
    assert!(!with(&|config| config.members[1].channel = 6), "another channel");
    assert!(!with(
        &|config| config.propagation.shadowing = ShadowingConfig::Fresh { sigma_db: 4.0 }
    ));
    let rules = |change: fn(&mut MacConfig)| {
        with(&|config| config.members.iter_mut().for_each(|member| change(&mut member.station.mac)))
    };
    assert!(!rules(|mac| mac.slots = SlotRule::Truncated));
    assert!(!rules(|mac| mac.access = AccessRule::SlotBoundary));
    assert!(rules(|mac| mac.access = AccessRule::AlwaysBackoff));
    assert!(!with(&|config| config.members[1].station.mac.nav_reset = false), "rules of its own");
    let lossy =
        |config: &mut MediumConfig| config.errors.channel = ChannelConfig::BitErrors { ber: 1e-5 };
    assert!(with(&lossy));
    let two_cells = |config: &mut MediumConfig| {
        lossy(config);
        config.members[1].stream = 1 << 32;
    };
    assert!(!with(&two_cells), "channels of two cells");
}
