//! Tables as Parquet files: one row group, numbers plain, texts by a dictionary, zstd.

use super::checksum;
use super::column::{Column, Table, Values};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use std::sync::Arc;

/// Rows that are handed over at a time.
const AT_A_TIME: usize = 1 << 16;

/// Returns the bytes of a file. Says what does not fit together.
pub fn written(table: &Table) -> std::result::Result<Vec<u8>, String> {
    let rows = table.columns.first().map_or(0, Column::rows);
    if !table.columns.iter().all(|column| fits(column, rows)) {
        return Err("columns of different lengths".to_owned());
    }
    let mut content = bytes(table, rows).map_err(|error| error.to_string())?;
    checksum::seal(&mut content)?;
    Ok(content)
}

fn fits(column: &Column, rows: usize) -> bool {
    let inside = |places: &[i32], words: &[String]| {
        places
            .iter()
            .all(|&place| usize::try_from(place).is_ok_and(|place| place < words.len().max(1)))
    };
    let values = match &column.values {
        Values::Texts { places, words } => inside(places, words),
        Values::Lists { places, words, ends } => {
            let last = ends.last().map_or(0, |&last| last);
            inside(places, words)
                && ends.is_sorted()
                && ends.first().is_none_or(|&first| first >= 0)
                && usize::try_from(last).is_ok_and(|last| last <= places.len())
        }
        _ => true,
    };
    values && column.rows() == rows && column.valid.as_ref().is_none_or(|valid| valid.len() == rows)
}

fn bytes(table: &Table, rows: usize) -> Result<Vec<u8>> {
    let fields = table.columns.iter().map(field).collect::<Result<Vec<_>>>()?;
    let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
    let mut file =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties(table)?))?;
    if rows > 0 {
        let mut group = file.next_row_group()?;
        for column in &table.columns {
            let Some(writer) = group.next_column()? else { break };
            write(column, writer)?;
        }
        group.close()?;
    }
    file.into_inner()
}

fn properties(table: &Table) -> Result<WriterProperties> {
    let said = table.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let said = said.chain([(checksum::KEY, checksum::UNKNOWN)]);
    let said = said.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned())).collect();
    let mut properties = WriterProperties::builder()
        .set_created_by("lasthop".to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(said));
    for column in &table.columns {
        let name = || column.name.clone();
        let path = match column.values {
            Values::Texts { .. } => vec![name()],
            Values::Lists { .. } => vec![name(), "list".to_owned(), "element".to_owned()],
            _ => continue,
        };
        properties = properties.set_column_dictionary_enabled(ColumnPath::new(path), true);
    }
    Ok(properties.build())
}

fn field(column: &Column) -> Result<TypePtr> {
    let physical = match column.values {
        Values::Numbers(_) => Physical::DOUBLE,
        Values::Wholes(_) => Physical::INT64,
        Values::Bools(_) => Physical::BOOLEAN,
        Values::Texts { .. } => return text(&column.name),
        Values::Lists { .. } => return list(&column.name),
    };
    let builder = Type::primitive_type_builder(&column.name, physical);
    Ok(Arc::new(builder.with_repetition(Repetition::OPTIONAL).build()?))
}

fn text(name: &str) -> Result<TypePtr> {
    let builder = Type::primitive_type_builder(name, Physical::BYTE_ARRAY);
    let builder = builder.with_logical_type(Some(LogicalType::String));
    Ok(Arc::new(builder.with_repetition(Repetition::OPTIONAL).build()?))
}

fn list(name: &str) -> Result<TypePtr> {
    let inner = Type::group_type_builder("list").with_fields(vec![text("element")?]);
    let inner = inner.with_repetition(Repetition::REPEATED).build()?;
    let outer = Type::group_type_builder(name).with_fields(vec![Arc::new(inner)]);
    let outer = outer.with_logical_type(Some(LogicalType::List));
    Ok(Arc::new(outer.with_repetition(Repetition::OPTIONAL).build()?))
}

fn write(column: &Column, mut writer: SerializedColumnWriter<'_>) -> Result<()> {
    match &column.values {
        Values::Numbers(all) => flat::<DoubleType>(column, writer.typed(), |row| all[row])?,
        Values::Wholes(all) => flat::<Int64Type>(column, writer.typed(), |row| all[row])?,
        Values::Bools(all) => flat::<BoolType>(column, writer.typed(), |row| all[row])?,
        Values::Texts { places, words } => {
            let words = arrays(words);
            let word = |row: usize| words[places[row] as usize].clone();
            flat::<ByteArrayType>(column, writer.typed(), word)?;
        }
        Values::Lists { places, words, ends } => {
            let words = arrays(words);
            let word = |place: usize| words[places[place] as usize].clone();
            lists(column, ends, writer.typed(), word)?;
        }
    }
    writer.close()
}

fn arrays(words: &[String]) -> Vec<ByteArray> {
    words.iter().map(|word| ByteArray::from(word.as_str())).collect()
}

/// Writes a column of single values.
fn flat<T: DataType>(
    column: &Column,
    writer: &mut ColumnWriterImpl<'_, T>,
    value: impl Fn(usize) -> T::T,
) -> Result<()> {
    let rows = column.rows();
    for start in (0..rows).step_by(AT_A_TIME) {
        let these = start..rows.min(start + AT_A_TIME);
        let depths: Vec<i16> = these.clone().map(|row| column.has(row).into()).collect();
        let values: Vec<T::T> = these.filter(|&row| column.has(row)).map(&value).collect();
        writer.write_batch(&values, Some(&depths), None)?;
    }
    Ok(())
}

/// Writes a column of lists: a row without a value has the depth 0, an empty list 1, a text 3.
fn lists(
    column: &Column,
    ends: &[i64],
    writer: &mut ColumnWriterImpl<'_, ByteArrayType>,
    word: impl Fn(usize) -> ByteArray,
) -> Result<()> {
    let mut from = 0;
    for start in (0..ends.len()).step_by(AT_A_TIME) {
        let (mut depths, mut again, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (row, &end) in ends.iter().enumerate().skip(start).take(AT_A_TIME) {
            let end = end as usize;
            if !column.has(row) || from == end {
                depths.push(i16::from(column.has(row)));
                again.push(0);
            } else {
                depths.extend((from..end).map(|_| 3));
                again.extend((from..end).map(|place| i16::from(place != from)));
                values.extend((from..end).map(&word));
            }
            from = end;
        }
        writer.write_batch(&values, Some(&depths), Some(&again))?;
    }
    Ok(())
}
