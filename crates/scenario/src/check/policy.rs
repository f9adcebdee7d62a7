//! Policies of endpoints that pick their variant.

use super::bounds::number;
use super::tcp::config_of;
use crate::at::{At, Problem, Reason};
use crate::code::Code;
use crate::document;
use crate::error::Sources;
use crate::files::Files;
use crate::overlays::Overlays;
use crate::spec::{PickedVariant, PolicySpec, PolicyTable, TcpSpec, VariantKey, WhenSpec};
use std::borrow::Cow;
use transport::tcp::TcpConfig;
use transport::tcp::auto::{Alternative, Condition, Policy, Quantity, Rule, Side};

/// The policy of "auto" where the scenario names none.
const DEFAULT: &str = include_str!("default_policy.toml");

/// More rules than these are a mistake: nobody reads them.
const MOST_RULES: usize = 1000;

/// Returns the policy that a table of TCP's parameters names, or the default with "auto"; else `None`.
pub fn policy(
    spec: &TcpSpec,
    overlays: &Overlays,
    files: &Files,
) -> Result<Option<Policy>, Problem> {
    let picks = spec.variant.as_ref().filter(|at| at.value == VariantKey::Auto);
    let options = spec.law_options.iter().next();
    if let (Some(_), None, Some((name, at))) = (picks, &spec.outside, options) {
        let message = format!(
            "\"{name}\" is a parameter of one law, and \"auto\" picks among several laws; leave it out"
        );
        return Err(at.problem(message));
    }
    let Some(table) = table(spec, files).transpose()? else { return Ok(None) };
    let policy = resolve(&table, spec, overlays);
    match spec.policy.as_ref().map(|at| (at, &at.value)) {
        Some((at, PolicySpec::File(name))) => {
            let text = files.text(name).unwrap_or_default();
            policy.map(Some).map_err(|problem| at.problem(in_file(text, name, problem)))
        }
        _ => policy.map(Some),
    }
}

/// Returns the table of the policy that is named, or of the default.
pub fn table<'a>(
    spec: &'a TcpSpec,
    files: &Files,
) -> Option<Result<Cow<'a, PolicyTable>, Problem>> {
    let picks = spec.variant.as_ref().filter(|at| at.value == VariantKey::Auto);
    let Some(at) = &spec.policy else {
        let default = |at: &At<VariantKey>| {
            parse(DEFAULT, "the default policy").map(Cow::Owned).map_err(|why| at.problem(why))
        };
        return picks.map(default);
    };
    Some(match &at.value {
        PolicySpec::Table(table) => Ok(Cow::Borrowed(table)),
        PolicySpec::File(name) => {
            let table = files.text(name).and_then(|text| parse(text, name));
            table.map(Cow::Owned).map_err(|why| at.problem(why))
        }
    })
}

fn parse(text: &str, name: &str) -> Result<PolicyTable, Reason> {
    document::table(text).map_err(|mut problems| in_file(text, name, problems.swap_remove(0)))
}

fn in_file(text: &str, name: &str, problem: Problem) -> Reason {
    Sources::new(name, text, &[]).in_file(problem)
}

fn resolve(table: &PolicyTable, spec: &TcpSpec, overlays: &Overlays) -> Result<Policy, Problem> {
    if let Some(rule) = table.rule.get(MOST_RULES) {
        return Err(rule.out_of_range(format!("more than {MOST_RULES} rules")));
    }
    let mut alternatives: Vec<Alternative> = Vec::new();
    let mut place = |picked: &At<PickedVariant>| -> Result<usize, Problem> {
        let variant = picked.value.0;
        if let Some(known) = alternatives.iter().position(|known| known.name == variant.name) {
            return Ok(known);
        }
        let config = config_of(spec, variant, overlays)?;
        refuse_other_marks(picked, &config, alternatives.first())?;
        alternatives.push(Alternative { name: variant.name.to_owned(), config });
        Ok(alternatives.len() - 1)
    };
    let default = place(&table.default)?;
    let mut rules = Vec::new();
    for rule in &table.rule {
        let when = rule.when.as_ref().map_or(Ok(Vec::new()), conditions)?;
        rules.push(Rule { when, pick: place(&rule.pick)? });
    }
    Ok(Policy { alternatives, rules, default, forget_after: table.forget_after().value.0 })
}

/// Refuses alternatives with other marks: both ends agree on marks before a variant is picked.
fn refuse_other_marks(
    picked: &At<PickedVariant>,
    config: &TcpConfig,
    first: Option<&Alternative>,
) -> Result<(), Problem> {
    match first.filter(|first| first.config.ecn != config.ecn) {
        None => Ok(()),
        Some(first) => Err(picked.out_of_range(format!(
            "\"{}\" and \"{}\" use congestion marks in different ways, which both ends agree on before anything is \
             picked; allowed: variants of one way (tcp.ecn sets it for all)",
            picked.value.0.name, first.name
        ))),
    }
}

/// Returns the options of the handshake, whatever is picked later: SACK where any alternative uses it.
pub fn agreed(policy: &Policy) -> TcpConfig {
    let default = &policy.alternatives[policy.default];
    let mut first = [default].into_iter().chain(&policy.alternatives);
    let selective = first.find(|alternative| alternative.config.recovery.uses_sack());
    selective.unwrap_or(default).config.clone()
}

/// The bounds of quantities without a unit.
const BOUNDS: (f64, f64) = (0.0, 1e12);

fn conditions(when: &WhenSpec) -> Result<Vec<Condition>, Problem> {
    let mut found = Vec::new();
    for &quantity in Quantity::ALL {
        let (above, below) = bounds(when, quantity)?;
        if let (Some((above, _)), Some((below, place))) = (&above, &below)
            && above >= below
        {
            let name = quantity.name();
            let message =
                format!("{name} cannot be both; allowed: {name}_above less than {name}_below");
            return Err(Code::OutOfRange.says(message).at(place.clone()));
        }
        for (side, bound) in [(Side::Above, above), (Side::Below, below)] {
            found.extend(bound.map(|(bound, _)| Condition { quantity, side, bound }));
        }
    }
    Ok(found)
}

/// A bound and its place.
type Bound = Option<(f64, std::ops::Range<usize>)>;

/// Returns the bounds of one quantity, in its unit.
fn bounds(when: &WhenSpec, quantity: Quantity) -> Result<(Bound, Bound), Problem> {
    fn put<T>(at: &Option<At<T>>, value: impl Fn(&T) -> f64) -> Bound {
        at.as_ref().map(|at| (value(&at.value), at.place.clone()))
    }
    fn plain(at: &Option<At<f64>>) -> Result<Bound, Problem> {
        let Some(at) = at else { return Ok(None) };
        Ok(Some((number(Some(at), 0.0, BOUNDS)?, at.place.clone())))
    }
    let w = when;
    let secs = |time: &crate::units::Duration| time.0.as_secs();
    let share = |share: &crate::units::Probability| share.0;
    let rate = |rate: &crate::units::BitRate| rate.0.0 as f64;
    Ok(match quantity {
        Quantity::Rtt => (put(&w.rtt_above, secs), put(&w.rtt_below, secs)),
        Quantity::MinRtt => (put(&w.min_rtt_above, secs), put(&w.min_rtt_below, secs)),
        Quantity::DelayInflation => {
            (plain(&w.delay_inflation_above)?, plain(&w.delay_inflation_below)?)
        }
        Quantity::RttSpread => (plain(&w.rtt_spread_above)?, plain(&w.rtt_spread_below)?),
        Quantity::QueueingDelay => {
            (put(&w.queueing_delay_above, secs), put(&w.queueing_delay_below, secs))
        }
        Quantity::LossBurst => (plain(&w.loss_burst_above)?, plain(&w.loss_burst_below)?),
        Quantity::QueuelessLoss => {
            (put(&w.queueless_loss_above, share), put(&w.queueless_loss_below, share))
        }
        Quantity::Marked => (put(&w.marked_above, share), put(&w.marked_below, share)),
        Quantity::Loss => (put(&w.loss_above, share), put(&w.loss_below, share)),
        Quantity::Timeouts => (put(&w.timeouts_above, share), put(&w.timeouts_below, share)),
        Quantity::Rate => (put(&w.rate_above, rate), put(&w.rate_below, rate)),
        Quantity::Rounds => (plain(&w.rounds_above)?, plain(&w.rounds_below)?),
        Quantity::Reordering => (plain(&w.reordering_above)?, plain(&w.reordering_below)?),
        Quantity::Segments => (plain(&w.segments_above)?, plain(&w.segments_below)?),
        Quantity::Age => (put(&w.age_above, secs), put(&w.age_below, secs)),
    })
}
