"""Charts as plain SVG inside a page: the box is the plot area, x is in per cent, names hang into the margins.

So one SVG fits a phone and a wide screen and its text never scales. It has classes in place of colours:
the page's variables colour it in light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

MINUS = "\N{MINUS SIGN}"

WIDE = 1000
"""Width of the box in which paths are drawn, which is stretched over the plot: about a pixel of a wide screen."""

SHAPES = {
    "up": "M0-1.25 1.1.75H-1.1Z",
    "down": "M0 1.25 1.1-.75H-1.1Z",
    "square": "M-.85-.85H.85V.85H-.85Z",
    "cross": "M-.9-.9.9.9M-.9.9.9-.9",
}
"""Marks around their place, of a dot's radius of 1."""


@dataclass(frozen=True)
class Scale:
    """Maps values from `low` to `high` to per cent of the width, by logarithm or evenly."""

    low: float
    high: float
    log: bool = False

    def at(self, value: float) -> float:
        """Return where a value is, %, no farther than the ends."""
        if self.log and value <= 0:
            return 0.0
        low, high, here = (math.log(x) if self.log else x for x in (self.low, self.high, value))
        return min(max(100 * (here - low) / (high - low), 0.0), 100.0)

    def shows(self, value: float) -> bool:
        """Return whether a value is between the ends."""
        return self.low <= value <= self.high


def even(values: Sequence[float], *, zero: bool = False) -> Scale:
    """Return an even scale over values, with a little room; from zero where `zero` and nothing is below it."""
    low, high = min(values), max(values)
    room = 0.06 * (high - low or abs(high) or 1.0)
    from_zero = zero or (low >= 0 and low < 0.4 * high)
    return Scale(min(0.0, low - room) if low < 0 else 0.0 if from_zero else low - room, high + room)


def steps(scale: Scale, most: int = 4) -> list[float]:
    """Return round places for ticks, at most `most` gaps; on a logarithmic scale with 1, 2, 5, or 1, 3, or 1."""
    if scale.log:
        for mantissas in ((1, 2, 5), (1, 3), (1,)):
            found = _decades(scale, mantissas)
            if 2 < len(found) <= most + 1:
                return found
        if len(found) > most + 1:
            return found[:: -(-len(found) // (most + 1))]
    rough = (scale.high - scale.low) / most
    size = 10 ** math.floor(math.log10(rough))
    step = next(size * each for each in (1, 2, 5, 10) if size * each >= rough)
    first = math.ceil(scale.low / step - 1e-9)
    return [step * n for n in range(first, math.floor(scale.high / step + 1e-9) + 1)]


def _decades(scale: Scale, mantissas: Sequence[int]) -> list[float]:
    first, last = (math.floor(math.log10(end)) for end in (scale.low, scale.high))
    every = (float(f"{m}e{power}") for power in range(first, last + 1) for m in mantissas)
    return [value for value in every if scale.shows(value)]


def tick_said(value: float) -> str:
    """Write the number of a tick: all its digits, and the minus sign of print."""
    said = f"{0.0 if abs(value) < 1e-12 else value:,.5g}"
    if "e" in said:
        said = f"{value:,.0f}" if abs(value) > 1 else f"{value:.15f}".rstrip("0").rstrip(".")
    return said.replace("-", MINUS)


def line(kind: str, scale: Scale, low: float, high: float, y: float) -> str:
    """Draw a horizontal line between two values."""
    ends = f'x1="{scale.at(low):.4g}%" x2="{scale.at(high):.4g}%"'
    return f'<line class="{kind}" {ends} y1="{y:g}" y2="{y:g}"/>'


def upright(kind: str, scale: Scale, value: float, height: float) -> str:
    """Draw a line from top to bottom at a value."""
    x = f"{scale.at(value):.4g}%"
    return f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="{height:g}"/>'


def dot(kind: str, scale: Scale, value: float, y: float, radius: float) -> str:
    """Draw a dot at a value."""
    return f'<circle class="{kind}" cx="{scale.at(value):.4g}%" cy="{y:g}" r="{radius:g}"/>'


def mark(shape: str, x: str, y: float, radius: float) -> str:
    """Draw a mark of `SHAPES`, or a dot, at `x`, a length or per cent."""
    if shape not in SHAPES:
        return f'<circle cx="{x}" cy="{y:g}" r="{radius:g}"/>'
    drawn = f'<path class="m {shape}" d="{SHAPES[shape]}" transform="scale({radius:g})"/>'
    return f'<svg x="{x}" y="{y:g}">{drawn}</svg>'


def stretched(paths: Sequence[str], top: float, height: float) -> str:
    """Draw paths in a box of `WIDE` by `height`, which fits the plot at any width; lines keep theirs."""
    box = f'viewBox="0 0 {WIDE} {height:g}" preserveAspectRatio="none"'
    return f'<svg {box} y="{top:g}" width="100%" height="{height:g}">{"".join(paths)}</svg>'


def path(kind: str, steps: str) -> str:
    """Draw a path in a stretched box."""
    named = f' class="{kind}"' if kind else ""
    return f'<path{named} d="{steps}"/>'


def bar(kind: str, scale: Scale, low: float, high: float, y: float, height: float) -> str:
    """Draw a bar between two values, `height` px high, its middle at `y`."""
    at, end = scale.at(low), scale.at(high)
    place = f'x="{at:.5g}%" width="{end - at:.5g}%" y="{y - height / 2:g}" height="{height:g}"'
    return f'<rect class="{kind}" {place}/>'


def key(kind: str, drawn: str) -> Markup:
    """Return a mark as a chart's key shows it; `drawn` stands around (8, 6)."""
    return Markup(
        f'<svg class="p" width="16" height="12" aria-hidden="true"><g class="{kind}">{drawn}</g></svg>'
    )


def text(said: str, x: float, y: float, kind: str = "", anchor: str = "middle", dx: int = 0) -> str:
    """Write a text at `x` per cent."""
    more = (f' class="{kind}"' if kind else "") + (f' dx="{dx}"' if dx else "")
    side = (
        "" if anchor == "middle" else f' text-anchor="{anchor}"'
    )  # in the middle by the page's style
    return f'<text x="{x:.4g}%" y="{y:g}"{side}{more}>{escape(said)}</text>'


def svg(parts: Sequence[str], height: float, said: str) -> Markup:
    """Put marks together; `said` is what a screen reader says."""
    label = f'role="img" aria-label="{escape(said)}"' if said else 'aria-hidden="true"'
    return Markup(f'<svg class="p" height="{height:g}" {label}>{"".join(parts)}</svg>')
