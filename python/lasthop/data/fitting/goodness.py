"""Tests a model of losses: the lengths of runs of losses, and of the gaps between them, against simulated
ones.

Sequences are drawn from the fitted model at the very times of the packets, and the counts of run lengths
are compared with theirs: a parametric bootstrap, so that no formula for irregular times is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lasthop.data.fitting.losses import Losses
from lasthop.data.measured.model import Array

DRAWS = 199
RUNS = (1, 2, 3, 5, 9, 17)
"""First lengths of classes of loss runs, packets."""

BETWEEN = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
"""First lengths of classes of runs without a loss."""

REFUTED = 0.01
"""A model whose probability of a worse fit is smaller does not fit."""


@dataclass(frozen=True)
class Goodness:
    """The fit of a model: the p-value, and observed beside expected run lengths."""

    p: float
    runs: tuple[tuple[str, int, float], ...]

    @property
    def fits(self) -> bool:
        """Return whether the model is not rejected."""
        return self.p >= REFUTED


def judge(model: Losses, at: Array, lost: Array, seed: int = 1) -> Goodness:
    """Compare run lengths with those of `DRAWS` sequences of the model."""
    random = np.random.default_rng(seed)
    drawn = np.array([_counts(_draw(model, at, random)) for _ in range(DRAWS)], dtype=float)
    seen = _counts(lost)
    mean = drawn.mean(axis=0)
    # A class of which next to none is expected counts as if one were: a single run proves nothing.
    spread = np.maximum(drawn.var(axis=0, ddof=1), 1.0)
    distances = ((drawn - mean) ** 2 / spread).sum(axis=1)
    own = float(((seen - mean) ** 2 / spread).sum())
    p = (1 + int((distances >= own).sum())) / (DRAWS + 1)
    names = [f"{a}" if b == a + 1 else f"{a} to {b - 1}" for a, b in pairwise(RUNS)]
    names.append(f"{RUNS[-1]} or more")
    shown = zip(names, seen[: len(RUNS)], mean[: len(RUNS)], strict=True)
    return Goodness(p, tuple((name, int(n), float(m)) for name, n, m in shown))


def _draw(model: Losses, at: Array, random: np.random.Generator) -> Array:
    if model.model != "gilbert_elliott":
        return (random.random(len(at)) < model.share.value).astype(float)
    good, bad = model.state("mean_good_s"), model.state("mean_bad_s")
    span = float(at[-1] - at[0])
    is_bad = random.random() < bad / (good + bad)
    changes, now = [], 0.0
    while now <= span:
        # As many pairs of sojourns as are likely needed at once.
        count = int(span / (good + bad)) + 16
        stays = np.empty(2 * count)
        first, second = (bad, good) if is_bad else (good, bad)
        stays[::2], stays[1::2] = (
            random.exponential(first, count),
            random.exponential(second, count),
        )
        ends = now + np.cumsum(stays)
        changes.append(ends)
        now = float(ends[-1])
    passed = np.searchsorted(np.concatenate(changes), at - at[0], side="right")
    state = (passed % 2 == 1) ^ is_bad
    chance = np.where(state, model.state("loss_bad"), model.state("loss_good"))
    return (random.random(len(at)) < chance).astype(float)


def _counts(lost: Array) -> Array:
    """Return how many runs of losses, and between losses, have a length of each class."""
    edges = np.flatnonzero(np.diff(lost)) + 1
    lengths = np.diff(np.concatenate([[0], edges, [len(lost)]]))
    first = lost[0] > 0
    of_losses, between = lengths[0 if first else 1 :: 2], lengths[1 if first else 0 :: 2]
    counted = [
        np.bincount(np.searchsorted(classes, own, side="right") - 1, minlength=len(classes))
        for classes, own in ((RUNS, of_losses), (BETWEEN, between))
    ]
    return np.concatenate(counted).astype(float)
