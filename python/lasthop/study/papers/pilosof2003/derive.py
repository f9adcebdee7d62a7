"""The throughput of uploads and of downloads, as one table and as their ratio."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lasthop.claims import Table


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return `throughput` (bit/s) with the axis "way", and `ratio`, uploads over downloads.

    A run in which no download carried anything has a ratio beyond all bounds: there it is that to one bit/s.
    """
    if not {"up", "down"} <= made.keys():
        return {}
    rows, ratios = [], []
    for key, up in made["up"].cells.items():
        setting, down = dict(zip(made["up"].axes, key, strict=True)), made["down"].cells[key]
        rows += [({**setting, "way": "uploads"}, up), ({**setting, "way": "downloads"}, down)]
        ratios.append((setting, up / np.maximum(down, 1.0)))
    return {"throughput": Table.of("throughput", rows), "ratio": Table.of("ratio", ratios)}
