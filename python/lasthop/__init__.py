"""lasthop: transport protocols over the wireless last hop, simulated and judged with statistics.

>>> import lasthop
>>> r = lasthop.run("scenarios/two_stations.toml", seed=1, replications=10)
>>> r.flows          # a tidy table, units in the column names
>>> r.summary        # every number with its 95 % interval
"""

from __future__ import annotations

from importlib import import_module

from lasthop import above

TYPE_CHECKING = False  # as type checkers know it: `typing` takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from matplotlib.axes import Axes

    from lasthop import claims as claims
    from lasthop import exports as exports
    from lasthop import law as law
    from lasthop import measured as measured
    from lasthop import stats as stats
    from lasthop import table as table
    from lasthop._core import __engine__, __version__
    from lasthop.core.api import catalogue, check, run, schema, summarise
    from lasthop.core.flows import Flow
    from lasthop.core.job import Job
    from lasthop.core.jobs import Interrupted, run_jobs
    from lasthop.core.python_law import Law
    from lasthop.core.runs import Run
    from lasthop.core.scenario import Scenario
    from lasthop.errors import (
        CaptureError,
        InternalError,
        LasthopError,
        LawError,
        ScenarioError,
        StudyError,
        UsageError,
    )
    from lasthop.numbers.stats import Summary
    from lasthop.pages.recipes.rerunning import Rerun, rerun
    from lasthop.study.advice import Advice, advise
    from lasthop.study.spec import Study
    from lasthop.study.sweeping import sweep
    from lasthop.study.swept import Results

# Names are looked up when first asked for: the command line must be able to catch Ctrl-C before
# tables are imported.
_HOMES = {
    "__engine__": "_core",
    "__version__": "_core",
    "Flow": "core.flows",
    "Run": "core.runs",
    "Scenario": "core.scenario",
    **dict.fromkeys(("catalogue", "check", "run", "schema", "summarise"), "core.api"),
    **dict.fromkeys(("CaptureError", "InternalError", "LasthopError", "LawError"), "errors"),
    **dict.fromkeys(("ScenarioError", "UsageError"), "errors"),
    **dict.fromkeys(("Interrupted", "run_jobs"), "core.jobs"),
    "Job": "core.job",
    "Law": "core.python_law",
    **dict.fromkeys(("Advice", "advise"), "study.advice"),
    **dict.fromkeys(("Rerun", "rerun"), "pages.recipes.rerunning"),
    "Results": "study.swept",
    "Summary": "numbers.stats",
    "Study": "study.spec",
    "StudyError": "errors",
    "sweep": "study.sweeping",
}

# What users import as modules, wherever they live: `from lasthop.claims import Table`.
_FACES = ("claims", "exports", "law", "measured", "stats", "table")

__all__ = [
    "Advice",
    "CaptureError",
    "Flow",
    "InternalError",
    "Interrupted",
    "Job",
    "LasthopError",
    "Law",
    "LawError",
    "Rerun",
    "Results",
    "Run",
    "Scenario",
    "ScenarioError",
    "Study",
    "StudyError",
    "Summary",
    "UsageError",
    "__engine__",
    "__version__",
    "advise",
    "catalogue",
    "check",
    "rerun",
    "run",
    "run_jobs",
    "schema",
    "summarise",
    "sweep",
]


def _nearest(name: str, known: Sequence[str]) -> str | None:
    from lasthop.core.engine import nearest

    return nearest(name, known)


def _run_page(*args: Any) -> Path:
    from lasthop.pages.picture.run_page import write

    return write(*args)


def _run_plot(*args: Any) -> Axes:
    from lasthop.pages.picture.column_figure import plot

    return plot(*args)


def _study_answer(results: Results) -> str:
    from lasthop.study.answering import answer
    from lasthop.study.manifest import restored

    # The laws that the store keeps are not loaded: who looks at results runs nothing of their author's.
    return answer(results, restored(results.manifest)).sentence


def _study_page(*args: Any) -> Path:
    from lasthop.pages.studies.reporting import write

    return write(*args)


def _study_plot(*args: Any) -> Path:
    from lasthop.pages.studies.study_figure import plot

    return plot(*args)


above.nearest = _nearest
above.run_page, above.run_plot = _run_page, _run_plot
above.study_answer = _study_answer
above.study_page, above.study_plot = _study_page, _study_plot


def __getattr__(name: str) -> object:
    if name in _FACES:
        return import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=None)
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
