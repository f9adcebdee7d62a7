"""`lasthop bench`: fixed workloads, timed by the processor time of this process."""

from __future__ import annotations

import json
import time
from importlib import resources
from typing import Any

from rich.table import Table

from lasthop import _core
from lasthop.cli.terminal import terminal
from lasthop.errors import UsageError, nearest

#: Each workload is run this often; the fastest counts, since noise only ever slows a run down.
REPEATS = 3


def workloads() -> dict[str, str]:
    """Return the text of every workload's scenario, by name."""
    folder = resources.files("lasthop.benches")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    return {file.name.removesuffix(".toml"): file.read_text() for file in files}


def measure(name: str, text: str) -> dict[str, Any]:
    """Run a workload and return its counts, processor seconds, and rates.

    `ns_per_packet` is processor time for each packet that a transport sent and another received,
    acknowledgements included.
    """
    best = float("inf")
    document: dict[str, Any] = {}
    for _ in range(REPEATS):
        batch = _core.Batch([(text, f"{name}.toml", [], 1, 0, None)], 1)
        started = time.process_time()
        finished: list[tuple[int, str]] = []
        while not finished:
            finished = batch.poll(10.0)
        # The thread may have begun before the clock was read: the work of a millisecond at most.
        best = min(best, time.process_time() - started)
        document = json.loads(finished[0][1])
    packets, events = document["packets"]["delivered"], document["events"]
    return {
        "name": name,
        "simulated_s": document["duration_s"],
        "cpu_s": best,
        "packets": packets,
        "events": events,
        "packets_per_cpu_s": packets / best,
        "events_per_cpu_s": events / best,
        "ns_per_packet": best / packets * 1e9,
    }


def show(name: str | None, *, as_json: bool) -> None:
    """Measure all workloads, or one, and print."""
    known = workloads()
    if name is not None and name not in known:
        there = ", ".join(known)
        raise UsageError(f"no workload {name!r}; there is: {there}{nearest(name, known)}")
    chosen = known if name is None else {name: known[name]}
    console = terminal(stderr=True)
    rows = []
    for each, text in chosen.items():
        with console.status(f"measuring {each}"):
            rows.append(measure(each, text))
    if as_json:
        from lasthop.cli.commands import print_document

        print_document({"version": _core.__version__, "repeats": REPEATS, "workloads": rows})
        return
    table = Table(title="Speed, fastest of three", title_justify="left")
    for heading in (
        "workload",
        "simulated\ns",
        "processor\ns",
        "packets",
        "events",
        "ns a\npacket",
    ):
        table.add_column(heading, justify="left" if heading == "workload" else "right")
    for row in rows:
        table.add_row(
            row["name"],
            f"{row['simulated_s']:g}",
            f"{row['cpu_s']:.3f}",
            f"{row['packets']:,}",
            f"{row['events']:,}",
            f"{row['ns_per_packet']:.0f}",
        )
    terminal().print(table)
