"""Values for any key of the scenario format, drawn by what its JSON Schema says: what is new comes by itself."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import cache
from typing import Any

from lasthop.core.api import schema

Draw = Callable[[random.Random], Any]


class Inline(dict[str, Any]):
    """A table that is written on one line."""


@cache
def definitions() -> dict[str, dict[str, Any]]:
    """Return the schema's tables and types by name; "" is the scenario itself."""
    whole = schema()
    found: dict[str, dict[str, Any]] = {"": whole} | whole["$defs"]
    return found


def kinds(name: str) -> dict[str, dict[str, Any]]:
    """Return the schemas of a table of several kinds, by kind, without keys that a kind does not look at."""
    what = definitions()[name]
    several = [one for each in [what, *what.get("anyOf", [])] for one in each.get("oneOf", [])]
    found = {}
    for table in (one for one in several if "properties" in one):
        keys = {key: of for key, of in table["properties"].items() if set(of) != {"description"}}
        kind = next(of["const"] for of in keys.values() if "const" in of)
        found[kind] = table | {"properties": keys}
    return found


def every_key() -> set[str]:
    """Return the keys of all tables."""
    tables = [
        each for name in definitions() for each in (definitions()[name], *kinds(name).values())
    ]
    return {key for table in tables for key in table.get("properties", ())}


def between(low: float, high: float) -> Draw:
    """Draw evenly on a logarithmic scale."""
    return lambda rng: math.exp(rng.uniform(math.log(low), math.log(high)))


def unit(low: float, high: float, name: str) -> Draw:
    """Draw a quantity with its unit."""
    draw = between(low, high)
    return lambda rng: f"{draw(rng):.4g} {name}"


def whole(low: int, high: int, after: str = "") -> Draw:
    """Draw a whole number, with a word behind it where one is given."""
    return lambda rng: f"{rng.randint(low, high)}{after}" if after else rng.randint(low, high)


def one(*values: Any) -> Draw:
    """Draw one of these."""
    return lambda rng: rng.choice(values)


#: By type; what a key of this type may be where it is not among `KEYS`.
TYPES: dict[str, Draw] = {
    "Duration": unit(1e-3, 2, "s"),
    "BitRate": unit(0.1, 10, "Mbps"),
    "Size": whole(20, 1500, " B"),
    "Packets": whole(1, 60, " packets"),
    "Probability": between(1e-3, 0.1),
    "Power": unit(1, 40, "dBm"),
    "Length": unit(1, 100, "m"),
    "Frequency": one("914 MHz", "2.4 GHz", "5.2 GHz"),
    "Speed": unit(0.5, 30, "m/s"),
    "Placement": one("circle 10 m", "circle 60 m", "line 15 m", "line 120 m"),
    "Number": between(1, 20),
    "RetryLimit": one(1, 2, 4, 7, 20, "none"),
    "LawValue": between(0.05, 5),
    "Speeds": lambda rng: sorted(f"{rng.uniform(1, 9):.2f} m/s" for _ in range(2)),
}

MODES = ("1 Mbps", "2 Mbps", "5.5 Mbps", "11 Mbps", "6 Mbps", "12 Mbps", "24 Mbps", "54 Mbps")

#: Keys that a frame writes, or that need more than a value: files, names of nodes, laws from outside.
FRAMED = frozenset(
    [
        "name",
        "description",
        "duration",
        "from",
        "to",
        "via",
        "ends",
        "stations",
        "access_point",
        "trace",
        "reverse_trace",
        "change",
        "base_station",
        "station",
        "service",
        "wimax",
        "lan",
        "places",
        "head_cells",
        "head_fails_at",
        "clusters",
        "home_agent",
        "mobile_nodes",
        "foreign_agents",
        "rate",
        "position",
        "flow",
        "flows",
        "proxy",
        "link",
        "cell",
        "node",
        "route",
        "medium",
        "association",
        "mobile_ip",
        "file",
        "format",
        "node",
        "about",
        "why",
        "transport",
        "kind",
        "direction",
        "law_options",
        "use",
        "app",
        "tcp",
    ]
)

#: By key, where the type says too little: mostly so that what is drawn is neither refused nor without effect.
KEYS: dict[str, Draw] = {
    "speed_of_light": one(299_792_458, 3e8),
    "fragment_header": one("1 B", "2 B"),
    "ber": between(1e-7, 1e-4),
    # In whole time units, and not the first of these in most cells, whose agreements are there from the start.
    "block_ack_timeout": lambda rng: f"{1.024 * rng.randint(0, 300):.3f} ms",
    "ber_good": between(1e-8, 1e-5),
    "ber_bad": between(1e-5, 1e-2),
    "bad_share": between(0.01, 0.4),
    "loss_good": between(1e-4, 0.1),
    "loss_bad": between(0.1, 1.0),
    "mean_good": unit(0.01, 0.5, "s"),
    "mean_bad": unit(0.005, 0.1, "s"),
    "mss": whole(100, 1460, " B"),
    "window": whole(1, 100, " packets"),
    "slot": unit(5, 50, "us"),
    "sifs": unit(5, 20, "us"),
    "link_layer_delay": unit(1, 500, "us"),
    "sense_time": unit(1, 10, "us"),
    "channel_switch_time": unit(50, 5000, "us"),
    "probe_delay": unit(10, 1000, "us"),
    "min_channel_time": unit(1, 20, "ms"),
    "max_channel_time": unit(20, 50, "ms"),
    "beacon_interval": unit(20, 200, "ms"),
    "dwell": unit(0.1, 0.4, "s"),
    "cw_min": one(7, 15, 31),
    "cw_max": one(63, 255, 1023),
    "n": one(15, 63, 255),
    "k": one(5, 11, 45, 181, 223),
    "symbol_bits": one(4, 6, 8),
    "ttl": whole(2, 64),
    "channel_number": one(1, 6, 11),
    "ssid_bytes": whole(0, 32),
    "attempts": whole(1, 5),
    "missed_beacons": whole(1, 10),
    "failed_packets": whole(1, 10),
    "signal_weight": lambda rng: round(rng.uniform(0.05, 1), 3),
    "hysteresis_db": between(0.5, 10),
    "roam_below": lambda rng: f"{rng.uniform(-90, -60):.1f} dBm",
    "rx_threshold": lambda rng: f"{rng.uniform(-95, -70):.1f} dBm",
    "cs_threshold": lambda rng: f"{rng.uniform(-100, -75):.1f} dBm",
    "exponent": lambda rng: round(rng.uniform(2, 4), 2),
    "shadowing_db": lambda rng: round(rng.uniform(0, 8), 1),
    "reference_loss_db": lambda rng: round(rng.uniform(30, 50), 1),
    "rate_control": one("fixed", "arf", "aarf", "minstrel", "minstrel_ht", "ideal"),
    "control_rate": one(*MODES),
    "mcs": whole(0, 11),
    "streams": whole(1, 8),
    "width": one("20 MHz", "40 MHz", "80 MHz", "160 MHz"),
    "guard_interval": one("0.4 us", "0.8 us", "1.6 us", "3.2 us"),
    "block_ack_window": one(1, 8, 64, 256),
    "longest_ppdu": unit(0.2, 5.4, "ms"),
    "lifetime": unit(5, 500, "ms"),
    "driver_queue": whole(1, 200),
    "overhead": whole(0, 64, " B"),
    "mpu": whole(0, 84, " B"),
    "rtt": unit(1, 300, "ms"),
    "memory": unit(0.1, 4, "MB"),
    "aifsn": whole(1, 9),
    "txop": unit(0.1, 8, "ms"),
    "ampdu": one("0 B", "3000 B", "65535 B"),
    "amsdu": one("0 B", "3839 B", "7935 B"),
    "rates": lambda rng: sorted(rng.sample(MODES[:4], rng.randint(1, 4)), key=MODES.index),
    "channels": lambda rng: sorted([*rng.sample(range(1, 12), 3), 1, 6]),
    "rto_alpha": lambda rng: round(rng.uniform(0.05, 0.5), 3),
    "rto_beta": lambda rng: round(rng.uniform(0.05, 0.5), 3),
    "rto_k": lambda rng: round(rng.uniform(1, 8), 2),
    "rto_max": unit(2, 60, "s"),
    "dies": lambda rng: [f"{at:.3f} s" for at in sorted(rng.uniform(0, 2) for _ in range(2))],
    "repeat_after": unit(20, 500, "ms"),
    "dup_thresh": whole(1, 6),
    "loss_window": whole(1, 4),
    "connections": whole(1, 8),
    "sessions": whole(1, 3),
    "requests": whole(1, 4),
    "advertisement_interval": unit(0.1, 0.4, "s"),
    "advertisement_lifetime": unit(1.5, 9, "s"),
    "registration_retransmit": unit(1, 3, "s"),
    "seed": whole(0, 10**6),
    "shape": lambda rng: round(rng.uniform(1.1, 2.5), 2),
    "sigma": lambda rng: round(rng.uniform(0.2, 1.5), 2),
    "interval": unit(5, 100, "ms"),
    "jitter": unit(0.1, 5, "ms"),
    "reference": one("1 m", "2 m"),
    "flows": whole(1, 64),
    "mark_above": whole(1, 30, " packets"),
    "velocity": lambda rng: [round(rng.uniform(-20, 20), 1), round(rng.uniform(-20, 20), 1)],
    "area": lambda rng: [rng.randint(50, 600), rng.randint(50, 300)],
    "ie": lambda rng: round(rng.uniform(0, 40), 1),
    "bpl": lambda rng: round(rng.uniform(1, 40), 1),
    "bytes": whole(1, 60, " kB"),
    "segments": whole(1, 4),
    "interarrival": unit(5, 300, "ms"),
    "bandwidth": one("3.5 MHz", "5 MHz", "7 MHz", "10 MHz"),
    "frame": one("2.5 ms", "4 ms", "5 ms", "8 ms", "10 ms", "12.5 ms", "20 ms"),
    "ratio": one("1:1", "2:1", "3:1"),
    "downlink_symbols": whole(30, 90),
    "ranging_opportunities": whole(0, 2),
    "request_opportunities": whole(1, 5),
    "request_retries": whole(0, 8),
    "burst_gap": whole(0, 1),
    "preamble": whole(0, 2),
    "backoff_start": whole(0, 3),
    "backoff_end": whole(3, 8),
    "t16": unit(10, 200, "ms"),
    "block": one("16 B", "64 B", "256 B"),
    "grant": whole(60, 400, " B"),
}

#: Laws of sizes, times and counts: by the distribution, the keys that it needs.
SHAPES: dict[str, tuple[str, ...]] = {
    "constant": ("mean",),
    "uniform": ("low", "high"),
    "exponential": ("mean",),
    "pareto": ("mean", "shape"),
    "pareto2": ("mean", "shape"),
    "lognormal": ("median", "sigma"),
    "weibull": ("scale", "shape"),
}


def value(rng: random.Random, key: str, what: dict[str, Any]) -> Any:
    """Draw a value of a key; raises LookupError for a type that nobody has said how to draw."""
    if key in KEYS:
        return KEYS[key](rng)
    return _of(rng, what)


def _of(rng: random.Random, what: dict[str, Any]) -> Any:
    if "const" in what:
        return what["const"]
    for choice in ("anyOf", "oneOf", "enum"):
        if choice in what:
            there = [each for each in what[choice] if each not in ({"type": "null"}, None)]
            picked = rng.choice(there)
            return _of(rng, picked) if isinstance(picked, dict) else picked
    if "properties" in what:
        return Inline(_keys(rng, what, 0.4))
    if "$ref" in what:
        return _named(rng, what["$ref"].rsplit("/", 1)[-1])
    types = what.get("type", [])
    for name in [types] if isinstance(types, str) else types:
        if name == "boolean":
            return rng.random() < 0.5
        if name == "integer":
            return rng.randint(1, 12)
        if name == "number":
            return float(f"{between(0.05, 20)(rng):.3g}")
        if name == "array":
            return [_of(rng, what["items"]) for _ in range(rng.randint(1, 2))]
        if name == "string":
            return "some text"
    raise LookupError(f"the generator of mixtures cannot draw {what}")


def _named(rng: random.Random, name: str) -> Any:
    if name in TYPES:
        return TYPES[name](rng)
    what = definitions()[name]
    if several := kinds(name):
        return Inline(_keys(rng, rng.choice(list(several.values())), 0.4))
    if "properties" not in what:
        return _of(rng, what)
    if "law" in what["properties"] and "median" in what["properties"]:
        law = rng.choice(list(SHAPES))
        keys = [*SHAPES[law], *(key for key in ("min", "max") if rng.random() < 0.2)]
        drawn = {key: value(rng, key, what["properties"][key]) for key in keys}
        return Inline({"law": law} | drawn)
    return Inline(table(rng, name, 0.4))


def table(rng: random.Random, name: str, part: float) -> dict[str, Any]:
    """Draw a table of the schema: what it requires, and each other key with this probability."""
    return _keys(rng, definitions()[name], part)


def _keys(rng: random.Random, what: dict[str, Any], part: float) -> dict[str, Any]:
    required = set(what.get("required", ()))
    drawn = {
        key: value(rng, key, of)
        for key, of in what["properties"].items()
        if key in required or rng.random() < part
    }
    states(rng, drawn)
    return drawn


def _chain(rng: random.Random, drawn: dict[str, Any]) -> dict[str, Any]:
    """Draw the lists of a channel of two to four states, as long as each other."""
    states = range(rng.randint(2, 4))
    errors = "ber" if rng.random() < 0.5 else "loss"
    for key in ("ber", "loss", "next"):
        drawn.pop(key, None)
    draw = between(1e-6, 1e-3) if errors == "ber" else between(1e-3, 0.9)
    found: dict[str, Any] = {
        "mean": [unit(0.005, 0.5, "s")(rng) for _ in states],
        errors: [draw(rng) for _ in states],
    }
    if rng.random() < 0.5:
        shares = [[0 if to == of else rng.randint(1, 4) for to in states] for of in states]
        found["next"] = [[share / sum(row) for share in row] for row in shares]
    return found


STATES = (
    (("mean_good",), ("bad_share",)),
    (("ber_good", "ber_bad"), ("loss_bad",), ("loss_good", "loss_bad")),
)
"""The keys of a channel of two states that must be given in one of several ways."""


def states(rng: random.Random, drawn: dict[str, Any]) -> None:
    """Keep one way for each key of a channel with states."""
    if drawn.get("model") == "markov":
        drawn |= _chain(rng, drawn)
    if "mean_bad" not in drawn:
        return
    for ways in STATES:
        for key in {key for way in ways for key in way}:
            drawn.pop(key, None)
        drawn |= {key: value(rng, key, {}) for key in rng.choice(ways)}
