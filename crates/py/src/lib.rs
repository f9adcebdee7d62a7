//! The Python module `lasthop._core`: text in, JSON text out. Threads live here and nowhere below.

mod attached;
mod batch;
mod conformity;
mod errors;
mod files;
mod jobs;
mod law;
mod outbox;
mod plugin;
mod spare;
mod table;
mod text;
mod work;

use pyo3::prelude::*;
use pyo3::types::PyModule;

#[pymodule]
mod _core {
    use super::PyModule;
    use super::errors::{path_of, refused, wrong};
    use super::jobs::files_of;
    use super::table;
    use super::text::{Label, Text, strings};
    use pyo3::prelude::*;
    use pyo3::pybacked::PyBackedBytes;
    use pyo3::types::{PyBytes, PyTuple};

    /// The path of a value, and line and column of its key and of the value.
    type Placed<'py> = (Bound<'py, PyTuple>, (usize, usize), (usize, usize));

    #[pymodule_export]
    use super::attached::LawBatch;
    #[pymodule_export]
    use super::batch::{Batch, Numbers};
    #[pymodule_export]
    use super::jobs::Files;
    #[pymodule_export]
    use super::law::{Ack, Window};
    #[pymodule_export]
    use super::plugin::LawLibrary;

    /// Checks a scenario that may name these laws beside lasthop's own, and these files; raises ScenarioError where it is wrong.
    #[pyfunction]
    #[pyo3(signature = (text, file, overrides = Vec::new(), laws = (Vec::new(), None), files = None))]
    fn check(
        py: Python<'_>,
        text: Text,
        file: Label,
        overrides: Vec<Text>,
        laws: (Vec<(Text, Py<PyAny>)>, Option<u32>),
        files: Option<Py<Files>>,
    ) -> PyResult<()> {
        let laws = super::law::laws_of(py, &laws.0, laws.1)?;
        let files = files_of(files.as_ref());
        match scenario::check_all(&text.0, &file.0, &strings(overrides), (&laws, &files)) {
            Ok(_) => Ok(()),
            Err(errors) => Err(refused(py, &errors)),
        }
    }

    /// All that is wrong with what is written in a scenario, in the order of the text, each as a ScenarioError; where that is
    /// nothing, the contradictions in it. `laws` and `files` as in `check`.
    #[pyfunction]
    #[pyo3(signature = (text, file, overrides = Vec::new(), laws = (Vec::new(), None), files = None))]
    fn mistakes(
        py: Python<'_>,
        text: Text,
        file: Label,
        overrides: Vec<Text>,
        laws: (Vec<(Text, Py<PyAny>)>, Option<u32>),
        files: Option<Py<Files>>,
    ) -> PyResult<Vec<PyErr>> {
        let laws = super::law::laws_of(py, &laws.0, laws.1)?;
        let files = files_of(files.as_ref());
        let checked = scenario::check_all(&text.0, &file.0, &strings(overrides), (&laws, &files));
        Ok(checked.err().iter().flatten().map(|error| wrong(py, error, "")).collect())
    }

    /// False where this text, a scenario or a change to one, names no file.
    #[pyfunction]
    fn may_name_files(text: Text) -> bool {
        scenario::may_name_files(&text.0)
    }

    /// The names of the files that a scenario names, such as traces; raises ScenarioError where it is no scenario and may name
    /// some.
    #[pyfunction]
    #[pyo3(signature = (text, file, overrides = Vec::new()))]
    fn files_named(
        py: Python<'_>,
        text: Text,
        file: Label,
        overrides: Vec<Text>,
    ) -> PyResult<Vec<String>> {
        scenario::files_named(&text.0, &file.0, &strings(overrides))
            .map_err(|error| wrong(py, &error, ""))
    }

    /// Returns the facts about a scenario that a study needs before it runs: an identity that covers
    /// everything its results depend on besides seed and replication, in 32 digits; its own seed; its result
    /// before anything has happened, as JSON; its warm-up, s; and whether any part of it may draw a random number.
    /// It may name these laws (their code is not in the digits) and files. Raises ScenarioError.
    #[pyfunction]
    #[pyo3(signature = (text, file, overrides = Vec::new(), files = None, laws = (Vec::new(), None)))]
    fn outline(
        py: Python<'_>,
        text: Text,
        file: Label,
        overrides: Vec<Text>,
        files: Option<Py<Files>>,
        laws: (Vec<(Text, Py<PyAny>)>, Option<u32>),
    ) -> PyResult<(String, u64, String, f64, bool)> {
        let laws = super::law::laws_of(py, &laws.0, laws.1)?;
        let files = files_of(files.as_ref());
        // A study asks for up to 100,000, in several threads.
        let found = py.detach(|| {
            let overrides = strings(overrides);
            let read = scenario::resolve(&text.0, &file.0, &overrides, (&laws, &files));
            read.map(|(known, resolved)| {
                let (warmup_s, may_draw) = (known.plan.warmup.as_secs(), known.plan.may_draw());
                (resolved.identity(), known.seed, scenario::outline(&known), warmup_s, may_draw)
            })
        });
        found.map_err(|errors| refused(py, &errors))
    }

    /// Returns the whole document that a scenario is run from, as TOML with a comment behind each value that says where it
    /// is from. `laws` and `files` as in `check`. Raises ScenarioError.
    #[pyfunction]
    #[pyo3(signature = (text, file, overrides = Vec::new(), laws = (Vec::new(), None), files = None))]
    fn resolved(
        py: Python<'_>,
        text: Text,
        file: Label,
        overrides: Vec<Text>,
        laws: (Vec<(Text, Py<PyAny>)>, Option<u32>),
        files: Option<Py<Files>>,
    ) -> PyResult<String> {
        let laws = super::law::laws_of(py, &laws.0, laws.1)?;
        let files = files_of(files.as_ref());
        match scenario::resolve(&text.0, &file.0, &strings(overrides), (&laws, &files)) {
            Ok((_, resolved)) => Ok(resolved.to_toml()),
            Err(errors) => Err(refused(py, &errors)),
        }
    }

    /// Returns the places of keys and values of a TOML document, by path (keys and places in lists): line and
    /// column of the key, line and column of the value, counted from 1. Raises ScenarioError where it is not
    /// TOML.
    #[pyfunction]
    fn toml_places<'py>(py: Python<'py>, text: Text, file: Label) -> PyResult<Vec<Placed<'py>>> {
        let places = scenario::toml_places(&text.0, &file.0);
        let places = places.map_err(|error| wrong(py, &error, ""))?;
        places.iter().map(|(path, key, value)| Ok((path_of(py, path)?, *key, *value))).collect()
    }

    /// Every kind of mistake, as JSON text: its code, what it means and what to do, and TOML that has it.
    #[pyfunction]
    fn codes() -> String {
        scenario::codes()
    }

    /// The known name that is nearest to a mistyped one; None where none is near enough to be meant.
    #[pyfunction]
    fn nearest(name: Label, known: Vec<Label>) -> Option<String> {
        let known = known.iter().map(|name| name.0.as_str());
        scenario::nearest(&name.0, known).map(str::to_owned)
    }

    /// The JSON Schema of the scenario format, as JSON text.
    #[pyfunction]
    fn schema() -> String {
        scenario::schema()
    }

    /// Every law, recovery, variant, channel, MAC and application, as JSON text: by kind, each with its name and a line about it.
    #[pyfunction]
    fn catalogue() -> String {
        scenario::catalogue()
    }

    /// Every quantity of a result, as JSON text: what it is called, its unit and its bounds, what several objects' add up to.
    #[pyfunction]
    fn quantities() -> String {
        scenario::quantities()
    }

    /// Returns the columns of every probe's table and their types, as JSON text: by probe, [name, type] of
    /// each in their order.
    #[pyfunction]
    fn probe_columns() -> String {
        scenario::probe_columns()
    }

    /// Returns the findings about a result, as JSON text: (rule, what, why, advice) of each. Raises
    /// ValueError where it is not JSON.
    #[pyfunction]
    fn noticed(result: &str) -> PyResult<Vec<(&'static str, String, &'static str, String)>> {
        let found = noticing::noticed(result).map_err(pyo3::exceptions::PyValueError::new_err)?;
        Ok(found.into_iter().map(|each| (each.rule, each.what, each.why, each.advice)).collect())
    }

    /// Returns what limited the flows of a result with the measure `limits`, as JSON text: a list of tables with cause, flows,
    /// at, what and shown_by. Raises ValueError where it is not JSON.
    #[pyfunction]
    fn limited(result: &str) -> PyResult<String> {
        noticing::limited_as_json(result).map_err(pyo3::exceptions::PyValueError::new_err)
    }

    /// Returns the panels of a page about a result with its probes, over `steps` steps, as JSON text
    /// (crates/panels). Raises ValueError where the text is not such a result.
    #[pyfunction]
    fn panels(py: Python<'_>, result: &str, steps: usize) -> PyResult<String> {
        let drawn = py.detach(|| ::panels::drawn(result, steps));
        drawn.map_err(pyo3::exceptions::PyValueError::new_err)
    }

    /// Returns the thresholds of findings that other code uses too, by name.
    #[pyfunction]
    fn noticing_thresholds() -> Vec<(&'static str, f64)> {
        noticing::thresholds::SHARED.to_vec()
    }

    /// Checks the names of probes and their step, with its unit; the step in seconds. Raises UsageError.
    #[pyfunction]
    #[pyo3(signature = (names, step = None))]
    fn check_probes(py: Python<'_>, names: Vec<Text>, step: Option<Text>) -> PyResult<Option<f64>> {
        let probes = super::jobs::probes_of(py, (names, step))?;
        Ok(probes.step.map(base::Span::as_secs))
    }

    /// Returns the files that a crate of a law has of lasthop's: the name and the text of each.
    #[pyfunction]
    fn law_sources() -> Vec<(&'static str, &'static str)> {
        super::plugin::SOURCES.to_vec()
    }

    /// Puts a law from outside to every check of conformance: (id, what it asks, what is wrong or None).
    #[pyfunction]
    fn check_law(
        py: Python<'_>,
        factory: Py<PyAny>,
        timeout_leaves: f64,
    ) -> PyResult<Vec<(&'static str, &'static str, Option<String>)>> {
        super::conformity::check(py, &factory, timeout_leaves)
    }

    /// Writes columns and metadata (texts by key) as a Parquet file. Raises ValueError where columns do not fit together.
    #[pyfunction]
    fn parquet_written(
        py: Python<'_>,
        columns: Vec<table::Given>,
        metadata: Vec<(Text, Text)>,
    ) -> PyResult<Py<PyBytes>> {
        table::written(py, columns, metadata)
    }

    /// Reads the columns and the metadata of a Parquet file. Raises ValueError where it is none, is damaged or holds other types.
    #[pyfunction]
    fn parquet_read(py: Python<'_>, content: PyBackedBytes) -> PyResult<table::Taken> {
        table::read(py, content)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        // The version, and a hash of the sources that decide results: build.rs.
        module.add("__engine__", env!("LASTHOP_ENGINE"))
    }
}
