"""Studies in which a word of a claim is false by nothing: its truth is planted at the edge of what it means."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.study.claims import Claim, Table, read_claims

Array = npt.NDArray[np.float64]
Noise = Callable[[np.random.Generator, float, int], Array]
"""Makes a number of values with a mean."""


@dataclass(frozen=True)
class Edge:
    """A word in TOML, and the means of all cells, which are just where it is false.

    `means` is of the axis ``v`` (0, 1, ...), or of the axes ``w`` and ``v`` where its elements are lists. `of`:
    ``ratio``: values over 0; ``part``: values between 0 and 1; ``event``: 0 or 1.
    """

    holds: str
    means: Sequence[Any]
    of: str = "ratio"
    reading: str = "general"

    def cells(self) -> dict[tuple[int, ...], float]:
        """Return the means by cell."""
        if isinstance(self.means[0], (list, tuple)):
            rows = enumerate(self.means)
            return {(w, v): mean for w, row in rows for v, mean in enumerate(row)}
        return {(v,): mean for v, mean in enumerate(self.means)}


PAIR = "a = { v = 1 }, b = { v = 0 }"

EDGES: Mapping[str, Edge] = {
    "above": Edge(f"{{ above = {{ {PAIR} }} }}", (1, 1.02)),
    "above by 96 %": Edge(f'{{ above = {{ {PAIR}, by = "96 %" }} }}', (1, 1.96)),
    "above, of three sizes": Edge(f"{{ above = {{ {PAIR} }} }}", ((1, 1.02),) * 3),
    "above everywhere": Edge(
        f"{{ above = {{ {PAIR} }} }}", ((1, 1.02), (1, 3)), reading="everywhere"
    ),
    "above somewhere": Edge(
        f"{{ above = {{ {PAIR} }} }}", ((1, 1.02), (1, 1.02)), reading="somewhere"
    ),
    "below": Edge(f"{{ below = {{ {PAIR} }} }}", (1, 1 / 1.02)),
    "not_above": Edge(f"{{ not_above = {{ {PAIR} }} }}", (1, 1.02)),
    "slightly_above, none": Edge(f"{{ slightly_above = {{ {PAIR} }} }}", (1, 1)),
    "slightly_above, much": Edge(f"{{ slightly_above = {{ {PAIR} }} }}", (1, 1.1)),
    "halved": Edge(f"{{ halved = {{ {PAIR} }} }}", (1, 0.5)),
    "negligible": Edge(f"{{ negligible = {{ {PAIR} }} }}", (1, 1.1)),
    "little_affected": Edge(f"{{ little_affected = {{ {PAIR} }} }}", (1, 0.9)),
    "doubles, less": Edge(f"{{ doubles = {{ {PAIR} }} }}", (1, 1.7)),
    "doubles, more": Edge(f"{{ doubles = {{ {PAIR} }} }}", (1, 2.3)),
    "ratio at_least": Edge(f"{{ ratio = {{ {PAIR}, at_least = 2 }} }}", (1, 2)),
    "ratio at_most": Edge(f"{{ ratio = {{ {PAIR}, at_most = 2 }} }}", (1, 2)),
    "about 96 %, less": Edge(f'{{ about = {{ {PAIR}, by = "96 %" }} }}', (1, 1.64)),
    "about 96 %, more": Edge(f'{{ about = {{ {PAIR}, by = "96 %" }} }}', (1, 2.28)),
    "about a value": Edge("{ about = { value = 1 } }", (4 / 3,)),
    "up_to, less": Edge(f'{{ up_to = {{ {PAIR}, by = "60 %" }} }}', ((1, 1.4), (1, 1.4))),
    "up_to, more": Edge(f'{{ up_to = {{ {PAIR}, by = "60 %" }} }}', ((1, 1.6), (1, 1.8))),
    "the_same": Edge(f"{{ the_same = {{ {PAIR} }} }}", (1, 1.05)),
    "the_same along": Edge('{ the_same = { along = "v" } }', (1, 1, 1.05)),
    "rank": Edge('{ rank = { along = "v", order = [2, 1, 0] } }', (1, 1.5, 1.53)),
    "best_at": Edge('{ best_at = { along = "v", value = 2 } }', (1, 1.5, 1.53)),
    "worst_at": Edge('{ worst_at = { along = "v", value = 0 } }', (1, 1.02, 1.5)),
    "monotone, a step back": Edge('{ monotone = { along = "v", direction = "up" } }', (1.02, 1, 3)),
    "monotone, its end": Edge('{ monotone = { along = "v", direction = "up" } }', (1, 1.01, 1.02)),
    "constant_beyond": Edge('{ constant_beyond = { along = "v", from = 1 } }', (3, 1, 1.05)),
    "crossover_at": Edge(
        f'{{ crossover_at = {{ along = "w", at = 1, {PAIR} }} }}', ((1, 1.02), (1, 1), (3, 1))
    ),
    "very_sensitive": Edge('{ very_sensitive = { along = "v" } }', (1, 1.1, 1.25)),
    "stronger_where": Edge(
        '{ stronger_where = { effect = "v", along = "w" } }', ((1, 2), (1, 2.04))
    ),
    "not the_same": Edge(f"{{ not = {{ the_same = {{ {PAIR} }} }} }}", (1, 1.05)),
    "any": Edge(
        f"{{ any = [ {{ above = {{ {PAIR} }} }}, {{ halved = {{ {PAIR} }} }} ] }}", (1, 1.02)
    ),
    "over": Edge("{ over = { value = 1 } }", (1,)),
    "under": Edge("{ under = { value = 1 } }", (1,)),
    "close_to_one": Edge("{ close_to_one = {} }", (0.95,), "part"),
    "low_index": Edge("{ low_index = {} }", (0.8,), "part"),
    "starved": Edge("{ starved = {} }", (0.05,), "part"),
    "more_often": Edge(f"{{ more_often = {{ {PAIR} }} }}", (0.5, 0.5), "event"),
}


def light(rng: np.random.Generator, mean: float, count: int) -> Array:
    """Return normal values with a spread of a tenth of their mean."""
    return mean * (1 + 0.1 * rng.standard_normal(count))


def heavy(rng: np.random.Generator, mean: float, count: int) -> Array:
    """Return values with the tail of an exponential distribution."""
    return mean * rng.exponential(1, count)


def heavier(rng: np.random.Generator, mean: float, count: int) -> Array:
    """Return lognormal values with a coefficient of variation of 1.3."""
    return mean * rng.lognormal(-0.5, 1, count)


TAILS: Mapping[str, tuple[Noise, float]] = {
    "light": (light, 50.0),
    "heavy": (heavy, 10.0),
    "heavier": (heavier, 6.0),
    "one side": (heavier, 6.0),
}
"""By name: how values over 0 scatter, and the sum of a beta distribution's parameters for values of 0 to 1. On one
side the first setting does not scatter at all, so that differences have the whole skewness of the others."""


def claim_of(edge: Edge, parts: int) -> Claim:
    """Return a claim of this number of parts, each the same about a metric of its own."""
    one = tomllib.loads(f"holds = {edge.holds}")["holds"]
    said = [_named(one, n) for n in range(parts)]
    (claim,) = read_claims(
        [{"id": "X", "text": "x", "reading": edge.reading, "holds": {"all": said}}]
    )
    return claim


def _named(holds: Any, part: int) -> Any:
    """Return what is said with a name and a metric of its own."""
    ((word, inside),) = holds.items()
    if word == "any":
        return {word: [_named(each, part) for each in inside]}
    if word == "not":
        return {word: _named(inside, part)}
    return {word: {**inside, "part": str(part), "metric": f"m{part}"}}


def study(
    edge: Edge, parts: int, tail: str, count: int, rng: np.random.Generator
) -> dict[str, Table]:
    """Return a study of this number of replications."""
    cells = edge.cells()
    axes = ("v",) if len(next(iter(cells))) == 1 else ("w", "v")
    return {
        f"m{part}": Table(
            f"m{part}",
            axes,
            {
                key: np.full(count, mean)
                if tail == "one side" and key[-1] == 0 and len(cells) > 1 and edge.of == "ratio"
                else _values(edge.of, mean, tail, count, rng)
                for key, mean in cells.items()
            },
        )
        for part in range(parts)
    }


def _values(of: str, mean: float, tail: str, count: int, rng: np.random.Generator) -> Array:
    noise, concentration = TAILS[tail]
    if of == "event":
        return (rng.random(count) < mean).astype(float)
    if of == "part":
        return rng.beta(mean * concentration, (1 - mean) * concentration, count)
    return noise(rng, mean, count)
