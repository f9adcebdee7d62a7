"""manifest.json and tasks.json, changed by chance: every reader says what is wrong with them, or works."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import lasthop
import studies
from lasthop.errors import LasthopError, UsageError
from lasthop.study import slurm
from lasthop.study.leases import Claims
from lasthop.study.manifest import restored
from lasthop.study.plan import Task
from lasthop.study.swept import Results

#: Values of a wrong type or form.
STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**63, 2**70, 1.5, -0.0, float("nan"), float("inf"), "", "x", "²", "\ud800",
    "x" * 100_000, "/../..", [], [[]], [None], [1, 2, 3], [["a", [1]]], {}, {"x": 1}, {"text": 5},
)  # fmt: skip

#: Contents that are no document at all.
NO_JSON = (
    b"", b"\xff\xfe", b"{", b"[" * 100_000, b'{"a":' * 100_000, b"null", b"5", b'"x"', b"NaN", b"1" * 5000,
    b"[]", b"{}", b'{"format": 2}', b'{"format": "2"}', b'{"format": 3}', b"\x00" * 100, b'{"format": 1e999}',
)  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damage")
    out = folder / "out"
    study = studies.study(folder)
    results = lasthop.sweep(study, out, replications=2)
    tasks = [Task(0, 2, row.number, row.metrics) for row in results.rows]
    slurm.write_tasks(out, study, tasks)
    return out


def places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to everything in a document."""
    inside = document.items() if isinstance(document, dict) else ()
    if isinstance(document, list):
        inside = list(enumerate(document))[:3]
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a document with something else at a place, or without it."""
    found = copy.deepcopy(document)
    inside = found
    for key in path[:-1]:
        inside = inside[key]
    if value is ...:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return found


def damaged(document: Any, seed: int, count: int) -> Iterator[bytes]:
    """Yield every key removed, and a number of strange values at random places."""
    chance = random.Random(seed)
    there = list(places(document))
    for path in there:
        yield json.dumps(changed(document, path, ...)).encode()
    for _ in range(count):
        path = chance.choice(there)
        yield json.dumps(changed(document, path, chance.choice(STRANGE))).encode()
    text = json.dumps(document).encode()
    for _ in range(count // 4):
        at = chance.randrange(len(text))
        yield text[:at] + bytes([chance.randrange(256)]) + text[at + chance.randrange(2) :]
    yield json.dumps({**document, "more": 1}).encode()
    yield from NO_JSON


def refused_or_fine(act: Callable[[], object]) -> str:
    """Return what a reader says; any other error than one of ours goes on."""
    try:
        act()
    except LasthopError as error:
        said = str(error)
        assert len(said) < 7000
        assert "Traceback" not in said
        return said
    return ""


def read_all(out: Path) -> None:
    results = Results(out)
    results.summary()
    results.table()
    assert results.window
    assert repr(results)
    restored(results.manifest)


def test_a_damaged_manifest_is_told(whole: Path) -> None:
    path = whole / "manifest.json"
    before = path.read_bytes()
    try:
        said = []
        for content in damaged(json.loads(before), seed=11, count=600):
            path.write_bytes(content)
            said.append(refused_or_fine(lambda: read_all(whole)))
            refused_or_fine(lambda: slurm.work(whole, "0/1", 1))
    finally:
        path.write_bytes(before)
    told = [each for each in said if each]
    assert len(told) > 0.5 * len(said)
    assert all("manifest.json" in x or "format" in x or "study" in x or ":" in x for x in told)
    read_all(whole)


def test_damaged_tasks_are_told(whole: Path) -> None:
    path = whole / "tasks.json"
    before = path.read_bytes()
    try:
        for content in damaged(json.loads(before), seed=12, count=400):
            path.write_bytes(content)
            said = refused_or_fine(lambda: slurm.work(whole, "0/1", 1))
            assert not said or "tasks.json" in said, said
    finally:
        path.write_bytes(before)
    assert slurm.work(whole, "0/1", 1) == 0, "all is there"


def test_a_damaged_claim_claims_nothing(tmp_path: Path) -> None:
    claims = Claims(tmp_path, {0: "key"})
    task = Task(0, 4, 0, ("goodput",))
    other = Claims(tmp_path, {0: "key"})
    other.take([task])
    (path,) = (tmp_path / "claims").glob("*.json")
    document = json.loads(path.read_text())
    claims.look()
    assert claims.free([task]) == [], "a whole one does"
    for content in damaged(document, seed=13, count=200):
        path.write_bytes(content)
        claims.look()
        claims.free([task])


def test_a_damaged_manifest_is_written_anew_by_the_next_sweep(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(whole, out)
    for content in (b"[]", b'{"format": 2, "study": 5}', b"\xff"):
        (out / "manifest.json").write_bytes(content)
        with pytest.raises(UsageError, match=r"manifest\.json|format"):
            Results(out)
        lasthop.sweep(studies.study(tmp_path), out, replications=2)
        now, then = (json.loads((folder / "manifest.json").read_text()) for folder in (out, whole))
        assert now | {"found": 0} == then | {"found": 0}, "but for where it was found"


@pytest.mark.parametrize(
    "shard", ["²/³", "1/0", "-1/2", "1" * 5000 + "/2", "٣/٤", "0/1\n", "a/b", ""]
)
def test_a_strange_shard_is_refused(whole: Path, shard: str) -> None:
    with pytest.raises(UsageError, match="allowed: i/N"):
        slurm.work(whole, shard, 1)


def test_numbers_of_another_engine_are_not_shown_in_silence(
    whole: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from lasthop.cli.commands.results import ResultsOptions
    from lasthop.cli.commands.results import command as results

    results(whole)
    assert "engine" not in capfd.readouterr().err
    out = tmp_path / "out"
    shutil.copytree(whole, out)
    held = json.loads((out / "manifest.json").read_text())
    (out / "manifest.json").write_text(json.dumps(held | {"engine": "0.0.9-other"}))
    results(out, options=ResultsOptions(as_json=True))
    shown = capfd.readouterr()
    said = " ".join(shown.err.split())
    assert "computed by the engine 0.0.9-other of lasthop" in said
    assert f"this is {lasthop.__engine__}" in said
    assert json.loads(shown.out)["engine"] == "0.0.9-other"
    assert "0.0.9-other" in repr(Results(out))
