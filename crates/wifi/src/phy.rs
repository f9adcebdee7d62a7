//! The PHYs of 802.11: modes, exact durations, timing constants, rates of answers.
//!
//! A [`Mode`] is a way to send a frame. It knows its rate, its [`Airtime`] and its modulation; a [`Standard`] knows
//! its constants and its basic rates. [`PhyConfig::of`](crate::PhyConfig::of) joins them to what a cell needs.

mod airtime;
mod dsss;
mod ldpc;
mod modern;
mod ofdm;
mod older;
mod preset;
mod response;
mod settings;
mod standard;

pub use airtime::{Airtime, Payload};
pub use dsss::{Dsss, DsssRate, Preamble};
pub use ldpc::{Filling, Ldpc, Words};
pub use modern::{Coding, Generation, Line, MCS, Modern, PreambleRule};
pub use ofdm::{Ofdm, OfdmKind, Width};
pub use response::{basic_modes, response_mode};
pub use settings::{Band, DsssControl, DsssEnd, Impossible, NoSuchRate, PhySettings, StandardName};
pub use standard::{Characteristics, Standard};

use base::Rate;
use radio::Modulation;

/// A way to send a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 802.11 and 802.11b (clauses 15 and 16).
    Dsss(Dsss),
    /// 802.11a and 802.11g (clauses 17 and 18).
    Ofdm(Ofdm),
    /// 802.11n, ac, ax and be.
    Modern(Modern),
}

impl Mode {
    /// Data rate; rounded down to a bit/s where symbols do not divide a second.
    pub fn rate(self) -> Rate {
        match self {
            Mode::Dsss(mode) => mode.rate.rate(),
            Mode::Ofdm(mode) => mode.rate(),
            Mode::Modern(mode) => mode.rate(),
        }
    }

    /// Durations of frames.
    pub fn airtime(self) -> Airtime {
        match self {
            Mode::Dsss(mode) => mode.airtime(),
            Mode::Ofdm(mode) => mode.airtime(),
            Mode::Modern(mode) => mode.airtime(),
        }
    }

    /// The modulation, for error models.
    pub fn modulation(self) -> Modulation {
        match self {
            Mode::Dsss(mode) => mode.rate.modulation(),
            Mode::Ofdm(mode) => mode.modulation(),
            Mode::Modern(mode) => mode.modulation(),
        }
    }
}
