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

#: The parts of a document that the rules read.
READ = ("duration_s", "measured_s", "flows", "stations", "access", "queues")


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
    read = {key: summary[key] for key in READ if key in summary}
    if asked is not None:
        names = [queue["name"] for queue in summary.get("queues", ())]
        read["disciplines"] = of_queues(names, toml.tables(asked.resolved()))
    return [Finding(*each) for each in _core.noticed(json.dumps(read))]
