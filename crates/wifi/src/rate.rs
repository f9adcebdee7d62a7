//! Rate control: the choice of a rate for a station's next data frame to a peer.
//!
//! A [`Ladder`] has the rates, slow to fast; a [`RateControl`] climbs it for one sender and one peer. It learns of data
//! frames only: an RTS without an answer says nothing about the rate of the data. Details that the standard leaves to
//! implementations (802.11-2020, 10.6.1) follow the papers named in each file.

mod arf;
mod average;
mod minstrel;
mod minstrel_ht;

pub use arf::ArfConfig;
pub use minstrel::MinstrelConfig;
pub use minstrel_ht::MinstrelHtConfig;

use crate::config::PhyConfig;
use crate::frames::BLOCK_ACK_BYTES;
use crate::outcome::Outcome;
use crate::phy::Modern;
use arf::Arf;
use base::{Rate, Rng, Span, Time, named};
use minstrel::Minstrel;
use minstrel_ht::{AVERAGE_BYTES, MinstrelHt, Pace};
use radio::Modulation;
use std::sync::Arc;

/// Rule by which a station chooses rates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RateRule {
    /// One rate for all time.
    #[default]
    Fixed,
    /// ARF or AARF: up after successes in a row, down after failures in a row.
    Arf(ArfConfig),
    /// Minstrel: by measured success, with frames spent on looking around.
    Minstrel(MinstrelConfig),
    /// Minstrel-HT: by measured success of MPDUs, among rates of several numbers of streams.
    MinstrelHt(MinstrelHtConfig),
    /// The fastest at which the signal loses next to nothing, which the sender is told for nothing.
    Ideal,
}

named! {
    /// Rate control of data frames.
    pub enum RateChoice, "rate control" {
        Fixed = "fixed": "the same rate for the whole run",
        Arf = "arf": "automatic rate fallback: down after 2 failures in a row, up after 10 successes (Kamerman and Monteban 1997)",
        Aarf = "aarf": "ARF that asks for twice as many successes after each failed probe (Lacage et al. 2004)",
        Minstrel = "minstrel": "the rate with the best measured throughput; one frame in ten tries other rates (Smithies 2005)",
        MinstrelHt = "minstrel_ht": "as in Linux: the rate with the best measured throughput of MPDUs, among all numbers of streams; a lone MPDU each 20 ms tries other rates",
        Ideal = "ideal": "the fastest rate at which less than one bit in a million is lost by the power of each frame, which the sender knows (ns-3)",
    }
}

impl RateChoice {
    /// With the parameters of its authors.
    pub fn rule(self) -> RateRule {
        match self {
            RateChoice::Fixed => RateRule::Fixed,
            RateChoice::Arf => RateRule::Arf(ArfConfig::ARF),
            RateChoice::Aarf => RateRule::Arf(ArfConfig::AARF),
            RateChoice::Minstrel => RateRule::Minstrel(MinstrelConfig::default()),
            RateChoice::MinstrelHt => RateRule::MinstrelHt(MinstrelHtConfig::default()),
            RateChoice::Ideal => RateRule::Ideal,
        }
    }

    /// True where the rates of all numbers of streams are among those to choose from.
    pub fn has_all_streams(self) -> bool {
        matches!(self, RateChoice::MinstrelHt | RateChoice::Ideal)
    }
}

/// A rate: the timing that goes with it, and how data frames and the answers to them are sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// All but the durations of data and control frames is alike on all rungs of a ladder.
    pub phy: PhyConfig,
    /// Read where reception is by SINR.
    pub modulations: Modulations,
    /// The mode of data frames, where it is one of HT, VHT or HE.
    pub mode: Option<Modern>,
}

/// Modulations of an exchange's frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modulations {
    /// Data frames.
    pub data: Modulation,
    /// RTS, CTS and ACK of their exchanges.
    pub answers: Modulation,
    /// Frames at the lowest basic rate.
    pub basic: Modulation,
}

impl Modulations {
    /// All frames alike.
    pub fn alike(modulation: Modulation) -> Modulations {
        Modulations { data: modulation, answers: modulation, basic: modulation }
    }

    /// Every one.
    pub fn all(self) -> [Modulation; 4] {
        [self.data, self.answers, self.basic, self.header()]
    }

    /// The header of data frames: that of frames at the lowest basic rate, but for DSSS and CCK beside basic rates of OFDM, whose
    /// header goes at 1 Mbit/s (802.11-2020, 16.2.3).
    pub fn header(self) -> Modulation {
        match (self.data, self.basic) {
            (Modulation::Ofdm { .. }, _) | (_, Modulation::Dbpsk) => self.basic,
            (_, Modulation::Ofdm { .. }) => Modulation::Dbpsk,
            (_, basic) => basic,
        }
    }
}

/// The rates of a station, slow to fast, and how it chooses among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// At least one; stations with the same rates share them.
    pub rungs: Arc<[Rung]>,
    /// The rung that it begins with.
    pub first: usize,
    /// Rule of choice.
    pub rule: RateRule,
}

/// The MPDU by which rates are compared (Minstrel's choice).
const REFERENCE_BYTES: u32 = 1200;

impl Ladder {
    /// One rate for all time.
    pub fn fixed(phy: PhyConfig, modulations: Modulations) -> Ladder {
        Ladder {
            rungs: Arc::new([Rung { phy, modulations, mode: None }]),
            first: 0,
            rule: RateRule::Fixed,
        }
    }

    /// PHY parameters that all rungs share.
    pub fn phy(&self) -> &PhyConfig {
        &self.rungs[self.first].phy
    }

    /// Bits per second of large frames at the fastest rung, preambles included: what a queue may expect of its device.
    pub fn nominal_rate(&self) -> Rate {
        let times = self.rungs.iter().map(|rung| rung.phy.data.of_bytes(REFERENCE_BYTES));
        let fastest = times.min().unwrap_or(Span::secs(1)).0.max(1);
        Rate(u64::from(REFERENCE_BYTES) * 8 * Span::secs(1).0 / fastest)
    }

    /// By rung: a data frame of [`REFERENCE_BYTES`] on an idle medium, with its acknowledgement.
    fn exchanges(&self) -> Vec<Span> {
        let ack = |phy: &PhyConfig| phy.control.of_bytes(crate::frames::ACK_BYTES);
        let exchange = |phy: &PhyConfig| phy.data.of_bytes(REFERENCE_BYTES) + phy.sifs + ack(phy);
        self.rungs.iter().map(|rung| exchange(&rung.phy)).collect()
    }
}

impl Rung {
    /// How long MPDUs take in aggregates: eight of them show what one takes.
    fn pace(&self) -> Pace {
        let of = &self.phy;
        let space = of.sifs + of.slot * (2 + u64::from(of.cw_min / 2));
        let answer = of.sifs + of.control.of_bytes(BLOCK_ACK_BYTES);
        let preamble = of.data.preamble;
        Pace {
            group: self.mode.map_or(1, |mode| mode.streams()),
            payload: Span(of.data.of_bytes(8 * AVERAGE_BYTES).0.saturating_sub(preamble.0) / 8),
            overhead: preamble + answer + space,
        }
    }
}

impl Ladder {
    fn paces(&self) -> Vec<Pace> {
        self.rungs.iter().map(Rung::pace).collect()
    }
}

/// The choice of rates for one sender and one peer.
#[derive(Clone, Debug)]
pub struct RateControl {
    rule: Rule,
    /// Rung of the frame whose exchange runs.
    rung: usize,
}

#[derive(Clone, Debug)]
enum Rule {
    Fixed,
    Arf(Arf),
    Minstrel(Box<Minstrel>),
    MinstrelHt(Box<MinstrelHt>),
}

impl RateControl {
    /// A sender that knows nothing of its peer; `rng` draws the rates at which Minstrel looks around.
    pub fn new(ladder: &Ladder, rng: Rng) -> RateControl {
        let rule = match ladder.rule {
            // What is ideal is not learned.
            RateRule::Fixed | RateRule::Ideal => Rule::Fixed,
            RateRule::Arf(config) => Rule::Arf(Arf::new(config, ladder.first, ladder.rungs.len())),
            RateRule::Minstrel(config) => {
                let exchanges = (&ladder.exchanges()[..], ladder.first);
                Rule::Minstrel(Box::new(Minstrel::new(config, exchanges, ladder.phy(), rng)))
            }
            RateRule::MinstrelHt(config) => {
                let paces = (&ladder.paces()[..], ladder.first);
                Rule::MinstrelHt(Box::new(MinstrelHt::new(config, paces, *ladder.phy(), rng)))
            }
        };
        RateControl { rule, rung: ladder.first }
    }

    /// The rung for the exchange that begins; `fresh`: the frame was never tried before.
    pub fn choose(&mut self, now: Time, fresh: bool) -> usize {
        self.rung = match &mut self.rule {
            Rule::Fixed => self.rung,
            Rule::Arf(arf) => arf.rung(),
            Rule::Minstrel(minstrel) => minstrel.choose(now, fresh),
            Rule::MinstrelHt(minstrel) => minstrel.choose(now),
        };
        self.rung
    }

    /// The rung chosen last.
    pub fn rung(&self) -> usize {
        self.rung
    }

    /// True where the exchange that begins only tries a rate: one MPDU is enough for that.
    pub fn is_probe(&self) -> bool {
        matches!(&self.rule, Rule::MinstrelHt(minstrel) if minstrel.is_probing())
    }

    /// The exchange that began with the rung chosen last has ended; of the MPDUs sent some have come through.
    pub fn conclude(&mut self, outcome: Outcome, (sent, acknowledged): (u32, u32)) {
        let is_answered = match outcome {
            Outcome::Success => true,
            Outcome::NoAck(_) | Outcome::NoAckAfterCts(_) => false,
            Outcome::NoCts(_) => return,
        };
        match &mut self.rule {
            Rule::Fixed => {}
            Rule::Arf(arf) => arf.conclude(is_answered),
            Rule::Minstrel(minstrel) => minstrel.conclude(self.rung, is_answered),
            Rule::MinstrelHt(minstrel) => {
                let acknowledged = if is_answered { acknowledged } else { 0 };
                minstrel.conclude(self.rung, (sent, acknowledged));
            }
        }
    }
}
