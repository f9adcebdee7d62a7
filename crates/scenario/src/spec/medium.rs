//! Propagation of power, and the placement of a cell's stations.

use crate::at::Reason;
use crate::radio_units::Length;
use crate::settings::Set;
use crate::table::table;
use crate::value::{NoTable, Value, values};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value as Json, json};
use wifi::MediumSettings;

table! {
    /// How strongly stations hear each other, by their places. All cells with the same `channel_number` share the
    /// medium.
    #[derive(Default)]
    pub struct MediumSpec {
        /// Propagation and reception.
        settings settings: Set<MediumSettings>;
    }
}

/// The placement of a cell's stations, in one line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// On a circle, evenly, around the access point: where its [[node]] puts it, else in the origin. Radius in metres.
    Circle(f64),
    /// On a line to the east, with this distance from one to the next, metres; the access point comes first, where its [[node]] puts it.
    Line(f64),
}

impl Value for Placement {
    const ALLOWED: &'static str = "\"circle\" or \"line\" and a length, such as \"circle 10 m\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        let (shape, length) = text.trim().split_once(' ').unwrap_or((text, ""));
        match shape {
            "circle" => Ok(Placement::Circle(Length::from_text(length)?.0)),
            "line" => Ok(Placement::Line(Length::from_text(length)?.0)),
            _ => Err(crate::value::refuse::<Self>(&format!("\"{text}\""))),
        }
    }
    fn written(&self) -> Json {
        match self {
            Placement::Circle(metres) => json!(format!("circle {metres} m")),
            Placement::Line(metres) => json!(format!("line {metres} m")),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^(circle|line) ", "examples": ["circle 10 m"] })
    }
}

values!(Placement);
