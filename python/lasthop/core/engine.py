"""The compiled module's own name, and small questions that rooms above ask it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from lasthop import _core
from lasthop.errors import Steps

Batch: TypeAlias = _core.Batch | _core.LawBatch
"""Runs at work."""

Files: TypeAlias = _core.Files
"""Files that scenarios name, handed to the compiled module once for all that share them."""

Laws: TypeAlias = tuple[list[tuple[str, Callable[..., object]]], int | None]
"""Laws in Python by name, and the place of the one that is used everywhere."""

Place = tuple[int, int]
"""A line and a column, from 1."""


def version() -> str:
    """Return the version of lasthop."""
    return _core.__version__


def engine() -> str:
    """Return the version and a hash of the sources that decide results: another name may give other results."""
    return _core.__engine__


def nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that is nearest to a mistyped one; None where none is near enough to be meant."""
    return _core.nearest(name, list(known))


def toml_places(text: str, file: str) -> list[tuple[Steps, Place, Place]]:
    """Return the path, the place of the key and the place of the value of every value of a TOML document.

    A value in another comes before it. Raises ScenarioError where the text is no TOML.
    """
    return _core.toml_places(text, file)


def check_probes(names: Sequence[str], step: str | None) -> float | None:
    """Return a step of probes, such as ``10ms``, in seconds; raises UsageError for it or for unknown names."""
    return _core.check_probes(list(names), step)


def check_law(
    factory: Callable[..., object], timeout_leaves: float
) -> list[tuple[str, str, str | None]]:
    """Put a law to every check of conformance: (id, requirement, failure or None)."""
    return _core.check_law(factory, timeout_leaves)


def outline(
    text: str, file: str, changes: Sequence[str], files: Files | None, *laws: Laws
) -> tuple[str, int, str, float, bool]:
    """Return identity, own seed, result before anything has happened (JSON), warm-up (s), and whether it may draw.

    `laws` are one or none. Raises ScenarioError.
    """
    return _core.outline(text, file, list(changes), files, *laws)
