"""The forecast of a sweep is measured again while it runs: by what the finished runs took, of these cells."""

from __future__ import annotations

from pathlib import Path

import pytest

import lasthop
import studies
from lasthop.study import forecast, sweeping
from lasthop.study.forecast import Forecast, Pace


def test_runs_that_take_longer_are_seen_early() -> None:
    # 100 runs, forecast 42 s of processor time on two cores, which take 132 s.
    pace = Pace([10] * 10, [4.2] * 10, cores=2)
    assert pace.whole_s(0, 0.0) == pytest.approx(21.0)
    assert pace.whole_s(10, 6.6) == pytest.approx(46.0, abs=0.1)
    assert pace.whole_s(30, 19.8) == pytest.approx(56.5, abs=0.1)
    assert pace.whole_s(100, 66.0) == 66.0
    assert pace.ratio(30, 19.8) == pytest.approx(66 / 21)


def test_cells_that_cost_more_are_no_surprise() -> None:
    # Half the runs are done in a tenth of the time, as forecast: by their count it would be a fifth of it.
    pace = Pace([50, 50], [2.0, 18.0], cores=1)
    assert pace.whole_s(50, 2.0) == pytest.approx(20.0)
    assert pace.whole_s(75, 11.0) == pytest.approx(20.0)


def test_time_does_not_run_backwards() -> None:
    pace = Pace([4], [1.0], cores=4)
    assert pace.whole_s(0, 9.0) == 9.0
    assert pace.whole_s(4, 30.0) == 30.0
    assert Pace([], [], cores=2).whole_s(0, 1.0) == 1.0


def test_it_is_told_once_for_each_great_change() -> None:
    pace = Pace([100], [200.0], cores=1)
    told = [pace.is_news(done, 6.0 * done) for done in range(0, 101, 5)]
    assert 1 <= sum(told) <= 2
    assert not told[0]
    pace = Pace([100], [200.0], cores=1)
    assert not any(pace.is_news(done, 2.1 * done) for done in range(101)), "it is as forecast"


def test_a_sweep_tells_that_it_takes_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = 1e-7
    monkeypatch.setattr(
        sweeping, "forecast", lambda study, cells, wanted: Forecast((short,) * len(cells), 1)
    )
    monkeypatch.setattr(forecast, "WORTH_TELLING_S", -1.0)
    monkeypatch.setattr(forecast, "SURE_RUNS", 1)
    hooks = studies.Counting()
    lasthop.sweep(studies.study(tmp_path), tmp_path / "out", replications=4, workers=1, hooks=hooks)
    assert any("times as long as forecast" in said for said in hooks.messages), hooks.messages
