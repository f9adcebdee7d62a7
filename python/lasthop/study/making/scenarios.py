"""`lasthop new wifi|wimax|wire NAME`: a commented scenario from a few options."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from lasthop.core import api
from lasthop.errors import ScenarioError, UsageError, nearest
from lasthop.study.making import SCHEMA, told_of_options
from lasthop.study.making.scales import MODERN, Scale, scale_of

KINDS = ("wifi", "wimax", "wire")

#: A bulk flow that is asked for is a variant, and may say how many: `cubic` or `cubic:3`.
BULK = re.compile(r"([A-Za-z0-9_+.-]+?)(?::([0-9]{1,4}))?")

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


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is asked for.

    Attributes:
        kind: `wifi`, `wimax` or `wire`.
        name: Of the scenario.
        phy: A PHY of `lasthop list phys`; 802.11 only.
        rate: Of the link before the stations, or of the wire itself.
        queue: Room of each queue, packets; None: what suits the network.
        duration: Of the run.
        stations: How many stations, or hosts at the end of the wire.
        delay: One way, of that link.
        loss: Share of the frames (on a wire: packets) that are lost at random, such as 2%.
        uploads: Variants, each with the number of its stations: `cubic`, `cubic:3`.
        downloads: The same from the server.
        calls: How many stations have a call.
        video: How many watch a film.
        web: How many browse.
    """

    kind: str
    name: str
    phy: str
    rate: str
    queue: int | None
    duration: str
    stations: int = 2
    delay: str = "10 ms"
    loss: str | None = None
    uploads: Sequence[str] = ()
    downloads: Sequence[str] = ()
    calls: int = 0
    video: int = 0
    web: int = 0


def text(asked: Wanted) -> str:
    """Return the scenario as TOML; raises UsageError, which names the option."""
    _refuse(asked)
    parts = [_head(asked), *{"wifi": _wifi, "wimax": _wimax, "wire": _wire}[asked.kind](asked)]
    parts += _flows(asked)
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
        try:
            api.check(f"phy.standard = {json.dumps(asked.phy)}\n{SMALLEST}")
        except ScenarioError as error:
            # The format says best what there is, and what is not modelled.
            said = str(error).split("error: ", 1)[-1].split("\n")[0]
            raise UsageError(f"--phy: {said}") from None
    for option in ("calls", "video", "web"):
        count = getattr(asked, option)
        if not 0 <= count <= asked.stations:
            raise UsageError(
                f"--{option}: 0 to the number of stations, {asked.stations}; not {count}"
            )


def _head(asked: Wanted) -> str:
    about = {
        "wifi": f"an {asked.phy} access point",
        "wimax": "an 802.16 base station",
        "wire": "a wired link",
    }
    variant = _common(asked) or _scale(asked).variant
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
    return _scale(asked).queue if asked.queue is None else asked.queue


def _scale(asked: Wanted) -> Scale:
    return scale_of(asked.kind, asked.phy)


def _warmup(duration: str) -> str:
    found = re.fullmatch(r"\s*([0-9.]+)\s*([a-z]+)\s*", duration)
    return f"{float(found[1]) / 10:g} {found[2]}" if found else "1 s"


def _is_modern(asked: Wanted) -> bool:
    """Return whether its stations have access categories and aggregates."""
    return asked.kind == "wifi" and asked.phy in MODERN


def _modern_wifi(asked: Wanted) -> list[str]:
    stations = ", ".join(f'"{name}"' for name in _stations(asked))
    return [
        f"""[phy]
standard = "{asked.phy}"
# width = "40 MHz"         # 20, 40, 80 or 160; 802.11n: 20 or 40
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
stations = [{stations}]

[[node]]
name = "ap"
{_point_queue(asked)}
""",
    ]


def _point_queue(asked: Wanted) -> str:
    """Return the queue of an access point of today."""
    about = "# as Linux: a queue for each station, and shared airtime; or drop_tail, fq_codel, ..."
    if asked.queue is None:
        return f'queue = "mac80211"         {about}'
    return f'queue = {{ discipline = "mac80211", packets = {asked.queue} }}   {about}'


def _wifi(asked: Wanted) -> list[str]:
    if _is_modern(asked):
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
    stations = ", ".join(f'"{name}"' for name in _stations(asked))
    return [
        *parts,
        _backbone(asked),
        f"""[[cell]]
access_point = "ap"
stations = [{stations}]
""",
    ]


def _wimax(asked: Wanted) -> list[str]:
    stations = ", ".join(f'"{name}"' for name in _stations(asked))
    parts = [
        _backbone(asked),
        f"""[[wimax]]
base_station = "ap"
stations = [{stations}]
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
    for name in _stations(asked):
        parts.append(f"""[[link]]
ends = ["router", "{name}"]
rate = "1 Gbps"
delay = "1 ms"
""")
    return parts


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


def _phones(asked: Wanted) -> list[str]:
    return [f"phone{number}" for number in range(1, asked.calls + 1)]


def _laptops(asked: Wanted) -> list[str]:
    return [f"sta{number}" for number in range(1, asked.stations - asked.calls + 1)]


def _stations(asked: Wanted) -> list[str]:
    return [*_laptops(asked), *_phones(asked)]


def _flows(asked: Wanted) -> list[str]:
    """Return the flows: a call for each phone, all else over the other stations, if there are any."""
    free = _laptops(asked) or _phones(asked)
    marked = _is_modern(asked)
    found = [_call(number, name, marked) for number, name in enumerate(_phones(asked), 1)]
    film = 'transport = "udp"\napp = { kind = "video", film = "star_wars_iv_high" }'
    for what, count, app in (
        ("video", asked.video, film),
        ("web", asked.web, 'app = { kind = "web" }'),
    ):
        found += [
            _flow(f"{what}-{n}", "download", free[-n % len(free)], app) for n in range(1, count + 1)
        ]
    for direction, wanted in (("upload", asked.uploads), ("download", asked.downloads)):
        found += _bulk_flows(direction, wanted, free, _common(asked))
    # A station that is asked for is there to do something: where no traffic is asked for, each downloads.
    usual = _scale(asked).variant
    return found or _bulk_flows("download", [usual], free, usual)


def idle(asked: Wanted) -> int:
    """Return how many stations no flow begins or ends at."""
    ends = set(re.findall(r'^(?:from|to) = "(.+)"', "\n".join(_flows(asked)), re.MULTILINE))
    return sum(not any(fnmatchcase(name, end) for end in ends) for name in _stations(asked))


def _common(asked: Wanted) -> str:
    """Return the one variant that all ask for, which is then said once for all; empty where there are several."""
    bulk = (("upload", asked.uploads), ("download", asked.downloads))
    found = {_bulk(direction, said)[0] for direction, wanted in bulk for said in wanted}
    return found.pop() if len(found) == 1 else ""


def _bulk_flows(
    direction: str, wanted: Sequence[str], stations: Sequence[str], common: str
) -> list[str]:
    """Return the uploads or downloads: one table for all stations, or one for each of several."""
    found = []
    for said in wanted:
        variant, count = _bulk(direction, said)
        name = direction if len(wanted) == 1 else f"{direction}-{variant}"
        app = 'app = "bulk"' + (f'\ntcp = {{ variant = "{variant}" }}' if variant != common else "")
        if count is None and len(stations) > 1:
            every = f"{stations[0].rstrip('0123456789')}*"
            found.append(_flow(name, direction, every, app, f"   # {name}-1, {name}-2, ..."))
        else:
            numbers = range(1, (count or 1) + 1)
            found += [
                _flow(f"{name}-{n}", direction, stations[(n - 1) % len(stations)], app)
                for n in numbers
            ]
    return found


def _bulk(direction: str, said: str) -> tuple[str, int | None]:
    found = BULK.fullmatch(said)
    known = [row["name"] for row in api.catalogue()["variants"]]
    if found is None or found[1] not in known:
        variant = found[1] if found else said
        raise UsageError(
            f"--{direction}s {said}: no variant {variant!r}{nearest(variant, known) or ';'} allowed: a variant, "
            "or a variant and how many, such as cubic:3 (`lasthop list variants`)"
        )
    return found[1], int(found[2]) if found[2] else None


def _call(number: int, station: str, marked: bool) -> str:
    mark = 'dscp = "EF"                # the access category for voice\n' if marked else ""
    voice = 'kind = "voice", codec = "g711", rate = "64 kbps", payload = "160 B"'
    app = f'{mark}transport = "udp"\napp = {{ {voice} }}'
    up = _flow(f"call-{number}-up", "upload", station, app)
    return up + "\n" + _flow(f"call-{number}-down", "download", station, app)


def _flow(name: str, direction: str, station: str, app: str, note: str = "") -> str:
    source, sink = (station, "server") if direction == "upload" else ("server", station)
    return f"""[[flow]]
name = "{name}"{note}
from = "{source}"
to = "{sink}"
{app}
"""
