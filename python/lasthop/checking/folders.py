"""All mistakes of a paper's folder."""

from __future__ import annotations

import re
from pathlib import Path

from lasthop.checking.placing import problem_of
from lasthop.checking.problem import Checked, Problem
from lasthop.errors import LasthopError
from lasthop.mistakes import apart, gathered
from lasthop.papers import forms, rehearsing
from lasthop.papers.folder import Folder, Paper

#: The files of a paper by what they look like; studies are named by paper.toml.
FORMS = {
    "choices.toml": forms.CHOICES,
    "quick.toml": forms.CELLS,
    "audit.toml": forms.CELLS,
}


def check(path: Path) -> Checked:
    """Check the folder of a paper: each file, and where these are right what they say of each other."""
    with gathered() as found:
        paper = None
        with apart():
            paper = Paper(path)
        if paper is None or len(found):
            _forms(path)
        else:
            rehearsing.rehearse(paper)
    problems = list(dict.fromkeys(_problem(each, path) for each in found))
    return Checked(str(path), tuple(sorted(problems, key=_order)), whole=not problems)


def _forms(path: Path) -> None:
    """Look at the form of the files beside a paper.toml that is wrong."""
    folder = Folder(path)
    for name, form in FORMS.items():
        with apart():
            folder.data(name, form)
    with apart():
        _ = folder.claims


def _problem(error: LasthopError, folder: Path) -> Problem:
    """Return a mistake at its place in the file of the folder with which its message begins."""
    said = str(error)
    found = re.match(rf"{re.escape(str(folder))}[/\\][^:]+?\.(toml|py)(?=:)", said)
    if found is None:
        return problem_of(said, str(folder))
    file = Path(found[0])
    rest = said[found.end() :].removeprefix(": ")
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    return problem_of(said if re.match(r":\d+:", said[found.end() :]) else rest, str(file), text)


def _order(problem: Problem) -> tuple[str, int, int]:
    return problem.file, problem.line or 0, problem.column or 0
