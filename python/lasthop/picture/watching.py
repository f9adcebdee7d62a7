"""Runs a scenario once more, with what its page shows written down."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from lasthop.jobs import run_jobs
from lasthop.listeners import Fraction
from lasthop.picture.charting import STEPS
from lasthop.prepared import Prepared

PROBES = ("tcp", "cuts", "queue", "flows", "air", "airtime", "frames", "symbols", "requests")

MEASURE = "delay_split"
"""What the page shows of every run, beside the measures that the scenario asks for."""

MOST_PACKETS = 400_000
"""Of more packets there is no row each: they would take more memory than a page is worth."""


def watch(
    asked: Prepared, summary: Mapping[str, Any], threads: int | None, told: Fraction
) -> dict[str, Any]:
    """Return the document of the first replication with its probes and `picture_steps`.

    Probes and measures change no result; `summary` says how many packets there are.
    """
    outline = asked.outline()
    made = summary["packets"]["made"]
    count = made["mean"] if isinstance(made, Mapping) else made
    probes = (*PROBES, *(("packets",) if count <= MOST_PACKETS else ()))
    job = Prepared(
        asked.text,
        asked.file,
        (*asked.changes, f"measures={json.dumps(_measures(asked))}"),
        asked.files,
        asked.seed,
    ).job()
    (document,) = run_jobs(
        [job],
        threads,
        fraction=told,
        laws=asked.laws or None,
        law=asked.law,
        probes=probes,
        probe_every=f"{outline['duration_s'] / STEPS!r} s",
    )
    assert document is not None  # there is one job, and it was not interrupted
    return {**document, "picture_steps": STEPS}


def _measures(asked: Prepared) -> list[str]:
    """Return the measures of a scenario, which is right, after its changes, and the page's own."""
    own = tomllib.loads(asked.text).get("measures", [])
    for change in asked.changes:
        key, _, value = change.partition("=")
        if key.strip() == "measures":
            own = tomllib.loads(f"changed = {value}")["changed"]
    return list(dict.fromkeys([*own, MEASURE]))
