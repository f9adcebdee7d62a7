"""The result of a race, for people and for JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lasthop.core.noticing import Finding
from lasthop.numbers import stats
from lasthop.study import phrases
from lasthop.study.advice.around import Around, around, lines
from lasthop.study.advice.candidates import Candidate, candidates_of
from lasthop.study.advice.levels import ends_known
from lasthop.study.advice.racing import Race, Racer, State
from lasthop.study.advice.rare import Unseen, unseen_by
from lasthop.study.advice.wishes import Wish
from lasthop.study.claims.outcomes import for_all


@dataclass(frozen=True)
class Advice:
    """The answer to "which setting": see `lasthop.advise`.

    Attributes:
        wish: What was wanted.
        recommended: The setting to take; None where none is shown to keep to the limits.
        alike: Settings that cannot be distinguished from it: none is shown to be worse, or to break a limit.
        candidates: Every setting that was tried, best first.
        decided: Whether no setting tried can be better by more than `wish.indifferent`.
        impossible: Whether every setting tried is shown to break a limit.
        missing: Where no setting is left in the race, the metrics that had no value in some run of one.
        searched: Whether no setting next to the recommended one on a range was left untried.
        complete: Whether the race ran to its end, not to Ctrl-C or the end of a budget.
        error: The probability, at most, that something said here is wrong.
        unseen: Events in so few runs that none had one, which would break a limit; None where the recommendation
            covers them, or there are no limits.
        needed: Where none is shown to keep to the limits: about how many replications of the leader would show
            that it does; None where nobody knows.
        around: What each choice does where the others are as recommended.
        doubts: Reasons why the answer is worthless: a delay of survivors, a call with a very low MOS.
        noticed: What is odd about runs of the recommended setting, see `Run.noticed`.
        runs: Runs that were made; `full_grid_runs`: what all settings with as many replications would take.
    """

    wish: Wish
    recommended: Candidate | None
    alike: list[Candidate]
    candidates: list[Candidate]
    decided: bool
    impossible: bool
    searched: bool
    complete: bool
    error: float
    runs: int
    full_grid_runs: int
    settings: int
    needed: int | None = None
    unseen: Unseen | None = None
    around: tuple[Around, ...] = ()
    doubts: tuple[str, ...] = ()
    noticed: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the sentence, where a notebook would else show every candidate."""
        return f"<Advice: {self}>"

    def __str__(self) -> str:
        """Say it in a sentence, why it is worthless if it is, what each choice does, and what is not covered."""
        unseen = [] if self.unseen is None else [str(self.unseen)]
        return "\n".join([self.said, *self.reservations, *lines(self.around), *unseen])

    @property
    def reservations(self) -> list[str]:
        """Why the answer should not be followed, a sentence each."""
        return [f"This answer is worthless: {why}" for why in self.doubts]

    @property
    def said(self) -> str:
        """The answer in a sentence."""
        tried = f"{len(self.candidates):,} of {self.settings:,} settings tried"
        limits = " and ".join(bound.text for bound in self.wish.bounds)
        if self.impossible:
            return f"no setting satisfies {limits} ({tried})"
        if self.missing:
            return f"{self._unjudged} ({tried})"
        if self.recommended is None:
            told = f"; about {self.needed:,} replications would show it" if self.needed else ""
            may = f"{len(self.alike)} may satisfy it" if self.alike else "none is known to"
            return f"no setting is shown to satisfy {limits}; {may}{told} ({tried})"
        name = phrases.of_settings(self.recommended.setting)
        if not self.alike:
            return f"{name} is the best of all settings tried ({tried})"
        others = (
            "1 other setting" if len(self.alike) == 1 else f"{len(self.alike):,} other settings"
        )
        if not self.decided:
            return f"{name} leads, but {others} cannot be distinguished from it ({tried})"
        margin = (
            f"by more than {100 * self.wish.indifferent:g} %" if self.wish.indifferent else "at all"
        )
        return (
            f"{name} is recommended; {others} may be as good, and none is better {margin} ({tried})"
        )

    @property
    def _unjudged(self) -> str:
        """The reason why no setting can be judged, or only those can that break a limit."""
        lack = f"{phrases.of_missing(self.missing)}; longer runs may give it"
        broken = sum(each.state == State.BREAKS for each in self.candidates)
        if not broken:
            return f"no setting can be judged: in some runs {lack}"
        limits = " and ".join(bound.text for bound in self.wish.bounds)
        breaks = "1 is" if broken == 1 else f"{broken:,} are"
        return (
            f"no setting is shown to satisfy {limits}: {breaks} shown not to, "
            f"and in some runs of the others {lack}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "advice": str(self),
            "wanted": {
                "measure": self.wish.metric,
                "maximise": self.wish.maximise,
                "subject_to": [bound.text for bound in self.wish.bounds],
                "indifferent": self.wish.indifferent,
            },
            "recommended": self.recommended.as_dict() if self.recommended else None,
            "cannot_be_told_from_it": [each.as_dict() for each in self.alike],
            "decided": self.decided,
            "impossible": self.impossible,
            "without_value": list(self.missing),
            "searched": self.searched,
            "complete": self.complete,
            "error": self.error,
            "runs": self.runs,
            "full_grid_runs": self.full_grid_runs,
            "settings": self.settings,
            "replications_needed": self.needed,
            "around": [each.as_dict() for each in self.around],
            "unseen": self.unseen.as_dict() if self.unseen else None,
            "worthless_because": list(self.doubts),
            "noticed": [asdict(each) for each in self.noticed],
            "tried": [each.as_dict() for each in self.candidates],
        }


def advice_of(race: Race, error: float, complete: bool) -> Advice:
    """Say what a race found up to its last look."""
    leader = race.leader(race.look)
    best = leader if leader is not None and leader.keeps else None
    found = candidates_of(race, best)
    racing = [place for place in found if race.runners[place].state in (State.RACING, State.ALIKE)]
    recommended = found[best.place] if best else None
    missing = () if racing else _missing(race)
    return Advice(
        wish=race.wish,
        recommended=recommended,
        alike=[found[place] for place in racing if found[place] is not recommended],
        candidates=list(found.values()),
        decided=race.decided and not missing,
        impossible=not racing and not missing,
        missing=missing,
        searched=race.searched,
        complete=complete,
        error=error,
        runs=race.runs,
        full_grid_runs=race.grid.size * race.at[race.look],
        settings=race.grid.size,
        needed=_needed(race, leader) if leader is not None and best is None else None,
        unseen=unseen_by(race, best) if best is not None else None,
        around=around(recommended, list(found.values()), race.grid.choices, race.wish)
        if recommended
        else (),
    )


def _missing(race: Race) -> tuple[str, ...]:
    """Return the metrics that put a setting out of the race by having no value in some run."""
    out = [
        each.because.split(", ") for each in race.runners.values() if each.state is State.NO_VALUE
    ]
    return tuple(name for name in race.wish.metrics if any(name in names for names in out))


def _needed(race: Race, runner: Racer) -> int | None:
    """Return about how many replications show that a setting keeps to all limits; None if nobody knows."""
    error = race.levels.keeps(race.look)
    counts: list[int | None] = []
    for bound in race.wish.bounds:
        values = runner.values[bound.metric]
        if not np.isnan(values).any():
            ends = ends_known(bound.metric, values)
            counts.append(stats.needed_to_show(values, error, bound.limit, bound.under, ends=ends))
        else:
            counts.append(None)
    return for_all(counts)
