//! Policies, which choose a variant for each path.

use crate::at::{At, Reason};
use crate::nearest::unknown;
use crate::read::{Item, Keys, Mistake, Read, reads};
use crate::resolved::{Node, Table, Write, json};
use crate::table::table;
use crate::units::{BitRate, Duration, Probability};
use crate::value::{NoTable, Value, values};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value as Json;
use transport::tcp::variants::{self, Variant};

/// A policy, in the scenario or in a file.
#[derive(Clone, Debug)]
pub enum PolicySpec {
    /// The name of a file with a policy.
    File(String),
    /// A table in the scenario.
    Table(Box<PolicyTable>),
}

table! {
    /// A policy: an ordered list of rules, each of which names one variant. The first rule that holds decides.
    pub struct PolicyTable {
        /// The purpose of the policy, or its source.
        about: String;
        /// The aim of the policy, for people who read it: goodput, delay, fairness, or a metric of studies.
        goal: String;
        /// The variant with which a connection opens, and that it uses where no rule holds.
        needed default: PickedVariant;
        /// Measurements older than this are forgotten.
        forget_after: Duration = "1 h" => "as in Linux' `tcp_metrics`";
        /// The rules, in their order.
        list rule: RuleSpec;
    }
}

/// A rule of a policy.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RuleSpec {
    /// The conditions of the rule, all of which must hold. Default: none, so that the rule always holds.
    pub when: Option<WhenSpec>,
    /// The variant that the rule picks.
    #[schemars(rename = "use")]
    pub pick: At<PickedVariant>,
    /// The reason, for people who read the policy.
    pub why: Option<String>,
}

/// Conditions on what was measured of the path. "above" means "at least", "below" means "less than". A condition on
/// a quantity that is not known does not hold.
#[derive(Clone, Debug, Default, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct WhenSpec {
    /// The smoothed round-trip time is at least this.
    pub rtt_above: Option<At<Duration>>,
    /// The smoothed round-trip time is less than this.
    pub rtt_below: Option<At<Duration>>,
    /// The smallest round-trip time is at least this.
    pub min_rtt_above: Option<At<Duration>>,
    /// The smallest round-trip time is less than this.
    pub min_rtt_below: Option<At<Duration>>,
    /// The smoothed round-trip time divided by the smallest is at least this.
    pub delay_inflation_above: Option<At<f64>>,
    /// The smoothed round-trip time divided by the smallest is less than this.
    pub delay_inflation_below: Option<At<f64>>,
    /// The mean deviation of the round-trip time divided by the smoothed one (RFC 6298) is at least this.
    pub rtt_spread_above: Option<At<f64>>,
    /// The mean deviation of the round-trip time divided by the smoothed one (RFC 6298) is less than this.
    pub rtt_spread_below: Option<At<f64>>,
    /// Transfers of ten segments or more left a smoothed round-trip time that on average exceeds the smallest by at
    /// least this.
    pub queueing_delay_above: Option<At<Duration>>,
    /// Transfers of ten segments or more left a smoothed round-trip time that on average exceeds the smallest by less
    /// than this.
    pub queueing_delay_below: Option<At<Duration>>,
    /// The share of segments that were sent again is at least this.
    pub loss_above: Option<At<Probability>>,
    /// The share of segments that were sent again is less than this.
    pub loss_below: Option<At<Probability>>,
    /// A repair of losses sent this number of segments again, or more, on average.
    pub loss_burst_above: Option<At<f64>>,
    /// A repair of losses sent fewer segments again than this on average.
    pub loss_burst_below: Option<At<f64>>,
    /// The share of losses that met hardly any queue is at least this: the latest round-trip time lay in the lowest 30 %
    /// of its range.
    pub queueless_loss_above: Option<At<Probability>>,
    /// The share of losses that met hardly any queue is less than this.
    pub queueless_loss_below: Option<At<Probability>>,
    /// The share of segments with a congestion mark is at least this. Known where ECN is in use.
    pub marked_above: Option<At<Probability>>,
    /// The share of segments with a congestion mark is less than this. Known where ECN is in use.
    pub marked_below: Option<At<Probability>>,
    /// The number of retransmission timeouts for each segment sent is at least this.
    pub timeouts_above: Option<At<Probability>>,
    /// The number of retransmission timeouts for each segment sent is less than this.
    pub timeouts_below: Option<At<Probability>>,
    /// The rate at which payload was acknowledged in the last transfer of ten segments or more is at least this.
    pub rate_above: Option<At<BitRate>>,
    /// The rate at which payload was acknowledged in the last transfer of ten segments or more is less than this.
    pub rate_below: Option<At<BitRate>>,
    /// A transfer of ten segments or more lasted, on average, this multiple of the smallest round-trip time, or longer.
    pub rounds_above: Option<At<f64>>,
    /// A transfer of ten segments or more lasted, on average, less than this multiple of the smallest round-trip time.
    pub rounds_below: Option<At<f64>>,
    /// The path was seen to reorder segments by this number of places or more. Only variants with SACK see it.
    pub reordering_above: Option<At<f64>>,
    /// The path was seen to reorder segments by fewer places than this. Only variants with SACK see it.
    pub reordering_below: Option<At<f64>>,
    /// `loss` and `timeouts` are measured over this number of segments or more.
    pub segments_above: Option<At<f64>>,
    /// `loss` and `timeouts` are measured over fewer segments than this.
    pub segments_below: Option<At<f64>>,
    /// The path was last measured at least this long ago.
    pub age_above: Option<At<Duration>>,
    /// The path was last measured less than this long ago.
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

impl Write for RuleSpec {
    fn write(&self) -> Option<Node> {
        let mut table = Table::default();
        table.put("when", &self.when);
        table.put("use", &self.pick);
        table.put("why", &self.why);
        Some(Node::Table(table))
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
        optional rtt_spread_above,
        optional rtt_spread_below,
        optional queueing_delay_above,
        optional queueing_delay_below,
        optional loss_above,
        optional loss_below,
        optional loss_burst_above,
        optional loss_burst_below,
        optional queueless_loss_above,
        optional queueless_loss_below,
        optional marked_above,
        optional marked_below,
        optional timeouts_above,
        optional timeouts_below,
        optional rate_above,
        optional rate_below,
        optional rounds_above,
        optional rounds_below,
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

    fn from_text(text: &str) -> Result<Self, Reason> {
        let found = variants::by_name(text).map(PickedVariant);
        found.ok_or_else(|| unknown("TCP variant", text, variants::NAMES))
    }
    fn written(&self) -> Json {
        self.0.name.into()
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

    fn from_text(text: &str) -> Result<Self, Reason> {
        Ok(PolicySpec::File(text.to_owned()))
    }
    fn from_table(table: PolicyTable) -> Result<Self, Reason> {
        Ok(PolicySpec::Table(Box::new(table)))
    }
    fn written(&self) -> Json {
        match self {
            PolicySpec::File(name) => name.as_str().into(),
            PolicySpec::Table(table) => json(&**table),
        }
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<PolicyTable>();
        json_schema!({ "anyOf": [{ "type": "string" }, table] })
    }
}

values!(PickedVariant, PolicySpec);
