"""Which runs the study makes, and in what order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lasthop.jobs import Job
from lasthop.papers.petrovic2003.facts import Cell, facts, text

PAPER_FEC = "residual_ber"
EXACT_FEC = "block"
REPLICATIONS = 40


@dataclass(frozen=True, order=True)
class Setting:
    """A cell of the table and the model of FEC that it is run with."""

    cell: Cell
    fec_model: str = PAPER_FEC

    def overrides(self) -> tuple[str, ...]:
        """Return what this setting changes in bulk.toml."""
        return (
            f"tcp.mss={self.cell.packet_bytes} B",
            f"tcp.window={self.cell.window} packets",
            f"mac.rts={'always' if self.cell.case.rts else 'never'}",
            f"fec.enabled={'true' if self.cell.case.fec else 'false'}",
            f"fec.model={self.fec_model}",
        )


def settings(*, exact_fec: bool = True) -> list[Setting]:
    """Return the 80 cells as the paper has them and, if asked, the 40 with FEC done exactly."""
    cells = list(facts().published)
    exact = [Setting(cell, EXACT_FEC) for cell in cells if cell.case.fec] if exact_fec else []
    return [Setting(cell) for cell in cells] + exact


@dataclass(frozen=True)
class Plan:
    """The runs of a study, replication by replication.

    In this order an interrupted study has finished the same replications of nearly every cell,
    and comparisons stay paired. Every cell has the same seed: the random numbers are common.
    """

    settings: tuple[Setting, ...]
    replications: int
    seed: int

    def keys(self) -> Iterable[tuple[Setting, int]]:
        """Yield (setting, replication) in the order of the jobs."""
        return ((s, r) for r in range(self.replications) for s in self.settings)

    def jobs(self, extra: Sequence[str] = ()) -> list[Job]:
        """Return the jobs, with `extra` overrides on top (an alternative of something unstated)."""
        base = text("bulk.toml")
        return [
            Job(
                text=base,
                file="petrovic2003/bulk.toml",
                overrides=(*setting.overrides(), *extra),
                seed=self.seed,
                replication=replication,
            )
            for setting, replication in self.keys()
        ]
