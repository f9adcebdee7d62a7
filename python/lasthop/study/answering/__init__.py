"""The answer of a study: a sentence about what differs most of what people notice first, with its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lasthop.numbers.numerals import finite
from lasthop.study.answering.choosing import Chosen, Kind, chosen, effects
from lasthop.study.answering.sentences import sentences
from lasthop.study.answering.speaking import Spoken, spoken
from lasthop.study.claims import Table
from lasthop.study.judgement import judged_tables
from lasthop.study.spec import Study
from lasthop.study.swept import Results

__all__ = ["Answer", "Kind", "answer"]


@dataclass(frozen=True)
class Answer:
    """What a study answers.

    Attributes:
        question: What it asks; empty where it does not say.
        found: What answers, and the numbers behind it.
        said: The sentences; the first is the shortest form.
        spoken: The metric in words; None where nothing is compared.
        tables: The values by metric, by which all was judged.
    """

    question: str
    found: Chosen
    said: tuple[str, ...]
    spoken: Spoken | None
    tables: Mapping[str, Table] = field(repr=False)

    @cached_property
    def sentence(self) -> str:
        """All sentences in a line."""
        return " ".join(self.said)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON; means in the units of the metrics."""
        found, candidate, split = self.found, self.found.candidate, self.found.split
        groups = {"best": split.best, "rest": split.rest} if split and found.is_split else {}
        if not found.has_best:  # of what nobody wants more or less of
            groups = dict(zip(("higher", "lower"), groups.values(), strict=False))
        ratios = effects(candidate, split, split.won) if candidate and split and split.won else []
        return {
            "question": self.question or None,
            "kind": str(found.kind),
            "sentence": self.sentence,
            "metric": candidate.metric if candidate else None,
            "axis": candidate.axis if candidate else None,
            **{name: list(groups.get(name, ())) for name in ("best", "rest", "higher", "lower")},
            "cells": len(candidate.cells) if candidate else 0,
            "cells_decided": len(split.won) if split and found.is_split else 0,
            "ratio": [finite(min(ratios)), finite(max(ratios))] if ratios else None,
            "means": candidate.means if candidate else {},
            "watched": found.watched.metric if found.watched else None,
            "replications_needed": found.needed,
        }


def answer(results: Results, study: Study) -> Answer:
    """Return the answer of a study, of the replications that are there."""
    tables = judged_tables(results, study)
    found = chosen(results, study, tables)

    def speak(metric: str) -> Spoken:
        return spoken(metric, results.scale(metric))

    runs = min((results.count(row) for row in results.rows), default=0)
    said = sentences(found, speak, runs) if found.candidate else _alone(results, speak)
    words = speak(found.candidate.metric) if found.candidate else None
    return Answer(study.question, found, tuple(said), words, tables)


def _alone(results: Results, speak: Any) -> list[str]:
    """Say what there is where nothing is compared."""
    known = [
        (name, estimate.mean)
        for name in results.metrics
        for row in results.rows
        if (estimate := results.estimate(name, row)) is not None
    ]
    if not known or len(results.rows) > 1:
        return ["Nothing to compare.", "No two cells differ in one axis alone."]
    words = speak(known[0][0])
    said = words.told([known[0][1]])
    return ["One setting, nothing to compare.", f"{said[:1].upper()}{said[1:]}."]
