"""Checks that intervals cover, verdicts err, and advice is right as often as they promise.

Synthetic studies, whose truth is chosen, and simulated ones, whose truth is a closed form: frame loss
on a channel that loses each frame alike, and the rate of one saturated station. A check is off when
a binomial test rejects the promise at 0.1 %: intervals whose level is exact on both sides, those that
promise at least their level on one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy import special

from lasthop.numbers import stats
from lasthop.study.claims.ranking import ranks
from lasthop.study.claims.verdicts import PairedVerdict, compare, differing
from lasthop.study.precision import Precise
from lasthop.study.spec import Precision as Wished
from lasthop_validation import coverage_runs, planted
from lasthop_validation.checking import Check

Array = npt.NDArray[np.float64]
Rng = np.random.Generator

STUDIES, QUICK = 2000, 200
REJECT = 0.001
"""The level of the binomial test."""

TWO_SIDED = "exact: a binomial test at 0.1 %, either way"
AT_LEAST = "at least its level: a binomial test at 0.1 %"


def promised(
    group: str, name: str, kept: Iterator[bool], level: float = 0.95, exact: bool = False
) -> Check:
    """Return the check that a promise is kept as often as its level says."""
    outcomes = list(kept)
    count = len(outcomes)
    tail = REJECT / 2 if exact else REJECT
    below = special.bdtr(np.arange(count + 1), count, level)
    least = int(np.searchsorted(below, tail, side="right"))  # fewer are rejected
    return Check(
        group,
        name,
        sum(outcomes) / count,
        level,
        0.0,
        TWO_SIDED if exact else AT_LEAST,
        absolute=True,
        chance=level - least / count + 1e-12,
        resolution=1.0,
        at_least=not exact,
    )


def checks(quick: bool) -> list[Check]:
    """Return every check."""
    count = QUICK if quick else STUDIES
    return [
        *_intervals(count),
        *_bounds(count),
        *_stopping(count),
        *_verdicts(count),
        *coverage_runs.checks(count, promised),
        *_advice(count // 5),
    ]


def _studies(count: int, make: Callable[[Rng], bool], seed: int) -> Iterator[bool]:
    for study in range(count):
        yield make(np.random.default_rng((seed, study)))


def _intervals(count: int) -> list[Check]:
    group = "intervals"
    shares = np.array([1.0, 0.8, 0.6, 0.4])
    fair = stats.jain(shares.tolist()) or 0.0
    level = stats.quantile_interval(range(100), 0.95).coverage
    return [
        promised(group, "mean, normal, 10", _studies(count, _mean_normal, 1), exact=True),
        promised(group, "mean, skewed (gamma, cv 0.3), 10", _studies(count, _mean_gamma, 2), 0.94),
        promised(
            group, "95 % quantile, 100", _studies(count, _quantile, 3), level=level, exact=True
        ),
        promised(group, "ratio of means, paired, 10", _studies(count, _ratio, 4)),
        promised(
            group,
            "Jain's index, 4 stations, 10",
            _studies(count, lambda rng: _jain(rng, shares, fair), 5),
        ),
        promised(
            group,
            "Jain's index, all alike, 10",
            _studies(count, lambda rng: _jain(rng, np.ones(5), 1.0), 6),
        ),
        promised(group, "20 paired means together, 10", _studies(count, _together, 7)),
        promised(group, "batch means, AR(1) 0.8, 2,000", _studies(count // 2, _batches, 8), 0.94),
    ]


def _bounds(count: int) -> list[Check]:
    """One mean against a limit, at which it is: it is shown on neither side."""
    group = "one mean against a limit"
    kinds: dict[str, Callable[[Rng], Array]] = {
        "normal": lambda rng: rng.normal(0.05, 0.01, 10),
        "a long tail (exponential)": lambda rng: rng.exponential(0.05, 10),
        "a tail below, as Jain's index": lambda rng: 1 - rng.exponential(0.05, 10),
        "a fifth lost in a tenth of the runs": lambda rng: np.where(rng.random(10) < 0.1, 0.2, 0.0),
    }
    means = (0.05, 0.05, 0.95, 0.02)
    return [
        promised(group, f"{name}, 10", _studies(count, partial(_bounded, make, mean), 41 + n))
        for n, ((name, make), mean) in enumerate(zip(kinds.items(), means, strict=True))
    ]


def _bounded(make: Callable[[Rng], Array], mean: float, rng: Rng) -> bool:
    return stats.mean_bounds(make(rng), 0.025).contains(mean)


def _mean_normal(rng: Rng) -> bool:
    return stats.mean_interval(rng.normal(5, 1, 10).tolist()).contains(5)


def _mean_gamma(rng: Rng) -> bool:
    return stats.mean_interval(rng.gamma(1 / 0.09, 0.09, 10).tolist()).contains(1)


def _quantile(rng: Rng) -> bool:
    return stats.quantile_interval(rng.exponential(size=100).tolist(), 0.95).contains(
        -float(np.log(0.05))
    )


def _ratio(rng: Rng) -> bool:
    b = rng.normal(10, 1, 10)
    found = stats.safe_ratio_interval(1.3 * b + rng.normal(0, 1, 10), b)
    return found is not None and found.contains(1.3)


def _jain(rng: Rng, shares: Array, true: float) -> bool:
    runs = rng.gamma(1 / 0.09, 0.09, size=(10, len(shares))) * shares
    return stats.jain_interval(runs.tolist()).contains(true)


def _together(rng: Rng) -> bool:
    each = stats.bonferroni(20)
    runs = rng.normal(0, 1, (10, 1)) + rng.normal(0, 1, (10, 20))
    return all(stats.mean_interval(runs[:, k].tolist(), each).contains(0) for k in range(20))


def _batches(rng: Rng) -> bool:
    steps = rng.normal(size=2000)
    values = [float(steps[0]) / 0.6]
    for step in steps[1:]:
        values.append(0.8 * values[-1] + float(step))
    return stats.batch_means(values).interval.contains(0)


def _stopping(count: int) -> list[Check]:
    group = "sequential stopping"
    found = []
    for level in (0.9, 0.95, 0.99):
        name = f"2 % or 5 % at {100 * level:g} %, normal"
        kept = _studies(count, partial(_precise, level=level), 11)
        found.append(promised(group, name, kept, level))
    found.append(
        promised(group, "5 % at 95 %, skewed (gamma)", _studies(count, _precise_gamma, 12), 0.94)
    )
    found.append(promised(group, "a study's precision", _studies(count, _precise_study, 13)))
    found.append(promised(group, "intervals of all looks", _studies(count, _all_looks, 14)))
    return found


def _precise(rng: Rng, level: float) -> bool:
    half = float(rng.choice([0.02, 0.05]))
    return _stopped(rng.normal(100, rng.uniform(2, 15), 1500), half, 100, level)


def _precise_gamma(rng: Rng) -> bool:
    return _stopped(rng.gamma(1 / 0.09, 0.09, 1000), 0.05, 1, 0.95)


def _stopped(values: Array, half: float, true: float, level: float) -> bool:
    """Return whether the interval covers at the first look that is precise enough."""
    wanted = stats.Precision(half, level=level)
    for n in stats.looks(most=len(values)):
        found = wanted.look(values[:n].tolist())
        if found.reached:
            break
    width = found.estimate.ci95
    return width is not None and abs(found.estimate.mean - true) <= width


def _precise_study(rng: Rng) -> bool:
    """Stop as `lasthop sweep` does."""
    rule = Precise(Wished("m", relative=0.05))
    values = rng.normal(100, rng.uniform(5, 20), 2000).tolist()
    n = 0
    while more := rule.more(values[:n]):
        n += more
    level = stats.precision_level()
    return stats.mean_interval(values[:n], level).contains(100)


def _all_looks(rng: Rng) -> bool:
    at = stats.looks(5, 300, 1.5)
    rule, values = stats.Spending(at), rng.normal(0, 1, 300).tolist()
    levels = [rule.level_at(look) for look in range(len(at))]
    return all(
        stats.mean_interval(values[:n], level).contains(0)
        for n, level in zip(at, levels, strict=True)
    )


def _verdicts(count: int) -> list[Check]:
    group = "verdicts are right"
    return [
        promised(group, "no difference in truth", _studies(count, lambda r: _pair(r, 0.0), 21)),
        promised(
            group, "a difference of 2 % in truth", _studies(count, lambda r: _pair(r, 0.02), 22)
        ),
        promised(group, "stopped at the first verdict", _studies(count, _first_verdict, 23)),
        promised(group, "10 pairs by Holm's rule", _studies(count, _by_holm, 24)),
        promised(group, "ranks of 6 settings, 3 alike", _studies(count, _ranked, 25)),
    ]


def _paired(rng: Rng, change: float, count: int) -> tuple[list[float], list[float]]:
    b = 100 * (1 + 0.1 * rng.normal(size=count))
    return (b * (1 + change) + rng.normal(0, 4, count)).tolist(), b.tolist()


def _true(word: PairedVerdict, change: float) -> bool:
    """Return whether a verdict on a true change is right; 2 % is what matters."""
    return {
        PairedVerdict.BETTER: change > 0,
        PairedVerdict.WORSE: change < 0,
        PairedVerdict.NO_DIFFERENCE: abs(change) < 0.02,
        PairedVerdict.IDENTICAL: change == 0,
        PairedVerdict.CANNOT_TELL: True,
    }[word]


def _pair(rng: Rng, change: float) -> bool:
    a, b = _paired(rng, change, int(rng.integers(5, 60)))
    return _true(compare(a, b).word, change)


def _first_verdict(rng: Rng) -> bool:
    """Look up to 14 times, and stop at the first verdict, with a difference at the threshold."""
    change = float(rng.choice([0.0, 0.02]))
    at = stats.looks(5, 500, 1.5)
    rule, (a, b) = stats.Spending(at), _paired(rng, change, 500)
    for look, n in enumerate(at):
        found = compare(a[:n], b[:n], level=rule.level_at(look))
        if found.word is not PairedVerdict.CANNOT_TELL:
            return _true(found.word, change)
    return True


def _by_holm(rng: Rng) -> bool:
    """Five pairs are alike, five are near the edge of what can be shown; all share a baseline."""
    changes = [0.0] * 5 + [0.03] * 5
    base = 100 * (1 + 0.1 * rng.normal(size=12))
    pairs = {
        str(n): ((base * (1 + change) + rng.normal(0, 4, 12)).tolist(), base.tolist())
        for n, change in enumerate(changes)
    }
    found = differing(pairs)
    return all(
        _true(found[str(n)], change) or found[str(n)] is PairedVerdict.CANNOT_TELL
        for n, change in enumerate(changes)
    )


def _ranked(rng: Rng) -> bool:
    means = {"a": 110.0, "b": 104.0, "c": 100.0, "d": 100.0, "e": 100.0, "f": 90.0}
    shared = rng.normal(0, 5, 10)
    cells = {name: (mean + shared + rng.normal(0, 3, 10)).tolist() for name, mean in means.items()}
    places = {"a": (1, 1), "b": (2, 2), "c": (3, 5), "d": (3, 5), "e": (3, 5), "f": (6, 6)}
    return all(
        each.first <= places[each.name][0] and each.last >= places[each.name][1]
        for each in ranks(cells)
    )


def _advice(count: int) -> list[Check]:
    group = "advice is right"
    found = []
    for skewed in (False, True):
        played = [planted.play(seed, skewed=skewed) for seed in range(count)]
        name = f"30 settings and a limit{', skewed' if skewed else ''}"
        found.append(promised(group, name, (each.right for each in played)))
        runs, full = (sum(getattr(p, what) for p in played) for what in ("runs", "full_grid_runs"))
        reason = "at most a third of a full grid's runs"
        saved = 1 - runs / full
        found.append(
            Check("advice is cheap", name, saved, 2 / 3, 0.0, reason, absolute=True, at_least=True)
        )
    return found
