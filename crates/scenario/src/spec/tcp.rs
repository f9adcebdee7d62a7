//! The transports.

use super::policy::PolicySpec;
use crate::at::{At, Reason};
use crate::given::as_json;
use crate::nearest::unknown;
use crate::resolved::json;
use crate::settings::Set;
use crate::table::{prose, table};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use base::{Given, Named};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use transport::tcp::variants::{self, Variant};
use transport::tcp::{LawName, Recovery, TcpConfig};
use transport::udp::UdpConfig;

table! {
    /// The parameters of TCP. The variants linux-* and linux26-* bring their own values for many of these keys; a
    /// key that is given counts more than the variant.
    #[derive(Default)]
    pub struct TcpSpec {
        /// The variant: a named pair of a recovery and a law. With "auto" the endpoint picks one for each
        /// connection by its `policy`.
        variant: VariantKey = held "newreno";
        /// The policy by which "auto" picks a variant: a table of rules, or the name of a file that holds one.
        policy: PolicySpec = held prose("lasthop's own policy");
        /// The recovery, which decides what is retransmitted. With `law` it takes the place of `variant`.
        recovery: Word<Recovery> = held "newreno", "a law that models the path (bbr, bbr3)" "rack_tlp";
        /// The law, which decides how the congestion window changes. With `recovery` it takes the place of
        /// `variant`.
        law: LawKey;
        /// The law from outside that takes the place of any other; set by [`Laws`](crate::Laws), never by a file.
        unread outside: Option<Outside>;
        /// The parameters of the law that differ from its defaults: numbers or names of choices. A table under the
        /// name of a law holds only where that law is in use.
        several law_options: BTreeMap<String, At<LawValue>>;
        /// Everything else, as the connection obeys it.
        settings settings: Set<TcpConfig>;
    }
}

table! {
    /// The parameters of UDP.
    #[derive(Default)]
    pub struct UdpSpec {
        /// Sizes.
        settings settings: Set<UdpConfig>;
    }
}

/// A TCP variant by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VariantKey {
    /// One variant for all connections.
    Named(&'static Variant),
    /// Each connection picks its own.
    Auto,
}

/// The name for picking a variant, and its idea in a line.
pub const AUTO: (&str, &str) =
    ("auto", "picks a variant for each connection, by rules over what was measured of the path");

impl Value for VariantKey {
    const ALLOWED: &'static str = "the name of a TCP variant, in quotes";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        if text == AUTO.0 {
            return Ok(VariantKey::Auto);
        }
        let names = [variants::NAMES, &[AUTO.0]].concat();
        let found = variants::by_name(text).map(VariantKey::Named);
        found.ok_or_else(|| unknown("TCP variant", text, &names))
    }
    fn written(&self) -> Json {
        match self {
            VariantKey::Named(variant) => variant.name.into(),
            VariantKey::Auto => AUTO.0.into(),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        let named = variants::VARIANTS.iter().map(|v| (v.name, v.idea));
        crate::word::schema_of_names(&named.chain([AUTO]).collect::<Vec<_>>())
    }
}

/// A law by name.
#[derive(Clone, Debug, PartialEq)]
pub enum LawKey {
    /// One of lasthop's own.
    Own(LawName),
    /// Another name: one from outside, or a mistake, which [`Laws`](crate::Laws) tells apart.
    Other(String),
}

/// A law from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Its place among the laws that the user gave.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// Whether it models the path.
    pub model_based: bool,
}

impl Value for LawKey {
    const ALLOWED: &'static str = "the name of a TCP law, in quotes";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        let own = LawName::by_name(text).map(LawKey::Own);
        Ok(own.unwrap_or_else(|| LawKey::Other(text.to_owned())))
    }
    fn written(&self) -> Json {
        match self {
            LawKey::Own(law) => law.name().into(),
            LawKey::Other(name) => name.as_str().into(),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        let other = "a law from outside: --law FILE.py:CLASS, or laws= in Python";
        json_schema!({ "anyOf": [
            crate::word::schema_of_names(LawName::ROWS),
            { "type": "string", "description": other },
        ] })
    }
}

/// The value of a law's parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum LawValue {
    /// A number.
    Number(f64),
    /// The name of a choice, or "off" and "on".
    Choice(String),
    /// Parameters of the law of this name, which apply where it is in use.
    OfLaw(BTreeMap<String, At<LawValue>>),
}

impl Value for LawValue {
    const ALLOWED: &'static str =
        "a number, or the name of a choice, or a table of these under the name of a law";
    type Table = BTreeMap<String, At<LawValue>>;

    fn from_text(text: &str) -> Result<Self, Reason> {
        Ok(LawValue::Choice(text.to_owned()))
    }
    fn from_integer(number: i64) -> Result<Self, Reason> {
        Ok(LawValue::Number(number as f64))
    }
    fn from_float(number: f64) -> Result<Self, Reason> {
        if number.is_finite() {
            Ok(LawValue::Number(number))
        } else {
            Err(crate::value::refuse::<Self>(&number.to_string()))
        }
    }
    fn from_bool(flag: bool) -> Result<Self, Reason> {
        Ok(LawValue::Number(f64::from(u8::from(flag))))
    }
    fn from_table(table: Self::Table) -> Result<Self, Reason> {
        Ok(LawValue::OfLaw(table))
    }
    fn written(&self) -> Json {
        match self {
            LawValue::Number(number) => as_json(&Given::Number(*number)).unwrap_or_default(),
            LawValue::Choice(name) => name.as_str().into(),
            LawValue::OfLaw(table) => json(table),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string", "boolean", "object"] })
    }
}

values!(VariantKey, LawKey, LawValue);
