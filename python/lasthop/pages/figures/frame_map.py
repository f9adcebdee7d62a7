"""The data of 802.16 frames, for whatever draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WORDS = {
    "preamble": "preamble and FCH",
    "broadcast": "maps and descriptions",
    "ranging": "ranging",
    "requests": "bandwidth requests",
    "gap": "gap",
    "unused": "unused",
}
"""Names of the parts that are not bursts."""


@dataclass(frozen=True)
class Part:
    """Symbols of a frame that are for one thing: a burst of a station, or a key of `WORDS`."""

    use: str
    station: str
    is_down: bool
    first: int
    symbols: int


@dataclass(frozen=True)
class Map:
    """A frame: its number, when it began, s, and its parts in their order."""

    frame: int
    time_s: float
    parts: Sequence[Part]


def up_from(frame: Map) -> int:
    """Return the symbol at which the uplink of a frame begins."""
    return min(part.first for part in frame.parts if not part.is_down)


def used(maps: Sequence[Map], stations: Sequence[str]) -> list[str]:
    """Return what a key of these frames names: stations in their order, then parts that are not bursts."""
    there = {part.station or WORDS[part.use] for each in maps for part in each.parts}
    return [name for name in (*stations, *WORDS.values()) if name in there]
