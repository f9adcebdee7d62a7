//! The document as TOML, a comment behind each value.

use super::node::{Node, Origin, Row, Table};
use crate::error::Sources;
use serde_json::Value as Json;
use std::fmt::Write as _;

/// Returns the text of a document, whose values come from these sources.
pub fn written(document: &Table, sources: &Sources<'_>) -> String {
    let mut text = String::new();
    table(document, sources, "", &mut text);
    text
}

/// Writes the values of a table, then the tables in it, each under its own heading.
fn table(of: &Table, sources: &Sources<'_>, path: &str, text: &mut String) {
    for row in of.rows() {
        if let Node::Value(value) = &row.node {
            line(row, value, sources, text);
        }
    }
    for row in of.rows() {
        let path =
            if path.is_empty() { key(&row.key) } else { format!("{path}.{}", key(&row.key)) };
        match &row.node {
            Node::Value(_) => {}
            Node::Table(inner) => {
                let _ = write!(text, "\n[{path}]\n");
                table(inner, sources, &path, text);
            }
            Node::Tables(list) => {
                for inner in list {
                    let _ = write!(text, "\n[[{path}]]\n");
                    table(inner, sources, &path, text);
                }
            }
        }
    }
}

fn line(row: &Row, value: &Json, sources: &Sources<'_>, text: &mut String) {
    let from = match &row.origin {
        Origin::Text(place) if place.is_empty() => String::new(),
        Origin::Text(place) => sources.short(place),
        Origin::Document(name) => name.clone(),
        Origin::Default => "default".to_owned(),
        Origin::Others => "follows from other values".to_owned(),
    };
    let content = row.content.as_ref().map(|hash| format!("content {hash}"));
    let said: Vec<String> =
        [from].into_iter().chain(content).filter(|part| !part.is_empty()).collect();
    let _ = write!(text, "{} = {}", key(&row.key), toml(value));
    if !said.is_empty() {
        let _ = write!(text, "  # {}", said.join(", ").replace(char::is_control, " "));
    }
    text.push('\n');
}

/// Returns a key, in quotes where it needs them.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match !name.is_empty() && name.chars().all(is_bare) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

fn toml(value: &Json) -> String {
    match value {
        Json::Null => "\"\"".to_owned(),
        Json::Bool(flag) => flag.to_string(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => quoted(text),
        Json::Array(list) => {
            format!("[{}]", list.iter().map(toml).collect::<Vec<_>>().join(", "))
        }
        Json::Object(keys) => {
            let rows = keys.iter().map(|(name, value)| format!("{} = {}", key(name), toml(value)));
            format!("{{ {} }}", rows.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns a text in quotes: TOML's basic strings have JSON's escapes, and DEL beside them.
fn quoted(text: &str) -> String {
    Json::from(text).to_string().replace('\u{7f}', "\\u007f")
}
