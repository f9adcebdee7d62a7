"""The results of an evaluation: a verdict for each criterion, with what it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lasthop.core.python_law import LawFactory
from lasthop.numbers.numerals import finite, listed
from lasthop.numbers.stats.unseen import said
from lasthop.study import phrases
from lasthop.study.claims.outcomes import Outcome, Verdict, everywhere
from lasthop.study.evaluating.criteria import Criterion, Part, unasked

MOST_NAMES = 6
"""Criteria that a sentence names."""


@dataclass(frozen=True)
class Judgement:
    """A measure with its outcome.

    Attributes:
        part: What was measured, and its rule.
        value: The law's mean.
        reference: The reference's mean; None: the rule is of the value alone.
        ratio: Of the means, or the mean alone; None: the reference's is zero.
        low: The lower bound of the ratio; -inf: none is known.
        high: The upper bound of the ratio; inf: none is known.
        outcome: Whether the rule is shown to be kept.
        needed: About how many replications would decide it; None where it is decided, or nobody knows.
        itself: Whether law and reference are the same, so that nothing was to be shown.
    """

    part: Part
    value: float
    reference: float | None
    ratio: float | None
    low: float
    high: float
    outcome: Outcome
    needed: int | None = None
    itself: bool = False

    @classmethod
    def of_itself(cls, part: Part, value: float) -> Judgement:
        """Return the outcome where the law is its own reference."""
        return cls(part, value, value, 1.0, 1.0, 1.0, Outcome.SHOWN, itself=True)

    def as_dict(self) -> dict[str, Any]:
        """Return it, ready for JSON."""
        rule = self.part.rule
        return {
            "measure": self.part.of,
            "says": self.part.says,
            "value": finite(self.value),
            "reference": None if self.reference is None else finite(self.reference),
            "ratio": None if self.ratio is None else finite(self.ratio),
            "low": finite(self.low),
            "high": finite(self.high),
            "least": rule.least,
            "most": rule.most,
            "why": rule.why,
            "outcome": str(self.outcome),
            "replications_needed": self.needed,
            "is_reference": self.itself,
        }


@dataclass(frozen=True)
class Found:
    """A criterion with the reference's name and its judgements, one for each part."""

    criterion: Criterion
    reference: str
    judgements: tuple[Judgement, ...]

    @property
    def verdict(self) -> Verdict:
        """The word for the criterion: it holds where all parts do."""
        return everywhere([each.outcome for each in self.judgements])

    def as_dict(self) -> dict[str, Any]:
        """Return it, ready for JSON."""
        criterion = self.criterion
        return {
            "criterion": criterion.name,
            "section": criterion.section,
            "asks": criterion.asks,
            "about": criterion.about,
            "path": criterion.path,
            "reference": self.reference,
            "verdict": str(self.verdict),
            "parts": [each.as_dict() for each in self.judgements],
            "scenario": criterion.scenario,
            "changes": list(criterion.changes),
        }


@dataclass(frozen=True)
class Dossier:
    """All verdicts on a law.

    Attributes:
        law: What it is called.
        replications: Of each scenario.
        found: By criterion, in the order of the sections.
        laws: The law, where it is one in Python.
    """

    law: str
    replications: int
    found: tuple[Found, ...]
    laws: Mapping[str, LawFactory] = field(default_factory=dict, repr=False, compare=False)

    @property
    def tally(self) -> dict[str, int]:
        """The number of criteria by verdict, of those words that occur."""
        counts = Counter(each.verdict for each in self.found)
        return {str(verdict): counts[verdict] for verdict in Verdict if counts[verdict]}

    @property
    def said(self) -> tuple[str, ...]:
        """The answer: how many criteria are broken, which, and what becomes of those that must be met."""
        broken = self._with(Verdict.DENIED)
        told = [f"Broken: {_names(broken)}."] if broken else []
        return self._lead(), *told, *self._demanded()

    def _with(self, verdict: Verdict) -> list[Found]:
        return [each for each in self.found if each.verdict is verdict]

    def _lead(self) -> str:
        """Say how many criteria are broken, of those that are decided."""
        broken, partly, at_most, undecided = (
            len(self._with(verdict))
            for verdict in (
                Verdict.DENIED,
                Verdict.PARTLY,
                Verdict.PARTLY_AT_MOST,
                Verdict.UNDECIDED,
            )
        )
        law, every = phrases.of_law(self.law), len(self.found)
        all_ = f"{every} criteri{'on' if every == 1 else 'a'}"
        if undecided == every:
            return f"None of {all_} is decided for {law}."
        further = [f"{partly} in part"] if partly else []
        further += [f"{at_most} in part at least"] if at_most else []
        in_part = f", and {listed(further)}" if further else ""
        if not undecided:
            return f"{law} breaks {broken or 'none'} of {all_}{in_part}."
        decided = f"{broken or 'none'} of the {every - undecided} criteria that are decided"
        if every - undecided == 1:
            decided = f"{broken or 'none'} of the 1 criterion that is decided"
        rest = f"{undecided} {'is' if undecided == 1 else 'are'} undecided"
        return f"{law} breaks {decided}{in_part}; {rest}."

    def _demanded(self) -> Iterator[str]:
        """Say how the criteria turn out that the RFC demands."""
        must = [each for each in self.found if each.criterion.asks == "must"]
        held = sum(each.verdict is Verdict.HOLDS for each in must)
        if must:
            whole = "all hold" if held == len(must) else f"{held} hold"
            yield f"Of the {len(must)} that the RFC demands (MUST) {whole}."
        for verdict, word in (
            (Verdict.DENIED, "Broken"),
            (Verdict.PARTLY, "In part"),
            (Verdict.PARTLY_AT_MOST, "In part at least"),
            (Verdict.UNDECIDED, "Undecided"),
        ):
            if those := [each for each in must if each.verdict is verdict]:
                yield f"{word}: {_names(those)}."

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader: rare events, and numbers of replications that would decide."""
        found = [said(self.replications)]
        outcomes = [each for row in self.found for each in row.judgements]
        needed = [each.needed for each in outcomes if each.outcome is Outcome.OPEN]
        known = [count for count in needed if count]
        if known:
            what = (
                "what is undecided" if len(known) == len(needed) else "a part of what is undecided"
            )
            found.append(f"About {max(known):,} replications would decide {what}.")
        return tuple(found)

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        return {
            "law": self.law,
            "rfc": 9743,
            "replications": self.replications,
            "answer": list(self.said),
            "tally": self.tally,
            "criteria": [each.as_dict() for each in self.found],
            "unasked": dict(unasked()),
            "notes": list(self.notes),
        }


def _names(found: Sequence[Found]) -> str:
    """List criteria with their sections, a few of many."""
    names = [f"{each.criterion.name} ({each.criterion.section})" for each in found[:MOST_NAMES]]
    more = [f"{len(found) - MOST_NAMES} more"] if len(found) > MOST_NAMES else []
    return "; ".join([*names, *more])
