"""A thing that is odd about a run, as the core finds it (crates/noticing), for the playground as well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lasthop import _core
from lasthop.core import toml
from lasthop.core.job import Job
from lasthop.core.noticing.queue_disciplines import of_queues

Summary = Mapping[str, Any]


def without_probes(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the core's rules may read of a document; which parts they read, they know themselves."""
    return {key: value for key, value in document.items() if key != "probes"}


@dataclass(frozen=True)
class Finding:
    """A finding.

    Attributes:
        rule: Its short name, which does not change: ``full-queue``.
        what: A sentence with the number.
        why: Why it matters.
        advice: What to try.
    """

    rule: str
    what: str
    why: str
    advice: str

    def __str__(self) -> str:
        """Return all of it, in one paragraph."""
        return f"{self.what} {self.why} {self.advice}"


def noticed(summary: Summary, asked: Job | None = None) -> list[Finding]:
    """Return what is odd about a run or several, the most important first, at most :data:`thresholds.MOST`.

    With what was `asked` for, no queue is advised the discipline that it has.
    """
    read = without_probes(summary)
    if asked is not None:
        names = [queue["name"] for queue in summary.get("queues", ())]
        read["disciplines"] = of_queues(names, toml.tables(asked.resolved()))
    return [Finding(*each) for each in _core.noticed(json.dumps(read))]
