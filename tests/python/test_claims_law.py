"""The law of the house: no word of a claim is shown in over 5 % of the studies in which it is false."""

from __future__ import annotations

import numpy as np
import pytest

import planted
from lasthop.numbers import stats
from lasthop.study.claims import Verdict, judge_claim
from lasthop.study.claims.vocabulary import WORDS

TENFOLD = ("above", "about 96 %, less", "doubles, more", "the_same", "up_to, less", "over")
"""Words that a claim of ten parts says ten times; the level of each is that of all others."""


def shown(name: str, parts: int, tail: str, count: int, studies: int) -> int:
    """Return in how many studies a part of the claim is said to hold, of which none does."""
    edge = planted.EDGES[name]
    claim = planted.claim_of(edge, parts)
    found = 0
    for number in range(studies):
        rng = np.random.default_rng((count, parts, number))
        judged = judge_claim(claim, planted.study(edge, parts, tail, count, rng))
        found += any(part.verdict is Verdict.HOLDS for part in judged.parts)
    return found


def test_every_word_is_planted() -> None:
    held = " ".join(edge.holds for edge in planted.EDGES.values())
    assert [word for word in WORDS if f"{word} =" not in held] == []


@pytest.mark.parametrize("name", planted.EDGES)
def test_no_word_is_shown_where_it_is_false(name: str) -> None:
    for tail in ("light", "heavier", "one side"):
        for count, studies in ((4, 40), (10, 60), (30, 60)):
            wrong = shown(name, 1, tail, count, studies)
            assert stats.binomial_tail(wrong, studies, 0.05) > 1e-4, (tail, count, wrong)


@pytest.mark.parametrize("name", TENFOLD)
def test_none_of_ten_parts_is_shown_where_all_are_false(name: str) -> None:
    for tail in ("light", "one side"):
        for count in (4, 10, 30):
            wrong = shown(name, 10, tail, count, 20)
            assert stats.binomial_tail(wrong, 20, 0.05) > 1e-4, (tail, count, wrong)


def test_an_interval_that_touches_the_band_meets_nothing() -> None:
    """45 % more in truth, 96 % claimed, a coefficient of variation of 0.2, 20 replications."""
    edge = planted.Edge(planted.EDGES["about 96 %, less"].holds, (1, 1.45))
    claim = planted.claim_of(edge, 1)
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(100):
        made = planted.study(edge, 1, "light", 20, rng)
        cells = {
            key: np.mean(values) + 2 * (values - np.mean(values))
            for key, values in made["m0"].cells.items()
        }
        table = planted.Table("m0", made["m0"].axes, cells)
        held += judge_claim(claim, {"m0": table}).verdict is Verdict.HOLDS
    assert held == 0
