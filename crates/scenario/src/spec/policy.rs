//! Policies: which variant for which path.

use crate::at::At;
use crate::nearest::unknown;
use crate::read::{Item, Keys, Mistake, Read, reads};
use crate::table::table;
use crate::units::{BitRate, Duration, Probability};
use crate::value::{NoTable, Value, values};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use transport::tcp::variants::{self, Variant};

/// A policy: here, or in a file.
#[derive(Clone, Debug)]
pub enum PolicySpec {
    /// The name of a file that holds one.
    File(String),
    /// As said.
    Table(Box<PolicyTable>),
}

table! {
    /// An ordered list of rules; the first that holds is obeyed. Each says one variant, and why.
    pub struct PolicyTable {
        /// What the policy is for, or where it comes from.
        about: String;
        /// The variant where no rule holds, with which a connection opens too.
        needed default: PickedVariant;
        /// What was measured longer ago is forgotten.
        forget_after: Duration = "1 h" => "as in Linux' `tcp_metrics`";
        /// The rules.
        list rule: RuleSpec;
    }
}

/// A rule.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RuleSpec {
    /// When it holds: all of these must. Default: always.
    pub when: Option<WhenSpec>,
    /// The variant that it picks.
    #[schemars(rename = "use")]
    pub pick: At<PickedVariant>,
    /// The reason, for who reads it.
    pub why: Option<String>,
}

/// Bounds of what was measured. "above" includes the bound; what is not known is neither above nor below.
#[derive(Clone, Debug, Default, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct WhenSpec {
    /// The smoothed round-trip time is as long, or longer.
    pub rtt_above: Option<At<Duration>>,
    /// The smoothed round-trip time is shorter.
    pub rtt_below: Option<At<Duration>>,
    /// The smallest round-trip time is as long, or longer.
    pub min_rtt_above: Option<At<Duration>>,
    /// The smallest round-trip time is shorter.
    pub min_rtt_below: Option<At<Duration>>,
    /// Smoothed over smallest round-trip time is as large, or larger.
    pub delay_inflation_above: Option<At<f64>>,
    /// Smoothed over smallest round-trip time is smaller.
    pub delay_inflation_below: Option<At<f64>>,
    /// So many of all segments sent were sent again, or more.
    pub loss_above: Option<At<Probability>>,
    /// Fewer were.
    pub loss_below: Option<At<Probability>>,
    /// So many retransmission timeouts for each segment sent, or more.
    pub timeouts_above: Option<At<Probability>>,
    /// Fewer.
    pub timeouts_below: Option<At<Probability>>,
    /// So much payload was acknowledged in a second of the last transfer of ten segments or more, or more.
    pub rate_above: Option<At<BitRate>>,
    /// Less was.
    pub rate_below: Option<At<BitRate>>,
    /// The path was seen to reorder by so many segments, or more (only variants with SACK see it).
    pub reordering_above: Option<At<f64>>,
    /// It was seen to reorder by fewer.
    pub reordering_below: Option<At<f64>>,
    /// The shares are of so many segments, or more.
    pub segments_above: Option<At<f64>>,
    /// They are of fewer.
    pub segments_below: Option<At<f64>>,
    /// The path was last measured so long ago, or longer.
    pub age_above: Option<At<Duration>>,
    /// It was measured more lately.
    pub age_below: Option<At<Duration>>,
}

impl Read for RuleSpec {
    fn read(item: &Item<'_>, mistakes: &mut Vec<Mistake>) -> Option<Self> {
        let keys = Keys::of(item, &["when", "use", "why"], mistakes)?;
        let when = keys.optional("when", mistakes);
        let pick = keys.needed("use", mistakes);
        let why = keys.optional("why", mistakes);
        Some(RuleSpec { when: when?, pick: pick?, why: why? })
    }
}

reads! {
    WhenSpec {
        optional rtt_above,
        optional rtt_below,
        optional min_rtt_above,
        optional min_rtt_below,
        optional delay_inflation_above,
        optional delay_inflation_below,
        optional loss_above,
        optional loss_below,
        optional timeouts_above,
        optional timeouts_below,
        optional rate_above,
        optional rate_below,
        optional reordering_above,
        optional reordering_below,
        optional segments_above,
        optional segments_below,
        optional age_above,
        optional age_below,
    } unread {}
}

/// A variant that a policy picks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickedVariant(pub &'static Variant);

impl Value for PickedVariant {
    const ALLOWED: &'static str = "the name of a TCP variant, in quotes";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
        let found = variants::by_name(text).map(PickedVariant);
        found.ok_or_else(|| unknown("TCP variant", text, variants::NAMES))
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        let rows: Vec<_> = variants::VARIANTS.iter().map(|v| (v.name, v.idea)).collect();
        crate::word::schema_of_names(&rows)
    }
}

impl Value for PolicySpec {
    const ALLOWED: &'static str =
        "a table of rules, or the name of a TOML file that holds one, in quotes";
    type Table = PolicyTable;

    fn from_text(text: &str) -> Result<Self, String> {
        Ok(PolicySpec::File(text.to_owned()))
    }
    fn from_table(table: PolicyTable) -> Result<Self, String> {
        Ok(PolicySpec::Table(Box::new(table)))
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<PolicyTable>();
        json_schema!({ "anyOf": [{ "type": "string" }, table] })
    }
}

values!(PickedVariant, PolicySpec);
