//! The registry of shared media.

use super::wifi::Shared;
use super::{lan, wifi, wimax};
use crate::plan::{Part, Plan, Technology};
use ::wifi::qos::QosCell;
use ::wifi::{Cell, Medium};
use base::Seed;
use net::{Lan, Topology};
use radio::HazardTables;

/// One of them, at work. A world has few, so the size of the larger matters less than a step through a pointer.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "few of them, and on the packet path")]
pub(crate) enum Air {
    /// 802.11, all hear all.
    Cell(Cell),
    /// 802.11, each hears what it can; the stations of all cells on the channel, one cell after the other.
    Medium(Medium),
    /// 802.11 with access categories and aggregation, all hear all.
    Qos(QosCell),
    /// 802.16: the base station schedules.
    Wimax(::wimax::Cell),
    /// A shared wired LAN.
    Lan(Lan),
}

/// Asks the same of whichever it is.
macro_rules! ask {
    ($air:expr, $element:ident => $answer:expr) => {
        match $air {
            Air::Cell($element) => $answer,
            Air::Medium($element) => $answer,
            Air::Qos($element) => $answer,
            Air::Wimax($element) => $answer,
            Air::Lan($element) => $answer,
        }
    };
}

pub(super) use ask;

impl Air {
    /// The element of these parts at time zero.
    pub fn build(plan: &Plan, parts: &[Part<'_>], seed: Seed, hazards: &HazardTables) -> Air {
        match parts[0].technology {
            Technology::Wifi(_) => match wifi::shared(plan, parts, seed, hazards) {
                Shared::Cell(cell) => Air::Cell(cell),
                Shared::Medium(medium) => Air::Medium(medium),
                Shared::Qos(cell) => Air::Qos(cell),
            },
            Technology::Wimax(cell) => Air::Wimax(wimax::cell(cell, &parts[0], seed)),
            Technology::Lan(plan) => Air::Lan(lan::lan(plan, &parts[0], seed)),
        }
    }
}

/// Joins the stations of a part that reach each other in one hop.
pub(crate) fn connect(plan: &Plan, part: &Part<'_>, topology: &mut Topology) {
    match part.technology {
        Technology::Wifi(_) => wifi::connect(plan, part, topology),
        Technology::Wimax(_) => wimax::connect(part, topology),
        Technology::Lan(_) => lan::connect(part, topology),
    }
}
