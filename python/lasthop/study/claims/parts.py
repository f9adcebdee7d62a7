"""A claim's parts: what each says, in which reading, and the verdict of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.study.claims import saying
from lasthop.study.claims.outcomes import Outcome, Verdict, by_tests, everywhere, for_all
from lasthop.study.claims.statements import JudgedStatement


@dataclass(frozen=True)
class Share:
    """In how many settings, of those that were run, the means go the claimed way.

    `least` and `most` hold at the level of the settings' intervals: they count those in which it is
    shown, and those in which the contrary is not.
    """

    count: int
    of: int
    least: int
    most: int
    not_run: int

    @classmethod
    def among(cls, settings: Sequence[JudgedStatement]) -> Share:
        """Count judged settings."""
        run = [each for each in settings if each.was_run]
        return cls(
            sum(each.seems for each in run),
            len(run),
            sum(each.direction is Outcome.SHOWN for each in run),
            sum(each.direction is not Outcome.DENIED for each in run),
            len(settings) - len(run),
        )

    def as_dict(self) -> dict[str, int]:
        """Return the counts, ready for JSON."""
        return {
            "in_the_claimed_direction": self.count,
            "of": self.of,
            "at_least": self.least,
            "at_most": self.most,
            "not_run": self.not_run,
        }


def counted_as(labels: Sequence[str]) -> str:
    """Return ``settings`` where each label is of another setting, else ``comparisons``."""
    settings = {label.rpartition("; ")[2] for label in labels}
    return "settings" if len(settings) == len(labels) else "comparisons"


@dataclass(frozen=True)
class JudgedPart:
    """A part of a claim, its verdict, and what it rests on.

    Attributes:
        name: What it says.
        reading: ``general``: of the average over the settings; ``everywhere``: of each by itself;
            ``somewhere``: of one at least.
        tests: What decides it: one for each word of the part, over all settings; everywhere each setting.
        settings: Every setting by itself.
        unit: What people are shown of means that are compared with nothing, and `scale`, the factor to it.
        judged_as: What it tests, in words.
    """

    name: str
    reading: str
    tests: tuple[JudgedStatement, ...]
    settings: tuple[JudgedStatement, ...]
    unit: str = ""
    scale: float = 1.0
    judged_as: str = ""

    @property
    def verdict(self) -> Verdict:
        """The outcome by the data."""
        run = [each.outcome for each in self.tests if each.was_run]
        decide = everywhere if self.reading == "everywhere" else by_tests
        return decide(run, len(self.tests) - len(run))

    @property
    def share(self) -> Share:
        """In how many settings its direction holds."""
        return Share.among(self.settings)

    @property
    def counted(self) -> str:
        """The word for its settings, or for its comparisons, where there are several of a setting."""
        return counted_as([each.label for each in self.settings])

    @property
    def needed(self) -> int | None:
        """About how many replications decide it; None where it is decided or nobody knows."""
        if self.verdict is not Verdict.UNDECIDED:
            return None
        found = [t.needed for t in self.tests if t.was_run and t.outcome is Outcome.OPEN]
        return for_all(found)

    @property
    def test(self) -> JudgedStatement | None:
        """The test that represents it: one that denies it, else an open one, else the first; None: not
        run."""
        run = [each for each in self.tests if each.was_run]
        order = (Outcome.DENIED, Outcome.OPEN, Outcome.SHOWN)
        return min(run, key=lambda each: order.index(each.outcome), default=None)

    @property
    def sentence(self) -> str:
        """The result, in words."""
        return saying.of_part(self)

    def _effect(self) -> dict[str, Any] | None:
        """Return the comparison over all settings that represents the part; None where there is none."""
        if self.test is None or self.reading != "general":
            return None
        return {**self.test.drawn.as_dict(), "outcome": str(self.test.outcome)}

    def as_dict(self) -> dict[str, Any]:
        """Return verdict and evidence, ready for JSON."""
        return {
            "name": self.name,
            "reading": self.reading,
            "judged_as": self.judged_as,
            "verdict": str(self.verdict),
            "sentence": self.sentence,
            "settings": self.share.as_dict(),
            "counted": self.counted,
            "replications_needed": self.needed,
            "unit": self.unit,
            "scale": self.scale,
            "effect": self._effect(),
            "tests": [each.as_dict() for each in self.tests],
            "details": [
                {
                    **each.drawn.as_dict(),
                    "label": each.label,
                    "compared": each.drawn.label.partition("; ")[0],
                    "was_run": each.was_run,
                    "outcome": str(each.outcome),
                }
                for each in self.settings
            ],
        }
