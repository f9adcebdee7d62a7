//! Threads that have no run of their own play shares of one that does.

use crate::work::Work;
use scenario::Share;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::thread::{Builder, scope};
use std::time::Instant;

/// A run is taken in this many steps, so that it can be given up between them.
pub const STEPS: u32 = 100;

/// The name of the threads that run jobs.
pub const THREAD: &str = "lasthop-run";

/// Of a run that takes no longer, a division saves next to nothing, seconds. Events would not say it: those of one network take
/// a hundred times as long as those of another.
const WORTH_S: f64 = 0.25;

/// How long a run has been at work. It decides who plays which part of it, never what comes of that.
pub struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "no result depends on it")]
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }
}

/// The number of threads that may be started beside those with a run of their own.
#[derive(Default)]
pub struct Spare(AtomicUsize);

/// Threads for one run, until it is over.
pub struct Taken<'a> {
    spare: &'a Spare,
    count: usize,
}

impl Spare {
    /// More threads have no run of their own.
    pub fn give(&self, count: usize) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// All that there are now.
    fn take(&self) -> Taken<'_> {
        Taken { spare: self, count: self.0.swap(0, Ordering::Relaxed) }
    }
}

impl Taken<'_> {
    fn keep(&mut self, count: usize) {
        self.spare.give(self.count - count);
        self.count = count;
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.keep(0);
    }
}

/// Plays the rest of a run after `step` on all threads that are spare; `None` where there is none, or it is not worth it, or the
/// run cannot be divided. False where `step_done` says that the run is no longer wanted: it hears of each step of a share, and
/// whether that makes one of the whole run.
pub fn play(
    work: &mut Work,
    spare: &Spare,
    step: u32,
    watch: &Stopwatch,
    step_done: &(dyn Fn(bool) -> bool + Sync),
) -> Option<bool> {
    // The clock is asked last: short runs are many, and leave no thread without one.
    if spare.is_empty() || work.is_settled() {
        return None;
    }
    let (done, left) = (f64::from(step), f64::from(STEPS - step));
    if watch.0.elapsed().as_secs_f64() / done * left < WORTH_S {
        return None;
    }
    let mut taken = spare.take();
    let mut others = work.divide(1 + taken.count);
    taken.keep(others.len());
    if others.is_empty() {
        return None;
    }
    let shares = taken.count as u32 + 1;
    let (steps, ended) = (AtomicU32::new(0), AtomicBool::new(false));
    let go_on = || {
        let whole = steps.fetch_add(1, Ordering::Relaxed) % shares == shares - 1;
        let wanted = step_done(whole);
        ended.fetch_or(!wanted, Ordering::Relaxed);
        wanted
    };
    scope(|scope| {
        let handles: Vec<_> = others
            .iter_mut()
            .filter_map(|share| {
                let played = || in_steps(step, &go_on, |part| share.advance(part));
                Builder::new().name(THREAD.to_owned()).spawn_scoped(scope, played).ok()
            })
            .collect();
        in_steps(step, &go_on, |part| work.advance_share(part));
        for handle in handles {
            if let Err(panic) = handle.join() {
                resume_unwind(panic);
            }
        }
    });
    let wanted = !ended.into_inner();
    if wanted {
        // Of a share whose thread the system refused all is left.
        others.iter_mut().for_each(|share: &mut Share| share.advance(1.0));
        work.unite(others);
    }
    Some(wanted)
}

fn in_steps(after: u32, go_on: &dyn Fn() -> bool, mut advance: impl FnMut(f64)) {
    for step in after + 1..=STEPS {
        advance(f64::from(step) / f64::from(STEPS));
        // The last step of a run is told where its result is there.
        if step < STEPS && !go_on() {
            return;
        }
    }
}
