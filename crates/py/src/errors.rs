//! Turns mistakes into the errors of `lasthop.errors`.

use base::Named;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// An error as a class of `lasthop.errors`.
pub fn raise(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = py
        .import("lasthop.errors")
        .and_then(|errors| errors.getattr(class))
        .and_then(|class| class.call1((message,)));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Returns the mistakes of a scenario as a ScenarioError: the first one, and the number of others.
pub fn refused(py: Python<'_>, errors: &[scenario::Error]) -> PyErr {
    let Some(first) = errors.first() else { return raise(py, "ScenarioError", "") };
    let more = match errors.len() {
        1 => String::new(),
        2 => "\nThere is another mistake; `lasthop check` shows both.".to_owned(),
        all => format!("\nThere are {} more mistakes; `lasthop check` shows all.", all - 1),
    };
    wrong(py, first, &more)
}

/// A path as a tuple of keys and places in lists.
pub fn path_of<'py>(py: Python<'py>, path: &[scenario::Step]) -> PyResult<Bound<'py, PyTuple>> {
    let step = |step: &scenario::Step| match step {
        scenario::Step::Key(key) => key.into_bound_py_any(py),
        scenario::Step::Place(place) => place.into_bound_py_any(py),
    };
    PyTuple::new(py, path.iter().map(step).collect::<PyResult<Vec<_>>>()?)
}

/// A mistake as a ScenarioError, with its code, path and place.
pub fn wrong(py: Python<'_>, error: &scenario::Error, more: &str) -> PyErr {
    let make = || {
        let about = PyDict::new(py);
        about.set_item("code", error.code.name())?;
        about.set_item("path", path_of(py, &error.path)?)?;
        about.set_item("place", error.line_and_column())?;
        about.set_item("change", error.change())?;
        if let scenario::Place::File { name, .. } = &error.place {
            about.set_item("file", name)?;
        }
        about.set_item("shown", format!("{error}{more}"))?;
        let class = py.import("lasthop.errors")?.getattr("ScenarioError")?;
        class.call((&error.message,), Some(&about))
    };
    make().map_or_else(|error| error, PyErr::from_value)
}
