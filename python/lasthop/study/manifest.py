"""The manifest of a store, from a study and back."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lasthop.core import shapes, source
from lasthop.core.engine import engine, version
from lasthop.core.job import Handed
from lasthop.core.jobs import MOST_REPLICATIONS
from lasthop.core.quantities import full
from lasthop.errors import LasthopError, UsageError
from lasthop.study import law_sources as laws_
from lasthop.study.axes import MOST_CELLS, Axis
from lasthop.study.cells import Cell
from lasthop.study.reader import stated
from lasthop.study.spec import KINDS, Comparison, Precision, Study, Window

FORMAT = 2
"""Raised when readers of older manifests would miss something."""


def manifest(study: Study, cells: Sequence[Cell]) -> dict[str, Any]:
    """Return the manifest of a study: all that is needed to run it again."""
    text, file = study.source
    units = {metric.name: metric.unit for cell in cells for metric in cell.metrics.all}
    lengths = [cell.duration_s for cell in cells]
    return {
        "format": FORMAT,
        "study": study.name,
        "description": study.description,
        "version": version(),
        "engine": engine(),
        "axes": [[[axis.key, list(axis.values)] for axis in group] for group in study.axes],
        "asked": list(study.all_metrics),
        "metrics": units,
        "replications": study.replications,
        "set": list(study.changes),
        "seed": study.seed,
        "precision": asdict(study.precision) if study.precision else None,
        "kind": study.kind,
        "duration_s": [min(lengths), max(lengths)],
        "warmup_s": sorted({cell.warmup_s for cell in cells}),
        "window": asdict(study.window) if study.window else None,
        "laws": laws_.as_documents(study.laws, study.law),
        "compare": [asdict(each) for each in study.compare],
        "scenario": {"text": study.scenario},
        "source": {"text": text},
        "found": {
            "scenario": study.file,
            "source": file,
            "folder": str(Path(study.file).parent.absolute()),
        },
    }


_SCALARS = shapes.each(shapes.scalar, 1)

#: The form of a manifest.
SHAPE = shapes.fields(
    {
        "format": shapes.whole(FORMAT, FORMAT),
        "study": shapes.text,
        "description": shapes.text,
        "version": shapes.text,
        "engine": shapes.text,
        "axes": shapes.each(shapes.each(shapes.row(shapes.text, _SCALARS), 1)),
        "asked": shapes.each(shapes.text, 1),
        "metrics": shapes.table(shapes.text),
        "replications": shapes.whole(1, MOST_REPLICATIONS),
        "set": shapes.each(shapes.text),
        "seed": shapes.maybe(shapes.whole()),
        "precision": shapes.maybe(
            shapes.fields(
                {
                    "metric": shapes.text,
                    "relative": shapes.maybe(shapes.number),
                    "absolute": shapes.maybe(shapes.number),
                    "level": shapes.number,
                    "min_replications": shapes.whole(2, MOST_REPLICATIONS),
                    "max_replications": shapes.whole(2, MOST_REPLICATIONS),
                }
            )
        ),
        "kind": shapes.one_of(*KINDS),
        "duration_s": shapes.row(shapes.number, shapes.number),
        "warmup_s": shapes.each(shapes.number, 1),
        "window": shapes.maybe(
            shapes.fields(
                {
                    "how": shapes.one_of("auto", "stated"),
                    "cut_s": shapes.maybe(shapes.number),
                    "pilots": shapes.table(shapes.row(shapes.number, shapes.text, shapes.flag)),
                }
            )
        ),
        "laws": laws_.SHAPE,
        "compare": shapes.each(
            shapes.fields(
                {
                    "axis": shapes.text,
                    "metric": shapes.text,
                    "baseline": shapes.maybe(shapes.scalar),
                    "margin": shapes.maybe(shapes.number),
                }
            )
        ),
        "scenario": shapes.fields({"text": shapes.text}),
        "source": shapes.fields({"text": shapes.text}),
        "found": shapes.fields(
            {"scenario": shapes.path, "source": shapes.path, "folder": shapes.path}
        ),
    }
)


def checked(document: Any, where: str) -> dict[str, Any]:
    """Return a manifest, all of which is as it must be; `where`: what messages call it.

    Of one in another format only `format`, `study` and `engine` are there: see `refuse_other_format`.
    Raises UsageError.
    """
    if isinstance(document, dict) and document.get("format") != FORMAT:
        names = {key: str(document.get(key, "unknown"))[:80] for key in ("study", "engine")}
        return {"format": None, **names}
    try:
        shapes.check(document, SHAPE)
        held: dict[str, Any] = document
        sizes = [{len(values) for _, values in group} for group in held["axes"]]
        if any(len(each) > 1 for each in sizes):
            raise shapes.MisshapenError("axes: those of a group have unlike many values")
        if math.prod(size for each in sizes for size in each) > MOST_CELLS:
            raise shapes.MisshapenError(f"axes: more than {MOST_CELLS:,} cells")
        if held["kind"] == "steady" and held["window"] is None:
            raise shapes.MisshapenError("window is null in a steady-state study")
        # Stores of before 0058 have names with their units left out.
        held |= {
            "asked": [full(name) for name in held["asked"]],
            "metrics": {full(name): unit for name, unit in held["metrics"].items()},
        }
    except shapes.MisshapenError as error:
        raise error.behind(f"{where} is damaged", UsageError, path=error.path) from None
    return held


def of_another_engine(held: Mapping[str, Any]) -> str:
    """Return what there is to say where the numbers were computed by another engine than this; else nothing."""
    if held["engine"] == engine():
        return ""
    return (
        f"computed by the engine {held['engine']} of lasthop {held['version']}, this is {engine()}: "
        "its numbers may differ; sweep the study again with this engine"
    )


def same(held: Mapping[str, Any] | None, wanted: Mapping[str, Any]) -> bool:
    """Return whether two manifests say the same, wherever the study was found."""
    if held is None:
        return False
    bare = {key: value for key, value in wanted.items() if key != "found"}
    known = {key: value for key, value in held.items() if key != "found"}
    return bool(known == json.loads(json.dumps(bare)))


def refuse_other_format(held: Mapping[str, Any], path: Path) -> None:
    """Raise UsageError where a manifest was written by a version of lasthop that this one cannot read."""
    if held.get("format") != FORMAT:
        theirs = held.get("engine", "unknown")
        raise UsageError(
            f"{path} is in the format of another lasthop (its engine {theirs}, this one {engine()}): "
            "sweep the study again, there or into another directory"
        )


def restore(held: Mapping[str, Any]) -> Study:
    """Return the study of a manifest; the scenario's own files are read from their place.

    Raises LasthopError where it was written by another engine, whose results may be others.
    """
    if held["engine"] != engine():
        raise LasthopError(
            f"the study was begun with the engine {held['engine']}, this is {engine()}: "
            "install the same version everywhere"
        )
    return restored(held)


def restored(held: Mapping[str, Any], files: tuple[Handed, ...] | None = None) -> Study:
    """Return the study of a manifest, whatever engine wrote it; `files`: those that the scenario names.

    Its laws in Python are data: see `lasthop.study.law_sources.loaded`.
    """
    text, changes, found = held["scenario"]["text"], tuple(held["set"]), held["found"]
    # From any directory, and on another machine that sees the same ones.
    file = str(Path(found["folder"]) / Path(found["scenario"]).name)
    wish, window = held["precision"], held["window"]
    laws, law = laws_.of_documents(held["laws"])
    return Study(
        name=held["study"],
        description=held["description"],
        scenario=text,
        file=file,
        axes=tuple(tuple(Axis(k, tuple(v)) for k, v in group) for group in held["axes"]),
        metrics=tuple(held["asked"]),
        replications=held["replications"],
        precision=Precision(**wish) if wish else None,
        changes=changes,
        seed=held["seed"],
        kind=held["kind"],
        window=Window(**window) if window else None,
        compare=tuple(Comparison(**each) for each in held["compare"]),
        laws=laws,
        law=law,
        **stated(held["source"]["text"], found["source"]),
        files=source.files_of(text, file, changes) if files is None else files,
        source=(held["source"]["text"], found["source"]),
    )
