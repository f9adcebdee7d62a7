//! The document as a tree: values, tables and lists of tables, each value with its origin.

use crate::at::At;
use crate::given::as_json;
use base::Given;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

/// A value of the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A value in JSON's types.
    Value(Json),
    /// A table.
    Table(Table),
    /// A list of tables.
    Tables(Vec<Table>),
}

/// The document that a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// The scenario or an override, at these bytes.
    Text(Range<usize>),
    /// A document of conventions, by name.
    Document(String),
    /// The default.
    Default,
    /// Other values.
    Others,
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The key.
    pub key: String,
    /// The value.
    pub node: Node,
    /// The origin of the value.
    pub origin: Origin,
    /// The hash of the content of the file that it names.
    pub content: Option<String>,
    /// The place of the key in the order of the format.
    place: Option<usize>,
}

/// A table, its keys in the order of the format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    rows: Vec<Row>,
    /// The keys of the format, in its order.
    order: Vec<&'static str>,
}

/// Keys of policies and their rules that no run reads.
const FOR_PEOPLE: [&str; 2] = ["about", "why"];

/// A part of a scenario that can be written back.
pub trait Write {
    /// Returns it in the one form in which every such value is written; `None` where nothing is given.
    fn write(&self) -> Option<Node>;

    /// Returns its place in the text; empty where that is not known.
    fn place(&self) -> Range<usize> {
        0..0
    }
}

/// Returns a part of a scenario as JSON.
pub fn json(of: &impl Write) -> Json {
    of.write().map(Node::into_json).unwrap_or_default()
}

impl Node {
    /// Puts the key with the kind of a table before its others.
    pub fn tagged(self, tag: &str, kind: &str) -> Node {
        let Node::Table(mut table) = self else { return self };
        let origin = Origin::Text(0..0);
        let tag = table.row(tag, Node::Value(kind.into()), origin);
        table.rows.insert(0, tag);
        Node::Table(table)
    }

    fn into_json(self) -> Json {
        match self {
            Node::Value(json) => json,
            Node::Table(table) => table.json(),
            Node::Tables(tables) => tables.into_iter().map(Table::json).collect(),
        }
    }

    /// Writes the value as JSON, with files by the hash of their content.
    fn content(&self, text: &mut String) {
        match self {
            Node::Value(json) => put(json, text),
            Node::Table(table) => table.content(&[], text),
            Node::Tables(tables) => {
                listed(['[', ']'], tables, text, |table, text| table.content(&[], text));
            }
        }
    }
}

impl Table {
    /// Returns an empty table of these keys.
    pub fn of(keys: Vec<&'static str>) -> Table {
        Table { rows: Vec::new(), order: keys }
    }

    /// Returns the keys in their order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Writes the value of a key, where one is given.
    pub fn put(&mut self, key: &str, value: &impl Write) {
        if let Some(node) = value.write() {
            self.set(key, node, Origin::Text(value.place()));
        }
    }

    /// Sets a key, in its place if it is there.
    pub fn set(&mut self, key: &str, node: Node, origin: Origin) {
        match self.rows.iter_mut().find(|row| row.key == key) {
            Some(row) => (row.node, row.origin) = (node, origin),
            None => {
                let row = self.row(key, node, origin);
                let before = |other: &Row| {
                    row.place.is_none() || other.place.is_none() || other.place < row.place
                };
                let at = self.rows.iter().rposition(before).map_or(0, |at| at + 1);
                self.rows.insert(at, row);
            }
        }
    }

    fn row(&self, key: &str, node: Node, origin: Origin) -> Row {
        let place = self.order.iter().position(|known| *known == key);
        Row { key: key.to_owned(), node, origin, content: None, place }
    }

    /// Sets a key that other values decide, where it is not given.
    pub fn complete(&mut self, key: &str, value: impl Into<Json>) {
        if self.get(key).is_none() {
            self.set(key, Node::Value(value.into()), Origin::Others);
        }
    }

    /// Sets a key that was given in another form.
    pub fn say(&mut self, key: &str, value: impl Into<Json>) {
        let origin = self.origin(key);
        self.set(key, Node::Value(value.into()), origin);
    }

    /// Sets the origin of all values in it.
    pub fn come_from(&mut self, origin: &Origin) {
        for row in &mut self.rows {
            row.origin = origin.clone();
            match &mut row.node {
                Node::Value(_) => {}
                Node::Table(table) => table.come_from(origin),
                Node::Tables(tables) => tables.iter_mut().for_each(|table| table.come_from(origin)),
            }
        }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.rows.iter().find(|row| row.key == key).map(|row| &row.node)
    }

    /// Returns true where a key has this value.
    pub fn has(&self, key: &str, value: impl Into<Json>) -> bool {
        self.get(key) == Some(&Node::Value(value.into()))
    }

    /// Returns true where the scenario gives the key.
    pub fn gives(&self, key: &str) -> bool {
        matches!(self.origin(key), Origin::Text(place) if !place.is_empty())
    }

    /// Returns the origin of a key; [`Origin::Others`] where the key is absent.
    pub fn origin(&self, key: &str) -> Origin {
        let row = self.rows.iter().find(|row| row.key == key);
        row.map_or(Origin::Others, |row| row.origin.clone())
    }

    /// Returns the table of a key, made of these keys where there is none.
    pub fn made(&mut self, key: &str, keys: Vec<&'static str>) -> &mut Table {
        if !matches!(self.get(key), Some(Node::Table(_))) {
            self.set(key, Node::Table(Table::of(keys)), Origin::Others);
        }
        self.table(key)
    }

    /// Returns the table of a key.
    pub fn table(&mut self, key: &str) -> &mut Table {
        if !matches!(self.get(key), Some(Node::Table(_))) {
            self.set(key, Node::Table(Table::default()), Origin::Others);
        }
        match self.rows.iter_mut().find(|row| row.key == key).map(|row| &mut row.node) {
            Some(Node::Table(table)) => table,
            _ => unreachable!("it was made a table"),
        }
    }

    /// Returns the tables of a list.
    pub fn tables(&mut self, key: &str) -> &mut [Table] {
        match self.rows.iter_mut().find(|row| row.key == key).map(|row| &mut row.node) {
            Some(Node::Tables(tables)) => tables,
            _ => &mut [],
        }
    }

    /// Removes a key that does not apply.
    pub fn remove(&mut self, key: &str) {
        self.rows.retain(|row| row.key != key);
    }

    /// Notes the content of the file that a key names.
    pub fn note(&mut self, key: &str, hash: Option<String>) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.key == key) {
            row.content = hash;
        }
    }

    fn json(self) -> Json {
        Json::Object(self.rows.into_iter().map(|row| (row.key, row.node.into_json())).collect())
    }

    /// Writes the values that a run reads as JSON, the keys in the order of the alphabet, with files by the hash of their
    /// content, `without` these keys.
    pub fn content(&self, without: &[&str], text: &mut String) {
        let is_left_out = |row: &&Row| {
            let key = row.key.as_str();
            FOR_PEOPLE.contains(&key) || without.contains(&key)
        };
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| !is_left_out(row)).collect();
        rows.sort_unstable_by_key(|row| row.key.as_str());
        listed(['{', '}'], &rows, text, |row, text| {
            put_text(&row.key, text);
            text.push(':');
            match &row.content {
                Some(hash) => put_text(hash, text),
                None => row.node.content(text),
            }
        });
    }
}

/// Writes a value as JSON.
fn put(json: &Json, text: &mut String) {
    match json {
        Json::String(said) => put_text(said, text),
        other => write!(text, "{other}").unwrap_or_default(), // a String takes all that is written
    }
}

/// Writes a text as JSON; most are words without anything to escape.
fn put_text(said: &str, text: &mut String) {
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    if said.bytes().all(is_plain) {
        text.extend(["\"", said, "\""]);
    } else {
        text.push_str(&Json::from(said).to_string());
    }
}

/// Writes a list between two brackets, as JSON has it.
fn listed<T>(brackets: [char; 2], all: &[T], text: &mut String, write: impl Fn(&T, &mut String)) {
    text.push(brackets[0]);
    for (number, each) in all.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        write(each, text);
    }
    text.push(brackets[1]);
}

impl<T: Write> Write for At<T> {
    fn write(&self) -> Option<Node> {
        self.value.write()
    }
    fn place(&self) -> Range<usize> {
        self.place.clone()
    }
}

impl<T: Write> Write for Option<T> {
    fn write(&self) -> Option<Node> {
        self.as_ref().and_then(Write::write)
    }
    fn place(&self) -> Range<usize> {
        self.as_ref().map_or(0..0, Write::place)
    }
}

/// Writes nothing for an empty list.
impl<T: Write> Write for Vec<T> {
    fn write(&self) -> Option<Node> {
        let nodes: Vec<Node> = self.iter().filter_map(Write::write).collect();
        let is_table = |node: &Node| matches!(node, Node::Table(_));
        if nodes.is_empty() {
            None
        } else if nodes.iter().all(is_table) {
            let tables = nodes.into_iter().filter_map(|node| match node {
                Node::Table(table) => Some(table),
                Node::Value(_) | Node::Tables(_) => None,
            });
            Some(Node::Tables(tables.collect()))
        } else {
            Some(Node::Value(nodes.into_iter().map(Node::into_json).collect()))
        }
    }
    fn place(&self) -> Range<usize> {
        self.first().map_or(0..0, Write::place)
    }
}

impl<T: Write> Write for BTreeMap<String, T> {
    fn write(&self) -> Option<Node> {
        let mut table = Table::default();
        self.iter().for_each(|(key, value)| table.put(key, value));
        (!self.is_empty()).then_some(Node::Table(table))
    }
}

impl Write for f64 {
    fn write(&self) -> Option<Node> {
        as_json(&Given::Number(*self)).map(Node::Value)
    }
}

macro_rules! plain {
    ($($type:ty),+) => {$(
        impl Write for $type {
            fn write(&self) -> Option<Node> {
                Some(Node::Value(self.clone().into()))
            }
        }
    )+};
}
plain!(String, bool, u32, u64, i64);
