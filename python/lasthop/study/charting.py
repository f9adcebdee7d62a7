"""The options of a figure of a study. Nothing here draws, so it works without matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lasthop.study.axes import Value


@dataclass(frozen=True, kw_only=True)
class ChartOptions:
    """The options of a figure.

    Attributes:
        x: The key of an axis; None: the one with most numbers.
        y: The metric, or several, which get a panel each; None: the first.
        by: The axis whose values get a line each; None: the next that is left.
        where: Axes held at a value.
        width: ``one`` or ``two`` columns of a paper.
        xlabel, ylabel, title: In place of the words that are found.
        limit: A line across, such as ``50ms``.
        style: ``plain``, or ``paper``: a serif font, as papers set by LaTeX have.
    """

    x: str | None = None
    y: str | Sequence[str] | None = None
    by: str | None = None
    where: Mapping[str, Value] = field(default_factory=dict)
    width: str = "one"
    xlabel: str | None = None
    ylabel: str | None = None
    title: str | None = None
    limit: str | None = None
    style: str = "plain"
