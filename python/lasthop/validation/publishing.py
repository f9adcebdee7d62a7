"""`lasthop validate --out`: a figure of each comparison, those that it draws itself, and a table of all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from lasthop import store
from lasthop.figures import checks, style
from lasthop.validation.checking import Check, Outcome
from lasthop.validation.running import Compared

HEAD = """# What `lasthop validate --out` measured

Written by the command. Differences are relative, in per cent, or absolute where marked (a).
"""


def publish(ran: Sequence[Compared], folder: Path) -> None:
    """Write NAME.png and NAME.svg for each comparison that ran, and results.md."""
    parts = [HEAD]
    for compared in ran:
        if not compared.checks:
            continue
        groups = compared.groups()
        module = import_module(f"lasthop.validation.{compared.name}")
        draw = partial(checks.differences, compared.title, groups)
        for kind in ("png", "svg"):
            store.write_bytes(
                folder / f"{compared.name}.{kind}", style.render(draw, style.LIGHT, kind)
            )
            if hasattr(module, "figure"):
                path = folder / f"{compared.name}_figure.{kind}"
                store.write_bytes(path, style.render(module.figure, style.LIGHT, kind))
        own = (
            f"![{compared.name}]({compared.name}_figure.png)\n\n"
            if hasattr(module, "figure")
            else ""
        )
        rows = "\n".join(_row(name, group) for name, group in groups.items())
        outcomes = " | ".join(str(outcome) for outcome in Outcome)
        parts.append(
            f"## {compared.title}\n\n![{compared.name}]({compared.name}.png)\n\n{own}"
            f"| group | checks | {outcomes} | mean | worst |\n|---|---|{'---|' * len(Outcome)}---|---|\n"
            f"{rows}\n"
        )
    store.write_text(folder / "results.md", "\n".join(parts))


def _row(name: str, rows: Sequence[Check]) -> str:
    counts = " | ".join(str(sum(row.outcome is outcome for row in rows)) for outcome in Outcome)
    mean = sum(row.difference for row in rows) / len(rows)
    worst = max(rows, key=lambda row: abs(row.difference))
    return (
        f"| {name} | {len(rows)} | {counts} | {_shown(mean, worst)} | "
        f"{_shown(worst.difference, worst)}: {worst.name} |"
    )


def _shown(difference: float, like: Check) -> str:
    return f"{difference:+.3g} (a)" if like.absolute else f"{100 * difference:+.2f} %"
