//! The document of a scenario, with the values that the scenario leaves out.

use super::node::{Node, Table, Write};
use super::parts::{given_queue, hash_of, queue, senses_less};
use super::{cells, flows};
use crate::check::Context;
use crate::spec::{AUTO, LinkSpec, MobilitySpec, ScenarioSpec};
use crate::value::Value;
use serde_json::Value as Json;
use world::Plan;

/// Tables at the top of a scenario that are defaults of others, in which the document has them.
const HANDED_DOWN: [&str; 8] = ["queue", "phy", "mac", "qos", "channel", "fec", "tcp", "udp"];

/// Returns the document of a scenario and its plan.
pub fn document(spec: &ScenarioSpec, plan: &Plan, context: &Context<'_>) -> Table {
    let Some(Node::Table(mut root)) = spec.write() else { return Table::default() };
    HANDED_DOWN.iter().for_each(|key| root.remove(key));
    for (table, link) in root.tables("link").iter_mut().zip(&spec.link) {
        queue(table, "queue", link.queue.as_ref(), context);
        given_queue(table, "reverse_queue", link.reverse_queue.as_ref(), context);
        for (key, trace) in [("trace", &link.trace), ("reverse_trace", &link.reverse_trace)] {
            if let Some(file) = trace {
                table.note(key, hash_of(context.files, file));
            }
        }
        without_effect(table, link);
    }
    cells::fill(&mut root, spec, plan, context);
    for (table, node) in root.tables("node").iter_mut().zip(&spec.node) {
        given_queue(table, "queue", node.queue.as_ref(), context);
        if let Some(MobilitySpec::Trace(trace)) = node.mobility.as_ref().map(|at| &at.value) {
            table.table("mobility").note("file", hash_of(context.files, &trace.file));
        }
    }
    flows::fill(&mut root, spec, plan, context);
    conventions(&mut root, spec, context);
    root
}

/// Removes keys that have no effect on a link.
fn without_effect(table: &mut Table, link: &LinkSpec) {
    if link.trace.is_none() && link.reverse_trace.is_none() {
        table.remove("trace_format");
    }
    if link.jitter.is_none() {
        table.remove("jitter_law");
        if !link.overtaking().value {
            table.remove("overtaking");
        }
    }
}

/// Writes the name of the conventions where no key of a scenario can express all of them: the parameters of the
/// connection that carries the state of a split, those of each variant of a policy, which has a stack of its own, and a
/// medium that senses less than it decodes. All other values of conventions are keys of the document.
fn conventions(root: &mut Table, spec: &ScenarioSpec, context: &Context<'_>) {
    let carries = |table: &Table| match table.get("at") {
        Some(Node::Value(Json::Array(nodes))) => table.has("kind", "split") && nodes.len() > 1,
        _ => false,
    };
    let carries = root.tables("proxy").iter().any(carries);
    let picks = |table: &Table| match table.get("tcp") {
        Some(Node::Table(tcp)) => tcp.has("variant", AUTO.0),
        _ => false,
    };
    let picks = ["flow", "proxy"].iter().any(|list| root.tables(list).iter().any(picks));
    let named = spec.conventions();
    if !(picks || carries || senses_less(context))
        || named.value.written() == serde_json::json!(["standard"])
    {
        root.remove("conventions");
        return;
    }
    let hashes: Vec<String> =
        named.value.files().filter_map(|name| hash_of(context.files, name)).collect();
    if !hashes.is_empty() {
        let all = format!("{} {}", named.value.written(), hashes.join(" "));
        root.note("conventions", Some(crate::identity::hash(&all)));
    }
}
