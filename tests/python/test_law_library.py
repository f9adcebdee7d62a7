"""Laws in Rust from a wheel: the same results as lasthop's own, on any number of threads, and clear errors."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import lasthop
import rust_laws
from commands import ROOT
from commands import lasthop as command
from lasthop._core import law_sources
from lasthop.core import law_library
from lasthop.core.python_law import load as load_law
from lasthop.errors import LawError, UsageError
from lasthop.study import law_sources as carrying
from lasthop.study.cells import cells
from lasthop.study.making import law_files
from lasthop.study.spec import Study
from test_law import DUMBBELL, results


@pytest.mark.parametrize("recovery", ["tahoe", "newreno", "sack", "rack_tlp"])
def test_reno_of_a_library_is_reno_to_the_byte_on_any_number_of_threads(recovery: str) -> None:
    name, law = load_law(str(rust_laws.plain()))
    assert name == "Mine"
    own = ["duration=30 s", f"tcp={{recovery='{recovery}', law='reno'}}"]
    mine = ["duration=30 s", f"tcp={{recovery='{recovery}', law='mine'}}"]
    expected = lasthop.run(DUMBBELL, overrides=own, replications=3)
    for workers in (1, 3):
        found = lasthop.run(
            DUMBBELL, overrides=mine, replications=3, laws={"mine": law}, workers=workers
        )
        assert results(found) == results(expected)


@pytest.mark.parametrize(
    "rules", ["conventions=ns2.1b7", "conventions=ns3", "tcp.whole_steps=true"]
)
def test_the_rules_of_the_window_cross_the_border(rules: str) -> None:
    # ns-2 rounds thresholds and windows down, Linux counts whole segments.
    _, law = load_law(str(rust_laws.plain()))
    changes = ["duration=30 s", rules]
    expected = lasthop.run(DUMBBELL, overrides=changes)
    found = lasthop.run(DUMBBELL, overrides=changes, laws={"mine": law}, law="mine")
    assert results(found) == results(expected)


def test_options_and_a_law_in_python_beside_it() -> None:
    _, law = load_law(str(rust_laws.plain()))
    laws = {"mine": law, "py": lasthop.Law}
    changes = [
        "duration=30 s",
        "tcp={}",
        "flow.one.tcp={law='mine', recovery='newreno', law_options={decrease=0.5}}",
        "flow.two.tcp={law='py', recovery='newreno'}",
    ]
    found = lasthop.run(DUMBBELL, overrides=changes, laws=laws)
    expected = lasthop.run(DUMBBELL, overrides=["duration=30 s"])
    assert results(found) == results(expected)
    with pytest.raises(LawError) as refused:
        lasthop.run(
            DUMBBELL, overrides=["tcp.law_options.decreas=0.7"], laws={"mine": law}, law="mine"
        )
    assert 'no option "decreas"; there are: increase, decrease' in str(refused.value)


@pytest.mark.parametrize(
    ("misdeed", "said"),
    [
        (1, "panic at src/lib.rs:44: a misdeed at 1 segments"),
        (2, "cwnd = NaN; allowed: a finite number of segments, 1 or more"),
        (3, "a pacing rate of -1; allowed: segments/s above 0, or None"),
        (5, "ssthresh = -2; allowed: segments, 2 or more"),
        (6, "cwnd = inf; allowed: a finite number of segments, 1 or more"),
    ],
)
def test_what_a_law_does_wrong_is_said(misdeed: int, said: str) -> None:
    path = str(rust_laws.wrong())
    _, law = load_law(path)
    changes = [f"tcp.law_options.misdeed={misdeed}"]
    told = set()
    for laws in (
        {"wrong": law},
        {"wrong": law, "python": lasthop.Law},
    ):  # on a thread, and on this one
        with pytest.raises(LawError) as refused:
            lasthop.run(DUMBBELL, overrides=changes, laws=laws, law="wrong")
        told.add(str(refused.value))
    (message,) = told
    assert message.startswith(f"{path}: error: ")
    first, where = message.splitlines()
    assert said.partition(":44")[0] in first
    assert said.rpartition(": ")[2] in first
    assert where.startswith(" in Wrong::on_ack, flow one at 0.")


def test_a_window_of_zero_counts_as_one_and_a_rate_paces() -> None:
    _, law = load_law(str(rust_laws.wrong()))

    def goodput(misdeed: int) -> float:
        changes = ["duration=30 s", f"tcp.law_options.misdeed={misdeed}"]
        run = lasthop.run(DUMBBELL, overrides=changes, laws={"wrong": law}, law="wrong")
        return float(run.documents[0]["flows"][0]["goodput_bps"])

    # A segment a round trip: 1460 B in about 100 ms or more, and no more than a tenth of what Reno gets.
    assert 0 < goodput(4) < goodput(0) / 2
    assert goodput(7) > 0


def test_conformance_says_what_is_wrong() -> None:
    assert command("conformance", "law", str(rust_laws.plain())).returncode == 0
    done = command("conformance", "law", str(rust_laws.plain()), "--json")
    assert {case["verdict"] for case in json.loads(done.stdout)["cases"]} == {"pass"}


def test_a_study_knows_a_library_by_its_content(tmp_path: Path) -> None:
    copied = tmp_path / rust_laws.plain().name
    shutil.copy(rust_laws.plain(), copied)
    _, mine = load_law(str(copied))
    study = Study("one", DUMBBELL.read_text(), str(DUMBBELL), laws={"mine": mine}, law="mine")
    (one,) = cells(study)
    # Data, as they go to a store and a worker: the same key, and the same law when they are loaded.
    documents = carrying.as_documents(study.laws, "mine")
    json.dumps(documents)
    held, everywhere = carrying.of_documents(documents)
    (two,) = cells(replace(study, laws=held, law=everywhere))
    loaded = carrying.loaded(carrying.unloaded(study))
    (three,) = cells(loaded)
    assert one.key == two.key == three.key
    with pytest.raises(lasthop.LasthopError, match="a library that the results name"):
        carrying.refuse_code(replace(study, laws=held))
    # Built anew: another law, though the path is the same.
    shutil.copy(rust_laws.wrong(), copied)
    with pytest.raises(LawError, match="built anew since"):
        carrying.loaded(replace(study, laws=held))
    _, other = load_law(str(copied))
    assert other.name == "Wrong"
    (four,) = cells(replace(study, laws={"mine": other}))
    assert four.key != one.key


def test_the_crate_has_the_cores_own_files(tmp_path: Path) -> None:
    core = ROOT / "crates" / "transport" / "src" / "tcp"
    assert {name for name, _ in law_sources()} == {"outside.rs", "window.rs"}
    files = law_files.rust("HalfAsBrave", tmp_path)
    for name, text in law_sources():
        assert text == (core / name).read_text()
        assert files[tmp_path / "half_as_brave" / "src" / "lasthop" / name] == text
    for path, text in files.items():
        assert not [word for word in ("MyLaw", "my_law", "LIBRARY") if word in text], path


def test_a_crate_as_it_is_made_passes_its_own_tests() -> None:
    library = rust_laws.plain()
    crate = library.parents[2]
    said = rust_laws.run("cargo", "test", "--offline", cwd=crate)
    assert "2 passed" in said
    assert "warning" not in said
    source = crate / "src" / "lib.rs"
    rust_laws.run("rustfmt", "--edition=2024", "--check", str(source), cwd=crate)


@pytest.mark.parametrize("name", ["loop", "Test", "window", "Ack"])
def test_a_name_that_rust_has_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="choose another name"):
        law_files.rust(name, tmp_path)


STRANGE = """
#[unsafe(no_mangle)]
pub static LASTHOP_LAW_ABI: u32 = {version};
#[unsafe(no_mangle)]
pub static {symbol}: [u64; 16] = [0; 16];
"""


@pytest.mark.parametrize(
    ("version", "symbol", "said"),
    [
        (
            7,
            "LASTHOP_LAW",
            "compiled for version 7 of lasthop's laws, and this lasthop has version 2",
        ),
        (2, "LASTHOP_LEW", "it exports no LASTHOP_LAW, so it is no law"),
        (2, "LASTHOP_LAW", "one of its functions is missing"),
    ],
)
def test_a_library_that_is_no_law(version: int, symbol: str, said: str) -> None:
    text = STRANGE.format(version=version, symbol=symbol)
    library = rust_laws.compiled(f"strange{version}{symbol[-2:].lower()}", text)
    with pytest.raises(LawError) as refused:
        load_law(str(library))
    assert str(refused.value).startswith(f"{library}: error: ")
    assert said in str(refused.value)
    done = command("run", DUMBBELL, "--law", library)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def _elf(machine: int, content: bytes = b"") -> bytes:
    return (
        b"\x7fELF\x02\x01\x01"
        + bytes(9)
        + b"\x03\x00"
        + machine.to_bytes(2, "little")
        + bytes(44)
        + content
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no library"),
        (b"class Mine: pass\n" * 10, "is no library"),
        (b"MZ" + bytes(100), "is no library"),
        (_elf(9999), "is a library for Linux on processor 9999"),
        (b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01" + bytes(100), "is a library for macOS on arm64"),
        (
            b"MZ" + bytes(58) + b"\x40\x00\x00\x00PE\0\0\x64\x86" + bytes(20),
            "is a library for Windows on x86-64",
        ),
    ],
)
def test_a_file_that_is_no_library_for_here(content: bytes, said: str, tmp_path: Path) -> None:
    if "macOS" in said and law_library.ENDING == ".dylib":
        pytest.skip("it is for here")
    path = tmp_path / "libmine.so"
    path.write_bytes(content)
    with pytest.raises(LawError, match=said):
        load_law(str(path))


def test_a_library_that_is_cut_off_or_not_there(tmp_path: Path) -> None:
    whole = rust_laws.plain().read_bytes()
    path = tmp_path / "libcut.so"
    for part in (0.1, 0.5, 0.99):
        path.write_bytes(whole[: int(len(whole) * part)])
        with pytest.raises(LawError, match=r"libcut\.so: error: "):
            load_law(str(path))
    with pytest.raises(LawError, match="no such file; `cargo build --release`"):
        load_law(str(tmp_path / "libnone.so"))
    (tmp_path / "lib.so").mkdir()
    with pytest.raises(LawError, match="is a directory"):
        load_law(str(tmp_path / "lib.so"))
    os.mkfifo(tmp_path / "libpipe.so")
    with pytest.raises(LawError, match="a pipe"):
        load_law(str(tmp_path / "libpipe.so"))
