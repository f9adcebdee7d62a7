//! Runs with laws in Python: on the calling thread, which holds the interpreter, one step a call.

use crate::batch::{Failure, defect};
use crate::jobs::{Job, Jobs, Request, Watched, checked};
use crate::law::{Ended, guarded, laws_of, made};
use crate::spare::STEPS;
use crate::text::Text;
use crate::work::{Answer, Work};
use pyo3::prelude::*;
use scenario::{LawOrder, Run};

/// Runs one after the other, each as far as it is asked.
#[pyclass]
pub struct LawBatch {
    jobs: Jobs,
    /// The maker of each law, by number.
    factories: Vec<Py<PyAny>>,
    /// The job at work; beyond the last: none.
    index: usize,
    /// The run at work and the steps that it has taken.
    at_work: Option<(Work, u32)>,
}

#[pymethods]
impl LawBatch {
    /// Checks every job; `laws` are (name, factory), and `everywhere` is the place of the one that all flows use.
    #[new]
    #[pyo3(signature = (jobs, laws, everywhere, watched = Watched::default()))]
    fn new(
        py: Python<'_>,
        jobs: Vec<Request>,
        laws: Vec<(Text, Py<PyAny>)>,
        everywhere: Option<u32>,
        watched: Watched,
    ) -> PyResult<LawBatch> {
        let known = laws_of(py, &laws, everywhere)?;
        let factories = laws.into_iter().map(|(_, factory)| factory).collect();
        let jobs = checked(py, jobs, &known, watched)?;
        Ok(LawBatch { jobs, factories, index: 0, at_work: None })
    }

    /// Takes one step, a hundredth of a run; what has finished by it, as (place, JSON). Raises what a law raises, and
    /// InternalError for a job that a defect ended; the next call goes on with the next job.
    #[pyo3(signature = (_timeout_s, _enough = 1))]
    fn poll(
        &mut self,
        py: Python<'_>,
        _timeout_s: f64,
        _enough: usize,
    ) -> PyResult<Vec<(usize, Answer)>> {
        py.check_signals()?;
        let Some(job) = self.jobs.get(self.index) else { return Ok(Vec::new()) };
        let (mut work, step) = match self.at_work.take() {
            Some(at_work) => at_work,
            None => match self.begin(py, &job) {
                Ok(work) => (work, 0),
                Err(error) => {
                    self.index += 1;
                    return Err(error);
                }
            },
        };
        let part = f64::from(step + 1) / f64::from(STEPS);
        let advanced = guarded(|| work.advance(part));
        let time_s = work.now().since(base::Time::ZERO).as_secs();
        let error = match advanced {
            Ok(Ok(())) => None,
            Ok(Err(message)) => Some(Failure::Captures(message).raise(py)),
            Err(ended) => Some(ending(py, &job, ended, time_s)),
        };
        if let Some(error) = error {
            self.index += 1;
            return Err(error);
        }
        if step + 1 < STEPS {
            self.at_work = Some((work, step + 1));
            return Ok(Vec::new());
        }
        self.index += 1;
        let json =
            work.finish(&job.wanted).map_err(|message| Failure::Captures(message).raise(py))?;
        Ok(vec![(self.index - 1, json)])
    }

    /// Returns the share of all simulated time that is done, 0 to 1.
    fn fraction(&self) -> f64 {
        let steps = self.at_work.as_ref().map_or(0, |at_work| at_work.1);
        let done = self.index.min(self.jobs.len()) as f64 + f64::from(steps) / f64::from(STEPS);
        done / (self.jobs.len() as f64).max(1.0)
    }

    /// Lets nothing more run; what has finished stays.
    fn cancel(&mut self) {
        (self.index, self.at_work) = (self.jobs.len(), None);
    }
}

impl LawBatch {
    fn begin(&self, py: Python<'_>, job: &Job) -> PyResult<Work> {
        let make = |order: LawOrder<'_>| {
            let factory = self.factories.get(order.number as usize)?;
            Some(made(py, factory, order, true))
        };
        let run = guarded(|| Run::with_laws(&job.scenario, job.seed, job.replication, &make));
        run.map(|run| Work::new(run, job)).map_err(|ended| ending(py, job, ended, 0.0))
    }
}

/// The exception for a run that ended early, `time_s` seconds after its start.
fn ending(py: Python<'_>, job: &Job, ended: Ended, time_s: f64) -> PyErr {
    match ended {
        Ended::Python(stopped) => stopped.explain(py, time_s),
        Ended::Library(refusal) => Failure::Law(refusal.said(time_s)).raise(py),
        Ended::Defect(panic) => Failure::Defect(defect(job, &*panic)).raise(py),
    }
}
