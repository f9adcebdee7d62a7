"""Messages that keep to the width of a terminal."""

from __future__ import annotations

import re
import textwrap

#: A line of a file in a message, and the line of carets below it: a number or blanks, a bar, the text.
EXCERPT = re.compile(r"( *[0-9]* *\| )(.*)")
CARETS = re.compile(r"( +\| )(\s*)(\^+)")


def folded(message: str, width: int) -> str:
    """Return a message in lines of at most `width` columns; an excerpt keeps the part around its carets."""
    lines, shown, place = message.splitlines(), list[str](), 0
    while place < len(lines):
        line, below = lines[place], lines[place + 1] if place + 1 < len(lines) else ""
        excerpt, carets = EXCERPT.fullmatch(line), CARETS.fullmatch(below)
        if excerpt and carets and len(line) > width:
            shown += _around(excerpt, carets, width)
            place += 2
            continue
        if excerpt and len(line) > width:
            shown.append(f"{line[: width - 1]}…")
        else:
            shown += textwrap.wrap(line, width, break_on_hyphens=False) or [""]
        place += 1
    return "\n".join(shown)


def _around(excerpt: re.Match[str], carets: re.Match[str], width: int) -> list[str]:
    """Return an excerpt and its carets, cut to the width around where they begin."""
    room = max(width - len(excerpt[1]), 4)
    text, at = excerpt[2], len(carets[2])
    start = max(0, min(at - room // 2, len(text) - room))
    part = text[start : start + room]
    if start:
        part = f"…{part[1:]}"
    if start + room < len(text):
        part = f"{part[:-1]}…"
    many = max(1, min(len(carets[3]), room - (at - start)))
    return [excerpt[1] + part, f"{carets[1]}{' ' * (at - start)}{'^' * many}"]
