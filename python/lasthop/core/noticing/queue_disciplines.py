"""The discipline of each queue of a result, by what its scenario says of links, cells and stations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Table = Mapping[str, Any]


def of_queues(names: Iterable[str], scenario: Table) -> dict[str, str]:
    """Return the discipline of each of these queues, of which a resolved scenario says it."""
    links = dict(_of_links(scenario))
    nodes = {node["name"]: node for node in scenario.get("node", ())}
    media = {each["name"]: each for kind in ("cell", "lan") for each in scenario.get(kind, ())}
    wimax = {each["name"]: each for each in scenario.get("wimax", ())}
    found = {}
    for name in names:
        medium, _, inside = name.partition("/")
        if name in links:
            found[name] = links[name]
        elif medium in media:
            found[name] = nodes.get(inside, {}).get("queue", media[medium]["queue"])
        elif medium in wimax and ":" not in inside:  # the queues of services have their own tables
            found[name] = _of_station(inside, wimax[medium])
    return {name: queue["discipline"] for name, queue in found.items()}


def _of_links(scenario: Table) -> Iterable[tuple[str, Table]]:
    """Yield the names of links, one for each way, with their queues."""
    for link in scenario.get("link", ()):
        one, other = link["ends"]
        yield f"{one}>{other}", link["queue"]
        yield f"{other}>{one}", link.get("reverse_queue", link["queue"])


def _of_station(inside: str, cell: Table) -> Table:
    """Return a queue of an 802.16 station: "base>station" is downlink, "station" uplink."""
    _, is_down, station = inside.rpartition(">")
    key = "downlink_queue" if is_down else "uplink_queue"
    own: Table = next((each for each in cell.get("station", ()) if each["name"] == station), {})
    queue: Table = own.get(key) or cell.get(key) or cell["queue"]
    return queue
