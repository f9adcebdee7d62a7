"""The TCPs of an evaluation: the one that is evaluated, its reference and the incumbent, of one kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lasthop.core import api
from lasthop.core.job import Job
from lasthop.core.python_law import LawFactory
from lasthop.core.python_law import is_file as is_law_file
from lasthop.core.python_law import load as load_law
from lasthop.study.dueling.contest import RECOVERY, refuse_unknown
from lasthop.study.evaluating.criteria import Criterion

VARIANTS = {"cubic": "cubic", "reno": "newreno"}
"""What stands for the standards' congestion controls (RFC 9438, RFC 5681 with RFC 6582)."""


@dataclass(frozen=True)
class Cast:
    """The TCP that is evaluated, and those of its kind beside which it is.

    Attributes:
        name: What it is called.
        laws: Where it is a law in Python, that law; its kind is then laws with one recovery, so that only the law
            differs.
        family: The beginning of its variant's name, such as ``linux-``, where variants of that kind have the
            standards' congestion controls.
    """

    name: str
    laws: Mapping[str, LawFactory]
    family: str

    @classmethod
    def of(cls, law: str) -> Cast:
        """Read what is typed, a variant or FILE.py:CLASS; raises UsageError, LawError."""
        if is_law_file(law):
            name, made = load_law(law)
            return cls(name, {name: made}, "")
        refuse_unknown([law], "tcp.variant", {})
        there = {row["name"] for row in api.catalogue()["variants"]}
        family = law.rpartition("-")[0] + "-"
        known = {family + word for word in VARIANTS} <= there
        return cls(law, {}, family if known else "")

    def called(self, word: str) -> str:
        """Name the reference or the incumbent, ``cubic`` or ``reno``, as it is in this kind."""
        if self.laws:
            return word
        return self.family + word if self.family else VARIANTS[word]

    def job(self, criterion: Criterion, name: str, replications: int) -> Job:
        """Return the runs of a criterion's scenario in which the law's flows have this TCP."""
        changes = [*criterion.changes, *self._changes("tcp", name)]
        if criterion.beside is not None:
            changes += self._changes("flow.other.tcp", self.called(criterion.beside))
        laws = self.laws if name in self.laws else {}
        return Job(
            criterion.scenario,
            f"criterion {criterion.name!r}",
            tuple(changes),
            count=replications,
            laws=laws,
        )

    def _changes(self, table: str, name: str) -> list[str]:
        if self.laws:
            return [f"{table}.law={name}", f"{table}.recovery={RECOVERY}"]
        return [f"{table}.variant={name}"]
