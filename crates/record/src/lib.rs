//! Records of a run beside its result: probes, which give tables, and measures, which cost time.

mod columns;
mod frames_kept;
mod header;
mod journey;
mod kinds;
mod measure;
mod measures;
mod on_air;
mod probe;
mod probes;
mod recorder;
mod series;
mod split;
mod wanted;

pub use columns::{Cell, Column, ColumnType};
pub use measures::{MeasureName, MeasuredOutcome, ReachableOf};
pub use probes::{ProbeName, ProbeTables, Probes, tables};
pub use recorder::Recorder;
pub use wanted::Wanted;
