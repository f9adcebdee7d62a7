//! A law from outside under the checks that lasthop's own laws pass.

use crate::batch::words;
use crate::errors::raise;
use crate::law::{Ended, guarded, made};
use base::Options;
use conformance::laws::{CHECKS, Subject};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use scenario::LawOrder;
use transport::tcp::law::AnyLaw;

/// Puts a law to every check: (id, what it asks, what is wrong or None).
pub fn check(
    py: Python<'_>,
    factory: &Py<PyAny>,
    timeout_leaves: f64,
) -> PyResult<Vec<(&'static str, &'static str, Option<String>)>> {
    let options = Options::default();
    let make = || {
        let order = LawOrder { number: 0, flow: "of the check", options: &options };
        AnyLaw::Custom(made(py, factory, order, false))
    };
    let subject = Subject { make: &make, timeout_leaves };
    let mut rows = Vec::with_capacity(CHECKS.len());
    for check in CHECKS {
        py.check_signals()?;
        let wrong = match guarded(|| check.run(&subject)) {
            Ok(result) => result.err(),
            Err(Ended::Python(stopped)) => {
                let error = stopped.explain(py, f64::NAN);
                if !error.is_instance_of::<PyException>(py) {
                    return Err(error);
                }
                Some(error.value(py).to_string())
            }
            Err(Ended::Library(refusal)) => Some(refusal.said(f64::NAN)),
            Err(Ended::Defect(panic)) => {
                let message = format!("internal error in check {}: {}", check.id, words(&*panic));
                return Err(raise(py, "InternalError", &message));
            }
        };
        rows.push((check.id, check.about, wrong));
    }
    Ok(rows)
}
