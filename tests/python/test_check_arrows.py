"""The checker of arrows finds what the core must not touch, also behind imports."""

from __future__ import annotations

import pytest

from check_arrows import forbidden_in


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("use std::sync::{Arc, Mutex, PoisonError};", ["std::sync::Mutex"]),
        ("use std::{\n    sync::{Arc, RwLock as Lock},\n    fs,\n};", ["std::fs", "std::sync::RwLock"]),
        ("let x = std::sync::Mutex::new(1);", ["std::sync::Mutex"]),
        ("static KNOWN: OnceLock<u8> = OnceLock::new();", ["static KNOWN: OnceLock"]),
        ("static N: [AtomicU64; 2] = [ZERO; 2];", ["static N: [AtomicU64"]),
        ("use std::sync::{Arc, OnceLock};", []),
        ("static WORDS: [&str; 1] = [\"a\"]; // a Mutex", []),
        ("fn of(text: &'static str, lock: &OnceLock<u8>) {}", []),
    ],
)  # fmt: skip
def test_what_the_core_must_not_touch_is_found(code: str, names: list[str]) -> None:
    assert sorted(name for _, name in forbidden_in(code)) == names
