//! Jobs: requests as Python makes them, checked before anything runs.

use crate::errors::{raise, refused};
use crate::files::Wish;
use crate::plugin::LawLibrary;
use crate::text::{Label, Text, strings};
use pyo3::prelude::*;
use record::Probes;
use scenario::{Laws, Leaves, Scenario};
use std::path::PathBuf;
use std::sync::Arc;

/// One run, checked.
#[derive(Clone)]
pub struct Job {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The time series to keep.
    pub probes: Probes,
    /// In place of the scenario's own.
    pub seed: Option<u64>,
    /// The number of the independent run of this seed.
    pub replication: u64,
    /// The directory for its captures, and what they shall be.
    pub captures: Option<(PathBuf, Arc<Wish>)>,
    /// What is kept of its result.
    pub wanted: Wanted,
}

/// What is kept of a result.
#[derive(Clone, Default)]
pub enum Wanted {
    /// All of it.
    #[default]
    Result,
    /// All of it, and in it under "panels" the panels of its page, over this number of steps.
    Panels(usize),
    /// These numbers.
    Numbers(Arc<Leaves>),
}

/// Runs in their order. A million replications of a scenario are one entry.
#[derive(Default)]
pub struct Jobs {
    /// The first of its runs, and the place of the one behind its last.
    requests: Vec<(Job, usize)>,
    /// A directory for each run, where there are captures.
    directories: Vec<PathBuf>,
    wish: Arc<Wish>,
    /// The laws of libraries, at the places that the scenarios name.
    pub laws: Vec<Py<LawLibrary>>,
}

impl Jobs {
    /// Returns the number of runs.
    pub fn len(&self) -> usize {
        self.requests.last().map_or(0, |(_, end)| *end)
    }

    /// The run at a place.
    pub fn get(&self, place: usize) -> Option<Job> {
        let at = self.requests.partition_point(|(_, end)| *end <= place);
        let begin = at.checked_sub(1).map_or(0, |before| self.requests[before].1);
        let (first, _) = self.requests.get(at)?;
        let replication = first.replication + (place - begin) as u64;
        let directory = self.directories.get(place).cloned();
        let captures = directory.map(|directory| (directory, self.wish.clone()));
        Some(Job { replication, captures, ..first.clone() })
    }

    /// Keeps of each request's runs only these numbers, in the order of the requests.
    pub fn reduce(&mut self, numbers: impl Iterator<Item = Arc<Leaves>>) {
        for ((job, _), leaves) in self.requests.iter_mut().zip(numbers) {
            job.wanted = Wanted::Numbers(leaves);
        }
    }
}

/// A file that a scenario names: its name there, its text or else why it cannot be read.
pub type Handed = (Label, Option<Text>, Label);

/// The files that a scenario names, handed over once for all its runs.
#[pyclass(frozen)]
pub struct Files(pub Arc<scenario::Files>);

#[pymethods]
impl Files {
    #[new]
    fn new(handed: Vec<Handed>) -> Files {
        let texts = handed
            .into_iter()
            .map(|(name, text, why)| (name.0, text.map(String::from).ok_or(why.0)));
        Files(Arc::new(scenario::Files { texts: texts.collect() }))
    }
}

/// Returns the files that Python handed over, if any.
pub fn files_of(handed: Option<&Py<Files>>) -> Arc<scenario::Files> {
    handed.map_or_else(Arc::default, |files| files.get().0.clone())
}

/// Runs as Python asks for them: text, file, overrides, seed (None: the scenario's own), the first replication and how many,
/// the files that it names.
pub type Request = (Text, Label, Vec<Text>, Option<u64>, u64, usize, Option<Py<Files>>);

/// Probes as Python asks for them: their names, and their step with its unit.
pub type ProbeRequest = (Vec<Text>, Option<Text>);

/// Captures as Python asks for them: a directory for each run, patterns of interfaces (none: all), and the most that is
/// kept of a packet, bytes.
pub type CaptureRequest = (Vec<PathBuf>, Vec<Text>, Option<u32>);

/// What Python asks to be kept of runs.
#[derive(Default)]
pub struct Watched {
    probes: ProbeRequest,
    captures: Option<CaptureRequest>,
    /// Where the panels of a page are wanted beside the result: over how many steps.
    panels: Option<usize>,
    /// Probes and panels are of the first request only.
    first_only: bool,
}

// By hand, as what is derived hides why a part is refused behind a TypeError.
impl FromPyObject<'_, '_> for Watched {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Watched> {
        let probes = object.getattr("probes")?.extract()?;
        let captures = object.getattr("captures")?.extract()?;
        let panels = object.getattr("panels")?.extract()?;
        let first_only = object.getattr("first_only")?.extract()?;
        Ok(Watched { probes, captures, panels, first_only })
    }
}

/// The probes that Python asks for.
pub fn probes_of(py: Python<'_>, (names, step): ProbeRequest) -> PyResult<Probes> {
    let step = step.map(String::from);
    scenario::probes(&strings(names), step.as_deref()).map_err(|why| raise(py, "UsageError", &why))
}

/// Parses and checks; neighbours that differ in seed and replication only share one scenario, and all share tables of bit errors.
pub fn checked(
    py: Python<'_>,
    requests: Vec<Request>,
    laws: &Laws,
    watched: Watched,
) -> PyResult<Jobs> {
    let Watched { probes, captures, panels, first_only } = watched;
    let mut probes = probes_of(py, probes)?;
    if panels.is_some() {
        probes.wanted = panels::WANTED;
    }
    let wanted = panels.map_or(Wanted::Result, Wanted::Panels);
    let (directories, only, snap) = captures.unwrap_or_default();
    let wish = Arc::new(Wish { only: strings(only), snap });
    let mut jobs =
        Jobs { requests: Vec::with_capacity(requests.len()), directories, wish, laws: Vec::new() };
    let mut last: Option<(Text, Vec<Text>, Arc<scenario::Files>)> = None;
    for (text, file, overrides, seed, replication, count, handed) in requests {
        let files = files_of(handed.as_ref());
        let same = last.as_ref().is_some_and(|(t, o, f)| {
            one_text(t, &text)
                && o.len() == overrides.len()
                && o.iter().zip(&overrides).all(|(one, other)| one_text(one, other))
                && (Arc::ptr_eq(f, &files) || *f == files)
        });
        let scenario = match jobs.requests.last() {
            Some((job, _)) if same => job.scenario.clone(),
            _ => {
                let changes: Vec<String> =
                    overrides.iter().map(|text| text.0.to_string()).collect();
                let checked = scenario::check_all(&text.0, &file.0, &changes, (laws, &files));
                let mut scenario = checked.map_err(|errors| refused(py, &errors))?;
                if let Some((first, _)) = jobs.requests.first() {
                    scenario.hazards = first.scenario.hazards.clone();
                }
                let wrong = |why: String| raise(py, "UsageError", &why);
                jobs.wish.refuse(&scenario).map_err(wrong)?;
                probes.refuse(&scenario.plan).map_err(wrong)?;
                Arc::new(scenario)
            }
        };
        last = Some((text, overrides, files));
        let is_watched = !first_only || jobs.requests.is_empty();
        let (probes, wanted) =
            if is_watched { (probes.clone(), wanted.clone()) } else { Default::default() };
        let first = Job { scenario, probes, seed, replication, captures: None, wanted };
        jobs.requests.push((first, jobs.len() + count));
    }
    Ok(jobs)
}

/// Returns whether two texts are the same; two handles of one string are equal without a comparison.
fn one_text(Text(one): &Text, Text(other): &Text) -> bool {
    std::ptr::eq::<str>(&**one, &**other) || **one == **other
}
