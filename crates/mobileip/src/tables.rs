//! Tables of agents. Rows expire by themselves: each has its time.

use base::{NodeId, Time};

/// A home agent's knowledge of a mobile node that is away (RFC 5944 section 3.8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub mobile: NodeId,
    pub care_of: NodeId,
    pub until: Time,
}

/// A foreign agent's knowledge of a mobile node (RFC 5944 section 3.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visitor {
    pub mobile: NodeId,
    pub until: Time,
}

/// Requests on their way to the home agent (RFC 5944 section 3.7.1), up to the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    pub mobile: NodeId,
    pub identification: u64,
    pub until: Time,
}

/// A table with a row for each mobile node.
#[derive(Clone, Debug)]
pub struct Table<Row> {
    rows: Vec<Row>,
}

impl<Row> Default for Table<Row> {
    fn default() -> Table<Row> {
        Table { rows: Vec::new() }
    }
}

/// Requirements of a table on its rows.
pub trait Keyed: Copy {
    fn mobile(&self) -> NodeId;
    fn until(&self) -> Time;
}

macro_rules! keyed {
    ($($row:ty),*) => {
        $(impl Keyed for $row {
            fn mobile(&self) -> NodeId { self.mobile }
            fn until(&self) -> Time { self.until }
        })*
    };
}
keyed!(Binding, Visitor, Pending);

impl<Row: Keyed> Table<Row> {
    /// The row of a mobile node, if it holds at `now`.
    pub fn get(&self, mobile: NodeId, now: Time) -> Option<Row> {
        self.rows.iter().copied().find(|row| row.mobile() == mobile && row.until() > now)
    }

    /// Puts a row in the place of the one that the mobile node has.
    pub fn set(&mut self, row: Row) {
        self.remove(row.mobile());
        self.rows.push(row);
    }

    pub fn remove(&mut self, mobile: NodeId) {
        self.rows.retain(|row| row.mobile() != mobile);
    }
}
