"""The study of split connections over handoffs: there are handoffs in each of its cells, and it pays far away."""

from __future__ import annotations

from pathlib import Path

import lasthop
from commands import ROOT


def test_every_cell_has_four_handoffs_and_a_far_host_gains(tmp_path: Path) -> None:
    study = ROOT / "studies" / "split_handoff.toml"
    results = lasthop.sweep(study, tmp_path, replications=2)
    goodputs: dict[tuple[object, ...], float] = {}
    for row in results.rows:
        assert results.values("handoffs.count", row.number).tolist() == [4, 4], row.settings
        held = row.settings
        goodputs[held["node.east.position"], held["link.0.delay"], held["description"]] = float(
            results.values("goodput", row.number).mean()
        )
    for east in {place for place, _, _ in goodputs}:
        split, one = (goodputs[east, "150 ms", how] for how in ("split", "one connection"))
        assert split > 1.1 * one
