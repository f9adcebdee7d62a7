//! A table of TCP's parameters, for one variant or for a policy.

use super::node::{Node, Origin, Table, Write};
use crate::check::{Axes, Context, axes, beyond_ns2, policy_table, settled_tcp};
use crate::given::as_json;
use crate::spec::{LawValue, PolicySpec, TcpSpec, VariantKey};
use base::{Given, Named, Parameter, Settings};
use transport::tcp::variants;

/// Completes the table of a connection.
pub fn connection(table: &mut Table, spec: Option<&TcpSpec>, context: &Context<'_>) {
    let empty = TcpSpec::default();
    let spec = spec.unwrap_or(&empty);
    let picks = spec.variant.as_ref().is_some_and(|at| at.value == VariantKey::Auto);
    if picks && spec.outside.is_none() {
        // Each variant of a policy has a stack of its own, so what the scenario leaves out stays out.
        return policy(table, spec, context);
    }
    let Ok(axes) = axes(spec) else { return };
    table.remove("policy");
    name(table, spec, &axes);
    options(table, spec, &axes);
    let Ok((value, config)) = settled_tcp(spec, axes.clone(), &context.overlays) else { return };
    let beyond = beyond_ns2(&config);
    for (key, given) in value.given() {
        let given = if key == "window" { Given::Bytes(config.receive_window) } else { given };
        let Some(json) = as_json(&given) else { continue };
        let origin =
            match (spec.settings.at(key), context.overlays.source_tcp(axes.law, axes.stack, key)) {
                (Some(at), _) => Origin::Text(at.place.clone()),
                (None, Some(name)) => Origin::Document(name),
                (None, None) => Origin::Default,
            };
        table.set(key, Node::Value(json), origin);
    }
    beyond.into_iter().for_each(|key| table.remove(key));
}

fn policy(table: &mut Table, spec: &TcpSpec, context: &Context<'_>) {
    ["recovery", "law"].iter().for_each(|key| table.remove(key));
    let Some(Ok(policy)) = policy_table(spec, context.files) else { return };
    let Some(Node::Table(mut written)) = policy.write() else { return };
    match spec.policy.as_ref().map(|at| &at.value) {
        Some(PolicySpec::Table(_)) => {}
        Some(PolicySpec::File(name)) => written.come_from(&Origin::Document(name.clone())),
        None => written.come_from(&Origin::Default),
    }
    table.set("policy", Node::Table(written), Origin::Others);
}

/// Writes the variant of this recovery and law, or both where there is none.
fn name(table: &mut Table, spec: &TcpSpec, axes: &Axes) {
    let origin = ["variant", "recovery", "law"].into_iter().find(|key| table.gives(key));
    let origin = origin.map_or(Origin::Default, |key| table.origin(key));
    ["variant", "recovery", "law"].iter().for_each(|key| table.remove(key));
    let mut set = |key, name: &str| table.set(key, Node::Value(name.into()), origin.clone());
    match (&spec.outside, variants::by_name(&axes.name)) {
        (None, Some(variant)) => set("variant", variant.name),
        (None, None) => {
            set("recovery", axes.recovery.name());
            set("law", axes.law.name());
        }
        (Some(outside), _) => {
            set("recovery", axes.recovery.name());
            set("law", &outside.name);
        }
    }
}

/// The parameter that each connection draws for itself.
const DRAWN: &str = "salt";

/// Writes all parameters of the law; of one from outside, whose defaults are not known here, those that are given.
fn options(table: &mut Table, spec: &TcpSpec, axes: &Axes) {
    table.remove("law_options");
    let given = |name: &str| match spec.law_options.get(axes.law.name()).map(|at| &at.value) {
        Some(LawValue::OfLaw(table)) if table.contains_key(name) => table.get(name),
        _ => spec.law_options.get(name),
    };
    let mut options = Table::default();
    if spec.outside.is_some() {
        for (name, at) in &spec.law_options {
            if !matches!(at.value, LawValue::OfLaw(_)) {
                options.put(name, at);
            }
        }
    } else {
        let of_law = axes.law.parameters().iter();
        // A parameter that a run draws has no default.
        for parameter in of_law.filter(|of| of.name != DRAWN || axes.options.get(DRAWN).is_some()) {
            let value = axes.options.get(parameter.name);
            let origin = match (given(parameter.name), value) {
                (Some(at), _) => Origin::Text(at.place.clone()),
                (None, Some(_)) => Origin::Others,
                (None, None) => Origin::Default,
            };
            let value = option(parameter, value.unwrap_or(parameter.default));
            if let Some(json) = as_json(&value) {
                options.set(parameter.name, Node::Value(json), origin);
            }
        }
    }
    if !options.rows().is_empty() {
        table.set("law_options", Node::Table(options), Origin::Others);
    }
}

/// Returns a value of a law's parameter as a scenario gives it.
fn option(parameter: &Parameter, value: f64) -> Given {
    let is_place = value >= 0.0 && value.fract() == 0.0;
    match parameter.choices.get(value as usize).filter(|_| is_place) {
        Some(choice) => Given::Word((*choice).into()),
        None if value.is_finite() => Given::Number(value),
        None => Given::Prose(""),
    }
}
