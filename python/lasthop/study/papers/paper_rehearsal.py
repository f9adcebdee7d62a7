"""A paper gone through without runs: what is wrong in its folder is said at once, not after hours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from lasthop.core.mistakes import apart, count, kept
from lasthop.errors import LasthopError, Steps, UsageError, nearest, offered
from lasthop.study import claims, rehearsing
from lasthop.study.cells import some_cells
from lasthop.study.claims import Claim, Table
from lasthop.study.papers import nearness, paper_tables, plans
from lasthop.study.papers.alternatives import changed
from lasthop.study.papers.folder import Choice, Paper
from lasthop.study.papers.printed_tables import Printed
from lasthop.study.reader import INLINE
from lasthop.study.spec import Study


def rehearse(paper: Paper) -> None:
    """Read all that a folder has, and make its tables of no runs; raises LasthopError, which names the file."""
    before = count()
    studies: dict[str, Study] = {}
    for id_, file in zip(paper.ids, paper.files, strict=True):
        with apart(), _in(paper.path(file)):
            studies[id_] = paper.study(id_, 0)
            rehearsing.rehearse(studies[id_], whole=False)
    if count() > before:
        return  # all else is about the studies
    for brief in (False, True):
        with apart():
            _rehearse_cells(paper, brief)
    choices: tuple[Choice, ...] = ()
    for choice in kept(lambda: paper.choices, choices):
        with apart(), _in(paper.path("choices.toml"), f"choice {choice.item!r}", choice.path):
            _rehearse_choice(choice, studies)
    made = paper_tables.tables(paper, {id_: [] for id_ in paper.ids})
    claims_: list[Claim] = []
    for claim in kept(lambda: paper.claims, claims_):
        with apart(), _in(paper.path("claims.toml"), f"claim {claim.id}", claim.path):
            _rehearse_claim(claim, made, [*dict.fromkeys([*paper.measures, *made])])
    for held in paper.tables:
        with apart(), _in(paper.path("paper.toml"), f"table {held.id}", held.path):
            _rehearse_printed(held, made)
    for name, figure in paper.figures.items():
        with apart(), _in(paper.path("paper.toml"), f"figures {name}", ("figures", name)):
            _rehearse_figure(figure, made)
    if count() == before:
        nearness.as_tables(paper)


def _rehearse_figure(figure: Mapping[str, Any], made: Mapping[str, Table]) -> None:
    panel = figure.get("panel", [])
    table = _made(figure["measure"], made).where(figure.get("where", {}))
    for axis in (figure["x"], figure["by"], *([panel] if isinstance(panel, str) else panel)):
        table.place(axis)
    if any(isinstance(value, (str, bool)) for value in table.values(figure["x"])):
        said = f"x: {figure['x']} has values that are not numbers"
        raise UsageError(said, code="wrong-kind")


def _rehearse_cells(paper: Paper, brief: bool) -> None:
    quick = plans.quick(paper, paper.ids, 0, None) if brief else []
    with _in(paper.path("quick.toml")):
        for part in quick:
            _check(part.study)
    audited = plans.audit(paper, paper.ids, 0, None, brief)
    with _in(paper.path("audit.toml")):
        for part in audited:
            _check(part.study)


def _rehearse_choice(choice: Choice, studies: Mapping[str, Study]) -> None:
    for other in choice.alternatives:
        own = [studies[id_] for id_ in other.of]
        known = list(dict.fromkeys(key for study in own for key in study.keys))
        for key in (*other.instead, *other.swap):
            if key not in known:
                hint = nearest(key, known)
                said = f"{other.name!r}: its studies have no axis {key!r}{hint}"
                raise UsageError(said, code="unknown-name")
        for key, values in other.swap.items():
            there = {str(v) for study in own if key in study.keys for v in study.axis(key).values}
            for value in values:
                if value not in there:
                    hint = nearest(value, there)
                    said = f"{other.name!r}: swap: {key} is never {value!r}{hint}"
                    raise UsageError(said, code="unknown-name")
        if other.can_be_set:
            for study in own:
                try:
                    _check(changed(study, other))
                except LasthopError as error:
                    # A place in it is one in the changed study, which is in no file.
                    raise UsageError(f"{other.name!r}: {error}", code=error.code) from None


def _check(study: Study) -> None:
    """Raise LasthopError where a study's first cell cannot be run; its metrics are looked at elsewhere."""
    some_cells(replace(study, metrics=()), {0})


def _rehearse_claim(claim: Claim, made: Mapping[str, Table], known: Sequence[str]) -> None:
    for name in claim.metrics():
        if name not in known:
            said = f"no measure {name!r}{offered(name, known)}"
            raise UsageError(said, code="unknown-name")
    if set(claim.metrics()) <= made.keys():
        claims.judge_claims([claim], made)


def _made(name: str, made: Mapping[str, Table]) -> Table:
    if name not in made:
        raise UsageError(f"measure {name} has no metric, and derive.py makes no table of it")
    return made[name]


def _rehearse_printed(held: Printed, made: Mapping[str, Table]) -> None:
    """Raise UsageError where a printed table's settings are not of its measure's axes."""
    table = _made(held.measure, made)
    first = held.keys[1:] if held.kind == "ranks" else held.keys
    along = (held.along,) if held.kind == "ranks" else ()
    for axis in (*first, *along, *held.where, *(axis for each in held.columns for axis in each)):
        table.place(axis)
    for column in held.columns:
        there = {*first, *along, *held.where, *column}
        for axis in table.axes:
            if axis not in there:
                raise UsageError(f"nothing says which {axis}; keys, columns or where can")


@contextmanager
def _in(file: Path, where: str = "", path: Steps = ()) -> Iterator[None]:
    """Name the file and the place in it, of what is wrong inside and does not name that file itself."""
    try:
        yield
    except LasthopError as error:
        if error.file.removesuffix(INLINE) == str(file):
            raise
        raise error.behind(where, UsageError, str(file), path) from None
