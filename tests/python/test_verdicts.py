"""Better, worse, no difference, cannot tell; ranks with ties that are real."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lasthop.numbers import stats
from lasthop.pages.studies import verdict_summary
from lasthop.study.claims.differences_of_means import IDENTICAL, Comparison
from lasthop.study.claims.letters import letters
from lasthop.study.claims.ranking import ranks
from lasthop.study.claims.verdicts import (
    Compared,
    PairedVerdict,
    compare,
    compare_all,
    differing,
    notes,
)
from lasthop_validation import coverage
from lasthop_validation.checking import Outcome

SKEWED = {
    "exponential": (lambda rng, n: rng.exponential(1, n), 1.0),
    "lognormal": (lambda rng, n: rng.lognormal(0, 1, n), math.exp(0.5)),
    "zeros": (lambda rng, n: (rng.random(n) < 0.3) * rng.exponential(1, n), 0.3),
}
"""Values by name, and their mean."""


def pair(change: float, spread: float, count: int = 12) -> tuple[list[float], list[float]]:
    rng = np.random.default_rng(5)
    b = rng.normal(100, 20, count)
    return list(b * (1 + change) + rng.normal(0, spread, count)), list(b)


@pytest.mark.parametrize(
    ("change", "spread", "said"),
    [
        (0.10, 1.0, "better"),
        (-0.10, 1.0, "worse"),
        (0.0, 1.0, "no difference beyond 2 %"),
        (0.01, 0.2, "no difference beyond 2 %"),
        (0.01, 30.0, "cannot tell"),
    ],
)
def test_words(change: float, spread: float, said: str) -> None:
    found = compare(*pair(change, spread))
    assert str(found) == said
    assert found.as_dict()["verdict"] == said
    assert (found.needed is not None) is (said == "cannot tell")


def test_less_is_better_where_one_says_so() -> None:
    assert compare(*pair(0.1, 1.0), higher_is_better=False).word is PairedVerdict.WORSE


def test_what_nobody_wants_more_or_less_of_is_higher_or_lower() -> None:
    up, down, same = ((0.1, 1.0), (-0.1, 1.0), (0.0, 1.0))
    words = [str(compare(*pair(*each), higher_is_better=None)) for each in (up, down, same)]
    assert words == ["higher", "lower", "no difference beyond 2 %"]


def test_more_comparisons_need_more_evidence() -> None:
    one = pair(0.05, 4.0)
    assert compare(*one).word is PairedVerdict.BETTER
    assert compare_all({str(n): one for n in range(100)})["0"].word is PairedVerdict.CANNOT_TELL


def test_holm_is_sharper_than_bonferroni_and_says_the_sign() -> None:
    pairs = {f"clear {n}": pair(0.2, 1.0) for n in range(9)} | {"faint": pair(-0.03, 4.0)}
    assert compare_all(pairs)["faint"].word is PairedVerdict.CANNOT_TELL
    assert differing(pairs)["faint"] is PairedVerdict.WORSE
    assert stats.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_settings_tie_unless_their_difference_is_shown() -> None:
    rng = np.random.default_rng(2)
    shared = rng.normal(0, 10, 10)
    means = {"sack": 120.0, "newreno": 100.0, "reno": 99.9, "vegas": 80.0}
    cells = {name: list(mean + shared + rng.normal(0, 1, 10)) for name, mean in means.items()}
    found = {each.name: each for each in ranks(cells)}
    assert {name: each.rank for name, each in found.items()} == {
        "sack": "1",
        "newreno": "2-3",
        "reno": "2-3",
        "vegas": "4",
    }
    assert [found[name].letters for name in means] == ["a", "b", "b", "c"]
    assert ranks(cells, higher_is_better=False)[0].name == "vegas"


def test_letters_show_chains() -> None:
    # a differs from c only: b shares a letter with each.
    assert letters(["a", "b", "c"], {("a", "c")}) == {"a": "a", "b": "ab", "c": "b"}
    assert letters(["a", "b"], set()) == {"a": "a", "b": "a"}
    assert letters(["a", "b"], {("a", "b")}) == {"a": "a", "b": "b"}


@pytest.mark.parametrize("seed", range(5))
def test_letters_say_exactly_what_differs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"n{i}" for i in range(7)]
    differ = {(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if rng.random() < 0.5}
    found = letters(names, differ)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            assert bool(set(found[a]) & set(found[b])) is ((a, b) not in differ)


def test_what_is_equal_in_every_run_is_identical() -> None:
    base = [100.0, 101.0, 99.0, 102.0]
    found = compare(base, base)
    assert str(found) == "identical"
    assert (found.change, found.low, found.high, found.needed) == (0, None, None, None)
    assert notes([found]) == (
        "From 4 runs: what happens in fewer than 53 % of runs may be unseen; the verdicts cover the rest.",
    )


def test_settings_whose_runs_are_all_equal_say_so_in_place_of_an_interval() -> None:
    few = compare([2.0] * 10, [1.0] * 10)
    assert few.equal
    assert few.word is PairedVerdict.CANNOT_TELL  # equal runs do not show that all runs are
    assert few.needed == IDENTICAL
    assert verdict_summary.interval(few.as_dict()) == "equal in all 10 runs"
    many = compare([2.0] * IDENTICAL, [1.0] * IDENTICAL)
    assert many.word is PairedVerdict.BETTER
    assert verdict_summary.interval(many.as_dict()) == "+100.0 to +100.0 %"
    spread = compare([2.0, 2.1, 2.0], [1.0, 1.0, 1.1])
    assert not spread.equal
    assert verdict_summary.interval(spread.as_dict()) == "not bounded"
    assert not compare([2.0], [1.0]).equal


def test_what_rests_on_a_few_replications_that_differ_is_open() -> None:
    base = [100.0, 101.0, 99.0, 102.0, 98.0, 100.5, 99.5, 101.5]
    rare = [*base[:-1], base[-1] + 9]
    found = compare(rare, base)
    assert found.word is PairedVerdict.CANNOT_TELL
    assert found.needed == 80  # ten that differ, at one in eight


def test_few_runs_that_cannot_tell_say_how_many_would() -> None:
    found = compare([11.0, 9.0, 12.0, 10.0], [9.0, 9.5, 9.0, 9.2])
    assert found.word is PairedVerdict.CANNOT_TELL
    assert found.needed is not None
    assert found.needed >= 10
    assert f"about {found.needed} replications would decide it." in notes([found])[1]
    assert compare([200.0, 201.0, 199.0, 202.0], [9.0, 9.5, 9.0, 9.2]).word is PairedVerdict.BETTER


@pytest.mark.parametrize("count", [6, 10, 20])
@pytest.mark.parametrize("name", ["exponential", "lognormal", "zeros"])
def test_a_constant_is_seldom_told_from_skewed_values_of_its_mean(count: int, name: str) -> None:
    """At most 5 % of 400 studies and three standard errors; by Student's interval 7 to 29 %."""
    draw, mean = SKEWED[name]
    rng = np.random.default_rng(count)
    words = [
        compare(np.full(count, mean) + 1e-9 * rng.normal(size=count), draw(rng, count)).word
        for _ in range(400)
    ]
    assert sum(word in (PairedVerdict.BETTER, PairedVerdict.WORSE) for word in words) <= 33


def test_a_change_is_never_under_minus_100_percent() -> None:
    rng = np.random.default_rng(8)
    found = compare(rng.exponential(1, 12), rng.normal(10, 1, 12))
    assert found.low is not None
    assert -1 <= found.low < 0


def test_the_promises_of_intervals_verdicts_and_advice_are_kept() -> None:
    """`lasthop validate coverage`, few studies of each kind."""
    checks = coverage.checks(quick=True)
    assert len(checks) == 32
    assert [check.name for check in checks if check.outcome is not Outcome.OK] == []


def test_notes_say_how_many_replications_decide_how_many() -> None:
    def open_(needed: int | None) -> Compared:
        return Compared(PairedVerdict.CANNOT_TELL, 0.1, None, None, 0.02, 12, needed)

    def said(*needed: int | None) -> str:
        return notes([open_(count) for count in needed])[1].removeprefix("Where we cannot tell, ")

    assert said(40) == "about 40 replications would decide it."
    assert said(40, 40) == "about 40 replications would decide them."
    assert (
        said(40, 90, 20) == "about 40 replications would decide half of the 3, and 90 all of them."
    )
    assert said(40, 90, None) == "about 90 replications would decide half of the 3."
    assert len(notes([open_(None)])) == 1


@pytest.mark.parametrize("runs", [3, 4, 6, 8])
def test_an_interval_ends_where_a_verdict_of_few_runs_does(runs: int) -> None:
    rng, decided = np.random.default_rng(3), 0
    for _ in range(200):
        old = 10 * rng.lognormal(0, 0.2, runs)
        new = old * (1.04 + 0.001 * rng.standard_normal(runs))
        found = compare(new, old)
        if found.word is PairedVerdict.BETTER:
            decided += 1
            assert found.low is not None
            assert found.low >= 0
            assert found.high is None or found.high > 0.03
    assert decided > 5


def test_what_holds_has_an_interval_within_its_bound() -> None:
    old = np.array([17.0, 19.2, 21.4])
    judged = Comparison("", "", 0.9 * old + [1.9, 1.92, 1.91], old, 0.9).judge(0.96)
    assert str(judged.outcome) == "shown"
    assert judged.low == 0.9
