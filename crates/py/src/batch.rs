//! Runs in parallel. Each depends on nothing but its own seed, so results are the same for any number of threads.

use crate::raise;
use pyo3::prelude::*;
use scenario::{Probes, Scenario};
use std::any::Any;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// One run, checked.
struct Job {
    probes: Probes,
    scenario: Arc<Scenario>,
    seed: Option<u64>,
    replication: u64,
}

/// A finished run: its place among the jobs, and its JSON or what went wrong inside.
type Finished = (usize, Result<String, String>);

/// A run is taken in this many steps, so that it can be given up between them.
const STEPS: u32 = 100;

/// The place of the next job when there shall be none: beyond any number of jobs, with room to count on.
const CANCELLED: usize = usize::MAX / 2;

/// Runs at work in the background.
#[pyclass(frozen)]
pub struct Batch {
    next: Arc<AtomicUsize>,
    /// Steps taken by all jobs, of [`STEPS`] each.
    steps: Arc<AtomicU64>,
    jobs: usize,
    results: Mutex<Receiver<Finished>>,
}

/// A job as Python gives it: text, file, overrides, seed (None: the scenario's own), replication.
type Request = (String, String, Vec<String>, Option<u64>, u64);

#[pymethods]
impl Batch {
    /// Checks every job, then starts `threads` threads (0: one a core), with `probes` on, `probe_step` with its unit.
    /// Raises ScenarioError, or UsageError where a probe is wrong, before anything runs.
    #[new]
    #[pyo3(signature = (jobs, threads, probes = Vec::new(), probe_step = None))]
    fn new(
        py: Python<'_>,
        jobs: Vec<Request>,
        threads: usize,
        probes: Vec<String>,
        probe_step: Option<&str>,
    ) -> PyResult<Batch> {
        let probes =
            Probes::new(&probes, probe_step).map_err(|why| raise(py, "UsageError", &why))?;
        let jobs = Arc::new(checked(py, jobs, probes)?);
        let next = Arc::new(AtomicUsize::new(0));
        let steps = Arc::new(AtomicU64::new(0));
        let (sender, results) = channel();
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let wanted = if threads == 0 { cores } else { threads };
        for _ in 0..wanted.min(jobs.len()) {
            let (jobs, next, sender) = (jobs.clone(), next.clone(), sender.clone());
            let steps = steps.clone();
            std::thread::spawn(move || work(&jobs, &next, &steps, &sender));
        }
        Ok(Batch { next, steps, jobs: jobs.len(), results: Mutex::new(results) })
    }

    /// What has finished since the last call, as (place, JSON); waits up to `timeout_s` for the first.
    fn poll(&self, py: Python<'_>, timeout_s: f64) -> PyResult<Vec<(usize, String)>> {
        let timeout = Duration::from_secs_f64(timeout_s.clamp(0.0, 3600.0));
        let finished = py.detach(|| self.collect(timeout));
        finished
            .into_iter()
            .map(|(index, result)| match result {
                Ok(json) => Ok((index, json)),
                Err(message) => Err(raise(py, "InternalError", &message)),
            })
            .collect()
    }

    /// How much of all simulated time is done, 0 to 1.
    fn fraction(&self) -> f64 {
        let all = (self.jobs as f64 * f64::from(STEPS)).max(1.0);
        self.steps.load(Ordering::Relaxed) as f64 / all
    }

    /// Lets no further job start and ends what runs at its next step; what has finished stays.
    fn cancel(&self) {
        self.next.store(CANCELLED, Ordering::Relaxed);
    }
}

impl Batch {
    fn collect(&self, timeout: Duration) -> Vec<Finished> {
        let Ok(results) = self.results.lock() else { return Vec::new() };
        match results.recv_timeout(timeout) {
            Ok(first) => std::iter::once(first).chain(results.try_iter()).collect(),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Vec::new(),
        }
    }
}

/// Parses and checks the jobs; neighbours that differ in seed and replication only share one scenario.
fn checked(py: Python<'_>, requests: Vec<Request>, probes: Probes) -> PyResult<Vec<Job>> {
    let mut jobs: Vec<Job> = Vec::with_capacity(requests.len());
    let mut last: Option<(String, Vec<String>)> = None;
    for (text, file, overrides, seed, replication) in requests {
        let same = last.as_ref().is_some_and(|(t, o)| *t == text && *o == overrides);
        let scenario = match jobs.last() {
            Some(job) if same => job.scenario.clone(),
            _ => match scenario::check(&text, &file, &overrides) {
                Ok(scenario) => Arc::new(scenario),
                Err(error) => return Err(raise(py, "ScenarioError", &error.to_string())),
            },
        };
        last = Some((text, overrides));
        jobs.push(Job { probes, scenario, seed, replication });
    }
    Ok(jobs)
}

fn work(jobs: &[Job], next: &AtomicUsize, steps: &AtomicU64, results: &Sender<Finished>) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(index) else { return };
        let step_done = || {
            steps.fetch_add(1, Ordering::Relaxed);
            next.load(Ordering::Relaxed) < CANCELLED
        };
        let run = catch_unwind(AssertUnwindSafe(|| simulate(job, &step_done)));
        let result = match run {
            Ok(Some(json)) => Ok(json),
            Ok(None) => return,
            Err(panic) => Err(report(job, &*panic)),
        };
        if results.send((index, result)).is_err() {
            return;
        }
    }
}

/// Runs a job in steps, telling of each, and gives up with `None` when the answer is that it is no longer wanted.
fn simulate(job: &Job, step_done: &dyn Fn() -> bool) -> Option<String> {
    let mut run = scenario::Run::new(&job.scenario, job.seed, job.replication)
        .with_probes(&job.scenario, &job.probes);
    for step in 1..STEPS {
        run.advance(f64::from(step) / f64::from(STEPS));
        if !step_done() {
            return None;
        }
    }
    let json = run.finish().to_json();
    step_done();
    Some(json)
}

/// What to say of a panic: it is our defect, and this is how to see it again.
fn report(job: &Job, panic: &(dyn Any + Send)) -> String {
    let what = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_else(|| "unknown".to_owned());
    format!(
        "internal error: {what}\nThis is a defect of lasthop. Please report it with the scenario and: \
         seed {}, replication {}",
        job.seed.unwrap_or(job.scenario.seed),
        job.replication
    )
}
