//! When acknowledgements are sent, and what the last of a recovery does.

use crate::table::table;
use crate::units::Duration;
use crate::value::{NoTable, Value, values};
use schemars::{Schema, SchemaGenerator, json_schema};
use transport::tcp::ExitGrowth;

/// Delayed acknowledgements.
#[derive(Clone, Debug, PartialEq)]
pub enum DelayedAckSpec {
    /// One for each segment.
    Off,
    /// Every second segment.
    On,
    /// As Linux does it.
    Linux,
    /// As said.
    Table(DelayedAckTable),
}

table! {
    /// When acknowledgements are sent (RFC 5681 section 4.2).
    #[derive(Default, PartialEq)]
    pub struct DelayedAckTable {
        /// An acknowledgement is sent after every so many full-sized segments.
        segments: u32 = 2;
        /// An acknowledgement is delayed by this time at most.
        timeout: Duration = "200 ms", ns2 "100 ms";
    }
}

impl Value for DelayedAckSpec {
    const ALLOWED: &'static str =
        "false, true, \"linux\", or a table such as { segments = 2, timeout = \"100 ms\" }";
    type Table = DelayedAckTable;

    fn from_text(text: &str) -> Result<Self, String> {
        match text {
            "linux" => Ok(DelayedAckSpec::Linux),
            _ => Err(crate::value::refuse::<Self>(&format!("{text:?}"))),
        }
    }

    fn from_bool(flag: bool) -> Result<Self, String> {
        Ok(if flag { DelayedAckSpec::On } else { DelayedAckSpec::Off })
    }
    fn from_table(table: DelayedAckTable) -> Result<Self, String> {
        Ok(DelayedAckSpec::Table(table))
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<DelayedAckTable>();
        json_schema!({ "anyOf": [{ "type": "boolean" }, { "const": "linux" }, table] })
    }
}

/// What the acknowledgement that ends a recovery lets the window grow for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitGrowsSpec(pub ExitGrowth);

impl Value for ExitGrowsSpec {
    const ALLOWED: &'static str = "false, \"delivered\", or \"covered\" (true)";
    type Table = NoTable;

    fn from_bool(flag: bool) -> Result<Self, String> {
        Ok(ExitGrowsSpec(if flag { ExitGrowth::Covered } else { ExitGrowth::Nothing }))
    }
    fn from_text(text: &str) -> Result<Self, String> {
        match text {
            "delivered" => Ok(ExitGrowsSpec(ExitGrowth::Delivered)),
            "covered" => Ok(ExitGrowsSpec(ExitGrowth::Covered)),
            _ => Err(crate::value::refuse::<Self>(&format!("{text:?}"))),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "boolean" }, { "enum": ["delivered", "covered"] }] })
    }
}

values!(DelayedAckSpec, ExitGrowsSpec);
