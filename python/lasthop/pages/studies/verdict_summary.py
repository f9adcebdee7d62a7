"""The verdicts of an audit in short: Markdown for a review, and badges for a README."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from lasthop.numbers.numerals import counted
from lasthop.numbers.stats.unseen import runs_alike
from lasthop.numbers.table import printed
from lasthop.study import phrases
from lasthop.study.claims.outcomes import DENYING, Verdict
from lasthop.study.claims.verdicts import PairedVerdict

#: A sign before each verdict, so that it is told by more than its words.
SIGNS: dict[str, str] = {
    Verdict.HOLDS: "✓",
    Verdict.DENIED: "✕",
    Verdict.PARTLY: "◐",
    Verdict.PARTLY_AT_MOST: "◔",
    PairedVerdict.BETTER: "▲",
    PairedVerdict.WORSE: "▼",
    PairedVerdict.HIGHER: "↑",
    PairedVerdict.LOWER: "↓",
    PairedVerdict.NO_DIFFERENCE: "=",
    PairedVerdict.IDENTICAL: "=",
}

#: Rows of one comparison that are shown. A comment of GitHub may have 65,536 characters; audit.json has all rows.
SHOWN = 40

#: Colours of badges, with white text on them: contrast 6.1, 6.5 and 4.9.
GOOD, BAD, OPEN, LABEL = "#00705a", "#b3261e", "#69717b", "#3a424b"


@dataclass(frozen=True)
class Badge:
    """How many of a study's claims hold, or, where it has none, how many of its comparisons are decided."""

    label: str
    message: str
    colour: str

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Badge:
        """Return the badge of an audit's document."""
        claims = [each["verdict"] for each in document["claims"]]
        if not claims:
            pairs = [
                each["verdict"]
                for found in document["compared"].values()
                for each in found.values()
            ]
            decided = sum(verdict != PairedVerdict.CANNOT_TELL for verdict in pairs)
            colour = GOOD if decided == len(pairs) else OPEN
            return cls("comparisons decided", f"{decided}/{len(pairs)}", colour)
        held = claims.count(Verdict.HOLDS)
        broken = DENYING & set(claims)
        colour = GOOD if held == len(claims) else BAD if broken else OPEN
        return cls("claims hold", f"{held}/{len(claims)}", colour)

    def endpoint(self) -> str:
        """Return the JSON from which https://shields.io/badges/endpoint-badge draws it."""
        told = {"schemaVersion": 1, "label": self.label, "message": self.message}
        return json.dumps(told | {"color": self.colour.removeprefix("#")}) + "\n"

    def svg(self) -> str:
        """Return it as a picture; the lengths of texts are set, so that any font fits."""
        lengths = [5.9 * len(text) for text in (self.label, self.message)]
        left, right = (length + 12 for length in lengths)
        about = escape(f"{self.label}: {self.message}")
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right:.0f}" height="20" role="img"'
            f' aria-label="{about}"><title>{about}</title>',
            f'<clipPath id="r{left + right:.0f}"><rect width="{left + right:.0f}" height="20" rx="3"/></clipPath>',
            f'<g clip-path="url(#r{left + right:.0f})"><rect width="{left:.0f}" height="20" fill="{LABEL}"/>',
            f'<rect x="{left:.0f}" width="{right:.0f}" height="20" fill="{self.colour}"/></g>',
            '<g fill="#fff" text-anchor="middle" font-family="system-ui,Verdana,sans-serif" font-size="11">',
        ]
        for text, length, middle in zip(
            (self.label, self.message), lengths, (left / 2, left + right / 2), strict=True
        ):
            lines.append(
                f'<text x="{middle:.1f}" y="14" textLength="{length:.1f}">{escape(text)}</text>'
            )
        return "\n".join([*lines, "</g></svg>", ""])


def summary(name: str, document: Mapping[str, Any]) -> str:
    """Return an audit's document as Markdown: the answer, the claims, and the comparisons folded below them."""
    badge = Badge.of(document)
    heading = f"## {printed.plain(name)}: {badge.label} {badge.message}"
    parts = [heading, printed.plain(document["answer"]["sentence"])]
    if not document["complete"]:
        parts.append("The audit was interrupted: not every variation was run.")
    tried = len(document["variations"])
    if document["claims"]:
        rows = [
            [
                _signed(each["verdict"]),
                f"{each['id']}: {each['text']}",
                each["sentence"],
                flipped_by(document["flips"][each["id"]], tried),
            ]
            for each in document["claims"]
        ]
        parts.append(printed.markdown(["verdict", "claim", "what we find", "flipped by"], rows))
    parts += _compared(document["compared"])
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _compared(compared: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield each comparison: how many pairs have which verdict, and the pairs."""
    for title, pairs in compared.items():
        counts = Counter(each["verdict"] for each in pairs.values())
        told = ", ".join(f"{count} {_signed(verdict)}" for verdict, count in counts.most_common())
        rows = [
            [each["said"], _signed(each["verdict"]), percent(each["change"]), interval(each)]
            for each in list(pairs.values())[:SHOWN]
        ]
        more = f"\n\nand {len(pairs) - SHOWN} more in audit.json" if len(pairs) > SHOWN else ""
        table = printed.markdown(["", "verdict", "change", "95 % interval"], rows)
        yield (
            f"<details><summary>{escape(phrases.of_comparison(title))}: {escape(told)}</summary>\n\n"
            f"{table}{more}\n\n</details>"
        )


def flipped_by(names: Sequence[str], tried: int) -> str:
    """Say which variations flip a claim, or of how many none does."""
    none = f"none of {counted(tried, 'variation')}" if tried else "no variation tried"
    return "; ".join(names) or none


def _signed(verdict: str) -> str:
    return f"{SIGNS.get(verdict, '?')} {verdict}"


def bounds(low: float | None, high: float | None) -> str:
    """Return the interval of a change; nothing changes by less than -100 %."""
    if low is None and high is None:
        return "not bounded"
    if high is None:
        return f"over {100 * (low or 0):+.1f} %"
    return f"{-100.0 if low is None else 100 * low:+.1f} to {100 * high:+.1f} %"


def interval(found: Mapping[str, Any]) -> str:
    """Return the interval of a compared pair in words."""
    if found["verdict"] == PairedVerdict.IDENTICAL:
        return f"the same {runs_alike(found['replications'])}"
    if found["equal"] and found["low"] is None and found["high"] is None:
        return f"equal {runs_alike(found['replications'])}"
    return bounds(found["low"], found["high"])


def percent(change: float | None) -> str:
    """Return a change in per cent with its sign."""
    return "-" if change is None else f"{100 * change:+.1f} %"
