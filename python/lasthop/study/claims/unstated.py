"""Varies one by one what a source leaves unstated: which claims flip, and which choice does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from lasthop.core.listeners import Stage
from lasthop.numbers import stats
from lasthop.study.claims import moves
from lasthop.study.claims.claim_format import Claim
from lasthop.study.claims.judging import JudgedClaim, Tables, judge_claims
from lasthop.study.claims.outcomes import DECIDED

Evaluate = Callable[[Mapping[str, Any]], Tables]
"""Gives the study's tables, by metric, with some choices made otherwise: values by key; {} the study's own."""


@dataclass(frozen=True)
class OpenChoice:
    """Something that a source leaves open: a key, what the study takes, and what else it may be."""

    name: str
    key: str
    taken: Any
    others: tuple[Any, ...]
    why: str = ""


@dataclass(frozen=True)
class Variation:
    """The study with one choice, or a pair, made otherwise.

    `flipped` are the claims that are decided both ways, and something in them differently; `decided` those that
    the baseline leaves open and this does not. Of both only as many are named as keep the false ones among all
    that an audit names to `Audit.rate` on average (`moves`). `changed` are those whose verdict differs in any way:
    some may only need more replications. `idle` are those of which every number is the baseline's: it cannot
    matter to them, and says nothing of them.
    """

    name: str
    changes: Mapping[str, Any]
    claims: tuple[JudgedClaim, ...]
    flipped: tuple[str, ...]
    changed: tuple[str, ...]
    idle: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return verdicts and what changed, ready for JSON."""
        return {
            "name": self.name,
            "changes": dict(self.changes),
            "verdicts": {each.claim.id: str(each.verdict) for each in self.claims},
            "flipped": list(self.flipped),
            "decided": list(self.decided),
            "changed": list(self.changed),
            "idle": list(self.idle),
        }


@dataclass(frozen=True)
class Audit:
    """The claims as the study judges them, and under each variation; `complete` unless Ctrl-C ended it.

    `rate` is the part of the named moves that is false on average, at most; each is shown at `error`.
    """

    base: tuple[JudgedClaim, ...]
    variations: tuple[Variation, ...]
    planned: int
    rate: float = 1 - stats.CONFIDENCE
    error: float = 0.0

    @property
    def complete(self) -> bool:
        """Return whether every variation was run."""
        return len(self.variations) == self.planned

    def flips(self) -> dict[str, list[str]]:
        """Return by claim the variations that flip it; a claim without any depends on what is stated
        only."""
        return {
            each.claim.id: [v.name for v in self.variations if each.claim.id in v.flipped]
            for each in self.base
        }

    def as_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "claims": [each.as_dict() for each in self.base],
            "flips": self.flips(),
            "variations": [each.as_dict() for each in self.variations],
            "complete": self.complete,
            "false_discovery_rate": self.rate,
        }


def variations(
    choices: Sequence[OpenChoice], *, pairs: bool = False
) -> list[tuple[str, dict[str, Any]]]:
    """Return (name, changes) of everything to try: one choice at a time, then pairs of two choices."""
    single = [
        (choice.key, f"{choice.name}: {other}", other)
        for choice in choices
        for other in choice.others
    ]
    found = [(name, {key: value}) for key, name, value in single]
    if pairs:
        found += [
            (f"{a}; {b}", {key: value, other: second})
            for (key, a, value), (other, b, second) in combinations(single, 2)
            if key != other
        ]
    return found


def audit(
    claims: Sequence[Claim],
    choices: Sequence[OpenChoice],
    evaluate: Evaluate,
    *,
    pairs: bool = False,
    level: float = stats.CONFIDENCE,
    told: Stage | None = None,
) -> Audit:
    """Judge the claims as the study is, and under every variation of what is unstated.

    `told` hears (variations done, all, the name of the next). Ctrl-C ends the audit with what is done.
    """
    own = evaluate({})
    base = tuple(judge_claims(claims, own, level))
    planned = variations(choices, pairs=pairs)
    found: list[moves.Tried] = []
    for place, (name, changes) in enumerate(planned):
        if told is not None:
            told(place, len(planned), name)
        try:
            tables = evaluate(changes)
            judged = tuple(judge_claims(claims, tables, level))
        except KeyboardInterrupt:
            break
        idle = tuple(claim.id for claim in claims if _same(claim, own, tables))
        found.append(moves.Tried(name, changes, tables, judged, idle))
    shown, error = moves.shown(base, own, found, 1 - level)
    made = tuple(_variation(each, base, ids) for each, ids in zip(found, shown, strict=True))
    return Audit(base, made, len(planned), 1 - level, error)


def _variation(tried: moves.Tried, base: Sequence[JudgedClaim], shown: frozenset[str]) -> Variation:
    pairs = zip(base, tried.judged, strict=True)
    changed = tuple(a.claim.id for a, b in pairs if a.verdict is not b.verdict)
    sure = {each.claim.id for each in base if each.verdict in DECIDED}
    flipped = tuple(id_ for id_ in changed if id_ in shown & sure)
    decided = tuple(id_ for id_ in changed if id_ in shown - sure)
    return Variation(tried.name, tried.changes, tried.judged, flipped, changed, tried.idle, decided)


def _same(claim: Claim, one: Tables, other: Tables) -> bool:
    """Return whether all numbers that a claim speaks of are the same to the last bit in both."""
    return all(
        np.array_equal(values, other[name].cells.get(key, np.empty(0)), equal_nan=True)
        for name in claim.metrics() or one
        for key, values in one[name].cells.items()
    )
