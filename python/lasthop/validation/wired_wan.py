"""The same as `wired` on a longer path: 100 Mbit/s, 45 ms to a bottleneck of 10 Mbit/s, 2 ms."""

from __future__ import annotations

from lasthop.validation import wired
from lasthop.validation.judging import Case
from lasthop.validation.wired_path import references


def cases(quick: bool) -> list[Case]:
    """Return the cases of every reference row; quick: of every sixth."""
    found = references("ns2/wired_wan.csv", ("variant", "Q", "p"))
    return [
        case
        for ref in found[:: 6 if quick else 1]
        for case in wired.steady(
            ref, wired.scenario(ref, 45, 2), "{variant}, queue {Q}, loss {p}".format(**ref.settings)
        )
    ]
