//! A law that is a class in Python.
//!
//! It runs on the thread that calls, attached to the interpreter all the while. An exception cannot travel through
//! the simulator, whose laws return nothing: it ends the run by unwinding to [`guarded`], in this crate, and the run is
//! dropped. No panic is reported; nothing of the kind crosses into Python.

mod arguments;

use crate::plugin::{LawLibrary, Refusal};
use crate::text::Text;
pub use arguments::{Ack, Window};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use scenario::{KnownLaw, LawOrder, Laws};
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use transport::tcp::law::{Custom, Law, Loss};

/// A Python object as a law.
struct PyLaw {
    object: Py<PyAny>,
    methods: Methods,
    /// (w, ack), the same objects at each call.
    arguments: Py<PyTuple>,
    window: Py<Window>,
    ack: Py<Ack>,
    /// The flow's name, for messages.
    flow: Arc<str>,
    /// The object's `model_based`.
    model_based: bool,
    /// A window below its floor counts as the floor; false: it is shown as it is.
    floors: bool,
}

/// The methods of the object; `None`: the base class' method, which does nothing.
struct Methods {
    on_ack: Py<PyAny>,
    on_loss: Py<PyAny>,
    on_recovered: Option<Py<PyAny>>,
    on_idle: Option<Py<PyAny>>,
    pacing_rate: Option<Py<PyAny>>,
}

/// The reason why a law ended a run.
pub struct Stopped {
    error: PyErr,
    object: Option<Py<PyAny>>,
    method: &'static str,
    flow: Arc<str>,
}

impl Stopped {
    /// The exception to raise, where the run had come to `time_s`, seconds.
    pub fn explain(self, py: Python<'_>, time_s: f64) -> PyErr {
        let object = self.object.unwrap_or_else(|| py.None());
        // By `into_value`: it hangs the traceback on the exception, where Python looks for it.
        let place = (self.error.into_value(py), object, self.method, &*self.flow, time_s);
        let explained = py.import("lasthop.law").and_then(|law| law.call_method1("explain", place));
        explained.map_or_else(|error| error, PyErr::from_value)
    }
}

/// The reason for an early end of a piece of work.
pub enum Ended {
    /// A law in Python.
    Python(Stopped),
    /// A law of a library.
    Library(Refusal),
    /// A defect of lasthop.
    Defect(Box<dyn Any + Send>),
}

/// Does what laws from outside may end.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Ended> {
    // What `work` borrows is looked at for messages and then dropped.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Stopped>() {
        Ok(stopped) => Ended::Python(*stopped),
        Err(payload) => match payload.downcast::<Refusal>() {
            Ok(refusal) => Ended::Library(*refusal),
            Err(panic) => Ended::Defect(panic),
        },
    })
}

/// Makes the law of a flow, by a maker in Python or a library. `floors`: a window below its floor counts as the floor.
pub fn made(py: Python<'_>, maker: &Py<PyAny>, order: LawOrder<'_>, floors: bool) -> Custom {
    match maker.bind(py).cast::<LawLibrary>() {
        Ok(library) => library.get().make(&order, floors),
        Err(_) => Custom::new(PyLaw::make(py, maker, order, floors)),
    }
}

fn stop(stopped: Stopped) -> ! {
    resume_unwind(Box::new(stopped))
}

/// Returns the laws from outside for a scenario: their names, and whether they model the path.
pub fn laws_of(
    py: Python<'_>,
    laws: &[(Text, Py<PyAny>)],
    everywhere: Option<u32>,
) -> PyResult<Laws> {
    let known = |(name, factory): &(Text, Py<PyAny>)| {
        let model_based = is_model_based(factory.bind(py))?;
        Ok(KnownLaw { name: name.0.to_string(), model_based })
    };
    Ok(Laws { known: laws.iter().map(known).collect::<PyResult<_>>()?, everywhere })
}

/// Returns the attribute of a law or of its class; false where there is none.
fn is_model_based(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let said = object.getattr_opt(intern!(object.py(), "model_based"))?;
    said.map_or(Ok(false), |said| said.is_truthy())
}

impl PyLaw {
    /// Calls `factory` for the law of a flow, with what the scenario sets as keyword arguments.
    fn make(py: Python<'_>, factory: &Py<PyAny>, order: LawOrder<'_>, floors: bool) -> PyLaw {
        let flow: Arc<str> = order.flow.into();
        let options = || {
            let options = PyDict::new(py);
            for name in order.options.names() {
                options.set_item(name, order.options.get(name))?;
            }
            Ok(options)
        };
        let made = options().and_then(|options| factory.bind(py).call((), Some(&options)));
        made.and_then(|object| PyLaw::of(&object, flow.clone(), floors)).unwrap_or_else(|error| {
            let object = Some(factory.clone_ref(py));
            stop(Stopped { error, object, method: "__init__", flow })
        })
    }

    fn of(object: &Bound<'_, PyAny>, flow: Arc<str>, floors: bool) -> PyResult<PyLaw> {
        let py = object.py();
        let methods = py.import("lasthop.law")?.call_method1("methods", (object,))?;
        let (on_ack, on_loss, on_recovered, on_idle, pacing_rate) = methods.extract()?;
        let methods = Methods { on_ack, on_loss, on_recovered, on_idle, pacing_rate };
        let (window, ack) = (Py::new(py, Window::default())?, Py::new(py, Ack::default())?);
        let arguments = (window.clone_ref(py), ack.clone_ref(py)).into_pyobject(py)?.unbind();
        let model_based = is_model_based(object)?;
        let object = object.clone().unbind();
        Ok(PyLaw { object, methods, arguments, window, ack, flow, model_based, floors })
    }

    fn stop(&self, py: Python<'_>, method: &'static str, error: PyErr) -> ! {
        let object = Some(self.object.clone_ref(py));
        stop(Stopped { error, object, method, flow: self.flow.clone() })
    }

    /// Lets the law work on the window.
    fn work(
        &self,
        w: &mut transport::tcp::Window,
        method: &'static str,
        call: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>,
    ) {
        Python::attach(|py| {
            let worked = self
                .lend(py, w)
                .and_then(|()| call(py))
                .and_then(|given| self.refuse_unfinished(py, &given))
                .and_then(|()| self.take(py, w));
            if let Err(error) = worked {
                self.stop(py, method, error);
            }
        });
    }

    fn lend(&self, py: Python<'_>, w: &transport::tcp::Window) -> PyResult<()> {
        self.window.bind(py).try_borrow_mut()?.0 = *w;
        Ok(())
    }

    fn take(&self, py: Python<'_>, w: &mut transport::tcp::Window) -> PyResult<()> {
        let after = self.window.bind(py).try_borrow()?.0;
        let floor = |after: f64, before: f64, least: f64| {
            if self.floors && after != before { after.max(least) } else { after }
        };
        w.cwnd = floor(after.cwnd, w.cwnd, 1.0);
        w.ssthresh = floor(after.ssthresh, w.ssthresh, 2.0);
        Ok(())
    }

    /// A method with `yield` or `await` gives something that would still have to be run: nothing of it has been.
    fn refuse_unfinished(&self, py: Python<'_>, given: &Py<PyAny>) -> PyResult<()> {
        if given.is_none(py) {
            return Ok(());
        }
        py.import(intern!(py, "lasthop.law"))?
            .call_method1(intern!(py, "refuse_unfinished"), (given,))
            .map(drop)
    }

    /// New arguments where the law has kept the last ones: what it kept stays as it was.
    fn renew(&mut self, py: Python<'_>) -> PyResult<()> {
        // Ours and the tuple's.
        if arguments::references(&self.window, py) > 2 || arguments::references(&self.ack, py) > 2 {
            (self.window, self.ack) =
                (Py::new(py, Window::default())?, Py::new(py, Ack::default())?);
            let both = (self.window.clone_ref(py), self.ack.clone_ref(py));
            self.arguments = both.into_pyobject(py)?.unbind();
        }
        Ok(())
    }
}

impl Law for PyLaw {
    fn on_ack(&mut self, w: &mut transport::tcp::Window, a: &transport::tcp::law::Ack) {
        Python::attach(|py| {
            if let Err(error) = self.renew(py) {
                self.stop(py, "on_ack", error);
            }
        });
        self.work(w, "on_ack", |py| {
            self.ack.bind(py).try_borrow_mut()?.0 = *a;
            self.methods.on_ack.call1(py, self.arguments.bind(py))
        });
    }

    fn on_loss(&mut self, w: &mut transport::tcp::Window, why: Loss, base: f64) {
        self.work(w, "on_loss", |py| {
            let why = match why {
                Loss::DupAcks => intern!(py, "dup_acks"),
                Loss::Timeout => intern!(py, "timeout"),
                Loss::EcnMark => intern!(py, "ecn_mark"),
            };
            self.methods.on_loss.call1(py, (&self.window, why, base))
        });
    }

    fn on_recovered(&mut self, w: &mut transport::tcp::Window) {
        if let Some(method) = &self.methods.on_recovered {
            self.work(w, "on_recovered", |py| method.call1(py, (&self.window,)));
        }
    }

    fn on_idle(&mut self, w: &mut transport::tcp::Window) {
        if let Some(method) = &self.methods.on_idle {
            self.work(w, "on_idle", |py| method.call1(py, (&self.window,)));
        }
    }

    fn pacing_rate(&self) -> Option<f64> {
        let method = self.methods.pacing_rate.as_ref()?;
        Python::attach(|py| {
            let rate = method.call0(py).and_then(|rate| arguments::rate(rate.bind(py)));
            rate.unwrap_or_else(|error| self.stop(py, "pacing_rate", error))
        })
    }

    fn model_based(&self) -> bool {
        self.model_based
    }
}

impl Clone for PyLaw {
    fn clone(&self) -> PyLaw {
        Python::attach(|py| {
            let copied = py
                .import(intern!(py, "copy"))
                .and_then(|copy| copy.call_method1(intern!(py, "deepcopy"), (&self.object,)))
                .and_then(|object| PyLaw::of(&object, self.flow.clone(), self.floors));
            copied.unwrap_or_else(|error| self.stop(py, "__deepcopy__", error))
        })
    }
}

impl fmt::Debug for PyLaw {
    // No address: a law prints as its replay does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PyLaw({})", self.flow)
    }
}
