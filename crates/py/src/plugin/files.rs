//! Libraries by their content: each is loaded once, from a copy that nobody writes to.

use super::raw::{self, Loaded};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The libraries that are loaded, by digest. They stay so until the process ends.
static LOADED: Mutex<BTreeMap<String, &'static Loaded>> = Mutex::new(BTreeMap::new());

/// Returns the library with this content, loaded; `path` is where it is.
///
/// # Errors
/// It cannot be loaded, or is no law.
pub fn loaded(path: &str, content: &[u8], digest: &str) -> Result<&'static Loaded, String> {
    let mut known = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(loaded) = known.get(digest) {
        return Ok(loaded);
    }
    let loaded: &'static Loaded = Box::leak(Box::new(load(Path::new(path), content)?));
    known.insert(digest.to_owned(), loaded);
    Ok(loaded)
}

/// Loads a copy: the system gives what it has already loaded of a path again, though the file has been built anew, and a file that
/// is written while it is mapped into a process ends that process.
#[cfg(not(windows))]
fn load(path: &Path, content: &[u8]) -> Result<Loaded, String> {
    let beside = path.parent().unwrap_or(Path::new("."));
    let mut why = String::new();
    // Where nothing in the system's folder may be run, beside the file.
    for folder in [std::env::temp_dir().as_path(), beside] {
        let copy = match copied(folder, path, content) {
            Ok(copy) => copy,
            Err(error) => {
                why = format!("it cannot be copied to {}: {error}", folder.display());
                continue;
            }
        };
        let loaded = raw::load(&copy);
        // The process keeps what it has mapped; a copy that cannot be removed does no harm.
        let _ = fs::remove_file(&copy);
        match loaded {
            Ok(loaded) => return Ok(loaded),
            Err(error) => why = error.replace(&copy.display().to_string(), "it"),
        }
        // Only for that: any other mistake stays one wherever the file is.
        if !why.contains("failed to map") && !why.contains("not permitted") {
            break;
        }
    }
    Err(why)
}

#[cfg(not(windows))]
fn copied(folder: &Path, path: &Path, content: &[u8]) -> io::Result<PathBuf> {
    use std::os::unix::fs::OpenOptionsExt;
    use std::sync::atomic::{AtomicU64, Ordering};

    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let ending = path.extension().map_or("so".into(), |ending| ending.to_string_lossy());
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let copy = folder.join(format!(".lasthop-law-{}-{number}.{ending}", std::process::id()));
        // Made anew: what somebody else has put there is not written through.
        match File::options().write(true).create_new(true).mode(0o700).open(&copy) {
            Ok(mut file) => {
                let written = file.write_all(content);
                if written.is_err() {
                    let _ = fs::remove_file(&copy);
                }
                return written.map(|()| copy);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Loads the file itself: Windows lets nobody write to it from then on, so what is compared afterwards is what was loaded.
#[cfg(windows)]
fn load(path: &Path, content: &[u8]) -> Result<Loaded, String> {
    let full: PathBuf = fs::canonicalize(path).map_err(|error| error.to_string())?;
    let loaded = raw::load(&full)?;
    let same = fs::read(&full).is_ok_and(|now| now == content);
    if same { Ok(loaded) } else { Err("it was written to while it was read".to_owned()) }
}
