"""Finds changes of a scenario that have no effect, such as a top-level table where each user has its own."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from typing import Any

from lasthop.core.job import Job
from lasthop.errors import ScenarioError

#: Lists of tables by the top-level tables that their elements may have instead.
INHERIT = {
    "flow": ("tcp", "udp"),
    "cell": ("phy", "mac", "channel", "fec", "queue"),
    **dict.fromkeys(("link", "lan", "wimax"), ("queue",)),
}

#: Keys that do not affect the simulation.
OUTSIDE = ("seed", "name", "description", "measures")


def changes(asked: Job) -> list[str]:
    """Return a sentence for each change without which the same is simulated."""
    if not asked.overrides:
        return []
    whole = asked.identity()
    said = []
    for place, change in enumerate(asked.overrides):
        key = change.partition("=")[0].strip()
        others = (*asked.overrides[:place], *asked.overrides[place + 1 :])
        without = ""
        with suppress(ScenarioError):  # what is wrong without it needs it
            without = asked.identity(others)
        if key.split(".")[0] not in OUTSIDE and without == whole:
            said.append(
                f"--set {change} has no effect: the value is already set, or nothing uses it"
                + owners(asked.text, key)
            )
    return said


def reaching(scenario: str, key: str) -> list[str]:
    """Return the keys that reach the tables of their own which elements have in place of a key's top-level one."""
    table, _, rest = key.partition(".")
    lists: dict[str, Any] = tomllib.loads(scenario)
    return [
        f"{kind}.{each.get('name', place)}.{key}"
        for kind, tables in INHERIT.items()
        if table in tables and rest
        for place, each in enumerate(lists.get(kind, []))
        if table in each
    ]


def owners(scenario: str, key: str) -> str:
    """Say what reaches tables that take the place of a key's top-level one; empty where there is none."""
    found = reaching(scenario, key)
    if not found:
        return ""
    others = len(found) - 1
    more = f", and so {'does' if others == 1 else 'do'} {others} more" if others else ""
    own = found[0].removesuffix(f".{key}")
    return f". {own} has a table of its own{more}; {found[0]} reaches it"
