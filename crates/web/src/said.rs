//! Answers to a page, as JSON.

use crate::asked::Refusal;
use record::Probes;
use scenario::{Code, Error, Scenario, Step};
use serde::Serialize;

/// The result of a check.
#[derive(Serialize)]
pub struct Checked {
    /// The mistakes; none: the scenario can be run.
    errors: Vec<Found>,
    /// Facts about a scenario that can be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<Known>,
}

/// Something that is wrong, and where.
#[derive(Serialize)]
struct Found {
    /// The kind of mistake; absent where the request is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Code>,
    /// Keys and places in lists that lead to it.
    path: Vec<Step>,
    message: String,
    /// In the text, counted from 1; absent where it is in an override or in the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The number of characters from there.
    length: usize,
    /// The override that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<String>,
    /// As the command line says it, with the line and a mark below the place.
    shown: String,
}

/// The facts that a page shows of a scenario before it runs.
#[derive(Serialize)]
struct Known {
    name: Option<String>,
    description: Option<String>,
    seed: u64,
    duration_s: f64,
    warmup_s: f64,
}

impl Checked {
    /// Makes the answer of a check.
    pub fn new(checked: &Result<(Scenario, Probes), Refusal>) -> Checked {
        match checked {
            Ok((scenario, _)) => Checked { errors: vec![], scenario: Some(Known::new(scenario)) },
            Err(refusal) => Checked { errors: Found::all(refusal), scenario: None },
        }
    }

    /// As one JSON document.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "null".to_owned())
    }
}

/// Returns the findings about a result, as one JSON document; nothing where it is not a result.
pub fn noticed(result: &str) -> String {
    let found = noticing::noticed(result).unwrap_or_default();
    serde_json::to_string(&found).unwrap_or_else(|_| "[]".to_owned())
}

impl Known {
    fn new(scenario: &Scenario) -> Known {
        Known {
            name: scenario.name.clone(),
            description: scenario.description.clone(),
            seed: scenario.seed,
            duration_s: scenario.plan.duration.as_secs(),
            warmup_s: scenario.plan.warmup.as_secs(),
        }
    }
}

impl Found {
    fn all(refusal: &Refusal) -> Vec<Found> {
        match refusal {
            Refusal::Scenario(errors) => errors.iter().map(Found::at).collect(),
            Refusal::Request(message) => vec![Found {
                code: None,
                path: vec![],
                message: message.clone(),
                line: None,
                column: None,
                length: 0,
                change: None,
                shown: message.clone(),
            }],
        }
    }

    fn at(error: &Error) -> Found {
        let (line, column) = error.line_and_column().unzip();
        let change = error.change().map(str::to_owned);
        let (message, shown) = (error.message.clone(), error.to_string());
        let (code, path) = (Some(error.code), error.path.clone());
        Found { code, path, message, line, column, length: error.length(), change, shown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asked::Asked;
    use serde_json::{Value, json};

    /// A scenario with nothing wrong.
    const SMALL: &str = r#"
name = "a"
duration = "5 s"
seed = 7
[[link]]
ends = ["a", "b"]
rate = "1 Mbps"
delay = "1 ms"
[[flow]]
from = "a"
to = "b"
"#;

    fn checked(asked: &Value) -> Value {
        let asked = Asked::read(asked.to_string().as_bytes());
        let checked = Checked::new(&asked.and_then(|asked| asked.checked()));
        serde_json::from_str(&checked.to_json()).unwrap()
    }

    #[test]
    fn an_error_has_its_place() {
        let found = checked(&json!({ "text": "duration = \"5 s\"\nseed = \"x\"\n", "file": "a" }));
        let error = &found["errors"][0];
        assert_eq!(
            (&error["line"], &error["column"], &error["length"]),
            (&json!(2), &json!(8), &json!(3))
        );
        assert_eq!((&error["code"], &error["path"]), (&json!("wrong-kind"), &json!(["seed"])));
        assert!(error["shown"].as_str().unwrap().starts_with("a:2:8: error: "), "{error}");
        assert_eq!(found["scenario"], Value::Null);
    }

    #[test]
    fn all_mistakes_are_told() {
        let text = "duration = \"5 q\"\nsede = 3\n[tcp]\nvariant = \"newrino\"\n";
        let found = checked(&json!({ "text": text, "file": "a" }));
        let lines: Vec<_> =
            found["errors"].as_array().unwrap().iter().map(|e| &e["line"]).collect();
        assert_eq!(lines[..3], [&json!(1), &json!(2), &json!(4)], "{found}");
    }

    #[test]
    fn an_override_and_a_request_have_none() {
        let found = checked(&json!({ "text": SMALL, "overrides": ["seed=x"] }));
        assert_eq!(found["errors"][0]["change"], "seed=x");
        assert_eq!(found["errors"][0]["line"], Value::Null);
        let found = checked(&json!({ "text": SMALL, "probes": ["tpc"] }));
        assert!(found["errors"][0]["message"].as_str().unwrap().contains("tcp"), "{found}");
        let found = checked(&json!({ "txt": "" }));
        assert!(found["errors"][0]["message"].as_str().unwrap().contains("txt"), "{found}");
    }

    #[test]
    fn what_is_known_is_said() {
        let found = checked(&json!({ "text": SMALL }));
        assert_eq!(found["errors"], json!([]));
        assert_eq!(found["scenario"]["seed"], 7);
        assert_eq!(found["scenario"]["duration_s"], 5.0);
    }
}
