"""Frames of mixtures: the nodes, and how they are connected."""

from __future__ import annotations

import random
from collections.abc import Callable

from lasthop_validation.mixing.filling import allowed, fill, names
from lasthop_validation.mixing.text import Tables
from lasthop_validation.mixing.values import Inline, definitions, kinds, table, value

MODERN = ("802.11n", "802.11ac", "802.11ax")
"""Standards of cells with access categories and aggregates."""


def _wire(rng: random.Random, ends: tuple[str, str], fastest: float = 20) -> Tables:
    rate, delay = rng.uniform(0.2, 1) * fastest, rng.uniform(0.01, 30)
    wire: Tables = {"ends": list(ends), "rate": f"{rate:.3f} Mbps", "delay": f"{delay:.3f} ms"}
    if rng.random() < 0.2:
        wire["change"] = _changes(rng, fastest)
    return wire


def _changes(rng: random.Random, fastest: float) -> list[Tables]:
    """Return what happens to a link, in the order of time."""
    changes: list[Tables] = []
    for at in sorted(rng.uniform(0, 4) for _ in range(rng.randint(1, 4))):
        change: Tables = {"at": f"{at:.3f} s"}
        if rng.random() < 0.5:
            change["rate"] = f"{rng.uniform(0.2, 1) * fastest:.3f} Mbps"
        if rng.random() < 0.4:
            change["delay"] = f"{rng.uniform(0.01, 60):.3f} ms"
        if rng.random() < 0.2:
            change["down"] = True
        if rng.random() < 0.3:
            change["direction"] = rng.choice(("both", "forward", "reverse"))
        changes.append(change)
    return changes


def _wired(rng: random.Random, scenario: Tables) -> list[str]:
    nodes = [f"n{i}" for i in range(rng.randint(2, 6))]
    for i, node in enumerate(nodes[1:], 1):
        scenario["link"].append(
            _wire(rng, (nodes[rng.randrange(i)], node), rng.choice((1.0, 5.0, 20.0)))
        )
    return nodes


def _celled(rng: random.Random, scenario: Tables) -> list[str]:
    nodes, cells = ["server"], rng.randint(1, 3)
    for number in range(cells):
        stations = [f"s{number}{i}" for i in range(rng.randint(1, 5))]
        scenario["link"].append(_wire(rng, ("server", f"ap{number}")))
        cell = {"name": f"c{number}", "access_point": f"ap{number}", "stations": stations}
        scenario["cell"].append(cell)
        nodes += [f"ap{number}", *stations]
    if rng.random() < 0.7:
        scenario["phy"] = {"standard": rng.choice(allowed("PhySpec", "standard"))}
    if scenario.get("phy", {}).get("standard") in MODERN:
        for key in (
            "mcs", "streams", "width", "guard_interval", "band", "preambles", "coding",
        ):  # fmt: skip
            if rng.random() < 0.3:
                scenario["phy"][key] = value(rng, key, definitions()["PhySpec"]["properties"][key])
        if rng.random() < 0.3:
            scenario["qos"] = {"access_point": Inline(table(rng, "EdcaSpec", 0.5))}
    if rng.random() < 0.5:
        scenario["channel"] = {"model": rng.choice(list(kinds("ChannelSpec")))}
    return nodes


def _placed(rng: random.Random, scenario: Tables) -> list[str]:
    nodes = _celled(rng, scenario)
    scenario["medium"] = {}
    for name in nodes[1:]:
        place = [round(rng.uniform(-60, 60), 1), round(rng.uniform(-60, 60), 1)]
        scenario["node"].append({"name": name, "position": place})
        if name.startswith("s") and rng.random() < 0.2:
            scenario["node"][-1]["velocity"] = value(rng, "velocity", {})
    if rng.random() < 0.3:
        _routers(rng, scenario)
    return nodes


def _routers(rng: random.Random, scenario: Tables) -> None:
    """Let stations find their ways themselves, fast enough for so short a run."""
    scenario["routing"] = {
        "kind": "dsdv",
        "update_period": f"{rng.randint(100, 1500)} ms",
        "settling_time": f"{rng.randint(0, 400)} ms",
        "missed_updates": rng.randint(1, 4),
    }


def _ad_hoc(rng: random.Random, scenario: Tables) -> list[str]:
    nodes = [f"s{i}" for i in range(rng.randint(2, 7))]
    scenario["cell"].append({"name": "field", "stations": nodes})
    scenario["medium"] = {}
    scenario["routing"] = {"kind": rng.choice(("shortest", "shortest", "static"))}
    if rng.random() < 0.3:
        _routers(rng, scenario)
    elif rng.random() < 0.4:
        _clusters(rng, scenario, nodes)
    walk = {"kind": "random_waypoint", "area": value(rng, "area", {}), "speed": ["1 m/s", "20 m/s"]}
    for i, name in enumerate(nodes):
        node: Tables = {"name": name}
        if rng.random() < 0.4:
            node["mobility"] = dict(walk)
            fill(rng, node["mobility"], kinds("MobilitySpec")["random_waypoint"], 0.3)
        else:
            node["position"] = [i * rng.uniform(5, 80), round(rng.uniform(-20, 20), 1)]
        scenario["node"].append(node)
    return nodes


def _clusters(rng: random.Random, scenario: Tables, nodes: list[str]) -> None:
    """Let stations talk by clusterheads, some of them by radios of their own."""
    clusters: Tables = {
        "interval": f"{rng.randint(100, 900)} ms",
        "radius": f"{rng.randint(20, 90)} m",
    }
    if rng.random() < 0.5:
        clusters["cell"] = "field"
    if rng.random() < 0.3:
        clusters["head_fails_at"] = f"{rng.randint(100, 900)} ms"
    if rng.random() < 0.5:
        scenario["cell"].append({"name": "heads", "stations": nodes, "channel_number": 6})
        clusters["head_cells"] = ["heads"]
    fill(rng, clusters, "ClustersSpec", 0.5)
    scenario["routing"] = {"kind": "clusters", "clusters": clusters}


def _roaming(rng: random.Random, scenario: Tables) -> list[str]:
    points, walkers = ["west", "east"], [f"w{i}" for i in range(rng.randint(1, 2))]
    scenario["medium"] = {"exponent": 3.5, "reception": "thresholds", "rx_threshold": "-82 dBm"}
    scenario["phy"] = {"standard": "802.11b"}
    scenario["association"] = {"mode": rng.choice(allowed("AssociationSpec", "mode"))}
    scenario["link"] = [
        _wire(rng, ("server", "switch")),
        *(_wire(rng, ("switch", p)) for p in points),
    ]
    for number, point in enumerate(points):
        stations = walkers if number == 0 else ["desk"]
        scenario["cell"].append(
            {
                "name": f"c{number}",
                "access_point": point,
                "stations": stations,
                "channel_number": 1 + 5 * number,
            }
        )
        scenario["node"].append({"name": point, "position": [40 * number, 0]})
    scenario["node"].append({"name": "desk", "position": [42, 3]})
    for name in walkers:
        node: Tables = {"name": name, "position": [rng.uniform(0, 20), 0]}
        if rng.random() < 0.5:
            node["velocity"] = [round(rng.uniform(5, 25), 1), 0]
        else:
            to = [round(rng.uniform(20, 60), 1), 0]
            node["waypoints"] = [
                Inline({"at": "100 ms", "to": to, "speed": f"{rng.randint(8, 40)} m/s"})
            ]
        scenario["node"].append(node)
    return ["server", "desk", *walkers]


def _mobile_ip(rng: random.Random, scenario: Tables) -> list[str]:
    nodes = _roaming(rng, scenario)
    scenario["link"].append(_wire(rng, ("switch", "home")))
    scenario["mobile_ip"] = {"home_agent": "home", "mobile_nodes": nodes[2:]}
    if rng.random() < 0.4:
        scenario["mobile_ip"]["preset"] = rng.choice(allowed("MobileIpSpec", "preset"))
    if rng.random() < 0.3:
        scenario["mobile_ip"]["foreign_agents"] = ["west", "east"]
    ns2 = scenario["mobile_ip"].get("preset") == "ns2"
    scenario["association"]["mode"] = "ns2" if ns2 else "signal"
    return nodes


def _wimax(rng: random.Random, scenario: Tables) -> list[str]:
    """Draw an 802.16 cell behind a wire: every key of it, of a station and of a service flow."""
    stations = [f"ss{i}" for i in range(rng.randint(1, 5))]
    part = rng.choice((0.1, 0.3))
    cell: Tables = {"base_station": "bs", "stations": stations}
    fill(rng, cell, "WimaxSpec", part)
    for name in rng.sample(stations, rng.randint(0, min(2, len(stations)))):
        own: Tables = {"name": name}
        fill(rng, own, "SubscriberSpec", part)
        cell.setdefault("station", []).append(own)
    if rng.random() < 0.3:
        service: Tables = {"flows": ["f0"], "class": rng.choice(names("Class"))}
        fill(rng, service, "ServiceSpec", 0.5)
        cell["service"] = [service]
    if "entry" in cell:
        cell.pop("ranging_opportunities", None)
    if "signal" in cell:
        scenario["node"] = [
            {"name": name, "position": [rng.randint(0, 900), rng.randint(0, 300)]}
            for name in ("bs", *stations)
        ]
    scenario["wimax"] = [cell]
    scenario["link"].append(_wire(rng, ("server", "bs")))
    return ["server", *stations]


_OF_CSMA_CD = ("collisions", "backoff_limit", "length", "places")
_OF_CSMA_CA = ("ifs", "slot", "cw_min", "cw_max")


def _lan(rng: random.Random, scenario: Tables) -> list[str]:
    """Draw a shared LAN behind a wire, some of its stations routers to others."""
    stations = [f"h{i}" for i in range(rng.randint(2, 8))]
    lan: Tables = {"stations": stations}
    if rng.random() < 0.3:
        lan |= {"length": "100 m", "places": [f"{rng.randint(0, 100)} m" for _ in stations]}
    fill(rng, lan, "LanSpec", rng.choice((0.1, 0.3)))
    avoids = lan.get("access") == "csma-ca" or (
        lan.get("preset") == "ns2-csma-ca" and "access" not in lan
    )
    for key in _OF_CSMA_CD if avoids else _OF_CSMA_CA:
        lan.pop(key, None)
    scenario["lan"] = [lan]
    scenario["link"].append(_wire(rng, ("server", stations[0])))
    if rng.random() < 0.3:
        scenario["lan"].append({"stations": [stations[-1], "far1", "far2"]})
        stations += ["far1", "far2"]
    return ["server", *stations]


FRAMES: tuple[Callable[[random.Random, Tables], list[str]], ...] = (
    _wired, _celled, _celled, _placed, _placed, _ad_hoc, _roaming, _mobile_ip, _wimax, _lan,
)  # fmt: skip
