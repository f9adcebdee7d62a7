"""Prints a paper's reproduction on a terminal: verdicts, agreement, tables, choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from lasthop.numbers.numerals import counted, listed, plain
from lasthop.numbers.stats.unseen import said as unseen
from lasthop.study.claims import judged_as
from lasthop.study.papers.strips import strips

COLOURS = {
    "holds": "green",
    "does not hold": "red",
    "holds in part": "yellow",
    "holds in part at most": "yellow",
    "undecided": "cyan",
    "not run": "bright_black",
}
MARKS = {
    "shown": "[green]●[/]",
    "denied": "[red]×[/]",
    "open": "[cyan]○[/]",
    "not-run": "[bright_black]·[/]",
}
#: Marks of one part of a claim.
MOST = 10

MEANINGS = {
    "shown": "the claim is shown",
    "denied": "it is shown not to hold",
    "open": "open",
    "not-run": "not run",
}


def show(document: Mapping[str, Any], console: Console) -> None:
    """Print everything, the verdicts first."""
    if document["changes"]:
        said = ", ".join(document["changes"])
        console.print(f"\nChanged in every study, unlike the paper: {said}", markup=False)
    claims(document, console)
    agreement(document, console)
    for table in document["tables"]:
        _table(table, console)
    choices(document, console)
    files(document, console)


COUNTED = {
    "holds": ("holds", "hold"),
    "holds in part": ("holds in part", "hold in part"),
    "holds in part at most": ("holds in part at most", "hold in part at most"),
    "does not hold": ("does not hold", "do not hold"),
    "undecided": ("is undecided", "are undecided"),
    "not run": ("was not run", "were not run"),
}
"""By verdict: what is said of one claim, and of several."""


def opening(document: Mapping[str, Any]) -> str:
    """Return how many claims have which verdict, as a sentence: what a page opens with."""
    verdicts = [claim["verdict"] for claim in document["claims"]]
    count = {word: verdicts.count(word) for word in COUNTED}
    said = [f"{n} {COUNTED[word][n > 1]}" for word, n in count.items() if n]
    head = f"Of {len(verdicts)} claims" if len(verdicts) > 1 else "Of one claim"
    runs = (
        f" with up to {document['replications']} replications of a setting"
        if count["undecided"]
        else ""
    )
    quick = "A quick run, with some of the settings and shorter runs. " if document["quick"] else ""
    return f"{quick}{head} {listed(said)}{runs}{_further(document)}."


def _further(document: Mapping[str, Any]) -> str:
    """Say what more runs would decide, and how long: the page of a run is the same on any machine, so in runs."""
    more = document.get("further")  # results that were kept earlier have none
    if not more or not more["claims"]:
        return ""
    runs, times = more["runs"], more["runs"] / document["runs"]
    return f": {counted(runs, 'more run')}, {times:.2g} times as many as here, would decide {len(more['claims'])}"


def claims(document: Mapping[str, Any], console: Console) -> None:
    """Print the verdicts: of each claim its word, its text and a strip; of each part what came out."""
    if not document["claims"]:
        return
    marks = ", ".join(f"{MARKS[kind]} {meaning}" for kind, meaning in MEANINGS.items())
    console.print(f"\n[bold]{opening(document)}[/]", highlight=False)
    console.print(
        f"\n[bold]Claims[/]  a mark is a setting, or several where there are over {MOST}: {marks}",
        highlight=False,
    )
    for claim in document["claims"]:
        _claim(claim, document["rests_on"].get(claim["id"]), console)
    count = len(document["claims"])
    more = f"; among {count} verdicts some may still be wrong by chance" if count > 1 else ""
    said = (
        "“More” and “less” require a difference of over 2 %. Each verdict is right with at least "
        f"95 % confidence{more}. {unseen(document['replications'])}"
    )
    console.print(f"\n[dim]{said}[/]", highlight=False)


def _claim(claim: Mapping[str, Any], rests: str | None, console: Console) -> None:
    strip = " ".join("".join(MARKS[kind] for kind in part) for part in strips(claim, MOST))
    word = claim["verdict"]
    console.print(
        f"\n[bold]{claim['id']}[/] {escape(claim['text'])} [{COLOURS[word]} bold]{word}[/]  {strip}",
        highlight=False,
    )
    for part in claim["parts"]:
        own = part["verdict"]
        said = f"{escape(part['name'])}: [{COLOURS[own]}]{own}[/]. {escape(_capital(part['sentence']))}."
        said += f"{escape(printed(part))} [dim]Judged as: {escape(part['judged_as'])}.[/]"
        console.print(Padding(said, (0, 0, 0, 3)), highlight=False)
    if rests:
        console.print(Padding(f"[dim]audit:[/] {escape(rests)}.", (0, 0, 0, 3)), highlight=False)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def printed(part: Mapping[str, Any]) -> str:
    """Say how often what the paper prints shows a part; empty where it prints nothing of it."""
    agree, of = part["printed"]["agree"], part["printed"]["of"]
    if of <= 1:
        return f" The printed numbers {'show' if agree else 'do not show'} it." if of else ""
    return f" The printed numbers show it in {agree} of {of} {part['counted']}."


def read(part: Mapping[str, Any]) -> str:
    """Describe the settings for which a part must be true."""
    return f"read as true {judged_as.READINGS[part['reading']]}"


def agreement(document: Mapping[str, Any], console: Console) -> None:
    """Print how near the tables are to the printed ones."""
    found = {name: each for name, each in document["agreement"].items() if each["cells"]}
    if not found:
        return
    out = Table(title="Printed tables", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in (
        "table",
        "simulated over printed",
        "spread (rms log)",
        "within 10 %",
        "in one run's reach",
    ):
        out.add_column(name, justify="left" if name == "table" else "right")
    for name, each in found.items():
        rows = {name: each} | {
            f"  {part}": of for part, of in each["groups"].items() if of["cells"]
        }
        for said, near in rows.items():
            of = near["cells"]
            out.add_row(
                escape(said),
                f"{near['geometric_mean_ratio']:.2f}",
                f"{near['rms_log_error']:.2f}",
                f"{near['within_10_percent']} of {of}",
                f"{near['one_run']} of {of}",
            )
    console.print()
    console.print(out)


def titled(table: Mapping[str, Any]) -> str:
    """Return what a table is of, with its unit where it has one."""
    unit = "" if table["kind"] == "ranks" else table["unit"]
    return f"{table['what']} ({unit})" if unit else str(table["what"])


def _table(table: Mapping[str, Any], console: Console) -> None:
    """Print a table as it is printed: published | simulated in every cell."""
    inside = "simulated" if table["kind"] == "beyond" else "published | simulated"
    title = f"[bold]Table {table['id']}[/]  {escape(titled(table))}; {inside}"
    keys, width = table["keys"], len(table["columns"])
    out = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in (*keys, *table["columns"]):
        out.add_column(escape(str(name)))
    rows = table["rows"]
    if table["kind"] == "ranks":
        count = len(rows) // width
        for place in range(count):
            cells = [_rank(rows[column * count + place]) for column in range(width)]
            out.add_row(str(rows[place]["rank"]), *cells)
    else:
        for at in range(0, len(rows), width):
            own = rows[at : at + width]
            out.add_row(*(str(own[0][key]) for key in keys), *map(_cell, own))
    console.print()
    console.print(out)


def _cell(row: Mapping[str, Any]) -> str:
    if row["published"] is None:
        return plain(row["mean"])
    if row["mean"] is None:
        return f"{row['published']:g} | -"
    return f"{row['published']:g} | {plain(row['mean'])}"


def _rank(row: Mapping[str, Any]) -> str:
    own = f"{row['simulated']} ({row['places']})" if row["simulated"] else "-"
    return f"{row['published']} | {own}"


def choices(document: Mapping[str, Any], console: Console) -> None:
    """Say how many choices there are, and what most rest on; the page has them all."""
    found = document["unstated"]
    if found:
        by = Counter(each["evidence"] for each in found)
        counts = ", ".join(f"{what} ({count})" for what, count in by.most_common())
        things = counted(len(found), "thing")
        console.print(f"\nThe paper leaves {things} unstated. Sources of our choices: {counts}.")


def files(document: Mapping[str, Any], console: Console) -> None:
    """Print what was written."""
    if document["files"]:
        console.print("\n[bold]Written[/]")
        for file in document["files"]:
            console.print(f"  {escape(file)}", highlight=False, soft_wrap=True)
