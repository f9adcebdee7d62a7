//! One run at work, with the captures that are made of it.

use crate::files::Files;
use crate::jobs::{Job, Wanted};
use base::Time;
use capture::Capture;
use pyo3::IntoPyObject;
use scenario::{Run, Share};

/// The result of a finished run.
#[derive(IntoPyObject)]
pub enum Answer {
    /// Its result, with the panels of its page where they are wanted, as JSON.
    Json(String),
    /// Those of its numbers that were asked for; NaN where there is none.
    Numbers(Vec<f64>),
}

/// A run and its captures.
pub struct Work {
    run: Run,
    capture: Option<Capture<Files>>,
    end: Time,
    /// It is known that it cannot be divided, or it is.
    is_settled: bool,
}

impl Work {
    /// `run` of `job`, before it begins.
    pub fn new(run: Run, job: &Job) -> Work {
        let capture = job
            .captures
            .as_ref()
            .map(|(directory, wish)| Files::capture(&job.scenario, directory, wish));
        let end = Time::ZERO + job.scenario.plan.duration;
        Work {
            run: run.with_probes(&job.scenario, &job.probes),
            is_settled: capture.is_some(),
            capture,
            end,
        }
    }

    /// Simulates up to this part of the duration, 0 to 1.
    ///
    /// # Errors
    /// A capture could not be written.
    pub fn advance(&mut self, part: f64) -> Result<(), String> {
        match &mut self.capture {
            None => {
                self.run.advance(part);
                Ok(())
            }
            Some(capture) => {
                self.run.advance_watched(part, capture);
                capture.sink().result()
            }
        }
    }

    /// True where it cannot be divided, or is.
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Divides what is left, as [`Run::divide`] does; none where packets are captured, in the order of the whole run. It is
    /// tried once.
    pub fn divide(&mut self, most: usize) -> Vec<Share> {
        if most < 2 || std::mem::replace(&mut self.is_settled, true) {
            return Vec::new();
        }
        self.run.divide(most)
    }

    /// Simulates the first share of what was divided up to this part of the duration, 0 to 1.
    pub fn advance_share(&mut self, part: f64) {
        self.run.advance(part);
    }

    /// Takes all other shares again.
    pub fn unite(&mut self, others: Vec<Share>) {
        self.run.unite(others);
    }

    /// Returns the progress: the time of the last event.
    pub fn now(&self) -> Time {
        self.run.now()
    }

    /// It is not wanted any further: writes what has been captured so far.
    ///
    /// # Errors
    /// A capture could not be written.
    pub fn give_up(self) -> Result<(), String> {
        let now = self.now();
        self.capture.map_or(Ok(()), |capture| capture.finish(now).result())
    }

    /// Simulates what is left; the result as JSON, or only what is wanted of it.
    ///
    /// # Errors
    /// A capture could not be written.
    pub fn finish(mut self, wanted: &Wanted) -> Result<Answer, String> {
        self.advance(1.0)?;
        if let Some(capture) = self.capture {
            capture.finish(self.end).result()?;
        }
        let mut result = self.run.finish();
        Ok(match wanted {
            Wanted::Result => Answer::Json(result.to_json()),
            Wanted::Panels(steps) => {
                let tables = result.probes.take().unwrap_or_default();
                let json = result.to_json();
                let panels = panels::drawn_of_tables(&json, &tables, *steps)?;
                let open = json.strip_suffix('}').unwrap_or_default();
                Answer::Json(format!("{open},\"panels\":{panels}}}"))
            }
            Wanted::Numbers(leaves) => Answer::Numbers(leaves.of(&result)),
        })
    }
}
