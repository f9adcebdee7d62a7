//! Packets that are in the MAC for longer than their lifetime.

use crate::aggregates_apart::{Log, watch};
use crate::aggregates_equal::{by_category, offers, watch_cell};
use crate::agreements::all_hear_all;
use crate::driver::Record;
use crate::qos_saturation::cell;
use base::{Span, Time};
use net::DropReason;
use std::collections::BTreeSet;
use wifi::FrameKind;
use wifi::qos::{Category, QosCellConfig};

fn played(config: &QosCellConfig) -> [(Record, Log); 2] {
    let offers = offers(&[(1, 0), (2, 0)], &[Category::BestEffort], 2000);
    let (until, mut log) = (Time::ZERO + Span::secs(1), Log::default());
    let (_, record) = watch_cell(config, &offers, until, &mut log);
    let (_, apart, seen) = watch(&all_hear_all(config), &offers, until);
    [(record, log), (apart, seen)]
}

/// A station finds out when it begins to send, and says so then, not when what it sends is over.
#[test]
fn packets_are_given_up_when_an_exchange_begins() {
    for txop in [Span::ZERO, Span::millis(2)] {
        let mut config = cell("ac80", 2, 65_535, 0);
        config.of_flow = by_category();
        config.qos.settings.lifetime = Span::millis(5);
        for own in config.categories.iter_mut().flatten().flatten() {
            own.txop = txop;
        }
        let mut both = Vec::new();
        for (record, Log(frames)) in played(&config) {
            let lost = record.dropped.iter().filter(|own| own.1 == DropReason::Lifetime).count();
            assert!(lost > 1000 && lost == record.given_up.len(), "{lost}");
            let first = [FrameKind::Data, FrameKind::BlockAckRequest];
            let begin = frames.iter().filter(|(sent, _)| first.contains(&sent.kind));
            let begins: BTreeSet<Time> = begin.map(|(sent, _)| sent.start).collect();
            let late = record.given_up.iter().find(|at| !begins.contains(at));
            assert_eq!(late, None);
            both.push((record.given_up, record.dropped));
        }
        assert_eq!(both[0], both[1]);
    }
}
