//! Plays the cases of a file, given by its name and on standard input, and prints them as JSON.
//!
//! `cargo run -p lasthop-players -- cubic_quic.json < cubic_quic.json`

use std::io::Read;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut text = String::new();
    let name = std::env::args().nth(1).unwrap_or_default();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        eprintln!("standard input: {error}");
        return ExitCode::from(2);
    }
    match players::run_file(&name, &text) {
        Ok(cases) => {
            println!("{}", players::to_json(&cases));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}", error.what);
            ExitCode::from(2)
        }
    }
}
