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
    /// What bystanders remember: one record for all, or one a station.
    errored: Vec<bool>,
    nav: Vec<Time>,
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
            errored: vec![false; count],
            nav: vec![Time::ZERO; count],
        }
    }

    /// True where every bystander remembers the same.
    pub fn is_uniform(&self) -> bool {
        self.nav.len() == 1
    }

    /// What `station` remembers as a bystander.
    pub fn bystander(&self, station: StationId) -> Bystander {
        let record = if self.is_uniform() { 0 } else { station.index() };
        Bystander { errored: self.errored[record], nav: self.nav[record] }
    }

    /// True where more than half of the bystanders could not decode the last frame.
    pub fn most_errored(&self) -> bool {
        self.errored.iter().filter(|&&errored| errored).count() * 2 > self.errored.len()
    }

    /// What all bystanders remember, in their order; where all remember the same, once.
    pub fn bystanders(&self) -> impl Iterator<Item = Bystander> + '_ {
        self.errored.iter().zip(&self.nav).map(|(&errored, &nav)| Bystander { errored, nav })
    }

    /// A new exchange begins: nobody has heard of it, but reservations made earlier last.
    pub fn begin(&mut self) {
        self.errored.fill(false);
    }

    /// Nobody could decode the last frame.
    pub fn all_errored(&mut self) {
        self.errored.fill(true);
    }

    /// Gives the reservations that last until `nav` up at `until` (802.11-2020, 10.3.2.4).
    pub fn shorten_nav(&mut self, nav: Time, until: Time) {
        for own in self.nav.iter_mut().filter(|own| **own == nav) {
            *own = until;
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
            self.errored.fill(false);
            for own in &mut self.nav {
                *own = (*own).max(frame.nav);
            }
            return true;
        }
        let burst = self.burst(frame);
        if self.is_uniform() {
            let code = if frame.coded { self.code.as_mut() } else { None };
            let lost = self.channels[0].loses(&burst, code);
            overhear((&mut self.errored[0], &mut self.nav[0]), !lost, frame.nav);
            return !lost;
        }
        self.carry_to_each(frame, &burst)
    }

    fn carry_to_each(&mut self, frame: &Frame, burst: &Burst) -> bool {
        let mut code = if frame.coded { self.code.as_mut() } else { None };
        // Few receivers see their channel change its state within a frame: the others spend what is worked out here, once.
        let steady = self.channels[0].steady_hazards(burst, code.as_deref_mut());
        let mut receives =
            |channel: &mut Channel| !channel.loses_steadily(burst, steady, code.as_deref_mut());
        let access_point = self.access_point.filter(|_| self.state_per == StatePer::Station);
        let apart = [Some(frame.from), Some(frame.to), access_point]
            .map(|station| station.map_or(usize::MAX, StationId::index));
        let records = self.errored.iter_mut().zip(&mut self.nav);
        for (i, (own, record)) in self.channels.iter_mut().zip(records).enumerate() {
            if !apart.contains(&i) {
                overhear(record, receives(own), frame.nav);
            }
        }
        // The access point meets a frame on its sender's channel, whomever that addresses.
        if let Some(at) = access_point.filter(|&at| at != frame.from && at != frame.to) {
            let received = receives(&mut self.channels[frame.from.index()]);
            overhear(
                (&mut self.errored[at.index()], &mut self.nav[at.index()]),
                received,
                frame.nav,
            );
        }
        // A CTS to oneself addresses nobody else.
        if frame.to == frame.from {
            return false;
        }
        let channel = if access_point == Some(frame.to) { frame.from } else { frame.to };
        let received = receives(&mut self.channels[channel.index()]);
        self.errored[frame.to.index()] = !received;
        received
    }

    /// The channel between a station and the addressee of its frame.
    fn channel_index(&self, from: StationId, to: StationId) -> usize {
        match self.state_per {
            _ if self.is_uniform() => 0,
            // The path between a station and the access point is the station's, in both directions.
            StatePer::Station if Some(to) == self.access_point => from.index(),
            _ => to.index(),
        }
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

#[inline(always)] // for all whom a frame reaches
fn overhear((errored, own): (&mut bool, &mut Time), received: bool, nav: Time) {
    *errored = !received;
    if received {
        *own = (*own).max(nav);
    }
}
