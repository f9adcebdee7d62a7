"""Web and voice within the reproduction: run, told in the document, audited."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lasthop.listeners import Count
from lasthop.papers import sweeps
from lasthop.papers.petrovic2003.traffic import audit, judging, rows
from lasthop.papers.petrovic2003.traffic.experiments import VOICE, WEB, Experiment
from lasthop.papers.sweeps import Samples

ALL = (WEB, VOICE)
STORES = "studies"
"""The directory in which the studies keep what they have computed."""

Bar = Callable[[str], AbstractContextManager[Count]]
"""Shows progress of what it is told."""


@dataclass(frozen=True)
class Part:
    """An experiment and its finished runs."""

    experiment: Experiment
    samples: Samples


@dataclass(frozen=True)
class PartOptions:
    """How parts are run."""

    directory: Path
    seed: int
    replications: int | None
    threads: int | None
    quick: bool
    bar: Bar


def wanted(tables: tuple[str, ...]) -> list[Experiment]:
    """Return the experiments that these tables are of."""
    return [each for each in ALL if set(each.tables) & set(tables)]


def run(experiment: Experiment, how: PartOptions) -> Part:
    """Run an experiment; Ctrl-C keeps what was finished."""
    study = experiment.study(how.seed, how.replications, how.quick)
    with how.bar(experiment.id) as told:
        directory = how.directory / STORES / experiment.id
        return Part(experiment, sweeps.run(study, directory, how.threads, told))


def tell(document: dict[str, Any], part: Part, wanted: tuple[str, ...]) -> None:
    """Add a part's tables and verdicts to the document."""
    experiment, samples = part.experiment, part.samples
    made = rows.tables(experiment, samples)
    document["tables"] += [table for table in made if table["id"] in wanted]
    if samples.judgeable:
        document["claims"] += judging.judge(experiment, samples)
    document["traffic"][experiment.id] = {
        "study": experiment.file,
        "replications": samples.study.replications,
        "runs": samples.runs,
        "runs_planned": samples.planned,
        "agreement": {table["id"]: rows.agreement(table) for table in made},
        "audit": None,
    }
    document["runs"] += samples.runs
    document["runs_planned"] += samples.planned
    document["complete"] = document["runs"] == document["runs_planned"]


def audited(part: Part, how: PartOptions) -> dict[str, Any] | None:
    """Run the alternatives of a part; None where Ctrl-C came before the first was finished."""
    directory = how.directory / STORES / f"{part.experiment.id}.audit"
    study = part.experiment.study(how.seed, None, how.quick)
    with how.bar(f"{part.experiment.id}: alternatives") as told:
        try:
            return audit.run(
                part.experiment, study, directory, quick=how.quick, threads=how.threads, told=told
            )
        except KeyboardInterrupt:
            return None
