//! A cell at time zero, with places or without.

use super::{Cell, CellConfig};
use crate::air::Air;
use crate::config::SlotRule;
use crate::contention::Contention;
use crate::errors::{ErrorChannels, Exposure};
use crate::medium::{Medium, MediumConfig, Referee};
use crate::rates::{RateRef, Rates};
use crate::receiver::Receiver;
use crate::station::{Station, StationConfig};
use base::{CellId, Purpose, Seed, Span, Time};

/// The parts of which a cell is made.
struct Parts<'a> {
    configs: Vec<&'a StationConfig>,
    /// By station: the number of its random streams.
    streams: Vec<u64>,
    stations: Vec<Station>,
    rates: Rates,
    channels: ErrorChannels,
}

impl Cell {
    /// An idle cell.
    ///
    /// # Panics
    /// Where there is no station.
    pub fn new(config: &CellConfig, seed: Seed, id: CellId) -> Cell {
        let receivers = Receiver::of_cell(id, config.stations.len(), config.access_point);
        let first = &config.stations[0];
        let rates = Rates::of_cell(&config.stations, &receivers, seed);
        // Frames follow each other, and are asked for in their order.
        let (scope, plcp_bits) = (first.mac.errors, first.ladder.phy().plcp_bits);
        let exposure = Exposure { scope, plcp_bits, overlap: Span::ZERO };
        let own = config.stations.iter().zip(&receivers);
        Cell::of(
            Parts {
                configs: config.stations.iter().collect(),
                streams: receivers.iter().map(|of| of.stream).collect(),
                stations: own.map(|(station, of)| Station::new(station, seed, of.stream)).collect(),
                rates,
                channels: ErrorChannels::new(&config.errors, exposure, &receivers, seed),
            },
            seed,
        )
    }

    /// Makes an idle cell whose stations have places, with the medium between them as the referee of what begins together; all must
    /// decode all there ([`Medium::has_one_clock`]).
    ///
    /// # Panics
    /// Where there is no station.
    pub fn refereed(medium: Medium, config: &MediumConfig, seed: Seed) -> Cell {
        let mut referee = Referee::new(medium);
        let (stations, rates, channels) = referee.hand_out(seed);
        let members = &config.members;
        let parts = Parts {
            configs: members.iter().map(|member| &member.station).collect(),
            streams: members.iter().map(|member| member.stream).collect(),
            stations,
            rates,
            channels,
        };
        let referee = Some(Box::new(referee));
        Cell { referee, last_wait: config.last_wait(), ..Cell::of(parts, seed) }
    }

    fn of(Parts { configs, streams, stations, rates, channels }: Parts<'_>, seed: Seed) -> Cell {
        let (phy, mac) = (*configs[0].ladder.phy(), configs[0].mac);
        let largest = configs.iter().map(|station| station.ladder.phy().cw_max).max();
        let rate = RateRef::default();
        let number = stations.len();
        Cell {
            timing: *rates.timing(rate),
            phy,
            mac,
            rates,
            rate,
            stations,
            contention: Contention::new(number, largest.unwrap_or(phy.cw_max), phy.slot),
            air: Air::new(channels),
            busy: false,
            winners: Vec::new(),
            turns: Vec::new(),
            fates: Vec::new(),
            receiver: None,
            delivery: None,
            end: Time::ZERO,
            busy_time: Span::ZERO,
            silent: Vec::new(),
            answerer: None,
            lost_slots: match mac.slots {
                SlotRule::All => Vec::new(),
                SlotRule::Truncated => {
                    streams.iter().map(|&stream| seed.keyed(Purpose::LostSlot, stream)).collect()
                }
            },
            referee: None,
            begun: Vec::new(),
            colliding: Vec::new(),
            waits: Vec::new(),
            ahead: None,
            is_played: false,
            arrived: 0,
            pending: Vec::new(),
            last_wait: Time::ZERO,
            first_end: Time::ZERO,
            at_once: Vec::new(),
        }
    }
}
