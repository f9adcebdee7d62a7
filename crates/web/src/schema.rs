//! The schema of the scenario format, for the editor and for messages about mistakes.
//!
//! `tools/playground.py` writes it before it compiles (`build.rs`): the code that does so would be a sixth of the module. Without
//! that, as in tests, it is written here.

use serde_json::Value;
use std::borrow::Cow;

/// As JSON.
#[cfg(schema_at_hand)]
pub fn text() -> Cow<'static, str> {
    Cow::Borrowed(include_str!(env!("LASTHOP_SCHEMA")))
}

/// As JSON.
#[cfg(not(schema_at_hand))]
pub fn text() -> Cow<'static, str> {
    Cow::Owned(scenario::schema())
}

/// As a value.
pub fn value() -> Cow<'static, Value> {
    Cow::Owned(serde_json::from_str(&text()).unwrap_or_default())
}
