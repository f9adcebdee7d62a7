"""What a store says of its study, and the study from what a store says."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lasthop import _core, source
from lasthop.claims.reading import read_claims
from lasthop.errors import LasthopError, UsageError
from lasthop.jobs import Handed
from lasthop.study.axes import Axis
from lasthop.study.cells import Cell
from lasthop.study.laws import named
from lasthop.study.spec import Comparison, Precision, Study, Unstated, Window

FORMAT = 2
"""Raised when readers of older manifests would miss something."""


def manifest(study: Study, cells: Sequence[Cell]) -> dict[str, Any]:
    """Return what a store says of its study: all that is needed to run it again."""
    text, file = study.source
    units = {metric.name: metric.unit for cell in cells for metric in cell.metrics.all}
    lengths = [cell.duration_s for cell in cells]
    return {
        "format": FORMAT,
        "study": study.name,
        "description": study.description,
        "version": _core.__version__,
        "engine": _core.__engine__,
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
        "laws": [[law.name, law.digest] for law in named(study.laws)],
        "compare": [asdict(each) for each in study.compare],
        "scenario": {"text": study.scenario},
        "source": {"text": text},
        "found": {
            "scenario": study.file,
            "source": file,
            "folder": str(Path(study.file).parent.absolute()),
        },
    }


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
        engine = held.get("engine", "unknown")
        raise UsageError(
            f"{path} is in the format of another lasthop (its engine {engine}, this one {_core.__engine__}): "
            "sweep the study again, there or into another directory"
        )


def restore(held: Mapping[str, Any]) -> Study:
    """Return what can be run again of a manifest; the scenario's own files are read where it stands.

    Raises LasthopError where it was written by another engine, whose results may be others.
    """
    if held["engine"] != _core.__engine__:
        raise LasthopError(
            f"the study was begun with the engine {held['engine']}, this is {_core.__engine__}: "
            "install the same version everywhere"
        )
    return restored(held)


def restored(held: Mapping[str, Any], files: tuple[Handed, ...] | None = None) -> Study:
    """Return the study of a manifest, whatever engine wrote it; `files`: those that the scenario names."""
    text, changes, found = held["scenario"]["text"], tuple(held["set"]), held["found"]
    # From any directory, and on another machine that sees the same ones.
    file = str(Path(found["folder"]) / Path(found["scenario"]).name)
    own = tomllib.loads(held["source"]["text"])
    wish, window = held.get("precision"), held.get("window")
    if laws := [name for name, _ in held.get("laws", ())]:
        raise LasthopError(
            f"the study {held['study']} has laws in Python ({', '.join(laws)}), which its store does not hold: "
            "run it where they are"
        )
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
        kind=held.get("kind", "terminating"),
        window=Window(**window) if window else None,
        compare=tuple(Comparison(**each) for each in held.get("compare", ())),
        unstated=tuple(
            Unstated(
                row["name"], row.get("key", row["name"]), tuple(row["values"]), row.get("why", "")
            )
            for row in own.get("unstated", ())
        ),
        claims=tuple(read_claims(own.get("claim", []), found["source"])),
        files=source.files_of(text, file, changes) if files is None else files,
        source=(held["source"]["text"], found["source"]),
    )
