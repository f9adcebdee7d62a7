//! Rate control: at which of a station's rates its next data frame to a peer goes out.
//!
//! A [`Ladder`] has the rates, slow to fast; a [`RateControl`] climbs it for one sender and one peer. It is told of data
//! frames only: an RTS without an answer says nothing about the rate of the data. What the IEEE leaves to the maker
//! (802.11-2020, 10.6.1) follows the papers named in each file.

mod arf;
mod minstrel;

pub use arf::ArfConfig;
pub use minstrel::MinstrelConfig;

use arf::Arf;
use base::{Rng, Span, Time};
use minstrel::Minstrel;

/// How a station chooses rates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RateRule {
    /// One rate for all time.
    #[default]
    Fixed,
    /// ARF or AARF: up after successes in a row, down after failures in a row.
    Arf(ArfConfig),
    /// Minstrel: by measured success, with frames spent on looking around.
    Minstrel(MinstrelConfig),
}

/// What a rule needs to know of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// A data frame of [`REFERENCE_BYTES`] on an idle medium, acknowledgement included.
    pub exchange: Span,
}

/// The MPDU by which rates are compared (Minstrel's choice).
pub const REFERENCE_BYTES: u32 = 1200;

/// The rates of a station, slow to fast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// At least one.
    pub rungs: Vec<Rung>,
    /// The rate that it begins with.
    pub first: usize,
    /// aSlotTime.
    pub slot: Span,
    /// aCWmin and aCWmax, slots.
    pub cw: (u32, u32),
}

/// The choice of rates for one sender and one peer.
#[derive(Clone, Debug)]
pub struct RateControl {
    rule: Rule,
    /// Of the frame whose exchange runs.
    rung: usize,
}

#[derive(Clone, Debug)]
enum Rule {
    Fixed,
    Arf(Arf),
    Minstrel(Box<Minstrel>),
}

impl RateControl {
    /// A sender that knows nothing of its peer; `rng` draws the rates at which Minstrel looks around.
    pub fn new(rule: RateRule, ladder: &Ladder, rng: Rng) -> RateControl {
        let rule = match rule {
            RateRule::Fixed => Rule::Fixed,
            RateRule::Arf(config) => Rule::Arf(Arf::new(config, ladder.first, ladder.rungs.len())),
            RateRule::Minstrel(config) => {
                Rule::Minstrel(Box::new(Minstrel::new(config, ladder, rng)))
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
        };
        self.rung
    }

    /// The data frame that went out at the rung chosen last was acknowledged, or not.
    pub fn conclude(&mut self, acknowledged: bool) {
        match &mut self.rule {
            Rule::Fixed => {}
            Rule::Arf(arf) => arf.conclude(acknowledged),
            Rule::Minstrel(minstrel) => minstrel.conclude(self.rung, acknowledged),
        }
    }
}
