//! From the tables of a file to the plan of a world: every value known, every name an index, or a [`Problem`].

mod apps;
mod association;
mod bounds;
mod cells;
mod channel;
mod clusters;
mod context;
mod course;
mod dsdv;
mod flows;
mod hearing;
mod lan;
mod links;
mod loss_rules;
mod mac;
mod markov;
mod medium;
mod members;
mod mobile_ip;
mod motion;
mod names;
mod phy;
mod playout;
mod policy;
mod proxies;
mod qos;
mod routing;
mod states;
mod stations;
mod tcp;
mod transport;
mod video;
mod web;
mod wimax;
mod wimax_services;

use crate::at::{At, Problem};
use crate::spec::ScenarioSpec;
use crate::word::Word;
pub use apps::transport_of;
use base::Span;
pub use context::Context;
pub use links::queue as queue_of;
pub use loss_rules::beyond_ns2;
pub use medium::usual_frequency;
use names::Nodes;
pub use names::glob;
pub use phy::{MODERN, Older, ladder};
pub use policy::table as policy_table;
use radio::HazardTables;
use record::MeasureName;
pub use stations::beside_dsss;
use std::sync::Arc;
pub use tcp::{Axes, axes, settled as settled_tcp};
pub use transport::tcp_config;
pub use web::over_tcp;
pub use wimax_services::usual_interval;
use world::Plan;

/// A checked scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its description, if it has one.
    pub description: Option<String>,
    /// The root of its random numbers, unless the user gives another.
    pub seed: u64,
    /// Its measures beside the usual ones.
    pub measures: Vec<MeasureName>,
    /// The plan of its world.
    pub plan: Arc<Plan>,
    /// The tables of bit errors that its runs share, also with runs of other scenarios where it has a clone of theirs.
    pub hazards: HazardTables,
}

/// Checks a scenario.
///
/// # Errors
/// All problems of parts that do not depend on each other, in the order of the text. Nodes come first, with the links and
/// cells that name them, and the content of flows; paths, roles and proxies are checked where all of these are right.
pub fn check(context: &Context<'_>) -> Result<Scenario, Vec<Problem>> {
    let spec = context.spec;
    let seed = context.keep(seed(spec));
    let plan = plan(context);
    let measures = plan.as_ref().and_then(|plan| context.keep(measures(spec, plan)));
    let text = |said: &Option<At<String>>| said.as_ref().map(|at| at.value.clone());
    let (name, description) = (text(&spec.name), text(&spec.description));
    match (seed, measures, plan) {
        (Some(seed), Some(measures), Some(plan)) if !context.is_wrong() => {
            let hazards = HazardTables::default();
            let plan = Arc::new(plan);
            Ok(Scenario { name, description, seed, measures, plan, hazards })
        }
        _ => Err(context.problems()),
    }
}

/// Returns the plan; `None` after a problem in a part on which the rest depends.
fn plan(context: &Context<'_>) -> Option<Plan> {
    let window = context.keep(window(context.spec));
    let mut nodes = Nodes::default();
    let links = links::links(context, &mut nodes);
    let mut cells = cells::cells(context, &mut nodes);
    let wimax = wimax::cells(context, &mut nodes, &cells);
    let lans = lan::lans(context, &mut nodes, &cells, &wimax);
    let drafts = flows::drafts(context, &nodes);
    medium::refuse_placeless(context);
    if !context.is_wrong() {
        context.keep(medium::place(context, &nodes, &mut cells));
    }
    let (duration, warmup) = window.filter(|_| !context.is_wrong())?;
    let association = context.keep(association::association(context, &cells)).flatten();
    let mut plan = Plan {
        duration,
        warmup,
        nodes: nodes.names(),
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
    plan.routing = context.keep(routing::routing(context, &nodes, &plan)).unwrap_or_default();
    plan.mobile_ip = context.keep(mobile_ip::mobile_ip(context, &nodes, &plan)).flatten();
    if context.is_wrong() {
        return None;
    }
    // A large network's links would keep the room that they grew into.
    plan.links.shrink_to_fit();
    let groups = flows::flows(drafts, context, &nodes, &mut plan);
    if context.is_wrong() {
        return None;
    }
    wimax_services::services(context, &groups, &mut plan);
    links::drop_lists(context, &groups, &mut plan);
    proxies::proxies(context, &nodes, &groups, &mut plan);
    plan.tell_headers();
    Some(plan)
}

/// Returns the duration and the warm-up.
fn window(spec: &ScenarioSpec) -> Result<(Span, Span), Problem> {
    let (duration, warmup) = (spec.duration.value.0, spec.warmup().value.0);
    if duration == Span::ZERO {
        return Err(spec.duration.out_of_range("a duration of zero; allowed: more than \"0 s\""));
    }
    match spec.warmup.as_ref().filter(|_| warmup >= duration) {
        None => Ok((duration, warmup)),
        Some(at) => Err(at.out_of_range(format!(
            "a warm-up of {} s leaves nothing of the {} s to measure; allowed: less than the duration",
            warmup.as_secs(),
            duration.as_secs()
        ))),
    }
}

fn seed(spec: &ScenarioSpec) -> Result<u64, Problem> {
    let seed = spec.seed();
    u64::try_from(seed.value)
        .map_err(|_| seed.out_of_range(format!("{} is negative; allowed: 0 or more", seed.value)))
}

/// Returns the measures beside the usual ones.
fn measures(spec: &ScenarioSpec, plan: &Plan) -> Result<Vec<MeasureName>, Problem> {
    let is_filtering = |name: &&At<Word<MeasureName>>| name.value.0 == MeasureName::Reachable;
    match spec.measures.iter().find(is_filtering).filter(|_| !plan.stays_linked()) {
        Some(at) => Err(at.problem(
            "efficiency compares with a radio that loses nothing, but here stations leave their cells or links, so not all losses are due to the radio",
        )),
        None => Ok(spec.measures.iter().map(|name| name.value.0).collect()),
    }
}
