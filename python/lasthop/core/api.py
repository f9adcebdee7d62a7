"""Running scenarios from Python: a file or text in, tidy tables out."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lasthop import _core
from lasthop.core import panels, source, toml
from lasthop.core.how import Overrides, Running, Watching
from lasthop.core.job import Job
from lasthop.core.jobs import Interrupted, documents_of, refuse_strange_numbers, run_each
from lasthop.core.keywords import fields_of
from lasthop.core.noticing import limits
from lasthop.core.python_law import LawFactory
from lasthop.core.runs import Run as Run
from lasthop.core.source import Given
from lasthop.errors import UsageError
from lasthop.numbers import stats


@fields_of(Watching)
def run(scenario: Given, asked: Watching) -> Run:
    """Run a scenario. Each replication's document is kept, some 10 kB; see :func:`summarise` for very many.

    Args:
        scenario: A path to a TOML file, TOML text (recognised by its line breaks), or a `lasthop.Scenario`.

    Raises:
        ScenarioError: The scenario is wrong; the message says where.
        LawError: A law in Python went wrong; the message says in which line, flow and second.
        UsageError: A number is out of range, there is no such probe or interface, or `pcap` can be no directory.
        CaptureError: A capture could not be written, as when the disk is full.
        jobs.Interrupted: Ctrl-C; it carries what had finished.

    Example:
        >>> r = lasthop.run("scenarios/two_stations.toml", seed=1)
        >>> r.flows.column("goodput_bps")
    """
    return kept(scenario, asked)


def kept(scenario: Given | Job, asked: Watching) -> Run:
    """Run a scenario and keep its documents; see :func:`run`."""
    job = job_of(scenario, asked)
    jobs, how, tell = _answering(job, asked)
    try:
        documents = documents_of(jobs, how)
    except Interrupted as stopped:
        tell(stopped.results[0])
        raise
    tell(documents[0])
    return Run([document for document in documents if document], job)


def _answering(
    job: Job, asked: Running
) -> tuple[list[Job], Running, Callable[[dict[str, Any] | None], None]]:
    """Return what is run and how, and what is to hear the first document: it tells what else was asked of it."""
    if asked.limited is None and asked.page is None:
        return [job], asked, lambda first: None
    measures = panels.MEASURES if asked.page else (limits.MEASURE,)
    own = limits.measures_of(job)
    how = panels.beside(asked, job) if asked.page else asked

    def tell(first: dict[str, Any] | None) -> None:
        if not first:
            return
        drawn = first.pop("panels", None)
        limited = limits.taken(first, [measure for measure in measures if measure not in own])
        if asked.limited:
            asked.limited(limited)
        if asked.page:
            asked.page(drawn)

    return limits.watched(job, measures), how, tell


def job_of(scenario: Given | Job, asked: Running) -> Job:
    """Read a scenario as it is to be run; raises UsageError for numbers that no run can have.

    One that was read before stays as it is, with its changes, its seed and its first replication.
    """
    refuse_strange_numbers(asked.seed, asked.replications, asked.workers)
    if isinstance(scenario, Job):
        return scenario.runs(scenario.replication, asked.replications)
    found = read(scenario, asked.overrides, asked.seed)
    return replace(found, count=asked.replications, laws=asked.laws or {}, law=asked.law)


@fields_of(Running)
def summarise(summary: stats.Summary, scenario: Given, asked: Running) -> None:
    """Run a scenario and take each replication into `summary` as it comes: none is kept, however many there are.

    Errors are those of :func:`run`. Whatever ends it, `summary` then has all that had finished.

    Example:
        >>> summary = lasthop.Summary()
        >>> lasthop.summarise(summary, "scenarios/two_stations.toml", replications=100_000)
        >>> summary.document()["flows"][0]["goodput_bps"]
    """
    reduced(summary, scenario, asked)


def reduced(summary: stats.Summary, scenario: Given | Job, asked: Running) -> None:
    """Run a scenario and keep the summary only; see :func:`summarise`."""
    early: dict[int, dict[str, Any]] = {}
    following = 0
    jobs, how, tell = _answering(job_of(scenario, asked), asked)

    def take(place: int, document: dict[str, Any]) -> None:
        if place == 0:
            tell(document)
        # In the order of the replications, so that the result does not depend on threads.
        nonlocal following
        early[place] = document
        while following in early:
            summary.add(early[following])
            del early[following]
            following += 1

    try:
        run_each(jobs, take, how)
    finally:
        for place in sorted(early):
            summary.add(early[place])


def check(
    scenario: Given,
    *,
    overrides: Overrides = (),
    laws: Mapping[str, LawFactory] | None = None,
    law: str | None = None,
) -> None:
    """Check a scenario without running it; raises ScenarioError where it is wrong. See :func:`run`."""
    replace(read(scenario, overrides), laws=laws or {}, law=law).check()


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the scenario format, as editors use it."""
    document: dict[str, Any] = json.loads(_core.schema())
    return document


def catalogue() -> dict[str, list[dict[str, Any]]]:
    """Return every law, recovery, variant, channel, MAC and application, with a line on each."""
    document: dict[str, list[dict[str, Any]]] = json.loads(_core.catalogue())
    return document


def read(scenario: Given, overrides: Overrides = (), seed: int | None = None) -> Job:
    """Return a scenario with changes and the files that it names then; raises ScenarioError."""
    text, file = source.load(scenario)
    changes = as_overrides(overrides)
    return Job(text, file, changes, seed, files=source.files_of(text, file, changes))


def as_overrides(overrides: Overrides) -> tuple[str, ...]:
    """Return overrides in the form of the command line, ``key=value``."""
    if isinstance(overrides, Mapping):
        return tuple(f"{key}={_written(key, value)}" for key, value in overrides.items())
    if isinstance(overrides, str):
        return (overrides,)
    return tuple(overrides)


def _written(key: str, value: object) -> str:
    if isinstance(value, str) and _is_bare(value):
        return value
    try:
        return toml.shown(value)
    except TypeError as error:
        raise UsageError(f"override {key!r}: {error}") from None


def _is_bare(text: str) -> bool:
    """Return whether the core reads the text without quotes as this string: what is no TOML value."""
    if not text or text != text.strip() or text[0] in "\"'[{":
        return False
    try:
        tomllib.loads(f"v={text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return True
    return False
