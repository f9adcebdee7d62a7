"""Options of a reproduction, for any paper."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lasthop.core.command_lines import typed


@dataclass(frozen=True)
class ReproduceOptions:
    """Options; see `lasthop.pages.papers.reproduce`."""

    paper: str
    table: str | None = None
    replications: int | None = None
    seed: int = 1
    workers: int | None = None
    out: Path = Path("out")
    audit: bool = True
    quick: bool = False
    until_decided: bool = False
    budget_s: float | None = None
    changes: tuple[str, ...] = ()

    def command(self) -> str:
        """Return the command that makes the same."""
        budget = None if self.budget_s is None else f"{self.budget_s:g}s"
        options = {
            "--table": self.table or None,
            "--quick": self.quick,
            "--replications": self.replications,
            "--seed": self.seed,
            "--no-audit": not self.audit,
            "--until-decided": self.until_decided,
            "--budget": budget if self.until_decided else None,
            "--set": self.changes,
        }
        return typed(["lasthop", "reproduce", self.paper], options)

    def inputs(self) -> dict[str, Any]:
        """Return what a recipe holds of it: all that matters to the numbers."""
        found = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: value for name, value in found.items() if name not in ("workers", "out")}
