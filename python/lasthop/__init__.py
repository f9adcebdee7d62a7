"""lasthop: transport protocols over the wireless last hop, simulated and judged with statistics.

>>> import lasthop
>>> r = lasthop.run("scenarios/two_stations.toml", seed=1, replications=10)
>>> r.flows          # a tidy pyarrow table, units in the column names
>>> r.summary        # every number with its 95 % interval
"""

from lasthop._core import __version__
from lasthop.api import Run, catalogue, check, run, schema
from lasthop.errors import (
    CaptureError,
    InternalError,
    LasthopError,
    LawError,
    ScenarioError,
    UsageError,
)
from lasthop.jobs import Interrupted, Job, run_jobs
from lasthop.law import Law

__all__ = [
    "CaptureError",
    "InternalError",
    "Interrupted",
    "Job",
    "LasthopError",
    "Law",
    "LawError",
    "Run",
    "ScenarioError",
    "UsageError",
    "__version__",
    "catalogue",
    "check",
    "run",
    "run_jobs",
    "schema",
]
