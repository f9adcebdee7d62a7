"""`lasthop conformance`: cases from other people's suites, and what became of each."""

from __future__ import annotations

import functools
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lasthop import regular_files
from lasthop.cli.documents import print_document
from lasthop.core import checkout
from lasthop.core.checkout import ROOT
from lasthop.errors import LasthopError, UsageError, nearest
from lasthop.regular_files import UnreadableError

#: The verdicts on a case, in the order of the columns, and their colours.
VERDICTS = {"pass": "green", "differs": "yellow", "fail": "bold red"}

#: The largest file of cases that is read, bytes; the suites have some hundred thousand.
MAX_BYTES = 50_000_000

#: The exit status of the players where a file has no cases.
WRONG_FILE = 2


def show(files: Sequence[Path], *, as_json: bool) -> bool:
    """Run every case and print; return whether none failed. Files that are no cases raise UsageError together."""
    if not files:
        raise UsageError("conformance: name at least one JSON file of cases")
    ran = _run_all(files)
    cases = [case for _, rows in ran for case in rows]
    totals = _count(cases)
    if as_json:
        print_document({"cases": cases, "totals": totals})
    else:
        _print(ran, totals)
    return totals["fail"] == 0


def run_file(path: Path) -> list[dict[str, Any]]:
    """Run the cases of a file: `id`, `file`, `verdict`, `reason` of each, and `group` where it has one."""
    played = _play(path.name, _read(path))
    if played.returncode == WRONG_FILE:
        law = "; a law is checked by: lasthop conformance law FILE.py:CLASS"
        hint = law if path.suffix == ".py" else ""
        raise UsageError(f"{path}: error: {played.stderr.strip()}{hint}")
    if played.returncode != 0:
        raise LasthopError(f"{path}: the players ended with {played.returncode}: {played.stderr}")
    cases: list[dict[str, Any]] = json.loads(played.stdout)
    return cases


def _play(name: str, text: str) -> subprocess.CompletedProcess[str]:
    """Hand a file's name and text to the players of validation/players, which are built where they are not."""
    try:
        player = _player()
    except FileNotFoundError:
        raise UsageError("lasthop conformance FILE needs cargo, which is not there") from None
    return subprocess.run(
        [player, name], input=text, cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )


@functools.cache
def _player() -> str:
    return checkout.built("play")


def _run_all(files: Sequence[Path]) -> list[tuple[Path, list[dict[str, Any]]]]:
    ran, wrong = [], []
    for path in files:
        try:
            ran.append((path, run_file(path)))
        except UsageError as error:
            wrong.append(str(error))
    if wrong:
        raise UsageError("\n".join(wrong))
    return ran


def _read(path: Path) -> str:
    if path.is_dir():
        inside = ", ".join(sorted(each.name for each in path.glob("*.json"))) or "none"
        raise UsageError(f"{path}: error: is a directory; JSON files in it: {inside}")
    try:
        content = regular_files.content(path, MAX_BYTES)
    except UnreadableError as error:
        beside = (each.name for each in path.parent.glob("*.json"))
        hint = nearest(path.name, beside) if error.missing and path.parent.is_dir() else ""
        raise UsageError(f"{path}: error: {error}{hint}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path}: error: not UTF-8 text: a JSON file is expected") from None


def _count(cases: Sequence[dict[str, Any]]) -> dict[str, int]:
    totals = dict.fromkeys(VERDICTS, 0)
    for case in cases:
        totals[case["verdict"]] += 1
    return {"cases": len(cases), **totals}


def _groups(cases: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the cases of each group, in the order of the file; of a file whose cases have none, nothing."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for case in cases:
        if "group" in case:
            groups.setdefault(case["group"], []).append(case)
    return groups


def _print(ran: Sequence[tuple[Path, list[dict[str, Any]]]], totals: dict[str, int]) -> None:
    console = Console()
    notable = [case for _, cases in ran for case in cases if case["verdict"] != "pass"]
    for case in sorted(notable, key=lambda case: str(case["verdict"]) == "fail"):
        line = Text(f"{case['verdict']:8}", style=VERDICTS[case["verdict"]])
        line.append(f"{case['file']} {case['id']}", style="bold").append(f": {case['reason']}")
        console.print(line)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", overflow="fold")
    for heading in ("cases", *VERDICTS):
        table.add_column(heading, justify="right")
    for path, cases in ran:
        table.add_row(Text(path.name), *map(str, _count(cases).values()))
        for group, rows in _groups(cases).items():
            table.add_row(Text(f"  {group}"), *map(str, _count(rows).values()), style="dim")
    if len(ran) > 1:
        table.add_section()
        table.add_row("all", *map(str, totals.values()))
    console.print(table)
