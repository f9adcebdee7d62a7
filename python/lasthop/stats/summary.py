"""Merging the results of several replications into one document of the same shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from lasthop.stats.means import estimate


def summarise(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the results of several replications of one run into one document of the same shape.

    Every number becomes {mean, ci95, n} in its own unit; strings and booleans stay. Entries of
    lists are matched by name, handoffs by station, both ends and how often it went that way
    before, all else by place. A loss reason that a replication does not list
    counts as 0 there; a value that is null (a delay where nothing arrived) is left out, and n
    says so. `seed` stays as it is; `replication` becomes the number of `replications`.
    """
    if not runs:
        raise ValueError("nothing to summarise: no replication was finished")
    labels = {"seed": runs[0].get("seed"), "replications": len(runs)}
    rest = [{k: v for k, v in run.items() if k not in ("seed", "replication")} for run in runs]
    return {k: v for k, v in labels.items() if v is not None} | _merge_maps(rest, absent=None)


COUNTS_BY_REASON = frozenset({"packets_lost", "drops", "window_cuts"})
"""Maps from a reason to a count, in which an absent reason means none."""


APART = frozenset({"choices"})
"""What each replication has on its own: lists whose entries have nothing in common but their place."""


def _merge(values: Sequence[Any], absent: float | None = None) -> Any:
    present = [value for value in values if value is not None]
    if not present:
        return None
    first = present[0]
    if isinstance(first, Mapping):
        return _merge_maps(present, absent)
    if isinstance(first, (list, tuple)):
        return _merge_lists(present)
    if isinstance(first, (bool, str)):
        return first
    return estimate([float(value) for value in present]).as_dict()


def _merge_maps(maps: Sequence[Mapping[str, Any]], absent: float | None) -> dict[str, Any]:
    keys = dict.fromkeys(key for each in maps for key in each if key not in APART)
    return {
        key: _merge(
            [each.get(key, absent) for each in maps], 0 if key in COUNTS_BY_REASON else None
        )
        for key in keys
    }


def _merge_lists(lists: Sequence[Sequence[Any]]) -> list[Any]:
    key = next((key for key in NAMES if all(_has(x, key) for each in lists for x in each)), ())
    by_key: dict[Any, list[Any]] = {}
    for each in lists:
        before: Counter[Any] = Counter()
        for item in each:
            name = tuple(item[part] for part in key)
            by_key.setdefault((name, before[name]), []).append(item)
            before[name] += 1
    return [_merge(items) for items in by_key.values()]


NAMES = (("name",), ("station", "from", "to"))
"""The keys by which entries of lists are told apart, those that stand first where all entries have them."""


def _has(item: Any, key: Sequence[str]) -> bool:
    return isinstance(item, Mapping) and all(part in item for part in key)
