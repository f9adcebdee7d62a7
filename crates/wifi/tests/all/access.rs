//! The start of a station, its retries, and its deliveries: single frames with hand-counted times.

use base::{CellId, PacketId, Rate, Seed, Span, StationId, Time};
use net::{DropReason, Interfaces, QueueLimit};
use proptest::prelude::*;
use radio::{ChannelConfig, StatePer};
use wifi::phy::Airtime;
use wifi::{Cell, CellConfig, ErrorConfig, MacConfig, PhyConfig, SilenceRule, StationConfig};

const AP: StationId = StationId(0);
const A: StationId = StationId(1);
const B: StationId = StationId(2);

fn config(channel: ChannelConfig, state_per: StatePer) -> CellConfig {
    let phy = PhyConfig {
        slot: Span::micros(20),
        sifs: Span::micros(10),
        plcp_bits: 192,
        data: Airtime::plain(Span::micros(192), Rate(2_000_000)),
        control: Airtime::plain(Span::micros(192), Rate(2_000_000)),
        lowest: Airtime::plain(Span::micros(192), Rate(1_000_000)),
        cw_min: 31,
        cw_max: 1023,
        sense_time: Span::ZERO,
        rx_start_delay: Span::micros(192),
    };
    let station = StationConfig::fixed(phy, MacConfig::default(), QueueLimit::Packets(10));
    let errors = ErrorConfig { channel, state_per, fec: None };
    CellConfig { errors, ..CellConfig::alike(3, &station) }
}

/// The same for every station.
fn set(config: &mut CellConfig, change: impl Fn(&mut MacConfig)) {
    for station in &mut config.stations {
        change(&mut station.mac);
    }
}

fn ideal() -> CellConfig {
    config(ChannelConfig::Ideal, StatePer::Cell)
}

fn cell(config: CellConfig, seed: u64) -> Cell {
    Cell::new(&config, Seed { seed, replication: 0 }, CellId(0))
}

fn us(us: u64) -> Time {
    Time::ZERO + Span::micros(us)
}

/// 964 B make an MPDU of 1000 B: 192 + 4000 us, then SIFS 10 us and an ACK of 192 + 56 us.
const BYTES: u32 = 964;
const DATA_US: u64 = 4192;
const EXCHANGE_US: u64 = DATA_US + 10 + 248;

fn offer(cell: &mut Cell, at: Time, from: StationId, id: u32) {
    let to = if from == AP { A } else { AP };
    cell.offer(at, (from, to), &(PacketId(id), BYTES).into()).expect("there is room");
}

/// A slot boundary after DIFS, counted from `idle`: how many slots.
fn slots_after_difs(start: Time, idle: Time) -> u64 {
    let wait = (start - idle).0 - 50_000;
    assert_eq!(wait % 20_000, 0, "not at a slot boundary");
    wait / 20_000
}

#[test]
fn a_frame_that_finds_the_medium_idle_goes_at_once() {
    let mut cell = cell(ideal(), 1);
    offer(&mut cell, us(1000), A, 0);
    assert_eq!(cell.next_start(), us(1000));
    let exchange = cell.on_start(&mut ());
    assert_eq!(exchange.data_end, Some(us(1000 + DATA_US)));
    assert_eq!(exchange.end, us(1000 + EXCHANGE_US));
    assert_eq!(cell.on_data_end(), Some((PacketId(0), AP)));
}

#[test]
fn other_rules_of_access_on_an_idle_medium() {
    let starts = |access, at| {
        let mut config = ideal();
        set(&mut config, |mac| mac.access = access);
        let mut cell = cell(config, 1);
        offer(&mut cell, us(at), A, 0);
        cell.next_start()
    };
    assert_eq!(starts(wifi::AccessRule::DifsFromRequest, 1007), us(1057));
    // Slots of 20 us from time zero.
    assert_eq!(starts(wifi::AccessRule::SlotBoundary, 1007), us(1020));
    assert_eq!(starts(wifi::AccessRule::SlotBoundary, 1020), us(1020));
}

#[test]
fn a_frame_that_finds_the_medium_busy_backs_off_after_difs() {
    let mut seen = [false; 32];
    for seed in 0..400 {
        let mut cell = cell(ideal(), seed);
        offer(&mut cell, us(0), A, 0);
        let end = cell.on_start(&mut ()).end;
        offer(&mut cell, us(100), B, 1);
        cell.on_data_end();
        cell.on_end(end, &mut Vec::new());
        seen[slots_after_difs(cell.next_start(), end) as usize] = true;
    }
    assert!(seen.iter().all(|&seen| seen), "every slot from 0 to CWmin is drawn");
}

#[test]
fn a_station_backs_off_after_its_own_frame_and_is_free_when_that_has_passed() {
    for seed in 0..50 {
        let mut cell = cell(ideal(), seed);
        offer(&mut cell, us(0), A, 0);
        let end = cell.on_start(&mut ()).end;
        cell.on_data_end();
        cell.on_end(end, &mut Vec::new());
        // Within DIFS: the post-backoff still runs.
        let mut soon = cell.clone();
        offer(&mut soon, end + Span::micros(20), A, 1);
        assert!(slots_after_difs(soon.next_start(), end) <= 31);
        // After DIFS and 31 slots it is over whatever was drawn.
        offer(&mut cell, end + Span::micros(50 + 31 * 20), A, 1);
        assert_eq!(cell.next_start(), end + Span::micros(50 + 31 * 20));
    }
}

#[test]
fn a_frozen_backoff_goes_on_where_it_stopped() {
    for seed in 0..100 {
        let mut cell = cell(ideal(), seed);
        offer(&mut cell, us(0), A, 0);
        let end = cell.on_start(&mut ()).end;
        offer(&mut cell, us(100), B, 1);
        cell.on_data_end();
        cell.on_end(end, &mut Vec::new());
        let drawn = slots_after_difs(cell.next_start(), end);
        if drawn < 3 {
            continue;
        }
        // The access point comes on an idle medium in the middle of B's second slot: one whole slot has passed.
        let interrupt = end + Span::micros(50 + 30);
        offer(&mut cell, interrupt, AP, 2);
        assert_eq!(cell.next_start(), interrupt);
        let end = cell.on_start(&mut ()).end;
        cell.on_data_end();
        cell.on_end(end, &mut Vec::new());
        assert_eq!(slots_after_difs(cell.next_start(), end), drawn - 1);
        return;
    }
    panic!("no seed drew three slots or more");
}

/// Runs one frame of A until it is gone; returns the exchanges it took and what was reported of it.
fn outlive(config: CellConfig) -> (u64, Option<(PacketId, DropReason)>) {
    let mut cell = cell(config, 1);
    offer(&mut cell, us(0), A, 0);
    let mut ended = Vec::new();
    while cell.next_start() != Time::NEVER {
        let end = cell.on_start(&mut ()).end;
        cell.on_data_end();
        cell.on_end(end, &mut ended);
    }
    (cell.stats(A).attempts, ended.last().and_then(|ended| ended.dropped))
}

#[test]
fn the_retry_limit_counts_attempts() {
    let dead = ChannelConfig::Bernoulli { frame_loss: 1.0 };
    let lost = Some((PacketId(0), DropReason::RetryChannel));
    assert_eq!(outlive(config(dead.clone(), StatePer::Cell)), (7, lost));
    // With RTS on a channel that spares control frames the long limit counts, whatever the CTS did.
    let mut with_rts = config(dead, StatePer::Cell);
    set(&mut with_rts, |mac| mac.rts_threshold = 0);
    set(&mut with_rts, |mac| mac.errors.control_frames = false);
    assert_eq!(outlive(with_rts.clone()), (4, lost));
    // When the RTS itself is lost the short limit counts.
    set(&mut with_rts, |mac| mac.errors.control_frames = true);
    assert_eq!(outlive(with_rts), (7, lost));
}

#[test]
fn bystanders_of_an_undecodable_frame_wait_eifs_and_the_sender_its_timeout() {
    let dead = ChannelConfig::Bernoulli { frame_loss: 1.0 };
    let mut cell = cell(config(dead, StatePer::Cell), 1);
    offer(&mut cell, us(0), A, 0);
    let end = cell.on_start(&mut ()).end;
    assert_eq!(end, us(DATA_US));
    cell.on_end(end, &mut Vec::new());
    // The sender: timeout SIFS + slot + 192 us, then DIFS, then slots from the doubled window.
    let wait = (cell.next_start() - end).0 - 272_000;
    assert!(wait.is_multiple_of(20_000) && wait / 20_000 <= 63);
    // A bystander that gets a frame meanwhile: no backoff, but not before EIFS (10 + 50 + 304 us).
    let sender_starts = cell.next_start();
    let expected = sender_starts.min(end + Span::micros(364));
    for station in [AP, B] {
        let mut cell = cell.clone();
        offer(&mut cell, end + Span::micros(100), station, 1);
        assert_eq!(cell.next_start(), expected);
    }
}

/// RTS of 272 us, SIFS, CTS of 248 us: an exchange that ends here had its CTS lost at the sender.
const CTS_END_US: u64 = 272 + 10 + 248;
/// The end of the reservation that its RTS made.
const NAV_US: u64 = CTS_END_US + 10 + EXCHANGE_US;

/// A cell in which A's first exchange has just lost its CTS, by trying seeds.
fn cts_lost(state_per: StatePer, silence: SilenceRule, seeds: std::ops::Range<u64>) -> Vec<Cell> {
    let mut config = config(ChannelConfig::Bernoulli { frame_loss: 0.5 }, state_per);
    set(&mut config, |mac| mac.rts_threshold = 0);
    set(&mut config, |mac| mac.silence = silence);
    let tried = seeds.filter_map(|seed| {
        let mut cell = cell(config.clone(), seed);
        offer(&mut cell, us(0), A, 0);
        let end = cell.on_start(&mut ()).end;
        cell.on_end(end, &mut Vec::new());
        (end == us(CTS_END_US)).then_some(cell)
    });
    tried.collect()
}

#[test]
fn a_reservation_outlasts_a_failed_retry_and_does_not_bind_those_who_made_it() {
    let cells = cts_lost(StatePer::Cell, SilenceRule::WhileNavIsSet, 0..400);
    assert!(cells.len() > 20);
    for mut cell in cells {
        // The access point answered: it is free after DIFS though its answer was lost.
        let mut access_point = cell.clone();
        offer(&mut access_point, us(CTS_END_US), AP, 1);
        assert_eq!(access_point.next_start(), us(CTS_END_US + 50));
        // B heard the RTS, so whatever A tries meanwhile, B waits for the end of the reservation.
        offer(&mut cell, us(CTS_END_US), B, 1);
        while cell.next_start() < us(NAV_US + 50) {
            let end = cell.on_start(&mut ()).end;
            cell.on_data_end();
            assert_eq!(cell.stats(B).attempts, 0);
            cell.on_end(end, &mut Vec::new());
        }
    }
}

#[test]
fn in_ns2_the_sender_of_a_cts_waits_for_its_data() {
    for mut cell in cts_lost(StatePer::Receiver, SilenceRule::WhileItAwaitsData, 0..400) {
        offer(&mut cell, us(CTS_END_US), AP, 1);
        while cell.next_start() + Span::micros(272) < us(NAV_US) {
            let exchange = cell.on_start(&mut ());
            assert_eq!(cell.stats(AP).attempts, 0, "it does not contend");
            assert_eq!(exchange.data_end, None, "it does not answer");
            cell.on_end(exchange.end, &mut Vec::new());
        }
    }
}

proptest! {
    /// Whatever the channel does, each packet is handed over at most once, and it is either handed over or
    /// reported dropped.
    #[test]
    fn every_frame_is_delivered_once_or_reported(
        seed in 0_u64..1000,
        loss in 0.0_f64..0.9,
        rts in any::<bool>(),
        per in 0_usize..3,
        gaps in proptest::collection::vec((0_u64..20_000, 0_u32..3), 1..60),
    ) {
        let state_per = [StatePer::Cell, StatePer::Station, StatePer::Receiver][per];
        let mut config = config(ChannelConfig::Bernoulli { frame_loss: loss }, state_per);
        set(&mut config, |mac| mac.rts_threshold = if rts { 0 } else { u32::MAX });
        for station in &mut config.stations {
            station.queue = QueueLimit::Unlimited.into();
        }
        let mut cell = cell(config, seed);
        let mut fates = vec![0_u32; gaps.len()];
        let mut arrivals = gaps.iter().scan(0, |at, &(gap, station)| {
            *at += gap;
            Some((us(*at), StationId(station)))
        }).enumerate().peekable();
        let mut busy_until = None;
        let mut ended = Vec::new();
        loop {
            let next_end: Time = busy_until.unwrap_or(Time::NEVER);
            let next = cell.next_start().min(next_end);
            if let Some(&(id, (at, station))) = arrivals.peek()
                && at <= next
            {
                arrivals.next();
                offer(&mut cell, at, station, id as u32);
            } else if next == Time::NEVER {
                break;
            } else if next == next_end {
                busy_until = None;
                if let Some((PacketId(id), _)) = cell.on_data_end() {
                    fates[id as usize] += 1;
                }
                cell.on_end(next, &mut ended);
                for done in ended.drain(..) {
                    if let Some((PacketId(id), _)) = done.dropped {
                        fates[id as usize] += 1;
                    }
                }
            } else {
                let exchange = cell.on_start(&mut ());
                prop_assert!(exchange.end > next);
                busy_until = Some(exchange.end);
            }
        }
        prop_assert!(fates.iter().all(|&n| n == 1), "{fates:?}");
    }
}
