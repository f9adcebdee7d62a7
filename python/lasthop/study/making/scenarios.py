"""`lasthop new wifi|wimax|wire NAME`: a commented scenario from a few options."""

from __future__ import annotations

import json
import re

from lasthop.core import api
from lasthop.errors import ScenarioError, UsageError
from lasthop.study.making import SCHEMA, told_of_options
from lasthop.study.making.asked_traffic import (
    Wanted,
    common,
    flows,
    is_modern,
    scale,
    slow,
    stations,
)

KINDS = ("wifi", "wimax", "wire")

MOST_STATIONS = 2000

#: A scenario to try a PHY in.
SMALLEST = """duration = "1 s"
cell = [{ access_point = "ap", stations = ["sta"] }]
flow = [{ name = "up", from = "sta", to = "ap", app = "bulk" }]
"""

#: What is asked in the same way of every kind.
ASKED = (
    "stations", "uploads", "downloads", "calls", "video", "web", "loss", "delay",
)  # fmt: skip


def text(asked: Wanted) -> str:
    """Return the scenario as TOML; raises UsageError, which names the option."""
    _refuse(asked)
    parts = [_head(asked), *{"wifi": _wifi, "wimax": _wimax, "wire": _wire}[asked.kind](asked)]
    parts += flows(asked)
    made = "\n".join(parts)
    with told_of_options(made, "<text>", OPTIONS):
        api.check(made)
    return made


#: The options by the keys of a scenario that they write.
OPTIONS = {
    **{name: f"--{name}" for name in ("delay", "rate", "duration", "queue")},
    "standard": "--phy",
}


def _refuse(asked: Wanted) -> None:
    if not 1 <= asked.stations <= MOST_STATIONS:
        raise UsageError(f"--stations: 1 to {MOST_STATIONS:,}, not {asked.stations}")
    if asked.kind == "wifi":
        _refuse_as("--phy", f"{SMALLEST}[phy]\nstandard = {json.dumps(asked.phy)}\n")
        band = _band(asked)
        for _, rate in slow(asked):
            _refuse_as("--slow", _tried(asked, rate, band))
    for option in ("calls", "video", "web"):
        count = getattr(asked, option)
        if not 0 <= count <= asked.stations:
            raise UsageError(
                f"--{option}: 0 to the number of stations, {asked.stations}; not {count}"
            )


def _refuse_as(option: str, made: str) -> None:
    """Check a scenario that has what one option says, and raise UsageError about that."""
    try:
        api.check(made)
    except ScenarioError as error:
        # The format says best what there is, and what is not modelled.
        said = str(error).split("error: ", 1)[-1].split("\n")[0]
        raise UsageError(f"{option}: {said}") from None


def _head(asked: Wanted) -> str:
    about = {
        "wifi": f"an {asked.phy} access point",
        "wimax": "an 802.16 base station",
        "wire": "a wired link",
    }
    variant = common(asked) or scale(asked).variant
    what = f"{asked.stations} station{'s' * (asked.stations > 1)} behind {about[asked.kind]}"
    return f"""# {what.capitalize() if asked.kind == "wire" else what[0].upper() + what[1:]}.
#
#   lasthop run {asked.name}.toml
#   lasthop run {asked.name}.toml --replications 10          # means with 95 % intervals
#   lasthop run {asked.name}.toml --set 'queue.packets=20'    # change anything without editing
#
# `lasthop schema` prints every key with its meaning and its default; so does the reference of the documentation.
# Editors complete keys where `lasthop schema` is written to {SCHEMA} and the first line is #:schema ./{SCHEMA}

name = "{asked.name}"
duration = "{asked.duration}"
warmup = "{_warmup(asked.duration)}"          # measuring begins here, so that slow start does not count

[queue]
packets = {_room(asked)}             # the limit of each interface queue that has no other
discipline = "drop_tail"   # or red, codel, pie, fq_codel, dualpi2, cake

[tcp]
variant = "{variant}"          # for flows that name none; `lasthop list variants` prints all
# mss = "1460 B"
# delayed_ack = true
"""


def _room(asked: Wanted) -> int:
    return scale(asked).queue if asked.queue is None else asked.queue


def _warmup(duration: str) -> str:
    found = re.fullmatch(r"\s*([0-9.]+)\s*([a-z]+)\s*", duration)
    return f"{float(found[1]) / 10:g} {found[2]}" if found else "1 s"


def _modern_wifi(asked: Wanted) -> list[str]:
    return [
        f"""[phy]
standard = "{asked.phy}"
{_band(asked)}# width = "40 MHz"         # 20, 40, 80 or 160; 802.11n: 20 or 40
# streams = 2
# mcs = 7                  # within one stream; the default is the highest

[qos]
# best_effort = {{ txop = "0 us" }}   # as hostapd has it; the default is the standard's
# airtime_fairness = true            # of queue = "mac80211"
""",
        _loss(asked, "# Without it the air loses frames by collisions only."),
        _backbone(asked),
        f"""[[cell]]
access_point = "ap"
stations = [{_quoted(asked)}]

[[node]]
name = "ap"
{_point_queue(asked)}
""",
        *_slow_stations(asked),
    ]


def _point_queue(asked: Wanted) -> str:
    """Return the queue of an access point of today."""
    about = "# as Linux: a queue for each station, and shared airtime; or drop_tail, fq_codel, ..."
    if asked.queue is None:
        return f'queue = "mac80211"         {about}'
    return f'queue = {{ discipline = "mac80211", packets = {asked.queue} }}   {about}'


def _wifi(asked: Wanted) -> list[str]:
    if is_modern(asked):
        return _modern_wifi(asked)
    parts = [
        f"""[phy]
standard = "{asked.phy}"
# rate = "6 Mbps"          # a fixed rate; the default is the highest of the standard
# rate_control = "minstrel"

[mac]
# rts = "never"            # RTS/CTS before frames: also "always", or above a size such as "500 B"
# short_retry_limit = 7    # the attempts of a frame without RTS

# Places make hidden stations, capture and movement possible:
# [medium]
# exponent = 3.0           # the exponent of the path loss
# [[node]]
# name = "sta1"
# position = [20, 0]       # metres
"""
    ]
    parts.append(_loss(asked, "# Without it the air loses frames by collisions only."))
    return [
        *parts,
        _backbone(asked),
        f"""[[cell]]
access_point = "ap"
stations = [{_quoted(asked)}]
""",
        *_slow_stations(asked),
    ]


def _wimax(asked: Wanted) -> list[str]:
    parts = [
        _backbone(asked),
        f"""[[wimax]]
base_station = "ap"
stations = [{_quoted(asked)}]
# preset = "standard"      # or "nist", as ns-2's module
# ratio = "1:1"            # downlink to uplink, up to 6:1
# bandwidth = "7 MHz"
# frame = "5 ms"
# modulation = "16QAM3/4"
""",
    ]
    if asked.loss is not None:
        without = "# Of packets; `lasthop list channels` has bursts and bit errors too."
        parts.append(_loss(asked, without, "wimax.channel"))
    return parts


def _wire(asked: Wanted) -> list[str]:
    lost = (
        f"\nloss = {_share(asked.loss):g}                # of packets, at random"
        if asked.loss is not None
        else ""
    )
    parts = [
        f"""# The bottleneck, both ways.
[[link]]
ends = ["server", "router"]
rate = "{asked.rate}"
delay = "{asked.delay}"{lost}
"""
    ]
    for name in stations(asked):
        parts.append(f"""[[link]]
ends = ["router", "{name}"]
rate = "1 Gbps"
delay = "1 ms"
""")
    return parts


def _quoted(asked: Wanted) -> str:
    return ", ".join(f'"{name}"' for name in stations(asked))


def _slow_stations(asked: Wanted) -> list[str]:
    """Return the tables of stations at a slow rate."""
    return [
        f'''[[node]]
name = "{name}"
rate = {json.dumps(rate)}            # what it sends, and what is sent to it
'''
        for name, rate in slow(asked)
    ]


def _band(asked: Wanted) -> str:
    """Return the line for the band of 2.4 GHz, where a rate is one that 5 GHz does not have."""
    rates = slow(asked) if is_modern(asked) else []
    return "" if all(_is_right(_tried(asked, rate)) for _, rate in rates) else 'band = "2.4 GHz"\n'


def _tried(asked: Wanted, rate: str, band: str = "") -> str:
    """Return the smallest cell with a station at a slow rate."""
    node = f'[[node]]\nname = "sta"\nrate = {json.dumps(rate)}\n'
    return f"{SMALLEST}[phy]\nstandard = {json.dumps(asked.phy)}\n{band}{node}"


def _is_right(made: str) -> bool:
    try:
        api.check(made)
    except ScenarioError:
        return False
    return True


def _backbone(asked: Wanted) -> str:
    return f"""# From the server to the {"base station" if asked.kind == "wimax" else "access point"}, both ways.
[[link]]
ends = ["server", "ap"]
rate = "{asked.rate}"
delay = "{asked.delay}"
"""


def _loss(asked: Wanted, without: str, table: str = "channel") -> str:
    shown = 0.01 if asked.loss is None else _share(asked.loss)
    lines = [
        f"[{table}]",
        'model = "bernoulli"        # independent losses of frames; or bit_errors, gilbert_elliott (bursts)',
        f"frame_loss = {shown:g}          # the loss of each attempt; the MAC repeats lost frames",
    ]
    if asked.loss is None:
        lines = [without, *(f"# {line}" for line in lines)]
    return "\n".join([*lines, ""])


def _share(said: str) -> float:
    """Read a share, 2% or 0.02."""
    found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(%?)\s*", said)
    value = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 <= value < 1:
        raise UsageError(f"--loss must be a share below 1, such as 2% or 0.02, not {said!r}")
    return value
