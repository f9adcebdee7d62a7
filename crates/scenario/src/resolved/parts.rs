//! Parts of several tables: settings by the documents under a scenario, queues, and files by their content.

use super::node::{Node, Origin, Table};
use crate::at::At;
use crate::check::{Context, queue_of};
use crate::files::Files;
use crate::given::as_json;
use crate::overlays::Documented;
use crate::settings::Set;
use crate::spec::{LimitSpec, QueueSpec};
use crate::value::Value;
use crate::word::Word;
use net::{QueueConfig, QueueCounts, QueueLimit};
use serde_json::Value as Json;

/// Returns the hash of a file's content, 32 hexadecimal digits.
pub fn hash_of(files: &Files, name: &str) -> Option<String> {
    files.text(name).ok().map(crate::identity::hash)
}

/// Returns true where conventions let stations sense less than they decode.
pub fn senses_less(context: &Context<'_>) -> bool {
    let medium = context.spec.medium.as_ref();
    let settings = medium.map(|at| context.overlays.settled(&at.settings).value);
    settings.is_some_and(|settings| settings.sense_w.is_some_and(|w| w > settings.received_w()))
}

/// Writes each key of the settings in force, and returns them.
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

/// Writes a queue in the same way, where the key gives one.
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
