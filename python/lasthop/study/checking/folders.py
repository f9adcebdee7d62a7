"""All mistakes of a paper's folder."""

from __future__ import annotations

from pathlib import Path

from lasthop.core.mistakes import apart, gathered
from lasthop.errors import LasthopError
from lasthop.study.checking.claim_texts import warnings
from lasthop.study.checking.placing import problem_of
from lasthop.study.checking.problem import Checked, Problem
from lasthop.study.papers import forms, paper_rehearsal
from lasthop.study.papers.folder import Folder, Paper
from lasthop.study.reader import INLINE

#: The files of a paper by what they look like; studies are named by paper.toml.
FORMS = {
    "choices.toml": forms.CHOICES,
    "quick.toml": forms.CELLS,
    "audit.toml": forms.CELLS,
}


def check(path: Path) -> Checked:
    """Check the folder of a paper: each file, and where these are right their references to each other."""
    with gathered() as found:
        paper = None
        with apart():
            paper = Paper(path)
        if paper is None or len(found):
            _forms(path)
        else:
            paper_rehearsal.rehearse(paper)
    problems = list(dict.fromkeys(_problem(each, path) for each in found))
    whole = not problems
    if whole and paper is not None and paper.has("claims.toml"):
        file = str(paper.path("claims.toml"))
        problems += warnings(paper.claims, file, paper.text("claims.toml"))
    return Checked(str(path), tuple(sorted(problems, key=_order)), whole=whole)


def _forms(path: Path) -> None:
    """Look at the form of the files beside a paper.toml that is wrong."""
    folder = Folder(path)
    for name, form in FORMS.items():
        with apart():
            folder.data(name, form)
    with apart():
        _ = folder.claims


def _problem(error: LasthopError, folder: Path) -> Problem:
    """Return a mistake at its place in its file; of one that names no file, as one of the folder."""
    file = Path(error.file.removesuffix(INLINE))
    text = (
        file.read_text(encoding="utf-8", errors="replace") if error.file and file.is_file() else ""
    )
    return problem_of(error, str(folder), text)


def _order(problem: Problem) -> tuple[str, int, int]:
    return problem.file, problem.line or 0, problem.column or 0
