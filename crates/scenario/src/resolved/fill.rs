//! What a scenario leaves out, put in: settings by the documents under it, queues, names, and what other keys decide.

use super::node::{Node, Origin, Table, Write};
use super::{cells, flows, hash_of};
use crate::at::At;
use crate::check::{Context, queue_of};
use crate::overlays::Documented;
use crate::settings::{Set, as_json};
use crate::spec::{AUTO, LimitSpec, MobilitySpec, QueueSpec, ScenarioSpec};
use crate::value::Value;
use crate::word::Word;
use net::{QueueConfig, QueueCounts, QueueLimit};
use serde_json::Value as Json;
use world::Plan;

/// Tables at the top of a scenario that are defaults of others, in which the document has them.
const HANDED_DOWN: [&str; 7] = ["queue", "phy", "mac", "channel", "fec", "tcp", "udp"];

/// Returns the document of a scenario and its plan.
pub fn document(spec: &ScenarioSpec, plan: &Plan, context: &Context<'_>) -> Table {
    let Some(Node::Table(mut root)) = spec.write() else { return Table::default() };
    HANDED_DOWN.iter().for_each(|key| root.remove(key));
    for (table, link) in root.tables("link").iter_mut().zip(&spec.link) {
        queue(table, "queue", link.queue.as_ref(), context);
        given_queue(table, "reverse_queue", link.reverse_queue.as_ref(), context);
    }
    cells::fill(&mut root, spec, plan, context);
    for (table, node) in root.tables("node").iter_mut().zip(&spec.node) {
        given_queue(table, "queue", node.queue.as_ref(), context);
        if let Some(MobilitySpec::Trace(trace)) = node.mobility.as_ref().map(|at| &at.value) {
            table.table("mobility").note("file", hash_of(context.files, &trace.file));
        }
    }
    flows::fill(&mut root, spec, context);
    conventions(&mut root, spec, context);
    root
}

/// The document has all that conventions say in keys, but for what no key of a scenario can say: the parameters of the
/// connection that carries the state of a split, those of each variant of a policy, which has a stack of its own, and a
/// medium that senses less than it decodes. There the name of the conventions stays.
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

/// True where conventions let stations sense less than they decode.
pub fn senses_less(context: &Context<'_>) -> bool {
    let medium = context.spec.medium.as_ref();
    let settings = medium.map(|at| context.overlays.settled(&at.settings).value);
    settings.is_some_and(|settings| settings.sense_w.is_some_and(|w| w > settings.received_w()))
}

/// Writes settings that hold, each key of them, and returns them.
pub fn settle<S: Documented>(table: &mut Table, own: &Set<S>, context: &Context<'_>) -> S {
    let settled = context.overlays.settled(own);
    let preset = settled.value.preset();
    for (key, given) in settled.value.given() {
        let Some(json) = as_json(&given) else { continue };
        let origin = match (own.at(key), context.overlays.source::<S>(preset, key)) {
            (Some(at), _) => Origin::Text(at.place.clone()),
            (None, Some(name)) => Origin::Document(name),
            (None, None) => Origin::Default,
        };
        table.set(key, Node::Value(json), origin);
    }
    settled.value
}

/// Writes the queue that a key gives, or the top-level one.
pub fn queue(table: &mut Table, key: &str, own: Option<&At<QueueSpec>>, context: &Context<'_>) {
    let Ok(config) = queue_of(own, context) else { return };
    let origin = match own.or(context.spec.queue.as_ref()) {
        Some(at) => Origin::Text(at.place.clone()),
        None => Origin::Default,
    };
    table.set(key, Node::Value(queue_written(&config)), origin);
}

/// Returns a queue as a scenario gives it, with all its parameters.
pub fn queue_written(config: &QueueConfig) -> Json {
    let limit = match config.limit {
        QueueLimit::Packets(packets) => {
            LimitSpec::Packets(packets, Some(Word(QueueCounts::Waiting)))
        }
        QueueLimit::PacketsWithService(packets) => {
            LimitSpec::Packets(packets, Some(Word(QueueCounts::WithService)))
        }
        QueueLimit::Bytes(bytes) => LimitSpec::Bytes(bytes),
        QueueLimit::Unlimited => LimitSpec::Unlimited,
    };
    let parameters = config.discipline.parameters();
    let value = |of: &base::Parameter| (of.name, config.options.get(of.name).unwrap_or(of.default));
    let spec = QueueSpec {
        limit: Some(limit),
        discipline: config.discipline,
        parameters: parameters.map(value).collect(),
    };
    spec.written()
}

/// The same, where the key gives one.
pub fn given_queue(
    table: &mut Table,
    key: &str,
    own: Option<&At<QueueSpec>>,
    context: &Context<'_>,
) {
    if own.is_some() {
        queue(table, key, own, context);
    }
}
