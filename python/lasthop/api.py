"""Running scenarios from Python: a file or text in, tidy tables out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pyarrow as pa

from lasthop import _core, source, stats
from lasthop.jobs import Job, run_jobs

Overrides = Mapping[str, object] | Iterable[str]
"""Changes to a scenario: ``{"tcp.variant": "tahoe"}`` or ``["tcp.variant=tahoe"]``."""


@dataclass(frozen=True)
class Run:
    """The results of a scenario: one replication or several.

    Tables are tidy: a row for each (replication, flow) and so on, units in the column names
    (``_bps`` bit/s, ``_s`` seconds); what is not said otherwise is a count of packets over the
    measured time.
    """

    documents: Sequence[dict[str, Any]]
    """What ``lasthop run --json`` prints for each single replication, in order."""

    @property
    def seed(self) -> int:
        """The root of the random numbers."""
        return int(self.documents[0]["seed"])

    @property
    def replications(self) -> int:
        """How many replications were run."""
        return len(self.documents)

    @property
    def flows(self) -> pa.Table:
        """A row for each flow: throughput_bps, goodput_bps, delay_mean_s, lost_queue, ..."""
        return self._table("flows")

    @property
    def stations(self) -> pa.Table:
        """A row for each 802.11 station: attempts, retries, collisions, airtime_share, ..."""
        return self._table("stations")

    @property
    def queues(self) -> pa.Table:
        """A row for each interface queue: offered, drops, mean_packets, max_packets."""
        return self._table("queues")

    @property
    def links(self) -> pa.Table:
        """A row for each one-way wired link: utilisation (0 to 1), packets."""
        return self._table("links")

    @property
    def jain(self) -> list[float | None]:
        """Jain's index of the flows' goodputs, by replication; None where nothing arrived."""
        return [document["jain"] for document in self.documents]

    @property
    def summary(self) -> dict[str, Any]:
        """All numbers as {mean, ci95, n}: half width of Student's 95 % interval, n replications.

        With one replication, the document itself.
        """
        if self.replications == 1:
            return self.documents[0]
        return stats.summarise(self.documents)

    def _table(self, what: str) -> pa.Table:
        rows = [
            {"replication": document["replication"], **_flat(row)}
            for document in self.documents
            for row in document[what]
        ]
        return pa.Table.from_pylist(rows)

    def _repr_html_(self) -> str:
        """Show the flows as a table in a notebook."""
        rows = self.flows.to_pylist()
        if not rows:
            return "<p>no flows</p>"
        head = "".join(f"<th>{escape(name)}</th>" for name in rows[0])
        cells = (
            "".join(f"<td>{escape(_shown(value))}</td>" for value in row.values()) for row in rows
        )
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def run(
    scenario: str | Path,
    *,
    seed: int | None = None,
    replications: int = 1,
    overrides: Overrides = (),
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    fraction: Callable[[float], None] | None = None,
) -> Run:
    """Run a scenario.

    Args:
        scenario: A path to a TOML file, or TOML text (recognised by its line breaks).
        seed: The root of all random numbers; by default the scenario's own.
        replications: How many independent runs of this seed.
        overrides: Changes to the scenario, by dotted key.
        threads: How many runs at a time; by default one for each core. Results do not depend on it.
        progress: Told (finished, all) as runs finish.
        fraction: Told how much of all simulated time is done, 0 to 1, ten times a second.

    Raises:
        ScenarioError: The scenario is wrong; the message says where.
        jobs.Interrupted: Ctrl-C; it carries what had finished.

    Example:
        >>> r = lasthop.run("scenarios/two_stations.toml", seed=1)
        >>> r.flows.column("goodput_bps")
    """
    if replications < 1:
        raise ValueError(f"replications must be at least 1, not {replications}")
    text, file = load(scenario)
    changes = as_overrides(overrides)
    jobs = [Job(text, file, changes, seed, replication) for replication in range(replications)]
    results = run_jobs(jobs, threads, progress, fraction=fraction)
    return Run([document for document in results if document])


def check(scenario: str | Path, *, overrides: Overrides = ()) -> None:
    """Check a scenario without running it; raises ScenarioError where it is wrong."""
    text, file = load(scenario)
    _core.check(text, file, list(as_overrides(overrides)))


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the scenario format, as editors use it."""
    document: dict[str, Any] = json.loads(_core.schema())
    return document


def catalogue() -> dict[str, list[dict[str, Any]]]:
    """Return every law, recovery, variant, channel, MAC and application, with a line on each."""
    document: dict[str, list[dict[str, Any]]] = json.loads(_core.catalogue())
    return document


def load(scenario: str | Path) -> tuple[str, str]:
    """Return the text of a scenario and what to call it in messages."""
    if isinstance(scenario, str) and "\n" in scenario:
        return scenario, "<text>"
    return source.read(scenario), str(scenario)


def as_overrides(overrides: Overrides) -> tuple[str, ...]:
    """Return overrides in the form of the command line, ``key=value``."""
    if isinstance(overrides, Mapping):
        return tuple(f"{key}={_toml(value)}" for key, value in overrides.items())
    return tuple(overrides)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give nested values columns of their own: delay_s.mean is delay_mean_s, window_cuts.x cuts_x."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if key == "packets_lost":
            flat |= {f"lost_{reason}": count for reason, count in value.items()}
        elif key == "window_cuts":
            flat |= {f"cuts_{cause}": count for cause, count in value.items()}
        elif key == "delay_s":
            known = value or dict.fromkeys(("mean", "p50", "p95", "p99", "max"))
            flat |= {f"delay_{name}_s": number for name, number in known.items()}
        else:
            flat[key] = value
    return flat


def _shown(value: object) -> str:
    return f"{value:,.6g}" if isinstance(value, float) else "" if value is None else str(value)
