"""`lasthop bench`: fixed workloads, timed by the processor time of this process."""

from __future__ import annotations

import json
import time
from typing import Any

from rich import box
from rich.table import Table

from lasthop.cli.documents import print_document
from lasthop.cli.terminal import terminal
from lasthop.core.engine import version
from lasthop.core.how import Watching
from lasthop.core.job import Job
from lasthop.core.jobs import Runner
from lasthop.errors import UsageError, offered
from lasthop.study.benches import Workload, study, workloads

#: Each workload is run this often; the fastest counts, since noise only ever slows a run down.
REPEATS = 3

#: The name of what a study costs beside its simulations.
STUDY = "study"


def measure(workload: Workload) -> dict[str, Any]:
    """Run a workload and return its counts, processor seconds, and rates.

    `ns_per_packet` is processor time for each packet that a transport sent and another received,
    acknowledgements included; `ns_per_attempt` for each 802.11 exchange begun, whatever came of it.
    """
    best = float("inf")
    document: dict[str, Any] = {}
    runner, job = Runner(Watching(workers=1)), Job(workload.text, f"{workload.name}.toml")
    for _ in range(REPEATS):
        batch = runner.start([job])
        started = time.process_time()
        finished: list[tuple[int, str]] = []
        while not finished:
            finished = batch.poll(10.0)
        # The thread may have begun before the clock was read: the work of a millisecond at most.
        best = min(best, time.process_time() - started)
        document = json.loads(finished[0][1])
    packets, events = document["packets"]["delivered"], document["events"]
    attempts = sum(station["attempts"] for station in document["stations"])
    return {
        "name": workload.name,
        "group": workload.group,
        "simulated_s": document["duration_s"],
        "cpu_s": best,
        "packets": packets,
        "events": events,
        "packets_per_cpu_s": packets / best,
        "events_per_cpu_s": events / best,
        "ns_per_packet": best / packets * 1e9,
        "attempts": attempts,
        "ns_per_attempt": best / attempts * 1e9 if attempts else None,
    }


def show(name: str | None, *, as_json: bool) -> None:
    """Measure all workloads, or one, or a group, and print."""
    console = terminal(stderr=True)
    rows = []
    for workload in _chosen(name):
        with console.status(f"measuring {workload.name}"):
            rows.append(measure(workload))
    layer = None
    if name in (None, STUDY):
        with console.status(f"measuring {STUDY}"):
            layer = study.measure()
    if as_json:
        document = {"version": version(), "repeats": REPEATS, "workloads": rows}
        print_document(document | {"study": layer})
        return
    if rows:
        _print(rows)
    if layer is not None:
        each = {
            key: layer[key] / layer["replications"] * 1e6 for key in ("simulating_s", "layer_s")
        }
        terminal().print(
            f"study: a replication takes {each['simulating_s']:.0f} µs to simulate, and "
            f"{each['layer_s']:.1f} µs to schedule, fetch, evaluate and store: {layer['share']:.1%}",
            highlight=False,
        )


def _chosen(name: str | None) -> list[Workload]:
    """Return the workloads of that name or group; raises UsageError."""
    known = workloads()
    chosen = [each for each in known if name in (None, each.name, each.group)]
    if name not in (None, STUDY) and not chosen:
        names = [
            STUDY,
            *dict.fromkeys(each.group for each in known),
            *(each.name for each in known),
        ]
        raise UsageError(f"no workload {name!r}{offered(name, names)}")
    return chosen


def _print(rows: list[dict[str, Any]]) -> None:
    table = Table(
        title="Speed, fastest of three", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False
    )
    table.add_column("workload")
    for heading in (
        "simulated\ns",
        "processor\ns",
        "packets",
        "events",
        "ns a\npacket",
        "ns an 802.11\nattempt",
    ):
        table.add_column(heading, justify="right")
    for row in rows:
        attempt = row["ns_per_attempt"]
        table.add_row(
            row["name"],
            f"{row['simulated_s']:g}",
            f"{row['cpu_s']:.3f}",
            f"{row['packets']:,}",
            f"{row['events']:,}",
            f"{row['ns_per_packet']:.0f}",
            "" if attempt is None else f"{attempt:.0f}",
        )
    terminal().print(table)
