"""From a name to the objects and the measure that it means."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from lasthop.core.metrics.across import ACROSS, INDICES, first, metric_of, pooled
from lasthop.core.metrics.leaves import Leaf, Metric
from lasthop.core.metrics.measures import Measure, MissingError, Object, known_keys, measure_of
from lasthop.core.metrics.ranks import SHARES, rank_of, share
from lasthop.core.quantities import KINDS, bare, full, of_kind
from lasthop.errors import UsageError, offered


class Finder:
    """The objects of one run's document, to be found by name."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.objects = [
            Object(kind, row["name"], row, ((rows, place),))
            for kind, rows in KINDS.items()
            if kind != "handoff"
            for place, row in enumerate(document.get(rows, ()))
        ]
        cells: dict[str, list[int]] = {}
        for place, row in enumerate(document.get("stations", ())):
            cells.setdefault(row["cell"], []).append(place)
        self.objects += [
            Object(
                "cell",
                cell,
                document["stations"][places[0]],
                tuple(("stations", p) for p in places),
            )
            for cell, places in cells.items()
        ]

    def find(self, name: str) -> list[Metric]:
        """Return the metrics that a name means, under their whole names, several only for ``.each``.

        Raises UsageError.
        """
        if not isinstance(name, str) or not all(name.split(".")):
            said = f"{name!r} is not a metric; examples are goodput or voice.delay_s.p95"
            raise UsageError(said, code="unknown-name")
        asked, name = name, full(name)
        parts = name.split(".")
        problem: MissingError | None = None
        for attempt in (self._of_run, self._of_all_flows, self._of_objects):
            try:
                return attempt(name, parts)
            except MissingError as missing:
                if problem is None or missing.depth >= problem.depth:
                    problem = missing
        raise UsageError(f"metric {asked!r}: {problem}", code="unknown-name") from None

    def _of_run(self, name: str, parts: list[str]) -> list[Metric]:
        """Find numbers of the run as a whole: ``jain``, ``packets.made``, ``handoffs.gap.max``."""
        if parts[0] == "handoffs" and "handoffs" in self.document:
            return [_of_handoffs(name, parts[1:], has_agents="mobile_ip" in self.document)]
        keys = {k: v for k, v in self.document.items() if not isinstance(v, (list, str))}
        measure = measure_of(Object("run", "", keys, ((),)), parts)
        return [Metric(name, measure.unit, measure.above, first)]

    def _of_all_flows(self, name: str, parts: list[str]) -> list[Metric]:
        return self._together(name, [o for o in self.objects if o.kind == "flow"], parts)

    def _of_objects(self, name: str, parts: list[str]) -> list[Metric]:
        """Find ``[kind.]object.measure``; an object's name may have dots in it."""
        kinds, rest = (*KINDS, "cell"), parts
        if parts[0] in kinds and len(parts) > 2:
            kinds, rest = (parts[0],), parts[1:]
        problem = MissingError(partial(self._no_object, rest[0], kinds))
        for kind in kinds:
            for cut in range(1, len(rest)):
                pattern = ".".join(rest[:cut])
                chosen = [o for o in self.objects if o.kind == kind and _matches(o.name, pattern)]
                if not chosen:
                    continue
                try:
                    return self._together(name, chosen, rest[cut:])
                except MissingError as missing:
                    if missing.depth + 1 > problem.depth:
                        problem = _of(kind, pattern, missing)
        raise problem

    def _no_object(self, pattern: str, kinds: tuple[str, ...]) -> str:
        names = list(dict.fromkeys(o.name for o in self.objects if o.kind in kinds))
        flows = [o for o in self.objects if o.kind == "flow"]
        own = known_keys(flows[0]) if flows else []
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        if len(kinds) == 1:
            return f"no {kinds[0]} {pattern!r}{offered(pattern, names, shown)}"
        known = offered(pattern, [*own, *names, "jain"], ", ".join(own), "measures")
        return f"no measure or object {pattern!r}{known}; objects: {shown}"

    def _together(self, name: str, objects: list[Object], parts: list[str]) -> list[Metric]:
        """Make one metric of a measure of several objects."""
        if not objects:
            raise MissingError("there is no flow")
        how = ""
        try:
            objects, measures = _those_with(objects, parts)
        except MissingError:
            how = parts[-1]
            if len(parts) < 2 or not (how in (*ACROSS, SHARES, "each") or rank_of(how)):
                raise
            objects, measures = _those_with(objects, parts[:-1])
        if how == "each":
            kind = f"{objects[0].kind}." if name.startswith(f"{objects[0].kind}.") else ""
            middle = ".".join(parts[:-1])
            return [
                metric_of(f"{kind}{each.name}.{middle}", [measure], first)
                for each, measure in zip(objects, measures, strict=True)
            ]
        if how == SHARES:
            stem = name.removesuffix(SHARES)
            return [
                metric_of(f"{stem}share{rank}", measures, share(rank), "1")
                for rank in range(1, len(measures) + 1)
            ]
        if rank := rank_of(how):
            return [metric_of(name, measures, share(rank), "1")]
        if how:
            return [metric_of(name, measures, ACROSS[how], "1" if how in INDICES else None)]
        if len(measures) == 1:
            return [metric_of(name, measures, first)]
        return [pooled(name, objects, measures)]


def _those_with(objects: list[Object], parts: list[str]) -> tuple[list[Object], list[Measure]]:
    """Find a measure of the objects that have it; raises MissingError where none has."""
    found: list[tuple[Object, Measure]] = []
    problem = MissingError("there is none")
    for each in objects:
        try:
            found.append((each, measure_of(each, parts)))
        except MissingError as missing:
            problem = missing
    if not found:
        raise problem
    return [each for each, _ in found], [measure for _, measure in found]


def _of_handoffs(name: str, parts: list[str], *, has_agents: bool) -> Metric:
    """Make a metric of the changes of access point or agent; the first association is none of them."""
    if parts == ["count"]:
        return Metric(name, "", (Leaf(("handoffs", "*from", "at_s"), "count"),), first)
    known = {
        each: quantity
        for each, quantity in of_kind("handoff").items()
        # What is optional there is with Mobile IP.
        if has_agents or not quantity.optional
    }
    if len(parts) != 2 or parts[0] not in known or parts[1] not in REDUCE:
        there = ", ".join(map(bare, known))
        raise MissingError(
            f"of handoffs there are: count; {there}; with mean, sum, min, max, count", 1
        )
    unit = "" if parts[1] == "count" else known[parts[0]].unit
    return Metric(name, unit, (Leaf(("handoffs", "*from", parts[0]), parts[1]),), first)


#: Reductions over all handoffs.
REDUCE = ("mean", "sum", "min", "max", "count")


def _of(kind: str, pattern: str, missing: MissingError) -> MissingError:
    """Name the objects that have no such measure."""
    return MissingError(lambda: f"{kind} {pattern!r}: {missing}", missing.depth + 1)


def _matches(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)
