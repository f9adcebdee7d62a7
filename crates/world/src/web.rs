//! Flows of requests and responses: when the next object is asked for, and how long each took.

use crate::event::Event;
use crate::flow::Application;
use crate::note::Note;
use crate::world::World;
use apps::{Object, Surfer, Tally, WebConfig};
use base::{DelayHistogram, FlowId, Seed, Time};
use engine::{Phase, Probe, Timer, Wake};

/// A user at work, and the score.
#[derive(Clone, Debug)]
pub struct Web {
    /// Says what is asked for, and when.
    pub surfer: Surfer,
    /// Stands for `surfer.next()`.
    timer: Timer,
    /// Pages have results of their own.
    pub paged: bool,
    /// Since the measurement began: how long after it was asked for the last byte of an object came.
    pub objects: DelayHistogram,
    /// The same of pages.
    pub pages: DelayHistogram,
}

impl Web {
    /// A user who has not begun; `flow`: the number of the flow.
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
}

impl World {
    fn web(&mut self, flow: FlowId) -> Option<&mut Web> {
        match &mut self.flows[flow.index()].application {
            Application::Web(web) => Some(web),
            _ => None,
        }
    }

    pub(crate) fn begin_web<P: Probe<Note>>(&mut self, now: Time, flow: FlowId, probe: &mut P) {
        if let Some(web) = self.web(flow) {
            web.surfer.begin(now);
            self.serve(now, flow, probe);
        }
    }

    /// The application's tick has come.
    pub(crate) fn on_web_time<P: Probe<Note>>(&mut self, now: Time, flow: FlowId, probe: &mut P) {
        let Some(web) = self.web(flow) else { return };
        match web.timer.wake(now) {
            Wake::Stale => {}
            Wake::Later(at) => self.schedule(at, Phase::Application, Event::AppTick(flow)),
            Wake::Fire => {
                web.surfer.on_time(now);
                self.serve(now, flow, probe);
            }
        }
    }

    /// An object is there.
    pub(crate) fn on_object<P: Probe<Note>>(
        &mut self,
        now: Time,
        flow: FlowId,
        object: &Object,
        probe: &mut P,
    ) {
        let Some(web) = self.web(flow) else { return };
        let done = web.surfer.on_done(now, object);
        web.objects.record(done.object);
        if let Some(page) = done.page {
            web.pages.record(page);
        }
        web.surfer.on_time(now);
        self.serve(now, flow, probe);
    }

    /// Sends for objects as long as there is a connection for them, and brings the tick in line.
    fn serve<P: Probe<Note>>(&mut self, now: Time, flow: FlowId, probe: &mut P) {
        while self.has_room(flow) {
            let Some(object) = self.web(flow).and_then(|web| web.surfer.take()) else { break };
            self.fetch(now, flow, object, probe);
        }
        let Some(web) = self.web(flow) else { return };
        if let Some(at) = web.timer.set(web.surfer.next()) {
            self.schedule(at, Phase::Application, Event::AppTick(flow));
        }
    }
}
