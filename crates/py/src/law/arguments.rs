//! Arguments of a law in Python: the window, which it may set, and the acknowledgement.

use base::{Span, Time};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use transport::tcp::law::Loss;
use transport::tcp::{self, TcpConfig};

/// The number of holders of an object.
#[expect(deprecated, reason = "what takes its place is unsafe code")]
pub fn references<T>(object: &Py<T>, py: Python<'_>) -> isize {
    object.get_refcnt(py)
}

/// A pacing rate, segments/s, or none.
pub fn rate(value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    let rate: Option<f64> = value.extract()?;
    match rate {
        Some(rate) if !(rate.is_finite() && rate > 0.0) => {
            let message = format!("a pacing rate of {rate}; allowed: segments/s above 0, or None");
            Err(PyValueError::new_err(message))
        }
        rate => Ok(rate),
    }
}

/// The two numbers that a law moves, in segments.
#[pyclass(module = "lasthop.law")]
pub struct Window(pub tcp::Window);

impl Default for Window {
    fn default() -> Window {
        Window(TcpConfig::default().window())
    }
}

#[pymethods]
impl Window {
    /// Congestion window, segments.
    #[getter]
    fn cwnd(&self) -> f64 {
        self.0.cwnd
    }

    #[setter]
    fn set_cwnd(&mut self, cwnd: f64) -> PyResult<()> {
        if !(cwnd.is_finite() && cwnd >= 0.0) {
            let message = format!("cwnd = {cwnd}; allowed: a finite number of segments, 1 or more");
            return Err(PyValueError::new_err(message));
        }
        self.0.cwnd = cwnd;
        Ok(())
    }

    /// Slow-start threshold, segments.
    #[getter]
    fn ssthresh(&self) -> f64 {
        self.0.ssthresh
    }

    #[setter]
    fn set_ssthresh(&mut self, ssthresh: f64) -> PyResult<()> {
        if ssthresh.is_nan() || ssthresh < 0.0 {
            let message = format!("ssthresh = {ssthresh}; allowed: segments, 2 or more");
            return Err(PyValueError::new_err(message));
        }
        self.0.ssthresh = ssthresh;
        Ok(())
    }

    /// True below the threshold.
    #[getter]
    fn in_slow_start(&self) -> bool {
        self.0.in_slow_start()
    }

    /// Grows as Reno does: by `acked` segments (one at most) in slow start, else by `increase` a window.
    #[pyo3(signature = (acked, increase = 1.0))]
    fn grow(&mut self, acked: f64, increase: f64) -> PyResult<()> {
        // Not left to what comes out of it: the smaller of NaN and 1 is 1.
        for (name, number) in [("acked", acked), ("increase", increase)] {
            if !(number.is_finite() && number >= 0.0) {
                let message = format!(
                    "grow: {name} = {number}; allowed: a finite number of segments, 0 or more"
                );
                return Err(PyValueError::new_err(message));
            }
        }
        let mut window = self.0;
        window.grow(acked, increase);
        self.put(window)
    }

    /// A loss takes the threshold to `to` segments, 2 at least: cwnd too, or to one segment after a timeout.
    fn shrink(&mut self, loss: &str, to: f64) -> PyResult<()> {
        let why = match loss {
            "dup_acks" => Loss::DupAcks,
            "timeout" => Loss::Timeout,
            "ecn_mark" => Loss::EcnMark,
            other => {
                let message = format!("no loss {other:?}; there are: dup_acks, timeout, ecn_mark");
                return Err(PyValueError::new_err(message));
            }
        };
        if to.is_nan() {
            return Err(PyValueError::new_err("a window of nan segments"));
        }
        let mut window = self.0;
        window.shrink(why, to);
        self.put(window)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Window {
        Window(self.0)
    }

    fn __repr__(&self) -> String {
        format!("Window(cwnd={}, ssthresh={})", self.0.cwnd, self.0.ssthresh)
    }
}

impl Window {
    fn put(&mut self, window: tcp::Window) -> PyResult<()> {
        self.set_cwnd(window.cwnd)?;
        self.set_ssthresh(window.ssthresh)?;
        self.0 = window;
        Ok(())
    }
}

/// An acknowledgement of new data.
#[pyclass(module = "lasthop.law")]
#[derive(Default)]
pub struct Ack(pub tcp::law::Ack);

/// Seconds.
fn seconds(span: Option<Span>) -> Option<f64> {
    span.map(Span::as_secs)
}

/// Getters that only look.
macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $get:expr;)+) => {
        #[pymethods]
        impl Ack {
            $($(#[$doc])* #[getter] fn $name(&self) -> $type {
                let get: fn(&tcp::law::Ack) -> $type = $get;
                get(&self.0)
            })+

            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Ack {
                Ack(self.0)
            }

            fn __repr__(&self) -> String {
                format!("{:?}", self.0)
            }
        }
    };
}

fields! {
    /// The arrival time, s.
    now_s: f64 = |a| a.now.since(Time::ZERO).as_secs();
    /// Newly acknowledged data, segments.
    acked: f64 = |a| a.acked;
    /// The round-trip time that it measured, s; None where it did not.
    rtt_s: Option<f64> = |a| seconds(a.rtt.get());
    /// Smoothed round-trip time, s; None before the first sample.
    srtt_s: Option<f64> = |a| seconds(a.srtt.get());
    /// The smallest sample so far, s; None before the first.
    min_rtt_s: Option<f64> = |a| seconds(a.min_rtt.get());
    /// Data in flight before it, segments.
    flight: f64 = |a| a.flight;
    /// Data in the network after it, segments.
    inflight: f64 = |a| a.inflight;
    /// The window was not what held the sender back.
    app_limited: bool = |a| a.app_limited;
    /// Fast recovery goes on, or ends with it.
    in_recovery: bool = |a| a.in_recovery;
    /// The window binds, and no recovery goes on.
    may_grow: bool = |a| a.may_grow();
    /// True where the data in flight when the last round began are now acknowledged.
    round_ended: bool = |a| a.round_ended;
    /// The delivery rate measured by the newest segment acknowledged, segments/s; None where there is none.
    delivery_rate: Option<f64> = |a| a.delivery_rate.get();
    /// Delivered since the connection began, segments.
    delivered: f64 = |a| a.delivered;
    /// `delivered` at the time when the newest segment acknowledged was sent, segments.
    delivered_at_send: f64 = |a| a.delivered_at_send;
    /// While that segment was sent the application held the sender back.
    rate_app_limited: bool = |a| a.rate_app_limited;
    /// Newly marked lost, segments.
    lost: f64 = |a| a.lost;
    /// It carries the echo of a congestion mark.
    ece: bool = |a| a.ece;
    /// Newly told to be marked, segments: all of `acked` with an echo, or what a receiver of accurate ECN counted.
    marked: f64 = |a| a.marked;
    /// A full segment, bytes.
    mss: u32 = |a| a.mss;
}
