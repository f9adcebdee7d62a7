"""The measurements of the last whole `make validate`, by group, and the tables of the documents that it
writes.

`validation/measured.json` has the groups, and `validation/agreement.toml` names those that a row of a table
sums up. A table of a document is between `<!-- NAME: written by make validate -->` and `<!-- end -->`; a
test compares each with the groups.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from lasthop.core import safe_files
from lasthop_validation.checking import Outcome
from lasthop_validation.running import Compared

VALIDATION = Path(__file__).resolve().parents[1]
GROUPS = VALIDATION / "measured.json"
TABLES = VALIDATION / "agreement.toml"
DOCUMENTS = tuple(
    VALIDATION.parent / name
    for name in ("README.md", "docs/reference/agreement.md", "validation/README.md")
)

Group = Mapping[str, Any]

MARKED = re.compile(
    r"(?P<begin><!-- (?P<name>[a-z]+): written by make validate -->\n).*?(?P<end><!-- end -->)",
    re.S,
)


def groups(ran: Sequence[Compared]) -> list[dict[str, Any]]:
    """Return the outcomes, the mean and the largest difference of each group."""
    return [
        {
            "comparison": compared.name,
            "group": name,
            "absolute": rows[0].absolute,
            "rows": len(rows),
            **{str(outcome): sum(row.outcome is outcome for row in rows) for outcome in Outcome},
            "mean": _digits(math.fsum(row.difference for row in rows) / len(rows)),
            "worst": _digits(max((row.difference for row in rows), key=abs)),
        }
        for compared in ran
        for name, rows in compared.groups().items()
    ]


def _digits(value: float) -> float:
    return float(f"{value:.4g}")


def write(ran: Sequence[Compared]) -> None:
    """Write the groups, and the tables of every document."""
    found = groups(ran)
    lines = ",\n".join(json.dumps(group) for group in found)
    safe_files.write_text(GROUPS, f"[\n{lines}\n]\n")
    for document in DOCUMENTS:
        safe_files.write_text(document, filled(document.read_text("utf-8"), found))


def read() -> list[dict[str, Any]]:
    """Return the groups that were written last."""
    document: list[dict[str, Any]] = json.loads(GROUPS.read_text("utf-8"))
    return document


def filled(text: str, found: Sequence[Group]) -> str:
    """Return a document with its tables as the groups have them."""
    tables = tomllib.loads(TABLES.read_text("utf-8"))

    def table(match: re.Match[str]) -> str:
        name = match["name"]
        body = _all(found) if name == "groups" else _table(tables[name]["row"], found)
        return f"{match['begin']}{body}{match['end']}"

    return MARKED.sub(table, text)


def _table(rows: Sequence[Mapping[str, Any]], found: Sequence[Group]) -> str:
    lines = ["| what | against | rows | agreement |", "|---|---|---|---|"]
    lines += [
        f"| {row['what']} | {row['against']} | {_summary(_named(row, found))} |" for row in rows
    ]
    return "\n".join(lines) + "\n"


def _named(row: Mapping[str, Any], found: Sequence[Group]) -> list[Group]:
    chosen = [
        group
        for group in found
        for comparison, patterns in row["groups"].items()
        if group["comparison"] == comparison
        and any(fnmatchcase(group["group"], pattern) for pattern in patterns)
    ]
    if not chosen:
        raise ValueError(f"{TABLES.name}: {row['what']}: no group of {row['groups']}")
    return chosen


def _summary(chosen: Sequence[Group]) -> str:
    rows = sum(group["rows"] for group in chosen)
    counts = {outcome: sum(group[outcome] for group in chosen) for outcome in map(str, Outcome)}
    said = [f"{counts['ok']} within their bounds"]
    said += [f"{count} {name}" for name, count in counts.items() if count and name != "ok"]
    if len({group["absolute"] for group in chosen}) == 1:
        absolute = chosen[0]["absolute"]
        mean = math.fsum(group["mean"] * group["rows"] for group in chosen) / rows
        worst = max((group["worst"] for group in chosen), key=abs)
        said += [f"mean {shown(mean, absolute)}, worst {shown(worst, absolute)}"]
    return f"{rows} | {', '.join(said)}"


def _all(found: Sequence[Group]) -> str:
    lines = [
        f"| comparison | group | rows | {' | '.join(Outcome)} | mean | worst |",
        f"|---|---|---|{'---|' * len(Outcome)}---|---|",
    ]
    for group in found:
        counts = " | ".join(str(group[outcome]) for outcome in Outcome)
        mean, worst = (shown(group[key], group["absolute"]) for key in ("mean", "worst"))
        lines.append(
            f"| `{group['comparison']}` | {group['group']} | {group['rows']} | {counts} | {mean} | {worst} |"
        )
    return "\n".join(lines) + "\n"


def shown(difference: float, absolute: bool) -> str:
    """Return a difference in words: per cent, or as it is."""
    return f"{difference:+.2g}" if absolute else f"{100 * difference:+.2f} %"
