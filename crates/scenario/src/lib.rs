//! The scenario format: TOML with units, checked into a plan, run into a result. Pure: no files, threads or globals.

mod at;
mod catalogue;
mod check;
mod code;
mod conventions;
mod document;
mod elements;
mod error;
mod files;
mod given;
mod identity;
mod kinds;
mod laws;
mod mismatch;
mod nearest;
mod otherwise;
mod overlays;
mod paths;
mod pick;
mod places;
mod probes;
mod quantities;
mod radio_units;
mod read;
mod resolved;
mod result;
mod retry_limits;
mod run;
mod settings;
pub mod spec;
mod table;
mod traces;
mod units;
mod value;
mod word;

pub use at::{At, Problem, Reason};
pub use catalogue::{Entry, Kind, catalogue, kinds};
pub use check::Scenario;
pub use check::{glob as matches_pattern, tcp_config};
pub use code::{Code, codes};
pub use document::LARGEST_TEXT;
pub use error::{Error, Place};
pub use files::{Files, may_name_files};
pub use laws::{KnownLaw, Laws};
pub use nearest::nearest;
pub use overlays::wimax_settings;
pub use paths::Step;
pub use pick::{Leaves, Reduce, Selector};
pub use places::{TomlPlace, toml_places};
pub use probes::{probe_columns, probes};
pub use quantities::quantities;
pub use resolved::Resolved;
pub use result::RunResult;
pub use run::{
    Run, Share, check, check_all, check_by, check_with, files_named, outline, resolve, run,
};
pub use units::{BitRate, Duration, Packets, Probability, Size, WindowSize};
pub use world::{LawOrder, MakeLaw};

/// Returns the JSON Schema of the format, for editors.
pub fn schema() -> String {
    let schema = schemars::schema_for!(spec::ScenarioSpec);
    serde_json::to_string_pretty(&schema).unwrap_or_else(|_| "{}".to_owned())
}
