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
use transport::tcp::law::{Ack, Custom, Law, Loss};
use transport::tcp::outside::{Known, RawAck, Turn};
use transport::tcp::{TcpConfig, Window};

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
        let mut turn = turn(&TcpConfig::default().window());
        let about =
            About { path: self.path.clone(), loaded: self.loaded, flow: order.flow.into(), floors };
        let state = State::create(self.loaded, &options, &mut turn)
            .unwrap_or_else(|why| about.stop("new", why));
        let pace = about.pace("new", turn.pace);
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

fn turn(window: &Window) -> Turn {
    Turn { window: *window, pace: None.into() }
}

impl About {
    #[cold]
    fn stop(&self, method: &'static str, why: String) -> ! {
        resume_unwind(Box::new(Refusal { about: self.clone(), method, why }))
    }

    /// Takes a pacing rate, segments/s.
    fn pace(&self, method: &'static str, pace: Known<f64>) -> Option<f64> {
        let pace = pace.get();
        match pace {
            Some(rate) if !(rate.is_finite() && rate > 0.0) => self.stop(
                method,
                format!("a pacing rate of {rate}; allowed: segments/s above 0, or None"),
            ),
            pace => pace,
        }
    }

    /// Takes the window.
    fn window(&self, method: &'static str, w: &mut Window, after: &Window) {
        let Window { cwnd, ssthresh, .. } = *after;
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
        let (cwnd, ssthresh) = (floor(cwnd, w.cwnd, 1.0), floor(ssthresh, w.ssthresh, 2.0));
        *w = w.moved_to(after);
        (w.cwnd, w.ssthresh) = (cwnd, ssthresh);
    }
}

impl PluginLaw {
    /// Lets the law work on the window.
    fn work(
        &mut self,
        w: &mut Window,
        method: &'static str,
        call: impl FnOnce(&mut State, &mut Turn) -> Result<(), String>,
    ) {
        let mut turn = turn(w);
        if let Err(why) = call(&mut self.state, &mut turn) {
            self.about.stop(method, why);
        }
        self.about.window(method, w, &turn.window);
        self.pace = self.about.pace(method, turn.pace);
    }
}

impl Law for PluginLaw {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        let ack = raw(a);
        self.work(w, "on_ack", |state, turn| state.on_ack(turn, &ack));
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        self.work(w, "on_loss", |state, turn| state.on_loss(turn, why, base));
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

/// An acknowledgement as it crosses the border.
fn raw(a: &Ack) -> RawAck {
    RawAck {
        now_ns: a.now.0,
        rtt_ns: a.rtt.map(|span| span.0).into(),
        srtt_ns: a.srtt.map(|span| span.0).into(),
        min_rtt_ns: a.min_rtt.map(|span| span.0).into(),
        delivery_rate: a.delivery_rate.into(),
        acked: a.acked,
        flight: a.flight,
        inflight: a.inflight,
        delivered: a.delivered,
        delivered_at_send: a.delivered_at_send,
        lost: a.lost,
        marked: a.marked,
        mss: a.mss,
        app_limited: a.app_limited,
        in_recovery: a.in_recovery,
        round_ended: a.round_ended,
        rate_app_limited: a.rate_app_limited,
        ece: a.ece,
    }
}
