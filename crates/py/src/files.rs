//! Captures on the disk: a file for each interface, in one directory.

use capture::{Capture, Sink};
use scenario::{Scenario, matches_pattern};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The captures to write.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Patterns of the interfaces' names; none: all.
    pub only: Vec<String>,
    /// The most that is kept of a packet, bytes.
    pub snap: Option<u32>,
}

impl Wish {
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|pattern| matches_pattern(pattern, name))
    }

    /// Checks the captures for `scenario`.
    pub fn refuse(&self, scenario: &Scenario) -> Result<(), String> {
        let names = capture::interfaces(&scenario.plan);
        for pattern in &self.only {
            if !names.iter().any(|name| matches_pattern(pattern, name)) {
                let some: Vec<&str> = names.iter().map(String::as_str).take(MOST_SHOWN).collect();
                let more = if names.len() > MOST_SHOWN { ", ..." } else { "" };
                let there = some.join(", ");
                return Err(format!(
                    "no interface matches \"{pattern}\"; there are: {there}{more}"
                ));
            }
        }
        Ok(())
    }
}

/// Largest number of interfaces in a message.
const MOST_SHOWN: usize = 20;

/// The files of one run. Each is opened for every write only: there may be more than a process may hold open.
pub struct Files {
    directory: PathBuf,
    wish: Arc<Wish>,
    paths: Vec<PathBuf>,
    taken: BTreeSet<String>,
    /// The first thing that went wrong; nothing is written after it.
    error: Option<String>,
}

impl Files {
    /// Captures of `scenario` into `directory`, which is there.
    pub fn capture(scenario: &Scenario, directory: &Path, wish: &Arc<Wish>) -> Capture<Files> {
        let files = Files {
            directory: directory.to_owned(),
            wish: wish.clone(),
            paths: Vec::new(),
            taken: BTreeSet::new(),
            error: None,
        };
        Capture::new(&scenario.plan, wish.snap, files)
    }

    /// Returns the error, if there was one.
    pub fn result(&self) -> Result<(), String> {
        self.error.clone().map_or(Ok(()), Err)
    }

    fn attempt(&mut self, path: &Path, act: impl FnOnce() -> io::Result<()>) {
        if self.error.is_none()
            && let Err(error) = act()
        {
            self.error = Some(format!("{}: cannot be written: {error}", path.display()));
        }
    }
}

impl Sink for Files {
    fn begin(&mut self, _file: usize, name: &str) -> bool {
        let mut stem: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        while !self.taken.insert(stem.clone()) {
            stem.push('_');
        }
        let path = self.directory.join(stem + ".pcapng");
        let wanted = self.wish.wants(name);
        if wanted {
            self.attempt(&path, || File::create(&path).map(drop));
        }
        self.paths.push(path);
        wanted
    }

    fn write(&mut self, file: usize, bytes: &[u8]) {
        let path = self.paths[file].clone();
        self.attempt(&path, || OpenOptions::new().append(true).open(&path)?.write_all(bytes));
    }
}

/// True for what every file system takes in a name.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+')
}
