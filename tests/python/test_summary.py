"""Means of replications are taken while they run: the same numbers, in a memory that does not grow with them."""

from __future__ import annotations

import json
import math
import random
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import lasthop
from lasthop import _core
from lasthop.numbers import stats
from lasthop.numbers.stats import summary

SHORT = """
duration = "50 ms"
[[link]]
ends = ["a", "b"]
rate = "1 Mbps"
delay = "2 ms"
loss = 0.1
[[flow]]
name = "f"
from = "a"
to = "b"
app = "bulk"
"""


def documents(count: int) -> list[dict]:
    chance = random.Random(7)
    return [
        {
            "seed": 3,
            "replication": number,
            "complete": True,
            "jain": None if chance.random() < 0.1 else chance.random(),
            "flows": [
                {
                    "name": name,
                    "goodput_bps": chance.gauss(1e6, 1e3),
                    "constant": 0.1,
                    "packets_lost": {"queue": 1} if chance.random() < 0.3 else {},
                    "choices": [number],
                }
                for name in ("up", "down")
            ],
        }
        for number in range(count)
    ]


def test_few_replications_have_the_numbers_of_all_values_together() -> None:
    runs = documents(500)
    found = stats.summarise(runs)
    assert list(found) == ["seed", "replications", "complete", "jain", "flows"]
    for place, flow in enumerate(found["flows"]):
        values = [run["flows"][place]["goodput_bps"] for run in runs]
        assert flow["goodput_bps"] == stats.estimate(values).as_dict()
        lost = [float(run["flows"][place]["packets_lost"].get("queue", 0)) for run in runs]
        assert flow["packets_lost"]["queue"] == stats.estimate(lost).as_dict()
        assert "choices" not in flow
    present = [run["jain"] for run in runs if run["jain"] is not None]
    assert found["jain"] == stats.estimate(present).as_dict()
    assert len(present) < 500


def test_many_replications_have_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "KEPT", 64)
    runs = documents(1000)
    found = stats.summarise(runs)
    for place, flow in enumerate(found["flows"]):
        values = [run["flows"][place]["goodput_bps"] for run in runs]
        known = stats.estimate(values)
        assert flow["goodput_bps"]["mean"] == known.mean, "exact, whatever the order"
        assert math.isclose(flow["goodput_bps"]["ci95"], known.ci95 or 0.0, rel_tol=1e-12)
        assert flow["goodput_bps"]["n"] == flow["packets_lost"]["queue"]["n"] == 1000
        assert flow["constant"]["mean"] == 0.1
        assert flow["constant"]["ci95"] < 1e-17


def test_numbers_far_from_zero_keep_their_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "KEPT", 10)
    values = [1e9 + number % 3 for number in range(99)]
    found = stats.summarise({"x": value} for value in values)["x"]
    spread = np.std([0.0, 1.0, 2.0] * 33, ddof=1) / 99**0.5
    assert math.isclose(found["ci95"], stats.t_quantile(0.95, 98) * spread, rel_tol=1e-6)


def test_what_is_held_does_not_grow_with_the_replications(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "KEPT", 50)

    def peak(count: int) -> int:
        """The most bytes of Python's that a summary of this number of replications held at a time."""
        tracemalloc.start()
        held = lasthop.Summary()
        lasthop.summarise(held, SHORT, replications=count, workers=2)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert held.runs == count
        return found

    least = peak(60)
    # The core limits the documents that wait to be fetched: 1,024, all fetched at once by a slow process.
    tracemalloc.start()
    kept = lasthop.run(SHORT, replications=50).documents
    document = tracemalloc.get_traced_memory()[0] / len(kept)
    tracemalloc.stop()
    assert peak(6000) < least + 2 * 1024 * document, "all of them would be three times as much"


def test_the_command_line_prints_the_summary_of_the_documents(capsys, tmp_path: Path) -> None:
    from lasthop.cli.commands.run import RunOptions
    from lasthop.cli.commands.run import command as run

    file = tmp_path / "short.toml"
    file.write_text(SHORT)
    run(str(file), options=RunOptions(replications=40, workers=2, as_json=True))
    printed = json.loads(capsys.readouterr().out)
    assert [each["cause"] for each in printed.pop("limited")] == ["link"]
    assert printed == stats.summarise(lasthop.run(file, replications=40).documents)
    assert printed["replications"] == 40


def test_results_are_taken_in_their_order_whoever_is_first() -> None:
    one, several = lasthop.Summary(), lasthop.Summary()
    lasthop.summarise(one, SHORT, replications=50, workers=1)
    lasthop.summarise(several, SHORT, replications=50, workers=4)
    assert json.dumps(one.document()) == json.dumps(several.document())


def test_changes_of_a_scenario_cost_what_they_are() -> None:
    def seconds(count: int) -> float:
        changes = [f"tcp.window={number} packets" for number in range(1, count + 1)]
        started = time.thread_time()  # a busy machine takes none of it
        _core.check(SHORT, "x", changes)
        return time.thread_time() - started

    few, many = min(seconds(2_000) for _ in range(3)), min(seconds(20_000) for _ in range(3))
    assert many < 40 * few, f"{few} s for 2,000 changes, {many} s for 20,000"
