"""What a verdict rests on: in one sentence, with which of the alternatives it turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.claims import DECIDED

WORDS = frozenset(map(str, DECIDED))


@dataclass(frozen=True)
class Tried:
    """An alternative to what was taken, and the verdict with it."""

    item: str
    name: str
    verdict: str

    def __str__(self) -> str:
        """Return it as a sentence names it."""
        return f"“{self.name}” ({self.item})"


def rests_on(claims: Sequence[Mapping[str, Any]], audit: Mapping[str, Any]) -> dict[str, str]:
    """Return by claim what its verdict rests on; alternatives that cannot matter to it are not counted."""
    found = {}
    for claim in claims:
        id_ = claim["id"]
        tried = [
            Tried(row["item"], row["name"], row["verdicts"][id_])
            for row in audit["variations"]
            if id_ in row["verdicts"] and id_ not in row["idle"]
        ]
        if tried:
            found[id_] = sentence(claim["verdict"], audit["claims"][id_], tried)
    return found


def sentence(verdict: str, base: str, tried: Sequence[Tried]) -> str:
    """Say what the verdict of a claim rests on.

    Args:
        verdict: Of the study.
        base: Of the audit's own runs with what was taken, which are fewer and shorter.
        tried: The alternatives that can matter to it.
    """
    if {verdict, base} <= WORDS and verdict != base:
        return (
            f"{verdict} by the study and {base} by the audit's fewer and shorter runs: "
            "these cannot say what it rests on"
        )
    own = verdict if verdict in WORDS else base
    other = [each for each in tried if each.verdict in WORDS and each.verdict != own]
    if own not in WORDS:
        but = "".join(f"; {each.verdict} with {each}" for each in other)
        return f"{own} as taken, by the audit's runs too{but}"
    unsure = [each for each in tried if each.verdict not in WORDS]
    more = f"; {len(unsure)} of them leave it undecided" if unsure else ""
    if not other:
        return f"{own} as taken, and none of the {len(tried)} alternatives that can matter turns it{more}"
    turned = "; ".join(f"{each.verdict} with {each}" for each in other)
    return f"{own} as taken, but {turned}"
