//! Probes record and never influence; a run without one pays nothing, since the note is never made.

use base::Time;

/// Receives notes of type `N` from a run.
pub trait Watch<N> {
    /// Records `note`.
    fn see(&mut self, now: Time, note: &N);
}

impl<N: Clone> Watch<N> for Vec<(Time, N)> {
    fn see(&mut self, now: Time, note: &N) {
        self.push((now, note.clone()));
    }
}

/// Decides whether a run makes notes: it is compiled in two ways, `()` for the probe that is off and one for
/// any [`Watch`]. A version for each kind of watch would compile the whole run loop again, and be no faster:
/// making the note is what costs.
pub trait Probe<N> {
    /// False for the probe that is off, for what would have to be gone through before notes are made.
    const ON: bool;

    /// Records what `note` makes; a probe that is off does not call it.
    fn record(&mut self, now: Time, note: impl FnOnce() -> N);
}

impl<N> Probe<N> for () {
    const ON: bool = false;

    #[inline(always)]
    fn record(&mut self, _now: Time, _note: impl FnOnce() -> N) {}
}

impl<N> Probe<N> for &mut (dyn Watch<N> + '_) {
    const ON: bool = true;

    fn record(&mut self, now: Time, note: impl FnOnce() -> N) {
        self.see(now, &note());
    }
}
