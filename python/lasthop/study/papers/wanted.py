"""Options of a reproduction, for any paper."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ReproduceOptions:
    """Options; see `lasthop.pages.papers.reproduce`."""

    paper: str
    table: str | None
    replications: int | None
    seed: int
    workers: int | None
    out: Path
    audit: bool
    quick: bool
    until_decided: bool = False
    budget_s: float | None = None
    changes: tuple[str, ...] = ()

    def command(self) -> str:
        """Return the command that makes the same."""
        table = f" --table {self.table}" if self.table else ""
        count = "" if self.replications is None else f" --replications {self.replications}"
        quick = " --quick" if self.quick else ""
        more = "" if self.audit else " --no-audit"
        if self.until_decided:
            more += " --until-decided"
            more += "" if self.budget_s is None else f" --budget {self.budget_s:g}s"
        more += "".join(f" --set {shlex.quote(change)}" for change in self.changes)
        paper = shlex.quote(self.paper)
        return f"lasthop reproduce {paper}{table}{quick}{count} --seed {self.seed}{more}"
