//! Runs in parallel. Each depends on nothing but its own seed, so results are the same for any number of threads.

use crate::errors::raise;
use crate::jobs::{Job, Jobs, Request, Watched, checked};
use crate::outbox::Outbox;
use crate::plugin::{LawLibrary, Refusal};
use crate::spare::{self, STEPS, Spare, Stopwatch, THREAD};
use crate::text::Text;
use crate::work::{Answer, Work};
use base::{Named, Time};
use pyo3::prelude::*;
use scenario::{LawOrder, Laws, Leaves, Reduce, Run, Selector};
use std::any::Any;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

/// The end of a job that gives no result.
pub enum Failure {
    /// A defect of ours.
    Defect(String),
    /// Its captures could not be written.
    Captures(String),
    /// A law from outside went wrong.
    Law(String),
}

impl Failure {
    /// As Python gets it.
    pub fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Failure::Defect(message) => raise(py, "InternalError", message),
            Failure::Captures(message) => raise(py, "CaptureError", message),
            Failure::Law(message) => raise(py, "LawError", message),
        }
    }
}

/// Laws of libraries, by name.
#[derive(Default)]
struct Libraries {
    laws: Vec<(Text, Py<LawLibrary>)>,
    /// The place of the one that all flows use.
    everywhere: Option<u32>,
}

impl FromPyObject<'_, '_> for Libraries {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Libraries> {
        let laws = object.getattr("laws")?.extract()?;
        Ok(Libraries { laws, everywhere: object.getattr("everywhere")?.extract()? })
    }
}

/// A finished run: its place among the jobs, and its result or what went wrong.
type Finished = (usize, Result<Answer, Failure>);

/// More threads than this help nobody; systems refuse them sooner or later.
const MOST_THREADS: usize = 1024;

/// Number of results that may wait to be fetched, for each thread, before the threads wait too: a million of
/// them would fill the memory.
const MOST_WAITING_EACH: usize = 64;
const MOST_WAITING: usize = 1024;

/// The place of the next job when there shall be none: beyond any number of jobs, with room to count on.
const CANCELLED: usize = usize::MAX / 2;

/// Runs at work in the background.
#[pyclass(frozen)]
pub struct Batch {
    next: Arc<AtomicUsize>,
    /// Steps taken by all jobs, of [`STEPS`] each.
    steps: Arc<AtomicU64>,
    jobs: usize,
    results: Arc<Outbox<Finished>>,
}

/// The numbers that a study wants of a run, asked for once for all runs of a scenario.
#[pyclass(frozen)]
pub struct Numbers(Arc<Leaves>);

#[pymethods]
impl Numbers {
    #[new]
    fn new(py: Python<'_>, paths: Vec<(Vec<PathPart>, String)>) -> PyResult<Numbers> {
        let wrong = |name: String| raise(py, "UsageError", &format!("no way {name:?} to reduce"));
        let paths: Result<_, _> = paths
            .into_iter()
            .map(|(path, name)| {
                let reduce = Reduce::by_name(&name).ok_or(name)?;
                Ok((path.into_iter().map(Selector::from).collect(), reduce))
            })
            .collect();
        Ok(Numbers(Arc::new(Leaves::new(paths.map_err(wrong)?))))
    }
}

/// A part of a path as Python gives it: a place, a key, "*", or "*key".
#[derive(FromPyObject)]
enum PathPart {
    Place(usize),
    Key(String),
}

impl From<PathPart> for Selector {
    fn from(part: PathPart) -> Selector {
        match part {
            PathPart::Place(place) => Selector::Place(place),
            PathPart::Key(key) => match key.strip_prefix('*') {
                None => Selector::Key(key),
                Some("") => Selector::All(None),
                Some(key) => Selector::All(Some(key.to_owned())),
            },
        }
    }
}

#[pymethods]
impl Batch {
    /// Checks every job, then starts `threads` threads (0: one a core), or as many of them as the system allows, with
    /// what is `watched` of them. Of the runs of a request with `numbers` only these are kept. Raises ScenarioError, or
    /// UsageError where a probe or a capture is wrong, before anything runs.
    #[new]
    #[pyo3(signature = (jobs, threads, watched = Watched::default(), numbers = Vec::new(), laws = Libraries::default()))]
    fn new(
        py: Python<'_>,
        jobs: Vec<Request>,
        threads: usize,
        watched: Watched,
        numbers: Vec<Py<Numbers>>,
        laws: Libraries,
    ) -> PyResult<Batch> {
        let Libraries { laws, everywhere } = laws;
        let known = laws.iter().map(|(name, library)| library.get().known(name.0.to_string()));
        let known = Laws { known: known.collect(), everywhere };
        let mut jobs = checked(py, jobs, &known, watched)?;
        jobs.laws = laws.into_iter().map(|(_, library)| library).collect();
        jobs.reduce(numbers.iter().map(|numbers| numbers.get().0.clone()));
        let jobs = Arc::new(jobs);
        let next = Arc::new(AtomicUsize::new(0));
        let steps = Arc::new(AtomicU64::new(0));
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let allowed = if threads == 0 { cores } else { threads }.min(MOST_THREADS);
        let wanted = allowed.min(jobs.len());
        let spare = Arc::new(Spare::default());
        spare.give(allowed - wanted);
        let most = MOST_WAITING.max(wanted * MOST_WAITING_EACH);
        let results = Arc::new(Outbox::new(jobs.len(), most));
        silence_panics();
        for started in 0..wanted {
            let (jobs, next, results) = (jobs.clone(), next.clone(), results.clone());
            let (steps, spare) = (steps.clone(), spare.clone());
            let thread = std::thread::Builder::new().name(THREAD.to_owned());
            match thread.spawn(move || work(&jobs, &next, &spare, &steps, &results)) {
                Ok(_) => {}
                Err(error) if started == 0 => {
                    let message = format!("no thread can be started: {error}");
                    return Err(raise(py, "LasthopError", &message));
                }
                Err(_) => break, // those that run do the work of all
            }
        }
        Ok(Batch { next, steps, jobs: jobs.len(), results })
    }

    /// Returns the jobs that have finished since the last call, as (place, JSON or numbers); waits up to
    /// `timeout_s` until there are `enough` of them, or all.
    /// Raises InternalError once for each job that a defect ended, CaptureError for one whose captures could not be
    /// written, and LawError for one that a law ended; the other results stay for the next call, as they do when Ctrl-C arrives.
    #[pyo3(signature = (timeout_s, enough = 1))]
    fn poll(
        &self,
        py: Python<'_>,
        timeout_s: f64,
        enough: usize,
    ) -> PyResult<Vec<(usize, Answer)>> {
        let timeout = Duration::from_secs_f64(timeout_s.clamp(0.0, 3600.0));
        let mut finished = py.detach(|| self.results.take(enough, timeout));
        if let Err(interrupt) = py.check_signals() {
            self.results.put_back(finished);
            return Err(interrupt);
        }
        if let Some(failed) = finished.iter().position(|(_, result)| result.is_err()) {
            let (_, result) = finished.swap_remove(failed);
            self.results.put_back(finished);
            if let Err(failure) = result {
                return Err(failure.raise(py));
            }
            return Ok(Vec::new());
        }
        Ok(finished.into_iter().filter_map(|(index, result)| Some((index, result.ok()?))).collect())
    }

    /// Returns the share of all simulated time that is done, 0 to 1.
    fn fraction(&self) -> f64 {
        let all = (self.jobs as f64 * f64::from(STEPS)).max(1.0);
        self.steps.load(Ordering::Relaxed) as f64 / all
    }

    /// Lets no further job start and ends what runs at its next step; what has finished stays.
    fn cancel(&self) {
        self.next.store(CANCELLED, Ordering::Relaxed);
    }
}

impl Drop for Batch {
    /// Lets threads go that wait for room for their result.
    fn drop(&mut self) {
        self.results.close();
    }
}

/// Keeps panics in threads named `THREAD` from printing: each is caught there.
pub fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name() != Some(THREAD) {
                others(panic);
            }
        }));
    });
}

fn work(
    jobs: &Jobs,
    next: &AtomicUsize,
    spare: &Spare,
    steps: &AtomicU64,
    results: &Outbox<Finished>,
) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(index) else { return spare.give(1) };
        let step_done = |whole| {
            steps.fetch_add(u64::from(whole), Ordering::Relaxed);
            next.load(Ordering::Relaxed) < CANCELLED
        };
        let mut at_work = None;
        let run = catch_unwind(AssertUnwindSafe(|| {
            simulate(&job, &jobs.laws, &mut at_work, &step_done, spare)
        }));
        let result = match run {
            Ok(Ok(Some(answer))) => Ok(answer),
            Ok(Ok(None)) => return,
            Ok(Err(message)) => Err(Failure::Captures(message)),
            Err(panic) => Err(failure(&job, panic, at_work.as_ref())),
        };
        // Its captures are closed before anybody hears of the end, and what panics here ends no worker.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(at_work.take())));
        if !results.put((index, result)) {
            return;
        }
    }
}

/// Runs a job in steps, telling of each, and gives up with `None` when the answer is that it is no longer wanted.
fn simulate(
    job: &Job,
    laws: &[Py<LawLibrary>],
    at_work: &mut Option<Work>,
    step_done: &(dyn Fn(bool) -> bool + Sync),
    spare: &Spare,
) -> Result<Option<Answer>, String> {
    let make = |order: LawOrder<'_>| {
        let library = laws.get(order.number as usize)?;
        Some(library.get().make(&order, true))
    };
    let run = Run::with_laws(&job.scenario, job.seed, job.replication, &make);
    let work = at_work.insert(Work::new(run, job));
    let watch = Stopwatch::start();
    for step in 1..=STEPS {
        work.advance(f64::from(step) / f64::from(STEPS))?;
        if step < STEPS && !step_done(true) {
            at_work.take().map_or(Ok(()), Work::give_up)?;
            return Ok(None);
        }
        if step < STEPS
            && let Some(wanted) = spare::play(work, spare, step, &watch, step_done)
        {
            if !wanted {
                return Ok(None);
            }
            break;
        }
    }
    let finish = |work: Work| work.finish(&job.wanted);
    let answer = at_work.take().map(finish).transpose()?;
    step_done(true);
    Ok(answer)
}

/// The failure of a job that unwinding ended: a law's from outside, or ours.
fn failure(job: &Job, payload: Box<dyn Any + Send>, at_work: Option<&Work>) -> Failure {
    let now = at_work.map_or(Time::ZERO, Work::now);
    match payload.downcast::<Refusal>() {
        Ok(refusal) => Failure::Law(refusal.said(now.since(Time::ZERO).as_secs())),
        Err(panic) => Failure::Defect(defect(job, &*panic)),
    }
}

/// Returns the message about a panic: it is our defect, and this reproduces it.
pub fn defect(job: &Job, panic: &(dyn Any + Send)) -> String {
    format!(
        "internal error: {}\nThis is a defect of lasthop. Please report it with the scenario and: \
         seed {}, replication {}",
        words(panic),
        job.seed.unwrap_or(job.scenario.seed),
        job.replication
    )
}

/// A panic's message.
pub fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".to_owned())
}
