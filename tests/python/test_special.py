"""Our special functions beside scipy's, over what intervals ask of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from lasthop.numbers.stats import special

scipy_special = pytest.importorskip("scipy.special")
stats = pytest.importorskip("scipy.stats")

LEVELS = (
    1e-9,
    1e-4,
    0.0005,
    0.005,
    0.025,
    0.05,
    0.3,
    0.5,
    0.9,
    0.95,
    0.975,
    0.995,
    0.9999,
    1 - 1e-9,
)


def _degrees() -> Iterator[tuple[float, ...]]:
    for degrees in (1, 2, 3, 4, 5, 9, 17.9, 29, 99, 999, 99_999, 10_000_000):
        for level in LEVELS:
            yield degrees, level


def _values() -> Iterator[tuple[float, ...]]:
    for degrees in (1, 2, 3.37, 9, 99, 99_999):
        for t in (-40.0, -8.0, -3.0, -1.5, -0.2, 0.0, 1.0, 2.0, 9.0):
            yield degrees, t


def _proportions() -> Iterator[tuple[float, ...]]:
    for trials in (1, 2, 5, 10, 100, 10_000, 10_000_000):
        for hits in sorted({1, trials // 10 or 1, trials // 2 or 1, trials}):
            for level in (0.0005, 0.025, 0.5, 0.975, 0.999):
                yield hits, trials - hits + 1, level


@pytest.mark.parametrize(
    ("name", "cases", "within"),
    [
        ("stdtrit", _degrees, 1e-13),
        ("stdtr", _values, 1e-12),
        ("betainc", _proportions, 1e-12),
        ("betaincinv", _proportions, 1e-12),
        ("ndtri", lambda: ((level,) for level in LEVELS), 1e-13),
    ],
)
def test_as_scipy_has_it(
    name: str, cases: Callable[[], Iterator[tuple[float, ...]]], within: float
) -> None:
    ours: Any = getattr(special, name)
    theirs: Any = getattr(scipy_special, name)
    for case in cases():
        expected = float(theirs(*case))
        assert ours(*case) == pytest.approx(expected, rel=within, abs=1e-15), case


@pytest.mark.parametrize("trials", [1, 2, 19, 60, 61, 500, 100_000])
@pytest.mark.parametrize("part", [0.001, 0.3, 0.5, 0.95])
def test_binomial_probabilities_are_those_of_scipy(trials: int, part: float) -> None:
    hits = np.arange(trials + 1)
    ours = special.bdtr(hits, trials, part)
    assert np.abs(ours - stats.binom.cdf(hits, trials, part)).max() < 1e-12
    assert special.bdtr(np.array([-1]), trials, part)[0] == 0


def test_what_is_exact_stays_exact() -> None:
    assert special.bdtr(np.arange(3), 2, 0.5).tolist() == [0.25, 0.75, 1.0]
    assert special.stdtrit(4, 0.5) == 0
    # One degree of freedom is Cauchy's distribution; scipy 1.17 is off by 1e-11 here.
    assert special.stdtr(1, 1e-6) == pytest.approx(0.5 + math.atan(1e-6) / math.pi, rel=1e-15)
    assert special.stdtrit(4, 1.0) == math.inf
    assert special.betaincinv(1, 1, 0.25) == pytest.approx(0.25, rel=1e-15)
