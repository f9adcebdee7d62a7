//! A scenario at work: checked, run in steps, summed up.

use crate::check::{Context, Scenario};
use crate::document;
use crate::error::{Error, Sources};
use crate::files::{Files, may_name_files};
use crate::laws::Laws;
use crate::mismatch::Schema;
use crate::resolved::Resolved;
use crate::result::RunResult;
use crate::spec::ScenarioSpec;
use base::{Seed, Span, Time};
use engine::Watch;
use record::{MeasureName, Probes, ReachableOf, Recorder};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::sync::Arc;
use transport::tcp::law::{Custom, Reno};
use world::{LawOrder, MakeLaw, Note, Plan, World};

/// Reads and checks a scenario.
///
/// `file` is its name in messages; `overrides` are "key=value" with dotted keys, applied in their order.
///
/// # Errors
/// Returns an [`Error`] with the place and the values that are allowed there.
pub fn check(text: &str, file: &str, overrides: &[String]) -> Result<Scenario, Error> {
    check_with(text, file, overrides, (&Laws::default(), &Files::default()))
}

/// Does the same with `laws` beside lasthop's own, and the `files` that the scenario names.
///
/// # Errors
/// Returns an [`Error`] with the place and the values that are allowed there.
pub fn check_with(
    text: &str,
    file: &str,
    overrides: &[String],
    known: (&Laws, &Files),
) -> Result<Scenario, Error> {
    check_all(text, file, overrides, known).map_err(|mut errors| errors.swap_remove(0))
}

/// Does the same and returns all mistakes in keys, types, names and units. Without any of these, it returns all
/// contradictions of parts that do not depend on each other.
///
/// # Errors
/// Returns at least one [`Error`], in the order of the text, the overrides at the end.
pub fn check_all(
    text: &str,
    file: &str,
    overrides: &[String],
    known: (&Laws, &Files),
) -> Result<Scenario, Vec<Error>> {
    check_by(text, file, overrides, known, &own_schema)
}

/// Does the same by a schema that [`crate::schema`] has written, so that the code which writes it is not needed.
///
/// # Errors
/// Returns at least one [`Error`], in the order of the text, the overrides at the end.
pub fn check_by(
    text: &str,
    file: &str,
    overrides: &[String],
    (laws, files): (&Laws, &Files),
    schema: &Schema<'_>,
) -> Result<Scenario, Vec<Error>> {
    let sources = Sources::new(file, text, overrides);
    let checked = document::read(text, &sources, schema).and_then(|mut spec| {
        laws.resolve(&mut spec).map_err(|problem| vec![problem])?;
        crate::check::check(&Context::new(&spec, files, schema))
    });
    checked.map_err(|problems| sources.errors(problems))
}

/// Does the same, and returns the whole document that a run is built from.
///
/// # Errors
/// Returns at least one [`Error`], in the order of the text, the overrides at the end.
pub fn resolve<'a>(
    text: &'a str,
    file: &'a str,
    overrides: &'a [String],
    (laws, files): (&Laws, &Files),
) -> Result<(Scenario, Resolved<'a>), Vec<Error>> {
    let sources = Sources::new(file, text, overrides);
    let resolved = document::read(text, &sources, &own_schema).and_then(|mut spec| {
        laws.resolve(&mut spec).map_err(|problem| vec![problem])?;
        let context = Context::new(&spec, files, &own_schema);
        let scenario = crate::check::check(&context)?;
        let resolved = Resolved::of(&scenario, &context, &sources);
        Ok((scenario, resolved))
    });
    resolved.map_err(|problems| sources.errors(problems))
}

fn own_schema() -> Cow<'static, Json> {
    document::schema_of::<ScenarioSpec>()
}

/// Returns the files that a scenario names, relative to its own folder.
///
/// # Errors
/// Returns an [`Error`] where it is no scenario, and has a word that names files.
pub fn files_named(text: &str, file: &str, overrides: &[String]) -> Result<Vec<String>, Error> {
    if !may_name_files(text) && !overrides.iter().any(|change| may_name_files(change)) {
        return Ok(Vec::new());
    }
    let sources = Sources::new(file, text, overrides);
    let spec = document::read(text, &sources, &own_schema);
    spec.map(|spec| Files::named(&spec)).map_err(|problems| sources.errors(problems).swap_remove(0))
}

/// Runs a scenario to its end and returns the result as JSON. `seed` replaces the scenario's own.
///
/// # Panics
/// Panics only on a defect of lasthop, never because of the scenario.
pub fn run(scenario: &Scenario, seed: Option<u64>, replication: u64) -> String {
    Run::new(scenario, seed, replication).finish().to_json()
}

/// Returns a scenario's result before anything has happened, as JSON: the names and keys that every run of it has.
///
/// # Panics
/// Panics only on a defect of lasthop, never because of the scenario.
pub fn outline(scenario: &Scenario) -> String {
    // Nothing happens, so any law can replace one from outside.
    let stand_in = |_: LawOrder<'_>| Some(Custom::new(Reno::default()));
    Run::with_laws(scenario, None, 0, &stand_in).result().to_json()
}

/// A part of a run: some of its network, in which nothing meets the rest.
#[derive(Debug)]
pub struct Share {
    world: World,
    duration: Span,
    recorder: Option<Recorder>,
}

impl Share {
    /// Simulates up to this part of the duration, 0 to 1.
    pub fn advance(&mut self, part: f64) {
        let until = time_of(self.duration, part);
        match &mut self.recorder {
            Some(recorder) => self.world.run_watched(until, recorder),
            None => self.world.run_until(until),
        }
    }
}

fn time_of(duration: Span, part: f64) -> Time {
    let until = if part >= 1.0 {
        duration
    } else {
        Span::from_secs(duration.as_secs() * part).min(duration)
    };
    Time::ZERO + until
}

/// A recorder and another watch.
struct Both<'a>(&'a mut Recorder, &'a mut dyn Watch<Note>);

impl Watch<Note> for Both<'_> {
    fn see(&mut self, now: Time, note: &Note) {
        self.0.see(now, note);
        self.1.see(now, note);
    }
}

/// A run that can be taken in steps, so that its owner can show progress or give up.
#[derive(Clone, Debug)]
pub struct Run {
    world: World,
    plan: Arc<Plan>,
    scenario: String,
    seed: Seed,
    recorder: Option<Recorder>,
    /// Those of the other shares, where it was divided.
    recorders: Vec<Option<Recorder>>,
    /// The same world without radio losses, for the measure of efficiency.
    filtered: Option<Box<World>>,
}

impl Run {
    /// Builds a run at time zero, of a scenario without laws from outside.
    ///
    /// # Panics
    /// Panics if a plan that was checked cannot be built, which is a defect of lasthop.
    pub fn new(scenario: &Scenario, seed: Option<u64>, replication: u64) -> Run {
        Run::with_laws(scenario, seed, replication, &|_| None)
    }

    /// Builds a run at time zero; `laws` makes the laws with which the scenario was checked, by number.
    ///
    /// # Panics
    /// Panics if a plan that was checked cannot be built, which is a defect of lasthop.
    pub fn with_laws(
        scenario: &Scenario,
        seed: Option<u64>,
        replication: u64,
        laws: MakeLaw<'_>,
    ) -> Run {
        let seed = Seed { seed: seed.unwrap_or(scenario.seed), replication };
        let build =
            |plan: &Arc<Plan>| match World::build_with(plan, seed, (laws, &scenario.hazards)) {
                Ok(world) => world,
                Err(error) => panic!("a checked scenario cannot be built: {error:?}"),
            };
        let plan = &scenario.plan;
        let filtered = scenario.measures.contains(&MeasureName::Reachable);
        Run {
            world: build(plan),
            plan: Arc::clone(plan),
            scenario: scenario.name.clone().unwrap_or_default(),
            seed,
            recorder: recorder(scenario, &Probes::default()),
            recorders: Vec::new(),
            filtered: filtered
                .then(|| Box::new(build(&Arc::new(plan.with_radio_losses_filtered())))),
        }
    }

    /// Switches `probes` on before the run begins. They change nothing but add their records to the result.
    #[must_use]
    pub fn with_probes(self, scenario: &Scenario, probes: &Probes) -> Run {
        Run { recorder: recorder(scenario, probes), ..self }
    }

    /// Simulates up to this part of the duration, 0 to 1. Steps do not change results.
    pub fn advance(&mut self, part: f64) {
        let until = self.at(part);
        self.advance_filtered(until);
        match &mut self.recorder {
            Some(recorder) => self.world.run_watched(until, recorder),
            None => self.world.run_until(until),
        }
    }

    /// Does the same under a watch, which sees everything and changes nothing.
    pub fn advance_watched(&mut self, part: f64, watch: &mut dyn Watch<Note>) {
        let until = self.at(part);
        self.advance_filtered(until);
        match &mut self.recorder {
            Some(recorder) => self.world.run_watched(until, &mut Both(recorder, watch)),
            None => self.world.run_watched(until, watch),
        }
    }

    fn advance_filtered(&mut self, until: Time) {
        if let Some(world) = &mut self.filtered {
            world.run_until(until);
        }
    }

    fn at(&self, part: f64) -> Time {
        time_of(self.plan.duration, part)
    }

    /// Divides what is left into `most` shares or less that can be played at the same time, and keeps the first; none where
    /// the parts of the network meet, or where all that happens is watched in its order. [`Run::unite`] takes them again, all
    /// in their order and at the same time as the run. Results do not depend on it.
    pub fn divide(&mut self, most: usize) -> Vec<Share> {
        if self.recorder.as_ref().is_some_and(Recorder::has_probes) || self.filtered.is_some() {
            return Vec::new();
        }
        let (duration, recorder) = (self.plan.duration, &self.recorder);
        let share = |world| Share { world, duration, recorder: recorder.clone() };
        self.world.divide(most).into_iter().map(share).collect()
    }

    /// Takes the other shares again: the run is whole.
    pub fn unite(&mut self, others: Vec<Share>) {
        let (worlds, recorders) = others.into_iter().map(|of| (of.world, of.recorder)).unzip();
        self.world.unite(worlds);
        self.recorders = recorders;
    }

    /// Returns the progress: the time of the last event.
    pub fn now(&self) -> Time {
        self.world.now()
    }

    /// Simulates the rest and returns the result.
    pub fn finish(mut self) -> RunResult {
        self.advance(1.0);
        self.result()
    }

    fn result(self) -> RunResult {
        let shares: Vec<usize> =
            (0..self.plan.flows.len()).map(|flow| self.world.share_of(flow)).collect();
        let measured = |flow: usize| {
            let other = shares[flow].checked_sub(1).map(|other| &self.recorders[other]);
            Some(other.unwrap_or(&self.recorder).as_ref()?.measured(flow))
        };
        let mut outcome = self.world.into_outcome(|flow| measured(flow).unwrap_or_default());
        if let Some(filtered) = self.filtered {
            let filtered = filtered.into_outcome(|_| ());
            for (flow, reached) in outcome.flows.iter_mut().zip(filtered.flows) {
                let reachable = ReachableOf::new(flow.goodput_bps, reached.goodput_bps);
                flow.measures.reachable = Some(Box::new(reachable));
            }
        }
        let probes = self.recorder.and_then(|recorder| {
            let queues: Vec<String> =
                outcome.queues.iter().map(|queue| queue.name.clone()).collect();
            let flows: Vec<String> = self.plan.flows.iter().map(|flow| flow.name.clone()).collect();
            recorder.tables(&flows, &queues, &self.plan.nodes)
        });
        let Seed { seed, replication } = self.seed;
        RunResult { scenario: self.scenario, seed, replication, outcome, probes }
    }
}

/// Returns the recorder of the probes and measures of a scenario, where there are some.
fn recorder(scenario: &Scenario, probes: &Probes) -> Option<Recorder> {
    Recorder::start(probes, &scenario.measures, &scenario.plan)
}
