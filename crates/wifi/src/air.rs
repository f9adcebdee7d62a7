//! The air of one cell in which all hear all: which receivers a frame falls for, and what each remembers of it.
//!
//! Where all share one channel state, all remember the same and one record serves. Else each station has its own.

use crate::config::ErrorScope;
use base::{Seed, Span, StationId, Time};
use radio::{
    Burst, Channel, ChannelConfig, Code, FecConfig, HeaderBits, StatePer, bit_error_rates,
};

/// What a station remembers of the exchange that it heard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bystander {
    /// It could not decode the last frame.
    pub errored: bool,
    /// Until when it holds the medium for taken.
    pub nav: Time,
}

/// A frame to put on the air.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Who sends it.
    pub from: StationId,
    /// Whom it addresses.
    pub to: StationId,
    /// Start of the preamble.
    pub start: Time,
    /// PLCP and MPDU.
    pub airtime: Span,
    /// PLCP preamble and header.
    pub plcp: Span,
    /// Bits of the MPDU as sent.
    pub bits: u64,
    /// Bits of the MPDU before coding.
    pub data_bits: u64,
    /// True where it is coded.
    pub coded: bool,
    /// RTS, CTS or ACK.
    pub control: bool,
    /// Until when it tells bystanders to keep silent.
    pub nav: Time,
}

/// Channels, code and what was heard.
#[derive(Clone, Debug)]
pub struct Air {
    channels: Vec<Channel>,
    state_per: StatePer,
    ideal: bool,
    scope: ErrorScope,
    plcp_bits: u64,
    code: Option<Code>,
    access_point: Option<StationId>,
    /// One record for all, or one a station.
    bystanders: Vec<Bystander>,
}

/// What an [`Air`] is made of.
#[derive(Clone, Debug)]
pub struct AirConfig {
    /// How bits are lost.
    pub channel: ChannelConfig,
    /// Who shares a channel state.
    pub state_per: StatePer,
    /// Forward error correction, where used.
    pub fec: Option<FecConfig>,
    /// Which frames and bits errors hit.
    pub scope: ErrorScope,
    /// The PLCP preamble and header as bits, for scopes that include it.
    pub plcp_bits: u32,
    /// Stations in the cell.
    pub stations: usize,
    /// Which of them is the access point.
    pub access_point: Option<StationId>,
}

impl Air {
    /// A quiet air; `owner` numbers the first channel's streams.
    pub fn new(config: &AirConfig, seed: Seed, owner: u64) -> Air {
        let ideal = config.channel == ChannelConfig::Ideal;
        let each = config.state_per != StatePer::Cell && !ideal;
        let count = if each { config.stations } else { 1 };
        let remember = config.fec.map_or(Span::ZERO, |fec| fec.feedback_delay);
        let channel = |i| Channel::new(config.channel, seed, owner + i as u64, remember);
        Air {
            channels: (0..count).map(channel).collect(),
            state_per: config.state_per,
            ideal,
            scope: config.scope,
            plcp_bits: u64::from(config.plcp_bits),
            code: config.fec.map(|fec| Code::new(fec, bit_error_rates(&config.channel))),
            access_point: config.access_point,
            bystanders: vec![Bystander::default(); count],
        }
    }

    /// True where every bystander remembers the same.
    pub fn is_uniform(&self) -> bool {
        self.bystanders.len() == 1
    }

    /// What `station` remembers as a bystander.
    pub fn bystander(&self, station: StationId) -> Bystander {
        self.bystanders[if self.is_uniform() { 0 } else { station.index() }]
    }

    /// A new exchange begins: nobody has heard of it, but reservations made earlier last.
    pub fn begin(&mut self) {
        for heard in &mut self.bystanders {
            heard.errored = false;
        }
    }

    /// Nobody could decode the last frame.
    pub fn all_errored(&mut self) {
        for heard in &mut self.bystanders {
            heard.errored = true;
        }
    }

    /// Gives the reservations that last until `nav` up at `until` (802.11-2020, 10.3.2.4).
    pub fn shorten_nav(&mut self, nav: Time, until: Time) {
        for heard in self.bystanders.iter_mut().filter(|heard| heard.nav == nav) {
            heard.nav = until;
        }
    }

    /// The code to use for a data frame from `from` to `to` at `now`, by the estimate that has been fed back.
    pub fn code_for(&mut self, from: StationId, to: StationId, now: Time) -> Option<&Code> {
        let fec = *self.code.as_ref()?.config();
        if fec.adaptive {
            let at = Time(now.0.saturating_sub(fec.feedback_delay.0));
            let channel = self.channel_index(from, to);
            if !self.channels[channel].was_bad(at, now) {
                return None;
            }
        }
        self.code.as_ref()
    }

    /// Puts a frame on the air; true where its addressee can decode it.
    #[inline(always)]
    pub fn carry(&mut self, frame: &Frame) -> bool {
        if self.ideal || (frame.control && !self.scope.control_frames) {
            for heard in &mut self.bystanders {
                heard.errored = false;
                heard.nav = heard.nav.max(frame.nav);
            }
            return true;
        }
        let burst = self.burst(frame);
        if self.is_uniform() {
            let code = if frame.coded { self.code.as_mut() } else { None };
            let lost = self.channels[0].loses(&burst, code);
            self.bystanders[0].hear(lost, frame.nav);
            return !lost;
        }
        self.carry_to_each(frame, &burst)
    }

    fn carry_to_each(&mut self, frame: &Frame, burst: &Burst) -> bool {
        let mut received = false;
        for station in (0..self.bystanders.len()).map(|i| StationId(i as u32)) {
            if station == frame.from {
                continue;
            }
            let channel = self.channel_index(frame.from, station);
            let code = if frame.coded { self.code.as_mut() } else { None };
            let lost = self.channels[channel].loses(burst, code);
            let heard = &mut self.bystanders[station.index()];
            if station == frame.to {
                heard.errored = lost;
                received = !lost;
            } else {
                heard.hear(lost, frame.nav);
            }
        }
        received
    }

    fn channel_index(&self, from: StationId, to: StationId) -> usize {
        match self.state_per {
            StatePer::Cell => 0,
            StatePer::Receiver => to.index(),
            // The path between a station and the access point is the station's, in both directions.
            StatePer::Station if Some(to) == self.access_point => from.index(),
            StatePer::Station => to.index(),
        }
        .min(self.channels.len() - 1)
    }

    fn burst(&self, frame: &Frame) -> Burst {
        let header = HeaderBits { start: frame.start, bits: self.plcp_bits };
        Burst {
            start: frame.start + frame.plcp,
            end: frame.start + frame.airtime,
            bits: frame.bits,
            data_bits: frame.data_bits,
            header: self.scope.plcp.then_some(header),
        }
    }
}

impl Bystander {
    fn hear(&mut self, lost: bool, nav: Time) {
        self.errored = lost;
        if !lost {
            self.nav = self.nav.max(nav);
        }
    }
}
