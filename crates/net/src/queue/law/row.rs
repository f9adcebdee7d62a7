//! Description of a discipline for lists and scenarios.

use base::{Options, Parameter};

/// Says what is wrong with parameters.
pub type Check = fn(&Options) -> Result<(), &'static str>;

/// A discipline as lists show it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The publication.
    pub source: &'static str,
    /// Packets that it holds where nothing is said; `None`: the scenario's default.
    pub limit: Option<u32>,
    /// Its parameters.
    pub parameters: &'static [&'static [Parameter]],
    /// Checks for values that contradict each other or are impossible.
    pub checks: &'static [Check],
    /// True if it decides when packets depart, or in which order: the device must ask for each.
    pub departs: bool,
}
