//! The functions that a page calls. Every text that is returned follows its length in four bytes, the lowest
//! first, and is given back by `lasthop_free`. A request is JSON (`asked.rs`).

#![allow(
    unsafe_code,
    reason = "exported names are unsafe by themselves, and so are addresses that come in"
)]

use crate::asked::Asked;
use crate::memory;
use crate::said::{self, Checked};
use crate::schema;
use scenario::Run;

/// A run that a page holds.
pub type Held = Run;

/// Room for a request, zeroed.
#[unsafe(no_mangle)]
pub extern "C" fn lasthop_alloc(length: usize) -> *mut u8 {
    memory::room(length)
}

/// Gives back room, or a text with the four bytes of its length.
///
/// # Safety
/// The address and its length are as they were given out, and are not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lasthop_free(at: *mut u8, length: usize) {
    // SAFETY: the caller's promise.
    unsafe { memory::give_back(at, length) }
}

/// Checks a request: `{"errors": [{"line", "column", "length", "message", "shown"}], "scenario": {...}}`.
///
/// # Safety
/// The request is there with that length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lasthop_check(at: *const u8, length: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    let request = unsafe { memory::bytes(at, length) };
    let checked = Asked::read(request).and_then(|asked| asked.checked());
    memory::text(&Checked::new(&checked).to_json())
}

/// Begins a run; null where `lasthop_check` finds something.
///
/// # Safety
/// The request is there with that length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lasthop_begin(at: *const u8, length: usize) -> *mut Held {
    // SAFETY: the caller's promise.
    let request = unsafe { memory::bytes(at, length) };
    match Asked::read(request).and_then(|asked| asked.run()) {
        Ok(run) => memory::held(run),
        Err(_) => std::ptr::null_mut(),
    }
}

/// Simulates up to this part of the duration, 0 to 1. Steps change no result.
///
/// # Safety
/// The run was begun and is neither finished nor given up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lasthop_advance(run: *mut Held, part: f64) {
    // SAFETY: the caller's promise.
    unsafe { memory::lent(run) }.advance(part);
}

/// Simulates what is left and ends the run: its result as `lasthop run --json` has it.
///
/// # Safety
/// As of `lasthop_advance`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lasthop_finish(run: *mut Held) -> *mut u8 {
    // SAFETY: the caller's promise.
    memory::text(&unsafe { memory::taken_back(run) }.finish().to_json())
}

/// Simulates the rest and ends the run: returns its panels over `steps` steps (crates/panels), empty where it
/// has no probes.
///
/// # Safety
/// As of `lasthop_advance`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lasthop_draw(run: *mut Held, steps: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    let mut result = unsafe { memory::taken_back(run) }.finish();
    let tables = result.probes.take().unwrap_or_default();
    memory::text(&panels::drawn_of_tables(&result.to_json(), &tables, steps).unwrap_or_default())
}

/// Ends a run that is not wanted any further.
///
/// # Safety
/// As of `lasthop_advance`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lasthop_give_up(run: *mut Held) {
    // SAFETY: the caller's promise.
    drop(unsafe { memory::taken_back(run) });
}

/// Returns findings about a result, of one run or of several: `[{"rule", "what", "why", "advice"}]`.
///
/// # Safety
/// The result is there with that length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lasthop_noticed(at: *const u8, length: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    let result = String::from_utf8_lossy(unsafe { memory::bytes(at, length) });
    memory::text(&said::noticed(&result))
}

/// The JSON Schema of the scenario format.
#[unsafe(no_mangle)]
pub extern "C" fn lasthop_schema() -> *mut u8 {
    memory::text(&schema::text())
}

/// Everything that a scenario can name, by kind.
#[unsafe(no_mangle)]
pub extern "C" fn lasthop_catalogue() -> *mut u8 {
    memory::text(&scenario::catalogue())
}
