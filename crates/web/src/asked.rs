//! A page's request, as JSON.

use crate::schema;
use record::Probes;
use scenario::{Error, Files, Laws, Run, Scenario};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A scenario, and how it is to be run.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Asked {
    /// Its TOML text.
    pub text: String,
    /// Its name in messages.
    pub file: String,
    /// Changes, each `key=value` with a dotted key.
    pub overrides: Vec<String>,
    /// The texts of the files that it may name, by name.
    pub files: BTreeMap<String, String>,
    /// In place of the scenario's own.
    pub seed: Option<u64>,
    /// The number of the independent run of this seed.
    pub replication: u64,
    /// The time series to keep, by name.
    pub probes: Vec<String>,
    /// At most one row in each step of this length, such as "10 ms".
    pub step: Option<String>,
}

/// The reason why a scenario cannot be run.
#[derive(Debug)]
pub enum Refusal {
    /// The scenario is wrong: all that is written wrongly, or the first contradiction.
    Scenario(Vec<Error>),
    /// The rest of the request is wrong: the request itself, or a probe.
    Request(String),
}

impl Asked {
    /// Reads a request.
    pub fn read(json: &[u8]) -> Result<Asked, Refusal> {
        serde_json::from_slice(json).map_err(|error| Refusal::Request(error.to_string()))
    }

    /// Checks the scenario and the probes.
    pub fn checked(&self) -> Result<(Scenario, Probes), Refusal> {
        let texts = self.files.iter().map(|(name, text)| (name.clone(), Ok(text.clone())));
        let files = Files { texts: texts.collect() };
        let known = (&Laws::default(), &files);
        let (text, file, changes) = (&self.text, &self.file, &self.overrides);
        let scenario = scenario::check_by(text, file, changes, known, &schema::value)
            .map_err(Refusal::Scenario)?;
        let probes = scenario::probes(&self.probes, self.step.as_deref())
            .and_then(|probes| probes.refuse(&scenario.plan).map(|()| probes))
            .map_err(Refusal::Request)?;
        Ok((scenario, probes))
    }

    /// A run at time zero.
    pub fn run(&self) -> Result<Run, Refusal> {
        let (scenario, probes) = self.checked()?;
        let run = Run::new(&scenario, self.seed, self.replication);
        Ok(run.with_probes(&scenario, &probes))
    }
}
