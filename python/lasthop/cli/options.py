"""Types of options that several commands have."""

from __future__ import annotations

import re
from typing import Annotated, Any

from cyclopts import Parameter

from lasthop.errors import UsageError


def _whole(_type: Any, tokens: Any) -> int:
    """Read a whole number; without this 1.5 is taken for 2."""
    name, text = tokens[0].keyword, tokens[0].value
    if not re.fullmatch("[+-]?[0-9]{1,40}", text):
        raise UsageError(f"{name} must be a whole number, not {text[:60]!r}")
    return int(text)


Whole = Annotated[int, Parameter(converter=_whole)]
MaybeWhole = Annotated[int | None, Parameter(converter=_whole)]

Json = Annotated[bool, Parameter(name="--json", negative="")]
"""Print one JSON document on standard output and nothing else there."""
Laws = Annotated[list[str] | None, Parameter(name="--law", negative="")]
"""A law in Python, my_law.py:MyLaw; may be given several times."""
Set = Annotated[list[str] | None, Parameter(name="--set", negative="")]
"""A change to the scenario, key=value; may be given several times."""

Probe = Annotated[list[str] | None, Parameter(name="--probe", negative="")]
"""A time series to keep; may be given several times."""


Sbatch = Annotated[list[str] | None, Parameter(name="--sbatch", negative="")]
"""An option for sbatch; may be given several times."""
Where = Annotated[list[str] | None, Parameter(name="--where", negative="")]
"""A condition on rows; may be given several times."""
Columns = Annotated[list[str] | None, Parameter(name="--columns", negative="")]
"""Names of columns; may be given several times."""


Only = Annotated[list[str] | None, Parameter(name="--pcap-only", negative="")]
"""A pattern of interface names; may be given several times."""

Many = Annotated[list[str] | None, Parameter(negative="")]
"""May be given several times."""
