"""Types of options that several commands have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from lasthop.cli import completing
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


def _several(name: str | None = None, completer: completing.Completer | None = None) -> Parameter:
    """Make the parameter of an option that may be given several times; none of it is an empty tuple."""
    return Parameter(name=name, negative="", show_default=False, completer=completer)


TomlFile = Annotated[str, Parameter(completer=completing.scenarios)]
"""A scenario or a study."""

Laws = Annotated[Sequence[str], _several("--law")]
"""A law in Python, my_law.py:MyLaw; may be given several times."""
Set = Annotated[Sequence[str], _several("--set", completing.changes)]
"""A change to the scenario, key=value; may be given several times."""
Probes = Annotated[Sequence[str], _several("--probe", completing.named("probes"))]
"""The name of a probe; may be given several times."""
Many = Annotated[Sequence[str], _several()]
"""May be given several times."""
