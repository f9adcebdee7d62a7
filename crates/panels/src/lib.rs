//! The panels of a page about a run: time charts, use of the media, distributions and bars, as plain numbers.
//!
//! The input is a result with its probes: as JSON, or of a run that has just ended, the tables as they are. The pages of the
//! package and the playground draw the same numbers with the same scripts, since both ask here.

mod air;
mod bursts;
mod causes;
mod document;
mod grid;
mod lanes;
mod lines;
mod names;
mod number;
mod order;
mod picture;
mod roles;
mod table;

use document::Document;
pub use document::WANTED;
use picture::Picture;
use record::ProbeTables;

/// Prepares the panels of a result with its probes, over `steps` steps, as JSON.
///
/// Probes that were off leave their panels out. See [`Picture`] for the keys.
///
/// # Errors
/// There is no result.
pub fn drawn(result: &str, steps: usize) -> Result<String, String> {
    drawn_of(result, steps, |_| {})
}

/// Prepares the same of a result without its probes, and the tables of these: text of a table takes longer to write and
/// to read than the run that it is of.
///
/// # Errors
/// There is no result.
pub fn drawn_of_tables(result: &str, tables: &ProbeTables, steps: usize) -> Result<String, String> {
    drawn_of(result, steps, |document| document.take(tables))
}

fn drawn_of(
    result: &str,
    steps: usize,
    fill: impl FnOnce(&mut Document),
) -> Result<String, String> {
    let mut document = serde_json::from_str(result).map_err(|error| error.to_string())?;
    fill(&mut document);
    let limited = noticing::limited(result)?;
    let picture = Picture::new(&document, limited, steps.max(1));
    serde_json::to_string(&picture).map_err(|error| error.to_string())
}
