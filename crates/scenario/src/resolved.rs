//! The whole document that a run is built from: every value in force, with its origin.

mod cells;
mod fill;
mod flows;
mod node;
mod parts;
mod tcp;
mod toml;

use crate::check::{Context, Scenario};
use crate::error::Sources;
pub use node::{Node, Origin, Table, Write, json};

/// A scenario in which every key that applies has its value. It is itself a scenario with the same results.
#[derive(Clone, Debug)]
pub struct Resolved<'a> {
    document: Table,
    sources: Sources<'a>,
}

/// Keys of a scenario that change no result, or only what a user calls it.
const OUTSIDE: [&str; 3] = ["name", "description", "seed"];

impl<'a> Resolved<'a> {
    /// Returns the document of a scenario that was checked.
    pub fn of(scenario: &Scenario, context: &Context<'_>, sources: &Sources<'a>) -> Resolved<'a> {
        let document = fill::document(context.spec, &scenario.plan, context);
        Resolved { document, sources: sources.clone() }
    }

    /// Returns the document as TOML, with the origin of each value in a comment behind it.
    pub fn to_toml(&self) -> String {
        toml::written(&self.document, &self.sources)
    }

    /// Returns 32 hexadecimal digits that are the same for two scenarios with the same document, whatever they are called
    /// and whatever their seed: a hash of the document without these, its keys in the order of the alphabet, and in place
    /// of the names of files the hashes of their contents. A version of lasthop that has other keys or other defaults
    /// gives other digits.
    pub fn identity(&self) -> String {
        let mut text = String::new();
        self.document.content(&OUTSIDE, &mut text);
        crate::identity::hash(&text)
    }
}
