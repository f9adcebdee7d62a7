//! From what a file says to what a world is built from: every value known, every name an index, or a [`Problem`].

mod apps;
mod association;
mod bounds;
mod cells;
mod channel;
mod clusters;
mod dsdv;
mod flows;
mod lan;
mod links;
mod mac;
mod medium;
mod members;
mod mobile_ip;
mod motion;
mod names;
mod phy;
mod playout;
mod policy;
mod proxies;
mod routing;
mod stations;
mod tcp;
mod transport;
mod video;
mod web;
mod wimax;
mod wimax_services;

use crate::at::{At, Problem};
use crate::files::Files;
use crate::spec::ScenarioSpec;
use crate::word::Word;
use names::Nodes;
pub use names::glob;
use record::MeasureName;
use world::Plan;

/// A checked scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it shows, if it says so.
    pub description: Option<String>,
    /// The root of its random numbers, unless the user gives another.
    pub seed: u64,
    /// What it measures beside the usual.
    pub measures: Vec<MeasureName>,
    /// What to build.
    pub plan: Plan,
}

/// Checks a scenario.
pub fn check(spec: &ScenarioSpec, files: &Files) -> Result<Scenario, Problem> {
    let conventions = spec.conventions().value.0;
    let duration = spec.duration.value.0;
    if duration == base::Span::ZERO {
        return Err(spec.duration.problem("a duration of zero; allowed: more than \"0 s\""));
    }
    let warmup = spec.warmup().value.0;
    if let Some(at) = spec.warmup.as_ref().filter(|_| warmup >= duration) {
        let message = format!(
            "a warm-up of {} s leaves nothing of the {} s to measure; allowed: less than the duration",
            warmup.as_secs(),
            duration.as_secs()
        );
        return Err(at.problem(message));
    }
    let mut nodes = Nodes::default();
    let links = links::links(spec, conventions, &mut nodes)?;
    let mut cells = cells::cells(spec, conventions, &mut nodes)?;
    let wimax = wimax::cells(spec, (conventions, files), &mut nodes, &cells)?;
    let lans = lan::lans(spec, conventions, &mut nodes, (&cells, &wimax))?;
    medium::place(spec, conventions, (&nodes, files), &mut cells)?;
    let association = association::association(spec, &cells)?;
    let plan = Plan {
        duration,
        warmup,
        nodes: vec![],
        links,
        cells,
        flows: vec![],
        routing: Default::default(),
        association,
        mobile_ip: None,
        proxies: vec![],
        radio_losses_filtered: false,
        wimax,
        lans,
    };
    let mut plan = Plan { nodes: nodes.names(), ..plan };
    plan.routing = routing::routing(spec, &nodes, &plan)?;
    plan.mobile_ip = mobile_ip::mobile_ip(spec, conventions, &nodes, &plan)?;
    let expanded = flows::flows(spec, (conventions, files), &nodes, &plan)?;
    plan.flows = expanded.plans;
    wimax_services::services(spec, conventions, &expanded.groups, &mut plan)?;
    links::drop_lists(spec, &expanded.groups, &mut plan)?;
    proxies::proxies(spec, (conventions, files), (&nodes, &expanded.groups), &mut plan)?;
    let seed = spec.seed();
    let seed = u64::try_from(seed.value)
        .map_err(|_| seed.problem(format!("{} is negative; allowed: 0 or more", seed.value)))?;
    let text = |said: &Option<At<String>>| said.as_ref().map(|at| at.value.clone());
    let (name, description) = (text(&spec.name), text(&spec.description));
    let measures = measures(spec, &plan)?;
    Ok(Scenario { name, description, seed, measures, plan })
}

/// What is measured beside the usual.
fn measures(spec: &ScenarioSpec, plan: &Plan) -> Result<Vec<MeasureName>, Problem> {
    let is_filtering = |name: &&At<Word<MeasureName>>| name.value.0 == MeasureName::Reachable;
    match spec.measures.iter().find(is_filtering).filter(|_| !plan.stays_linked()) {
        Some(at) => Err(at.problem(
            "efficiency compares with a radio that loses nothing, and here stations leave their cells or links: what is lost is not the radio's alone",
        )),
        None => Ok(spec.measures.iter().map(|name| name.value.0).collect()),
    }
}
