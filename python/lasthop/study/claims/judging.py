"""Claims held against tables: each part with a verdict of its own, and what more certainty would cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lasthop.errors import UsageError, offered
from lasthop.numbers import stats
from lasthop.study import phrases
from lasthop.study.claims import judged_as, saying
from lasthop.study.claims.claim_format import Claim, Joined, Predicate, metrics_of
from lasthop.study.claims.differences_of_means import Comparison, judge_points, level_of_each
from lasthop.study.claims.judged import Judged
from lasthop.study.claims.outcomes import Outcome, Verdict, for_all, of_parts
from lasthop.study.claims.parts import JudgedPart
from lasthop.study.claims.pooling import wanted
from lasthop.study.claims.statements import Atom, JudgedStatement, Statement
from lasthop.study.claims.tables import METRIC, Shown, Table
from lasthop.study.claims.vocabulary import WORDS, somewhere

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
        """The result, in a sentence."""
        return saying.of_claim(self.parts)

    def tests(self) -> Iterator[Outcome]:
        """Yield the outcome of each test of each part, in an order that every study of the claim has."""
        for part in self.parts:
            yield from (test.outcome for test in part.tests)

    @property
    def needed(self) -> int | None:
        """See above."""
        found = [part.needed for part in self.parts if part.verdict is Verdict.UNDECIDED]
        return for_all(found)

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
    """The meaning of a word of a claim: its deciding test, the test of every single setting, and `tested`,
    that in words."""

    tests: list[Statement]
    settings: list[Statement]
    reading: str
    shown: Shown
    tested: str


def judge_claim(claim: Claim, tables: Tables, level: float = stats.CONFIDENCE) -> JudgedClaim:
    """Judge a claim's parts by intervals that all hold together at `level` (Bonferroni).

    Under sequential stopping give each look's level: `stats.Spending.level_at`. Raises UsageError
    where the claim names an axis, a value or a metric that the tables do not have.
    """
    said = _said(claim.holds, claim, tables)
    each = level_of_each(sum(s.atoms() for part in said for s in part.tests), level)
    apart = sum(s.atoms() for part in said for s in part.settings if part.reading != "everywhere")
    in_settings = level_of_each(apart, level)
    names = dict.fromkeys(s.part for part in said for s in part.tests)
    parts = tuple(
        _part(name, [p for p in said if p.tests[0].part == name], each, in_settings)
        for name in names
    )
    return JudgedClaim(claim, parts, level, each)


def _part(name: str, said: Sequence[_Said], each: float, in_settings: float) -> JudgedPart:
    tests = tuple(statement.judge(each) for part in said for statement in part.tests)
    readings = {part.reading for part in said}
    reading = next(each for each in judged_as.READINGS if each in readings)
    settings = tests
    if reading != "everywhere":
        settings = tuple(s.judge(in_settings) for part in said for s in part.settings)
    shown = said[0].shown
    tested = "; ".join(dict.fromkeys(part.tested for part in said))
    return JudgedPart(name, reading, tests, settings, shown.unit, shown.scale, tested)


def judge_printed(claim: Claim, tables: Tables) -> list[JudgedStatement]:
    """Judge every setting of a claim by printed numbers, one a cell, which carry no interval.

    Statements about metrics and cells that are not among the tables are left out, and those that single
    numbers cannot decide.
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
        return Judged(atom.part, atom.label, Outcome.OPEN, None, Outcome.OPEN)
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
    tested = ["; ".join(dict.fromkeys(each.tested for each in group)) for group in groups]
    text = judged_as.joined(said.how, tested)
    return [_Said([statement], [statement], "everywhere", first.shown, text)]


def _of_word(said: Predicate, claim: Claim, tables: Tables) -> _Said:
    given = _given(said, claim)
    word, part = WORDS[said.word], given.get("part", said.word)
    reading = given.get("reading", "general")
    try:
        table = _table_of(given, tables)
        table = table.averaged(given["overall"]) if "overall" in given else table
        settings = word.make(table, given)
        tests = settings
        if len(settings) > 1 and word.of_all is not None:
            reading, tests = "largest", [word.of_all(settings)]
        elif len(settings) > 1 and reading == "somewhere":
            tests = [somewhere(settings)]
        elif len(settings) > 1 and reading == "general":
            whole = table.pooled(wanted(said.word, table, given))
            tests = word.make(whole, {key: each for key, each in given.items() if key != "but"})
    except UsageError as error:
        place = said.place
        raise error.behind(place.name, UsageError, place.file, place.path) from None
    if not settings:
        raise said.place.wrong(": no cells of the study fit", "does-not-fit")
    named = [[_named(s, part) for s in each] for each in (tests, settings)]
    tested = _tested(settings, given, table, reading)
    return _Said(named[0], named[1], reading, table.shown, tested)


def _tested(
    settings: Sequence[Statement], given: Mapping[str, Any], table: Table, reading: str
) -> str:
    """Say what a word tests: what is compared, between which bounds, where, and of how many settings."""
    text = settings[0].judged_as(table.shown.unit, table.shown.scale)
    if table.metric != METRIC:
        text = f"{table.said}: {text}"
    conditions = {
        axis: judged_as.either([table.shown.value(axis, value) for value in _several(wanted_)])
        for axis, wanted_ in given.get("where", {}).items()
    }
    places = judged_as.where(conditions, list(map(phrases.of_key, given.get("overall", ()))))
    return text + places + judged_as.settings(reading, len(settings))


def _several(wanted_: Any) -> Sequence[Any]:
    return wanted_ if isinstance(wanted_, (list, tuple)) else [wanted_]


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
        table = _table_of(given, tables)
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


def _table_of(given: Mapping[str, Any], tables: Tables) -> Table:
    """Return the table that a word speaks of, as far as its conditions allow: of several metrics side by side."""
    names = metrics_of(given)
    found = [_table(name, tables) for name in names]
    table = (
        Table.beside(found) if len(found) > 1 else next(iter(found), None) or _table(None, tables)
    )
    return table.where(given.get("where", {}))


def _table(metric: str | None, tables: Tables) -> Table:
    """Return a metric's table; without a name, that of the study's first."""
    if metric is None and tables:
        return next(iter(tables.values()))
    if metric is None or metric not in tables:
        hint = offered(metric or "", tables, ", ".join(tables))
        said = f"no metric {metric!r}{hint}"
        raise UsageError(said, code="unknown-name")
    return tables[metric]
