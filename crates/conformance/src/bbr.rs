//! What the BBR draft's appendix asks of BBR (`bbr_behaviour`): scenarios over a path, and what states follow.
//!
//! The draft's cases are sentences; each is a scenario here, found by its id. The path has 1000 segments/s, 50 ms
//! and a buffer of 1000 segments where nothing else is said.

mod scenes;

use crate::case::{Case, Error, cases, id};
use crate::path::{Bottleneck, Flow, Path};
use crate::trial::{Outcome, judged};
use base::Options;
use serde_json::Value;
use transport::tcp::TcpConfig;
use transport::tcp::law::{AnyLaw, Bbr3, Law};

/// Runs a file of behaviours.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| judged(file, case, one(id(case)))).collect())
}

fn one(id: &str) -> Outcome {
    let name = id.strip_prefix("bbr-").unwrap_or(id);
    let scene = scenes::SCENES.iter().find(|scene| scene.0 == name);
    scene.map_or_else(|| Err(format!("no scenario {name}")), |scene| scene.1())
}

/// A state entered: when, and what was so then.
#[derive(Clone, Copy, Debug)]
struct Entry {
    state: &'static str,
    at: f64,
    inflight: f64,
    cwnd: f64,
    pace: f64,
}

/// A flow over a path, and the states that it went through.
struct Scene {
    path: Path,
    log: Vec<Entry>,
}

impl Scene {
    fn new(rate: f64, delay: f64, buffer: f64) -> Scene {
        Scene::with(&[], rate, delay, buffer)
    }

    fn with(options: &[(&str, f64)], rate: f64, delay: f64, buffer: f64) -> Scene {
        let law = AnyLaw::Bbr3(Bbr3::new(&Options::of(options)));
        let flow = Flow::new(law, &TcpConfig::default(), delay, 0.0);
        Scene { path: Path::new(Bottleneck::new(rate, buffer), vec![flow]), log: vec![] }
    }

    /// The usual path.
    fn usual() -> Scene {
        Scene::new(1000.0, 0.05, 1000.0)
    }

    fn flow(&mut self) -> &mut Flow {
        &mut self.path.flows[0]
    }

    fn pace(&self) -> f64 {
        self.path.flows[0].law.pacing_rate().unwrap_or(0.0)
    }

    fn longterm(&self) -> f64 {
        match &self.path.flows[0].law {
            AnyLaw::Bbr3(law) => law.inflight_longterm(),
            _ => f64::NAN,
        }
    }

    /// Runs until `end` s.
    fn run(&mut self, end: f64) {
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
    fn until(&mut self, state: &str, end: f64) -> Result<Entry, String> {
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
    fn goodput(&mut self, end: f64) -> f64 {
        let (from, before) = (self.path.now, self.path.flows[0].delivered);
        self.run(end);
        (self.path.flows[0].delivered - before) / (end - from)
    }

    fn story(&self) -> String {
        self.log.iter().map(|e| format!("{} {:.2}", e.state, e.at)).collect::<Vec<_>>().join(", ")
    }
}

/// An error with what happened, unless `ok`.
fn check(ok: bool, what: &str, scene: &Scene) -> Result<(), String> {
    if ok { Ok(()) } else { Err(format!("{what}; {}", scene.story())) }
}
