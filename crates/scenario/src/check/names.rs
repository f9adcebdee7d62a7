//! Names of nodes and their indices.

use crate::at::{At, Problem};
use crate::code::Code;
use crate::nearest::{listed, unknown};
use base::NodeId;
use std::collections::BTreeMap;

/// The nodes in the order in which they were first named.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    names: Vec<String>,
    ids: BTreeMap<String, NodeId>,
    /// True after a link or a cell whose nodes could not be read.
    are_lacking: bool,
}

impl Nodes {
    /// Returns the node of that name, and makes it if there was none.
    pub fn make(&mut self, name: &str) -> NodeId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = NodeId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// Does the same for a name that a file gives.
    pub fn make_at(&mut self, name: &At<String>) -> Result<NodeId, Problem> {
        refuse_name(name)?;
        Ok(self.make(name))
    }

    /// Notes that the nodes of a link or a cell could not be read, so that an unknown name may be one of these.
    pub fn lack_some(&mut self) {
        self.are_lacking = true;
    }

    /// Returns true where the nodes of every link and cell could be read.
    pub fn are_all_here(&self) -> bool {
        !self.are_lacking
    }

    /// Returns true where there is a node of that name.
    pub fn has(&self, name: &str) -> bool {
        self.ids.contains_key(name)
    }

    /// Returns the node of that name.
    pub fn find(&self, name: &At<String>) -> Result<NodeId, Problem> {
        let found = self.ids.get(name.as_str()).copied();
        found.ok_or_else(|| name.problem(unknown("node", name, &self.known())))
    }

    /// Returns the nodes that match a pattern with stars, in the order in which they were made; without a star one node.
    pub fn matching(&self, pattern: &At<String>) -> Result<Vec<NodeId>, Problem> {
        if !pattern.contains('*') {
            return Ok(vec![self.find(pattern)?]);
        }
        let found: Vec<NodeId> = (0..self.names.len())
            .filter(|&i| glob(pattern, &self.names[i]))
            .map(|i| NodeId(i as u32))
            .collect();
        if found.is_empty() {
            let known = listed(&self.known());
            let message = format!("no node matches \"{}\"; there are: {known}", **pattern);
            return Err(pattern.problem(Code::UnknownName.says(message)));
        }
        Ok(found)
    }

    /// Returns the name of a node.
    pub fn name(&self, id: NodeId) -> &str {
        &self.names[id.index()]
    }

    fn known(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// Returns all names, by id.
    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }
}

/// Refuses names that patterns, results or `--set` could not tell apart.
pub fn refuse_name(name: &At<String>) -> Result<(), Problem> {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '*' | '>' | '/');
    if name.is_empty() {
        return Err(name.problem("an empty name"));
    }
    match name.chars().find(|&c| is_bad(c)) {
        None => Ok(()),
        Some(c) => {
            let message = format!("{c:?} in a name; allowed: all characters but spaces and * > /");
            Err(name.out_of_range(message))
        }
    }
}

/// Returns true where `name` is `pattern` with each star replaced by some text.
pub fn glob(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let head = parts.next().unwrap_or_default();
    let Some(tail) = parts.next_back() else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(head) else { return false };
    // The earliest place of each part leaves the most room for those behind it.
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(glob("sta*", "sta12"));
        assert!(glob("sta*", "sta"));
        assert!(glob("*", "x"));
        assert!(glob("a*c*e", "abcde"));
        assert!(!glob("sta*", "ap"));
        assert!(!glob("a*c", "ab"));
        assert!(!glob("ab*ba", "aba"));
        assert!(glob("a*b*b", "abb"));
        // Many stars cost no more than the name is long.
        assert!(!glob(&("*a".repeat(40) + "*b"), &"a".repeat(1000)));
    }
}
