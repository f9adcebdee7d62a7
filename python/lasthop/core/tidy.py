"""Tidy tables from the nested rows of run documents: one naming of columns everywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from lasthop import _core
from lasthop.core import quantities
from lasthop.numbers.table import Kind, Table

#: Kinds of columns by the core's names.
KINDS = {"number": Kind.NUMBER, "whole": Kind.WHOLE, "bool": Kind.BOOL, "text": Kind.TEXT}


@cache
def probe_kinds() -> dict[str, dict[str, Kind]]:
    """Return the columns of the probes' tables by probe, so that an empty one, or one of nulls, has its type."""
    return {
        probe: {"replication": Kind.WHOLE, **{name: KINDS[is_] for name, is_ in columns}}
        for probe, columns in json.loads(_core.probe_columns()).items()
    }


LOST = "packets_lost."
"""Begins the columns of losses by reason; a reason that a row does not have counts 0 there."""


def flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a run document with a column for each value, named by its path: ``delay_s.p95``.

    See `lasthop.core.quantities`: a metric of studies has the same name behind that of its object.
    """
    return dict(quantities.leaves(row))


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return rows as a table with the columns of all of them, in order of appearance.

    What a row lacks is null, and 0 in a column of losses.
    """
    columns = dict.fromkeys(key for row in rows for key in row)
    return Table.of(
        {
            key: [row.get(key, 0 if key.startswith(LOST) else None) for row in rows]
            for key in columns
        }
    )
