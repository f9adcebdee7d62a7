"""Running scenarios from Python: a file or text in, tidy tables out."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lasthop import _core, source, stats
from lasthop.captures import Captures
from lasthop.errors import UsageError
from lasthop.jobs import How, Job, documents_of, refuse_strange_numbers, run_each
from lasthop.keywords import fields_of
from lasthop.law import LawFactory
from lasthop.listeners import Count, Fraction
from lasthop.prepared import Prepared
from lasthop.runs import Run as Run
from lasthop.source import Given

Overrides = Mapping[str, object] | Iterable[str] | str
"""Changes to a scenario: ``{"tcp.variant": "tahoe"}`` ``["tcp.variant=tahoe"]`` or one of them."""


@dataclass(frozen=True, kw_only=True)
class Running:
    """How a scenario is run.

    Attributes:
        seed: The root of all random numbers; by default the scenario's own.
        replications: How many independent runs of this seed.
        overrides: Changes to the scenario, by dotted key.
        threads: How many runs at a time; by default one for each core. Results do not depend on it.
        fraction: Told how much of all simulated time is done, 0 to 1, ten times a second.
        laws: Laws in Python by the names that `tcp.law` may say: ``{"mine": MyLaw}``. Slower, and on one thread.
        law: The one of `laws` that every TCP flow uses where the scenario names none of them.
        pcap: A directory for captures: a pcapng file for each interface (``server-eth0``, ``sta1-wlan0``) and for
            each channel (``air-cell``); with several replications, a directory for each. They change no result.
        pcap_only: Capture these interfaces only: patterns such as ``sta1-*``.
        pcap_snap: Keep at most so many bytes of each packet; by default all.
    """

    seed: int | None = None
    replications: int = 1
    overrides: Overrides = ()
    threads: int | None = None
    fraction: Fraction | None = None
    laws: Mapping[str, LawFactory] | None = None
    law: str | None = None
    pcap: str | Path | None = None
    pcap_only: Sequence[str] = ()
    pcap_snap: int | None = None

    def job(self, scenario: Given | Prepared) -> Job:
        """Read a scenario, to be run so often; raises UsageError for numbers that no run can have."""
        return self.prepared(scenario).job(0, self.replications)

    def prepared(self, scenario: Given | Prepared) -> Prepared:
        """Read a scenario as it is to be run; raises UsageError for numbers that no run can have.

        One that was read before stays as it is, with its changes and its seed.
        """
        refuse_strange_numbers(self.seed, self.replications, self.threads)
        if isinstance(scenario, Prepared):
            return scenario
        found = read(scenario, self.overrides, self.seed)
        return replace(found, laws=self.laws or {}, law=self.law)

    def how(self) -> How:
        """Return what this asks of the runner."""
        return How(
            self.threads,
            fraction=self.fraction,
            laws=self.laws,
            law=self.law,
            captures=self.captures,
        )

    @property
    def captures(self) -> Captures | None:
        """What is to be captured."""
        if self.pcap is None:
            return None
        return Captures(Path(self.pcap), tuple(_names(self.pcap_only)), self.pcap_snap)


@dataclass(frozen=True, kw_only=True)
class Watching(Running):
    """How a scenario is run whose documents are kept, and what is watched.

    Attributes:
        progress: Told (finished, all) as runs finish.
        probes: Which time series to keep: ``tcp`` (state of the senders), ``cuts`` (window cuts and their
            causes), ``queue`` (packets waiting), ``flows`` (rates, losses and delays by step), ``frames`` (what
            each symbol of 802.16 frames is for), ``packets`` (each packet, sent, received or lost, and where its
            time went), and others that `lasthop list probes` names. They change no result.
        probe_every_s: At most one row of a flow or queue in each step of so many seconds, its last state, or the
            first frames of a cell; by default every change, and of ``flows`` each second.
    """

    progress: Count | None = None
    probes: Sequence[str] = ()
    probe_every_s: float | None = None

    def how(self) -> How:
        """Return what this asks of the runner."""
        step = None if self.probe_every_s is None else f"{float(self.probe_every_s)!r} s"
        probes = _names(self.probes)
        return replace(super().how(), progress=self.progress, probes=probes, probe_every=step)


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


def kept(scenario: Given | Prepared, asked: Watching) -> Run:
    """Run a scenario and keep its documents; see :func:`run`."""
    prepared = asked.prepared(scenario)
    results = documents_of([prepared.job(0, asked.replications)], asked.how())
    return Run([document for document in results if document], prepared)


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


def reduced(summary: stats.Summary, scenario: Given, asked: Running) -> None:
    """Run a scenario and keep the summary only; see :func:`summarise`."""
    early: dict[int, dict[str, Any]] = {}
    following = 0

    def take(place: int, document: dict[str, Any]) -> None:
        # In the order of the replications, so that the result does not depend on threads.
        nonlocal following
        early[place] = document
        while following in early:
            summary.add(early[following])
            del early[following]
            following += 1

    try:
        run_each([asked.job(scenario)], take, asked.how())
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


def read(scenario: Given, overrides: Overrides = (), seed: int | None = None) -> Prepared:
    """Return a scenario with changes and the files that it names then; raises ScenarioError."""
    text, file = source.load(scenario)
    changes = as_overrides(overrides)
    return Prepared(text, file, changes, source.files_of(text, file, changes), seed)


def as_overrides(overrides: Overrides) -> tuple[str, ...]:
    """Return overrides in the form of the command line, ``key=value``."""
    if isinstance(overrides, Mapping):
        return tuple(f"{key}={_toml(key, value)}" for key, value in overrides.items())
    if isinstance(overrides, str):
        return (overrides,)
    return tuple(overrides)


def _names(names: Sequence[str]) -> list[str]:
    """Give names as a list; one name alone is a list of one, not of its letters."""
    return [names] if isinstance(names, str) else list(names)


def _toml(key: str, value: object) -> str:
    if value is None:
        raise UsageError(f"override {key!r}: None cannot be a value of a scenario")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        inside = (_quoted(x) if isinstance(x, str) else _toml(key, x) for x in value)
        return f"[{', '.join(inside)}]"
    if isinstance(value, str) and not _is_bare(value):
        return _quoted(value)
    return str(value)


def _is_bare(text: str) -> bool:
    """Return whether the core reads the text without quotes as this string: what is no TOML value."""
    if not text or text != text.strip() or text[0] in "\"'[{":
        return False
    try:
        tomllib.loads(f"v={text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return True
    return False


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _shown(value: object) -> str:
    return f"{value:,.6g}" if isinstance(value, float) else "" if value is None else str(value)
