"""Fixed workloads of `lasthop bench`: the TOML files here, some of them templates of several."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources

STATIONS = (10, 50, 200)
SUBSCRIBERS = (6, 100)
HOSTS = (10, 50)
CELLS = 50
STATIONS_A_CELL = 20


@dataclass(frozen=True)
class Workload:
    """A scenario to time.

    Attributes:
        name: Its name.
        group: The name of those of its kind.
        text: The scenario.
    """

    name: str
    group: str
    text: str


def workloads() -> list[Workload]:
    """Return every workload: those of `fixed`, then a row for each law."""
    from lasthop.core import api

    return [*fixed(), *(of_law(row["name"]) for row in api.catalogue()["laws"])]


def fixed() -> list[Workload]:
    """Return those that name no law: wired ones, cells, media, 802.16, shared LANs.

    Needs no compiled core.
    """
    wired = ("newreno-wire", "tcp-mixed-100")
    cells = ("gilbert-elliott-10", "tcp-uploads-10", "aggregates-10", "aggregates-tcp-50")
    return [
        *(Workload(name, "wired", _read(name)) for name in wired),
        *(Workload(f"dcf-{n}", "dcf", _filled("dcf", "n", n)) for n in STATIONS),
        *(Workload(name, "cells", _read(name)) for name in cells),
        *(Workload(f"medium-{n}", "medium", _filled("medium", "n", n)) for n in STATIONS),
        Workload("hidden-10", "medium", _read("hidden-10")),
        Workload("cells-50", "medium", _many_cells()),
        Workload("drive-by", "medium", _of_paper("janevski2011", "scene.moving.toml")),
        *(Workload(f"wimax-{n}", "wimax", _filled("wimax", "n", n)) for n in SUBSCRIBERS),
        *(Workload(f"lan-{n}", "lan", _filled("lan", "n", n)) for n in HOSTS),
    ]


def of_law(name: str) -> Workload:
    """Return the workload of a law."""
    return Workload(f"law-{name}", "laws", _filled("law", "law", name))


def _read(name: str) -> str:
    return (resources.files("lasthop.study.benches") / f"{name}.toml").read_text(encoding="utf-8")


def _of_paper(paper: str, scene: str) -> str:
    """Return a scene of a paper: what its runs cost is guarded as the rest is."""
    return (resources.files("lasthop.study") / "papers" / paper / scene).read_text(encoding="utf-8")


def _filled(template: str, key: str, value: object) -> str:
    return _read(template).replace(f"{{{key}}}", str(value))


def _many_cells() -> str:
    """Return 1,000 saturated stations: 50 cells of 20, 60 m apart, on channels 1, 6 and 11 in turn."""
    parts = ['name = "cells-50"\nduration = "4 s"\n\n[medium]\n\n[phy]\nstandard = "802.11b"\n']
    for i in range(CELLS):
        stations = [f"s{i}-{k}" for k in range(STATIONS_A_CELL)]
        parts.append(
            f'[[cell]]\nname = "cell{i}"\naccess_point = "ap{i}"\nstations = {json.dumps(stations)}\n'
            f'placement = "circle 5 m"\nchannel_number = {(1, 6, 11)[i % 3]}\n\n'
            f'[[node]]\nname = "ap{i}"\nposition = [{60 * (i % 10)}, {60 * (i // 10)}]\n\n'
            f'[[flow]]\nfrom = "s{i}-*"\nto = "ap{i}"\ntransport = "udp"\n'
            'app = { kind = "saturated", payload = "1472 B" }\n'
        )
    return "\n".join(parts)
