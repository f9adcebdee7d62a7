"""Stations that are exchangeable: shares in order of size, and whether one of them is starved."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from lasthop.core.metrics.leaves import Array

SHARES = "shares"
"""At the end of a name: one metric for each object, ``share1`` the largest."""


def rank_of(word: str) -> int | None:
    """Return k of ``sharek``; None where it is another word."""
    found = re.fullmatch("share([1-9][0-9]{0,5})", word)
    return int(found.group(1)) if found else None


def share(rank: int) -> Callable[[Array], Array]:
    """Return the function that gives the `rank`-th largest of the objects' shares of their sum.

    Objects without a value have none of it; NaN where all have nothing, or there are fewer.
    """

    def across(matrix: Array) -> Array:
        result: Array = np.full(len(matrix), np.nan)
        if rank > matrix.shape[1]:
            return result
        numbers = np.nan_to_num(matrix)
        total = numbers.sum(axis=1)
        ordered = np.sort(numbers, axis=1)[:, ::-1][:, rank - 1]
        np.divide(ordered, total, out=result, where=total > 0)
        return result

    return across


def starved(matrix: Array) -> Array:
    """Return 1 where an object has less than the *starved* part of the fair share, else 0.

    Over replications the mean is the probability that one is starved. Where nobody has anything,
    all are.
    """
    from lasthop.numbers.words import STARVED  # claims stand on metrics

    numbers = np.nan_to_num(matrix)
    fair = numbers.mean(axis=1)
    result: Array = ((numbers.min(axis=1) < STARVED * fair) | (fair <= 0)).astype(float)
    return result
