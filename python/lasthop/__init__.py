"""lasthop: transport protocols over the wireless last hop, simulated and judged with statistics.

>>> import lasthop
>>> r = lasthop.run("scenarios/two_stations.toml", seed=1, replications=10)
>>> r.flows          # a tidy table, units in the column names
>>> r.summary        # every number with its 95 % interval
"""

from importlib import import_module

TYPE_CHECKING = False  # as type checkers know it: `typing` takes longer to import than all of this
if TYPE_CHECKING:
    from lasthop._core import __engine__, __version__
    from lasthop.advice import Advice, advise
    from lasthop.api import catalogue, check, run, schema, summarise
    from lasthop.errors import (
        CaptureError,
        InternalError,
        LasthopError,
        LawError,
        ScenarioError,
        StudyError,
        UsageError,
    )
    from lasthop.flows import Flow
    from lasthop.jobs import Interrupted, Job, run_jobs
    from lasthop.law import Law
    from lasthop.recipes.rerunning import Rerun, rerun
    from lasthop.runs import Run
    from lasthop.scenario import Scenario
    from lasthop.stats import Summary
    from lasthop.study.results import Results
    from lasthop.study.spec import Study
    from lasthop.study.sweeping import sweep

# Names are looked up when first asked for: the command line must be able to catch Ctrl-C before
# tables are imported.
_HOMES = {
    "__engine__": "_core",
    "__version__": "_core",
    "Flow": "flows",
    "Run": "runs",
    "Scenario": "scenario",
    **dict.fromkeys(("catalogue", "check", "run", "schema", "summarise"), "api"),
    **dict.fromkeys(("CaptureError", "InternalError", "LasthopError", "LawError"), "errors"),
    **dict.fromkeys(("ScenarioError", "UsageError"), "errors"),
    **dict.fromkeys(("Interrupted", "Job", "run_jobs"), "jobs"),
    "Law": "law",
    **dict.fromkeys(("Advice", "advise"), "advice"),
    **dict.fromkeys(("Rerun", "rerun"), "recipes.rerunning"),
    "Results": "study.results",
    "Summary": "stats",
    "Study": "study.spec",
    "StudyError": "errors",
    "sweep": "study.sweeping",
}

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


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=None)
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
