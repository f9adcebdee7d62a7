//! Writes what lasthop knows of the low-density parity-check codes of 802.11, and compares it.

mod commands;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["curves"] => commands::curves(),
        ["thresholds"] => commands::thresholds(),
        ["frames"] => commands::frames(),
        ["decoders"] => commands::decoders(),
        _ => {
            eprintln!("codewords curves | thresholds | frames | decoders");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
