"""Writes what the studies of `auto` found into the guide.

    lasthop sweep auto_unseen && lasthop sweep auto_first && python tools/renew_auto.py

`docs/reference/auto.json` keeps the mean regrets of `auto_unseen` by each goal, the best of `auto_first`, and what
`tools/explain_auto.py` found. The blocks of the guide begin with `<!-- NAME: written by tools/renew_auto.py -->`;
a test compares them with that file.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import marked_blocks
from lasthop.core import safe_files
from lasthop.numbers import stats
from lasthop.study.goals import GOALS, Goal
from lasthop.study.scores import AUTO, Scores, averages
from lasthop.study.swept import Results

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs/reference/auto.json"
GUIDE = ROOT / "docs/guides/auto.md"
STUDY = "auto_unseen"
FIRST = "auto_first"
WHY = "auto_why"
POLICY = ROOT / "crates/scenario/src/check/default_policy.toml"
MARKED = marked_blocks.of("renew_auto")
SHOWN = 8
"""The number of variants that are shown of a first look."""
BOUNDS = ("regret", "low", "high", "most")

Found = Mapping[str, Any]


def digest(results: Results) -> dict[str, Any]:
    """Return of a study what the guide says; raises ValueError where it is not complete."""
    if not results.complete:
        raise ValueError(f"{results.path}: not complete")
    goals = {}
    for name in GOALS:
        scores = Scores.of(results, Goal.of(results, name))
        goals[name] = {
            "label": scores.goal.label,
            "conditions": len(scores.conditions),
            "variants": {
                each.variant: [float(f"{100 * getattr(each, bound):.1f}") for bound in BOUNDS]
                for each in averages(scores)
            },
        }
    runs = {results.count(row) for row in results.rows}
    return {
        "policy": policy(),
        "replications": min(runs),
        "goals": goals,
        "gain": gain(results),
    }


def firsts(results: Results) -> dict[str, Any]:
    """Return the best variants of a first look by each goal; raises ValueError where it is not complete."""
    if not results.complete:
        raise ValueError(f"{results.path}: not complete")
    found = {}
    for name in GOALS:
        best = averages(Scores.of(results, Goal.of(results, name)))[:SHOWN]
        found[name] = {each.variant: round(100 * each.regret, 1) for each in best}
    return found


def policy() -> str:
    """Return the digest of lasthop's own policy, which `auto` has in the study."""
    return hashlib.sha256(POLICY.read_bytes()).hexdigest()[:16]


def gain(results: Results) -> dict[str, Any]:
    """Return how many points less `auto` misses of the goodput than the best fixed variant, with its interval."""
    scores = Scores.of(results, Goal.of(results, "goodput"))
    best = next(each.variant for each in averages(scores) if each.variant != AUTO)
    regrets = 100 * scores.regrets()
    places = [scores.variants.index(variant) for variant in (best, AUTO)]
    less = regrets[:, places[0]] - regrets[:, places[1]]
    known = stats.mean_interval(less.tolist())
    return {
        "over": best,
        "points": [round(x, 1) for x in (float(less.mean()), known.low, known.high)],
    }


def table(found: Found) -> str:
    """Return the table of a study: a row for each variant, a column for each goal; the smallest regret is bold."""
    goals = found["goals"]
    first, *_ = goals.values()
    lines = [
        "| regret, % | " + " | ".join(goals) + " |",
        "|---|" + "---|" * len(goals),
    ]
    best = {name: next(iter(each["variants"])) for name, each in goals.items()}
    for variant in first["variants"]:
        cells = []
        for name, each in goals.items():
            regret, low, high, most = each["variants"][variant]
            text = f"{regret} ({low} to {high}), at most {most}"
            cells.append(f"**{text}**" if variant == best[name] else text)
        lines.append(f"| `{variant}` | " + " | ".join(cells) + " |")
    counts = ", ".join(f"{each['conditions']} by {name}" for name, each in goals.items())
    mean, low, high = found["gain"]["points"]
    less = f"By goodput `auto` misses {mean} points less than `{found['gain']['over']}` ({low} to {high})."
    lines += ["", f"Conditions: {counts}. Replications: {found['replications']}. {less}"]
    return "\n".join(lines) + "\n"


def why(found: Found) -> str:
    """Return the table of what picks among the policy's variants, and what it then misses."""

    def shown(name: str, of: Sequence[float]) -> str:
        return f"| {name} | {of[0]} ({of[1]} to {of[2]}) |"

    return "\n".join(
        [
            f"| what picks, over {found['conditions']:,} paths of `auto.toml` | misses of the goodput, % |",
            "|---|---|",
            shown(f"nothing: `{found['fixed variant']}` always", found["fixed"]),
            shown("the best in each condition", found["best"]),
            *(
                shown(f"trees that know the true path, learned from {size} others", of)
                for size, of in found["true path"].items()
            ),
            *(
                shown(f"trees that know what the endpoint measured, learned from {size} others", of)
                for size, of in found["measured"].items()
            ),
            shown(
                "the same, without `queueing_delay`, `queueless_loss` and `rounds`",
                found["less measured"],
            ),
            shown("the rules, as fixed variants foretell", found["rules"]),
            shown("what running them costs beyond this", found["running"]),
            "",
        ]
    )


def looked(found: Found) -> str:
    """Return the table of a first look."""
    rows = [
        f"| {goal} | " + ", ".join(f"`{name}` {regret}" for name, regret in best.items()) + " |"
        for goal, best in found.items()
    ]
    return "\n".join(["| goal | the best of 39, and what each misses, % |", "|---|---|", *rows, ""])


TABLES = {STUDY: table, FIRST: looked, WHY: why}


def filled(text: str, kept: Mapping[str, Found]) -> str:
    """Return the guide with its blocks as the studies have them."""
    return marked_blocks.filled(text, MARKED, lambda name: TABLES[name](kept[name]))


def read() -> dict[str, Any]:
    """Return what was kept of the studies."""
    found: dict[str, Any] = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    return found


def main() -> None:
    """Keep what is under a directory, and write the guide."""
    out = marked_blocks.directory(__doc__, "sweep")
    kept = read()
    there = [study for study in (STUDY, FIRST) if (out / study).is_dir()]
    if not there:
        sys.exit(f"{out / STUDY}: there is no such study; run lasthop sweep {STUDY}")
    try:
        for study in there:
            kept[study] = (digest if study == STUDY else firsts)(Results(out / study))
    except ValueError as wrong:
        sys.exit(str(wrong))
    safe_files.write_text(KEPT, json.dumps(kept, indent=1) + "\n")
    safe_files.write_text(GUIDE, filled(GUIDE.read_text("utf-8"), kept))


if __name__ == "__main__":
    main()
