//! What a flow's connections have picked, where their endpoints pick their variant.

use crate::flow::Endpoints;
use crate::plan::{FlowPlan, TransportPlan};
use crate::world::World;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use transport::tcp::auto::{Choice, Measured, Policy, Quantity};

/// The most choices that are listed of a flow; all are counted.
const MOST_LISTED: usize = 1000;

/// The choices of a flow, those of the end that its data come from.
#[derive(Clone, Debug, Default)]
pub struct ChoiceLog {
    /// Each that is not as the one before.
    listed: Vec<Choice>,
    /// By alternative: how often it was picked.
    counts: Vec<u64>,
}

impl ChoiceLog {
    /// Enters one.
    pub fn push(&mut self, choice: Choice) {
        if self.counts.len() <= choice.alternative {
            self.counts.resize(choice.alternative + 1, 0);
        }
        self.counts[choice.alternative] += 1;
        let same =
            |last: &Choice| (last.alternative, last.rule) == (choice.alternative, choice.rule);
        if self.listed.len() < MOST_LISTED && !self.listed.last().is_some_and(same) {
            self.listed.push(choice);
        }
    }
}

/// What a flow's connections have picked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChoicesOutcome {
    /// What its connections have picked, warm-up included: by time, each that is not as the one before, a thousand at
    /// most.
    pub choices: Vec<ChoiceOutcome>,
    /// How often each variant of the policy was picked.
    pub picked: BTreeMap<String, u64>,
    /// What the host knows of the path at the end, as in `choices`.
    pub measured: BTreeMap<&'static str, f64>,
}

/// A variant that a connection has picked, and why.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChoiceOutcome {
    /// When, s.
    pub at_s: f64,
    /// The variant.
    pub variant: String,
    /// The number of the policy's rule that held, from 1; 0: none did, and the default was taken.
    pub rule: u64,
    /// What was known of the path, by the names of policies: in s, bit/s, segments, or shares.
    pub measured: BTreeMap<&'static str, f64>,
}

impl ChoiceOutcome {
    fn new(choice: &Choice, policy: &Policy) -> ChoiceOutcome {
        ChoiceOutcome {
            at_s: choice.at.as_secs(),
            variant: policy.alternatives[choice.alternative].name.clone(),
            rule: choice.rule.map_or(0, |rule| rule as u64 + 1),
            measured: known(&choice.measured),
        }
    }
}

fn known(measured: &Measured) -> BTreeMap<&'static str, f64> {
    let value = |&quantity: &Quantity| Some((quantity.name(), measured.get(quantity)?));
    Quantity::ALL.iter().filter_map(value).collect()
}

impl World {
    /// What a flow's connections have picked; `None` where they do not.
    pub(crate) fn choices_outcome(&self, flow: usize, plan: &FlowPlan) -> Option<ChoicesOutcome> {
        let TransportPlan::Tcp { policy: Some(policy), .. } = &plan.transport else { return None };
        let mut log = self.flows[flow].choices.clone();
        if let Endpoints::Tcp(tcp) = &self.flows[flow].endpoints {
            tcp.sender.choices().iter().for_each(|&choice| log.push(choice));
        }
        log.counts.resize(policy.alternatives.len(), 0);
        let names = policy.alternatives.iter().map(|alternative| alternative.name.clone());
        Some(ChoicesOutcome {
            choices: log.listed.iter().map(|choice| ChoiceOutcome::new(choice, policy)).collect(),
            picked: names.zip(log.counts).collect(),
            measured: known(&self.known_of(plan, policy.forget_after)),
        })
    }
}
