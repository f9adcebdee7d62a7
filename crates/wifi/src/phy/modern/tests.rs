//! Modes against the tables of the standards, and durations worked out by hand.

use super::*;

fn mode(generation: Generation, mcs: u8, width: u16, guard_ns: u64) -> Modern {
    Modern::new(generation, mcs, 1, width, Span(guard_ns), PreambleRule::Standard).unwrap()
}

/// Rates of 802.11-2020, 19.5 and 21.5, of 802.11ax-2021, 27.5, and 802.11be, 36.5.
#[test]
fn rates_are_those_of_the_tables() {
    for (mode, kbps) in [
        (mode(Generation::Ht, 7, 20, 800), 65_000),
        (mode(Generation::Ht, 7, 40, 400), 150_000),
        (mode(Generation::Vht, 9, 80, 400), 433_333),
        (mode(Generation::He, 11, 20, 800), 143_382),
        (mode(Generation::Eht, 13, 320, 800), 2_882_352),
    ] {
        assert_eq!(mode.rate().0 / 1000, kbps, "{mode:?}");
    }
}

#[test]
fn modes_that_do_not_exist_are_refused() {
    let new = |generation, mcs, width, guard| {
        Modern::new(generation, mcs, 1, width, Span(guard), PreambleRule::Standard)
    };
    assert_eq!(new(Generation::Vht, 9, 20, 800), None, "346.67 bits a symbol");
    assert_eq!(new(Generation::Ht, 8, 20, 800), None);
    assert_eq!(new(Generation::Ht, 0, 80, 800), None);
    assert_eq!(new(Generation::He, 0, 20, 400), None);
}

/// 802.11-2020, 19.4.3: with the short guard interval the data round up to 4 us; ns-3 leaves them.
#[test]
fn the_rules_differ_where_ns3_departs_from_the_standard() {
    let by = |rule| {
        Modern::new(Generation::Ht, 0, 1, 20, Span(400), rule).unwrap().airtime().of_bytes(1536)
    };
    assert_eq!(by(PreambleRule::Ns3), Span(1_742_400));
    assert_eq!(by(PreambleRule::Standard), Span::micros(1744));
}

/// By hand for 1536 B, so that a clone alone checks each family. VHT, MCS 8, 20 MHz: ceil(12310 / 312) = 40 symbols of 4 us
/// behind 40 us (36 without VHT-SIG-B). HE, MCS 0, 20 MHz, 3.2 us: 106 symbols of 16 us behind 36 + 16 us (36 + 8).
/// EHT, MCS 13, 320 MHz, 1.6 us: one symbol of 14.4 us behind 20 + 16 + 8 + 8 us (EHT-SIG of 4 us).
#[test]
fn each_generation_lasts_as_worked_by_hand() {
    use Generation::{Eht, He, Vht};
    for (generation, mcs, width, guard, standard, ns3) in [
        (Vht, 8, 20, 800, 200_000, 196_000),
        (He, 0, 20, 3200, 1_748_000, 1_740_000),
        (Eht, 13, 320, 1600, 66_400, 62_400),
    ] {
        for (rule, ns) in [(PreambleRule::Standard, standard), (PreambleRule::Ns3, ns3)] {
            let mode = Modern::new(generation, mcs, 1, width, Span(guard), rule).unwrap();
            assert_eq!(mode.airtime().of_bytes(1536), Span(ns), "{mode:?}");
        }
    }
}
