"""Problems whose answer is known: an evaluator with given means and spreads, and races over it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lasthop.study.advice.advice import Advice
from lasthop.study.advice.choices import Choice, Grid
from lasthop.study.advice.evaluating import Setting
from lasthop.study.advice.question import race
from lasthop.study.advice.wishes import wish_of

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Planted:
    """Settings 0, 1, ... with known means: what all replications share, and what is each one's own.

    `means` and `spread` are by measure; spreads are parts of the mean. Values are normal, or gamma
    where `skewed`.
    """

    means: Mapping[str, Sequence[float]]
    spread: Mapping[str, float]
    shared: float = 0.1
    seed: int = 0
    skewed: bool = False

    def values(
        self,
        settings: Sequence[Setting],
        names: Sequence[str],
        replications: Sequence[int],
        finished: Callable[[int], None] | None = None,
    ) -> Mapping[str, Array]:
        """Make values up, the same ones whenever they are asked for."""
        places = [int(setting["n"]) for setting in settings]
        found = {}
        for column, name in enumerate(names):
            means = np.asarray(self.means[name], dtype=float)
            rows = []
            for replication in replications:
                rng = np.random.default_rng((self.seed, column, replication))
                common = self._noise(rng, self.shared, 1)
                own = self._noise(rng, self.spread[name], len(means))
                rows.append((means * (1 + common + own))[places])
            found[name] = np.array(rows).T
        return found

    def _noise(self, rng: np.random.Generator, spread: float, count: int) -> Array:
        """Return noise around zero with this standard deviation."""
        if self.skewed:
            return spread * (rng.gamma(1.0, size=count) - 1)
        return spread * rng.normal(size=count)


@dataclass(frozen=True)
class Outcome:
    """The result of a race over a planted problem: whether it was right, and its cost."""

    right: bool
    decided: bool
    runs: int
    full_grid_runs: int
    """The runs of a full grid with as many replications."""


def goodputs(rng: np.random.Generator, settings: int) -> list[float]:
    """Return means as studies have them: a few near the best, most clearly below."""
    return list(100 * (1 - 0.6 * rng.beta(1, 1.5, settings)))


def play(seed: int, settings: int = 30, error: float = 0.05, skewed: bool = False) -> Outcome:
    """Race over a random problem with a limit that some settings break, and judge the advice."""
    rng = np.random.default_rng((7, seed))
    means = {"goodput": goodputs(rng, settings), "loss": list(rng.uniform(0.5, 3.5, settings))}
    problem = Planted(means, {"goodput": 0.05, "loss": 0.2}, 0.1, seed, skewed)
    wish = wish_of("goodput", None, ["loss < 2"], 0.02)
    grid = Grid((Choice(("n",), tuple(range(settings))),))
    advice = race(grid, wish, problem, error=error)
    return Outcome(_right(advice, means), advice.decided, advice.runs, advice.full_grid_runs)


def _right(advice: Advice, means: Mapping[str, Sequence[float]]) -> bool:
    """Return whether nothing that the advice says is wrong."""
    feasible = [n for n, loss in enumerate(means["loss"]) if loss < 2]
    if advice.impossible or not feasible:
        return advice.impossible is (not feasible)
    best = max(feasible, key=lambda n: means["goodput"][n])
    left = {int(each.setting["n"]) for each in advice.alike}
    if advice.recommended is None:
        return best in left
    found = int(advice.recommended.setting["n"])
    near = means["goodput"][found] * 1.02 >= means["goodput"][best]
    return found in feasible and (near if advice.decided else best in left | {found})
