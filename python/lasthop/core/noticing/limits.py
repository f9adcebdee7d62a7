"""What limited each flow, as the core decides it (crates/noticing), for all that show it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from lasthop import _core
from lasthop.core.job import Job
from lasthop.core.noticing.finding import without_probes

MEASURE = "limits"
"""The measure that the rules read."""

KEYS = {MEASURE: (MEASURE,), "delay_split": ("delay_split_s", "delay_split_ns")}
"""The keys of a flow that measures add."""


@dataclass(frozen=True)
class Limit:
    """What limited some flows.

    Attributes:
        cause: Its short name, which does not change: ``link``, ``medium``, ``queue``, ``radio``, ``loss``,
            ``collisions``, ``handoffs``, ``receiver``, ``application``.
        flows: Their names.
        at: The interface, as ``queues`` name it; empty where the cause has no place.
        what: A sentence with the flows and the cause.
        shown_by: A sentence with the numbers that show it.
    """

    cause: str
    flows: tuple[str, ...]
    at: str
    what: str
    shown_by: str

    def as_dict(self) -> dict[str, Any]:
        """Return its fields."""
        return asdict(self) | {"flows": list(self.flows)}


Told = Callable[[Sequence[Limit]], None]
"""Told what limited the flows of a run."""


def limited(document: Mapping[str, Any]) -> list[Limit]:
    """Return what limited the flows of a run with the measure; nothing of one without."""
    found = json.loads(_core.limited(json.dumps(without_probes(document))))
    return [Limit(**each | {"flows": tuple(each["flows"])}) for each in found]


def with_measures(job: Job, names: Sequence[str]) -> Job:
    """Return a right job that takes these measures beside those of its scenario; the same where it takes them."""
    own = measures_of(job)
    wanted = list(dict.fromkeys([*own, *names]))
    return (
        job
        if wanted == own
        else replace(job, overrides=(*job.overrides, f"measures={json.dumps(wanted)}"))
    )


def measures_of(job: Job) -> list[str]:
    """Return the measures of a right scenario, after its changes, as the core reads them."""
    lines = job.resolved().splitlines()
    own = next((line for line in lines if line.startswith("measures = ")), "measures = []")
    found: list[str] = tomllib.loads(own)["measures"]
    return found


def watched(job: Job, measures: Sequence[str] = (MEASURE,)) -> list[Job]:
    """Return the job in two parts: its first replication, with these measures, and the others."""
    first = with_measures(job.runs(job.replication, 1), measures)
    rest = job.runs(job.replication + 1, job.count - 1)
    return [first, *([rest] if rest.count else [])]


def taken(document: dict[str, Any], added: Sequence[str]) -> list[Limit]:
    """Return what limited the flows of a document, which is then as without the measures that were `added`."""
    found = limited(document)
    keys = [key for measure in added for key in KEYS[measure]]
    for flow in document["flows"]:
        legs = (flow.get("split") or {}).values()
        for part in (flow, *(leg for leg in legs if isinstance(leg, dict))):
            for key in keys:
                part.pop(key, None)
    return found
