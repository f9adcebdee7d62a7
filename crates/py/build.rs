//! Names the engine: its version, and a hash of the sources (and documents of defaults) that decide results. What a study has computed is used
//! again only where the engine has the same name.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose code decides results.
const CRATES: [&str; 13] = [
    "apps",
    "base",
    "dsdv",
    "engine",
    "mobileip",
    "net",
    "radio",
    "record",
    "scenario",
    "transport",
    "wifi",
    "wimax",
    "world",
];

fn main() {
    let crates = Path::new("..");
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for name in CRATES {
        let folder = crates.join(name).join("src");
        println!("cargo:rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        sources(&folder, &mut files);
        files.sort();
        for file in files {
            let text = fs::read(&file).unwrap_or_default();
            // FNV-1a; line ends are git's business, and every system has the same name.
            let path = file.to_string_lossy().replace('\\', "/");
            for byte in path.bytes().chain(text).filter(|&byte| byte != b'\r') {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    println!("cargo:rustc-env=LASTHOP_ENGINE={}+{hash:016x}", env!("CARGO_PKG_VERSION"));
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|found| found == "rs" || found == "toml") {
            files.push(path);
        }
    }
}
