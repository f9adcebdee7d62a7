//! Strings of Python, which need not be UTF-8: a file name that is not is one with lone surrogates in it (PEP 383).

use crate::errors::raise;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

/// A string that means something: raises UsageError where it is no UTF-8. It stays Python's.
pub struct Text(pub PyBackedStr);

impl FromPyObject<'_, '_> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Text> {
        let string = object.cast::<PyString>()?;
        // It fails for want of UTF-8 only, or of memory.
        string.extract().map(Text).map_err(|_| {
            let shown: String = string.to_string_lossy().chars().take(LONGEST_SHOWN).collect();
            raise(object.py(), "UsageError", &format!("{shown:?} is not UTF-8 text"))
        })
    }
}

impl From<Text> for String {
    fn from(text: Text) -> String {
        text.0.to_string()
    }
}

/// Length of an excerpt of bytes that are not text, characters.
const LONGEST_SHOWN: usize = 60;

/// A name in messages, such as that of a file: bytes that are not UTF-8 are shown as U+FFFD.
pub struct Label(pub String);

impl FromPyObject<'_, '_> for Label {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Label> {
        Ok(Label(object.cast::<PyString>()?.to_string_lossy().into_owned()))
    }
}

/// Strings of Rust.
pub fn strings(texts: Vec<Text>) -> Vec<String> {
    texts.into_iter().map(String::from).collect()
}
