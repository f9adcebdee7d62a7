//! The source of defaults: conventions by name, and files of the user's own.

use crate::at::{At, Reason};
use crate::code::Code;
use crate::nearest::unknown;
use crate::value::{NoTable, Value, values};
use crate::word::{self, Word};
use base::{Named, named};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value as Json;

named! {
    /// The source of defaults.
    pub enum Conventions, "set of conventions" {
        Standard = "standard": "the standards, which are IEEE 802.11-2020 and the RFCs",
        Ns235 = "ns2.35": "ns-2.35 (2011) where it differs from the standards, for comparison with published studies",
        Ns2 = "ns2": "the same as ns2.35",
        Ns21b8 = "ns2.1b8": "ns-2.1b8 (June to November 2001)",
        Ns21b7 = "ns2.1b7": "ns-2.1b7 (October 2000 to May 2001)",
        Ns3 = "ns3": "ns-3.37's 802.11 where it differs from the standards; TCP and wires stay as they are",
    }
}

/// The documents laid under a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Shipped conventions.
    Named(Conventions),
    /// A file of the user's own.
    File(String),
}

/// The conventions of a scenario, of which a later one counts more. The place of a layer is empty where there is no list.
#[derive(Clone, Debug, PartialEq)]
pub struct ConventionsSpec(pub Vec<At<Layer>>);

impl ConventionsSpec {
    /// Returns the files of the user's own.
    pub fn files(&self) -> impl Iterator<Item = &String> {
        self.0.iter().filter_map(|layer| match &layer.value {
            Layer::File(name) => Some(name),
            Layer::Named(_) => None,
        })
    }

    fn layer(text: &str) -> Result<Layer, Reason> {
        match Conventions::by_name(text) {
            Some(name) => Ok(Layer::Named(name)),
            None if text.ends_with(FILE) => Ok(Layer::File(text.to_owned())),
            None => {
                let names = Conventions::names();
                let known = unknown(Conventions::WHAT, text, &names);
                Err(known.reworded(|said| format!("{said}, or a file of your own, \"NAME{FILE}\"")))
            }
        }
    }
}

/// The ending of a file's name.
const FILE: &str = ".toml";

/// More layers than these are a mistake.
const MOST_LAYERS: usize = 100;

impl Value for ConventionsSpec {
    const ALLOWED: &'static str =
        "the name of a set of conventions, in quotes, the name of a TOML file, or a list of these";
    type Table = NoTable;

    fn allowed() -> String {
        let named = word::allowed(Conventions::WHAT, &Conventions::names());
        format!("{named}, or the name of a TOML file, or a list of these")
    }
    fn from_text(text: &str) -> Result<Self, Reason> {
        let layer = ConventionsSpec::layer(text)?;
        Ok(ConventionsSpec(vec![At { value: layer, place: 0..0 }]))
    }
    fn from_list(list: Vec<At<String>>) -> Result<Self, Reason> {
        if list.len() > MOST_LAYERS {
            let message = format!("{} names; allowed: up to {MOST_LAYERS}", list.len());
            return Err(Code::OutOfRange.says(message));
        }
        let layers = list.iter().map(|at| Ok(at.with(ConventionsSpec::layer(&at.value)?)));
        layers.collect::<Result<_, Reason>>().map(ConventionsSpec)
    }
    fn written(&self) -> Json {
        let name = |layer: &At<Layer>| match &layer.value {
            Layer::Named(Conventions::Ns2) => Conventions::Ns235.name().into(),
            Layer::Named(name) => name.name().into(),
            Layer::File(name) => name.as_str().into(),
        };
        self.0.iter().map(name).collect::<Vec<Json>>().into()
    }
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let name = generator.subschema_for::<Word<Conventions>>();
        let one = json_schema!({ "anyOf": [
            name, { "type": "string", "pattern": "\\.toml$", "description": "a TOML file of your own" },
        ] });
        json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

values!(ConventionsSpec);
