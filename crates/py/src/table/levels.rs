//! The rows of a column: values, and levels that say where there is none and which values are of one list.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{ByteArray, ByteArrayType, DataType};
use parquet::errors::{ParquetError, Result};

/// Rows that are read at a time.
const AT_A_TIME: usize = 1 << 14;

/// A request for the rows of a row group.
pub struct Asked<'a> {
    /// The rows that there are. One more is read where there is one, and its reader notices it.
    pub rows: usize,
    /// True where a row can lack its value.
    pub optional: bool,
    /// Whether there is a value, for each row read.
    pub valid: &'a mut Vec<bool>,
}

impl Asked<'_> {
    /// Passes on each row's value.
    pub fn flat<T: DataType>(
        self,
        reader: ColumnReader,
        mut take: impl FnMut(Option<T::T>) -> Result<()>,
    ) -> Result<()> {
        let mut reader: ColumnReaderImpl<T> = get_typed_column_reader(reader);
        let (mut depths, mut values) = (Vec::new(), Vec::new());
        let mut got = 0;
        while got <= self.rows {
            depths.clear();
            values.clear();
            let wanted = AT_A_TIME.min(self.rows + 1 - got);
            let (rows, ..) = reader.read_records(wanted, Some(&mut depths), None, &mut values)?;
            if rows == 0 {
                break;
            }
            got += rows;
            let mut following = values.drain(..);
            for row in 0..rows {
                let there = !self.optional || depths.get(row) == Some(&1);
                self.valid.push(there);
                take(if there { Some(following.next().ok_or_else(missing)?) } else { None })?;
            }
        }
        Ok(())
    }

    /// Passes on each row's list; none for a row without one. `depths` are that of a list that is there and that of a text.
    pub fn lists(
        self,
        reader: ColumnReader,
        depths: (i16, i16),
        mut take: impl FnMut(&[ByteArray]) -> Result<()>,
    ) -> Result<()> {
        let mut reader: ColumnReaderImpl<ByteArrayType> = get_typed_column_reader(reader);
        let (mut defined, mut again, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut got = 0;
        while got <= self.rows {
            defined.clear();
            again.clear();
            values.clear();
            let wanted = AT_A_TIME.min(self.rows + 1 - got);
            let (rows, ..) =
                reader.read_records(wanted, Some(&mut defined), Some(&mut again), &mut values)?;
            if rows == 0 {
                break;
            }
            got += rows;
            let mut left = values.as_slice();
            let starts = again.iter().enumerate().filter(|&(_, &level)| level == 0);
            let starts: Vec<usize> = starts.map(|(place, _)| place).chain([again.len()]).collect();
            for bounds in starts.windows(2) {
                let row = defined.get(bounds[0]..bounds[1]).ok_or_else(missing)?;
                let (texts, rest) =
                    left.split_at_checked(texts_of(row, depths)?).ok_or_else(missing)?;
                self.valid.push(row[0] >= depths.0);
                take(texts)?;
                left = rest;
            }
        }
        Ok(())
    }
}

fn missing() -> ParquetError {
    ParquetError::General("a value is missing".to_owned())
}

/// The number of texts in a list, by the levels of its row.
fn texts_of(row: &[i16], (list, text): (i16, i16)) -> Result<usize> {
    match row {
        [single] if *single <= list => Ok(0),
        all if all.iter().all(|&each| each == text) => Ok(all.len()),
        _ => Err(ParquetError::NYI("a list with nulls in it".to_owned())),
    }
}
