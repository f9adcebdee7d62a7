//! Packets that come at any time, to functions that are idle or not: where all hear all at the same strength, the medium and the cell
//! with access categories deliver them at the same nanoseconds. Stations without categories, agreements by frames, TXOPs, either
//! protection of aggregates, and stations with older rates, of 802.11b too, are drawn with them.
//!
//! Two things are left out, since cell and medium differ there: TXOPs on a channel that loses frames, where the cell does not follow
//! for each station which of their frames have set its NAV; and frames that are given up, of which a sender on a medium learns after
//! its timeout, and in a cell at once.

use crate::aggregates_equal::{Offer, by_category, watch_cell};
use crate::agreements::all_hear_all;
use crate::driver::{Delivery, Input, play, seed};
use crate::qos_saturation::cell;
use base::{PacketId, Rate, Span, StationId, Time};
use proptest::prelude::*;
use radio::{ChannelConfig, StatePer};
use wifi::phy::{Band, PhySettings, Preamble, StandardName};
use wifi::qos::{Agreements, Category, Guard, QosCellConfig};
use wifi::{BystanderRule, ErrorConfig, ErrorScope, Medium};

/// Packets in 20 ms, from any station to its access point or from that to it, at no time at which a frame begins or ends.
fn offers(stations: u32) -> impl Strategy<Value = Vec<Offer>> {
    let one = (0_u64..200_000, 1..stations, any::<bool>(), 0_usize..4, 40_u32..1500);
    let all = proptest::collection::vec(one, 30..200);
    all.prop_map(|mut all| {
        all.sort_unstable();
        let offer = |(at, station, is_up, category, bytes)| {
            let (station, ap) = (StationId(station), StationId(0));
            let way = if is_up { (station, ap) } else { (ap, station) };
            Offer { at: Time(100 * at + 37), way, category: Category::EVERY[category], bytes }
        };
        all.into_iter().map(offer).collect()
    })
}

/// Older stations in a cell: their rate in 100 kbit/s, how many they are, whether the cell is protected from 802.11b, and whether
/// preambles are short.
type Older = (u64, usize, bool, bool);

fn older() -> impl Strategy<Value = Option<Older>> {
    let rate = prop::sample::select(vec![10, 20, 55, 110, 60, 90, 120, 240, 540]);
    proptest::option::of((rate, 1_usize..3, any::<bool>(), any::<bool>()))
}

/// Puts a cell into the 2.4 GHz band, where the first stations have an older rate.
pub fn age(config: &mut QosCellConfig, name: &str, (rate, count, beside_dsss, is_short): Older) {
    let settings = PhySettings {
        standard: match name {
            "n20" => StandardName::N,
            "ac80" => StandardName::Ac,
            _ => StandardName::Ax,
        },
        band: Band::Lower,
        mcs: Some(7),
        streams: 1,
        width_hz: Some(20e6),
        preamble: is_short.then_some(Preamble::Short),
        beside_dsss,
        ..PhySettings::default()
    };
    let slow = PhySettings { rate: Some(Rate(rate * 100_000)), mcs: None, ..settings };
    for (i, station) in config.stations.iter_mut().enumerate() {
        let own = if (1..=count).contains(&i) { slow } else { settings };
        station.ladder.rungs = [own.rung().expect("rates of the standard")].into();
    }
}

/// A cell and its packets.
fn scenes() -> impl Strategy<Value = (QosCellConfig, Vec<Offer>)> {
    let rules = (
        prop_oneof![Just("n20"), Just("ac80"), Just("ax80")],
        prop_oneof![Just(0_u32), Just(65_535)],
        prop_oneof![Just(0_u32), Just(500), Just(u32::MAX)],
        any::<(bool, bool, bool, bool, bool)>(),
        older(),
    );
    ((3_u32..7).prop_flat_map(|stations| (Just(stations), offers(stations))), rules).prop_map(
        |((stations, offers), (name, ampdu, rts, kinds, older))| {
            let (to_self, is_eifs, has_dcf, asks, loses_or_txops) = kinds;
            let mut config = cell(name, stations as usize - 1, ampdu, 0);
            config.of_flow = by_category();
            let settings = &mut config.qos.settings;
            settings.guard = if to_self { Guard::CtsToSelf } else { Guard::RtsCts };
            settings.agreements = if asks { Agreements::Frames } else { Agreements::Start };
            let loses = loses_or_txops && is_eifs;
            for station in &mut config.stations {
                let rule = if is_eifs { BystanderRule::Eifs } else { BystanderRule::Difs };
                (station.mac.rts_threshold, station.mac.bystanders) = (rts, rule);
                // No frame is given up: without a limit action frames have 7 attempts.
                station.mac.short_retry_limit = asks.then_some(1_000_000);
                station.mac.errors = ErrorScope { control_frames: false, plcp: false };
            }
            for own in config.categories.iter_mut().flatten().flatten() {
                own.txop = if loses_or_txops && !loses { Span::micros(2528) } else { Span::ZERO };
            }
            if let Some(older) = older {
                age(&mut config, name, older);
            }
            if has_dcf {
                config.categories[1] = None;
            }
            if loses {
                let channel = ChannelConfig::BitErrors { ber: 2e-5 };
                config.errors = ErrorConfig { channel, state_per: StatePer::Cell, fec: None };
            }
            (config, offers)
        },
    )
}

/// Whether all packets are delivered in a cell, and the first delivery there and on a medium in which both differ.
fn compare(config: &QosCellConfig, offers: &[Offer]) -> (bool, Option<(Delivery, Delivery)>) {
    // So long that a request for an agreement can fail, and be waited for.
    let until = Time::ZERO + Span::secs(5);
    let (_, record) = watch_cell(config, offers, until, &mut ());
    let input = |(i, offer): (usize, &Offer)| (offer.at, Input::Of(*offer, PacketId(i as u32)));
    let inputs: Vec<_> = offers.iter().enumerate().map(input).collect();
    let mut medium = Medium::new(&all_hear_all(config), seed(1));
    let other = play(&mut medium, until, &inputs, |_, _, _| ());
    let both = record.delivered.iter().copied().zip(other.delivered);
    (record.delivered.len() == offers.len(), both.into_iter().find(|(a, b)| a != b))
}

/// Two announce their data at once, with CTS to themselves: the access point at 2 Mbit/s, a station at 24 Mbit/s. Its data end
/// 2 us behind the slow CTS, and for 8 us nobody sends. A packet that a third station has then goes at the next boundary of a
/// slot; it is there in one microsecond before, in these eight, and one behind.
#[test]
fn a_packet_that_comes_between_data_that_collide_and_those_that_do_not() {
    for at in 249..260 {
        let mut config = cell("n20", 3, 0, 0);
        config.of_flow = by_category();
        config.qos.settings.guard = Guard::CtsToSelf;
        config.stations.iter_mut().for_each(|station| station.mac.rts_threshold = 500);
        age(&mut config, "n20", (20, 1, false, false));
        let offer = |us: u64, from, to, bytes| Offer {
            at: Time(1000 * us + 500),
            way: (StationId(from), StationId(to)),
            category: Category::Voice,
            bytes,
        };
        // All are idle, and begin at the first boundary of a slot behind AIFS, at 36 us.
        let offers = [offer(30, 0, 1, 1217), offer(30, 2, 0, 1281), offer(36 + at, 3, 0, 500)];
        assert_eq!(compare(&config, &offers), (true, None), "{at} us after both begin");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn packets_that_come_at_any_time((config, offers) in scenes()) {
        prop_assert_eq!(compare(&config, &offers), (true, None));
    }
}
