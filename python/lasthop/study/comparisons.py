"""What a study file compares, ``[[compare]]``, and what such lists of tables have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lasthop.core.mistakes import apart, kept
from lasthop.errors import Steps, offered
from lasthop.study import axes
from lasthop.study.places import Document
from lasthop.study.spec import Comparison


def one_metric(document: Document, path: Steps, name: str | None) -> None:
    """Raise StudyError where a name makes several metrics and one is judged."""
    if name is not None and name.rpartition(".")[2] in ("each", "shares"):
        document.fail(path, f'"{name}" makes several metrics; allowed: one', "out-of-range")


def tables(document: Document, name: str) -> Iterator[tuple[Steps, Mapping[str, Any]]]:
    """Yield the tables of a list, each with its place."""
    nothing: list[Any] = []
    rows = kept(lambda: document.get((name,), document.root, list, []), nothing)
    for place, row in enumerate(rows):
        if isinstance(row, Mapping):
            yield (name, place), row
            continue
        with apart():
            document.fail((name, place), f"a table [[{name}]] is expected", "wrong-kind")


def comparisons(
    document: Document, groups: Sequence[Sequence[axes.Axis]] | None
) -> tuple[Comparison, ...]:
    """Return what is compared; where the axes cannot be read, each axis is taken for one of them."""
    found = []
    known = {axis.key: axis for group in groups or () for axis in group}
    for path, row in tables(document, "compare"):
        with apart():
            found.append(_comparison(document, path, row, known if groups is not None else None))
    return tuple(found)


def _comparison(
    document: Document, path: Steps, row: Mapping[str, Any], known: Mapping[str, axes.Axis] | None
) -> Comparison:
    document.only(path, row, ("axis", "metric", "baseline", "margin"))
    margin = kept(lambda: _margin(document, (*path, "margin"), row), None)
    metric = kept(lambda: document.get((*path, "metric"), row, str), "")
    with apart():
        one_metric(document, (*path, "metric"), metric)
    key = document.get((*path, "axis"), row, str)
    baseline = row.get("baseline")
    if known is not None and key not in known:
        said = f'no axis "{key}"{offered(key, known, word="allowed")}'
        document.fail((*path, "axis"), said, "unknown-name")
    if known is not None and baseline is not None and baseline not in known[key].values:
        near = offered(str(baseline), map(str, known[key].values), word="allowed")
        document.fail((*path, "baseline"), f"no value of {key}{near}", "unknown-name")
    return Comparison(key, metric, baseline, margin)


def _margin(document: Document, path: Steps, row: Mapping[str, Any]) -> float | None:
    margin: float | None = document.get(path, row, float, None)
    if margin is not None and not 0 <= margin < 1:
        said = f"a margin is a part, from 0 to below 1, such as 0.02 for 2 %, not {margin:g}"
        document.fail(path, said, "out-of-range")
    return margin
