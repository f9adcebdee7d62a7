//! Results of connections whose endpoints pick their variant.

use crate::end::End;
use crate::flows::{Flow, Flows};
use crate::plan::{FlowPlan, TransportPlan};
use base::{Outcome, Place, Quantities, Stated, Time, outcome};
use serde::Serialize;
use std::collections::BTreeMap;
use transport::tcp::auto::{Choice, Measured, Policy, Quantity};

outcome! {
    /// The choices of a flow's connections.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct ChoicesOutcome {
        /// The choices of its connections, warm-up included: by time, each that differs from the one before,
        /// a thousand at most.
        choices: Vec<ChoiceOutcome>;
        /// The number of times that each variant of the policy was picked.
        picked: BTreeMap<String, u64> = "variants picked", sum;
        /// The host's knowledge of the path at the end, as in `choices`.
        measured: PathOutcome;
    }

    /// A variant that a connection has picked, and why.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct ChoiceOutcome {
        /// The time, s.
        at_s: f64;
        /// The variant.
        variant: String;
        /// The number of the policy's rule that held, from 1; 0: none did, and the default was taken.
        rule: u64;
        /// The knowledge of the path at that time, by the names of policies: in s, bit/s, segments, or
        /// shares.
        measured: PathOutcome;
    }
}

/// The knowledge of a path, by the names of policies.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct PathOutcome(BTreeMap<&'static str, f64>);

impl Outcome for PathOutcome {
    fn list(at: &Place, found: &mut Quantities) {
        for quantity in Quantity::ALL {
            let (words, unit) = (Some(quantity.meaning()), Some(quantity.unit()));
            let stated = Stated { words, unit, ..Stated::default() };
            f64::list(&at.field(quantity.name(), &stated), found);
        }
    }
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

fn known(measured: &Measured) -> PathOutcome {
    let value = |&quantity: &Quantity| Some((quantity.name(), measured.get(quantity)?));
    PathOutcome(Quantity::ALL.iter().filter_map(value).collect())
}

/// Returns the choices of a flow's connections; `None` where they do not pick.
pub(super) fn outcome(
    flows: &Flows,
    flow: &Flow,
    plan: &FlowPlan,
    now: Time,
) -> Option<ChoicesOutcome> {
    let TransportPlan::Tcp { policy: Some(policy), .. } = &plan.transport else { return None };
    let mut log = flow.choices.as_deref().cloned().unwrap_or_default();
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
