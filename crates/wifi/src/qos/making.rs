//! Stations with access functions at time zero.

use super::category::{AccessParameters, Categories, Category};
use super::config::{Agreements, QosConfig, QosGeneration, Sent};
use super::contender::FUNCTION_BITS;
use super::function::Function;
use super::line::Line;
use super::peer::Rules;
use super::sharing::{Pace, Prospects, Sharing};
use super::station::QosStation;
use super::stations::Stations;
use crate::rates::{RateRef, Rates};
use crate::station::StationConfig;
use base::{Purpose, Seed, Span, StationId};
use net::{Discipline, Owner, Queue, QueueConfig, QueueLimit, Tins};
use std::sync::Arc;

/// What a station is made of.
#[derive(Clone, Copy, Debug)]
pub struct Making<'a> {
    pub station: &'a StationConfig,
    /// Its categories' parameters; `None`: it contends by DCF.
    pub categories: Option<&'a [AccessParameters; Category::COUNT]>,
    /// Its weight where others share airtime among receivers.
    pub weight: u32,
    /// It agrees where others ask it for agreements.
    pub accepts_agreements: bool,
    pub qos: &'a QosConfig,
    /// The number of its random streams.
    pub stream: u64,
}

impl Stations {
    /// Makes stations with nothing to send.
    pub fn make(parts: &[Making<'_>], of_flow: Categories, rates: &Rates, seed: Seed) -> Stations {
        let weights: Arc<[u32]> = parts.iter().map(|of| of.weight).collect();
        let station = |(i, own): (usize, &Making<'_>)| QosStation {
            mac: own.station.mac,
            qos: *own.qos,
            functions: functions(own, seed),
            places: own.categories.map_or([0; Category::COUNT], |_| Category::PLACES),
            sharing: is_shared(own.station).then(|| {
                let prospects = prospects((parts, &weights), StationId(i as u32), rates);
                sharing(own, prospects, seed)
            }),
            has_qos: own.categories.is_some(),
            is_older: is_older((own, StationId(i as u32)), rates),
            dcf: dcf(own.station),
            own_terms: None,
            accepts_agreements: own.accepts_agreements,
            is_held: false,
        };
        Stations::new(parts.iter().enumerate().map(station).collect(), of_flow)
    }
}

/// True where a station sends and gets single MPDUs, since it has no rates of 802.11n or later. A cell of 802.11a or 802.11g alone is
/// as it says.
fn is_older((own, station): (&Making<'_>, StationId), rates: &Rates) -> bool {
    let is_of_older_cell = own.qos.generation == QosGeneration::Legacy;
    rates.is_older(station) || (!is_of_older_cell && !rates.is_modern(station))
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

/// What a station knows of all others before it sends to them.
fn prospects(
    (parts, weights): (&[Making<'_>], &Arc<[u32]>),
    at: StationId,
    rates: &Rates,
) -> Prospects {
    let Making { station, categories, qos, .. } = parts[at.index()];
    let pace = |category: Category, (rate, aggregates): (RateRef, bool)| {
        let parameters = &categories.map_or(dcf(station), |own| own[category as usize]);
        let added = station.mac.data_overhead();
        qos.pace(rate, rates, &Sent { category, parameters, added, aggregates })
    };
    let (mut kinds, mut paces): (Vec<(RateRef, bool)>, Vec<[Pace; Category::COUNT]>) =
        Default::default();
    let of = (0..parts.len() as u32).map(StationId).map(|to| {
        let agrees = |at: StationId| {
            let own = &parts[at.index()];
            own.categories.is_some() && !is_older((own, at), rates)
        };
        let both = agrees(at) && agrees(to);
        let kind = (rates.first((at, to)), both && qos.generation > QosGeneration::Legacy);
        let known = kinds.iter().position(|known| *known == kind);
        known.unwrap_or_else(|| {
            kinds.push(kind);
            paces.push(Category::EVERY.map(|category| pace(category, kind)));
            kinds.len() - 1
        }) as u16
    });
    let of = of.collect();
    Prospects { weights: Arc::clone(weights), paces, of }
}

/// The queues of a station that keeps them for each receiver and category.
fn sharing(of: &Making<'_>, prospects: Prospects, seed: Seed) -> Box<Sharing> {
    let Making { station, qos, stream, .. } = *of;
    let owner = Owner { seed, purpose: Purpose::StationQueue, number: stream << FUNCTION_BITS };
    let tins = Tins::new(&station.queue, station.ladder.nominal_rate(), owner);
    Box::new(Sharing::new(qos.settings.sharing, tins, prospects))
}

/// The functions of a station: one for each category, or one that contends by DCF.
fn functions(of: &Making<'_>, seed: Seed) -> Vec<Function> {
    let Making { station, categories, qos, stream, .. } = *of;
    let rules = Rules {
        retry_limit: station.mac.short_retry_limit,
        ampdu_retry_limit: qos.settings.ampdu_retry_limit,
        lifetime: qos.settings.lifetime,
        request_after_miss: qos.settings.request_after_miss,
        always_agreed: categories.is_some() && qos.generation.has_single_mpdus(),
        asks: categories.is_some() && qos.settings.agreements == Agreements::Frames,
        timeout: qos.settings.block_ack_timeout,
        window: qos.window(),
        turns: qos.settings.sharing.hardware_aggregates.filter(|_| is_shared(station)),
        yields: is_shared(station),
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
