"""Claims held against tables: each part with a verdict of its own, and what more certainty would cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lasthop import stats
from lasthop.claims import saying
from lasthop.claims.comparing import Comparison, Judged, judge_points
from lasthop.claims.outcomes import Outcome, Verdict, of_parts
from lasthop.claims.parts import JudgedPart
from lasthop.claims.pooling import wanted
from lasthop.claims.reading import Claim, Joined, Predicate
from lasthop.claims.statements import Atom, JudgedStatement, Statement
from lasthop.claims.tables import Shown, Table
from lasthop.claims.vocabulary import WORDS
from lasthop.errors import UsageError, nearest

Tables = Mapping[str, Table]
"""A table for each metric, by its name."""


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, its parts with their verdicts, and the word for it that follows from them.

    All intervals that decide its parts hold together at `level`, each being made at `level_of_each`;
    those of the settings of parts that are said in general hold together by themselves. Nothing is
    promised of several claims together. `needed` is about how many replications decide what is
    open, in all and not more; None where nothing is or nobody knows.
    """

    claim: Claim
    parts: tuple[JudgedPart, ...]
    level: float
    level_of_each: float

    @property
    def verdict(self) -> Verdict:
        """The word for it."""
        return of_parts([part.verdict for part in self.parts])

    @property
    def sentence(self) -> str:
        """What came out, in a sentence."""
        return saying.of_claim(self.parts)

    @property
    def needed(self) -> int | None:
        """See above."""
        found = [part.needed for part in self.parts if part.verdict is Verdict.UNDECIDED]
        known = [count for count in found if count is not None]
        return max(known) if known and len(known) == len(found) else None

    def as_dict(self) -> dict[str, Any]:
        """Return claim, verdict and evidence, ready for JSON."""
        return {
            "id": self.claim.id,
            "text": self.claim.text,
            "verdict": str(self.verdict),
            "sentence": self.sentence,
            "confidence": self.level,
            "level_of_each": self.level_of_each,
            "parts": [part.as_dict() for part in self.parts],
            "replications_needed": self.needed,
            "note": self.claim.note,
        }


@dataclass(frozen=True)
class _Said:
    """What a word of a claim says: what decides it, and of every setting by itself."""

    tests: list[Statement]
    settings: list[Statement]
    reading: str
    shown: Shown


def judge_claim(claim: Claim, tables: Tables, level: float = stats.CONFIDENCE) -> JudgedClaim:
    """Judge a claim's parts by intervals that all hold together at `level` (Bonferroni).

    Under sequential stopping give each look's level: `stats.Spending.level_at`. Raises UsageError
    where the claim names an axis, a value or a metric that the tables do not have.
    """
    said = _said(claim.holds, claim, tables)
    each = stats.bonferroni(sum(s.atoms() for part in said for s in part.tests), level)
    apart = sum(s.atoms() for part in said for s in part.settings if part.reading == "general")
    in_settings = stats.bonferroni(apart, level)
    names = dict.fromkeys(s.part for part in said for s in part.tests)
    parts = tuple(
        _part(name, [p for p in said if p.tests[0].part == name], each, in_settings)
        for name in names
    )
    return JudgedClaim(claim, parts, level, each)


def _part(name: str, said: Sequence[_Said], each: float, in_settings: float) -> JudgedPart:
    tests = tuple(statement.judge(each) for part in said for statement in part.tests)
    reading = "general" if any(part.reading == "general" for part in said) else "everywhere"
    settings = tests
    if reading == "general":
        settings = tuple(s.judge(in_settings) for part in said for s in part.settings)
    shown = said[0].shown
    return JudgedPart(name, reading, tests, settings, shown.unit, shown.scale)


def judge_printed(claim: Claim, tables: Tables) -> list[JudgedStatement]:
    """Judge every setting of a claim by printed numbers, one a cell, which carry no interval.

    What it says of metrics and cells that are not among the tables is left out, and what single
    numbers cannot say.
    """
    found: list[JudgedStatement] = []
    for part in getattr(claim.holds, "parts", (claim.holds,)):
        try:
            said = _said(part, claim, tables)
        except UsageError:
            continue  # it speaks of what is not printed
        found += [s.judge_by(_as_printed) for each in said for s in each.settings if s.was_run]
    return [each for each in found if each.outcome is not Outcome.OPEN]


def _as_printed(atom: Atom) -> Judged:
    if not isinstance(atom, Comparison):
        return Judged(atom.part, atom.label, Outcome.OPEN, None, None, None)
    return judge_points([atom])[0]


def judge_claims(
    claims: Sequence[Claim], tables: Tables, level: float = stats.CONFIDENCE
) -> list[JudgedClaim]:
    """Judge claims one by one: each is wrong with probability 1 - `level` at most, several more often."""
    return [judge_claim(claim, tables, level) for claim in claims]


def _said(said: Predicate | Joined, claim: Claim, tables: Tables) -> list[_Said]:
    if isinstance(said, Predicate):
        return [_of_word(said, claim, tables)]
    groups = [_said(part, claim, tables) for part in said.parts]
    if said.how == "all":
        return [each for group in groups for each in group]
    name = f"{said.how} of {len(groups)}" if said.how == "any" else "not"
    flat = [[s for each in group for s in each.tests] for group in groups]
    named = {statement.part for group in flat for statement in group}
    part = named.pop() if len(named) == 1 else name
    inner = tuple(Statement(name, group[0].part, tuple(group)) for group in flat)
    statement = Statement(part, name, inner, said.how)
    first = groups[0][0]
    return [_Said([statement], [statement], "everywhere", first.shown)]


def _of_word(said: Predicate, claim: Claim, tables: Tables) -> _Said:
    given = _given(said, claim)
    make, part = WORDS[said.word].make, given.get("part", said.word)
    reading = given.get("reading", "general")
    try:
        table = _table(given.get("metric"), tables).where(given.get("where", {}))
        table = table.averaged(given["overall"]) if "overall" in given else table
        settings = make(table, given)
        tests = settings
        if reading == "general" and len(settings) > 1:
            whole = table.pooled(wanted(said.word, table, given))
            tests = make(whole, {key: each for key, each in given.items() if key != "but"})
    except UsageError as error:
        raise UsageError(f"{said.path}: {error}") from None
    if not settings:
        raise UsageError(f"{said.path}: no cells of the study fit")
    named = [[_named(s, part) for s in each] for each in (tests, settings)]
    return _Said(named[0], named[1], reading, table.shown)


def open_cells(
    judged: JudgedClaim, tables: Tables, worth: Callable[[int | None], bool]
) -> dict[str, list[dict[str, Any]]]:
    """Return by metric the settings of a claim's undecided parts.

    Of those parts only that are `worth` it, by how many replications would tell (None: nobody knows).
    """
    names = {
        part.name
        for part in judged.parts
        if part.verdict is Verdict.UNDECIDED and worth(part.needed)
    }
    found: dict[str, list[dict[str, Any]]] = {}
    for said in _words(judged.claim.holds):
        given = _given(said, judged.claim)
        if given.get("part", said.word) not in names:
            continue
        table = _table(given.get("metric"), tables).where(given.get("where", {}))
        compared = wanted(said.word, table, given) or [
            table.own(given[which]) for which in ("a", "b")
        ]
        found.setdefault(table.metric, []).extend(
            {**context, **setting} for setting in compared for context in table.contexts(setting)
        )
    return found


def _words(said: Predicate | Joined) -> list[Predicate]:
    if isinstance(said, Predicate):
        return [said]
    return [word for part in said.parts for word in _words(part)]


def _given(said: Predicate, claim: Claim) -> dict[str, Any]:
    """Return what is given for a word, by itself and by its claim."""
    given = {**claim.given, **said.given}
    if "where" in claim.given and "where" in said.given:
        given["where"] = {**claim.given["where"], **said.given["where"]}
    return given


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
            f"no metric {metric!r}{nearest(metric or '', tables)} (there are: {', '.join(tables)})"
        )
    return tables[metric]
