//! A cell at time zero.

use super::QosCell;
use super::config::QosCellConfig;
use super::contender::FUNCTION_BITS;
use super::lanes::{Lanes, Wait};
use super::making::Making;
use super::resumption::{Gap, Reservations, Resumption};
use super::station::QosStation;
use super::stations::Stations;
use crate::errors::{ErrorChannels, Exposure};
use crate::rates::Rates;
use crate::receiver::Receiver;
use base::{CellId, Seed, Span, Time};
use std::collections::VecDeque;

impl QosCell {
    /// An idle cell.
    ///
    /// # Panics
    /// Where there is no station.
    pub fn new(config: &QosCellConfig, seed: Seed, id: CellId) -> QosCell {
        let receivers = Receiver::of_cell(id, config.stations.len(), config.access_point);
        let first = &config.stations[0];
        let rates = Rates::of_cell(&config.stations, &receivers, seed);
        let (scope, phy) = (first.mac.errors, *first.ladder.phy());
        let exposure = Exposure { scope, plcp_bits: phy.plcp_bits, overlap: Span::ZERO };
        let parts: Vec<Making<'_>> = (0..config.stations.len())
            .map(|i| Making {
                station: &config.stations[i],
                categories: config.categories[i].as_ref(),
                weight: config.weights[i],
                accepts_agreements: config.accept_agreements[i],
                qos: &config.qos,
                stream: receivers[i].stream,
            })
            .collect();
        let stations = Stations::make(&parts, config.of_flow.clone(), &rates, seed);
        QosCell {
            lanes: lanes(&stations.all, phy.sifs, phy.slot),
            phy,
            rates,
            stations,
            channels: ErrorChannels::new(&config.errors, exposure, &receivers, seed),
            busy: false,
            end: Time::ZERO,
            busy_time: Span::ZERO,
            winners: Vec::new(),
            turns: Vec::new(),
            begun: Vec::new(),
            yielded: Vec::new(),
            landings: VecDeque::new(),
            txop: None,
            ending: None,
            resumption: Resumption::default(),
            reservations: Reservations::default(),
            gap: Gap::NONE,
            unbound: None,
            come: Vec::new(),
        }
    }
}

/// The lanes of all functions. A station without QoS counts idle slots behind DIFS, the others boundaries behind AIFS.
fn lanes(stations: &[QosStation], sifs: Span, slot: Span) -> Lanes {
    let mut waits = Vec::new();
    for station in stations {
        let by_boundaries = station.has_qos();
        let wait = |aifsn: u32| Wait { space: sifs + slot * u64::from(aifsn), by_boundaries };
        let own =
            |place: usize| station.functions[place.min(station.functions.len() - 1)].parameters;
        waits.extend((0..1 << FUNCTION_BITS).map(|place| wait(own(place).aifsn)));
    }
    let functions = stations.iter().flat_map(|station| &station.functions);
    let largest = functions.map(|function| function.parameters.cw_max).max();
    Lanes::new(&waits, largest.unwrap_or_default(), slot)
}
