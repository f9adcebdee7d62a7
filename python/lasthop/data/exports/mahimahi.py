"""Traces of a way's capacity, as Mahimahi's mm-link and a link's ``trace`` read them.

A line for each millisecond at which another 1,500 bytes of data have come to their receivers. What a flow leaves
unused is not in it: flows that always have something to send show all that the way carries. After the last line
the trace begins again.
"""

from __future__ import annotations

import math
from typing import IO

from lasthop.core import api
from lasthop.data.exports.selection import Selection
from lasthop.errors import UsageError

GRANT_BYTES = 1500
"""What a line of a trace carries (Netravali et al., USENIX ATC 2015)."""


def write(run: api.Run, selection: Selection, file: IO[bytes]) -> None:
    """Write the deliveries of the selected flows' data; raises UsageError where too little has come for a line."""
    selection.of(run)
    came = sorted(
        (row["received_s"], row["bytes"])
        for row in run.packets.to_pylist()
        if selection.has(row["flow"])
        and row["direction"] == "data"
        and row["received_s"] is not None
    )
    carried, lines = 0, 0
    for time_s, size in came:
        carried += size
        # The end of the millisecond: a receiver has what came within it.
        while carried >= GRANT_BYTES * (lines + 1):
            file.write(f"{max(1, math.ceil(time_s * 1e3))}\n".encode())
            lines += 1
    if lines == 0:
        raise UsageError(
            f"{carried} bytes of data came, and a line of a trace stands for {GRANT_BYTES}"
        )
