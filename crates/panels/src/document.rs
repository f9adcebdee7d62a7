//! A result with its probes, as far as panels need it.

use crate::table::Table;
use record::{ProbeTables, Wanted};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// The most packets of a run whose delays are drawn: a row for each of more would take more memory than a page is worth.
const MOST_PACKETS: u64 = 400_000;

/// What panels want of the tables of probes.
pub const WANTED: Wanted = Wanted {
    columns: &[("packets", &["time_s", "flow", "direction", "received_s", "dropped_s"])],
    packets: Some(MOST_PACKETS),
};

/// A result with its probes.
#[derive(Debug, Deserialize)]
pub struct Document {
    pub duration_s: f64,
    pub measured_s: f64,
    pub flows: Vec<Flow>,
    #[serde(default)]
    pub handoffs: Vec<Handoff>,
    #[serde(default)]
    pub lans: Vec<Lan>,
    #[serde(default)]
    pub packets: Packets,
    #[serde(default)]
    probes: BTreeMap<String, Table>,
}

impl Document {
    /// The table of a probe; one without rows where it was off.
    pub fn probe(&self, name: &str) -> &Table {
        static OFF: Table = Table::empty();
        self.probes.get(name).unwrap_or(&OFF)
    }

    /// Takes tables of probes; not that of more packets than there are rows.
    pub fn take(&mut self, tables: &ProbeTables) {
        let has_all = self.packets.made <= MOST_PACKETS as f64;
        tables.each_column(&mut |probe, column, cells| {
            if probe == "packets" && !has_all {
                return;
            }
            self.probes.entry(probe.to_owned()).or_default().add(column, cells);
        });
    }

    /// Returns whether a probe was on.
    pub fn has(&self, probe: &str) -> bool {
        self.probes.contains_key(probe)
    }
}

/// A flow.
#[derive(Debug, Deserialize)]
pub struct Flow {
    pub name: String,
    pub goodput_bps: Option<f64>,
    pub delay_split_s: Option<Pairs>,
    pub packets_lost: Option<Pairs>,
    pub window_cuts: Option<Pairs>,
}

/// A station's change of its point of attachment.
#[derive(Debug, Deserialize)]
pub struct Handoff {
    pub station: String,
    pub from: Option<String>,
    pub to: Option<String>,
    pub at_s: f64,
}

/// A shared LAN.
#[derive(Debug, Deserialize)]
pub struct Lan {
    pub name: String,
}

/// The ledger of packets.
#[derive(Debug, Default, Deserialize)]
pub struct Packets {
    pub made: f64,
}

/// The numbers of a map, in its order; those that are null are left out.
#[derive(Debug, Default)]
pub struct Pairs(Vec<(String, f64)>);

impl Pairs {
    /// The number of a name; 0 where there is none.
    pub fn of(&self, name: &str) -> f64 {
        self.0.iter().find(|(each, _)| each == name).map_or(0.0, |(_, number)| *number)
    }

    /// The names with more than nothing.
    pub fn filled(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, number)| *number != 0.0).map(|(name, _)| name.as_str())
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

/// A map that is read in its order.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Pairs;

    fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str("a map of numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
        let mut found = Vec::new();
        while let Some((name, number)) = map.next_entry::<String, Option<f64>>()? {
            found.extend(number.map(|number| (name, number)));
        }
        Ok(Pairs(found))
    }
}
