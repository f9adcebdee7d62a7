"""Mixtures as TOML, a key a line, so that an error's line is a key; what is refused is left out."""

from __future__ import annotations

import re
from typing import Any

from lasthop.core import api, toml
from lasthop.errors import ScenarioError
from lasthop_validation.mixing.values import Inline

Tables = dict[str, Any]


def written(tables: Tables) -> tuple[str, list[tuple[Tables, str] | None]]:
    """Return the text, and the place of the key of each of its lines."""
    lines: list[str] = []
    keys: list[tuple[Tables, str] | None] = []

    def put(line: str, key: tuple[Tables, str] | None) -> None:
        lines.append(line)
        keys.append(key)

    def section(inside: Tables, path: str) -> None:
        deeper = []
        for key, each in inside.items():
            if isinstance(each, dict) and not isinstance(each, Inline):
                deeper.append((key, [each], f"[{path}{key}]"))
            elif isinstance(each, list) and each and type(each[0]) is dict:
                deeper.append((key, each, f"[[{path}{key}]]"))
            elif each != [] or key == "measures":
                put(toml.line(key, each), (inside, key))
        for key, these, head in deeper:
            for one in these:
                put(head, (inside, key))
                section(one, f"{path}{key}.")

    section(tables, "")
    return "\n".join(lines) + "\n", keys


def repaired(tables: Tables) -> str | None:
    """Leave out what the check refuses, until it refuses nothing; None where that cannot be."""
    for _ in range(200):
        text, keys = written(tables)
        try:
            api.check(text)
        except ScenarioError as error:
            if not _left_out(tables, keys, str(error)):
                return None
        else:
            return text
    return None


def _left_out(tables: Tables, keys: list[tuple[Tables, str] | None], error: str) -> bool:
    """Take out the key that an error points to; a flow of which nothing is left to take goes whole."""
    found = re.match(r"[^:]*:(\d+):\d+: error: ", error)
    place = keys[int(found[1]) - 1] if found and int(found[1]) <= len(keys) else None
    if place is None:
        return False
    inside, key = place
    flows = tables["flow"]
    if any(inside is flow for flow in flows) and key in ("name", "from", "to", "app"):
        flows[:] = [flow for flow in flows if flow is not inside]
        return bool(flows)
    if any(inside is flow.get("app") for flow in flows) and key == "kind":
        flows[:] = [flow for flow in flows if flow.get("app") is not inside]
        return bool(flows)
    if key in ("ends", "stations", "name", "duration") or (
        inside is tables and key in ("cell", "link", "flow")
    ):
        return False
    del inside[key]
    return True
