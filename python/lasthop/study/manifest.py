"""What a store says of its study, and the study from what a store says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop import _core, source
from lasthop.errors import LasthopError
from lasthop.study.axes import Axis
from lasthop.study.spec import Study


def manifest(study: Study, units: dict[str, str]) -> dict[str, Any]:
    """Return what a store says of its study: all that is needed to run it again."""
    text, file = study.source
    return {
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
        "scenario": {"file": study.file, "text": study.scenario},
        "source": {"file": file, "text": text},
    }


def restore(held: Mapping[str, Any]) -> Study:
    """Return what can be run again of a manifest; the scenario's own files are read where it stands.

    Raises LasthopError where it was written by another engine, whose results may be others.
    """
    if held["engine"] != _core.__engine__:
        raise LasthopError(
            f"the study was begun with the engine {held['engine']}, this is {_core.__engine__}: "
            "install the same version everywhere"
        )
    scenario, changes = held["scenario"], tuple(held["set"])
    text, file = held["source"]["text"], held["source"]["file"]
    return Study(
        name=held["study"],
        description=held["description"],
        scenario=scenario["text"],
        file=scenario["file"],
        axes=tuple(tuple(Axis(k, tuple(v)) for k, v in group) for group in held["axes"]),
        metrics=tuple(held["asked"]),
        replications=held["replications"],
        changes=changes,
        seed=held["seed"],
        files=source.files_of(scenario["text"], scenario["file"], changes),
        source=(text, file),
    )
