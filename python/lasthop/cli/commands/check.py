"""`lasthop check`: checks files without running them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from lasthop.cli import completing
from lasthop.cli.documents import print_document
from lasthop.cli.options import Json, Laws, Set
from lasthop.cli.terminal import Terminal, terminal
from lasthop.errors import UsageError, offered

if TYPE_CHECKING:
    from lasthop.study.checking import Checked


def command(
    *files: Annotated[Path, Parameter(completer=completing.scenarios)],
    explain: str | None = None,
    resolved: Annotated[bool, Parameter(negative="")] = False,
    set_: Set = (),
    law: Laws = (),
    json_: Json = False,
) -> None:
    """Find all mistakes in files without running them.

    Example: lasthop check office.toml

    Example: lasthop check --explain unknown-key

    Example: lasthop check office.toml --resolved --set conventions=ns2

    It checks scenarios, studies and folders of papers.

    The command ends with 1 when something is wrong. It warns about a claim whose text has a number that its test
    does not use.

    Parameters
    ----------
    files:
        Files and folders.
    explain:
        Explain what an error code means and what to do.
    resolved:
        Print the whole document that a scenario is run from, with a comment behind each value that says where
        it comes from: a line of the file, --set, a document of conventions, or the default. It is a scenario
        itself and gives the same results.
    set_:
        With --resolved, change the scenario: key=value with a dotted key. Can be repeated.
    law:
        With --resolved, a law of your own as for lasthop run. Can be repeated.
    json_:
        Print one JSON document: of each file its problems, with line, column, code, message and
        whether it is a warning.
    """
    from lasthop.core import shipped
    from lasthop.study import checking

    if explain is not None:
        terminal().print(_explained(explain), highlight=False, markup=False)
        return
    if not files:
        raise UsageError("give the files to check, such as lasthop check office.toml")
    if resolved:
        print(_resolved(files, set_, law), end="")
        return
    if set_ or law:
        raise UsageError(
            "--set and --law go with --resolved; to check a change, lasthop run takes them"
        )
    checked = [checking.check(shipped.found(file, *shipped.KINDS)) for file in files]
    _tell(checked, as_json=json_)
    if any(each.is_wrong for each in checked):
        sys.exit(1)


def _tell(checked: Sequence[Checked], *, as_json: bool) -> None:
    """Print the problems of all files."""
    if as_json:
        print_document(
            [
                {"file": c.file, "whole": c.whole, "problems": [p.as_dict() for p in c.problems]}
                for c in checked
            ]
        )
        return
    console = terminal()
    for each in checked:
        _show(each, console)


def _show(checked: Checked, console: Terminal) -> None:
    """Print the problems of a file, a line each as compilers do, so that editors find the places."""
    for problem in checked.problems:
        place = f":{problem.line}:{problem.column}" if problem.line else ""
        warning = "warning: " if problem.is_warning else ""
        line = f"{problem.file}{place}: {warning}{problem.code}: {problem.message}"
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if not checked.is_wrong:
        console.print(f"{checked.file}: nothing is wrong", highlight=False, soft_wrap=True)
    elif not checked.whole:
        console.print("Fix these and check again; they may hide other errors.")


def _resolved(files: Sequence[Path], changes: Sequence[str], laws: Sequence[str]) -> str:
    from lasthop.core import api, python_law, shipped

    if len(files) != 1:
        raise UsageError(f"--resolved takes one scenario, not {len(files)} files")
    loaded = dict(map(python_law.load, laws))
    job = api.read(shipped.found(files[0], "scenarios"), changes)
    return replace(job, laws=loaded, law=next(iter(loaded), None)).resolved()


def _explained(name: str) -> str:
    from lasthop.core import codes

    code = codes.named(name)
    if code is None:
        known = [each.name for each in codes.CODES]
        raise UsageError(f"no code {name!r}{offered(name, known)}")
    return f"{code.name}: {code.about}\n\n  {code.example}"
