"""What `lasthop new wifi|wimax|wire` is asked for, and the stations and flows of that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from lasthop.core import api
from lasthop.errors import UsageError, nearest
from lasthop.study.making.scales import MODERN, Scale, scale_of

#: What is asked for may say how many: `cubic` or `cubic:3`, `6 Mbps` or `6 Mbps:2`.
COUNTED = re.compile(r"\s*(.*?)\s*(?::([0-9]{1,4}))?", re.DOTALL)


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
        slow: Rates of stations at a slow one, each with their number: `1 Mbps`, `6 Mbps:2`; 802.11 only.
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
    slow: Sequence[str] = ()


def phones(asked: Wanted) -> list[str]:
    """Return the stations with a call each."""
    return [f"phone{number}" for number in range(1, asked.calls + 1)]


def laptops(asked: Wanted) -> list[str]:
    """Return all other stations."""
    return [f"sta{number}" for number in range(1, asked.stations - asked.calls + 1)]


def stations(asked: Wanted) -> list[str]:
    """Return all stations."""
    return [*laptops(asked), *phones(asked)]


def flows(asked: Wanted) -> list[str]:
    """Return the flows: a call for each phone, all else over the other stations, if there are any."""
    free = laptops(asked) or phones(asked)
    marked = is_modern(asked)
    found = [_call(number, name, marked) for number, name in enumerate(phones(asked), 1)]
    film = 'transport = "udp"\napp = { kind = "video", film = "star_wars_iv_high" }'
    for what, count, app in (
        ("video", asked.video, film),
        ("web", asked.web, 'app = { kind = "web" }'),
    ):
        found += [
            _flow(f"{what}-{n}", "download", free[-n % len(free)], app) for n in range(1, count + 1)
        ]
    for direction, wanted in (("upload", asked.uploads), ("download", asked.downloads)):
        found += _bulk_flows(direction, wanted, free, common(asked))
    # A station that is asked for is there to do something: where no traffic is asked for, each downloads.
    usual = scale(asked).variant
    return found or _bulk_flows("download", [usual], free, usual)


def idle(asked: Wanted) -> int:
    """Return how many stations no flow begins or ends at."""
    ends = set(re.findall(r'^(?:from|to) = "(.+)"', "\n".join(flows(asked)), re.MULTILINE))
    return sum(not any(fnmatchcase(name, end) for end in ends) for name in stations(asked))


def common(asked: Wanted) -> str:
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
    variant, count = _counted(said)
    known = [row["name"] for row in api.catalogue()["variants"]]
    if variant not in known:
        raise UsageError(
            f"--{direction}s {said}: no variant {variant!r}{nearest(variant, known) or ';'} allowed: a variant, "
            "or a variant and how many, such as cubic:3 (`lasthop list variants`)"
        )
    return variant, count


def _counted(said: str) -> tuple[str, int | None]:
    """Read what is asked for, and how many where it says that."""
    found = COUNTED.fullmatch(said)
    assert found is not None, "it takes any text"
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


def scale(asked: Wanted) -> Scale:
    """Return what suits the network where nothing else is asked."""
    return scale_of(asked.kind, asked.phy)


def slow(asked: Wanted) -> list[tuple[str, str]]:
    """Return the stations at a slow rate, each with it: the first of all."""
    asked_for = map(_counted, asked.slow)
    rates = [rate for rate, count in asked_for for _ in range(1 if count is None else count)]
    if len(rates) > asked.stations:
        raise UsageError(f"--slow: 0 to the number of stations, {asked.stations}; not {len(rates)}")
    return list(zip(stations(asked), rates, strict=False))


def is_modern(asked: Wanted) -> bool:
    """Return whether its stations have access categories and aggregates."""
    return asked.kind == "wifi" and asked.phy in MODERN
