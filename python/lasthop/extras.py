"""Libraries that only some work needs: imported where it is done, and named with the extra that brings them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lasthop.errors import UsageError

EXTRAS = {
    "distributed": "cluster",
    "dask_jobqueue": "cluster",
    "matplotlib": "figures",
    "pandas": "frames",
    "polars": "frames",
    "pyarrow": "frames",
    "scipy": "stats",
    "xarray": "frames",
}
"""The extra of pyproject.toml that brings a library."""


def needed(module: str) -> Any:
    """Import a library that the base installation goes without; raises UsageError with what brings it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (missing := lacking(error)) is None:
            raise
        raise missing from None


def lacking(error: ModuleNotFoundError) -> UsageError | None:
    """Return what there is to say of a library that is not there; None where no extra brings it."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        return None
    return UsageError(
        f"this needs {library}, which is not installed: "
        f"pip install 'lasthop[{EXTRAS[library]}]' brings it"
    )
