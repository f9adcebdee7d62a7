//! What every part of the check is given, and the mistakes that they find.

use crate::at::Problem;
use crate::files::Files;
use crate::overlays::Overlays;
use crate::spec::ScenarioSpec;
use serde_json::Value as Json;
use std::cell::RefCell;

/// A scenario under check.
pub struct Context<'a> {
    /// What the file says.
    pub spec: &'a ScenarioSpec,
    /// The documents under what the file says.
    pub overlays: Overlays,
    /// The files that the scenario names.
    pub files: &'a Files,
    /// What is wrong so far.
    problems: RefCell<Vec<Problem>>,
}

impl<'a> Context<'a> {
    /// A scenario of which nothing is checked yet; `schema` is that of the format, of which mistakes in types are told.
    pub fn new(spec: &'a ScenarioSpec, files: &'a Files, schema: &dyn Fn() -> Json) -> Context<'a> {
        let named = spec.conventions();
        let mut problems = Vec::new();
        let overlays = Overlays::of(&named, (files, schema), &mut problems);
        Context { spec, overlays, files, problems: RefCell::new(problems) }
    }

    /// What came out of a part of the check. Its problem is kept, so that what does not rest on this part goes on.
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
        // What several parts inherit is told once.
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }

    /// True where something is wrong: what rests on all before it is not worth a look.
    pub fn is_wrong(&self) -> bool {
        !self.problems.borrow().is_empty()
    }

    /// All that is wrong, in the order of the text; what has no place in it comes last.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.problems.take();
        problems.sort_by_key(|problem| (problem.place.is_empty(), problem.place.start));
        problems
    }
}
