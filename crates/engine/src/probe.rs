//! Probes record and never influence; a run without one pays nothing, since the note is never made.

use base::Time;

/// Receives notes of type `N` from a run. `()` is the probe that is off.
pub trait Probe<N> {
    /// Records what `note` makes; a probe that is off does not call it.
    fn record(&mut self, now: Time, note: impl FnOnce() -> N);
}

impl<N> Probe<N> for () {
    #[inline(always)]
    fn record(&mut self, _now: Time, _note: impl FnOnce() -> N) {}
}

impl<N> Probe<N> for Vec<(Time, N)> {
    fn record(&mut self, now: Time, note: impl FnOnce() -> N) {
        self.push((now, note()));
    }
}
