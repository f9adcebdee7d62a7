"""`lasthop audit`: verdicts on a study's claims, and what of them rests on what is unstated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from lasthop import store
from lasthop.claims.audit import Audit
from lasthop.claims.comparing import counts
from lasthop.claims.verdicts import Compared
from lasthop.cli.progress import bar
from lasthop.cli.terminal import refuse_no_directory, terminal
from lasthop.study.judging import audit_of, verdicts
from lasthop.study.results import Results
from lasthop.study.sweeping import Hooks, Status, study_of

Told = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Wanted:
    """What the options say."""

    out: Path | None
    replications: int | None
    quick: bool
    pairs: bool
    workers: int | None


def show(path: str, wanted: Wanted, *, as_json: bool) -> bool:
    """Audit and print; return whether everything was run."""
    study = study_of(path, replications=wanted.replications, quick=wanted.quick)
    out = Path("out") / study.name if wanted.out is None else wanted.out
    refuse_no_directory(out)
    with _progress(terminal(stderr=True)) as (hooks, told):
        found = audit_of(
            study, out, pairs=wanted.pairs, workers=wanted.workers, hooks=hooks, told=told
        )
    compared = verdicts(Results(out), study)
    document = found.as_dict() | {
        "compared": {
            name: {pair: each.as_dict() for pair, each in pairs.items()}
            for name, pairs in compared.items()
        }
    }
    written = store.write_json(out.with_name(f"{out.name}.audit") / "audit.json", document)
    if as_json:
        from lasthop.cli.commands import print_document

        print_document(document)
        return found.complete
    console = terminal(narrowest=100)
    for name, pairs in compared.items():
        _print_compared(name, pairs, console)
    if found.base:
        _print(found, console)
    console.print(f"wrote {written}", highlight=False)
    return found.complete


@contextmanager
def _progress(console: Console) -> Iterator[tuple[Hooks, Told]]:
    """Show the part of all variations that is done; each counts alike."""
    with bar("auditing", console) as fraction:
        place = [0, 1]

        def told(done: int, of: int, _name: str) -> None:
            place[:] = [done + 1, of + 1]
            fraction(place[0] / place[1])

        def moved(status: Status) -> None:
            part = status.done / status.wanted if status.wanted else 1.0
            fraction((place[0] + part) / place[1])

        yield Hooks(progress=moved), told


def _print_compared(name: str, pairs: Mapping[str, Compared], console: Console) -> None:
    table = Table(title=name, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("", "verdict", "change", "interval"):
        table.add_column(heading, overflow="fold")
    for pair, each in pairs.items():
        change = "-" if each.change is None else f"{100 * each.change:+.1f} %"
        ends = (each.low, each.high)
        interval = " to ".join("?" if x is None else f"{100 * x:+.1f}" for x in ends)
        table.add_row(pair, str(each), change, f"{interval} %")
    console.print(table)


def _print(found: Audit, console: Console) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("claim", "verdict", "shown/denied/open", "flipped by"):
        table.add_column(heading, overflow="fold")
    flips = found.flips()
    for each in found.base:
        seen = counts(s.outcome for s in each.statements)
        by = "; ".join(flips[each.claim.id]) or "nothing that was tried"
        numbers = "/".join(map(str, seen.values()))
        table.add_row(f"{each.claim.id}  {each.claim.text}", str(each.verdict), numbers, by)
    console.print(table)
    for each in found.base:
        if each.needed is not None:
            console.print(f"{each.claim.id}: about {each.needed:,} replications would tell")
    unsure = {name for v in found.variations for name in v.changed if name not in v.flipped}
    if unsure:
        console.print(
            f"decided one way only, for want of replications: {', '.join(sorted(unsure))}"
        )
    if not found.complete:
        done = len(found.variations)
        console.print(f"[bold]interrupted[/]: {done} of {found.planned} variations were run")
