"""The results of runs: tables of everything, and each flow by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lasthop import stats, tables
from lasthop.errors import UsageError, nearest
from lasthop.noticing import Finding, noticed
from lasthop.table import Table, concatenated, shown

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.axes import Axes

    from lasthop.prepared import Prepared

#: Flows that a notebook and a terminal show.
SHOWN = 20

#: What they show of each: a column of `flows`, its heading, and the factor to its unit.
OVERVIEW = (
    ("goodput_bps", "goodput Mbit/s", 1e-6),
    ("delay_mean_s", "mean delay ms", 1e3),
    ("delay_p95_s", "p95 delay ms", 1e3),
    ("packets_sent", "packets sent", 1.0),
    ("packets_delivered", "delivered", 1.0),
)


@dataclass(frozen=True)
class Run:
    """The results of a scenario: one replication or several.

    Tables are tidy: a row for each (replication, flow) and so on, units in the column names
    (``_bps`` bit/s, ``_s`` seconds); what is not said otherwise is a count of packets over the
    measured time.
    """

    documents: Sequence[dict[str, Any]]
    """What ``lasthop run --json`` prints for each single replication, in order."""

    asked: Prepared | None = field(default=None, repr=False, compare=False)
    """What was run; None where the documents come from elsewhere."""

    def __repr__(self) -> str:
        """Return an overview of the flows: in a terminal and in a notebook it fits a screen."""
        head, *rows = self._overview()
        widths = [max(map(len, cells)) for cells in zip(head, *rows, strict=True)]
        lines = [
            "  ".join(
                f"{cell:>{width}}" if place else f"{cell:<{width}}"
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in (head, *rows)
        ]
        return "\n".join([self._title(), *lines, *self._rest()])

    def report(self, path: str | Path, threads: int | None = None) -> Path:
        """Write a page about the run, FILE.html; the first replication is run again for it.

        Raises UsageError where the documents come from elsewhere, or the name ends otherwise.
        """
        from lasthop.picture.page import write

        if self.asked is None:
            raise UsageError("these results do not say what was run: a page needs the scenario")
        return write(self.asked, self.summary, Path(path), threads)

    def plot(
        self, what: str, flow: str | Sequence[str] | None = None, ax: Axes | None = None
    ) -> Axes:
        """Draw a column of a probe over time, such as ``snd_cwnd``, of the first replication; needs matplotlib.

        `flow` names flows (or queues, or stations), by default all; `ax` is where, by default a figure of its own.

        Raises UsageError where no probe that was on has such a column, or it has none of that name.

        Example:
            >>> r = lasthop.run("two_stations", probes=["tcp"])
            >>> r.plot("snd_cwnd", flow="upload").figure.savefig("window.png")
        """
        from lasthop.picture.plotting import plot

        return plot(self.documents[0].get("probes") or {}, what, flow, ax)

    @property
    def noticed(self) -> list[Finding]:
        """What is odd about these results, the most important first; each has rule, what, why and advice."""
        return noticed(self.summary)

    def __getitem__(self, flow: str) -> Flow:
        """Return a flow by its name; raises UsageError where there is none."""
        if flow not in self.flow_names:
            there = ", ".join(self.flow_names)
            raise UsageError(f"no flow {flow!r}{nearest(flow, self.flow_names)}; there is: {there}")
        return Flow(self, flow)

    def _ipython_key_completions_(self) -> list[str]:
        return self.flow_names

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return `flows` as an Arrow stream, as the PyCapsule interface asks for it."""
        return self.flows.__arrow_c_stream__(requested_schema)

    def polars(self) -> polars.DataFrame:
        """Return `flows` for polars; raises UsageError where polars is not installed."""
        return self.flows.polars()

    def pandas(self) -> pandas.DataFrame:
        """Return `flows` for pandas; raises UsageError where pandas is not installed."""
        return self.flows.pandas()

    def pyarrow(self) -> pyarrow.Table:
        """Return `flows` for pyarrow; raises UsageError where pyarrow is not installed."""
        return self.flows.pyarrow()

    def values(self, metric: str) -> NDArray[np.float64]:
        """Return a metric as studies name it, as ``voice.delay.p95``, by replication; NaN where there is none.

        Raises:
            UsageError: There is no such metric.
        """
        from lasthop import metrics

        return np.array([metrics.value(metric, document) for document in self.documents])

    def estimate(self, metric: str) -> stats.Estimate | None:
        """Return a metric's mean over replications with its 95 % interval; None where it has no value."""
        values = self.values(metric)
        known = values[~np.isnan(values)]
        return stats.estimate(known.tolist()) if len(known) else None

    @property
    def scenario(self) -> str:
        """The scenario's name."""
        return str(self.documents[0]["scenario"])

    @property
    def flow_names(self) -> list[str]:
        """The names of the flows."""
        return [flow["name"] for flow in self.documents[0]["flows"]]

    @property
    def seed(self) -> int:
        """The root of the random numbers."""
        return int(self.documents[0]["seed"])

    @property
    def replications(self) -> int:
        """How many replications were run."""
        return len(self.documents)

    @cached_property
    def flows(self) -> Table:
        """A row for each flow: throughput_bps, goodput_bps, delay_mean_s, lost_queue, ..."""
        return self._table("flows")

    @property
    def stations(self) -> Table:
        """A row for each 802.11 station: attempts, retries, collisions, airtime_share, ..."""
        return self._table("stations")

    @property
    def queues(self) -> Table:
        """A row for each interface queue: offered, drops, mean_packets, max_packets."""
        return self._table("queues")

    @property
    def links(self) -> Table:
        """A row for each one-way wired link: utilisation (0 to 1), packets."""
        return self._table("links")

    @property
    def probes(self) -> dict[str, Table]:
        """The tables of the probes that were on, by name; a column replication first, warm-up included."""
        names = self.documents[0].get("probes") or {}
        return {name: self._probe(name) for name in names}

    @property
    def tcp(self) -> Table:
        """TCP senders after each change (``probes=["tcp"]``): time_s, flow, snd_cwnd, ssthresh, srtt_s, ...

        Windows in segments, sequence numbers in bytes; null where there is nothing
        yet, as an ssthresh without bound.
        """
        return self._probed("tcp")

    @property
    def cuts(self) -> Table:
        """A row for each window cut (``probes=["cuts"]``): time_s, flow, cause."""
        return self._probed("cuts")

    @property
    def flow_series(self) -> Table:
        """A row for each flow and step (``probes=["flows"]``): time_s, flow, throughput_bps, delay_mean_s, ..."""
        return self._probed("flows")

    @property
    def frames(self) -> Table:
        """A row for each part of an 802.16 frame (``probes=["frames"]``): time_s, frame, use_of, station, ..."""
        return self._probed("frames")

    @property
    def air(self) -> Table:
        """A row for each frame of 802.11 (``probes=["air"]``): time_s, airtime_s, station, fate, ..."""
        return self._probed("air")

    @property
    def airtime(self) -> Table:
        """A row for each step and station of 802.11 (``probes=["airtime"]``): carried_s, overlapped_s, ..."""
        return self._probed("airtime")

    @property
    def packets(self) -> Table:
        """A row for each packet (``probes=["packets"]``): time_s, flow, kind, bytes, received_s, dropped, ..."""
        return self._probed("packets")

    @property
    def jain(self) -> list[float | None]:
        """Jain's index of the flows' goodputs, by replication; None where nothing arrived."""
        return [document["jain"] for document in self.documents]

    @property
    def summary(self) -> dict[str, Any]:
        """All numbers as {mean, ci95, n}: half width of Student's 95 % interval, n replications.

        With one replication, the document itself. Probes stay as they are: all replications in one table.
        """
        return self.documents[0] if self.replications == 1 else self.summary_of_several

    @property
    def summary_of_several(self) -> dict[str, Any]:
        """The summary in the shape of several replications, with one also."""
        bare = [{k: v for k, v in each.items() if k != "probes"} for each in self.documents]
        probes = {name: table.to_pydict() for name, table in self.probes.items()}
        return stats.summarise(bare) | ({"probes": probes} if probes else {})

    def _probed(self, name: str) -> Table:
        if name not in (self.documents[0].get("probes") or {}):
            raise UsageError(f"the probe was off: lasthop.run(..., probes=[{name!r}])")
        return self._probe(name)

    def _probe(self, name: str) -> Table:
        kinds = tables.probe_kinds()[name]
        parts = []
        for document in self.documents:
            columns = document["probes"][name]
            count = len(columns["time_s"])
            replication = {"replication": [document["replication"]] * count}
            there = replication | columns
            parts.append(Table.of({each: there[each] for each in kinds}, kinds))
        return concatenated(parts)

    def _table(self, what: str) -> Table:
        rows = [
            {"replication": document["replication"], **tables.flat(row)}
            for document in self.documents
            for row in document[what]
        ]
        return tables.table(rows)

    def _repr_html_(self) -> str:
        """Show an overview of the flows in a notebook."""
        head, *rows = self._overview()
        top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
        rest = "".join(f"<p>{escape(line)}</p>" for line in self._rest())
        return f'<p>{escape(self._title())}</p><div style="overflow-x:auto">{table}</div>{rest}'

    def _title(self) -> str:
        runs = "1 run" if self.replications == 1 else f"{self.replications} replications"
        means = "" if self.replications == 1 else "; means"
        return f"<Run of {self.scenario!r}, seed {self.seed}, {runs}{means}>"

    def _overview(self) -> list[list[str]]:
        names = self.flow_names[:SHOWN]
        flows = [Flow(self, name) for name in names]
        columns = [each for each in OVERVIEW if each[0] in self.flows.column_names]
        found = [["flow", *(heading for _, heading, _ in columns)]]
        for flow in flows:
            means = [(flow.mean(column), factor) for column, _, factor in columns]
            numbers = [shown(None if mean is None else _rounded(mean * by)) for mean, by in means]
            found.append([flow.name, *numbers])
        return found

    def _rest(self) -> list[str]:
        more = len(self.flow_names) - SHOWN
        return [f"and {more} flows more: run.flows has all"] if more > 0 else []


@dataclass(frozen=True)
class Flow:
    """One flow of a run. Its numbers are means over the replications, None where nothing arrived.

    Every column of `Run.flows` is an attribute: ``flow.delay_p95_s``, ``flow.lost_queue``. `estimate` adds the
    interval, `values` gives the replications one by one.
    """

    run: Run
    """The run that it is of."""
    name: str
    """Its name."""

    @property
    def goodput(self) -> float | None:
        """Goodput, bit/s."""
        return self.mean("goodput_bps")

    @property
    def throughput(self) -> float | None:
        """Throughput, headers included, bit/s."""
        return self.mean("throughput_bps")

    @property
    def delay(self) -> float | None:
        """The mean delay of packets, s."""
        return self.mean("delay_mean_s")

    @property
    def jitter(self) -> float | None:
        """The jitter of RFC 3550, s."""
        return self.mean("jitter_s")

    @property
    def loss(self) -> float | None:
        """The part of its packets that was lost, as studies count it, 0 to 1."""
        found = self.estimate("loss")
        return None if found is None else found.mean

    @property
    def table(self) -> Table:
        """Its rows of `Run.flows`, one for each replication."""
        flows = self.run.flows
        return flows.filter(np.array([name == self.name for name in flows["name"]], dtype=bool))

    @property
    def tcp(self) -> Table:
        """Its rows of `Run.tcp` (``probes=["tcp"]``): the state of its sender after each change."""
        return self._rows(self.run.tcp)

    @property
    def cuts(self) -> Table:
        """Its rows of `Run.cuts` (``probes=["cuts"]``): each cut of its window, and the cause."""
        return self._rows(self.run.cuts)

    @property
    def series(self) -> Table:
        """Its rows of `Run.flow_series` (``probes=["flows"]``): rates, losses and delays in time."""
        return self._rows(self.run.flow_series)

    @property
    def packets(self) -> Table:
        """Its rows of `Run.packets` (``probes=["packets"]``): each packet."""
        return self._rows(self.run.packets)

    def values(self, what: str) -> NDArray[np.float64]:
        """Return a column, or a metric such as ``delay.p95``, by replication; NaN where there is none.

        Raises:
            UsageError: There is no such column or metric.
        """
        if what in self.table.column_names:
            return np.asarray(self.table[what].to_numpy(), dtype=float)
        return self.run.values(f"flow.{self.name}.{what}")

    def estimate(self, what: str) -> stats.Estimate | None:
        """Return the mean of a column or metric over replications with its 95 % interval; None without a value."""
        values = self.values(what)
        known = values[~np.isnan(values)]
        return stats.estimate(known.tolist()) if len(known) else None

    def mean(self, column: str) -> float | None:
        """Return the mean of a column over the replications; None where it has no value or is not there."""
        if column not in self.table.column_names:
            return None
        found = self.estimate(column)
        return None if found is None else found.mean

    def as_dict(self) -> Mapping[str, Any]:
        """Return its row, or means of its rows."""
        table = self.table
        if table.num_rows == 1:
            return table.to_pylist()[0]
        return {name: getattr(self, name) for name in table.column_names if name != "replication"}

    def __getattr__(self, column: str) -> Any:
        """Return the mean of a column of `Run.flows` over replications, or its text."""
        if column.startswith("_"):
            raise AttributeError(column)
        table = self.table
        if column not in table.column_names:
            hint = nearest(column, dir(self))
            raise AttributeError(f"flow {self.name!r} has no {column!r}{hint}")
        values = table[column].to_pylist()
        known = [value for value in values if value is not None]
        if not known:
            return None
        if all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
            return known[0] if len(known) == 1 else sum(known) / len(known)
        return known[0] if len(set(known)) == 1 else known

    def __dir__(self) -> list[str]:
        """Return what can be asked for, for completion."""
        return sorted({*super().__dir__(), *self.table.column_names})

    def __repr__(self) -> str:
        """Return its overview."""
        said = [
            f"{heading} {shown(_rounded(mean * factor))}"
            for column, heading, factor in OVERVIEW
            if (mean := self.mean(column)) is not None
        ]
        return f"<Flow {self.name!r}: {', '.join(said)}>"

    def _rows(self, table: Table) -> Table:
        return table.filter(np.array([name == self.name for name in table["flow"]], dtype=bool))


def _rounded(value: float) -> float | int:
    """Return four digits, and no fraction where there are more."""
    return round(value) if abs(value) >= 1000 else float(f"{value:.4g}")
