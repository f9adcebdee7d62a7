"""Valid scenarios that mix everything, drawn by a seed: wires, cells, places, movement, Mobile IP, every key.

A frame (who is there, and how they are connected) is drawn first. Then any key of the format is written into its
tables with any value that the schema allows, and what the check refuses is left out, a line at a time, until the
scenario is valid.
"""

from __future__ import annotations

import random

from lasthop_validation.mixing import frames
from lasthop_validation.mixing.filling import fill, names
from lasthop_validation.mixing.text import Tables, repaired
from lasthop_validation.mixing.values import Inline, definitions, kinds, table, value

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
    nodes = rng.choice(frames.FRAMES)(rng, scenario)
    part = rng.choice((0.0, 0.05, 0.1, 0.3))
    for name, kind in DEFAULTS.items():
        if rng.random() < 0.5:
            fill(rng, scenario.setdefault(name, {}), kind, part)
    channels = kinds("ChannelSpec")
    if "channel" in scenario or rng.random() < 0.5:
        channel = scenario.setdefault("channel", {"model": rng.choice(list(channels))})
        fill(rng, channel, channels[channel["model"]], part)
    for name, kind in (("link", "LinkSpec"), ("cell", "CellSpec"), ("node", "NodeSpec")):
        for each in scenario[name]:
            fill(rng, each, kind, part / 2)
    for name, kind in (
        ("medium", "MediumSpec"),
        ("association", "AssociationSpec"),
        ("mobile_ip", "MobileIpSpec"),
    ):
        if name in scenario:
            fill(rng, scenario[name], kind, part)
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
    fill(rng, queue, {"properties": keys}, 0.3)
    return queue


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
    kind = rng.choice(names("AppKind"))
    app: Tables = {
        "kind": kind,
        **({"film": rng.choice(names("FilmModel"))} if kind == "video" else {}),
    }
    if kind == "game":
        app["direction"] = rng.choice(names("GameDirectionName"))
    if kind == "periodic":
        app |= {"payload": "200 B", "interval": "10 ms"}
    if kind in ("cbr", "on_off", "voice"):
        app["rate"] = value(rng, "", {"$ref": "BitRate"})
    fill(rng, app, kinds("AppSpec")[kind], max(part, 0.05) * 1.5)
    flow["app"] = app
    if rng.random() < 0.2:
        flow["dscp"] = rng.choice((0, 8, 34, 46))
    elif rng.random() < 0.2:
        flow["access_category"] = rng.choice(names("Category"))
    if rng.random() < 0.7:
        flow["tcp"] = {"variant": rng.choice(names("VariantKey"))} if rng.random() < 0.5 else {}
        if rng.random() < 0.3:
            flow["tcp"] |= {
                "law": rng.choice(names("LawKey")),
                "recovery": rng.choice(names("Recovery")),
            }
            flow["tcp"].pop("variant", None)
        if flow["tcp"].get("variant") == "auto":
            flow["tcp"]["policy"] = table(rng, "PolicyTable", 0.5)
        fill(rng, flow["tcp"], "TcpSpec", part)
    return flow


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
    flows = [flow["name"] for flow in scenario["flow"]]
    if rng.random() < 0.4:
        proxy["flows"] = rng.sample(flows, rng.randint(1, min(2, len(flows))))
    fill(rng, proxy, kinds("ProxySpec")[kind], 0.3)
    if "mobiles" in kinds("ProxySpec")[kind]["properties"] and rng.random() < 0.3:
        proxy["mobiles"] = [rng.choice(stations)]
    if "tcp" in kinds("ProxySpec")[kind]["properties"] and rng.random() < 0.5:
        proxy["tcp"] = {"variant": rng.choice(names("VariantKey"))} if rng.random() < 0.5 else {}
        proxy["tcp"].pop("variant" if proxy["tcp"].get("variant") == "auto" else "", None)
        fill(rng, proxy["tcp"], "TcpSpec", 0.1)
    scenario["proxy"] = [proxy]
