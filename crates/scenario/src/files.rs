//! Files that a scenario names, such as traces: the core reads none, their texts are handed over.

use crate::at::Reason;
use crate::code::Code;
use crate::spec::{AppSpec, MobilitySpec, PolicySpec, ScenarioSpec};
use std::collections::BTreeMap;

/// Keys that name files.
const NAMING: [&str; 4] = ["file", "policy", "conventions", "trace"];

/// False where this text, a scenario or a change to one, names no file: it has none of the keys that do.
pub fn may_name_files(text: &str) -> bool {
    NAMING.iter().any(|key| text.contains(key))
}

/// The texts of the files that a scenario names, or why they cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// By name, as the scenario has it.
    pub texts: BTreeMap<String, Result<String, String>>,
}

impl Files {
    /// Returns the names of all files that a scenario names, each once.
    pub(crate) fn named(spec: &ScenarioSpec) -> Vec<String> {
        let mobility = spec.node.iter().filter_map(|node| node.mobility.as_ref());
        let mobility = mobility.filter_map(|rule| match &rule.value {
            MobilitySpec::Trace(trace) => Some(&trace.file),
            MobilitySpec::RandomWaypoint(_) => None,
        });
        let apps = spec.flow.iter().filter_map(|flow| flow.app.as_ref());
        let videos = apps.filter_map(|app| match &app.value {
            AppSpec::Video(video) => video.file.as_ref(),
            _ => None,
        });
        let tcp = spec.flow.iter().filter_map(|flow| flow.tcp.as_ref()).chain(&spec.tcp);
        let policies = tcp.filter_map(|tcp| match &tcp.policy.as_ref()?.value {
            PolicySpec::File(name) => Some(name.clone()),
            PolicySpec::Table(_) => None,
        });
        let links = spec.link.iter().map(|link| &link.value);
        let traces = links.flat_map(|link| [&link.trace, &link.reverse_trace]).flatten();
        let conventions = spec.conventions.iter().flat_map(|at| at.value.files()).cloned();
        let mut names: Vec<String> = mobility
            .chain(videos)
            .chain(traces)
            .map(|file| file.value.clone())
            .chain(policies)
            .chain(conventions)
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// Returns the text of the file of that name.
    pub(crate) fn text(&self, name: &str) -> Result<&str, Reason> {
        match self.texts.get(name) {
            Some(Ok(text)) => Ok(text),
            Some(Err(why)) => Err(Code::NoSuchFile.says(why)),
            None => Err(Code::NoSuchFile.says(format!(
                "the text of \"{name}\" was not given; files are read by lasthop in Python"
            ))),
        }
    }
}
