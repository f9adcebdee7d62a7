"""`lasthop conformance law`: a law in Python under the checks that lasthop's own laws pass."""

from __future__ import annotations

from rich.text import Text

from lasthop.cli.documents import print_document
from lasthop.cli.terminal import terminal
from lasthop.core import python_law
from lasthop.core.engine import check_law


def show(where: str, *, as_json: bool) -> bool:
    """Check the law FILE.py:CLASS and print; return whether it passed everything."""
    name, factory = python_law.load(where)
    leaves = float(getattr(factory, "timeout_leaves", 1.0))
    rows = check_law(factory, leaves)
    passed = all(wrong is None for _, _, wrong in rows)
    if as_json:
        file = where.rpartition(":")[0]
        cases = [
            {"id": id_, "file": file, "verdict": "fail" if wrong else "pass", "reason": wrong or ""}
            for id_, _, wrong in rows
        ]
        print_document({"law": name, "cases": cases})
        return passed
    console = terminal()
    console.soft_wrap = not console.is_terminal
    told = ""
    for id_, about, wrong in rows:
        line = Text.assemble(("fail  ", "bold red") if wrong else ("pass  ", "green"))
        console.print(line.append(f"{id_:9}", style="bold").append(about))
        if wrong:
            console.print(Text("      the same" if wrong == told else f"      {wrong}"))
            told = wrong
    return passed
