"""The five cases of the printed table, of the studies that have them."""

from __future__ import annotations

from collections.abc import Mapping

from lasthop.claims import Table

CASES = (
    (1, "mixed.goodput", {"wireless": 25, "ber": 1e-4, "base": "nothing"}),
    (2, "mixed.goodput", {"wireless": 25, "ber": 1e-5, "base": "nothing"}),
    (3, "injected.goodput", {"wireless": 0, "fade": 1}),
    (4, "injected.goodput", {"wireless": 25, "fade": 1}),
    (5, "injected.goodput", {"wireless": 50, "fade": 1}),
)
"""By case: the measure that has it, and its setting there."""


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return the throughput of network-A by case, bit/s."""
    found = [
        ({"case": case}, cell)
        for case, measure, setting in CASES
        if measure in made and (cell := made[measure].at(setting)) is not None
    ]
    return {"network": Table.of("network", found)} if found else {}
