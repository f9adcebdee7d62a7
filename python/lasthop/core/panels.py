"""The panels of a page about a run, prepared by the core: see crates/panels."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

from lasthop import _core
from lasthop.core.how import Running, Watching
from lasthop.core.job import Job

STEPS = 600
"""Steps of the grid: about what a wide screen has room for."""

PROBES = ("tcp", "queue", "flows", "air", "airtime", "frames", "symbols", "requests")
"""The probes of a page about a run, beside `packets`."""

MEASURES = ("delay_split", "limits")
"""The measures of such a page, beside those that the scenario asks for."""


def panels(result: str, steps: int = STEPS) -> dict[str, Any]:
    """Return the panels of a result with its probes, as JSON text: `series`, `distribution`, `bars` and `notes`.

    `series` has `times` (s, warm-up included), `charts`, `marks` and `notes`. A chart has a title, a unit and
    lines; those of lines have `of`, the column of a probe, and those of `kind` "air" what `report/air.js` draws.
    Probes that were off leave their panels out. Raises ValueError where the text is no result.
    """
    found: dict[str, Any] = json.loads(_core.panels(result, steps))
    return found


def step_of(asked: Job, steps: int = STEPS) -> float:
    """Return the length of a step of the grid of a scenario, s."""
    return float(asked.outline()["duration_s"]) / steps


def beside(how: Running, asked: Job) -> Watching:
    """Return how to run so that the first document has the panels of its page, as `panels`."""
    own = {field.name: getattr(how, field.name) for field in fields(how)}
    watched = Watching(**own)
    return replace(
        watched,
        probes=(*PROBES, "packets"),
        probe_every_s=step_of(asked),
        panels=STEPS,
        first_only=True,
    )
