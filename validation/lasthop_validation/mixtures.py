"""Scenarios that mix everything, counted again from their packets: totals, rates, delays, shares, queues.

`PYTHONPATH=validation python -m lasthop_validation.mixtures SEED` plays one again: its scenario, and what does not
fit together.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from lasthop_validation.checking import Check, exact
from lasthop_validation.mixing import mixture
from lasthop_validation.recounting import problems

GROUP = "mixtures that do not add up"
REASON = "what a run tells of packets follows from its packets"

#: The number in full, and the number in a hurry.
ALL, QUICK = 2000, 50

#: Seeds that a check has together.
TOGETHER = 250


def checks(quick: bool) -> list[Check]:
    """Count every scenario again."""
    seeds = range(QUICK if quick else ALL)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        found = dict(zip(seeds, pool.map(count_again, seeds, chunksize=5), strict=True))
    return [_check([seed for seed in part if found[seed]], part) for part in _parts(seeds)]


def count_again(seed: int) -> list[str]:
    """Return what does not fit together in the scenario of this seed; a run that raises is one thing more."""
    text = mixture(seed)
    try:
        return problems(text)
    except (
        Exception
    ) as error:  # a defect: told with the scenario that shows it, and the others go on
        return [f"{type(error).__name__}: {error}"]


def told(seed: int, found: list[str]) -> str:
    """Return all that is needed to see it again."""
    again = f"{sys.executable} -m lasthop_validation.mixtures {seed}"
    return "\n".join([f"mixture {seed}:", *found[:20], "", mixture(seed), f"again: {again}"])


def _parts(seeds: range) -> list[range]:
    return [seeds[at : at + TOGETHER] for at in range(0, len(seeds), TOGETHER)]


def _check(wrong: list[int], part: range) -> Check:
    name = f"seeds {part[0]} to {part[-1]}"
    if wrong:
        again = f"PYTHONPATH=validation python -m lasthop_validation.mixtures {wrong[0]}"
        name += f" (wrong: {', '.join(map(str, wrong[:10]))}; {again})"
    return exact(GROUP, name, len(wrong), 0, REASON)


def main() -> int:
    """Play seeds of the command line again; 1 where something does not fit together."""
    found = {seed: count_again(seed) for seed in map(int, sys.argv[1:])}
    for seed, these in found.items():
        print(told(seed, these) if these else f"mixture {seed}: nothing is wrong")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
