"""What each verdict rests on: in one sentence, with which values of the unstated settings a claim holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

HOLDS, AGAINST = "holds", ("contradicted", "mixed")


@dataclass(frozen=True)
class Tried:
    """An alternative to what was taken, and the verdict with it."""

    item: str
    name: str
    verdict: str

    def __str__(self) -> str:
        """Return it as a sentence names it."""
        return f"“{self.name}” ({self.item})"


def rests_on(document: Mapping[str, Any]) -> dict[str, str]:
    """Return by claim what its verdict rests on, of the claims that the audit has reached.

    The audit's runs are fewer and shorter than the study's, so its own baseline may leave open what
    the study decides; only decided verdicts are said to differ.
    """
    taken = {each["item"]: each["taken"] for each in document["unstated"]}
    study = {claim["id"]: claim["verdict"] for claim in document["claims"]}
    return {
        claim: sentence(study[claim], base, tried, taken)
        for claim, base, tried in _audits(document)
        if claim in study
    }


def sentence(
    verdict: str, base: str, tried: Sequence[Tried], taken: Mapping[str, str] | None = None
) -> str:
    """Say what the verdict of a claim rests on.

    Args:
        verdict: Of the study.
        base: Of the audit's own runs with what was taken.
        tried: The alternatives.
        taken: What was taken of each item.
    """
    if HOLDS in (verdict, base):
        return _of_one_that_holds(tried, taken or {})
    holding = [each for each in tried if each.verdict == HOLDS]
    if holding:
        named = " or ".join(map(str, holding))
        return f"holds only if {named}; with what was taken: {verdict}"
    other = [each for each in tried if each.verdict in AGAINST and each.verdict != verdict]
    but = "".join(f"; {each.verdict} with {each}" for each in other)
    none = f"holds with none of the {len(tried)} alternatives that were tried one at a time"
    return f"{none}{but}{_unsure([each for each in tried if each.verdict not in AGAINST])}"


def _of_one_that_holds(tried: Sequence[Tried], taken: Mapping[str, str]) -> str:
    against = [each for each in tried if each.verdict in AGAINST]
    if against:
        conditions = "; and if ".join(
            f"“{taken.get(each.item, 'as taken')}” ({each.item}): with “{each.name}” it is {each.verdict}"
            for each in against
        )
        return f"holds only if {conditions}"
    unsure = _unsure([each for each in tried if each.verdict != HOLDS])
    return (
        f"holds as taken, and none of the {len(tried)} alternatives of the audit denies it{unsure}"
    )


def _unsure(those: Sequence[Tried]) -> str:
    return f"; with {len(those)} of them the audit's shorter runs cannot tell" if those else ""


def _audits(document: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Tried]]]:
    """Yield (claim, the baseline's verdict, the alternatives) of every claim with at least one."""
    bulk = document["alternatives"]
    if len(bulk) > 1:
        for claim, base in bulk[0]["verdicts"].items():
            yield claim, base, _tried(claim, bulk[1:])
    for part in document["traffic"].values():
        found = part["audit"]
        if found and found["variations"]:
            for claim, base in found["claims"].items():
                yield claim, base, _tried(claim, found["variations"])


def _tried(claim: str, rows: Sequence[Mapping[str, Any]]) -> list[Tried]:
    return [Tried(row["item"], row["name"], row["verdicts"][claim]) for row in rows]
