//! A law that is compiled outside lasthop, as a library of the system's: `lasthop new law NAME --rust` makes its crate.
//!
//! It runs on any thread, and is not asked for more than its numbers. One that makes no sense, or a panic of the law's, ends the
//! run by unwinding, as with a law in Python (`law.rs`).

mod files;
mod raw;

use crate::errors::raise;
use pyo3::prelude::*;
use raw::{Loaded, State};
use scenario::{KnownLaw, LawOrder};
use std::fmt;
use std::panic::resume_unwind;
use std::sync::Arc;
use transport::tcp::Window;
use transport::tcp::law::{Ack, Custom, Law, Loss};

/// The files of the border, which a crate of a law has too: their names there, and their text.
pub const SOURCES: [(&str, &str); 2] = [
    ("outside.rs", include_str!("../../transport/src/tcp/outside.rs")),
    ("window.rs", include_str!("../../transport/src/tcp/window.rs")),
];

/// A library with a law. It is no function: only a run makes the law of a flow.
#[pyclass(frozen, module = "lasthop.law")]
pub struct LawLibrary {
    loaded: &'static Loaded,
    path: Arc<str>,
    digest: String,
}

#[pymethods]
impl LawLibrary {
    /// Loads a library of this content, whose digest names it: one that has been loaded before is not loaded again. `path` is what
    /// messages call it. Raises LawError.
    #[new]
    fn new(py: Python<'_>, path: &str, content: &[u8], digest: String) -> PyResult<LawLibrary> {
        let loaded = files::loaded(path, content, &digest)
            .map_err(|why| raise(py, "LawError", &format!("{path}: error: {why}")))?;
        Ok(LawLibrary { loaded, path: path.into(), digest })
    }

    /// The law's name.
    #[getter]
    fn name(&self) -> &str {
        &self.loaded.name
    }

    /// The file, as it was named.
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    /// The name of its content.
    #[getter]
    fn digest(&self) -> &str {
        &self.digest
    }

    /// The law holds a model of the path as BBR does.
    #[getter]
    fn model_based(&self) -> bool {
        self.loaded.model_based
    }

    /// The window after a timeout, segments, for `lasthop conformance law`.
    #[getter]
    fn timeout_leaves(&self) -> f64 {
        self.loaded.timeout_leaves
    }

    /// Raises LawError: a law of a library has no object in Python.
    #[pyo3(signature = (**_options))]
    fn __call__(&self, py: Python<'_>, _options: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let message = format!("{}: error: only a run can make a law of a library", self.path);
        Err(raise(py, "LawError", &message))
    }

    fn __repr__(&self) -> String {
        format!("LawLibrary({:?})", &*self.path)
    }
}

impl LawLibrary {
    /// The law as a scenario knows it, by this name.
    pub fn known(&self, name: String) -> KnownLaw {
        KnownLaw { name, model_based: self.loaded.model_based }
    }

    /// Makes the law of a flow. `floors`: a window below its floor counts as the floor.
    pub fn make(&self, order: &LawOrder<'_>, floors: bool) -> Custom {
        let names: Vec<&str> = order.options.names().collect();
        let options: Vec<(&str, f64)> =
            names.into_iter().filter_map(|name| Some((name, order.options.get(name)?))).collect();
        let about =
            About { path: self.path.clone(), loaded: self.loaded, flow: order.flow.into(), floors };
        let (state, pace) =
            State::create(self.loaded, &options).unwrap_or_else(|why| about.stop("new", why));
        let pace = about.pace("new", pace);
        Custom::new(PluginLaw { state, pace, about })
    }
}

/// The reason why a law of a library ended a run.
pub struct Refusal {
    about: About,
    method: &'static str,
    why: String,
}

impl Refusal {
    /// Says it, where the run had come to `time_s`, seconds; not a number: outside a run.
    pub fn said(&self, time_s: f64) -> String {
        let About { path, loaded, flow, .. } = &self.about;
        let when = if time_s.is_nan() { String::new() } else { format!(" at {time_s:.6} s") };
        let (name, method, why) = (&loaded.name, self.method, &self.why);
        format!("{path}: error: {why}\n in {name}::{method}, flow {flow}{when}")
    }
}

/// What messages need to know of a law, and how its numbers are taken.
#[derive(Clone)]
struct About {
    path: Arc<str>,
    loaded: &'static Loaded,
    flow: Arc<str>,
    floors: bool,
}

/// A law of a library for one flow.
struct PluginLaw {
    state: State,
    pace: Option<f64>,
    about: About,
}

impl About {
    #[cold]
    fn stop(&self, method: &'static str, why: String) -> ! {
        resume_unwind(Box::new(Refusal { about: self.clone(), method, why }))
    }

    /// Takes a pacing rate, segments/s.
    #[inline]
    fn pace(&self, method: &'static str, pace: Option<f64>) -> Option<f64> {
        if let Some(rate) = pace {
            // No `is_finite`, which compilers turn into a dozen steps on bits, taken without a rate too.
            if !(rate > 0.0 && rate < f64::INFINITY) {
                self.strange_pace(method, rate);
            }
        }
        pace
    }

    #[cold]
    fn strange_pace(&self, method: &'static str, rate: f64) -> ! {
        let why = "allowed: segments/s above 0, or None";
        self.stop(method, format!("a pacing rate of {rate}; {why}"))
    }

    /// Takes the window, which had these numbers before.
    #[inline]
    fn window(&self, method: &'static str, w: &mut Window, before: (f64, f64)) {
        // Nearly every window is one that nothing is wrong with.
        if !(w.cwnd >= 1.0 && w.cwnd < f64::INFINITY && w.ssthresh >= 2.0) {
            self.strange_window(method, w, before);
        }
    }

    /// Takes a window that is below a floor, or no window.
    #[cold]
    fn strange_window(&self, method: &'static str, w: &mut Window, before: (f64, f64)) {
        let Window { cwnd, ssthresh, .. } = *w;
        if !(cwnd.is_finite() && cwnd >= 0.0) {
            let why = "allowed: a finite number of segments, 1 or more";
            self.stop(method, format!("cwnd = {cwnd}; {why}"));
        }
        if ssthresh.is_nan() || ssthresh < 0.0 {
            self.stop(method, format!("ssthresh = {ssthresh}; allowed: segments, 2 or more"));
        }
        let floor = |after: f64, before: f64, least: f64| {
            if self.floors && after != before { after.max(least) } else { after }
        };
        w.cwnd = floor(cwnd, before.0, 1.0);
        w.ssthresh = floor(ssthresh, before.1, 2.0);
    }
}

impl PluginLaw {
    /// Lets the law work on the window.
    #[inline]
    fn work(
        &mut self,
        w: &mut Window,
        method: &'static str,
        call: impl FnOnce(&mut State, &mut Window) -> Result<Option<f64>, String>,
    ) {
        let before = (w.cwnd, w.ssthresh);
        match call(&mut self.state, w) {
            Ok(pace) => {
                self.about.window(method, w, before);
                self.pace = self.about.pace(method, pace);
            }
            Err(why) => self.about.stop(method, why),
        }
    }
}

impl Law for PluginLaw {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.work(w, "on_ack", |state, w| state.on_ack(w, a));
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        self.work(w, "on_loss", |state, w| state.on_loss(w, why, base));
    }

    fn on_recovered(&mut self, w: &mut Window) {
        self.work(w, "on_recovered", State::on_recovered);
    }

    fn on_idle(&mut self, w: &mut Window) {
        self.work(w, "on_idle", State::on_idle);
    }

    fn pacing_rate(&self) -> Option<f64> {
        self.pace
    }

    fn model_based(&self) -> bool {
        self.about.loaded.model_based
    }
}

impl Clone for PluginLaw {
    fn clone(&self) -> PluginLaw {
        let state = self.state.copy().unwrap_or_else(|why| self.about.stop("clone", why));
        PluginLaw { state, pace: self.pace, about: self.about.clone() }
    }
}

impl fmt::Debug for PluginLaw {
    // No address: a law prints as its replay does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PluginLaw({})", self.about.flow)
    }
}
