"""The panels of a page about a run, prepared by the core: see crates/panels."""

from __future__ import annotations

import json
from typing import Any

from lasthop import _core

STEPS = 600
"""Steps of the grid: about what a wide screen has room for."""


def panels(result: str, steps: int = STEPS) -> dict[str, Any]:
    """Return the panels of a result with its probes, as JSON text: `series`, `distribution`, `bars` and `notes`.

    `series` has `times` (s, warm-up included), `charts`, `marks` and `notes`. A chart has a title, a unit and
    lines; those of lines have `of`, the column of a probe, and those of `kind` "air" what `report/air.js` draws.
    Probes that were off leave their panels out. Raises ValueError where the text is no result.
    """
    found: dict[str, Any] = json.loads(_core.panels(result, steps))
    return found
