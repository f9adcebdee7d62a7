"""A flow of a run by its name: every quantity of it, by the one name that it has everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lasthop.core.quantities import full
from lasthop.core.quantities.shown import Column
from lasthop.errors import UsageError
from lasthop.numbers import stats
from lasthop.numbers.table import Table, shown

if TYPE_CHECKING:
    from lasthop.core.runs import Run

#: Columns of the overview in notebooks and terminals.
OVERVIEW = (
    Column("goodput {}", "goodput_bps"),
    Column("mean delay {}", "delay_s.mean"),
    Column("p95 delay {}", "delay_s.p95"),
    Column("packets sent", "packets_sent"),
    Column("delivered", "packets_delivered"),
)


@dataclass(frozen=True)
class Flow:
    """One flow of a run. Its numbers are means over the replications, None where nothing arrived.

    It has every quantity by its name, as tables and studies have it: ``flow["delay_s.p95"]``,
    ``flow["packets_lost.queue"]``, ``flow["loss"]``; and as an attribute where the name has no point:
    ``flow.goodput_bps``. The unit may be left out: ``flow.goodput``. `estimate` adds the interval, `values` gives
    the replications one by one.
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
        return self.mean("delay_s.mean")

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
        """Return a quantity, such as ``delay_s.p95``, by replication; NaN where there is none.

        Raises:
            UsageError: There is no such quantity.
        """
        if full(what) in self.table.column_names:
            return np.asarray(self.table[full(what)].to_numpy(), dtype=float)
        return self.run.values(f"flow.{self.name}.{what}")

    def estimate(self, what: str) -> stats.Estimate | None:
        """Return the mean of a column or metric over replications with its 95 % interval; None without a value."""
        return stats.estimate_of_known(self.values(what))

    def mean(self, name: str) -> float | None:
        """Return the mean of a quantity over the replications; None where it has no value or is not there."""
        if full(name) not in self.table.column_names:
            return None
        found = self.estimate(name)
        return None if found is None else found.mean

    def as_dict(self) -> Mapping[str, Any]:
        """Return its row, or means of its rows."""
        table = self.table
        if table.num_rows == 1:
            return table.to_pylist()[0]
        return {name: self[name] for name in table.column_names if name != "replication"}

    def __getitem__(self, name: str) -> Any:
        """Return the mean of a quantity over replications, or a text; None where it has no value.

        Raises:
            UsageError: There is no such quantity; with what an old name is called now.
        """
        table = self.table
        if full(name) not in table.column_names:
            known = self.estimate(name)
            return None if known is None else known.mean
        values = table[full(name)].to_pylist()
        known_values = [value for value in values if value is not None]
        if not known_values:
            return None
        if all(isinstance(v, int | float) and not isinstance(v, bool) for v in known_values):
            return (
                known_values[0] if len(known_values) == 1 else sum(known_values) / len(known_values)
            )
        return known_values[0] if len(set(known_values)) == 1 else known_values

    def __getattr__(self, name: str) -> Any:
        """Return what ``flow[name]`` does."""
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except UsageError as unknown:
            # Behind the name of the metric it says which flow has no such quantity.
            raise AttributeError(str(unknown).split(": ", 1)[-1]) from None

    def __dir__(self) -> list[str]:
        """Return what can be asked for, for completion."""
        return sorted(
            {*super().__dir__(), *(n for n in self.table.column_names if n.isidentifier())}
        )

    def _ipython_key_completions_(self) -> list[str]:
        return self.table.column_names

    def __repr__(self) -> str:
        """Return its overview."""
        said = [
            f"{column.heading()} {shown(rounded(mean * column.unit[1]))}"
            for column in OVERVIEW
            if (mean := self.mean(column.key)) is not None
        ]
        return f"<Flow {self.name!r}: {', '.join(said)}>"

    def _rows(self, table: Table) -> Table:
        return table.filter(np.array([name == self.name for name in table["flow"]], dtype=bool))


def rounded(value: float) -> float | int:
    """Return four digits, and no fraction where there are more."""
    return round(value) if abs(value) >= 1000 else float(f"{value:.4g}")
