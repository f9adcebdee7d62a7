//! The input of every part of the check, and the mistakes found so far.

use crate::at::Problem;
use crate::files::Files;
use crate::mismatch::Schema;
use crate::overlays::Overlays;
use crate::spec::ScenarioSpec;
use std::cell::RefCell;

/// A scenario under check.
pub struct Context<'a> {
    /// The tables of the file.
    pub spec: &'a ScenarioSpec,
    /// The documents laid under the file.
    pub overlays: Overlays,
    /// The files that the scenario names.
    pub files: &'a Files,
    /// The problems found so far.
    problems: RefCell<Vec<Problem>>,
}

impl<'a> Context<'a> {
    /// Begins the check of a scenario; `schema` is that of the format, for messages about wrong types.
    pub fn new(spec: &'a ScenarioSpec, files: &'a Files, schema: &Schema<'_>) -> Context<'a> {
        let named = spec.conventions();
        let mut problems = Vec::new();
        let overlays = Overlays::of(&named, (files, schema), &mut problems);
        Context { spec, overlays, files, problems: RefCell::new(problems) }
    }

    /// Returns the result of a part of the check and keeps its problem, so that independent parts continue.
    pub fn keep<T>(&self, checked: Result<T, Problem>) -> Option<T> {
        match checked {
            Ok(value) => Some(value),
            Err(problem) => {
                self.refuse(problem);
                None
            }
        }
    }

    /// Keeps a problem.
    pub fn refuse(&self, problem: Problem) {
        let mut problems = self.problems.borrow_mut();
        // A mistake that several parts inherit is reported once.
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }

    /// Returns true after a problem: parts that depend on all before them are then not checked.
    pub fn is_wrong(&self) -> bool {
        !self.problems.borrow().is_empty()
    }

    /// Returns all problems in the order of the text, those without a place last.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.problems.take();
        problems.sort_by_key(|problem| (problem.place.is_empty(), problem.place.start));
        problems
    }
}
