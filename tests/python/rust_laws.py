"""Laws in Rust for tests: the crate of `lasthop new law --rust`, built once for all tests of a process."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from lasthop.study import making
from lasthop.study.making import law_files

#: The longest that a build may take, s: the machine may pause for a minute.
LONGEST_S = 600.0

#: What a law does wrong, in place of Reno's step, by the number of its option `misdeed`.
MISDEEDS = """
        match self.misdeed as u32 {
            1 => panic!("a misdeed at {} segments", w.cwnd.clamp(1.0, 1.0)),
            2 => w.cwnd = f64::NAN,
            3 => self.pace = Some(-1.0),
            4 => w.cwnd = 0.0,
            5 => w.ssthresh = -2.0,
            6 => w.cwnd = f64::INFINITY,
            7 => self.pace = Some(1000.0),
            _ => {}
        }
"""


def program(name: str) -> str:
    """Return a program; skip where there is none, and fail where LASTHOP_REQUIRE_TOOLS is set, as in CI."""
    found = shutil.which(name)
    if found is None:
        if os.environ.get("LASTHOP_REQUIRE_TOOLS"):
            pytest.fail(f"{name} is missing")
        pytest.skip(f"{name} is missing")
    return found


@functools.cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="lasthop-rust-laws-"))


def run(*words: str, cwd: Path) -> str:
    """Run a program to its end and return what it says; fail where it does."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("CARGO_", "RUSTFLAGS"))}
    done = subprocess.run(
        [program(words[0]), *words[1:]],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@functools.cache
def plain() -> Path:
    """Return the library of a law as `lasthop new law Mine --rust` makes it."""
    program("cargo")
    making.write(law_files.rust("Mine", _folder()))
    return built(_folder() / "mine")


@functools.cache
def wrong() -> Path:
    """Return a law that does something wrong when its option `misdeed` says so."""
    program("cargo")
    making.write(law_files.rust("Wrong", _folder()))
    source = _folder() / "wrong" / "src" / "lib.rs"
    text = source.read_text()
    for old, new in (
        ("    decrease: f64,\n", "    decrease: f64,\n    misdeed: f64,\n    pace: Option<f64>,\n"),
        (
            'decrease: options.take("decrease", 0.5)',
            'decrease: options.take("decrease", 0.5), misdeed: options.take("misdeed", 0.0), pace: None',
        ),
        ("        if ack.may_grow() {", MISDEEDS + "        if ack.may_grow() {"),
        (
            "    fn on_loss(",
            "    fn pacing_rate(&self) -> Option<f64> {\n        self.pace\n    }\n\n    fn on_loss(",
        ),
    ):
        assert old in text
        text = text.replace(old, new)
    source.write_text(text)
    return built(_folder() / "wrong")


def built(crate: Path) -> Path:
    """Build a crate as its README says, and return the library."""
    run("cargo", "build", "--release", "--offline", "--quiet", cwd=crate)
    library = crate / "target" / "release" / law_files.library_of(crate.name)
    assert library.is_file()
    return library


def compiled(name: str, text: str) -> Path:
    """Return the library of a few lines of Rust."""
    source = _folder() / f"{name}.rs"
    source.write_text(text)
    library = _folder() / law_files.library_of(name)
    run(
        "rustc",
        "--edition=2024",
        "--crate-type=cdylib",
        "-o",
        str(library),
        str(source),
        cwd=_folder(),
    )
    return library
