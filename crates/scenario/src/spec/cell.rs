//! 802.11 cells: stations, PHY, MAC, channel, code.

use super::{ChannelSpec, FecSpec, Placement, QosSpec, QueueSpec};
use crate::at::{At, Reason};
use crate::code::Code;
use crate::settings::Set;
use crate::table::{prose, table};
use crate::units::BitRate;
use crate::value::{NoTable, Value, values};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value as Json, json};
use wifi::MacSettings;
use wifi::phy::PhySettings;
use world::UpperSettings;

table! {
    /// An 802.11 cell. Without a [medium] all its stations hear each other, and no other cell.
    pub struct CellSpec {
        /// The name of the cell, which results carry.
        name: String = held "cell" => "\"cell2\", ... for further ones";
        /// The node that is the access point. Without one the cell is ad hoc: each station reaches every other in
        /// one hop.
        access_point: String;
        /// How many stations the cell has beside the access point (they are named sta1, sta2, ...), or a list of
        /// their names.
        needed stations: Stations;
        /// The interface queue of every station.
        queue: QueueSpec = held prose("the top-level queue");
        /// The layers above the MAC.
        settings settings: Set<UpperSettings>;
        /// Where the stations are: "circle 10 m" puts them around the access point. A [[node]] gives a single
        /// station another place. It needs a [medium].
        placement: Placement;
        /// The number of the radio channel. Cells with the same number hear each other as far as their places let
        /// them. It needs a [medium].
        channel_number: u32 = held 1;
        /// The timing and rates of this cell. What is left out comes from the top-level `phy`.
        phy: PhySpec;
        /// The rules and limits of this cell. What is left out comes from the top-level `mac`.
        mac: MacSpec;
        /// The access categories and aggregation of this cell. What is left out comes from the top-level `qos`.
        qos: QosSpec = held prose("as the standard has them");
        /// The channel of this cell. It takes the place of the whole top-level `channel`.
        channel: ChannelSpec;
        /// The code of this cell. It takes the place of the whole top-level `fec`.
        fec: FecSpec;
    }
}

/// Stations by number or by name.
#[derive(Clone, Debug, PartialEq)]
pub enum Stations {
    /// A number of stations: sta1, sta2, ...
    Count(u32),
    /// Stations by name.
    Names(Vec<At<String>>),
}

/// More stations than this are a mistake: with more, all first draws collide.
const MOST_STATIONS: i64 = 10_000;

impl Value for Stations {
    const ALLOWED: &'static str = "a number of stations, such as 5, or a list of names";
    type Table = NoTable;

    fn from_integer(number: i64) -> Result<Self, Reason> {
        if !(1..=MOST_STATIONS).contains(&number) {
            let message = format!("{number} stations; allowed: 1 to {MOST_STATIONS}");
            return Err(Code::OutOfRange.says(message));
        }
        Ok(Stations::Count(number as u32))
    }
    fn from_list(list: Vec<At<String>>) -> Result<Self, Reason> {
        if list.is_empty() {
            return Err(Code::OutOfRange.says("no stations; allowed: one or more"));
        }
        Ok(Stations::Names(list))
    }
    fn written(&self) -> Json {
        match self {
            Stations::Count(count) => json!(count),
            Stations::Names(names) => names.iter().map(|at| Json::from(at.as_str())).collect(),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": MOST_STATIONS },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ]})
    }
}

table! {
    /// The timing and rates of 802.11. Times and windows are those of the standard unless they are given.
    #[derive(Default)]
    pub struct PhySpec {
        /// Most of them.
        settings settings: Set<PhySettings>;
        /// The rates among which `rate_control` chooses.
        rates: Vec<At<BitRate>> = held prose("all of the standard");
    }
}

table! {
    /// The access rules and retry limits of 802.11.
    #[derive(Default)]
    pub struct MacSpec {
        /// All of them.
        settings settings: Set<MacSettings>;
    }
}

values!(Stations);
