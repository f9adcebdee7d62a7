//! Paths through a result, as one tree: what they share is walked once.

/// Parses steps of a path (RFC 9535 section 2.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// The value of a key.
    Key(String),
    /// An element, by its place.
    Place(usize),
    /// All elements, or those in which this key is not null.
    All(Option<String>),
}

/// A place on a path.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Its step, and the place there.
    pub next: Vec<(Selector, usize)>,
    /// The paths that end here, by number.
    pub ends: Vec<usize>,
}

/// The tree of `paths`, from its root on.
pub fn tree(paths: Vec<Vec<Selector>>) -> Vec<Node> {
    let mut nodes = vec![Node::default()];
    for (number, path) in paths.into_iter().enumerate() {
        let mut at = 0;
        for selector in path {
            let known = nodes[at].next.iter().find(|(other, _)| *other == selector);
            at = match known {
                Some(&(_, next)) => next,
                None => {
                    nodes.push(Node::default());
                    let next = nodes.len() - 1;
                    nodes[at].next.push((selector, next));
                    next
                }
            };
        }
        nodes[at].ends.push(number);
    }
    nodes
}
