//! Documents of conventions and stacks, which are laid under what a scenario gives: those that are shipped, and a user's own.

use crate::at::{At, Problem, Reason};
use crate::code::Code;
use crate::document::{self, LARGEST_TEXT};
use crate::error::Sources;
use crate::files::Files;
use crate::nearest::unknown;
use crate::settings::{Laid, Set};
use crate::spec::{Conventions, ConventionsSpec, Layer, OverlaySpec};
use base::Named;
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use transport::tcp::{LawName, TcpConfig};

/// The text of each document that is shipped, by name.
const SHIPPED: [(&str, &str); 6] = [
    ("standard", include_str!("overlays/standard.toml")),
    ("ns2.35", include_str!("overlays/ns2.35.toml")),
    ("ns2.1b8", include_str!("overlays/ns2.1b8.toml")),
    ("ns2.1b7", include_str!("overlays/ns2.1b7.toml")),
    ("linux", include_str!("overlays/linux.toml")),
    ("linux26", include_str!("overlays/linux26.toml")),
];

/// Reads the shipped document of that name.
///
/// # Panics
/// Where there is none: a defect of lasthop.
fn shipped(name: &str) -> OverlaySpec {
    let Some((_, text)) = SHIPPED.iter().find(|row| row.0 == name) else {
        panic!("no document \"{name}\"")
    };
    let mut document: OverlaySpec = document::shipped(text);
    // Its places are none of a scenario's.
    document.move_to(&(0..0));
    document
}

/// Returns the documents of a set of conventions, each over those before it.
fn documents(conventions: Conventions) -> &'static [&'static str] {
    match conventions {
        Conventions::Standard => &["standard"],
        Conventions::Ns235 | Conventions::Ns2 => &["standard", "ns2.35"],
        Conventions::Ns21b8 => &["standard", "ns2.35", "ns2.1b8"],
        Conventions::Ns21b7 => &["standard", "ns2.35", "ns2.1b7"],
    }
}

impl OverlaySpec {
    fn move_to(&mut self, place: &Range<usize>) {
        let of_laws = self.law.values_mut().map(|at| &mut at.value);
        for set in self.tcp.iter_mut().map(|at| &mut at.value).chain(of_laws) {
            set.move_to(place);
        }
    }

    /// Lays its settings for TCP with this law over those of others.
    fn lay(&self, law: LawName, over: &mut Set<TcpConfig>) {
        let of_law = self.law.get(law.name());
        for set in self.tcp.iter().chain(of_law) {
            over.lay(&set.value);
        }
    }
}

/// The documents under a scenario.
#[derive(Debug, Default)]
pub struct Overlays {
    /// The lowest first.
    under_stack: Vec<OverlaySpec>,
    /// The documents above the stack of a variant: the user's own that follow the last name.
    over_stack: Vec<OverlaySpec>,
    /// The stacks of variants that were asked for, by name: each is read once.
    stacks: RefCell<BTreeMap<String, Rc<OverlaySpec>>>,
}

impl Overlays {
    /// Those that a scenario names; `schema` is the scenario's, which has their keys. What is wrong goes to `problems`, at the
    /// place of the name.
    pub fn of(
        conventions: &At<ConventionsSpec>,
        (files, schema): (&Files, &dyn Fn() -> Json),
        problems: &mut Vec<Problem>,
    ) -> Overlays {
        let mut overlays =
            Overlays { under_stack: vec![shipped("standard")], ..Overlays::default() };
        for layer in &conventions.value.0 {
            // What is no list has the place of the key's value.
            let place = if layer.place.is_empty() { &conventions.place } else { &layer.place };
            match &layer.value {
                Layer::Named(name) => {
                    overlays.under_stack.append(&mut overlays.over_stack);
                    overlays.under_stack.extend(documents(*name).iter().map(|name| shipped(name)));
                }
                Layer::File(name) => match own(name, files, schema) {
                    Ok(mut document) => {
                        document.move_to(place);
                        overlays.over_stack.push(document);
                    }
                    Err(reasons) => {
                        problems.extend(reasons.into_iter().map(|reason| reason.at(place.clone())));
                    }
                },
            }
        }
        overlays
    }

    /// Returns the settings of TCP with this law and the stack of its variant, before those of a scenario.
    pub fn tcp(&self, law: LawName, stack: Option<&str>) -> Set<TcpConfig> {
        let mut all = Set::default();
        let stack = stack.map(|name| self.stack(name));
        let documents = self.under_stack.iter().chain(stack.as_deref());
        for document in documents.chain(&self.over_stack) {
            document.lay(law, &mut all);
        }
        all
    }

    /// The stack of that name.
    fn stack(&self, name: &str) -> Rc<OverlaySpec> {
        let mut stacks = self.stacks.borrow_mut();
        Rc::clone(stacks.entry(name.to_owned()).or_insert_with(|| Rc::new(shipped(name))))
    }
}

/// A document of the user's; else all that is wrong with it.
fn own(name: &str, files: &Files, schema: &dyn Fn() -> Json) -> Result<OverlaySpec, Vec<Reason>> {
    let text = files.text(name).map_err(|why| vec![why])?;
    if text.len() > LARGEST_TEXT {
        let size = text.len();
        let message = format!("{name}: {size} bytes; allowed: at most {LARGEST_TEXT}");
        return Err(vec![Code::OutOfRange.says(message)]);
    }
    let placed = |problem| Sources::new(name, text, &[]).in_file(problem);
    let document: OverlaySpec = document::table_by(text, schema)
        .map_err(|problems| problems.into_iter().map(placed).collect::<Vec<_>>())?;
    let strange = document.law.iter().find(|(law, _)| LawName::by_name(law).is_none());
    match strange {
        Some((law, at)) => Err(vec![placed(at.problem(unknown("law", law, &LawName::names())))]),
        None => Ok(document),
    }
}

impl Laid for TcpConfig {
    fn cases() -> Vec<(&'static str, Set<TcpConfig>)> {
        let of = |name: &str| shipped(name).tcp.map(|at| at.value).unwrap_or_default();
        let mut linux = of("linux");
        linux.keep_changes();
        let ns2 = [("ns2", "ns2.35"), ("ns2.1b8", "ns2.1b8"), ("ns2.1b7", "ns2.1b7")];
        let ns2 = ns2.map(|(case, name)| (case, of(name)));
        ns2.into_iter().chain([("linux-* variants", linux)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_is_right_and_says_what_it_is_for() {
        for (name, _) in SHIPPED {
            let document = shipped(name);
            assert!(document.about.is_some(), "{name}");
            assert!(document.law.keys().all(|law| LawName::by_name(law).is_some()), "{name}");
        }
    }

    #[test]
    fn every_name_and_every_stack_has_a_document() {
        let names = Conventions::ALL.iter().flat_map(|name| documents(*name)).copied();
        let stacks = transport::tcp::variants::VARIANTS.iter().filter_map(|variant| variant.stack);
        for name in names.chain(stacks) {
            assert!(SHIPPED.iter().any(|row| row.0 == name), "{name}");
        }
    }
}
