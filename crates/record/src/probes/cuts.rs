//! Window cuts and their causes.

use crate::columns::{Name, columns};
use crate::kinds::Kind;
use crate::probe::{Close, Tabulate};
use base::{FlowId, Span, Time};
use engine::Watch;
use world::{CutCause, Note, Plan};

columns! {
    /// Window cuts.
    pub struct CutTable {
        /// Time, s.
        time_s: f64,
        /// The flow's name.
        flow: Name,
        /// The cause, as in `window_cuts` of a flow.
        cause: &'static str,
    }
}

/// Writes them down as they come.
#[derive(Clone, Debug, Default)]
pub struct CutProbe(Vec<(Time, FlowId, CutCause)>);

impl Watch<Note> for CutProbe {
    fn see(&mut self, now: Time, note: &Note) {
        if let &Note::WindowCut { flow, cause } = note {
            self.0.push((now, flow, cause));
        }
    }
}

impl Tabulate for CutProbe {
    type Table = CutTable;
    const SEES: &'static [Kind] = &[Kind::WindowCut];

    fn start(_: &Plan, _: Option<Span>) -> CutProbe {
        CutProbe::default()
    }

    fn table(self, close: &Close<'_>) -> CutTable {
        CutTable {
            time_s: self.0.iter().map(|row| row.0.as_secs()).collect(),
            flow: self.0.iter().map(|row| close.flows[row.1.index()].clone()).collect(),
            cause: self.0.iter().map(|row| row.2.name()).collect(),
        }
    }
}
