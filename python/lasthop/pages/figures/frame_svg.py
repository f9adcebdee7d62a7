"""802.16 frames inside a page: symbols across, a bar a frame, bursts in their stations' colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lasthop.pages.figures import takeaway
from lasthop.pages.figures.frame_map import WORDS, Map, Part, up_from, used
from lasthop.pages.figures.inline_svg import Scale, bar, key, steps, svg, text, tick_said
from lasthop.pages.figures.marks import TONES

ROW, BAR = 34, 24
"""Height of a frame's row, and of its bar, px."""

LETTER = 7.4
"""Width of a letter of a name in a burst, px."""

NARROW = 250
"""Width of the chart on a phone, px: a name in a burst has room there."""


PATTERNS = (
    '<defs><pattern id="dotted" width="5" height="5" patternUnits="userSpaceOnUse">'
    '<circle cx="2.5" cy="2.5" r="1.1"/></pattern>'
    '<pattern id="hatched" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="1.6" height="5"/></pattern></defs>'
)
"""What fills opportunities: colours are for stations."""


def figure(maps: Sequence[Map], stations: Sequence[str], caption: str, name: str) -> dict[str, Any]:
    """Return frames, one above the other, for the macro `figure`; `stations` have the same colours in all."""
    across = Scale(0.0, max(part.first + part.symbols for each in maps for part in each.parts))
    height = ROW * len(maps)
    drawn = []
    for tick in steps(across, 6):
        x = f"{across.at(tick):.4g}%"
        drawn.append(f'<line class="g" x1="{x}" x2="{x}" y1="0" y2="{height + 4}"/>')
        drawn.append(text(tick_said(tick), across.at(tick), height + 18))
    for place, each in enumerate(maps):
        y = ROW * place + ROW / 2
        drawn.append(text(str(each.frame), 0, y + 4, anchor="end", dx=-6))
        for part in each.parts:
            drawn += _part(part, stations, across, y)
        x = f"{across.at(up_from(each)):.5g}%"
        ends = f'y1="{y - ROW / 2 + 1:g}" y2="{y + ROW / 2 - 1:g}"'
        drawn.append(f'<line class="border" x1="{x}" x2="{x}" {ends}/>')
    return {
        "name": name,
        "caption": caption,
        "y_label": "frame",
        "x_label": "symbol (left of the thick line: downlink, right of it: uplink)",
        "panels": [{"title": "", "svg": svg([PATTERNS, *drawn], height + 24, caption)}],
        "is_named": False,
        "key": [_key(each, stations) for each in used(maps, stations)],
        "numbers": _numbers(maps),
    }


def _tone(part: Part, stations: Sequence[str]) -> str:
    if not part.station:
        return part.use
    place = stations.index(part.station)
    return f"s{place % TONES + 1}" + (" again" if place >= TONES else "")


def _part(part: Part, stations: Sequence[str], across: Scale, y: float) -> list[str]:
    """Draw a part of a frame, and the station's name in it where that has room."""
    end = part.first + part.symbols
    drawn = [bar(f"part {_tone(part, stations)}", across, part.first, end, y, BAR)]
    wide = (across.at(end) - across.at(part.first)) * NARROW / 100
    if part.station and wide > LETTER * len(part.station):
        middle = (across.at(part.first) + across.at(end)) / 2
        drawn.append(text(part.station, middle, y + 4, "inside"))
    return drawn


def _key(said: str, stations: Sequence[str]) -> dict[str, Any]:
    use = next((use for use, words in WORDS.items() if words == said and said not in stations), "")
    part = Part(use or "burst", "" if use else said, True, 0, 0)
    look = f'<rect class="part {_tone(part, stations)}" x="1" y="1" width="14" height="10"/>'
    return {"svg": key("", look), "label": said}


def _numbers(maps: Sequence[Map]) -> dict[str, Any]:
    """Return every part of the frames."""
    ways = {True: "down", False: "up"}
    rows: list[list[takeaway.Cell]] = [
        [
            *(each.frame, each.time_s, ways[part.is_down]),
            *(part.use, part.station, part.first, part.symbols),
        ]
        for each in maps
        for part in each.parts
    ]
    return takeaway.kept(
        ["frame", "time_s", "direction", "use", "station", "first_symbol", "symbols"], rows, 2
    )
