//! Runs the scenario on standard input and prints its result as JSON: the core without Python.
//!
//! `cargo run -p lasthop-scenario --example run < scenarios/two_stations.toml`

use std::io::Read;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        eprintln!("standard input: {error}");
        return ExitCode::from(2);
    }
    match scenario::check(&text, "<stdin>", &[]) {
        Ok(checked) => {
            println!("{}", scenario::run(&checked, None, 0));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
