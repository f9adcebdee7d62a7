//! Tables as Parquet files, by the `parquet` crate.

mod checksum;
mod claims;
mod column;
mod levels;
mod reading;
mod writing;

use crate::batch::silence_panics;
use crate::spare::THREAD;
use crate::text::Text;
use column::{Column, Table, Values};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// A column of Python: its name, its kind, values, which of them there are, words, ends of lists. Numbers are little-endian,
/// of 8 bytes; places take 4 and truths 1.
pub type Given =
    (Text, Text, PyBackedBytes, Option<PyBackedBytes>, Vec<Text>, Option<PyBackedBytes>);

/// A column for Python, as `Given`.
type Returned =
    (String, &'static str, Py<PyBytes>, Option<Py<PyBytes>>, Vec<String>, Option<Py<PyBytes>>);

/// The columns and the metadata of a file.
pub type Taken = (Vec<Returned>, Vec<(String, String)>);

/// Writes a table as a Parquet file: the same table gives the same bytes.
pub fn written(
    py: Python<'_>,
    columns: Vec<Given>,
    metadata: Vec<(Text, Text)>,
) -> PyResult<Py<PyBytes>> {
    let columns = columns.into_iter().map(column_of).collect::<PyResult<Vec<_>>>()?;
    let metadata = metadata.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
    let table = Table { columns, metadata };
    let content = apart(py, move || writing::written(&table))?;
    Ok(PyBytes::new(py, &content).unbind())
}

/// Reads a Parquet file.
pub fn read(py: Python<'_>, content: PyBackedBytes) -> PyResult<Taken> {
    let table = apart(py, move || reading::read(bytes::Bytes::from_owner(content)))?;
    let columns = table.columns.into_iter().map(|column| returned(py, column)).collect();
    Ok((columns, table.metadata))
}

/// Does work in a thread of its own, where a panic of the crate, as over a hostile file, ends as an error and prints nothing.
fn apart<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, String> + Send) -> PyResult<T> {
    silence_panics();
    let done = py.detach(|| {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name(THREAD.to_owned());
            let started = thread.spawn_scoped(scope, work).map_err(|error| error.to_string())?;
            started.join().unwrap_or_else(|_| Err("damaged".to_owned()))
        })
    });
    done.map_err(PyValueError::new_err)
}

fn column_of((name, kind, raw, valid, words, ends): Given) -> PyResult<Column> {
    let words = words.into_iter().map(String::from).collect();
    let ends = ends.map_or_else(Vec::new, |raw| numbers(&raw, i64::from_le_bytes));
    let values = match &*kind.0 {
        "number" => Values::Numbers(numbers(&raw, f64::from_le_bytes)),
        "whole" => Values::Wholes(numbers(&raw, i64::from_le_bytes)),
        "bool" => Values::Bools(truths(&raw)),
        "text" => Values::Texts { places: numbers(&raw, i32::from_le_bytes), words },
        "texts" => Values::Lists { places: numbers(&raw, i32::from_le_bytes), words, ends },
        other => return Err(PyValueError::new_err(format!("no kind of columns: {other}"))),
    };
    Ok(Column { name: name.into(), values, valid: valid.map(|raw| truths(&raw)) })
}

fn returned(py: Python<'_>, column: Column) -> Returned {
    let (kind, raw, words, ends) = match column.values {
        Values::Numbers(all) => ("number", raw(&all, |each| each.to_le_bytes()), vec![], None),
        Values::Wholes(all) => ("whole", raw(&all, |each| each.to_le_bytes()), vec![], None),
        Values::Bools(all) => ("bool", raw(&all, |each| [each.into()]), vec![], None),
        Values::Texts { places, words } => {
            ("text", raw(&places, |each| each.to_le_bytes()), words, None)
        }
        Values::Lists { places, words, ends } => {
            let ends = raw(&ends, |each| each.to_le_bytes());
            ("texts", raw(&places, |each| each.to_le_bytes()), words, Some(ends))
        }
    };
    let of = |raw: Vec<u8>| PyBytes::new(py, &raw).unbind();
    let valid = column.valid.map(|all| of(raw_truths(&all)));
    (column.name, kind, of(raw), valid, words, ends.map(of))
}

fn numbers<T, const N: usize>(raw: &[u8], of: impl Fn([u8; N]) -> T) -> Vec<T> {
    raw.chunks_exact(N).filter_map(|each| each.try_into().ok()).map(of).collect()
}

fn raw<T: Copy, const N: usize>(values: &[T], of: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&each| of(each)).collect()
}

fn truths(raw: &[u8]) -> Vec<bool> {
    raw.iter().map(|&each| each != 0).collect()
}

fn raw_truths(values: &[bool]) -> Vec<u8> {
    values.iter().map(|&each| each.into()).collect()
}
