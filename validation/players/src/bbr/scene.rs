//! A flow over a path, and the states that it goes through.

use crate::dumbbell::{Bottleneck, Dumbbell, Flow};
use base::Options;
use transport::tcp::TcpConfig;
use transport::tcp::law::{AnyLaw, Bbr3, Law};

/// A state entered: when, and what was so then.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub state: &'static str,
    pub at: f64,
    pub inflight: f64,
    pub cwnd: f64,
    pub pace: f64,
}

/// A flow over a path, and the states that it went through.
pub struct Scene {
    pub path: Dumbbell,
    pub log: Vec<Entry>,
}

impl Scene {
    pub fn new(rate: f64, delay: f64, buffer: f64) -> Scene {
        Scene::with(&[], rate, delay, buffer)
    }

    pub fn with(options: &[(&str, f64)], rate: f64, delay: f64, buffer: f64) -> Scene {
        let law = AnyLaw::Bbr3(Box::new(Bbr3::new(&Options::of(options))));
        let flow = Flow::new(law, &TcpConfig::default(), delay, 0.0);
        Scene { path: Dumbbell::new(Bottleneck::new(rate, buffer), vec![flow]), log: vec![] }
    }

    /// The usual path.
    pub fn usual() -> Scene {
        Scene::new(1000.0, 0.05, 1000.0)
    }

    pub fn flow(&mut self) -> &mut Flow {
        &mut self.path.flows[0]
    }

    pub fn pace(&self) -> f64 {
        self.path.flows[0].law.pacing_rate().unwrap_or(0.0)
    }

    pub fn longterm(&self) -> f64 {
        match &self.path.flows[0].law {
            AnyLaw::Bbr3(law) => law.inflight_longterm(),
            _ => f64::NAN,
        }
    }

    /// Runs until `end` s.
    pub fn run(&mut self, end: f64) {
        let log = &mut self.log;
        self.path.run(end, |path| {
            let flow = &path.flows[0];
            let state = flow.law.state();
            if log.last().is_none_or(|last| last.state != state) {
                let pace = flow.law.pacing_rate().unwrap_or(0.0);
                let (at, inflight, cwnd) = (path.now, flow.inflight(), flow.w.cwnd);
                log.push(Entry { state, at, inflight, cwnd, pace });
            }
        });
    }

    /// Runs until `state` is entered anew, at most until `end` s. The entry.
    pub fn until(&mut self, state: &str, end: f64) -> Result<Entry, String> {
        let before = self.log.len();
        while self.path.now < end {
            self.run(self.path.now + 0.001);
            if let Some(entry) = self.log[before..].iter().find(|entry| entry.state == state) {
                return Ok(*entry);
            }
        }
        Err(format!("no {state} until {end} s, but {}", self.story()))
    }

    /// Delivered from now on until `end`, segments/s.
    pub fn goodput(&mut self, end: f64) -> f64 {
        let (from, before) = (self.path.now, self.path.flows[0].delivered);
        self.run(end);
        (self.path.flows[0].delivered - before) / (end - from)
    }

    pub fn story(&self) -> String {
        self.log.iter().map(|e| format!("{} {:.2}", e.state, e.at)).collect::<Vec<_>>().join(", ")
    }
}

/// An error with what happened, unless `ok`.
pub fn check(ok: bool, what: &str, scene: &Scene) -> Result<(), String> {
    if ok { Ok(()) } else { Err(format!("{what}; {}", scene.story())) }
}
