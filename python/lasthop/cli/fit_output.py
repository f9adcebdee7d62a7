"""`lasthop fit`: prints what was found, and writes the scenario."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from lasthop.cli import fitting_tables
from lasthop.cli.documents import print_document
from lasthop.cli.terminal import refuse_no_directory, tell_written, terminal
from lasthop.core import safe_files
from lasthop.data import fitting as fitted
from lasthop.data.fitting import Fit
from lasthop.data.fitting.losses import Parameter
from lasthop.data.fitting.writing import scenario
from lasthop.errors import UsageError
from lasthop.study.making import schema_line

if TYPE_CHECKING:
    from lasthop.cli.commands.fit import FitOptions

NAMES = {
    "mean_good_s": ("good times, mean (ms)", 1e3),
    "mean_bad_s": ("bad times, mean (ms)", 1e3),
    "loss_good": ("lost in good times (%)", 1e2),
    "loss_bad": ("lost in bad times (%)", 1e2),
}
LEAST_EXPECTED = 0.5
SAID = {
    "none": "No packet was lost on the way.",
    "bernoulli": "Losses are independent of each other (Bernoulli).",
    "gilbert_elliott": "Losses come in bursts: a good and a bad state alternate (Gilbert-Elliott).",
}
ONLY_QUEUE = {
    True: "Packets were lost at the queue only.",
    False: "All losses coincide with a waiting queue.",
}


def fit(captures: Sequence[Path], options: FitOptions) -> None:
    """Fit, print and write; raises LasthopError."""
    out, as_json = options.out, options.as_json
    if not captures:
        raise UsageError("fit takes a capture taken at the sender, or one from each end")
    if out is not None:
        refuse_no_directory(out.parent)
    found = fitted.fit(*captures)
    if as_json:
        print_document(found.as_dict())
    else:
        _show(found)
    if out is not None:
        safe_files.write_text(out, schema_line(out.parent) + scenario(found))
        if not as_json:
            tell_written(out)


def _show(found: Fit) -> None:
    console = terminal()
    told = (
        f"{', '.join(found.files)}: {found.flow}, {found.packets:,} packets with data in {found.seconds:.4g} s, "
        f"{found.lost:,} lost, {found.unknown:,} with unknown outcome"
    )
    console.print(escape(told))
    rows = _rows(found)
    fitting_tables.show(
        console,
        "",
        [row[0] for row in rows],
        [("estimate", [row[1] for row in rows]), ("95 %", [row[2] for row in rows])],
    )
    only_queue = found.losses.model == "none" and found.path.queue.dropped.any()
    said = ONLY_QUEUE[found.path.is_separated] if only_queue else SAID[found.losses.model]
    console.print(said)
    if found.goodness is not None:
        runs = [(name, n, e) for name, n, e in found.goodness.runs if n or e >= LEAST_EXPECTED]
        seen = ", ".join(f"{name}: {n} ({e:.1f})" for name, n, e in runs)
        console.print(
            f"Runs of consecutive losses, with the number the model expects in parentheses: {seen}."
        )
        if found.goodness.fits:
            console.print(
                f"The model is not rejected (p = {found.goodness.p:.2f} from {fitted.DRAWS} simulated sequences)."
            )
    for note in found.notes:
        console.print(escape(note))


Row = tuple[str, str, str]


def _rows(found: Fit) -> list[Row]:
    path, queue, trains = found.path, found.path.queue, found.path.trains
    if trains.is_bound:
        rows: list[Row] = [("rate (Mbit/s)", f"{path.rate.value / 1e6:.4g}", "a lower bound")]
    else:
        rows = [_row("rate (Mbit/s)", path.rate, 1e-6, 6)]
    if trains.link:
        own = Parameter(trains.value, trains.low, trains.high)
        rows.append(_row("this flow's share (Mbit/s)", own, 1e-6, 6))
    rows.append(_row("delay, one way (ms)", path.delay, 1e3))
    drops = f"{int(queue.dropped.sum())} dropped"
    if path.discipline is not None:
        rows.append(("queue (packets)", str(queue.length or f"over {queue.waited - 1}"), drops))
        rows.append(("discipline", path.discipline.name, ""))
    elif not path.is_separated:
        rows.append(("queue (packets)", f"about {queue.typical}", f"{drops}, not separated"))
    elif queue.length is None:
        over = f"over {queue.waited - 1}" if queue.waited > 1 else "-"
        rows.append(("queue (packets)", over, "never full"))
    else:
        rows.append(("queue (packets)", str(queue.length), drops))
    rows.append(_row("lost on the way (%)", found.losses.share, 1e2))
    for name, each in found.losses.parameters.items():
        if name in NAMES:
            words, scale = NAMES[name]
            rows.append(_row(words, each, scale))
    return rows


def _row(name: str, x: Parameter, scale: float, digits: int = 4) -> Row:
    shown = [_digits(scale * each, digits) for each in (x.value, x.low, x.high)]
    return name, shown[0], f"{shown[1]} to {shown[2]}"


def _digits(value: float, digits: int) -> str:
    """Write a number with `digits` digits and no exponent."""
    import numpy as np

    return np.format_float_positional(value, precision=digits, fractional=False, trim="-")
