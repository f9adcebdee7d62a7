"""Figure 2: the transfer's window and the film's interarrival times on one axis of time, and how they go together.

The film's packets are those that a capture at n0 has, so their times are those of the interface.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop import pcapng
from lasthop.captures import LEAST_SNAP, Captures
from lasthop.errors import LasthopError
from lasthop.jobs import Job, run_jobs
from lasthop.listeners import Count
from lasthop.papers.janevski2011 import experiments

Array = npt.NDArray[np.float64]

BEGIN_S, END_S = 36, 110
"""The seconds over which window and film are correlated: from the transfer's first whole one."""
REPLICATIONS, QUICK_REPLICATIONS = 10, 4
STEP = "100 ms"
NANOSECOND = 1e-9


@dataclass(frozen=True)
class Timeline:
    """What figure 2 shows of one run, and how film and window go together in several.

    Attributes:
        window: (time in s, congestion window in segments).
        gaps: (time in s, interarrival time of the film's packets in s).
        correlations: Of the mean window and the spread of interarrival times over the seconds, one a run.
    """

    window: tuple[Array, Array]
    gaps: tuple[Array, Array]
    correlations: Array


def timeline(seed: int, replications: int, told: Count) -> Timeline:
    """Run figure 2's cell with a capture of the film's packets, one run after the other."""
    study = experiments.study("alone", seed, None)
    first: tuple[tuple[Array, Array], tuple[Array, Array]] | None = None
    found = []
    for replication in range(replications):
        told(replication, replications)
        job = Job(study.scenario, study.file, study.changes, seed, replication, study.files)
        window, gaps = _run(job)
        first = first or (window, gaps)
        found.append(correlation(window, gaps))
    told(replications, replications)
    if first is None:
        raise LasthopError("figure 2 needs a replication")
    return Timeline(*first, np.array(found))


def _run(job: Job) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    with tempfile.TemporaryDirectory(prefix="lasthop-capture-") as directory:
        captures = Captures(Path(directory), ("n0-wlan0",), LEAST_SNAP)
        (run,) = run_jobs([job], 1, probes=["tcp"], probe_every=STEP, captures=captures)
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
    return np.asarray(data.first_copies(film).at * NANOSECOND, float)


def correlation(window: tuple[Array, Array], gaps: tuple[Array, Array]) -> float:
    """Return the correlation over the seconds of the mean window and the spread of interarrival times."""
    pairs = []
    for second in range(BEGIN_S, END_S):
        windows, spread = (_within(each, second) for each in (window, gaps))
        if len(windows) and len(spread) > 1:
            pairs.append((windows.mean(), spread.std(ddof=1)))
    if len(pairs) < 3:
        return float("nan")
    return float(np.corrcoef(np.array(pairs).T)[0, 1])


def _within(series: tuple[Array, Array], second: int) -> Array:
    times, values = series
    return values[(times >= second) & (times < second + 1)]
