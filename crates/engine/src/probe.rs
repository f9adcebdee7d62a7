//! Probes record and never influence; a run without one pays nothing, since the note is never made.

use base::Time;

/// Receives notes of type `N` from a run. `()` is the probe that is off.
pub trait Probe<N> {
    /// False for the probe that is off, for what would have to be gone through before notes are made.
    const ON: bool = true;

    /// Records what `note` makes; a probe that is off does not call it.
    fn record(&mut self, now: Time, note: impl FnOnce() -> N);
}

impl<N> Probe<N> for () {
    const ON: bool = false;

    #[inline(always)]
    fn record(&mut self, _now: Time, _note: impl FnOnce() -> N) {}
}

/// A probe whose kind is not known when a run is compiled.
pub trait Watch<N> {
    /// Records `note`.
    fn see(&mut self, now: Time, note: &N);
}

impl<N> Probe<N> for &mut (dyn Watch<N> + '_) {
    fn record(&mut self, now: Time, note: impl FnOnce() -> N) {
        self.see(now, &note());
    }
}

/// Two probes at once, each on or off.
impl<N: Copy, A: Probe<N>, B: Probe<N>> Probe<N> for (Option<&mut A>, Option<B>) {
    fn record(&mut self, now: Time, note: impl FnOnce() -> N) {
        let note = note();
        if let Some(first) = &mut self.0 {
            first.record(now, || note);
        }
        if let Some(second) = &mut self.1 {
            second.record(now, || note);
        }
    }
}

impl<N> Probe<N> for Vec<(Time, N)> {
    fn record(&mut self, now: Time, note: impl FnOnce() -> N) {
        self.push((now, note()));
    }
}
