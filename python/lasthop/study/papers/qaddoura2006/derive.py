"""The five cases of the printed table, of the studies that have them, and the traffic of figure 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lasthop.claims import Table
from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Count
from lasthop.pages.figures.chart import Chart, Curve, Point
from lasthop.pages.report import Figure, of_curves
from lasthop.study.papers.folder import Paper

CASES = (
    (1, "mixed.goodput", {"wireless": 25, "ber": 1e-4, "base": "nothing"}),
    (2, "mixed.goodput", {"wireless": 25, "ber": 1e-5, "base": "nothing"}),
    (3, "injected.goodput", {"wireless": 0, "fade": 1}),
    (4, "injected.goodput", {"wireless": 25, "fade": 1}),
    (5, "injected.goodput", {"wireless": 50, "fade": 1}),
)
"""By case: the measure that has it, and its setting there."""

BEYOND = {0: 3, 25: 2, 50: 5}
"""By wireless sessions: the case that the study of cases has of them."""

Cell = tuple[Mapping[str, Any], Any]

SESSIONS = {
    "a-1": "a session of the wired network",
    "injected-1": "a wireless session behind I-TCP",
}
"""The flows of figure 3."""
EVERY, DURATION = "1 s", "180 s"
CAPTION = (
    "Figure 3: what two sessions send into network-A in case 4, in one run. The wired session is on for T1 "
    "and off for T2; the wireless session is on for t1 between fades of length t2, and idle for t3."
)


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return the throughput of network-A by case, bit/s: the paper's, and of every variant with stations."""
    found = [
        ({"case": case}, cell)
        for case, measure, setting in CASES
        if measure in made and (cell := made[measure].at(setting)) is not None
    ]
    tables = {"network": Table.of("network", found)} if found else {}
    beyond = _beyond(made)
    return tables | ({"cases.network": Table.of("cases.network", beyond)} if beyond else {})


def _beyond(made: Mapping[str, Table]) -> list[Cell]:
    """Return the five cases of every variant; cases 1 and 4 are those of the study of laws."""
    found: list[Cell] = []
    for table in (made[each] for each in ("laws.goodput", "cases.goodput") if each in made):
        for key, values in table.cells.items():
            setting = dict(zip(table.axes, key, strict=True))
            here = 1 if setting["base"] == "nothing" else 4
            case = BEYOND[int(setting["wireless"])] if "wireless" in setting else here
            found.append(({"case": case, "tcp": setting["tcp"], "base": setting["base"]}, values))
    return found


def more(
    paper: Paper, wanted: Sequence[str], seed: int, _: int, told: Count
) -> tuple[dict[str, Table], dict[str, Figure]]:
    """Run figure 3."""
    if "injected" not in wanted:
        return {}, {}
    study = paper.study("injected", seed)
    changes = (*study.changes, f"duration={DURATION}", "warmup=0 s")
    job = Job(study.scenario, study.file, changes, seed)
    (run,) = run_jobs([job], progress=told, probes=["flows"], probe_every=EVERY)
    panels = [(said, [_goodput(run, flow)]) for flow, said in SESSIONS.items()]
    chart = Chart(panels, "time (s)", "throughput (kbit/s)", [], log=False, ordered=True)
    return {}, {"figure03": of_curves(chart, CAPTION, name="figure03")}


def _goodput(run: Mapping[str, Any] | None, flow: str) -> Curve:
    assert run is not None  # nothing was interrupted
    rows = run["probes"]["flows"]
    kept = zip(rows["time_s"], rows["flow"], rows["goodput_bps"], strict=True)
    return Curve("", [Point(time, bps / 1e3, None) for time, name, bps in kept if name == flow])
