//! Tables of one 802.16 cell: what a frame has room for, what is in it, and how long stations wait, row by row.

mod capacity;
mod contention;
mod delays;
mod drive;
mod frames;
mod row;
mod sample;
mod saturated;

use crate::case::{Case, Error};
use row::{Row, rows};

/// The player of a kind of table.
type Runner = fn(&str, &[Row]) -> Result<Vec<Case>, Error>;

/// The kinds of tables, by a column that no other has.
const KINDS: &[(&str, Runner)] = &[
    ("n_dl_bursts", capacity::run),
    ("event", frames::run),
    ("scenario", contention::run),
    ("rate_pps", delays::run),
    ("dir", saturated::run),
];

/// Runs every row of a table.
///
/// # Errors
/// Where it is of no kind that is known, or a row lacks what its kind needs.
pub fn run(file: &str, text: &str) -> Result<Vec<Case>, Error> {
    let rows = rows(file, text)?;
    let first = rows.first().ok_or_else(|| Error::new(file, "a table without rows"))?;
    let kind = KINDS.iter().find(|kind| first.has(kind.0));
    let (_, runner) = kind.ok_or_else(|| {
        let columns: Vec<&str> = KINDS.iter().map(|kind| kind.0).collect();
        Error::new(file, format!("none of these columns: {}", columns.join(", ")))
    })?;
    runner(file, &rows)
}
