"""Writes what whole reproductions found into the documents.

    lasthop reproduce all --no-audit && python tools/renew_papers.py

`docs/reference/papers.json` keeps of each paper's `out/NAME/result.json` what the documents say: verdicts, and
how near the printed tables are. `further-papers.json` beside it has the further papers. A block of a
document is between
`<!-- NAME: written by tools/renew_papers.py -->` and `<!-- end -->`; a test compares each with that file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import marked_blocks
from lasthop.core import safe_files
from lasthop.core.shipped import FURTHER_PAPERS, MAIN_PAPERS
from lasthop.numbers.numerals import listed
from lasthop.pages.studies.verdict_summary import SIGNS
from lasthop.study.papers.showing import opening

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs/reference"
PAGES = {"papers": tuple(MAIN_PAPERS), "further-papers": tuple(FURTHER_PAPERS)}
"""The papers by the name of their page, and of the file of what was found, in the reference."""
DOCUMENTS = (ROOT / "README.md", *(REFERENCE / f"{page}.md" for page in PAGES))
LEAST = 0.02
"""Alternatives are shown that change a table's ratio or its spread by more."""

MARKED = marked_blocks.of("renew_papers")

Found = Mapping[str, Any]


def digest(document: Found) -> dict[str, Any]:
    """Return of a result what documents say; raises ValueError where it is not that of a whole run."""
    if document["quick"] or document["changes"] or not document["complete"]:
        raise ValueError(f"{document['paper']}: not a whole run of the paper as it is")
    return {
        "version": document["version"],
        "seed": document["seed"],
        "runs": document["runs"],
        "replications": document["replications"],
        "quick": False,
        "claims": [
            {
                "id": claim["id"],
                "text": claim["text"],
                "verdict": claim["verdict"],
                "rests_on": document["rests_on"].get(claim["id"]),
                "parts": [
                    {key: part[key] for key in ("name", "verdict", "sentence")}
                    for part in claim["parts"]
                ],
            }
            for claim in document["claims"]
        ],
        "agreement": {
            name: _near(each) | {"groups": {part: _near(of) for part, of in each["groups"].items()}}
            for name, each in document["agreement"].items()
            if each["cells"]
        },
        "tables": {table["id"]: table["what"] for table in document["tables"]},
        "moved": _moved(document),
        "readings": _readings(document["audit"]) if document.get("audit") else [],
    }


def _readings(audit: Found) -> list[dict[str, Any]]:
    """Return how near the printed tables are in the audit, as taken and with each alternative that matters."""
    taken = _nearness(audit["agreement"])
    rows = [_reading("", "as taken", taken)]
    for row in audit["variations"]:
        tables = _nearness(row["agreement"])
        both = taken.keys() & tables.keys()
        apart = [abs(x - y) for at in both for x, y in zip(taken[at], tables[at], strict=True)]
        if any(each > LEAST for each in apart):
            rows.append(_reading(row["item"], row["name"], tables))
    return rows if taken else []


def _reading(item: str, name: str, tables: Mapping[str, list[float]]) -> dict[str, Any]:
    near = {at: f"{ratio:.2f} ({spread:.2f})" for at, (ratio, spread) in tables.items()}
    return {"item": item, "name": name, "tables": near}


def _nearness(agreement: Found) -> dict[str, list[float]]:
    """Return by table simulated over printed and the spread."""
    known = {name: _near(each) for name, each in agreement.items() if each["cells"]}
    return {
        name: [each["geometric_mean_ratio"], each["rms_log_error"]] for name, each in known.items()
    }


def _moved(document: Found) -> list[str] | None:
    """Return the claims whose verdicts an alternative is shown to move; None where no audit was made."""
    if not (audit := document.get("audit")):
        return None
    moved = {id_ for row in audit["variations"] for id_ in (*row["flipped"], *row["decided"])}
    return [claim["id"] for claim in document["claims"] if claim["id"] in moved]


def _near(each: Found) -> dict[str, Any]:
    if not each["cells"]:
        return {"cells": 0}
    ratio, spread = (float(f"{each[key]:.4g}") for key in ("geometric_mean_ratio", "rms_log_error"))
    counts = {key: each[key] for key in ("cells", "within_10_percent", "one_run")}
    return counts | {"geometric_mean_ratio": ratio, "rms_log_error": spread}


def filled(text: str, kept: Mapping[str, Found]) -> str:
    """Return a document with its blocks as the papers have them."""

    def body(name: str) -> str:
        return _readme(kept) if name == "readme" else _paper(kept[name])

    return marked_blocks.filled(text, MARKED, body)


def _readme(kept: Mapping[str, Found]) -> str:
    lines = ["| paper | claims | printed tables |", "|---|---|---|"]
    for name in PAGES["papers"]:
        near = "; ".join(_said(table, each) for table, each in kept[name]["agreement"].items())
        lines.append(f"| `{name}` | {opening(kept[name])} | {near or 'none are to be had'} |")
    found = [kept[name]["moved"] for name in PAGES["papers"]]
    if None not in found:
        moved = [id_ for each in found for id_ in each]
        said = f"the verdicts on {listed(moved)} move" if moved else "no verdict moves"
        lines += [
            "",
            f"Audits of what the papers leave unstated show that {said} with another choice.",
        ]
    return "\n".join(lines) + "\n"


def _said(table: str, each: Found) -> str:
    """Say how near a table is: by its parts, whose errors may cancel in the whole."""
    parts = [of["geometric_mean_ratio"] for of in each["groups"].values() if of["cells"]]
    near = f"{each['within_10_percent']} of {each['cells']} values within 10 %"
    if not parts:
        return f"table {table}: {each['geometric_mean_ratio']:.2f} of print, {near}"
    return f"table {table}: {min(parts):.2f} to {max(parts):.2f} of print by its parts, {near}"


def _paper(found: Found) -> str:
    return "\n".join([*_lines(found), ""])


def _lines(found: Found) -> Iterator[str]:
    yield f"{opening(found)} It took {found['runs']:,} runs from seed {found['seed']}."
    yield ""
    for claim in found["claims"]:
        yield f"**{claim['id']}** {_flat(claim['text'])} {_signed(claim['verdict'])}."
        yield ""
        for part in claim["parts"]:
            sentence = f"{part['sentence'][:1].upper()}{part['sentence'][1:]}"
            yield f"- {SIGNS.get(part['verdict'], '?')} {_flat(part['name'])}. {_flat(sentence)}."
        if claim["rests_on"]:
            yield f"- Audit: {_flat(claim['rests_on'])}."
        yield ""
    if found["agreement"]:
        yield "| table | simulated over printed | spread (rms log) | within 10 % | in one run's reach |"
        yield "|---|---|---|---|---|"
    for name, each in found["agreement"].items():
        yield _row(f"**{name}** {found['tables'][name]}", each)
        for part, of in each["groups"].items():
            if of["cells"]:
                yield _row(part, of)
    if found["readings"]:
        yield from _read(found)


def _read(found: Found) -> Iterator[str]:
    """Yield a table of what each reading does to each printed table."""
    first, *others = found["readings"]
    names = list(first["tables"])
    yield ""
    yield (
        "How near the printed tables are with each alternative, in the audit's shorter runs: simulated over "
        f"printed, and the spread. Alternatives that change neither by over {LEAST:g} are left out."
    )
    yield ""
    yield f"| reading | {' | '.join(names)} |"
    yield f"|---|{'---|' * len(names)}"
    for each in (first, *others):
        said = f"{each['item']}: {each['name']}" if each["item"] else "**as taken**"
        cells = [each["tables"].get(name, "-") for name in names]
        yield f"| {_flat(said)} | {' | '.join(cells)} |"


def _signed(verdict: str) -> str:
    return f"{SIGNS.get(verdict, '?')} **{verdict[:1].upper()}{verdict[1:]}**"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _row(name: str, each: Found) -> str:
    of = each["cells"]
    near = f"{each['geometric_mean_ratio']:.2f} | {each['rms_log_error']:.2f}"
    return f"| {name} | {near} | {each['within_10_percent']} of {of} | {each['one_run']} of {of} |"


def read() -> dict[str, Any]:
    """Return what was kept of each paper."""
    files = [REFERENCE / f"{page}.json" for page in PAGES]
    held = [json.loads(file.read_text("utf-8")) for file in files if file.is_file()]
    return {name: found for each in held for name, found in each.items()}


def main() -> None:
    """Keep what is under a directory, and write the documents."""
    out = marked_blocks.directory(__doc__, "reproduce")
    kept = read()
    for name in (name for names in PAGES.values() for name in names):
        result = out / name / "result.json"
        if result.is_file():
            try:
                kept[name] = digest(json.loads(result.read_text("utf-8")))
            except ValueError as wrong:
                sys.exit(str(wrong))
    for page, names in PAGES.items():
        own = {name: kept[name] for name in names if name in kept}
        text = json.dumps(own, indent=1, ensure_ascii=False) + "\n"
        safe_files.write_text(REFERENCE / f"{page}.json", text)
    for document in DOCUMENTS:
        safe_files.write_text(document, filled(document.read_text("utf-8"), kept))


if __name__ == "__main__":
    main()
