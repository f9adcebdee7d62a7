//! The elements of lists of tables, as overrides name them: by name or by number.

use crate::at::{Problem, Reason};
use crate::code::Code;
use crate::nearest::{listed, unknown};
use toml::Spanned;
use toml::de::DeValue;

/// Returns the name of an element.
pub fn name_of<'a>(element: &'a Spanned<DeValue<'_>>) -> Option<&'a str> {
    element.get_ref().as_table()?.get("name")?.get_ref().as_str()
}

/// Asks in which element of a list a key is meant.
pub fn which_of(list: &str, key: &str, names: &[Option<&str>]) -> Reason {
    let whole = |(place, name): (usize, &Option<&str>)| match name {
        Some(name) => format!("{list}.{name}.{key}"),
        None => format!("{list}.{place}.{key}"),
    };
    let allowed: Vec<String> = names.iter().enumerate().map(whole).collect();
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    Code::UnknownName.says(format!("in which {list}? allowed: {}", listed(&allowed)))
}

/// Returns the element that `which` names, by its number from 0 or by its name.
pub fn position(
    key: &str,
    at: usize,
    which: &str,
    names: &[Option<&str>],
) -> Result<usize, Problem> {
    let named = names.iter().position(|name| *name == Some(which));
    let numbered = which.parse::<usize>().ok().filter(|&index| index < names.len());
    named.or(numbered).ok_or_else(|| {
        let known: Vec<&str> = names.iter().copied().flatten().collect();
        let numbers = match names.len() {
            0 | 1 => format!("{key}.0"),
            n => format!("{key}.0 to {key}.{}", n - 1),
        };
        let reason = if known.is_empty() {
            Code::UnknownName.says(format!("no {key} \"{which}\"; allowed: {numbers}"))
        } else {
            unknown(key, which, &known).reworded(|said| format!("{said}, or by number: {numbers}"))
        };
        reason.at(at..at + which.len())
    })
}
