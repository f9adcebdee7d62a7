"""`lasthop.advise`: from what is wanted to advice."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from lasthop.core import api
from lasthop.core.how import Overrides
from lasthop.core.jobs import refuse_strange_numbers
from lasthop.core.keywords import fields_of
from lasthop.core.listeners import Said, Stage
from lasthop.core.noticing import Finding
from lasthop.core.python_law import LawFactory
from lasthop.core.source import Given
from lasthop.errors import LasthopError, UsageError, offered
from lasthop.numbers import stats
from lasthop.numbers.stats.safe import LEAST
from lasthop.study.advice.advice import Advice, advice_of
from lasthop.study.advice.around import with_reach
from lasthop.study.advice.beside import beside
from lasthop.study.advice.choices import Grid, grid_of, overrides
from lasthop.study.advice.doubting import doubts
from lasthop.study.advice.evaluating import Evaluator
from lasthop.study.advice.local import Local
from lasthop.study.advice.racing import Race
from lasthop.study.advice.wishes import Wish, wish_of
from lasthop.study.cells import override
from lasthop.study.spec import KINDS

FIRST = 10
"""Replications before the first look; fewer show next to nothing at the levels of many settings."""

GROWTH = 1.5
"""Each look has half as many replications more than the last."""

LOOKED_AT = 3
"""Replications of the recommended setting in which it is looked for what is odd."""

MOST = 200
"""Replications of a setting, at most, unless another number is asked for."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """The question to :func:`advise`.

    Attributes:
        choose: What may be chosen, by dotted key: ``{"tcp.variant": ["sack", "bic"], "queue.packets":
            range(10, 201)}``. A range object is gone through from coarse to fine; keys joined by ``+`` get
            the same value. Or as on the command line: ``["mac.retry_limit=1..7"]``.
        maximise: The measure to make as high as can be: ``goodput_bps``, ``game.goodput_bps``.
        minimise: Or the one to make as low as can be.
        subject_to: Limits on means over replications: ``voice.loss < 2%``, ``game.delay_s.p95 < 30 ms``.
        error: The probability, at most, that something that the advice says is wrong.
        indifferent: A difference from the best under this part of it does not matter.
        most: Replications of one setting, at most.
        budget_s: Wall time after which no further runs begin, s; the results by then are returned.
        seed: The root of all random numbers; by default the scenario's own.
        changes: Changes to the scenario that all settings have.
        workers: How many runs at a time; by default one for each core.
        out: A directory that keeps every run: asked again, also after Ctrl-C or for other measures within the
            same ones, nothing is run that is there. `lasthop.Results` reads it.
        laws: Laws in Python that `tcp.law` may name, see `lasthop.sweep`.
        law: The one of `laws` that every TCP flow uses where the scenario names none of them.
        kind: ``terminating``: the scenario's own ``warmup`` and ``duration``; or ``steady``: one warm-up is
            found in pilot runs of the ends of every choice and cut from all runs, unless `changes` state it.
        said: Told the warm-up that was found, and what did not settle.
        told: Stage runs done, about how many there will be, and where the race is.
    """

    choose: Mapping[str, Iterable[Any]] | Sequence[str]
    maximise: str | None = None
    minimise: str | None = None
    subject_to: Sequence[str] | str = ()
    error: float = 1 - stats.CONFIDENCE
    indifferent: float = 0.02
    most: int = MOST
    budget_s: float | None = None
    seed: int | None = None
    changes: Overrides = ()
    workers: int | None = None
    out: str | Path | None = None
    laws: Mapping[str, LawFactory] | None = None
    law: str | None = None
    kind: str = "terminating"
    said: Said | None = None
    told: Stage | None = None

    @property
    def wish(self) -> Wish:
        """The objective and its limits; raises UsageError."""
        return wish_of(self.maximise, self.minimise, self.subject_to, self.indifferent)


@fields_of(Question)
def advise(scenario: Given, question: Question) -> Advice:
    """Find the setting of a scenario that gives the most (or least) of a measure within limits.

    Args:
        scenario: A path to a TOML file, or TOML text.

    Raises:
        UsageError: Nothing to choose, no such measure, a limit that cannot be read.
        ScenarioError: A setting that the scenario cannot have.
        LasthopError: The budget is over before the first look.
        KeyboardInterrupt: Ctrl-C before the first look; later ones end the race with what is known.
    """
    return answered(scenario, question)[0]


def answered(scenario: Given, question: Question) -> tuple[Advice, Local]:
    """Return the advice and what ran it, with its units and changes; see `advise`, `race`."""
    refuse_strange_numbers(question.seed, None, question.workers)
    grid, told = grid_of(question.choose), question.told
    steady = _is_steady(question.kind, grid)
    read = api.read(scenario, question.changes, question.seed)
    read = replace(read, laws=question.laws or {}, law=question.law)
    local = Local(read, question.workers, None if question.out is None else Path(question.out))
    wish = wished(question.wish, grid, local)
    _refuse_wrong(local, grid, wish)
    if steady:
        some = [overrides(grid.setting(place)) for place in _edges(grid)]
        pilots = (lambda *_: None) if told is None else partial(_piloting, told)
        local.settle(some, wish.measured, question.said or (lambda _: None), pilots)
    error, most, budget_s = question.error, question.most, question.budget_s
    return raced(grid, wish, local, error=error, most=most, budget_s=budget_s, told=told), local


def wished(wish: Wish, grid: Grid, local: Local) -> Wish:
    """Return a wish with the whole names of what is measured, and what is shown beside a delay."""
    whole, first = wish.whole, overrides(grid.setting(next(_edges(grid))))
    local.check(first, whole.metrics)
    return replace(whole, beside=beside(whole, local.outline(first)))


def raced(
    grid: Grid,
    wish: Wish,
    local: Local,
    *,
    error: float,
    most: int,
    budget_s: float | None = None,
    told: Stage | None = None,
) -> Advice:
    """Race with the simulator; and say why the answer is worthless where it is, and what is odd about it."""
    advice = race(grid, wish, local, error=error, most=most, budget_s=budget_s, told=told)
    return replace(
        advice,
        around=with_reach(advice.around, local.scenario.text),
        doubts=doubts(advice, local.units),
        noticed=_noticed(advice, local),
    )


def race(
    grid: Grid,
    wish: Wish,
    evaluator: Evaluator,
    *,
    error: float = 1 - stats.CONFIDENCE,
    most: int = MOST,
    budget_s: float | None = None,
    told: Stage | None = None,
) -> Advice:
    """Find the best setting of a grid with any evaluator; see `advise`."""
    if not 0 < error < 0.5:
        raise UsageError(f"error must be a probability over 0 and under 0.5, not {error}")
    if most < LEAST:
        raise UsageError(f"most must be at least {LEAST} replications, not {most}")
    at = stats.looks(min(FIRST, most), most, GROWTH)
    running = Race(grid, wish, evaluator, error, at, _limited(told, budget_s))
    try:
        running.run()
    except (KeyboardInterrupt, _OverError) as stopped:
        if running.look < 0:
            raise _nothing_known(stopped, budget_s) from None
        running.forget_unfinished()
        return advice_of(running, error, complete=False)
    return advice_of(running, error, complete=True)


def _noticed(advice: Advice, local: Local) -> tuple[Finding, ...]:
    """Return what is odd about runs of the recommended setting; nothing where time was over."""
    if advice.recommended is None or not advice.complete:
        return ()
    chosen = overrides(advice.recommended.setting)
    changes = [override(key, value) for key, value in chosen.items()]
    return tuple(local.run(changes, min(LOOKED_AT, advice.recommended.replications)).noticed)


class _OverError(Exception):
    """The budget is over."""


class BudgetError(LasthopError):
    """The budget was over before anything was known."""

    exit_code = 130  # as that of a race which a budget ends later


def _nothing_known(stopped: BaseException, budget_s: float | None) -> BaseException:
    """Return what to raise where a race was stopped before the first look."""
    if isinstance(stopped, _OverError):
        return BudgetError(
            f"the budget, {budget_s:g} s, was over before there was a result; give more, or choose from less"
        )
    return KeyboardInterrupt("nothing is known yet")


def _limited(told: Stage | None, budget_s: float | None) -> Stage | None:
    """Make a progress function that ends the race when its time is over."""
    if budget_s is None:
        return told
    end = time.monotonic() + budget_s

    def tell(done: int, expected: int, words: str) -> None:
        if told is not None:
            told(done, expected, words)
        if time.monotonic() > end:
            raise _OverError

    return tell


def _refuse_wrong(local: Local, grid: Grid, wish: Wish) -> None:
    """Check each value of each choice, and that the measures are there, before the race."""
    for place in dict.fromkeys(_edges(grid)):
        local.check(overrides(grid.setting(place)), wish.measured)
    for bound in wish.bounds:
        bound.check(local.units[bound.metric])


def _edges(grid: Grid) -> Iterator[tuple[int, ...]]:
    """Yield the places of each value of a choice (of a range its ends), others at their first; then all last."""
    lengths = [len(choice.values) for choice in grid.choices]
    for axis, choice in enumerate(grid.choices):
        for n in (0, lengths[axis] - 1) if choice.ordered else range(lengths[axis]):
            yield tuple(n if k == axis else 0 for k in range(len(lengths)))
    yield tuple(length - 1 for length in lengths)


def _is_steady(kind: str, grid: Grid) -> bool:
    if kind not in KINDS:
        raise UsageError(f"no kind {kind!r}{offered(kind, KINDS)}")
    if kind == "steady" and any("warmup" in choice.keys for choice in grid.choices):
        raise UsageError("a steady state has one warm-up for all settings, so it cannot be an axis")
    return kind == "steady"


def _piloting(told: Stage, done: int, of: int) -> None:
    told(done, of, "pilot runs, for the warm-up")
