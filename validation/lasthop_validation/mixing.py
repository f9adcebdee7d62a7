"""Valid scenarios that mix everything, drawn by a seed: wires, cells, places, movement, Mobile IP, every key.

A frame (who is there, and how they are connected) is drawn first. Then any key of the format is written into its
tables with any value that the schema allows, and what the check refuses is left out, a line at a time, until the
scenario is valid.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from lasthop_validation.mixing_text import Tables, repaired
from lasthop_validation.mixing_values import (
    FRAMED,
    Inline,
    definitions,
    kinds,
    states,
    table,
    value,
)

MODERN = ("802.11n", "802.11ac", "802.11ax")
"""Standards of cells with access categories and aggregates."""

#: By table of the scenario: its type in the schema.
DEFAULTS = {
    "queue": "QueueTable", "phy": "PhySpec", "mac": "MacSpec", "qos": "QosSpec",
    "fec": "FecSpec",
    "tcp": "TcpSpec", "udp": "UdpSpec", "routing": "RoutingSpec",
}  # fmt: skip


def mixture(seed: int) -> str:
    """Return the valid scenario of this seed, as TOML."""
    for attempt in range(50):
        rng = random.Random(f"mixture {seed} {attempt}")
        if (text := repaired(_drawn(rng))) is not None:
            return text
    raise RuntimeError(f"nothing valid comes of seed {seed}")


def _drawn(rng: random.Random) -> Tables:
    duration = rng.uniform(0.5, 4)
    scenario: Tables = {
        "duration": f"{duration:.3f} s",
        "link": [],
        "cell": [],
        "node": [],
        "flow": [],
    }
    if rng.random() < 0.6:
        scenario["warmup"] = f"{duration * rng.uniform(0, 0.7):.4f} s"
    if rng.random() < 0.3:
        scenario["conventions"] = rng.choice(("ns2.35", "ns2.1b8", "ns2.1b7", "ns3"))
    known = ["delay_split", "interarrival", "acks", "efficiency"]
    scenario["measures"] = rng.sample(known, rng.randint(0, 3))
    nodes = rng.choice(FRAMES)(rng, scenario)
    part = rng.choice((0.0, 0.05, 0.1, 0.3))
    for name, kind in DEFAULTS.items():
        if rng.random() < 0.5:
            _fill(rng, scenario.setdefault(name, {}), kind, part)
    channels = kinds("ChannelSpec")
    if "channel" in scenario or rng.random() < 0.5:
        channel = scenario.setdefault("channel", {"model": rng.choice(list(channels))})
        _fill(rng, channel, channels[channel["model"]], part)
    for name, kind in (("link", "LinkSpec"), ("cell", "CellSpec"), ("node", "NodeSpec")):
        for each in scenario[name]:
            _fill(rng, each, kind, part / 2)
    for name, kind in (
        ("medium", "MediumSpec"),
        ("association", "AssociationSpec"),
        ("mobile_ip", "MobileIpSpec"),
    ):
        if name in scenario:
            _fill(rng, scenario[name], kind, part)
    _routes(rng, scenario, nodes)
    for number in range(rng.randint(1, 5)):
        scenario["flow"].append(_flow(rng, nodes, number, duration, part))
    if rng.random() < 0.2:
        _drops(rng, scenario)
    if rng.random() < 0.3:
        _proxies(rng, scenario)
    if scenario["link"] and rng.random() < 0.2:
        rng.choice(scenario["link"])["queue"] = _shaper(rng)
    return scenario


def _shaper(rng: random.Random) -> Inline:
    """Return a queue of CAKE with a bandwidth, which only links can have."""
    forms = definitions()["QueueTable"]["oneOf"]
    keys = dict(next(form for form in forms if form["title"] == "cake")["properties"])
    for limit in ("packets", "bytes", "unlimited", "counts"):
        del keys[limit]
    queue = Inline(discipline="cake", bandwidth=value(rng, "", {"$ref": "BitRate"}))
    _fill(rng, queue, {"properties": keys}, 0.3)
    return queue


def _fill(rng: random.Random, into: Tables, what: str | Tables, part: float) -> None:
    """Write keys of this table, by its name or its schema, that are not there yet, each with a probability."""
    what = definitions()[what] if isinstance(what, str) else what
    what = rng.choice(what["oneOf"]) if "oneOf" in what else what
    required = set(what.get("required", ()))
    for key, of in what["properties"].items():
        if key not in into and key not in FRAMED and (key in required or rng.random() < part):
            into[key] = value(rng, key, of)
    states(rng, into)


def _flow(
    rng: random.Random, nodes: list[str], number: int, duration: float, part: float
) -> Tables:
    origin, target = rng.sample(nodes, 2)
    flow: Tables = {"name": f"f{number}", "from": origin, "to": target}
    if rng.random() < 0.3:
        flow["start"] = f"{rng.uniform(0, duration):.3f} s"
    if rng.random() < 0.2:
        flow["stop"] = f"{rng.uniform(0.2, 1) * duration:.3f} s"
    if rng.random() < 0.1:
        flow["to"], flow["start_spread"] = "*", "100 ms"
    elif rng.random() < 0.1:
        flow["count"] = rng.randint(1, 3)
    kind = rng.choice(_names("AppKind"))
    app: Tables = {
        "kind": kind,
        **({"film": rng.choice(_names("FilmModel"))} if kind == "video" else {}),
    }
    if kind == "game":
        app["direction"] = rng.choice(_names("GameDirectionName"))
    if kind == "periodic":
        app |= {"payload": "200 B", "interval": "10 ms"}
    if kind in ("cbr", "on_off", "voice"):
        app["rate"] = value(rng, "", {"$ref": "BitRate"})
    _fill(rng, app, kinds("AppSpec")[kind], max(part, 0.05) * 1.5)
    flow["app"] = app
    if rng.random() < 0.2:
        flow["dscp"] = rng.choice((0, 8, 34, 46))
    elif rng.random() < 0.2:
        flow["access_category"] = rng.choice(_names("Category"))
    if rng.random() < 0.7:
        flow["tcp"] = {"variant": rng.choice(_names("VariantKey"))} if rng.random() < 0.5 else {}
        if rng.random() < 0.3:
            flow["tcp"] |= {
                "law": rng.choice(_names("LawKey")),
                "recovery": rng.choice(_names("Recovery")),
            }
            flow["tcp"].pop("variant", None)
        if flow["tcp"].get("variant") == "auto":
            flow["tcp"]["policy"] = table(rng, "PolicyTable", 0.5)
        _fill(rng, flow["tcp"], "TcpSpec", part)
    return flow


def _names(kind: str) -> list[str]:
    """Return the names that a type of the schema allows."""
    return _consts(definitions()[kind])


def _allowed(table: str, key: str) -> list[str]:
    """Return the names that a key of a table allows."""
    return _consts(definitions()[table]["properties"][key])


def _consts(what: Tables) -> list[str]:
    there = [*([what["const"]] if "const" in what else []), *what.get("enum", [])]
    if "$ref" in what:
        there += _names(what["$ref"].rsplit("/", 1)[-1])
    for each in [*what.get("anyOf", []), *what.get("oneOf", [])]:
        there += _consts(each)
    return there


def _routes(rng: random.Random, scenario: Tables, nodes: list[str]) -> None:
    if rng.random() < 0.1:
        origin, target, via = (rng.choice(nodes) for _ in range(3))
        scenario["route"] = [{"from": origin, "to": target, "via": via}]


def _drops(rng: random.Random, scenario: Tables) -> None:
    for link in scenario["link"][:1]:
        drop = {"flow": "f0", "packets": sorted(rng.sample(range(1, 40), 3))}
        link["drop"] = [Inline(drop | ({"direction": "reverse"} if rng.random() < 0.3 else {}))]


def _proxies(rng: random.Random, scenario: Tables) -> None:
    """Put a proxy at a base station, at all of them, or at any station, for some flows or for all that pass."""
    bases = [cell["access_point"] for cell in scenario["cell"] if "access_point" in cell]
    bases += [cell["base_station"] for cell in scenario.get("wimax", [])]
    bases = bases or [name for cell in scenario["cell"] for name in cell["stations"]]
    if not bases:
        return
    kind = rng.choice(list(kinds("ProxySpec")))
    proxy: Tables = {"kind": kind, "at": bases if rng.random() < 0.7 else rng.choice(bases)}
    stations = [name for cell in scenario["cell"] for name in cell["stations"]]
    stations += [name for cell in scenario.get("wimax", []) for name in cell["stations"]]
    flow = scenario["flow"][0]
    flow["from"], flow["to"] = rng.sample(["server", rng.choice(stations)], 2)
    flow["app"] = {"kind": "bulk"}
    names = [flow["name"] for flow in scenario["flow"]]
    if rng.random() < 0.4:
        proxy["flows"] = rng.sample(names, rng.randint(1, min(2, len(names))))
    _fill(rng, proxy, kinds("ProxySpec")[kind], 0.3)
    if "mobiles" in kinds("ProxySpec")[kind]["properties"] and rng.random() < 0.3:
        proxy["mobiles"] = [rng.choice(stations)]
    if "tcp" in kinds("ProxySpec")[kind]["properties"] and rng.random() < 0.5:
        proxy["tcp"] = {"variant": rng.choice(_names("VariantKey"))} if rng.random() < 0.5 else {}
        proxy["tcp"].pop("variant" if proxy["tcp"].get("variant") == "auto" else "", None)
        _fill(rng, proxy["tcp"], "TcpSpec", 0.1)
    scenario["proxy"] = [proxy]


# Frames: the nodes, and their connections.


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
        scenario["phy"] = {"standard": rng.choice(_allowed("PhySpec", "standard"))}
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
            _fill(rng, node["mobility"], kinds("MobilitySpec")["random_waypoint"], 0.3)
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
    _fill(rng, clusters, "ClustersSpec", 0.5)
    scenario["routing"] = {"kind": "clusters", "clusters": clusters}


def _roaming(rng: random.Random, scenario: Tables) -> list[str]:
    points, walkers = ["west", "east"], [f"w{i}" for i in range(rng.randint(1, 2))]
    scenario["medium"] = {"exponent": 3.5, "reception": "thresholds", "rx_threshold": "-82 dBm"}
    scenario["phy"] = {"standard": "802.11b"}
    scenario["association"] = {"mode": rng.choice(_allowed("AssociationSpec", "mode"))}
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
        scenario["mobile_ip"]["preset"] = rng.choice(_allowed("MobileIpSpec", "preset"))
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
    _fill(rng, cell, "WimaxSpec", part)
    for name in rng.sample(stations, rng.randint(0, min(2, len(stations)))):
        own: Tables = {"name": name}
        _fill(rng, own, "SubscriberSpec", part)
        cell.setdefault("station", []).append(own)
    if rng.random() < 0.3:
        service: Tables = {"flows": ["f0"], "class": rng.choice(_names("Class"))}
        _fill(rng, service, "ServiceSpec", 0.5)
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
    _fill(rng, lan, "LanSpec", rng.choice((0.1, 0.3)))
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
