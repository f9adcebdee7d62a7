//! Runs the scenario on standard input and prints its result as JSON: the core without Python.
//!
//! `cargo run -p lasthop-scenario -- scenarios < scenarios/two_stations.toml`; the folder is
//! the place of files that the scenario names, such as traces.

use scenario::{Error, Files, Laws, Run, RunResult, Scenario};
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        eprintln!("standard input: {error}");
        return ExitCode::from(2);
    }
    let folder = std::env::args().nth(1).unwrap_or_default();
    let checked = check(&text, Path::new(&folder));
    drop(text);
    match checked {
        Ok(checked) => {
            let result = Run::new(&checked, None, 0).finish();
            drop(checked);
            print(&result)
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Prints a result, or says why the output does not take it.
fn print(result: &RunResult) -> ExitCode {
    let mut out = BufWriter::new(std::io::stdout().lock());
    match result.write_json(&mut out).and_then(|()| writeln!(out)).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("standard output: {error}");
            ExitCode::from(2)
        }
    }
}

fn check(text: &str, folder: &Path) -> Result<Scenario, Error> {
    let names = scenario::files_named(text, "<stdin>", &[])?;
    let read = |name: &String| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string())
    };
    let texts = names.into_iter().map(|name| (name.clone(), read(&name))).collect();
    scenario::check_with(text, "<stdin>", &[], (&Laws::default(), &Files { texts }))
}
