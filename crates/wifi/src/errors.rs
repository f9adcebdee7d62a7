//! Channel errors of frames that power and collisions leave intact: independent or bursty bit errors, and codes that
//! correct them.
//!
//! The cell in which all hear all and the medium use the same channels. Each has its own stream, numbered by its station or
//! cell, so that a frame meets the same fate in both.

use crate::config::ErrorScope;
use crate::exchange::Frame;
use crate::receiver::Receiver;
use base::{Seed, Span, StationId, Time};
use radio::{Burst, Channel, ChannelConfig, Code, FecConfig, HeaderBits, StatePer};

/// Bit error model.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorConfig {
    /// The channels' law.
    pub channel: ChannelConfig,
    /// Sharing of the channel state: by cell, station or receiver.
    pub state_per: StatePer,
    /// Forward error correction, where used.
    pub fec: Option<FecConfig>,
}

impl ErrorConfig {
    /// No bit is lost.
    pub const IDEAL: ErrorConfig =
        ErrorConfig { channel: ChannelConfig::Ideal, state_per: StatePer::Cell, fec: None };

    /// True where no bit is lost.
    pub fn is_ideal(&self) -> bool {
        self.channel == ChannelConfig::Ideal
    }

    /// The code that data frames are sent with, where they are.
    pub fn code(&self) -> Option<Code> {
        self.fec.map(|fec| Code::new(fec, &self.channel.bit_error_rates()))
    }
}

/// Exposure to errors, the same for all frames.
#[derive(Clone, Copy, Debug)]
pub struct Exposure {
    /// Frames and bits that errors can hit.
    pub scope: ErrorScope,
    /// The PLCP preamble and header as bits, for scopes that include it.
    pub plcp_bits: u32,
    /// The longest time by which a burst may begin before one queried earlier.
    pub overlap: Span,
}

/// The channels of all stations on one air.
#[derive(Clone, Debug)]
pub struct ErrorChannels {
    channels: Vec<Channel>,
    /// By station: its channel.
    of_station: Vec<u32>,
    is_access_point: Vec<bool>,
    /// Index of the only channel, if there is only one.
    access_point: Option<usize>,
    /// No bit is lost.
    is_ideal: bool,
    /// The path between a station and an access point is the station's, in both directions.
    by_pair: bool,
    exposure: Exposure,
    code: Option<Code>,
    /// By channel: the frame that it met last, by start and sender, and whether that was lost.
    met: Vec<(Time, StationId, bool)>,
    /// Scratch: the hazard of the frame at hand, by state.
    steady: Vec<f64>,
}

impl ErrorChannels {
    /// Channels in their stationary states.
    pub fn new(
        config: &ErrorConfig,
        exposure: Exposure,
        stations: &[Receiver],
        seed: Seed,
    ) -> ErrorChannels {
        let shared = config.state_per == StatePer::Cell || config.is_ideal();
        let number = |station: &Receiver| match shared {
            true => station.stream >> 32 << 32,
            false => station.stream,
        };
        let mut numbers: Vec<u64> = stations.iter().map(number).collect();
        let of_station = numbers.clone();
        numbers.sort_unstable();
        numbers.dedup();
        let place = |number: &u64| numbers.partition_point(|other| other < number) as u32;
        let of_station = of_station.iter().map(place).collect();
        let remember = config.fec.map_or(Span::ZERO, |fec| fec.feedback_delay) + exposure.overlap;
        let channel = |&number| Channel::new(config.channel.clone(), seed, number, remember);
        let access_point = stations.iter().position(|station| station.is_access_point);
        ErrorChannels {
            channels: numbers.iter().map(channel).collect(),
            of_station,
            is_access_point: stations.iter().map(|station| station.is_access_point).collect(),
            access_point,
            is_ideal: config.is_ideal(),
            by_pair: config.state_per == StatePer::Station,
            exposure,
            code: config.code(),
            met: vec![(Time::NEVER, StationId(u32::MAX), false); numbers.len()],
            steady: vec![],
        }
    }

    /// Makes one channel for all that loses nothing.
    pub fn ideal(seed: Seed) -> ErrorChannels {
        let scope = ErrorScope { control_frames: false, plcp: false };
        let exposure = Exposure { scope, plcp_bits: 0, overlap: Span::ZERO };
        let one = Receiver { stream: 0, is_access_point: false };
        ErrorChannels::new(&ErrorConfig::IDEAL, exposure, &[one], seed)
    }

    /// Number of channels.
    pub fn len(&self) -> usize {
        self.channels.len()
    }

    /// Returns true if no bit is lost.
    pub fn is_ideal(&self) -> bool {
        self.is_ideal
    }

    /// True where a frame can lose bits.
    #[inline]
    pub fn can_hit(&self, frame: &Frame) -> bool {
        !self.is_ideal && (frame.is_data() || self.exposure.scope.control_frames)
    }

    /// Bits sent for a data frame of `bits` bits from `from` to `to` at `now`, by the channel estimate that has been fed
    /// back.
    #[inline]
    pub fn coded_bits(&mut self, bits: u64, (from, to): (StationId, StationId), now: Time) -> u64 {
        let Some(code) = &self.code else { return bits };
        if code.config().adaptive {
            let at = Time(now.0.saturating_sub(code.config().feedback_delay.0));
            let channel = self.between(from, to);
            if !self.channels[channel].was_bad(at, now) {
                return bits;
            }
        }
        self.code.as_ref().map_or(bits, |code| code.coded_bits(bits))
    }

    /// Draws whether a frame is lost on the only channel.
    #[inline]
    pub fn loses_for_all(&mut self, frame: &Frame) -> bool {
        let burst = self.burst(frame);
        let code = if frame.is_coded() { self.code.as_mut() } else { None };
        self.channels[0].loses(&burst, code)
    }

    /// Draws whether a part of a PPDU, an MPDU of an aggregate, is lost on the way.
    pub fn loses_part(
        &mut self,
        way: (StationId, StationId),
        (start, end): (Time, Time),
        bits: u64,
    ) -> bool {
        let channel = self.between(way.0, way.1);
        let burst = Burst { start, end, bits, data_bits: bits, header: None };
        self.channels[channel].loses(&burst, None)
    }

    /// Draws whether a frame that has ended is lost at `at`: once for all stations that share a channel.
    pub fn loses(&mut self, frame: &Frame, at: StationId) -> bool {
        if !self.can_hit(frame) {
            return false;
        }
        let channel = self.between(frame.from, at);
        let (start, from, lost) = self.met[channel];
        if (start, from) == (frame.start, frame.from) {
            return lost;
        }
        let burst = self.burst(frame);
        let code = if frame.is_coded() { self.code.as_mut() } else { None };
        let lost = self.channels[channel].loses(&burst, code);
        self.met[channel] = (frame.start, frame.from, lost);
        lost
    }

    /// Draws whether a frame is lost at each other station of a cell in which each has a channel, and tells `note` of it, with the
    /// station's record.
    pub fn loses_for_each<R>(
        &mut self,
        frame: &Frame,
        records: impl Iterator<Item = R>,
        mut note: impl FnMut(R, bool),
    ) {
        let burst = self.burst(frame);
        let mut code = if frame.is_coded() { self.code.as_mut() } else { None };
        // Few receivers see their channel change its state within a frame: the others spend what is worked out here, once.
        self.channels[0].steady_hazards(&burst, code.as_deref_mut(), &mut self.steady);
        let steady = &self.steady;
        let from = frame.from.index();
        let by_sender = self.access_point.filter(|&at| self.by_pair && at != from);
        let by_sender = by_sender.unwrap_or(usize::MAX);
        let mut at_access_point = None;
        for (i, (own, record)) in self.channels.iter_mut().zip(records).enumerate() {
            if i == by_sender {
                at_access_point = Some(record);
            } else if i != from {
                note(record, own.loses_steadily(&burst, steady, code.as_deref_mut()));
            }
        }
        if let Some(record) = at_access_point {
            note(record, self.channels[from].loses_steadily(&burst, steady, code));
        }
    }

    /// The channel by which a frame of `from` comes to `to`.
    fn between(&self, from: StationId, to: StationId) -> usize {
        let ends_at_access_point =
            self.by_pair && self.is_access_point[to.index()] && !self.is_access_point[from.index()];
        let whose = if ends_at_access_point { from } else { to };
        self.of_station[whose.index()] as usize
    }

    fn burst(&self, frame: &Frame) -> Burst {
        let header = HeaderBits { start: frame.start, bits: u64::from(self.exposure.plcp_bits) };
        Burst {
            start: frame.start + frame.plcp,
            end: frame.end(),
            bits: frame.sent_bits,
            data_bits: frame.bits,
            header: self.exposure.scope.plcp.then_some(header),
        }
    }
}
