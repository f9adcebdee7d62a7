//! A cell at time zero.

use super::category::{AccessParameters, Category};
use super::config::{QosCellConfig, QosConfig, QosGeneration};
use super::function::{Function, Rules};
use super::lanes::{Lanes, Wait};
use super::line::Line;
use super::sharing::Sharing;
use super::signal::Signals;
use super::{FUNCTION_BITS, QosCell, QosStation, Resumption};
use crate::errors::{ErrorChannels, Exposure};
use crate::rates::Rates;
use crate::receiver::Receiver;
use crate::station::StationConfig;
use base::{CellId, Purpose, Seed, Span, StationId, Time};
use net::{Discipline, Owner, Queue, QueueConfig, QueueLimit, Tins};
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
        let both = config.stations.iter().zip(&config.categories);
        let stations = both.zip(&receivers).enumerate().map(|(i, ((station, categories), of))| {
            let owner = (seed, of.stream);
            QosStation {
                mac: station.mac,
                functions: functions(station, categories.as_ref(), &config.qos, owner),
                sharing: sharing(config, StationId(i as u32), &rates, owner),
            }
        });
        let stations: Vec<QosStation> = stations.collect();
        QosCell {
            lanes: lanes(&stations, phy.sifs, phy.slot),
            phy,
            qos: config.qos,
            rates,
            stations,
            channels: ErrorChannels::new(&config.errors, exposure, &receivers, seed),
            signals: config
                .signal
                .as_ref()
                .map(|signal| Box::new(Signals::new(signal, &config.stations, &receivers, seed))),
            of_flow: config.of_flow.clone(),
            fates: Vec::new(),
            lost: Vec::new(),
            busy: false,
            end: Time::ZERO,
            busy_time: Span::ZERO,
            measured_since: Time::ZERO,
            winners: Vec::new(),
            turns: Vec::new(),
            yielded: Vec::new(),
            landings: VecDeque::new(),
            txop: None,
            is_ending: false,
            resumption: Resumption::default(),
            aloft: Vec::new(),
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

/// How a station without QoS contends: by DCF.
fn dcf(station: &StationConfig) -> AccessParameters {
    let phy = station.ladder.phy();
    AccessParameters {
        aifsn: 2,
        cw_min: phy.cw_min,
        cw_max: phy.cw_max,
        txop: Span::ZERO,
        ampdu: 0,
        amsdu: 0,
    }
}

/// Packets that leave an AQM's queue before their turn, where nothing is said.
const AHEAD: u32 = 128;

fn is_shared(station: &StationConfig) -> bool {
    station.queue.discipline == Discipline::Mac80211
}

/// The queues of a station that keeps them for each receiver and category.
fn sharing(
    config: &QosCellConfig,
    at: StationId,
    rates: &Rates,
    (seed, stream): (Seed, u64),
) -> Option<Box<Sharing>> {
    let station = &config.stations[at.index()];
    let aggregates = |to: StationId| {
        let both = [at, to].iter().all(|at| config.categories[at.index()].is_some());
        both && config.qos.generation > QosGeneration::Legacy
    };
    let pace = |category: Category, to: StationId| {
        let timing = rates.timing(rates.first((at, to)));
        let of = config.categories[at.index()].map_or(dcf(station), |own| own[category as usize]);
        config.qos.pace(timing, &of, aggregates(to))
    };
    is_shared(station).then(|| {
        let owner = Owner { seed, purpose: Purpose::StationQueue, number: stream << FUNCTION_BITS };
        let rate = station.ladder.nominal_rate();
        let tins = |tins| Tins::new(&station.queue, rate, owner, tins);
        Box::new(Sharing::new(config.qos.settings.sharing, tins, &config.weights, pace))
    })
}

/// The functions of a station: one for each category, or one that contends by DCF.
fn functions(
    station: &StationConfig,
    categories: Option<&[AccessParameters; Category::COUNT]>,
    qos: &QosConfig,
    (seed, stream): (Seed, u64),
) -> Vec<Function> {
    let rules = Rules {
        retry_limit: station.mac.short_retry_limit,
        ampdu_retry_limit: qos.settings.ampdu_retry_limit,
        lifetime: qos.settings.lifetime,
        request_after_miss: qos.settings.request_after_miss,
        always_agreed: categories.is_some() && qos.generation.has_single_mpdus(),
        window: qos.window(),
        turns: qos.settings.sharing.hardware_aggregates.filter(|_| is_shared(station)),
    };
    let all = match categories {
        Some(own) => Category::EVERY.into_iter().zip(*own).collect(),
        None => vec![(Category::BestEffort, dcf(station))],
    };
    let function = |(category, parameters): (Category, AccessParameters)| {
        let number = stream << FUNCTION_BITS | category as u64;
        let owner = Owner { seed, purpose: Purpose::StationQueue, number };
        let rate = station.ladder.nominal_rate();
        let queue = |config: &QueueConfig| Queue::new(config, rate, owner);
        // Whether packets leave the queue before their turn: from shared queues they do otherwise.
        let is_apart = match station.queue.discipline {
            Discipline::DropTail => qos.settings.driver_queue.is_some(),
            Discipline::Mac80211 => false,
            _ => true,
        };
        let line = &QueueLimit::Unlimited.into();
        let (queue, managed) = match is_apart {
            _ if is_shared(station) => (queue(line), None),
            true => (queue(&QueueLimit::Unlimited.into()), Some(queue(&station.queue))),
            false => (queue(&station.queue), None),
        };
        let rng = seed.stream(Purpose::AccessBackoff, number);
        let ahead = qos.settings.driver_queue.unwrap_or(AHEAD);
        let line = Line::new(queue, managed, ahead);
        Function::new((category, parameters), rules, line, rng)
    };
    all.into_iter().map(function).collect()
}
