//! Probes by their names.

use crate::units::Duration;
use crate::value::Value;
use crate::word::Word;
use base::Span;
use record::{Probes, Wanted};
use serde_json::{Map, Value as Json, json};

/// Returns probes by their names; `step` has a unit, such as "10 ms".
///
/// # Errors
/// Returns the mistake in a name or the step.
pub fn probes(names: &[String], step: Option<&str>) -> Result<Probes, String> {
    let step = step.map(a_step).transpose()?;
    let names = names.iter().map(|name| {
        Word::from_text(name).map(|Word(probe)| probe).map_err(|reason| reason.message)
    });
    Ok(Probes { names: names.collect::<Result<_, _>>()?, step, wanted: Wanted::default() })
}

fn a_step(text: &str) -> Result<Span, String> {
    let Duration(step) =
        Duration::from_text(text).map_err(|why| format!("probe interval: {why}"))?;
    let zero = step == Span::ZERO;
    if zero { Err("probe interval: it must be at least 1 ns".to_owned()) } else { Ok(step) }
}

/// Returns the columns of every probe's table, as JSON: `{"tcp": [["time_s", "number"], ...], ...}`.
pub fn probe_columns() -> String {
    let tables: Map<String, Json> = record::tables()
        .map(|(probe, columns)| {
            let columns = columns.iter().map(|column| json!([column.name, column.holds]));
            (probe.to_owned(), columns.collect())
        })
        .collect();
    Json::Object(tables).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::ProbeName;

    #[test]
    fn names_and_steps_are_checked() {
        let new = |name: &str, step| probes(&[name.to_owned()], step);
        let tcp = Probes {
            names: vec![ProbeName::Tcp],
            step: Some(Span::millis(10)),
            wanted: Wanted::default(),
        };
        assert_eq!(new("tcp", Some("10 ms")), Ok(tcp));
        assert!(new("tpc", None).is_err_and(|why| why.contains("tcp")));
        assert!(new("tcp", Some("10")).is_err_and(|why| why.contains("no unit")));
        assert!(new("tcp", Some("0 s")).is_err_and(|why| why.contains("at least 1 ns")));
    }
}
