//! Flows of requests and responses: when the next object is asked for, and how long each took.

use crate::cx::{Cx, Noting};
use crate::event::Event;
use apps::{Object, Surfer, Tally, WebConfig};
use base::{DelayHistogram, FlowId, Seed, Time};
use engine::{Phase, Timer, Wake};

/// A user at work, and the score.
#[derive(Clone, Debug)]
pub(crate) struct Web {
    /// Says what is asked for, and when.
    pub surfer: Surfer,
    /// The timer for `surfer.next()`.
    timer: Timer,
    /// Pages have results of their own.
    pub paged: bool,
    /// Since the measurement began: how long after it was asked for the last byte of an object came.
    pub objects: DelayHistogram,
    /// The same of pages.
    pub pages: DelayHistogram,
}

impl Web {
    /// Makes a user who has not begun; `flow`: the number of the flow.
    pub fn new(config: &WebConfig, seed: Seed, flow: u64) -> Web {
        Web {
            surfer: Surfer::new(config.clone(), seed, flow as u32),
            timer: Timer::default(),
            paged: config.paged,
            objects: DelayHistogram::default(),
            pages: DelayHistogram::default(),
        }
    }

    /// The measurement begins.
    pub fn begin_measurement(&mut self) {
        (self.objects, self.pages) = Default::default();
    }

    /// Objects and pages that were asked for and are not there.
    pub fn unfinished(&self) -> (u64, u64) {
        let Tally { objects, objects_done, pages, pages_done } = self.surfer.tally();
        (objects - objects_done, pages - pages_done)
    }

    /// The tick has come up; true where the user acts.
    pub fn is_due(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) -> bool {
        match self.timer.wake(cx.now) {
            Wake::Stale => false,
            Wake::Later(at) => {
                cx.schedule(at, Phase::Application, Event::AppTick(flow));
                false
            }
            Wake::Fire => {
                self.surfer.on_time(cx.now);
                true
            }
        }
    }

    /// Brings the tick in line.
    pub fn arm(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        if let Some(at) = self.timer.set(self.surfer.next()) {
            cx.schedule(at, Phase::Application, Event::AppTick(flow));
        }
    }

    /// An object is there.
    pub fn on_object(&mut self, now: Time, object: &Object) {
        let done = self.surfer.on_done(now, object);
        self.objects.record(done.object);
        if let Some(page) = done.page {
            self.pages.record(page);
        }
        self.surfer.on_time(now);
    }
}
