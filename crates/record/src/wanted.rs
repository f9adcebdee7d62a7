//! What a reader of tables wants of them.

/// What a reader wants of tables: by default everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The columns that are filled, by the name of a probe; others stay empty. A probe that is not here fills all.
    pub columns: &'static [(&'static str, &'static [&'static str])],
    /// Only this number of packets have a row each; `None`: all.
    pub packets: Option<u64>,
}

impl Wanted {
    /// Returns whether a column is filled.
    pub fn fills(&self, probe: &str, column: &str) -> bool {
        self.columns.iter().all(|(name, columns)| *name != probe || columns.contains(&column))
    }

    /// Returns whether the packet of this number has a row.
    pub fn keeps(&self, packet: u64) -> bool {
        self.packets.is_none_or(|most| packet < most)
    }
}
