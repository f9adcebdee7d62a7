"""Work in threads: the order of one thread, and the first mistake of all."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lasthop.core import threads
from lasthop.errors import StudyError
from lasthop.study import cells, reader

STUDY = """
[study]
name = "many"
scenario = "wire.toml"
replications = 2
metrics = ["jain"]
[axes]
"link.0.delay" = {delays}
"tcp.variant" = ["reno", "cubic"]
"""
WIRE = """
duration = "1 s"
link = [{ ends = ["a", "b"], rate = "2 Mbps", delay = "20 ms" }]
flow = [{ name = "f", from = "a", to = "b", app = "bulk" }]
"""


def study(folder: Path, delays: list[str]) -> Path:
    (folder / "wire.toml").write_text(WIRE)
    path = folder / "study.toml"
    path.write_text(STUDY.format(delays=delays))
    return path


def test_results_have_the_order_of_their_items() -> None:
    def slow_at_first(item: int) -> int:
        time.sleep(0.01 if item < 4 else 0)
        return item * item

    many = range(threads.AT_ONCE + threads.FEW)
    assert list(threads.each(slow_at_first, many)) == [item * item for item in many]


def test_the_first_mistake_is_raised_and_what_is_far_behind_is_not_begun() -> None:
    begun = []

    def work(item: int) -> int:
        begun.append(item)
        if item in (70, 30):
            raise ValueError(item)
        return item

    with pytest.raises(ValueError, match="30"):
        list(threads.each(work, range(5 * threads.AT_ONCE)))
    assert len(begun) <= threads.AT_ONCE


def test_cells_are_the_same_one_by_one_and_in_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = reader.read(study(tmp_path, [f"{delay} ms" for delay in range(1, threads.FEW)]))
    in_threads = cells.cells(read)
    assert len({cell.key for cell in in_threads}) == 2 * (threads.FEW - 1)
    monkeypatch.setattr(threads, "FEW", 10_000)
    assert cells.cells(read) == in_threads


def test_the_error_of_a_study_names_its_first_wrong_cell(tmp_path: Path) -> None:
    delays = [f"{delay} ms" for delay in range(1, 100)]
    delays[80], delays[90] = "wrong", "wronger"
    with pytest.raises(StudyError, match='"wrong"'):
        cells.cells(reader.read(study(tmp_path, delays)))
