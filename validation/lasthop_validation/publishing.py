"""`lasthop validate --out`: a figure of each comparison, those that it draws itself, and a table of all."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from lasthop.core import safe_files, shapes
from lasthop.errors import LasthopError
from lasthop.pages.figures import style
from lasthop.pages.recipes.recipe import Recipe, recipe
from lasthop_validation import known
from lasthop_validation.checking import Check, Outcome
from lasthop_validation.differences import differences
from lasthop_validation.oracles import chosen, reading
from lasthop_validation.running import Compared, How, compare

HEAD = """# What `lasthop validate --out` measured

Written by the command. Differences are relative, in per cent, or absolute where marked (a).
"""


def publish(ran: Sequence[Compared], folder: Path, *, quick: bool, seed: int) -> None:
    """Write NAME.png and NAME.svg for each comparison that ran, with their recipes, and results.md."""
    parts = [HEAD]
    for compared in ran:
        if not compared.checks:
            continue
        groups = compared.groups()
        module = import_module(f"lasthop_validation.{compared.name}")
        sheets = {compared.name: style.Sheet(partial(differences, compared.title, groups))}
        if hasattr(module, "figure"):
            sheets[f"{compared.name}_figure"] = style.Sheet(module.figure)
        made = _recipe(compared, quick, seed)
        for name, sheet in sheets.items():
            for kind in ("png", "svg"):
                sheet.save(folder / f"{name}.{kind}", made)
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
    safe_files.write_text(folder / "results.md", "\n".join(parts))


SHAPE = shapes.fields(
    {
        **dict.fromkeys(("comparison", "oracles"), shapes.text),
        "quick": shapes.flag,
        "seed": shapes.whole(),
    },
    ["oracles"],
)
"""The form of a recipe of a comparison's figures."""


def again(
    recipe_: Recipe, folder: Path, workers: int | None, told: Callable[[float], None]
) -> Path:
    """Run a comparison again and draw its figures; raises LasthopError where its references are not here."""
    held = recipe_.inputs
    with reading(Path(held["oracles"]) if held.get("oracles") else None):
        how = How(held["quick"], seed=held["seed"], workers=workers)
        compared = known.read().explained(compare(held["comparison"], how, told))
        if not compared.checks:
            raise LasthopError(f"{compared.name}: its reference numbers are not here")
        publish([compared], folder, quick=held["quick"], seed=held["seed"])
    return folder / Path(recipe_.file).name


def _recipe(compared: Compared, quick: bool, seed: int) -> Recipe:
    words = ["lasthop", "validate", compared.name, *(["--quick"] if quick else [])]
    words += ["--oracles", str(folder)] if (folder := chosen()) else []
    command = shlex.join([*words, "--seed", str(seed), "--out", "DIR"])
    inputs = {
        "comparison": compared.name,
        "quick": quick,
        "seed": seed,
        "oracles": str(folder.resolve()) if folder else "",
    }
    return recipe("validation", command, inputs, [check.as_dict() for check in compared.checks])


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
