"""Better, worse, no difference, cannot tell; ranks with ties that are real."""

from __future__ import annotations

import numpy as np
import pytest

from lasthop import stats
from lasthop.claims.letters import letters
from lasthop.claims.ranking import ranks
from lasthop.claims.verdicts import PairedVerdict, compare, compare_all, differing
from lasthop_validation import coverage
from lasthop_validation.checking import Outcome


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


def test_more_comparisons_need_more_evidence() -> None:
    one = pair(0.05, 4.0)
    assert compare(*one).word is PairedVerdict.BETTER
    assert compare_all({str(n): one for n in range(100)})["0"].word is PairedVerdict.CANNOT_TELL


def test_holm_is_sharper_than_bonferroni_and_says_the_sign() -> None:
    pairs = {f"clear {n}": pair(0.2, 1.0) for n in range(9)} | {"faint": pair(-0.015, 4.0)}
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


def test_what_rests_on_a_few_replications_that_differ_is_open() -> None:
    base = [100.0, 101.0, 99.0, 102.0, 98.0, 100.5, 99.5, 101.5]
    assert compare(base, base).word is PairedVerdict.CANNOT_TELL  # a ninth may differ
    assert compare(base, base).needed == 36
    assert str(compare(base * 5, base * 5)) == "no difference beyond 2 %"
    rare = [*base[:-1], base[-1] + 9]
    assert compare(rare, base).word is PairedVerdict.CANNOT_TELL
    assert compare(rare, base).needed == 80  # ten that differ, at one in eight


def test_the_promises_of_intervals_verdicts_and_advice_are_kept() -> None:
    """`lasthop validate coverage`, few studies of each kind."""
    checks = coverage.checks(quick=True)
    assert len(checks) == 32
    assert [check.name for check in checks if check.outcome is not Outcome.OK] == []
