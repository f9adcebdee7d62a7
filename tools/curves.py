"""What the pictures of the documentation share: their registry, and curves of runs and sweeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import lasthop
import renew_outputs
from drawing import Point, Series

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

Draw = Callable[[Path], str]
ALL: dict[str, Draw] = {}

MBIT, KBIT, MS, PERCENT = 1e-6, 1e-3, 1e3, 100.0


def picture(draw: Draw) -> Draw:
    """Register a picture by the name of its function; a function gets an empty folder."""
    ALL[draw.__name__.strip("_").replace("_", "-")] = draw
    return draw


def files_of(page: str, folder: Path) -> None:
    """Write the files that a page shows into a folder."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for block in renew_outputs.blocks(text):
        if block.remark == "file":
            (folder / block.about).write_text("\n".join([*block.lines, ""]), encoding="utf-8")


def over_time(run: Any, flow: str, column: str, factor: float) -> list[Point]:
    """Return a column of the series of a flow, from the beginning of the run."""
    table = run[flow].series
    pairs = zip(table["time_s"].to_pylist(), table[column].to_pylist(), strict=True)
    return [(time, factor * value) for time, value in pairs if value is not None]


def swept(scenario: str | Path, folder: Path, over: Mapping[str, Sequence[Any]], **how: Any) -> Any:
    """Sweep a scenario over axes."""
    return lasthop.sweep(scenario, over=over, out=folder / "out", **{"replications": 10, **how})


def curve(
    results: Any, name: str, metric: str, factor: float, key: str, where: Mapping[str, Any]
) -> Series:
    """Return a metric over an axis, with its intervals."""
    points, half = [], []
    for row in results.rows:
        if where.items() <= row.settings.items() and (known := results.estimate(metric, row)):
            value = row.settings[key]
            points.append((_number(value), factor * known.mean))
            half.append(factor * (known.ci95 or 0.0))
    return Series(name, points, half)


def _number(value: Any) -> float:
    return float(value if isinstance(value, int | float) else str(value).split()[0])


#: The scenario of the notebooks: a call beside a download in the same direction.
CALL: dict[str, Any] = {
    "duration": "20 s",
    "flow.voice.from": "server",
    "flow.voice.to": "phone",
    "tcp.window": "400 packets",
}


def call(name: str, **queue: Any) -> Series:
    """Return the delay of that call, with such a queue."""
    changes = CALL | {f"queue.{key}": value for key, value in queue.items()}
    run = lasthop.run("voice_and_bulk", overrides=changes, probes=["flows"], probe_every_s=0.25)
    return Series(name, over_time(run, "voice", "delay_mean_s", MS))
