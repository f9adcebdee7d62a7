//! The quantities of a result, for printing, adding up and drawing.

use base::{ENDINGS, Quantities, Quantity};
use record::MeasuredOutcome;
use serde_json::{Value as Json, json};
use world::Outcome;

/// Returns all quantities as JSON: the kinds of objects with the keys of their rows, the paths at which a row holds another of
/// its kind, the units that ends of names mean, and the declaration of each quantity's field.
pub fn quantities() -> String {
    let Quantities { all, kinds, within } = Quantities::of::<Outcome<MeasuredOutcome>>();
    json!({
        "kinds": kinds,
        "within": within,
        "endings": ENDINGS,
        "quantities": all.iter().map(as_json).collect::<Vec<_>>(),
    })
    .to_string()
}

fn as_json(quantity: &Quantity) -> Json {
    let Quantity { of, name, words, unit, ends, together, parts, by_name, optional } = quantity;
    let part = |(name, together): &(String, _)| (name.clone(), format!("{together}"));
    json!({
        "of": of,
        "name": name,
        "words": words,
        "unit": unit,
        // JSON has no infinity: it is null.
        "ends": [ends.start(), ends.end()],
        "together": together.to_string(),
        "parts": parts.iter().map(part).collect::<Vec<_>>(),
        "by_name": by_name,
        "optional": optional,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_may_be_absent_is_optional_wherever_it_stands() {
        let held: Json = serde_json::from_str(&quantities()).unwrap();
        let optional = |name: &str| {
            let all = held["quantities"].as_array().unwrap();
            all.iter().find(|each| each["name"] == name).unwrap()["optional"].clone()
        };
        // A key of its own, one of an absent object, and one of an object whose keys are those of the flow.
        for name in ["packets_tunnelled", "pictures.late", "mos", "efficiency"] {
            assert_eq!(optional(name), true, "{name}");
        }
        for name in ["goodput_bps", "delay_s", "retransmits"] {
            assert_eq!(optional(name), false, "{name}");
        }
    }
}
