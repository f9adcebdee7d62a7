"""Reading study files. Errors name file, line and column, what is allowed and the nearest name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lasthop.core import mistakes, shipped, source
from lasthop.core.jobs import MOST_REPLICATIONS
from lasthop.core.mistakes import apart, kept
from lasthop.core.quantities import full
from lasthop.core.toml import written
from lasthop.errors import ScenarioError, Steps, StudyError, UsageError, offered
from lasthop.study import axes
from lasthop.study.claims.claim_format import Claim, read_claims
from lasthop.study.comparisons import comparisons, one_metric, tables
from lasthop.study.places import Document
from lasthop.study.spec import KINDS, Precision, Study, Unstated

TABLES = ("study", "axes", "precision", "compare", "unstated", "claim", "scenario")
STUDY_KEYS = (
    "name",
    "description",
    "question",
    "answer_by",
    "scenario",
    "set",
    "seed",
    "replications",
    "metrics",
    "budget",
    "kind",
    "warmup",
)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,79}")
INLINE = " [scenario]"
"""The name of a study's own scenario in messages, after the study's file."""

TIMES = {"ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def read(path: str | Path) -> Study:
    """Read a study file.

    Raises:
        StudyError: It is wrong.
        ScenarioError: Its scenario cannot be read.
    """
    path = shipped.found(path, "studies")
    try:
        text = source.read(path, ("studies",))
    except ScenarioError as error:
        raise error.behind("", StudyError) from None
    return parse(text, str(path))


def parse(text: str, file: str) -> Study:
    """Read the text of a study; the scenario that it names is looked for beside `file`.

    Raises:
        StudyError: It is wrong.
        ScenarioError: Its scenario cannot be read.
    """
    document = Document(text, file)
    table = _study(document)
    none: tuple[str, ...] = ()
    seed = kept(lambda: _seed(document, table), None)
    before = mistakes.count()
    groups = kept(lambda: _axes(document, 1 if seed is None else seed), None)
    is_known = mistakes.count() == before
    scenario, name = kept(lambda: _scenario(document), ("", file))
    kind, warmup = kept(lambda: _kind(document, table), ("terminating", none))
    set_ = kept(lambda: document.texts(("study", "set"), table), none)
    changes = (*set_, *warmup)
    precision = kept(lambda: _precision(document), None)
    study = Study(
        name=kept(lambda: _name(document, table), ""),
        description=kept(lambda: document.get(("study", "description"), table, str, ""), ""),
        question=kept(lambda: document.get(("study", "question"), table, str, ""), ""),
        scenario=scenario,
        file=name,
        axes=groups or (),
        metrics=kept(lambda: document.texts(("study", "metrics"), table), none) or ("goodput_bps",),
        replications=kept(lambda: _replications(document, table, precision), 1),
        precision=precision,
        changes=changes,
        seed=seed,
        compare=comparisons(document, groups if is_known else None),
        unstated=_unstated(document),
        claims=_claims(document),
        budget_s=kept(lambda: _time(document, ("study", "budget"), table, "10 min"), None),
        kind=kind,
        files=source.files_of(scenario, name, changes),
        source=(text, file),
    )
    return replace(study, answer_by=kept(lambda: _answer_by(document, study), None))


def _study(document: Document) -> Mapping[str, Any]:
    """Return the table [study] of a document whose tables are those of a study."""
    root = document.root
    if "study" not in root and root.keys() & {"flow", "link", "cell"}:
        said = (
            "this is a scenario, not a study: run `lasthop run` on it, or name it in a study, "
            '[study] scenario = "FILE.toml"'
        )
        document.fail((), said)
    misplaced = [key for key in root if key in STUDY_KEYS and key != "scenario"]
    for key in misplaced:
        with apart():
            document.fail((key,), f'"{key}" belongs in [study]', key=True)
    document.only((), {key: root[key] for key in root if key not in misplaced}, TABLES)
    table: Mapping[str, Any] = document.get(("study",), root, dict)
    document.only(("study",), table, STUDY_KEYS)
    return table


def _answer_by(document: Document, study: Study) -> str | None:
    """Return the metric by which a study is answered; it must be one that the study measures."""
    path = ("study", "answer_by")
    name: str | None = document.get(path, document.root["study"], str, None)
    one_metric(document, path, name)
    if name is None or full(name) in study.all_metrics:
        return name
    there = ", ".join(study.all_metrics)
    hint = offered(full(name), study.all_metrics, there, "allowed")
    document.fail(path, f'the study does not measure "{name}"{hint}', "unknown-name")


def _axes(document: Document, seed: int) -> tuple[tuple[axes.Axis, ...], ...]:
    groups = axes.read(document, document.get(("axes",), document.root, dict, {}), seed)
    cells = 1
    for group in groups:
        cells *= len(group[0].values)
    if cells > axes.MOST_CELLS:
        said = f"{cells:,} cells; allowed: at most {axes.MOST_CELLS:,}"
        document.fail(("axes",), said, "out-of-range")
    return groups


def stated(text: str, file: str) -> dict[str, Any]:
    """Return what the text of a study says beside what is run, as fields of a `Study`; raises StudyError."""
    if not text:
        return {}
    document = Document(text, file)
    table = document.get(("study",), document.root, dict)
    return {
        "question": document.get(("study", "question"), table, str, ""),
        "answer_by": document.get(("study", "answer_by"), table, str, None),
        "unstated": _unstated(document),
        "claims": _claims(document),
    }


def changes_in(text: str, file: str) -> tuple[str, ...]:
    """Return the changes of the scenario that the text of a study makes itself; raises StudyError."""
    if not text:
        return ()
    document = Document(text, file)
    table = document.get(("study",), document.root, dict)
    return (*document.texts(("study", "set"), table), *_kind(document, table)[1])


def repeated_in(text: str, file: str) -> tuple[int, Precision | None]:
    """Return the replications and the precision that the text of a study asks for; raises StudyError."""
    document = Document(text, file)
    precision = _precision(document)
    return _replications(
        document, document.get(("study",), document.root, dict), precision
    ), precision


def _name(document: Document, table: Mapping[str, Any]) -> str:
    name: str = document.get(("study", "name"), table, str)
    if not NAME.fullmatch(name):
        allowed = "letters, digits, spaces and . _ + -, the first a letter or digit, at most 80"
        document.fail(("study", "name"), f"a study's name has {allowed}", "out-of-range")
    return name


def _scenario(document: Document) -> tuple[str, str]:
    """Return the base scenario's text and what messages call it."""
    table = document.root["study"]
    inline = document.get(("scenario",), document.root, dict, None)
    named = document.get(("study", "scenario"), table, str, None)
    if (inline is None) == (named is None):
        said = "two scenarios" if named else "no scenario"
        where = ("scenario",) if named else ("study",)
        said += '; allowed: either scenario = "FILE.toml" or a table [scenario]'
        document.fail(where, said, "out-of-range")
    if named is None:
        return written(inline), f"{document.file}{INLINE}"
    path = Path(document.file).parent / named
    if not path.is_file():
        path = shipped.found(named, "scenarios") if shipped.is_ours(named, "scenarios") else path
    if not path.is_file():
        try:
            source.read(path)
        except ScenarioError as error:
            document.fail(("study", "scenario"), f"{path}: {error.said}", error.code)
    return source.read(path), str(path)


def _replications(document: Document, table: Mapping[str, Any], precision: Precision | None) -> int:
    default = precision.min_replications if precision else 10
    path = ("study", "replications")
    count: int = document.get(path, table, int, default)
    most = precision.max_replications if precision else MOST_REPLICATIONS
    if not 1 <= count <= most:
        document.fail(path, f"replications are from 1 to {most:,}, not {count}", "out-of-range")
    return count


def _seed(document: Document, table: Mapping[str, Any]) -> int | None:
    seed: int | None = document.get(("study", "seed"), table, int, None)
    if seed is not None and seed < 0:
        document.fail(("study", "seed"), "a seed is 0 or more", "out-of-range")
    return seed


def _kind(document: Document, table: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return the kind of a study, and the warm-up that it states as a change of the scenario."""
    stated = _time(document, ("study", "warmup"), table, "5 s", words=("auto",))
    kind: str = document.get(("study", "kind"), table, str, KINDS["warmup" not in table])
    if kind not in KINDS:
        allowed = ", ".join(KINDS)
        hint = offered(kind, KINDS, allowed, "allowed")
        document.fail(("study", "kind"), f'unknown kind "{kind}"{hint}', "unknown-name")
    if kind == "terminating" and "warmup" in table:
        said = (
            "a terminating study cuts nothing; its window is the scenario's own warmup and duration"
        )
        document.fail(("study", "warmup"), said)
    if kind == "steady":
        changes = document.texts(("study", "set"), table)
        set_ = [n for n, change in enumerate(changes) if change.split("=")[0].strip() == "warmup"]
        if set_ and "warmup" in table:
            document.fail(("study", "set", set_[0]), 'two warm-ups; the other is "warmup"')
        if "warmup" in document.root.get("axes", {}):
            document.fail(("axes", "warmup"), "a steady-state study has one warm-up", key=True)
    return kind, () if stated is None else (f"warmup={table['warmup']}",)


def _time(
    document: Document,
    path: Steps,
    table: Mapping[str, Any],
    such_as: str,
    words: Sequence[str] = (),
) -> float | None:
    """Return a time in seconds; None where there is none, or one of `words`."""
    text = document.get(path, table, str, None)
    if text is None or text in words:
        return None
    match = re.fullmatch(r"\s*([0-9.]+)\s*([a-z]+)\s*", text)
    try:
        seconds = float(match[1]) * TIMES[match[2]] if match else 0.0
    except (KeyError, ValueError):
        seconds = 0.0
    if seconds <= 0:
        allowed = ", ".join(TIMES)
        others = "".join(f', or "{word}"' for word in words)
        document.fail(
            path,
            f'"{text}" is not a time, such as "{such_as}"{others}; units: {allowed}',
            "unknown-unit",
        )
    return seconds


def _precision(document: Document) -> Precision | None:
    path = ("precision",)
    table = document.get(path, document.root, dict, None)
    if table is None:
        return None
    names = ("metric", "relative", "absolute", "level", "min_replications", "max_replications")
    document.only(path, table, names)
    relative = kept(lambda: _half_width(document, table, "relative"), None)
    absolute = kept(lambda: _half_width(document, table, "absolute"), None)
    with apart():
        if ("relative" in table) == ("absolute" in table):
            said = "allowed: either relative = 0.02 or absolute, in the metric's unit"
            document.fail(path, said, "out-of-range", key=True)
    level = kept(lambda: _level(document, table), 0.95)
    least = kept(lambda: document.get((*path, "min_replications"), table, int, 10), 10)
    most = kept(lambda: document.get((*path, "max_replications"), table, int, 1000), 1000)
    if not 2 <= least <= most <= MOST_REPLICATIONS:
        with apart():
            document.fail(
                path,
                f"allowed: 2 <= min_replications <= max_replications <= {MOST_REPLICATIONS:,}",
                "out-of-range",
            )
    metric = document.get((*path, "metric"), table, str)
    one_metric(document, (*path, "metric"), metric)
    return Precision(metric, relative, absolute, level, least, most)


def _half_width(document: Document, table: Mapping[str, Any], key: str) -> float | None:
    number: float | None = document.get(("precision", key), table, float, None)
    if number is not None and not 0 < number < float("inf"):
        document.fail(("precision", key), "a half width is above zero", "out-of-range")
    return number


def _level(document: Document, table: Mapping[str, Any]) -> float:
    level: float = document.get(("precision", "level"), table, float, 0.95)
    if not 0.5 <= level < 1:
        said = f"a level is from 0.5 to below 1, such as 0.95, not {level}"
        document.fail(("precision", "level"), said, "out-of-range")
    return level


def _unstated(document: Document) -> tuple[Unstated, ...]:
    found = []
    for path, row in tables(document, "unstated"):
        with apart():
            found.append(_one_unstated(document, path, row))
    return tuple(found)


def _one_unstated(document: Document, path: Steps, row: Mapping[str, Any]) -> Unstated:
    document.only(path, row, ("name", "key", "values", "why"))
    name = document.get((*path, "name"), row, str)
    values = document.get((*path, "values"), row, list)
    if len(values) < 2 or not all(isinstance(v, (str, int, float)) for v in values):
        document.fail(
            (*path, "values"),
            "an unstated choice has two values or more; the first is used",
            "out-of-range",
        )
    key = document.get((*path, "key"), row, str, name)
    why = document.get((*path, "why"), row, str, "")
    return Unstated(name, key, tuple(values), why)


def _claims(document: Document) -> tuple[Claim, ...]:
    with apart():
        try:
            claims = read_claims(_whole(document.root.get("claim", [])), document.file)
        except UsageError as error:
            raise error.behind("", StudyError, document.file, error.path) from None
        for claim in claims:
            for name in claim.metrics():
                with apart():
                    one_metric(document, claim.path, name)
        return tuple(claims)
    return ()


def _whole(said: Any) -> Any:
    """Return a table of a study with the full names of its metrics."""
    if isinstance(said, Mapping):
        return {
            key: _metrics(value) if key == "metric" else _whole(value)
            for key, value in said.items()
        }
    return [_whole(each) for each in said] if isinstance(said, list) else said


def _metrics(said: Any) -> Any:
    """Return the whole names of a metric or of a list of them."""
    if isinstance(said, list):
        return [_metrics(each) for each in said]
    return full(said) if isinstance(said, str) else said
