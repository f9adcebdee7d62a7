"""The same as `wired` on a longer path: 100 Mbit/s, 45 ms to a bottleneck of 10 Mbit/s, 2 ms."""

from __future__ import annotations

from lasthop_validation import oracles, wired
from lasthop_validation.judging import Case
from lasthop_validation.wired_path import Reference, reference


def cases(quick: bool) -> list[Case]:
    """Return the cases of every reference row; quick: of every sixth."""
    found = oracles.configurations(oracles.table("ns2/wired_wan.csv"), ("variant", "Q", "p"))
    return oracles.each(found[:: 6 if quick else 1], lambda rows: _cases(reference(rows)))


def _cases(ref: Reference) -> list[Case]:
    name = "{variant}, queue {Q}, loss {p}".format(**ref.settings)
    return wired.steady(ref, wired.scenario(ref, 45, 2), name)
