//! Places in any TOML document: for formats that are read elsewhere, and whose errors name places too.

use crate::error::{Error, Sources};
use crate::paths::{Step, walk};

/// The path of a value; then line and column of its key and of the value itself, counted from 1.
pub type TomlPlace = (Vec<Step>, (usize, usize), (usize, usize));

/// Returns the places of all values of a document.
///
/// # Errors
/// Returns an [`Error`] where it is no TOML.
pub fn toml_places(text: &str, file: &str) -> Result<Vec<TomlPlace>, Error> {
    let sources = Sources::new(file, text, &[]);
    let document = crate::document::parse(text).map_err(|problem| sources.error(problem))?;
    let starts = line_starts(text);
    let place = |at: usize| {
        let line = starts.partition_point(|start| *start <= at);
        let column = text.get(starts[line - 1]..at).map_or(0, |before| before.chars().count());
        (line, column + 1)
    };
    let mut found = Vec::new();
    walk(document.get_ref(), &mut |path, key, value| {
        found.push((path.to_vec(), place(key.start), place(value.start)));
    });
    Ok(found)
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_keys_and_values_stand() {
        let text = "[study]\nname = 'x'\n[axes]\n\"a.b\" = [1, 22]\n[[compare]]\naxis = 'é'\n";
        let found = toml_places(text, "x").unwrap();
        let at = |path: &[&str]| {
            let path: Vec<Step> = path.iter().map(|step| Step::of(step)).collect();
            let (_, key, value) = found.iter().find(|(known, ..)| *known == path).unwrap();
            (*key, *value)
        };
        assert_eq!(at(&["study", "name"]), ((2, 1), (2, 8)));
        assert_eq!(at(&["axes", "a.b"]), ((4, 1), (4, 9)));
        assert_eq!(at(&["axes", "a.b", "1"]).1, (4, 13));
        assert_eq!(at(&["compare", "0", "axis"]), ((6, 1), (6, 8)));
        let error = toml_places("a = 1\nb = [1, \n", "x.toml").unwrap_err().to_string();
        assert!(error.starts_with("x.toml:2:"), "{error}");
    }
}
