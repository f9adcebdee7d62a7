//! Parquet files read: numbers, whole numbers, truths, texts and lists of texts, of any writer.

use super::checksum;
use super::claims::{Pages, lists_fit, most_values};
use super::column::{Column, Table, Values};
use super::levels::Asked;
use bytes::Bytes;
use parquet::basic::{Repetition, Type as Physical};
use parquet::column::reader::get_column_reader;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::{ColumnDescriptor, Type};
use std::collections::HashMap;
use std::sync::Arc;

const MAGIC: &[u8] = b"PAR1";

/// No rows, in a list of row groups that is empty and claims to be one of bytes: so early versions of lasthop wrote empty tables.
const EMPTY: [u8; 4] = [0x16, 0, 0x19, 0x03];

/// Reads a file, or says what is wrong with it.
pub fn read(content: Bytes) -> std::result::Result<Table, String> {
    let length = content.len();
    if length < 12 || !content.starts_with(MAGIC) || !content.ends_with(MAGIC) {
        return Err("no Parquet file".to_owned());
    }
    if !checksum::is_whole(&content) {
        return Err("damaged: its checksum is another".to_owned());
    }
    let size =
        content[length - 8..length - 4].iter().rev().fold(0, |sum, &b| sum << 8 | usize::from(b));
    let footer = (length - 8).checked_sub(size).map(|start| &content[start..length - 8]);
    if !footer.is_some_and(lists_fit) {
        return Err("damaged: its footer is none".to_owned());
    }
    table(content).map_err(|error| match error {
        ParquetError::NYI(message) => message,
        error => format!("damaged: {error}"),
    })
}

fn wrong(message: &str) -> ParquetError {
    ParquetError::General(message.to_owned())
}

/// Returns the metadata of a file.
fn about(content: &Bytes) -> Result<ParquetMetaData> {
    let parsed = ParquetMetaDataReader::new().parse_and_finish(content);
    parsed.or_else(|error| {
        let place = content.windows(4).rposition(|each| each == EMPTY).ok_or(error)?;
        let mut mended = content.to_vec();
        mended[place + 3] = 0x0c;
        ParquetMetaDataReader::new().parse_and_finish(&Bytes::from(mended))
    })
}

fn table(content: Bytes) -> Result<Table> {
    let about = about(&content)?;
    let content = Arc::new(content);
    let mut columns = columns_of(&about)?;
    let mut left = most_values(content.len());
    let mut rows = 0_i64;
    for group in about.row_groups() {
        if group.columns().len() != columns.len() {
            return Err(wrong("a column is missing"));
        }
        for (column, chunk) in columns.iter_mut().zip(group.columns()) {
            let claimed =
                u64::try_from(chunk.num_values()).map_err(|_| wrong("fewer than no values"))?;
            left = left.checked_sub(claimed).ok_or_else(|| wrong("it claims too many values"))?;
            let wanted =
                usize::try_from(group.num_rows()).map_err(|_| wrong("fewer than no rows"))?;
            let before = column.column.rows();
            column.take(&content, chunk, wanted)?;
            if column.column.rows() - before != wanted {
                return Err(wrong("a column has another number of rows"));
            }
        }
        rows = rows.saturating_add(group.num_rows());
    }
    if !columns.is_empty() && rows != about.file_metadata().num_rows() {
        return Err(wrong("rows are missing"));
    }
    let said = about.file_metadata().key_value_metadata().into_iter().flatten();
    let metadata = said.map(|each| (each.key.clone(), each.value.clone().unwrap_or_default()));
    Ok(Table {
        columns: columns.into_iter().map(Partial::finished).collect(),
        metadata: metadata.filter(|(key, _)| key != checksum::KEY).collect(),
    })
}

/// A column while it is read.
struct Partial {
    column: Column,
    /// The rows that were read, and whether these are all.
    valid: Vec<bool>,
    /// The places of words.
    known: HashMap<Vec<u8>, i32>,
    /// The depth of a list that is there, if it is one.
    list: Option<i16>,
    descriptor: Arc<ColumnDescriptor>,
}

fn columns_of(about: &ParquetMetaData) -> Result<Vec<Partial>> {
    let schema = about.file_metadata().schema_descr();
    let fields = schema.root_schema().get_fields();
    if fields.len() != schema.num_columns() {
        return Err(other_type(fields.first().map_or("", |field| field.name())));
    }
    let columns = fields.iter().zip(schema.columns());
    columns.map(|(field, descriptor)| partial(field, descriptor)).collect()
}

fn other_type(name: &str) -> ParquetError {
    ParquetError::NYI(format!("column {name:?} is of a type that is not read here"))
}

fn partial(field: &Type, descriptor: &Arc<ColumnDescriptor>) -> Result<Partial> {
    let optional = |of: &Type| i16::from(of.get_basic_info().repetition() == Repetition::OPTIONAL);
    let list = field.is_group().then(|| optional(field));
    let levels = (descriptor.max_def_level(), descriptor.max_rep_level());
    let expected = match list {
        None => (optional(field), 0),
        Some(there) => (there + 1 + optional(descriptor.self_type()), 1),
    };
    let deep = descriptor.path().parts().len() == if list.is_some() { 3 } else { 1 };
    let (places, words) = (Vec::new(), Vec::new());
    let values = match (descriptor.physical_type(), list) {
        (Physical::DOUBLE, None) => Values::Numbers(Vec::new()),
        (Physical::INT64, None) => Values::Wholes(Vec::new()),
        (Physical::BOOLEAN, None) => Values::Bools(Vec::new()),
        (Physical::BYTE_ARRAY, None) => Values::Texts { places, words },
        (Physical::BYTE_ARRAY, Some(_)) => Values::Lists { places, words, ends: Vec::new() },
        _ => return Err(other_type(field.name())),
    };
    if !deep || levels != expected {
        return Err(other_type(field.name()));
    }
    Ok(Partial {
        column: Column { name: field.name().to_owned(), values, valid: None },
        valid: Vec::new(),
        known: HashMap::new(),
        list,
        descriptor: descriptor.clone(),
    })
}

impl Partial {
    /// Reads the rows of a row group, and notices one more than there should be.
    fn take(
        &mut self,
        content: &Arc<Bytes>,
        chunk: &ColumnChunkMetaData,
        rows: usize,
    ) -> Result<()> {
        let pages = SerializedPageReader::new(content.clone(), chunk, rows, None)?;
        let left = u64::try_from(chunk.num_values())?;
        let pages = Box::new(Pages { pages, left });
        let reader = get_column_reader(self.descriptor.clone(), pages);
        let optional = self.descriptor.max_def_level() > 0;
        let asked = Asked { rows, optional, valid: &mut self.valid };
        let known = &mut self.known;
        match &mut self.column.values {
            Values::Numbers(all) => asked.flat::<DoubleType>(reader, pushed(all)),
            Values::Wholes(all) => asked.flat::<Int64Type>(reader, pushed(all)),
            Values::Bools(all) => asked.flat::<BoolType>(reader, pushed(all)),
            Values::Texts { places, words } => asked.flat::<ByteArrayType>(reader, |value| {
                places.push(value.map_or(Ok(0), |value| place(known, words, &value))?);
                Ok(())
            }),
            Values::Lists { places, words, ends } => {
                let depths = (self.list.unwrap_or(0), self.descriptor.max_def_level());
                asked.lists(reader, depths, |row| {
                    for value in row {
                        places.push(place(known, words, value)?);
                    }
                    ends.push(places.len() as i64);
                    Ok(())
                })
            }
        }
    }

    fn finished(mut self) -> Column {
        let all = self.valid.iter().all(|&there| there);
        self.column.valid = (!all).then_some(self.valid);
        self.column
    }
}

/// Appends values, and a default where there is none.
fn pushed<T: Default>(all: &mut Vec<T>) -> impl FnMut(Option<T>) -> Result<()> {
    |value| {
        all.push(value.unwrap_or_default());
        Ok(())
    }
}

/// The place of a word, which may be new.
fn place(
    known: &mut HashMap<Vec<u8>, i32>,
    words: &mut Vec<String>,
    value: &ByteArray,
) -> Result<i32> {
    if let Some(&place) = known.get(value.data()) {
        return Ok(place);
    }
    let place = i32::try_from(words.len())?;
    words.push(value.as_utf8()?.to_owned());
    known.insert(value.data().to_vec(), place);
    Ok(place)
}
