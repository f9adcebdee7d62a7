//! The panels of a page about a run: time charts, use of the media, distributions and bars, as plain numbers.
//!
//! The input is a result with its probes, as JSON. The pages of the package and the playground draw the same numbers
//! with the same scripts, since both ask here.

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

use picture::Picture;

/// Prepares the panels of a result with its probes, over `steps` steps, as JSON; an error where there is no
/// result.
///
/// Probes that were off leave their panels out. See [`Picture`] for the keys.
pub fn drawn(result: &str, steps: usize) -> Result<String, String> {
    let document = serde_json::from_str(result).map_err(|error| error.to_string())?;
    let limited = noticing::limited(result)?;
    let picture = Picture::new(&document, limited, steps.max(1));
    serde_json::to_string(&picture).map_err(|error| error.to_string())
}
