//! Claims of a file about itself that are refused before memory is taken for them.

use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

/// A file may have at least this many values.
const ALWAYS: u64 = 1 << 24;

/// Values in a byte of a file, at most: this many zeros fit into a byte of zstd, eight times over.
const EACH_BYTE: u64 = 1 << 15;

/// The deepest nesting in a footer.
const DEEPEST: usize = 20;

/// The most values that a file of a length, bytes, may have.
pub fn most_values(length: usize) -> u64 {
    ALWAYS.max(EACH_BYTE.saturating_mul(length as u64))
}

/// Tells whether the lists in a footer (a struct in Thrift's compact protocol) can have their elements: one in a byte, at most.
/// The `parquet` crate takes memory for all row groups that a footer claims.
pub fn lists_fit(footer: &[u8]) -> bool {
    Walk(footer).struct_(DEEPEST).is_some()
}

/// The rest of a footer. Its methods skip a value and return `None` where there is no whole value.
struct Walk<'a>(&'a [u8]);

impl Walk<'_> {
    fn struct_(&mut self, depth: usize) -> Option<()> {
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            if head >> 4 == 0 {
                self.varint()?; // the number of the field
            }
            if !matches!(head & 15, 1 | 2) {
                self.value(head & 15, depth)?; // a truth is in the head
            }
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            1..=3 => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            7 => self.skip(8),
            8 => self.varint().and_then(|size| self.skip(size)),
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                if count > self.0.len() as u64 {
                    return None;
                }
                (0..count).try_for_each(|_| self.value(head & 15, depth.checked_sub(1)?))
            }
            12 => self.struct_(depth.checked_sub(1)?),
            _ => None,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut found = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            found |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(found);
            }
        }
        None
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(count).ok()?..)?;
        Some(())
    }
}

/// The pages of a column with no more values than the column has, and no dictionary larger than its page.
pub struct Pages<P> {
    pub pages: P,
    /// The values that are still to come.
    pub left: u64,
}

impl<P: PageReader> PageReader for Pages<P> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        let fits = match &page {
            None => true,
            Some(Page::DictionaryPage { buf, num_values, .. }) => *num_values as usize <= buf.len(),
            Some(Page::DataPage { num_values, .. } | Page::DataPageV2 { num_values, .. }) => {
                let left = self.left.checked_sub(u64::from(*num_values));
                self.left = left.unwrap_or(0);
                left.is_some()
            }
        };
        if fits { Ok(page) } else { Err(ParquetError::General("a page too large".to_owned())) }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

impl<P: PageReader> Iterator for Pages<P> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}
