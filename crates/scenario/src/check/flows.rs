//! Flows: stars become one flow for each match, paths are found, applications fit their transport.

use super::bounds::refuse_packet;
use super::context::Context;
use super::names::{Nodes, glob, refuse_name};
use super::transport::tcp;
use super::{apps, web};
use crate::at::{At, Problem, Reason};
use crate::code::Code;
use crate::spec::{AppSpec, FlowSpec, TransportName, UdpSpec};
use ::apps::AppConfig;
use base::{NodeId, Span, Time};
use net::{Hop, PathEnd, Topology, Trees};
use std::collections::BTreeSet;
use std::ops::Range;
use wifi::qos::Category;
use world::{BuildError, FlowPlan, Plan, TransportPlan};

/// More flows than this are a mistake of stars.
const MOST_FLOWS: usize = 100_000;

/// The flows that each `[[flow]]` made, by its name.
#[derive(Debug, Default)]
pub struct Groups(Vec<(String, Range<usize>)>);

impl Groups {
    /// Returns the flows of that name: one flow, or all that a `[[flow]]` of that name made.
    pub fn find(&self, name: &str, plan: &Plan) -> Option<Range<usize>> {
        let group = self.0.iter().find(|(group, _)| group == name).map(|(_, range)| range.clone());
        let one = || plan.flows.iter().position(|flow| flow.name == name).map(|i| i..i + 1);
        group.or_else(one)
    }
}

/// Reads each `[[flow]]`, before its path is looked for.
pub fn drafts(context: &Context<'_>, nodes: &Nodes) -> Vec<Draft> {
    let spec = context.spec;
    // The top-level table is checked even where every flow has its own.
    context.keep(tcp(spec.tcp.as_ref().map(|tcp| &tcp.value), context));
    if spec.flow.is_empty() {
        let message = "no [[flow]]: nothing would be sent; add at least one";
        context.refuse(Code::MissingKey.says(message).at(0..0));
    }
    let draft = |(i, flow)| draft(flow, i, context, nodes);
    spec.flow.iter().enumerate().filter_map(draft).collect()
}

/// A `[[flow]]` without a path.
pub struct Draft {
    name: String,
    app: AppConfig,
    transport: TransportPlan,
    start: Time,
    stop: Time,
    /// Sources and sinks.
    pairs: Vec<(NodeId, NodeId)>,
}

fn draft(
    flow: &At<FlowSpec>,
    number: usize,
    context: &Context<'_>,
    nodes: &Nodes,
) -> Option<Draft> {
    let name = flow.name.as_ref().map_or(format!("flow{}", number + 1), |at| at.value.clone());
    if let Some(at) = &flow.name {
        context.keep(refuse_name(at));
    }
    let content = context.keep(content(flow, context));
    let times = context.keep(times(flow, context.spec.duration.value.0));
    let pairs = nodes.are_all_here().then(|| pairs(flow, context, nodes)).flatten();
    let ((app, transport), (start, stop)) = (content?, times?);
    Some(Draft { name, app, transport, start, stop, pairs: pairs? })
}

/// Returns sources and sinks; a star matches any text.
fn pairs(flow: &FlowSpec, context: &Context<'_>, nodes: &Nodes) -> Option<Vec<(NodeId, NodeId)>> {
    let sources = context.keep(nodes.matching(&flow.from));
    let sinks = context.keep(nodes.matching(&flow.to));
    context.keep(crossed(flow, &sources?, &sinks?))
}

fn crossed(
    flow: &FlowSpec,
    sources: &[NodeId],
    sinks: &[NodeId],
) -> Result<Vec<(NodeId, NodeId)>, Problem> {
    if sources.len().saturating_mul(sinks.len()) > MOST_FLOWS {
        return Err(flow.from.out_of_range(format!("more than {MOST_FLOWS} flows")));
    }
    let pairs: Vec<(NodeId, NodeId)> = sources
        .iter()
        .flat_map(|&from| sinks.iter().map(move |&to| (from, to)))
        .filter(|(from, to)| from != to)
        .collect();
    if pairs.is_empty() {
        return Err(flow
            .to
            .problem(format!("a flow from \"{}\" to itself; name another node", flow.to.value)));
    }
    let count = flow.count.as_ref().map_or(1, |at| at.value as usize);
    match &flow.count {
        Some(at) if pairs.len().saturating_mul(count) > MOST_FLOWS => {
            Err(at.out_of_range(format!("more than {MOST_FLOWS} flows")))
        }
        _ => Ok(pairs.into_iter().flat_map(|pair| std::iter::repeat_n(pair, count)).collect()),
    }
}

/// Puts the flows into a plan whose nodes, links and cells are known, one draft for each `[[flow]]`.
pub fn flows(drafts: Vec<Draft>, context: &Context<'_>, nodes: &Nodes, plan: &mut Plan) -> Groups {
    let topology = plan.topology();
    let mut trees = Trees::default();
    let mut groups = Groups::default();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (flow, draft) in context.spec.flow.iter().zip(drafts) {
        let (name, first) = (draft.name.clone(), plan.flows.len());
        let Some(group) = context.keep(group(flow, draft, nodes)) else { continue };
        if first + group.len() > MOST_FLOWS {
            context.refuse(flow.out_of_range(format!("more than {MOST_FLOWS} flows")));
            break;
        }
        context.keep(group.iter().try_for_each(|one| refuse_taken(flow, &one.name, &mut taken)));
        context.keep(
            group
                .iter()
                .try_for_each(|one| refuse_path(flow, one, plan, (&topology, &mut trees), nodes)),
        );
        plan.flows.extend(group);
        groups.0.push((name, first..plan.flows.len()));
    }
    plan.flows.shrink_to_fit();
    groups
}

fn refuse_taken(
    flow: &At<FlowSpec>,
    name: &str,
    taken: &mut BTreeSet<String>,
) -> Result<(), Problem> {
    if taken.insert(name.to_owned()) {
        return Ok(());
    }
    let message = format!("a second flow \"{name}\"; give each flow its own name");
    Err(flow.name.as_ref().map_or(flow.problem(&*message), |at| at.problem(&*message)))
}

/// Returns the flows that one `[[flow]]` makes.
fn group(flow: &At<FlowSpec>, draft: Draft, nodes: &Nodes) -> Result<Vec<FlowPlan>, Problem> {
    let Draft { name, app, transport, start, stop, pairs } = draft;
    let via = flow.via.iter().map(|name| nodes.find(name)).collect::<Result<Vec<_>, _>>()?;
    let stars = flow.from.contains('*') || flow.to.contains('*');
    let several = glob(&name, "") || stars || flow.count.is_some();
    let spread = flow.start_spread().value.0;
    let dscp = flow.dscp().value.0;
    let category = flow.access_category.as_ref().map_or(Category::of_dscp(dscp), |at| at.value.0);
    let count = pairs.len() as u64;
    let plans = pairs.into_iter().zip(0_u64..).map(|((from, to), i)| FlowPlan {
        name: if several { format!("{name}-{}", i + 1) } else { name.clone() },
        from,
        to,
        via: via.clone(),
        transport: transport.clone(),
        app: app.clone(),
        start: start + Span((u128::from(spread.0) * u128::from(i) / u128::from(count)) as u64),
        stop,
        category,
        dscp,
    });
    Ok(plans.collect())
}

fn times(flow: &FlowSpec, duration: Span) -> Result<(Time, Time), Problem> {
    let at = flow.start();
    let start = at.value.0;
    // A duration of zero is a mistake of its own.
    if start >= duration && duration > Span::ZERO {
        return Err(at.out_of_range("the flow begins after the end; allowed: before the duration"));
    }
    let Some(at) = &flow.stop else { return Ok((Time::ZERO + start, Time::NEVER)) };
    if at.value.0 <= start {
        return Err(at.out_of_range("the flow stops before it begins; allowed: after its start"));
    }
    Ok((Time::ZERO + start, Time::ZERO + at.value.0))
}

/// Returns the application and the transport of a flow.
fn content(flow: &FlowSpec, context: &Context<'_>) -> Result<(AppConfig, TransportPlan), Problem> {
    let default = AppSpec::default();
    let app = flow.app.as_ref().map_or(&default, |app| &app.value);
    let fits = apps::transport_of(app.kind());
    if let Some(wanted) = flow.transport.as_ref().filter(|wanted| wanted.value.0 != fits) {
        let place = flow.app.as_ref().map_or(&wanted.place, |at| &at.place);
        let message = apps::wrong_transport(wanted.value.0);
        return Err(Reason::from(message).at(place.clone()));
    }
    if fits == TransportName::Tcp {
        let transport = tcp(flow.tcp.as_ref().map(|tcp| &tcp.value), context)?;
        let TransportPlan::Tcp { config, .. } = &transport else { unreachable!("TCP's plan") };
        let app = web::over_tcp(app, config.mss, context)?;
        return Ok((app, transport));
    }
    let plain = UdpSpec::default();
    let udp = flow.udp.as_ref().map_or(&plain, |udp| &udp.value);
    let settled = context.overlays.settled(&udp.settings);
    let header_bytes = settled.value.header_bytes;
    let place = flow.app.as_ref().map(|at| &at.place);
    let config = apps::datagrams(app, place, header_bytes, context)?;
    // Shipped documents are correct, and the application has refused the rest.
    if let Some(at) = settled.at(&["header"]) {
        refuse_packet(at, apps::largest_payload(&config), header_bytes)?;
    }
    Ok((config, TransportPlan::Udp { header_bytes }))
}

/// Refuses a flow without a path, and a saturated source that is no 802.11 station.
fn refuse_path(
    flow: &At<FlowSpec>,
    plan_of_flow: &FlowPlan,
    plan: &Plan,
    (topology, trees): (&Topology, &mut Trees),
    nodes: &Nodes,
) -> Result<(), Problem> {
    let (from, to) = (nodes.name(plan_of_flow.from), nodes.name(plan_of_flow.to));
    match plan.paths((topology, trees), plan_of_flow) {
        Err(BuildError::Unreachable { back, .. }) => {
            let (a, b) = if back { (to, from) } else { (from, to) };
            let start = if back { plan_of_flow.to } else { plan_of_flow.from };
            let end = if back { plan_of_flow.from } else { plan_of_flow.to };
            let why = if back { " for the acknowledgements" } else { "" };
            let message = format!(
                "no path from \"{a}\" to \"{b}\"{why}; {}",
                missing_way((start, end), plan, nodes, topology)
            );
            Err(if plan_of_flow.via.is_empty() {
                flow.to.problem(message)
            } else {
                flow.problem(message)
            })
        }
        Ok((forward, _)) => match (&plan_of_flow.app, forward.first()) {
            (AppConfig::Saturated { .. }, first) if !plan.can_saturate(first) => {
                let what = if let Some(Hop::Air { .. }) = first { "in 802.16" } else { "a wire" };
                let message = format!(
                    "a saturated source keeps a station of 802.11 or of a LAN busy, but the first hop from \"{from}\" is {what}; \
                     allowed here: \"cbr\""
                );
                let at = flow.app.as_ref();
                Err(at.map_or(flow.problem(&*message), |at| at.problem(&*message)))
            }
            _ => Ok(()),
        },
        // A path does not depend on the law.
        Err(BuildError::NoLaw { .. }) => Ok(()),
    }
}

/// Returns the reason why there is no path, for a message.
fn missing_way(
    (from, to): (NodeId, NodeId),
    plan: &Plan,
    nodes: &Nodes,
    topology: &Topology,
) -> String {
    let names = nodes.names();
    let ttl = plan.routing.ttl;
    let path = topology.path(from, to, names.len());
    match path.end {
        PathEnd::There if path.hops.len() > usize::from(ttl) => {
            format!("it has {} hops; allowed: up to routing.ttl, which is {ttl}", path.hops.len())
        }
        PathEnd::Cut => "the next hops of [[route]] lead in a circle".to_owned(),
        PathEnd::There | PathEnd::NoWay => {
            let reach = reachable(from, &names, topology);
            let from = nodes.name(from);
            format!("a link or a cell must join them (\"{from}\" reaches: {reach})")
        }
    }
}

/// Lists the nodes that can be reached from here, for a message.
fn reachable(from: NodeId, names: &[String], topology: &Topology) -> String {
    let all = (0..names.len()).map(|i| NodeId(i as u32)).filter(|&to| to != from);
    let found: Vec<&str> = all
        .filter(|&to| topology.path(from, to, names.len()).is_complete())
        .map(|to| names[to.index()].as_str())
        .take(MOST_REACHED + 1)
        .collect();
    match found.get(..MOST_REACHED) {
        None if found.is_empty() => "nothing".to_owned(),
        Some(some) if found.len() > MOST_REACHED => format!("{} and others", some.join(", ")),
        _ => found.join(", "),
    }
}

/// The most reached nodes that a message names.
const MOST_REACHED: usize = 8;
