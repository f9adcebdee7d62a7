"""`lasthop validate`: lasthop's numbers beside theory, independent models and other simulators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lasthop.cli.bars import bar
from lasthop.cli.documents import print_document
from lasthop.cli.terminal import terminal
from lasthop.core.jobs import refuse_strange_numbers
from lasthop.errors import UsageError
from lasthop.numbers import stats
from lasthop_validation import choose, known, measured
from lasthop_validation.checking import Check, Outcome
from lasthop_validation.oracles import reading
from lasthop_validation.running import Compared, How, compare

STYLES = {
    Outcome.OK: "green",
    Outcome.UNDECIDED: "yellow",
    Outcome.OFF: "bold red",
    Outcome.DIFFERS: "magenta",
}

ABSENT = "its reference numbers are not here"


def show(
    names: tuple[str, ...],
    *,
    how: How,
    oracles: Path | None,
    out: Path | None,
    write: bool,
    as_json: bool,
) -> bool:
    """Run the comparisons and print; return whether they say what the ledger of known differences says."""
    refuse_strange_numbers(how.seed, None, how.workers, "--")
    if write and (names or oracles or not how.is_whole):
        raise UsageError(
            "--write is of all comparisons and all rows; allowed beside it: --workers, --out, --json"
        )
    if how.tenth is not None and how.tenth not in range(10):
        raise UsageError(f"--tenth {how.tenth}; allowed: 0 to 9")
    ledger = known.read()
    console = terminal(stderr=as_json)
    ran = []
    with reading(oracles):
        for name in choose(names):
            with bar(name, terminal(stderr=True)) as fraction:
                compared = compare(name, how, fraction)
            compared = ledger.explained(compared)
            ran.append(compared)
            if not as_json:
                _print(compared, console)
        if out is not None:
            from lasthop_validation.publishing import publish  # matplotlib takes a second to import

            publish(ran, out, quick=how.quick, seed=how.seed)
    if write:
        _write(ran)
    unknown = [check for compared in ran for check in ledger.unknown(compared)]
    # With another seed or fewer runs a row that is hardly off need not be so.
    whole = how.is_whole and oracles is None
    mended = [
        row for compared in ran if how.is_ledger_s for row in ledger.mended(compared, whole=whole)
    ]
    passed = not unknown and not mended and not any(compared.error for compared in ran)
    if as_json:
        print_document({"pass": passed} | _document(ran, unknown, mended))
    else:
        _conclude(ran, console)
        _compare_with_ledger(unknown, mended, console)
    return passed


def _document(
    ran: Sequence[Compared], unknown: Sequence[Check], mended: Sequence[known.Known]
) -> dict[str, Any]:
    """Return what was compared, and what the ledger does not say or says too much of, for JSON."""
    checks = [
        {"comparison": each.name} | check.as_dict() for each in ran for check in each.all_checks()
    ]
    return {
        "unknown": [check.name for check in unknown],
        "mended": [row.key[2] for row in mended],
        "comparisons": [each.as_dict() for each in ran],
        "checks": checks,
    }


def _write(ran: Sequence[Compared]) -> None:
    """Write down what was measured, where all was: a part would take the rest out of the documents."""
    missing = [compared.name for compared in ran if not compared.checks]
    if missing:
        terminal(stderr=True).print(
            f"Nothing was written into the documents: {', '.join(missing)} could not be compared here.",
            highlight=False,
        )
        return
    known.write(ran)
    measured.write(ran)


def _compare_with_ledger(
    unknown: Sequence[Check], mended: Sequence[known.Known], console: Console
) -> None:
    for check in unknown:
        console.print(
            f"[bold red]newly off[/] {escape(check.name)} ({check.difference:+.3g}): mend it, or add it to "
            f"{known.FILE.name} with its cause",
            highlight=False,
        )
    for row in mended:
        console.print(
            f"[bold red]no longer off[/] {escape(row.key[2])}: take it out of {known.FILE.name}",
            highlight=False,
        )


def _print(compared: Compared, console: Console) -> None:
    for row in compared.left_out:
        console.print(f"[yellow]left out[/] {escape(row)}", highlight=False)
    if compared.error:
        said = f"[bold]{compared.title}[/]: [bold red]not compared[/]: {escape(compared.error)}\n"
        console.print(said, highlight=False)
        return
    if not compared.checks:
        why = "no row of its references can be compared" if compared.left_out else ABSENT
        console.print(f"[bold]{compared.title}[/]: skipped, {why}\n")
        return
    table = Table(title=compared.title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("check", overflow="fold")
    for heading in ("measured", "expected", "difference", "bound", "chance", ""):
        table.add_column(heading, justify="right")
    for check in compared.checks:
        table.add_row(check.name, *_numbers(check), _word(check.outcome))
    console.print(table)
    means = {check.group: check for check in compared.all_checks()[len(compared.checks) :]}
    for group, rows in compared.groups().items():
        console.print(_summary(group, rows, means.get(group)), highlight=False)
    for check in compared.checks:
        if check.outcome is Outcome.DIFFERS:
            console.print(f"  {check.name}: {check.explained}", highlight=False)
    console.print()


def _numbers(check: Check) -> Sequence[str]:
    measured, expected = f"{check.measured:.5g}", f"{check.expected:.5g}"
    if check.absolute:
        spread = (f"{value:+.3g}" for value in (check.difference,))
        return (measured, expected, *spread, f"{check.bound:.2g}", f"{check.chance:.2g}")
    values = (check.bound, check.chance)
    return (
        measured,
        expected,
        f"{100 * check.difference:+.2f} %",
        *(f"{100 * value:.2g} %" for value in values),
    )


def _word(outcome: Outcome) -> str:
    return f"[{STYLES[outcome]}]{outcome}[/]"


def _summary(group: str, rows: Sequence[Check], mean: Check | None) -> str:
    """Return a line on a group; a small p of the sign test says that there is a bias, not that it matters."""
    seen = [sum(row.outcome is outcome for row in rows) for outcome in Outcome]
    counts = ", ".join(f"{n} {outcome}" for n, outcome in zip(seen, Outcome, strict=True) if n)
    line = f"[bold]{group}[/]: {len(rows)} rows, {counts}; bound: {rows[0].reason}"
    if mean is None:
        return line
    above, below = (sum(sign * row.difference > 0 for row in rows) for sign in (1, -1))
    worst = max(rows, key=lambda row: abs(row.difference))
    return (
        f"{line}\n  mean {100 * mean.measured:+.2f} % ± {100 * mean.chance:.2g} % by chance: "
        f"{_word(mean.outcome)}; {above} above, sign test p = {stats.sign_test(above, below):.2g}; "
        f"worst {100 * worst.difference:+.2f} %, {worst.name}"
    )


def _conclude(ran: Sequence[Compared], console: Console) -> None:
    checks = [check for compared in ran for check in compared.all_checks()]
    seen = {outcome: sum(check.outcome is outcome for check in checks) for outcome in Outcome}
    counts = ", ".join(f"{n} {outcome}" for outcome, n in seen.items())
    skipped = [each.name for each in ran if not each.checks and not each.error]
    said = f"; skipped: {', '.join(skipped)}" if skipped else ""
    wrong = [each.name for each in ran if each.error]
    said += f"; not compared: {', '.join(wrong)}" if wrong else ""
    rows = sum(len(each.left_out) for each in ran)
    said += f"; {rows} rows of references left out" if rows else ""
    console.print(f"{len(checks)} checks: {counts}{said}", highlight=False)
