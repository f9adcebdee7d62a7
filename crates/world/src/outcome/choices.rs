//! What a run tells of connections whose endpoints pick their variant.

use crate::end::End;
use crate::flows::{Flow, Flows};
use crate::plan::{FlowPlan, TransportPlan};
use base::Time;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use transport::tcp::auto::{Choice, Measured, Policy, Quantity};

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

/// What a flow's connections have picked; `None` where they do not.
pub(super) fn outcome(
    flows: &Flows,
    flow: &Flow,
    plan: &FlowPlan,
    now: Time,
) -> Option<ChoicesOutcome> {
    let TransportPlan::Tcp { policy: Some(policy), .. } = &plan.transport else { return None };
    let mut log = flow.choices.clone();
    if let Some(connection) = flow.tcp().and_then(|tcp| tcp.lasting_connection()) {
        let choices = connection.endpoint(End::Source).sender.choices();
        choices.iter().for_each(|&choice| log.push(choice));
    }
    log.counts.resize(policy.alternatives.len(), 0);
    let names = policy.alternatives.iter().map(|alternative| alternative.name.clone());
    Some(ChoicesOutcome {
        choices: log.listed.iter().map(|choice| ChoiceOutcome::new(choice, policy)).collect(),
        picked: names.zip(log.counts).collect(),
        measured: known(&flows.known_of(now, plan, policy.forget_after)),
    })
}
