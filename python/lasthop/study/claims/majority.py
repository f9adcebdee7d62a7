"""Judging "mostly": that events fall inside a group of runs more often than outside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from lasthop.numbers import stats
from lasthop.numbers.words import LEAST_EVENTS
from lasthop.study.claims.judged import Judged
from lasthop.study.claims.outcomes import Outcome

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Mostly:
    """That more events fall inside than outside two equally large groups of runs.

    `inside[i]` and `outside[i]` count the events of replication i. The replication is the unit:
    runs of one replication share random numbers, so that they are no independent trials. If
    neither group were favoured, each replication's difference would be as likely with the other
    sign; the test goes through all these signs (`stats.flip_test`), so that it is exact for any
    number of events, and needs six replications that differ to show anything at 95 %. Of under
    `LEAST_EVENTS` events nothing is said to be the greater part.
    """

    above = 1.0
    below = None
    alone = False

    part: str
    label: str
    inside: tuple[int, ...]
    outside: tuple[int, ...]

    @classmethod
    def of_cells(cls, part: str, label: str, pairs: Sequence[tuple[Array, Array]]) -> Mostly:
        """Make it of (inside, outside) pairs of cells, which have 1 for each replication with an event."""
        if not pairs:
            return cls(part, label, (), ())
        count = min(min(len(a), len(b)) for a, b in pairs)
        sums = [
            np.nansum([pair[side][:count] for pair in pairs], axis=0).astype(int) for side in (0, 1)
        ]
        return cls(part, label, tuple(sums[0].tolist()), tuple(sums[1].tolist()))

    def of(self, part: str) -> Mostly:
        """Return it as belonging to this part of a claim."""
        return replace(self, part=part)

    @property
    def was_run(self) -> bool:
        """Return whether every cell in it was run."""
        return len(self.inside) > 0

    def judge(self, level: float) -> Judged:
        """Judge by the exact test at `level`; the ratio is that of the events, without an interval."""
        differences = [a - b for a, b in zip(self.inside, self.outside, strict=True)]
        inside, outside = sum(self.inside), sum(self.outside)
        outcome = Outcome.OPEN
        if inside + outside >= LEAST_EVENTS and stats.flip_test(differences) <= 1 - level:
            outcome = Outcome.SHOWN if sum(differences) > 0 else Outcome.DENIED
        ratio = inside / outside if outside else None
        label = f"{self.label}: {inside} against {outside}"
        return Judged(
            self.part,
            label,
            outcome,
            ratio,
            outcome,
            above=1.0,
            strength=True,
            count=len(differences),
        )
