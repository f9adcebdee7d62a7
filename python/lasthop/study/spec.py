"""A study: a scenario, its axes, its replications, its metrics and its claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lasthop.core.command_lines import argument
from lasthop.core.job import Handed
from lasthop.core.python_law import LawFactory
from lasthop.core.quantities import full
from lasthop.errors import UsageError
from lasthop.study.axes import Axis, Value
from lasthop.study.claims.claim_format import Claim

#: With --quick: as many replications as tell whether a study runs at all.
QUICK_REPLICATIONS = 3


@dataclass(frozen=True)
class Precision:
    """Replications until every cell's interval of `metric` is narrow enough.

    Attributes:
        metric: Its name.
        relative: Half width of the interval over its mean; None where `absolute` is given.
        absolute: Half width, in the metric's unit.
        level: Confidence level of the interval.
        min_replications: No cell stops before.
        max_replications: No cell goes on beyond.
    """

    metric: str
    relative: float | None = None
    absolute: float | None = None
    level: float = 0.95
    min_replications: int = 10
    max_replications: int = 1000

    def __post_init__(self) -> None:
        """Take the metric by its whole name."""
        object.__setattr__(self, "metric", full(self.metric))


@dataclass(frozen=True)
class Comparison:
    """The settings along `axis` compared by `metric`, all else alike, replication by replication.

    Attributes:
        axis: The key of an axis.
        metric: The name of a metric.
        baseline: The value that the others are compared with; None: each with each.
        margin: A difference that matters, relative to the baseline's mean; None: any.
    """

    axis: str
    metric: str
    baseline: Value | None = None
    margin: float | None = None

    def __post_init__(self) -> None:
        """Take the metric by its whole name."""
        object.__setattr__(self, "metric", full(self.metric))


@dataclass(frozen=True)
class Unstated:
    """Something that a source leaves open, for an audit.

    Attributes:
        name: What it is.
        key: The key of the scenario that decides it.
        values: What it may be; the first is what the study takes.
        why: Why these.
    """

    name: str
    key: str
    values: tuple[Value, ...]
    why: str = ""


#: Kinds of studies: steady ones cut a warm-up, terminating ones cut nothing.
KINDS = ("steady", "terminating")


@dataclass(frozen=True)
class Window:
    """The beginning of the measuring window in a steady-state study, see `lasthop.study.warming`.

    Attributes:
        how: ``auto`` (found in pilot runs) or ``stated``.
        cut_s: The warm-up, s; None where it is not one for all cells.
        pilots: By cell's key without a warm-up: where it settles, s, by which series, and whether it does.
    """

    how: str
    cut_s: float | None = None
    pilots: Mapping[str, Sequence[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Study:
    """A study, read from a file or made in Python.

    Attributes:
        name: Names its directory and its rows.
        scenario: The base scenario, as TOML.
        file: What messages call the scenario.
        axes: Groups of axes: those of a group step together, groups are crossed.
        metrics: Names of what is measured, see `lasthop.core.metrics`.
        replications: Of each cell; the least where there is a precision.
        precision: Goes on until the intervals are narrow enough.
        changes: Changes to the scenario in every cell, each ``key=value``.
        seed: The root of all random numbers; None: the scenario's own.
        compare: What is compared.
        unstated: What an audit varies.
        claims: Statements to be judged.
        budget_s: Hands out no more work after this time.
        description: What it is for.
        question: What it asks, which its page begins with; empty: its description is.
        answer_by: The metric that answers; None: what people notice first, see `lasthop.study.answering`.
        kind: ``steady`` or ``terminating``, see `lasthop.study.warming`.
        window: What is known of the measuring window of a steady-state study; None before it is asked.
        laws: Laws in Python that `tcp.law` may name, see `lasthop.run`.
        law: The one of `laws` that every TCP flow uses where the scenario names none of them.
        files: The files that the scenario names.
        source: The study file's text, and what messages call it; empty where it was made in Python.
    """

    name: str
    scenario: str
    file: str
    axes: tuple[tuple[Axis, ...], ...] = ()
    metrics: tuple[str, ...] = ("goodput_bps",)
    replications: int = 10
    precision: Precision | None = None
    changes: tuple[str, ...] = ()
    seed: int | None = None
    compare: tuple[Comparison, ...] = ()
    unstated: tuple[Unstated, ...] = ()
    claims: tuple[Claim, ...] = ()
    budget_s: float | None = None
    description: str = ""
    question: str = ""
    answer_by: str | None = None
    kind: str = "terminating"
    window: Window | None = None
    laws: Mapping[str, LawFactory] = field(default_factory=dict, repr=False)
    law: str | None = None
    files: tuple[Handed, ...] = field(default=(), repr=False)
    source: tuple[str, str] = field(default=("", ""), repr=False)

    def __post_init__(self) -> None:
        """Take the metrics by their whole names."""
        if self.answer_by is not None:
            object.__setattr__(self, "answer_by", full(self.answer_by))
        object.__setattr__(self, "metrics", tuple(map(full, self.metrics)))

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all axes, in order."""
        return tuple(axis.key for group in self.axes for axis in group)

    def axis(self, key: str) -> Axis:
        """Return the axis of this key; raises KeyError."""
        return {axis.key: axis for group in self.axes for axis in group}[key]

    def changed(self, changes: Sequence[str]) -> Study:
        """Return it with more changes in every cell; raises UsageError for a key that is an axis."""
        for change in changes:
            if (key := change.partition("=")[0].strip()) in self.keys:
                raise UsageError(
                    f"{argument('--set', 'overrides')} {change}: {key} is an axis of {self.name}, "
                    "which sets it in every cell; leave it out, "
                    "or change the axis"
                )
        return replace(self, changes=(*self.changes, *changes))

    @property
    def warmup_is_sought(self) -> bool:
        """Return whether the warm-up must be found: a steady-state study that states none."""
        return self.kind == "steady" and not _sets("warmup", self.changes)

    def seed_beside(self, changes: Sequence[str]) -> int | None:
        """Return the seed of what has these changes; None: the scenario's own, which a change of it also is."""
        return None if _sets("seed", changes) else self.seed

    @property
    def all_metrics(self) -> tuple[str, ...]:
        """Everything that is measured: the metrics, and those that precision, comparisons and claims need."""
        needed: Sequence[Any] = [self.precision] if self.precision else []
        claimed = (full(name) for claim in self.claims for name in claim.metrics())
        others = (each.metric for each in (*needed, *self.compare))
        return tuple(dict.fromkeys([*self.metrics, *others, *claimed]))


def _sets(key: str, changes: Sequence[str]) -> bool:
    return any(change.partition("=")[0].strip() == key for change in changes)
