"""Quantiles, fairness, steady state, sequential stopping: coverage as stated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lasthop.numbers import stats

TRIALS = 1000


def covers(hits: int, level: float = 0.95, trials: int = TRIALS) -> bool:
    """Return whether a one-sided binomial test leaves it open that the coverage is `level`."""
    return stats.binomial_tail(trials - hits, trials, 1 - level) > 0.001


@pytest.mark.parametrize(("part", "count"), [(0.5, 20), (0.95, 100), (0.95, 20), (0.1, 60)])
def test_quantiles_lie_between_order_statistics(part: float, count: int) -> None:
    rng = np.random.default_rng(4)
    true = -math.log(1 - part)
    found = [
        stats.quantile_interval(list(rng.exponential(size=count)), part) for _ in range(TRIALS)
    ]
    assert covers(sum(each.contains(true) for each in found))
    assert found[0].coverage >= 0.95
    hits = sum(each.contains(true) for each in found) / TRIALS
    assert hits == pytest.approx(found[0].coverage, abs=0.03)  # the coverage that it states


def test_a_quantile_interval_has_both_ends_from_so_many_values_on() -> None:
    needed = stats.values_needed(0.95)
    assert needed == 72
    assert math.isinf(stats.quantile_interval(list(range(needed - 1)), 0.95).high)
    assert math.isfinite(stats.quantile_interval(list(range(needed)), 0.95).high)


@pytest.mark.parametrize(("part", "memory"), [(0.9, 0.0), (0.95, 0.0), (0.95, 0.8), (0.97, 0.8)])
def test_batch_quantiles_cover(part: float, memory: float) -> None:
    """Series of 8,000 exponential values; the mean of batches' quantiles covered in 67 to 93 %."""
    true, hits, bounded = -math.log1p(-part), 0, 0
    for seed in range(150):
        found = stats.batch_quantile(remembering(seed, 8000, memory), part)
        hits += found.contains(true)
        bounded += math.isfinite(found.high - found.low)
    assert stats.binomial_tail(150 - hits, 150, 0.07) > 0.001
    assert bounded > 0.85 * 150


def remembering(seed: int, count: int, memory: float) -> list[float]:
    """Return a stationary series of exponential values whose normal scores have this correlation."""
    rng = np.random.default_rng(seed)
    score, found = float(rng.normal()), []
    for step in rng.normal(size=count) * math.sqrt(1 - memory**2):
        score = memory * score + float(step)
        found.append(-math.log(0.5 * math.erfc(score / math.sqrt(2))))
    return found


def test_a_series_too_short_for_a_quantile_has_no_interval() -> None:
    assert stats.batch_quantile(remembering(1, 500, 0.8), 0.95) == stats.Interval(
        -math.inf, math.inf
    )
    trend = np.arange(8000) / 8000 + np.random.default_rng(2).normal(0, 1, 8000)
    assert stats.batch_quantile(5 * trend, 0.5) == stats.Interval(-math.inf, math.inf)


def test_wilson() -> None:
    found = stats.wilson_interval(10, 100)
    assert (found.low, found.high) == pytest.approx((0.0552, 0.1744), abs=1e-4)  # Newcombe 1998
    assert stats.wilson_interval(0, 0) == stats.Interval(0, 1)


@pytest.mark.parametrize("means", [(1, 1, 1, 1, 1), (1, 1), (1, 0.8, 0.6, 0.4, 0.2), (5, 1, 1)])
def test_jains_interval_covers(means: tuple[float, ...]) -> None:
    rng = np.random.default_rng(7)
    true = stats.jain(means)
    assert true is not None
    shares = rng.gamma(1 / 0.09, 0.09, size=(TRIALS, 10, len(means))) * np.array(means)
    found = [stats.jain_interval(each) for each in shares]
    assert covers(sum(each.contains(true) for each in found))
    assert all(1 / len(means) <= each.low <= each.high <= 1 for each in found)


def test_the_jackknife_of_a_mean_is_students_interval() -> None:
    values = np.array([1.0, 3.0, 2.0, 6.0])
    found = stats.jackknife(lambda means: means[:, 0], values[:, None])
    plain = stats.mean_interval([1.0, 3.0, 2.0, 6.0])
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))


def test_all_pairs_of_unpaired_groups() -> None:
    # Two groups: the studentised range is sqrt(2) times Welch's t.
    a, b = [1.0, 2.0, 3.0, 4.0], [3.0, 5.0, 4.0, 6.0]
    found = stats.all_pairs([a, b])[0, 1]
    half = stats.t_quantile(0.95, 6) * math.sqrt(2 * (5 / 3) / 4)
    assert (found.low, found.high) == pytest.approx((-2 - half, -2 + half), rel=1e-3)


def test_the_warm_up_is_cut() -> None:
    rng = np.random.default_rng(8)
    fade = 10 * np.exp(-np.arange(2000) / 50)
    found = stats.warmup(rng.normal(size=2000) + fade)
    assert found.settled
    assert 100 <= found.cut <= 400  # the fade is under 1 from 115 on
    settled = [stats.warmup(rng.normal(size=2000)).cut for _ in range(20)]
    assert np.median(settled) < 200


def test_a_trend_has_no_steady_state() -> None:
    found = stats.warmup(np.arange(500.0))
    assert not found.settled
    assert "run longer" in str(found)
    with pytest.raises(ValueError, match="100 observations"):
        stats.warmup([1.0] * 99)


def _autoregressive(rng: np.random.Generator, count: int, memory: float) -> list[float]:
    values = [float(rng.normal()) / math.sqrt(1 - memory**2)]
    for step in rng.normal(size=count - 1):
        values.append(memory * values[-1] + float(step))
    return values


def test_batch_means_cover_and_say_when_they_cannot() -> None:
    rng = np.random.default_rng(9)
    found = [stats.batch_means(_autoregressive(rng, 2000, 0.8)) for _ in range(300)]
    assert covers(sum(each.interval.contains(0) for each in found), trials=300)
    assert not stats.batch_means(np.arange(100.0)).uncorrelated


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_stopping_at_a_precision_covers(level: float) -> None:
    rng = np.random.default_rng(10)
    wanted = stats.Precision(0.05, level=level)
    hits = reached = 0
    for _ in range(TRIALS):
        values = rng.normal(100, 10, 400)
        for count in stats.looks(most=400):
            found = wanted.look(list(values[:count]))
            if found.reached:
                break
        reached += found.reached
        assert found.estimate.ci95 is not None
        hits += abs(found.estimate.mean - 100) <= found.estimate.ci95
    assert reached == TRIALS
    assert covers(hits, level)


def test_a_precision_says_what_it_costs() -> None:
    rng = np.random.default_rng(12)
    found = stats.Precision(0.02).look(list(rng.normal(100, 10, 60)))
    assert not found.reached
    assert found.needed is not None
    assert 70 < found.needed < 160  # (1.96 x 10 / 2)^2 = 96, and a little for the level


def test_looking_often_does_not_find_what_is_not_there() -> None:
    rng = np.random.default_rng(13)
    at = stats.looks(5, 320, 1.5)
    rule = stats.Spending(at)
    assert math.fsum(rule.error(place) for place in range(len(at))) == pytest.approx(0.05)
    wrong = naive = 0
    for _ in range(TRIALS):
        values = rng.normal(0, 1, at[-1]).tolist()
        spent = [stats.mean_interval(values[:n], rule.level_at(k)) for k, n in enumerate(at)]
        wrong += not all(each.contains(0) for each in spent)
        naive += not all(stats.mean_interval(values[:n]).contains(0) for n in at)
    assert stats.binomial_tail(wrong, TRIALS, 0.05) > 0.001
    assert naive > 0.12 * TRIALS  # the cost of looks without a correction


def test_looks_grow_and_end() -> None:
    assert stats.looks(10, 30) == (10, 13, 17, 22, 28, 30)
    with pytest.raises(ValueError, match="at least 2"):
        stats.looks(1, 5)
    assert stats.Spending((10, 20)).place(20) == 1
    with pytest.raises(ValueError, match="no look"):
        stats.Spending((10, 20)).place(15)
