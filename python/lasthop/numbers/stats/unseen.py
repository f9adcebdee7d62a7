"""Rare events: a share of replications so small that n replications may contain none of them.

An event in a part p of all replications is in none of n with probability (1 - p)^n. No interval of a mean
covers it (Bahadur and Savage 1956), unless the values have ends: a statement about a mean is about the rest.
"""

from __future__ import annotations

import math

from lasthop.numbers.stats.means import EQUAL

ERROR = 0.05
"""The probability with which an event in the part that `unseen` returns is in no replication."""


CERTAIN = 10_000
"""The number of runs that stands for all of them, where nothing is random: each is as the first."""


def unseen(replications: int, error: float = ERROR) -> float:
    """Return the share q such that an event in q of all replications may be in none of `replications`.

    An event in more than q would have been seen with probability 1 - `error`.
    """
    return -math.expm1(math.log(error) / replications)


def replications_to_see(part: float, error: float = ERROR) -> int:
    """Return how many replications show an event in `part` of all, but with probability `error`."""
    return math.ceil(math.log(error) / math.log1p(-part))


def breaking_value(limit: float, bound: float, part: float) -> float:
    """Return the mean in an unseen event in `part` of all replications that would put the whole mean at the limit.

    `bound` is that of the mean of the rest on the limit's side.
    """
    return (limit - (1 - part) * bound) / part


def said_of_equal(replications: int) -> str:
    """Explain the sign of means of equal values."""
    if replications >= CERTAIN:
        return f"{EQUAL} equal {runs_alike(replications)}."
    part = 100 * unseen(replications)
    equal = f"{EQUAL} equal {runs_alike(replications)}"
    return f"{equal}; what happens in fewer than {part:.2g} % of runs may be unseen."


def runs_alike(replications: int) -> str:
    """Say behind "equal" or "the same" of how many runs it is known."""
    if replications >= CERTAIN:
        return "in any run: nothing is random there"
    return f"in all {replications:,} runs"


def said(replications: int, error: float = ERROR) -> str:
    """Say it in a sentence."""
    if replications >= CERTAIN:
        return "Nothing is random in these runs: one of each setting tells."
    part = 100 * unseen(replications, error)
    runs = f"{replications:,} run{'s' if replications != 1 else ''}"
    return f"From {runs}: what happens in fewer than {part:.2g} % of runs may be unseen."
