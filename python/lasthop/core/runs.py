"""The results of runs: tables of everything, and each flow by its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lasthop import above
from lasthop.core import tidy
from lasthop.core.flows import OVERVIEW, Flow, rounded
from lasthop.core.jobs import run_jobs
from lasthop.core.noticing import Finding, Limit, limits, noticed
from lasthop.errors import UsageError, offered
from lasthop.numbers import stats
from lasthop.numbers.numerals import counted
from lasthop.numbers.table import Table, concatenated, printed, shown

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.axes import Axes

    from lasthop.core.job import Job

#: Flows that a notebook and a terminal show.
SHOWN = 20


@dataclass(frozen=True)
class Run:
    """The results of a scenario: one replication or several.

    Tables are tidy: a row for each (replication, flow) and so on. A column is named by its path in ``lasthop
    run --json``, as ``delay_s.p95``, with the unit in it (``_bps`` bit/s, ``_s`` seconds); what is not said
    otherwise is a count of packets over the measured time. See `lasthop.core.quantities`.
    """

    documents: Sequence[dict[str, Any]]
    """The document of each replication, as ``lasthop run --json`` prints it, in order."""

    asked: Job | None = field(default=None, repr=False, compare=False)
    """The job that was run; None where the documents come from elsewhere."""

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

    def report(self, path: str | Path, workers: int | None = None) -> Path:
        """Write a page about the run, FILE.html; the first replication is run again for it.

        Raises UsageError where the documents come from elsewhere, or the name ends otherwise.
        """
        if self.asked is None:
            raise UsageError("these results do not contain the scenario, which a page needs")
        return above.run_page(self.asked, self.summary, Path(path), workers)

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
        probes = self.documents[0].get("probes") or {}
        axes: Axes = above.run_plot(probes, what, flow, ax)
        return axes

    @property
    def noticed(self) -> list[Finding]:
        """Findings about these results, the most important first; each has rule, what, why and advice."""
        return noticed(self.summary, self.asked)

    @cached_property
    def limited(self) -> list[Limit]:
        """What limited each flow in the first replication, which is run again for it: a sentence with its numbers.

        Raises UsageError where the documents come from elsewhere.

        Example:
            >>> for each in lasthop.run("two_stations").limited:
            ...     print(each.what, each.shown_by)
        """
        if self.asked is None:
            raise UsageError(
                "these results do not contain the scenario, which is run again to see what limited its flows"
            )
        (document,) = run_jobs(limits.watched(self.asked)[:1])
        assert document is not None  # Ctrl-C raises
        return limits.limited(document)

    def __getitem__(self, flow: str) -> Flow:
        """Return a flow by its name; raises UsageError where there is none."""
        if flow not in self.flow_names:
            there = ", ".join(self.flow_names)
            raise UsageError(f"no flow {flow!r}{offered(flow, self.flow_names, there)}")
        return Flow(self, flow)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the flows."""
        return iter(self.flow_names)

    def __len__(self) -> int:
        """Return how many flows there are."""
        return len(self.flow_names)

    def __contains__(self, flow: object) -> bool:
        """Return whether there is a flow of that name."""
        return flow in self.flow_names

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
        """Return a metric as studies name it, as ``voice.delay_s.p95``, by replication; NaN where there is none.

        Raises:
            UsageError: There is no such metric.
        """
        from lasthop.core import metrics

        return np.array([metrics.value(metric, document) for document in self.documents])

    def estimate(self, metric: str) -> stats.Estimate | None:
        """Return a metric's mean over replications with its 95 % interval; None where it has no value."""
        return stats.estimate_of_known(self.values(metric))

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
        """The number of replications."""
        return len(self.documents)

    @cached_property
    def flows(self) -> Table:
        """A row for each flow: throughput_bps, goodput_bps, delay_s.mean, packets_lost.queue, ..."""
        return self._table("flows")

    @property
    def stations(self) -> Table:
        """A row for each 802.11 station: attempts, retries, collisions, airtime_share, ..."""
        return self._table("stations")

    @property
    def access(self) -> Table:
        """A row for each access category of each station of 802.11n, ac and ax: attempts, mpdus_per_ppdu, ..."""
        return self._table("access")

    @property
    def queues(self) -> Table:
        """A row for each interface queue: offered, drops, mean_packets, max_packets."""
        return self._table("queues")

    @property
    def links(self) -> Table:
        """A row for each one-way wired link: utilisation (0 to 1), packets."""
        return self._table("links")

    @property
    def lans(self) -> Table:
        """A row for each shared LAN: utilisation, collision_share, collisions, mean_run."""
        return self._table("lans")

    @property
    def lan_stations(self) -> Table:
        """A row for each station of a shared LAN: attempts, collisions, deferrals, airtime_share, ..."""
        return self._table("lan_stations")

    @property
    def wimax(self) -> Table:
        """A row for each 802.16 cell: frames, downlink_share, uplink_share, ..."""
        return self._table("wimax")

    @property
    def subscribers(self) -> Table:
        """A row for each 802.16 subscriber station: up.throughput_bps, requests.attempts, up.delay_s.mean, ..."""
        return self._table("subscribers")

    @property
    def handoffs(self) -> Table:
        """A row for each change of access point or agent: station, from, to, at_s, gap_s, ..."""
        return self._table("handoffs")

    @property
    def whole(self) -> Table:
        """A row for each replication as a whole: measured_s, events, jain, packets.made, ..."""
        rows = [
            {
                key: value
                for key, value in document.items()
                if key != "probes" and not isinstance(value, list)
            }
            for document in self.documents
        ]
        return tidy.table([tidy.flat(row) for row in rows])

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
    def symbols(self) -> Table:
        """A row for each step and use of 802.16 frames (``probes=["symbols"]``): use_of, station, symbols, ..."""
        return self._probed("symbols")

    @property
    def requests(self) -> Table:
        """A row for each request in contention (``probes=["requests"]``): station, opportunity, senders, ..."""
        return self._probed("requests")

    @property
    def air(self) -> Table:
        """A row for each frame of 802.11 or a LAN (``probes=["air"]``): time_s, airtime_s, station, fate, ..."""
        return self._probed("air")

    @property
    def airtime(self) -> Table:
        """A row for each step and station of 802.11 or a LAN (``probes=["airtime"]``): carried_s, ..."""
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
            raise UsageError(
                f"the probe was not requested: use lasthop.run(..., probes=[{name!r}])"
            )
        return self._probe(name)

    def _probe(self, name: str) -> Table:
        kinds = tidy.probe_kinds()[name]
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
            {"replication": document["replication"], **tidy.flat(row)}
            for document in self.documents
            for row in document.get(what, ())
        ]
        return tidy.table(rows)

    def _repr_html_(self) -> str:
        """Show an overview of the flows in a notebook."""
        head, *rows = self._overview()
        table = printed.html(head, rows)
        rest = "".join(f"<p>{escape(line)}</p>" for line in self._rest())
        return f'<p>{escape(self._title())}</p><div style="overflow-x:auto">{table}</div>{rest}'

    def _title(self) -> str:
        runs = counted(self.replications, "replication")
        means = "" if self.replications == 1 else "; means"
        return f"<Run of {self.scenario!r}, seed {self.seed}, {runs}{means}>"

    def _overview(self) -> list[list[str]]:
        names = self.flow_names[:SHOWN]
        flows = [Flow(self, name) for name in names]
        columns = [each for each in OVERVIEW if each.key in self.flows.column_names]
        found = [["flow", *(each.heading() for each in columns)]]
        for flow in flows:
            means = [(flow.mean(each.key), each.unit[1]) for each in columns]
            numbers = [shown(None if mean is None else rounded(mean * by)) for mean, by in means]
            found.append([flow.name, *numbers])
        return found

    def _rest(self) -> list[str]:
        more = len(self.flow_names) - SHOWN
        return [f"and {counted(more, 'flow')} more: run.flows has all"] if more > 0 else []
