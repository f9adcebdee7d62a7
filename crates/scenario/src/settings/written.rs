//! Values and bounds of settings as scenarios write them.

use crate::given::as_json;
use crate::table::Shown;
use base::{Bounds, Form, Given, Span};
use serde_json::json;

/// Writes "LEAST to MOST", "LEAST or more" or "up to MOST".
pub fn range(bounds: &Bounds) -> String {
    if bounds.least == Some(Given::Span(Span(1))) && bounds.most.is_none() {
        return "more than \"0 s\"".to_owned();
    }
    match (bounds.least.as_ref().map(written), bounds.most.as_ref().map(written)) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("{least} or more"),
        (None, Some(most)) => format!("up to {most}"),
        (None, None) => "less".to_owned(),
    }
}

/// Returns a value as TOML has it, or the words.
pub fn written(given: &Given) -> String {
    match given {
        Given::Table(keys) => {
            let keys: Vec<String> =
                keys.iter().map(|(key, value)| format!("{key} = {}", written(value))).collect();
            format!("{{ {} }}", keys.join(", "))
        }
        Given::Prose(text) => (*text).to_owned(),
        other => as_json(other).map_or_else(String::new, |json| json.to_string()),
    }
}

/// Returns a default of this form.
pub fn shown_as(form: &Form, given: &Given) -> Shown {
    match (form, given) {
        (Form::Window, Given::Count(segments)) => {
            let text = format!("{segments} packets");
            Shown { written: format!("{text:?}"), json: Some(json!(text)) }
        }
        _ => Shown { written: written(given), json: as_json(given) },
    }
}
