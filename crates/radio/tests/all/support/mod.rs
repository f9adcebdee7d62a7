//! Reference vectors: found in a `shared/oracles` folder beside the repository, where there is one.

use serde_json::Value;
use std::path::Path;

/// The text of a file under `shared/oracles`, looked for from this crate upwards.
pub fn oracle(name: &str) -> Option<String> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/oracles").join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: no shared/oracles/{name} beside the repository");
    }
    std::fs::read_to_string(found?).ok()
}

/// The cases of a vector file.
pub fn cases(name: &str) -> Vec<Value> {
    let Some(text) = oracle(&format!("vectors/{name}.json")) else { return Vec::new() };
    let whole: Value = serde_json::from_str(&text).expect("a vector file is JSON");
    whole["cases"].as_array().expect("a vector file has cases").clone()
}

/// A number of a case.
pub fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("no number {key} in {value}"))
}
