"""Few of the moves that an audit names are false, by simulation; and real ones are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from lasthop.numbers import stats
from lasthop.study.claims import Table, read_claims
from lasthop.study.claims.unstated import OpenChoice, audit

CLAIMS = read_claims(
    [
        {
            "id": f"C{n}",
            "text": "b over a",
            "metric": f"m{n}",
            "holds": {"above": {"a": {"v": "b"}, "b": {"v": "a"}}},
        }
        for n in range(3)
    ]
)
ALTERNATIVES = tuple(f"alternative {n}" for n in range(20))
RUNS = 12
AT_THE_EDGE = 1.02
"""The ratio that "above" asks for: here the error of a verdict is greatest."""


def named(
    seed: int, sharp: str, moved: Mapping[str, float] | None = None
) -> tuple[list[str], list[str]]:
    """Audit three claims with 20 alternatives; return the moves that are named, and the denials at 95 % each.

    Without real moves all of both are false: the claim holds, or is at the edge of holding, everywhere.

    `sharp`: the side, base or alternative, whose runs hardly vary and show the claim; the other is at the edge.
    Runs of a replication share half of their noise with the baseline. `moved`: the ratios of real moves.
    """
    rng = np.random.default_rng(seed)
    common = rng.normal(0, 1, (3, RUNS))

    def evaluate(changes: Mapping[str, Any]) -> dict[str, Table]:
        name = changes.get("key", "base")
        is_sharp = (name == "base") == (sharp == "base")
        ratio = (moved or {}).get(name, 1.05 if is_sharp else AT_THE_EDGE)
        noise = 1e-3 if is_sharp or moved else 0.1
        made = {}
        for place in range(len(CLAIMS)):
            metric = f"m{place}"
            own = 0.7 * common[place] + 0.7 * rng.normal(0, 1, RUNS)
            values = 100 * (ratio + noise * own)
            cells = [({"v": "b"}, values), ({"v": "a"}, np.full(RUNS, 100.0))]
            made[metric] = Table.of(metric, cells)
        return made

    found = audit(CLAIMS, [OpenChoice("key", "key", "base", ALTERNATIVES)], evaluate)
    false, each = [], []
    for one in found.variations:
        verdicts = {judged.claim.id: str(judged.verdict) for judged in one.claims}
        denied = [id_ for id_ in one.changed if verdicts[id_] == "does not hold"]
        each += denied
        false += [
            f"{id_} {one.name}"
            for id_ in (*one.flipped, *one.decided)
            if id_ in one.flipped or id_ in denied
        ]
    return false, each


@pytest.mark.parametrize("sharp", ["base", "alternative"])
def test_audits_in_which_nothing_moves_seldom_name_a_move(sharp: str) -> None:
    """200 audits of 60 questions, each at its worst: 5 % may name a move: 10, with a standard deviation of 3.1.

    At 95 % for each question over twice as many audits would: with a sharp baseline and noisy alternatives.
    """
    results = [named(seed, sharp) for seed in range(200)]
    assert sum(bool(moves) for moves, _ in results) <= 0.05 * 200 + 2 * 3.1
    if sharp == "base":
        assert sum(bool(each) for _, each in results) > 2 * 0.05 * 200


def test_real_moves_are_named() -> None:
    moved = {ALTERNATIVES[0]: 0.9, ALTERNATIVES[7]: 0.95}
    moves, _ = named(1, "base", {"base": 1.05, **dict.fromkeys(ALTERNATIVES, 1.05), **moved})
    assert moves == [f"C{n} key: {name}" for name in moved for n in range(3)]


def test_the_step_up_is_that_of_benjamini_and_yekutieli() -> None:
    """Their procedure by p values: the largest k with p(k) <= k q / (m (1 + 1/2 + ... + 1/m))."""
    p = [0.0001, 0.001, 0.004, 0.0095, 0.03, 0.2, 0.5, 0.9]
    of = len(p)
    limit = 0.05 / (of * sum(1 / k for k in range(1, of + 1)))
    best = max((k for k in range(1, of + 1) if sorted(p)[k - 1] <= k * limit), default=0)
    error = stats.step_up(lambda error: sum(each <= error for each in p), of, 0.05)
    assert best == 3
    assert sum(each <= error for each in p) == best
    assert stats.step_up(lambda _: 0, of, 0.05) == 0
