"""Intervals that keep their level for skewed values: formulas, least numbers, ratios. See `stats.safe`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lasthop.numbers import stats

DISTRIBUTIONS = {
    "exponential": lambda rng, size: (rng.exponential(1, size), 1.0),
    "lognormal": lambda rng, size: (rng.lognormal(0, 1, size), math.exp(0.5)),
    "gamma": lambda rng, size: (rng.gamma(0.3, 1, size), 0.3),
    "zeros": lambda rng, size: ((rng.random(size) < 0.3) * rng.exponential(1, size), 0.3),
    "beta": lambda rng, size: (rng.beta(8, 0.5, size), 8 / 8.5),
}
"""Values by name, and their mean."""


def test_fewer_than_three_values_decide_nothing() -> None:
    assert stats.safe_interval([5.0, 6.0]) is None
    assert stats.runs_needed([5.0, 6.0]) == 10
    assert stats.safe_interval([5.0, 6.0, 7.0]) is not None


def test_few_values_show_only_huge_effects() -> None:
    """At 95 % the bounds of five are 14 standard errors away: under 16 % of the mean may be spread."""
    assert stats.safe_interval([98.0, 99.0, 100.0, 101.0, 102.0]).low > 80  # type: ignore[union-attr]
    assert stats.safe_interval([60.0, 80.0, 100.0, 120.0, 140.0]).low < 0  # type: ignore[union-attr]
    assert stats.mean_interval([60.0, 80.0, 100.0, 120.0, 140.0]).low > 60


@pytest.mark.parametrize("count", [3, 5, 9])
@pytest.mark.parametrize("name", ["exponential", "lognormal", "gamma", "zeros", "beta"])
def test_few_values_keep_the_level(count: int, name: str) -> None:
    """At most 5.5 % of 20,000 studies miss the mean: 5 % and three standard errors."""
    rows, mean = DISTRIBUTIONS[name](np.random.default_rng(count), (20_000, count))
    low, high = stats.safe_bounds(rows, 0.025)
    assert ((low > mean) | (high < mean)).mean() <= 0.055


def test_equal_values_decide_from_29_on() -> None:
    assert stats.safe_interval([3.0] * 28) is None
    assert stats.runs_needed([3.0] * 28) == 29
    assert stats.safe_interval([3.0] * 29) == stats.Interval(3, 3)
    # A tenth of all runs is unseen in 29 with probability 0.9^29 = 4.7 %.
    assert 0.9**29 < 0.05 < 0.9**28


@pytest.mark.parametrize("others", [1, 4, 9])
def test_values_mostly_equal_need_ten_that_differ(others: int) -> None:
    values = [0.0] * (40 - others) + [float(n) for n in range(1, others + 1)]
    assert stats.safe_interval(values) is None
    assert stats.runs_needed(values) == math.ceil(400 / others)
    assert stats.safe_interval([0.0] * 30 + [float(n) for n in range(1, 11)]) is not None


def test_of_a_constant_against_mostly_zero_the_differences_are_mostly_equal() -> None:
    rng = np.random.default_rng(5)
    constant = 0.3 + 1e-9 * rng.normal(size=12)
    mostly = np.zeros(12)
    mostly[:4] = rng.exponential(1, 4)
    assert stats.safe_interval(constant - mostly) is None


def test_of_normal_values_it_is_a_third_wider_than_students_at_ten() -> None:
    values = [9.0, 10.0, 11.0, 9.5, 10.5, 8.0, 12.0, 9.8, 10.2, 10.0]
    found, student = stats.safe_interval(values), stats.mean_interval(values)
    assert found is not None
    # No skewness: Student's at the error 0.025 / (1 + 12/10), 9 degrees: 2.743 in place of 2.262.
    assert found.high - found.low == pytest.approx(
        (student.high - student.low) * 2.7434 / 2.2622, rel=1e-3
    )


def test_of_skewed_values_the_bound_beyond_the_tail_is_halls() -> None:
    values = np.array([0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 3.5, 9.0])
    found = stats.safe_interval(values)
    assert found is not None
    middle, spread = values.mean(), values.std(ddof=1)
    skewness = ((values - middle) ** 3).mean() / values.std() ** 3 * math.sqrt(90) / 8
    reach = stats.special.stdtrit(9, 1 - 0.025 / 2.2) / math.sqrt(10)
    inner = 1 - skewness * reach - skewness**2 / 60
    assert found.high == pytest.approx(middle - 3 * spread / skewness * (math.cbrt(inner) - 1))
    assert found.low == pytest.approx(middle - reach * spread)


def test_a_ratio_is_rejected_exactly_where_the_verdict_about_it_is_against_it() -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        b = rng.exponential(1, 20) + 1
        a = rng.exponential(3, 20)
        found = stats.safe_ratio_interval(a, b)
        assert found is not None
        for ratio, inside in [
            (found.low * (1 - 1e-6), False),
            (found.low * (1 + 1e-6), True),
            (found.high * (1 - 1e-6), True),
            (found.high * (1 + 1e-6), False),
        ]:
            margin = stats.safe_interval(a - ratio * b)
            assert margin is not None
            assert margin.contains(0) is inside


def test_a_ratio_at_which_most_pairs_are_equal_is_not_rejected() -> None:
    """Runs with the same random numbers are equal until something rare tells them apart."""
    b = np.random.default_rng(3).normal(10, 0.01, 20)
    a = b.copy()
    a[:4] += 5
    found = stats.safe_ratio_interval(a, b)
    assert found is not None
    assert found.low <= 1
    assert stats.safe_ratio_interval(a, np.r_[b[:1], np.zeros(19)]) is None


def test_scale_and_sign_do_not_matter() -> None:
    values = np.random.default_rng(2).lognormal(0, 1, 15)
    low, high = stats.safe_bounds(values, 0.025)
    down, up = stats.safe_bounds(-1e9 * values, 0.025)
    assert (down, up) == pytest.approx((-1e9 * high, -1e9 * low))


@pytest.mark.parametrize(
    ("mean", "half", "ends", "said"),
    [
        (560.6, 0.0, (0, math.inf), "560.6 ="),
        (0.0, 0.0, (0, math.inf), "0 ="),
        (0.1, 1e-17, (0, 1), "0.1 ="),
        (5.0, 2.0, (0, math.inf), "5 ± 2"),
        (5.0, 7.0, (0, math.inf), "5 (0 to 12)"),
        (0.99, 0.03, (0, 1), "0.99 (0.96 to 1)"),
        (5.0, None, (0, math.inf), "5"),
    ],
)
def test_a_mean_is_shown_with_bounds_that_it_can_have(
    mean: float, half: float | None, ends: tuple[float, float], said: str
) -> None:
    assert stats.shown_mean(mean, half, ends, "{:.4g}".format, "{:.2g}".format) == said
    assert stats.said_of_equal(10) == (
        "= equal in all 10 runs; what happens in fewer than 26 % of runs may be unseen."
    )
