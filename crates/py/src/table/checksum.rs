//! A checksum of the whole file in its metadata, since the `parquet` crate writes none with the pages.

/// The key of the metadata that has the checksum: CRC-32 of the file in hexadecimal digits, taken with zeros in their place.
pub const KEY: &str = "lasthop.crc32";

/// The digits before they are known.
pub const UNKNOWN: &str = "00000000";

/// Puts the checksum of a file into it.
pub fn seal(content: &mut [u8]) -> Result<(), String> {
    let at = digits(content).ok_or("the file has no place for its checksum")?;
    let found = of(content, at);
    content[at..at + UNKNOWN.len()].copy_from_slice(found.as_bytes());
    Ok(())
}

/// Tells whether a file is as it was sealed. A file of another program has no checksum, and any of it is accepted.
pub fn is_whole(content: &[u8]) -> bool {
    digits(content).is_none_or(|at| content[at..at + UNKNOWN.len()] == *of(content, at).as_bytes())
}

fn of(content: &[u8], at: usize) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&content[..at]);
    hasher.update(UNKNOWN.as_bytes());
    hasher.update(&content[at + UNKNOWN.len()..]);
    format!("{:08x}", hasher.finalize())
}

/// The place of the digits: behind the key, the type of a text (Thrift, compact) and its length.
fn digits(content: &[u8]) -> Option<usize> {
    let key = [KEY.as_bytes(), &[0x18, UNKNOWN.len() as u8]].concat();
    let at = content.windows(key.len() + UNKNOWN.len()).rposition(|each| each.starts_with(&key))?;
    Some(at + key.len())
}
