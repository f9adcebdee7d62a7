//! Wired links and queues.

use super::context::Context;
use super::course::{BACK, Before, course, jitter};
use super::flows::Groups;
use super::names::Nodes;
use super::states::sojourn;
use crate::at::{At, Problem, Reason};
use crate::code::Code;
use crate::nearest::unknown;
use crate::settings::Set;
use crate::spec::{
    BurstSpec, DirectionName, DropSpec, LimitSpec, LinkSpec, LossDirection, QueueSpec,
};
use base::{NodeId, Options};
use net::{BurstConfig, QueueConfig, QueueCounts, QueueLimit, QueueRules};
use std::collections::BTreeSet;
use std::sync::Arc;
use world::{LinkPlan, Plan};

/// Returns the queue of an interface: its own, the top level's, or 50 packets.
pub fn queue(own: Option<&At<QueueSpec>>, context: &Context<'_>) -> Result<QueueConfig, Problem> {
    let queue = own.cloned().unwrap_or_else(|| context.spec.queue());
    let rules: QueueRules = context.overlays.settled(&Set::default()).value;
    config(&queue, rules).map_err(|message| queue.problem(message))
}

/// Returns the queue of an interface to a shared medium.
pub fn shared_queue(
    own: Option<&At<QueueSpec>>,
    context: &Context<'_>,
) -> Result<QueueConfig, Problem> {
    let config = queue(own, context)?;
    match config.options.get("bandwidth") {
        None => Ok(config),
        Some(_) => {
            let spec = own.cloned().unwrap_or_else(|| context.spec.queue());
            Err(spec.out_of_range(NO_SHAPER))
        }
    }
}

const NO_SHAPER: &str = "bandwidth: a shaper stands before a wired link ([[link]]) only; allowed: a queue without bandwidth, which sends as fast as the medium lets it";

/// Packets that a queue holds where neither the scenario nor its discipline gives a limit.
const USUAL: u32 = 50;

fn config(queue: &QueueSpec, rules: QueueRules) -> Result<QueueConfig, Reason> {
    let usual = LimitSpec::Packets(queue.discipline.row().limit.unwrap_or(USUAL), None);
    let limit = limit(queue.limit.as_ref().unwrap_or(&usual), rules)?;
    let options = Options::of(&queue.parameters);
    queue.discipline.check(&options).map_err(|why| Code::OutOfRange.says(why))?;
    Ok(QueueConfig { discipline: queue.discipline, options, ..limit.into() })
}

fn limit(limit: &LimitSpec, rules: QueueRules) -> Result<QueueLimit, Reason> {
    match *limit {
        LimitSpec::Unlimited => Ok(QueueLimit::Unlimited),
        LimitSpec::Bytes(bytes) => Ok(QueueLimit::Bytes(bytes)),
        LimitSpec::Packets(packets, counts) => match counts.map_or(rules.counts, |word| word.0) {
            QueueCounts::Waiting => Ok(QueueLimit::Packets(packets)),
            QueueCounts::WithService if packets == 0 => {
                let message =
                    "a queue of no packets, the one being sent included; allowed: 1 or more";
                Err(Code::OutOfRange.says(message))
            }
            QueueCounts::WithService => Ok(QueueLimit::PacketsWithService(packets)),
        },
    }
}

/// Queues of links: those with the same settings are one.
#[derive(Default)]
struct Queues {
    /// The queue of links that have none of their own.
    usual: Option<Arc<QueueConfig>>,
    /// The last of all others.
    last: Option<Arc<QueueConfig>>,
}

impl Queues {
    fn get(
        &mut self,
        own: Option<&At<QueueSpec>>,
        context: &Context<'_>,
    ) -> Result<Arc<QueueConfig>, Problem> {
        if let (None, Some(usual)) = (own, &self.usual) {
            return Ok(usual.clone());
        }
        let found = queue(own, context)?;
        let kept = if own.is_none() { &mut self.usual } else { &mut self.last };
        let shared = kept.take().filter(|last| **last == found).unwrap_or_else(|| Arc::new(found));
        Ok(kept.insert(shared).clone())
    }
}

/// Returns all one-way links, two for each duplex link.
pub fn links(context: &Context<'_>, nodes: &mut Nodes) -> Vec<LinkPlan> {
    let mut plans: Vec<LinkPlan> = Vec::new();
    let mut joined = BTreeSet::new();
    let mut queues = Queues::default();
    for link in &context.spec.link {
        let Some(ends) = context.keep(ends(link, nodes)) else {
            nodes.lack_some();
            continue;
        };
        if joined.contains(&ends) {
            let (from, to) = (nodes.name(ends.0), nodes.name(ends.1));
            let message = format!("a second link \"{from}>{to}\"; two nodes have one link");
            context.refuse(link.ends.problem(message));
        }
        joined.insert(ends);
        if !link.one_way().value {
            joined.insert((ends.1, ends.0));
        }
        let ways = both_ways(link, ends, context, &mut queues);
        plans.extend(context.keep(ways).into_iter().flatten());
    }
    plans
}

fn both_ways(
    link: &At<LinkSpec>,
    ends: (NodeId, NodeId),
    context: &Context<'_>,
    queues: &mut Queues,
) -> Result<impl Iterator<Item = LinkPlan>, Problem> {
    let forward = way(link, ends, context, queues)?;
    let reverse = way_back(link, &forward, context, queues)?;
    Ok(std::iter::once(forward).chain(reverse))
}

fn ends(link: &LinkSpec, nodes: &mut Nodes) -> Result<(NodeId, NodeId), Problem> {
    let [a, b] = link.ends.value.as_slice() else {
        let found = link.ends.len();
        return Err(link.ends.problem(format!("{found} ends; a link has two: [\"a\", \"b\"]")));
    };
    if a.value == b.value {
        return Err(b.problem(format!("a link from \"{}\" to itself; name two nodes", a.value)));
    }
    Ok((nodes.make_at(a)?, nodes.make_at(b)?))
}

fn way(
    link: &At<LinkSpec>,
    (from, to): (NodeId, NodeId),
    context: &Context<'_>,
    queues: &mut Queues,
) -> Result<LinkPlan, Problem> {
    let loses = link.loss_direction().value.0 != LossDirection::Reverse;
    let bursts = link.bursts.as_ref().map(|table| bursts(&table.value)).transpose()?;
    let loss = link.loss.as_ref().filter(|_| loses).map_or(0.0, |loss| loss.value.0);
    let delay = link.delay().value.0;
    let before = Before { rate: link.rate.as_ref().map(|rate| rate.value.0), delay, loss };
    let (course, rate) = course(link, DirectionName::Forward, before, context)?;
    Ok(LinkPlan {
        from,
        to,
        rate,
        delay,
        queue: queues.get(link.queue.as_ref(), context)?,
        loss,
        loss_place: link.loss_at().value.0,
        bursts: bursts.filter(|_| loses).map(Box::new),
        drop_lists: vec![],
        course: course.map(Box::new),
        jitter: jitter(link)?.map(Box::new),
    })
}

pub(super) fn bursts(table: &BurstSpec) -> Result<BurstConfig, Problem> {
    let means = [sojourn(&table.mean_good)?, sojourn(&table.mean_bad)?];
    let loss = [table.loss_good().value.0, table.loss_bad().value.0];
    let bit_errors = [table.ber_good().value.0, table.ber_bad().value.0];
    Ok(BurstConfig { means, loss, bit_errors })
}

/// Returns the reverse direction, or `None` of a one-way link.
fn way_back(
    link: &At<LinkSpec>,
    forward: &LinkPlan,
    context: &Context<'_>,
    queues: &mut Queues,
) -> Result<Option<LinkPlan>, Problem> {
    let reverse_keys = [
        link.reverse_rate.as_ref().map(|at| at.problem(BACK)),
        link.reverse_delay.as_ref().map(|at| at.problem(BACK)),
        link.reverse_queue.as_ref().map(|at| at.problem(BACK)),
        link.reverse_loss.as_ref().map(|at| at.problem(BACK)),
        link.reverse_trace.as_ref().map(|at| at.problem(BACK)),
    ];
    if link.one_way().value {
        return match reverse_keys.into_iter().flatten().next() {
            Some(problem) => Err(problem),
            None => Ok(None),
        };
    }
    let loses = link.loss_direction().value.0 != LossDirection::Forward;
    let loss = link.loss.as_ref().filter(|_| loses);
    let queue_spec = link.reverse_queue.as_ref().or(link.queue.as_ref());
    let bursts = link.bursts.as_ref().map(|table| bursts(&table.value)).transpose()?;
    let loss = link.reverse_loss.as_ref().or(loss).map_or(0.0, |loss| loss.value.0);
    let delay = link.reverse_delay.as_ref().map_or(forward.delay, |delay| delay.value.0);
    let rate = link.reverse_rate.as_ref().or(link.rate.as_ref()).map(|rate| rate.value.0);
    let before = Before { rate, delay, loss };
    let (course, rate) = course(link, DirectionName::Reverse, before, context)?;
    Ok(Some(LinkPlan {
        from: forward.to,
        to: forward.from,
        rate,
        delay,
        queue: queues.get(queue_spec, context)?,
        loss,
        course: course.map(Box::new),
        bursts: bursts.filter(|_| loses).map(Box::new),
        ..forward.clone()
    }))
}

/// Puts the drop lists, which name flows, on their links.
pub fn drop_lists(context: &Context<'_>, groups: &Groups, plan: &mut Plan) {
    let mut place = 0;
    for link in &context.spec.link {
        let one_way = link.one_way().value;
        for list in &link.drop {
            context.keep(drop_list(list, place, one_way, groups, plan));
        }
        place += if one_way { 1 } else { 2 };
    }
}

/// Puts one list on the link whose directions begin at `place`.
fn drop_list(
    list: &At<DropSpec>,
    place: usize,
    one_way: bool,
    groups: &Groups,
    plan: &mut Plan,
) -> Result<(), Problem> {
    let reverse = list.direction().value.0 == DirectionName::Reverse;
    if reverse && one_way {
        return Err(list.problem(BACK));
    }
    let flows = groups.find(&list.flow, plan).ok_or_else(|| {
        let known: Vec<&str> = plan.flows.iter().map(|flow| flow.name.as_str()).collect();
        list.flow.problem(unknown("flow", &list.flow, &known))
    })?;
    let ordinals = list.packets.value.clone();
    let target = &mut plan.links[place + usize::from(reverse)];
    target.drop_lists.extend(flows.map(|flow| (flow, ordinals.clone())));
    Ok(())
}
