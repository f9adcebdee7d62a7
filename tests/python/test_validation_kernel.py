"""`lasthop validate kernel`: how the table becomes runs and checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from lasthop_validation import kernel, oracles
from lasthop_validation.judging import judge

HEAD = "scenario,law,queue,loss,seed,flow,metric,value\n"
METRICS = {
    "goodput_kbps": 9653,
    "mean_cwnd_segments": 38.0,
    "mean_srtt_ms": 45.6,
    "retransmitted_segments": 0,
}


def folder(path: Path, *rows: tuple[str, str, str]) -> Path:
    """Write a table with the same numbers for each (scenario, law, flow)."""
    (path / "kernel").mkdir()
    lines = [
        f"{scenario},{law},100,0.0,1,{flow},{metric},{value}\n"
        for scenario, law, flow in rows
        for metric, value in METRICS.items()
    ]
    (path / "kernel" / "metrics.csv").write_text(HEAD + "".join(lines))
    return path


def test_vegas_is_the_kernel_s(tmp_path: Path) -> None:
    # README of the reference: 38 segments, 45.6 ms, nothing sent again.
    with oracles.reading(folder(tmp_path, ("wired", "vegas", "f"))):
        checks = judge(kernel.cases(quick=False), workers=1)
    assert [str(check.outcome) for check in checks] == ["ok"] * 4
    assert checks[1].measured == pytest.approx(38, rel=0.01)


def test_each_flow_has_its_own_law_and_way(tmp_path: Path) -> None:
    rows = (("wired_2flows_cubic_reno", "reno", "f1"), ("cell", "bbr", "up"))
    with oracles.reading(folder(tmp_path, *rows)):
        first, second = kernel.references()
    assert kernel.scenario(first).index("linux-cubic") < kernel.scenario(first).index("linux-reno")
    assert kernel.scenario(second).count('variant = "linux-bbr"') == 2
    assert (first.chance, second.chance) == (False, True)


def test_a_row_that_cannot_be_compared_is_named(tmp_path: Path) -> None:
    rows = (("wired", "vegas", "f"), ("wired", "cdg", "f"), ("satellite", "reno", "f"))
    with oracles.reading(folder(tmp_path, *rows)), oracles.noting() as left_out:
        assert len(kernel.references()) == 1
    assert "linux-cdg" in left_out[0]
    assert "satellite" in left_out[1]
