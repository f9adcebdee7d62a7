"""The results of the runs, looked up by setting and replication."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lasthop.claims import STARVED
from lasthop.papers.petrovic2003.design import PAPER_FEC, Setting
from lasthop.papers.petrovic2003.facts import Cell
from lasthop.stats import Estimate, estimate


@dataclass
class Samples:
    """The finished runs of a study: for each setting, the run document of each replication."""

    runs: dict[Setting, dict[int, Mapping[str, Any]]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, keys: Iterable[tuple[Setting, int]], results: Iterable[Mapping[str, Any] | None]
    ) -> Samples:
        """Return the samples of a study, leaving out runs that were cancelled (None)."""
        samples = cls()
        for (setting, replication), run in zip(keys, results, strict=True):
            if run is not None:
                samples.runs.setdefault(setting, {})[replication] = run
        return samples

    def __len__(self) -> int:
        """Return the number of finished runs."""
        return sum(len(each) for each in self.runs.values())

    def setting(self, cell: Cell, fec_model: str = PAPER_FEC) -> Setting:
        """Return the setting of a cell under a model of FEC, which matters only where FEC is on."""
        return Setting(cell, fec_model if cell.case.fec else PAPER_FEC)

    def totals(self, cell: Cell, fec_model: str = PAPER_FEC) -> dict[int, float]:
        """Return the total goodput of a cell by replication, kbit/s."""
        runs = self.runs.get(self.setting(cell, fec_model), {})
        return {replication: sum(rates_kbps(run)) for replication, run in runs.items()}

    def mean(self, cell: Cell, fec_model: str = PAPER_FEC) -> Estimate | None:
        """Return the mean of the totals, kbit/s; None where no replication was finished."""
        totals = self.totals(cell, fec_model)
        return estimate(list(totals.values())) if totals else None

    def pairs(
        self, a: Cell, b: Cell, fec_model: str = PAPER_FEC
    ) -> tuple[list[float], list[float]]:
        """Return the totals of two cells in the replications that both have finished, kbit/s."""
        left, right = self.totals(a, fec_model), self.totals(b, fec_model)
        common = sorted(left.keys() & right.keys())
        return [left[r] for r in common], [right[r] for r in common]

    def shares(self, cell: Cell, fec_model: str = PAPER_FEC) -> dict[int, list[float]]:
        """Return each station's part of its fair share (1 is fair) by replication, sorted."""
        runs = self.runs.get(self.setting(cell, fec_model), {})
        return {r: fair_parts(rates_kbps(run)) for r, run in runs.items()}

    def starved(self, cell: Cell, fec_model: str = PAPER_FEC) -> dict[int, bool]:
        """Return by replication whether some station was starved."""
        return {r: min(parts) < STARVED for r, parts in self.shares(cell, fec_model).items()}


def rates_kbps(run: Mapping[str, Any]) -> list[float]:
    """Return the goodput of each flow of a run, kbit/s."""
    return [flow["goodput_bps"] / 1e3 for flow in run["flows"]]


def fair_parts(rates: list[float]) -> list[float]:
    """Return each rate over the mean rate, sorted.

    All 0 where nothing was delivered at all: then nobody has any share, and all are shut out.
    """
    mean = sum(rates) / len(rates)
    return sorted(rate / mean for rate in rates) if mean > 0 else [0.0] * len(rates)
