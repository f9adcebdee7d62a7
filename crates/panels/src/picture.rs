//! All panels of a run.

use crate::causes::{self, Bars, Distribution};
use crate::document::Document;
use crate::lanes::AirChart;
use crate::lines::{self, LineChart};
use crate::number::{Number, significant};
use crate::roles::{Role, roles};
use crate::{air, bursts};
use noticing::{Limit, saying};
use serde::Serialize;

/// The most handoffs that are marked: of more, the first.
const MARKS: usize = 40;

/// All panels of a run, as its page draws them.
#[derive(Debug, Serialize)]
pub struct Picture {
    /// What limited the flows; empty without the measure `limits`.
    limited: Vec<Limit>,
    series: Series,
    /// The share of a flow's packets that had arrived after a given time; null without the probe `packets`.
    distribution: Option<Distribution>,
    bars: Vec<Bars>,
    /// Sentences on what the panels leave out.
    notes: Vec<String>,
}

/// Charts over time.
#[derive(Debug, Serialize)]
struct Series {
    /// The grid, s from the start of the run, warm-up included.
    times: Vec<Number>,
    charts: Vec<Chart>,
    marks: Vec<Mark>,
    /// Sentences on which flows are shown.
    notes: Vec<String>,
}

/// A chart over time.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Chart {
    Lines(LineChart),
    Air(AirChart),
}

/// An instant that all charts mark.
#[derive(Debug, Serialize)]
struct Mark {
    /// The time, s.
    at: f64,
    text: String,
}

impl Picture {
    /// Prepares the panels of a result over `steps` steps.
    pub fn new(document: &Document, limited: Vec<Limit>, steps: usize) -> Picture {
        let (shown, note) = roles(&document.flows);
        let air = [air::charts(document, steps), bursts::charts(document, steps)].concat();
        Picture {
            limited,
            notes: left_out(document, &air, steps),
            distribution: causes::distribution(document, &shown, note.as_deref()),
            bars: causes::bars(&document.flows),
            series: Series::new(document, (&shown, note), air, steps),
        }
    }
}

impl Series {
    fn new(
        document: &Document,
        (shown, note): (&[Role], Option<String>),
        air: Vec<AirChart>,
        steps: usize,
    ) -> Series {
        let step = document.duration_s / steps as f64;
        let times: Vec<f64> = (0..=steps).map(|at| step * at as f64).collect();
        let lines = lines::charts(document, shown, &times).into_iter().map(Chart::Lines);
        Series {
            charts: lines.chain(air.into_iter().map(Chart::Air)).collect(),
            times: times.into_iter().map(|time| Number::significant(time, 6)).collect(),
            marks: marks(document),
            notes: note.into_iter().collect(),
        }
    }
}

/// The end of the warm-up, and handoffs.
fn marks(document: &Document) -> Vec<Mark> {
    let warmup = document.duration_s - document.measured_s;
    let begin = (warmup > 0.0).then(|| Mark { at: warmup, text: "measured from here".into() });
    let changes = document.handoffs.iter().filter(|change| change.from.is_some()).take(MARKS);
    let changes = changes.map(|change| Mark {
        at: change.at_s,
        text: format!("{} to {}", change.station, change.to.as_deref().unwrap_or("nothing")),
    });
    begin.into_iter().chain(changes).collect()
}

/// Sentences on what the panels leave out.
fn left_out(document: &Document, air: &[AirChart], steps: usize) -> Vec<String> {
    let step = significant(1e3 * document.duration_s / steps as f64, 3);
    let mut notes =
        vec![format!("Each point of a line is the last state, or the mean, of {step} ms.")];
    let sum = |of: fn(&AirChart) -> f64| saying::grouped(air.iter().map(of).sum());
    let (drawn, all) = (sum(|chart| chart.drawn as f64), sum(|chart| chart.all));
    if drawn != all {
        let periods = sum(|chart| chart.known.len() as f64);
        notes.push(format!(
            "Of {all} frames the page shows {drawn} one by one, in {periods} periods that are spread \
             evenly over the run. The others count in the shares of their steps."
        ));
    }
    if !document.has("packets") {
        let made = saying::grouped(document.packets.made);
        notes.push(format!("The run has {made} packets, too many to draw their delays."));
    }
    notes
}
