"""Claims held against tables: verdicts with their evidence, and what more certainty would cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lasthop import stats
from lasthop.claims.comparing import Comparison, Judged, evidence, judge_points
from lasthop.claims.outcomes import Outcome, Verdict, verdict
from lasthop.claims.reading import Claim, Joined, Predicate
from lasthop.claims.statements import Atom, JudgedStatement, Statement
from lasthop.claims.tables import Table
from lasthop.claims.vocabulary import WORDS
from lasthop.errors import UsageError, nearest

Tables = Mapping[str, Table]
"""A table for each metric, by its name."""


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, its verdict, and what it rests on.

    `level` is that at which everything said here holds together, `level_of_each` that of each
    interval behind it. `needed` is about how many replications decide what is open, in all and not
    more, were means and spreads those seen so far; None where nothing is open or nobody knows.
    """

    claim: Claim
    verdict: Verdict
    statements: tuple[JudgedStatement, ...]
    level: float
    level_of_each: float

    @property
    def needed(self) -> int | None:
        """See above."""
        found = [each.needed for each in self.statements if each.outcome is Outcome.OPEN]
        known = [count for count in found if count is not None]
        return max(known) if known and len(known) == len(found) else None

    def as_dict(self) -> dict[str, Any]:
        """Return claim, verdict and evidence, ready for JSON."""
        return {
            "id": self.claim.id,
            "text": self.claim.text,
            "verdict": str(self.verdict),
            "confidence": self.level,
            "evidence": evidence(self.statements, self.level_of_each),
            "replications_needed": self.needed,
            "note": self.claim.note,
        }


def judge_claim(claim: Claim, tables: Tables, level: float = stats.CONFIDENCE) -> JudgedClaim:
    """Judge a claim by intervals that all hold together at `level` (Bonferroni over its comparisons).

    Under sequential stopping give each look's level: `stats.Spending.level_at`. Raises UsageError
    where the claim names an axis, a value or a metric that the tables do not have.
    """
    statements = _statements(claim.holds, claim, tables)
    each = stats.bonferroni(sum(s.atoms() for s in statements), level)
    judged = tuple(statement.judge(each) for statement in statements)
    return JudgedClaim(claim, verdict([j.outcome for j in judged]), judged, level, each)


def judge_printed(claim: Claim, tables: Tables) -> list[JudgedStatement]:
    """Judge a claim's statements by printed numbers, one a cell, which carry no interval.

    What it says of metrics that are not among the tables is left out; raises UsageError as
    `judge_claim` does.
    """
    return [s.judge_by(_as_printed) for s in _statements(claim.holds, claim, tables, partly=True)]


def _as_printed(atom: Atom) -> Judged:
    if not isinstance(atom, Comparison):
        raise UsageError("printed numbers can be compared, and no more")
    return judge_points([atom])[0]


def judge_claims(
    claims: Sequence[Claim], tables: Tables, level: float = stats.CONFIDENCE
) -> list[JudgedClaim]:
    """Judge claims one by one: each is wrong with probability 1 - `level` at most."""
    return [judge_claim(claim, tables, level) for claim in claims]


def _statements(
    said: Predicate | Joined, claim: Claim, tables: Tables, partly: bool = False
) -> list[Statement]:
    """Return what is said of the tables; `partly` leaves out words of other metrics."""
    if isinstance(said, Predicate):
        metric = said.given.get("metric", claim.given.get("metric"))
        if partly and metric is not None and metric not in tables:
            return []
        return _of_word(said, claim, tables)
    groups = [found for part in said.parts if (found := _statements(part, claim, tables, partly))]
    if said.how == "all":
        return [statement for group in groups for statement in group]
    if not groups:
        return []
    name = f"{said.how} of {len(groups)}" if said.how == "any" else "not"
    inner = tuple(Statement(name, group[0].part, tuple(group)) for group in groups)
    named = {statement.part for group in groups for statement in group}
    part = named.pop() if len(named) == 1 else name
    return [Statement(part, name, inner, said.how)]


def _of_word(said: Predicate, claim: Claim, tables: Tables) -> list[Statement]:
    given = {**claim.given, **said.given}
    if "where" in claim.given and "where" in said.given:
        given["where"] = {**claim.given["where"], **said.given["where"]}
    try:
        table = _table(given.get("metric"), tables).where(given.get("where", {}))
        table = table.averaged(given["overall"]) if "overall" in given else table
        found = WORDS[said.word].make(table, given)
    except UsageError as error:
        raise UsageError(f"{said.path}: {error}") from None
    if not found:
        raise UsageError(f"{said.path}: no cells of the study fit")
    part = given.get("part", said.word)
    return [_named(statement, part) for statement in found]


def _named(statement: Statement, part: str) -> Statement:
    # Atoms are named within their statement; the part of the claim is the statement's.
    atoms = tuple(
        _named(each, part) if isinstance(each, Statement) else each.of(part)
        for each in statement.parts
    )
    return replace(statement, part=part, parts=atoms)


def _table(metric: str | None, tables: Tables) -> Table:
    """Return a metric's table; without a name, that of the study's first."""
    if metric is None and tables:
        return next(iter(tables.values()))
    if metric is None or metric not in tables:
        raise UsageError(
            f"no metric {metric!r}{nearest(metric or '', tables)} (there is: {', '.join(tables)})"
        )
    return tables[metric]
