"""Which alternatives move which verdicts, so that few of those that are named are false.

An audit asks of every claim and every alternative whether the verdict moves: hundreds of questions, each of which
would be answered falsely in up to 5 % of audits. It names only as many as keep the false ones among them to 5 % on
average: the false discovery rate, by Benjamini and Yekutieli (2001, Annals of Statistics 29, 1165). Their step-up
holds for any dependence. That of Benjamini and Hochberg (1995) asks that one false move makes others no
rarer, which nobody can promise here: all alternatives meet one baseline and the same random numbers, and claims
say contrary things of the same cells. Where nothing moves, at most 5 % of audits name anything.

A move at an error e: the claim is judged with the baseline and with the alternative, each at the level 1 - e, and
a test that is shown in one is denied in the other. Whatever is true of both alike, one of them is then wrong: with
one bound on a known side, which together has a probability of e; between two bounds it is under 2 e.
Of a claim that the baseline leaves open, that the alternative alone decides it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.numbers import stats
from lasthop.study.claims.judging import JudgedClaim, Tables, judge_claim
from lasthop.study.claims.outcomes import DECIDED, Outcome


@dataclass(frozen=True)
class Tried:
    """An alternative that was run: its tables, the claims judged by them, and the claims it cannot matter to."""

    name: str
    changes: Mapping[str, Any]
    tables: Tables
    judged: tuple[JudgedClaim, ...]
    idle: tuple[str, ...]


@dataclass(frozen=True)
class _Pair:
    """A claim and an alternative under which its verdict seems to move."""

    place: int
    one: JudgedClaim
    other: JudgedClaim

    def moves(self, one: JudgedClaim, other: JudgedClaim) -> bool:
        """Return whether it moves by verdicts at some level; `self.one` says in which of the two ways."""
        if self.one.verdict in DECIDED:
            return flips(one, other)
        return other.verdict in DECIDED and other.verdict is self.other.verdict


def shown(
    base: Sequence[JudgedClaim], own: Tables, tried: Sequence[Tried], rate: float
) -> tuple[list[frozenset[str]], float]:
    """Return for each alternative the claims whose verdicts it is shown to move, and the error of each."""
    pairs = [
        pair
        for place, each in enumerate(tried)
        for one, other in zip(base, each.judged, strict=True)
        if one.verdict is not other.verdict and (pair := _Pair(place, one, other)).moves(one, other)
    ]

    def moving(error: float) -> list[_Pair]:
        baseline: dict[str, JudgedClaim] = {}
        found = []
        for pair in pairs:
            claim = pair.one.claim
            if claim.id not in baseline:
                baseline[claim.id] = judge_claim(claim, own, 1 - error)
            other = judge_claim(claim, tried[pair.place].tables, 1 - error)
            if pair.moves(baseline[claim.id], other):
                found.append(pair)
        return found

    asked = sum(len(base) - len(each.idle) for each in tried)
    error = stats.step_up(lambda error: len(moving(error)), asked, rate) if pairs else 0.0
    kept = moving(error) if error else []
    by_place = [
        frozenset(pair.one.claim.id for pair in kept if pair.place == place)
        for place in range(len(tried))
    ]
    return by_place, error


def flips(one: JudgedClaim, other: JudgedClaim) -> bool:
    """Return whether both are decided, and something that one shows the other shows not to be so.

    The words may differ too because one leaves a part open: of a claim of which one part is denied and another
    is undecided, more replications may tell that it holds in part.
    """
    both = {Outcome.SHOWN, Outcome.DENIED}
    tests = zip(one.tests(), other.tests(), strict=False)
    return {one.verdict, other.verdict} <= DECIDED and any({a, b} == both for a, b in tests)
