"""Libraries that only some work needs: imported where it is done, and named with what installs them."""

from __future__ import annotations

import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from lasthop.errors import UsageError

NEEDED_BY = {
    "distributed": "Sweeps on Dask need",
    "dask_jobqueue": "Sweeps on Dask over SLURM need",
    "matplotlib": "Figures need",
    "pandas": "Tables for pandas need",
    "polars": "Tables for polars need",
    "pyarrow": "Tables for pyarrow and Feather files need",
    "scipy": "Some statistics need",
    "xarray": "Arrays of xarray need",
}
"""Features that need a library; pyproject.toml has each in an extra. pip uses the same names, with - for
_."""


def needed(module: str) -> Any:
    """Import a library that the base installation goes without; raises UsageError with what installs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (missing := lacking(error)) is None:
            raise
        raise missing from None


def version(library: str) -> str:
    """Return the version of a library; empty where it is not installed."""
    try:
        return str(import_module(library).__version__)
    except ModuleNotFoundError:
        return ""


def lacking(error: ModuleNotFoundError) -> UsageError | None:
    """Return the message for a missing library; None where the package never needs it."""
    library = (error.name or "").partition(".")[0]
    if library not in NEEDED_BY:
        return None
    # Not by an extra of ours: that works only where pip knows lasthop, which it does not from a checkout.
    package = library.replace("_", "-")
    return UsageError(f"{NEEDED_BY[library]} {package}. Run: {_pip()} install {package}")


def _pip() -> str:
    """Return the pip of the interpreter that runs, as short as a shell finds it."""
    found = shutil.which("pip")
    here = Path(sys.executable).parent
    return "pip" if found and Path(found).parent == here else f"{sys.executable} -m pip"
