"""Measures made of others: at rest beside on the move, what picking the variant gains, and figure 2.

The film's packets of figure 2 are those that a capture at n0 has, so their times are those of the interface.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.claims import Table
from lasthop.core.captures import LEAST_SNAP, Captures
from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Count
from lasthop.data import pcapng
from lasthop.pages.figures.timeline import timeline
from lasthop.pages.report import Figure, of_curves
from lasthop.study.papers.folder import Paper

Array = npt.NDArray[np.float64]
Series = tuple[Array, Array]
"""Times in s, and values."""

AT_REST_M = 50
"""The place of n3 at rest, which is compared with a moving one."""
BEGIN_S, END_S = 36, 110
"""The seconds over which window and film are correlated: from the transfer's first whole one."""
WIRES_S = 0.020
"""A1 to A0 to the base station, 10 ms each."""
RUNS = 10
CAPTION = (
    "Figure 2: the transfer's congestion window and the interarrival times of the film's packets at n0, one "
    "run. NewReno, n3 at 50 m, limit 4, queue 50."
)


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return what is made of others.

    In bit/s mobility.goodput, where speed 0 is n3 at rest at 50 m, and choice.goodput; in s game.air_delay and
    ftp.overall_delay.
    """
    aired = {"game.air_delay": _aired(made["game.delay"])} if "game.delay" in made else {}
    if "ftp.delay" in made:
        aired["ftp.overall_delay"] = _overall(made["ftp.delay"])
    if not {"ftp.goodput", "outdoor.goodput"} <= made.keys():
        return aired
    rest, outdoor = made["ftp.goodput"], made["outdoor.goodput"]
    rows = [(dict(zip(outdoor.axes, key, strict=True)), v) for key, v in outdoor.cells.items()]
    for key, values in rest.cells.items():
        setting = dict(zip(rest.axes, key, strict=True))
        if setting.pop("distance") == AT_REST_M:
            rows.append(({"speed": 0, **setting}, values))
    several = [made[n] for n in ("ftp.goodput", "outdoor.goodput", "indoor.goodput") if n in made]
    return {
        **aired,
        "mobility.goodput": Table.of("mobility.goodput", rows),
        "choice.goodput": picked(several),
    }


def _overall(table: Table) -> Table:
    """Return delays of the transfer averaged over the queues, s."""
    over = table.averaged(["ifq"])
    rows = [(dict(zip(over.axes, key, strict=True)), values) for key, values in over.cells.items()]
    return Table.of("ftp.overall_delay", rows)


def _aired(table: Table) -> Table:
    """Return delays of the game without the propagation on its wires, s."""
    cells = table.cells.items()
    rows = [(dict(zip(table.axes, key, strict=True)), values - WIRES_S) for key, values in cells]
    return Table.of("game.air_delay", rows)


def picked(several: Sequence[Table]) -> Table:
    """Return what picking the variant in each cell gains, and each variant everywhere, as parts of the mean.

    The pick of a replication is the best mean of the others, so that luck is no gain. Cells count alike;
    those that were not run for every variant, or in which none delivered anything, are left out.
    """
    variants = several[0].values("tcp")
    chosen: list[Array] = []
    fixed: list[Array] = []
    for table in several:
        for context in table.contexts(["tcp"]):
            cells = [table.at({**context, "tcp": each}) for each in variants]
            count = min((0 if cell is None else len(cell) for cell in cells), default=0)
            values = np.array([cell[:count] for cell in cells if cell is not None])
            if count < 2 or not values.any():
                continue
            values = values / values.mean()
            others = (values.sum(axis=1, keepdims=True) - values) / (count - 1)
            chosen.append(values[others.argmax(axis=0), np.arange(count)])
            fixed.append(values)
    least = min((len(each) for each in chosen), default=0)
    rows = [({"pick": "per scenario"}, _mean([each[:least] for each in chosen]))]
    for place, variant in enumerate(variants):
        rows.append(({"pick": variant}, _mean([each[place][:least] for each in fixed])))
    return Table.of("choice.goodput", rows)


def _mean(several: Sequence[Array]) -> Array:
    result: Array = np.mean(several, axis=0) if several else np.empty(0)
    return result


def more(
    paper: Paper, wanted: Sequence[str], seed: int, replications: int, told: Count
) -> tuple[dict[str, Table], dict[str, Figure]]:
    """Run figure 2's cell with a capture of the film's packets: its picture, and film.follows_window."""
    if "alone" not in wanted:
        return {}, {}
    study = paper.study("alone", seed)
    count = min(RUNS, replications)
    seen = []
    for replication in range(count):
        told(replication, count)
        seen.append(
            _run(Job(study.scenario, study.file, study.changes, seed, replication, study.files))
        )
    told(count, count)
    found = np.array([correlation(*each) for each in seen])
    rows = [({"ftp": "with"}, found)]
    drawn = {"figure02": of_curves(timeline(*seen[0]), CAPTION, name="figure02")}
    return {"film.follows_window": Table.of("film.follows_window", rows)}, drawn


def _run(job: Job) -> tuple[Series, Series]:
    """Return (window in segments) and (interarrival times of the film's packets in s), each over time."""
    with tempfile.TemporaryDirectory(prefix="lasthop-capture-") as directory:
        captures = Captures(Path(directory), ("n0-wlan0",), LEAST_SNAP)
        (run,) = run_jobs([job], 1, probes=["tcp"], probe_every="100 ms", captures=captures)
        assert run is not None  # nothing was interrupted
        arrivals = _film(Path(directory) / "n0-wlan0.pcapng")
    rows: dict[str, Any] = run["probes"]["tcp"]
    window = (np.array(rows["time_s"], float), np.array(rows["snd_cwnd"], float))
    return window, (arrivals[1:], np.diff(arrivals))


def _film(capture: Path) -> Array:
    """Return when each packet of the film came to n0, s."""
    frames = pcapng.frames(capture)
    data = frames.where(frames.kind == pcapng.DATA)
    film = data.receiver[0]  # nothing else is sent before it
    return np.asarray(data.first_copies(film).at * 1e-9, float)


def correlation(window: Series, gaps: Series) -> float:
    """Return the correlation over the seconds of the mean window and the spread of interarrival times."""
    pairs = []
    for second in range(BEGIN_S, END_S):
        windows, spread = (_within(each, second) for each in (window, gaps))
        if len(windows) and len(spread) > 1:
            pairs.append((windows.mean(), spread.std(ddof=1)))
    if len(pairs) < 3:
        return float("nan")
    return float(np.corrcoef(np.array(pairs).T)[0, 1])


def _within(series: Series, second: int) -> Array:
    times, values = series
    return values[(times >= second) & (times < second + 1)]
