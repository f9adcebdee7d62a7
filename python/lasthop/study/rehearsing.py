"""A study gone through without runs: mistakes of its scenario, of each value of an axis, of each metric."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from lasthop.core.engine import Files
from lasthop.core.engine import outline as outlined
from lasthop.core.job import Job
from lasthop.core.mistakes import apart, count
from lasthop.errors import ScenarioError, StudyError
from lasthop.study import cells
from lasthop.study.axes import Axis, Value
from lasthop.study.judgement import refuse_wrong_claims
from lasthop.study.spec import Study


def rehearse(study: Study, *, whole: bool = True) -> None:
    """Check all of a study; raises StudyError or ScenarioError, one for each mistake where they are gathered.

    Each value of an axis is tried beside the first of all others, then every cell if it shall be `whole`.
    """
    before = count()
    rehearse_scenario(study)
    if count() == before:
        _rehearse_metrics(study)
    if whole and count() == before:
        cells.cells(study)
        refuse_wrong_claims(study, cells.metrics_of(study))


def rehearse_scenario(study: Study) -> None:
    """Check the scenario with each value of an axis; raises as `rehearse`."""
    told: set[str] = set()
    for setting in _tried(study.axes):
        for error in _wrong(study, setting):
            if str(error) not in told:
                told.add(str(error))
                with apart():
                    raise error


def _tried(groups: Sequence[Sequence[Axis]]) -> Iterator[dict[str, Value]]:
    """Yield the first setting of all, and those that differ from it in one group of axes."""
    first = {axis.key: axis.values[0] for group in groups for axis in group}
    yield first
    for group in groups:
        for place in range(1, len(group[0].values)):
            yield first | {axis.key: axis.values[place] for axis in group}


def _wrong(study: Study, setting: dict[str, Value]) -> Iterator[StudyError | ScenarioError]:
    changes = tuple(cells.override(key, value) for key, value in setting.items())
    overrides = (*study.changes, *changes)
    files = cells.files_of(study, overrides) or study.files
    scenario = Job(
        study.scenario, study.file, overrides, None, files=files, laws=study.laws, law=study.law
    )
    for error in scenario.mistakes():
        yield cells.at_setting(study, error, setting) or error


def _rehearse_metrics(study: Study) -> None:
    first = next(_tried(study.axes))
    changes = [*study.changes, *(cells.override(key, value) for key, value in first.items())]
    there = list(study.laws.items()), None
    files = Files(list(cells.files_of(study, changes) or study.files))
    outline = outlined(study.scenario, study.file, changes, files, there)[2]
    document = json.loads(outline)
    for name in study.all_metrics:
        with apart():
            cells.check_metric(study, name, document)
