"""Wireshark's own reader, for tests of captures."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

#: Every checksum is looked at, and a frame that the MAC sends again is no new segment.
OPTIONS = {
    "ip.check_checksum": "TRUE",
    "tcp.check_checksum": "TRUE",
    "udp.check_checksum": "TRUE",
    "wlan.check_checksum": "TRUE",
    "wlan.retransmitted": "FALSE",
}

#: PI_MALFORMED, PI_SEQUENCE and PI_WARN of Wireshark's epan/proto.h: an expert's note that a dissector could not
#: read a packet; one on the order of TCP's segments, which is what TCP makes of losses; a grave one.
MALFORMED, SEQUENCE, WARNING = 0x07000000, 0x02000000, 0x00600000

#: PROTO_CHECKSUM_E_BAD of the same file.
BAD = "0"

CHECKSUMS = ("ip.checksum.status", "tcp.checksum.status", "udp.checksum.status", "wlan.fcs.status")


def require_tshark() -> None:
    """Skip where there is no tshark; where LASTHOP_REQUIRE_TOOLS is set, as in CI, fail."""
    if shutil.which("tshark") is not None:
        return
    reason = "tshark is not there: Debian: apt install tshark"
    if os.environ.get("LASTHOP_REQUIRE_TOOLS"):
        pytest.fail(reason)
    pytest.skip(reason)


def fields(path: Path, shown: str, *names: str, **options: str) -> list[list[str]]:
    """Give these fields of the packets that a display filter shows."""
    settings = [f"-o{key}:{value}" for key, value in (OPTIONS | options).items()]
    wanted = [f"-e{name}" for name in names or ("frame.number",)]
    command = ["tshark", "-r", str(path), "-n", *settings, "-Y", shown, "-Tfields", *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def count(path: Path, shown: str) -> int:
    """Count the packets that a display filter shows."""
    return len(fields(path, shown))


class Packets(NamedTuple):
    """A file as Wireshark reads it: the time of each packet, s, and the numbers of wrong ones, with notes.

    Wrong is what is malformed, has a wrong checksum, or is warned of for anything but the order of segments.
    """

    times: list[float]
    wrong: dict[str, str]


def read(path: Path) -> Packets:
    """Read a file."""
    experts = [f"_ws.expert.{each}" for each in ("group", "severity", "message")]
    wanted = ("frame.number", "frame.time_epoch", "_ws.malformed", *experts, *CHECKSUMS)
    times: list[float] = []
    wrong: dict[str, str] = {}
    for number, time, malformed, *rest in fields(path, "frame", *wanted):
        notes = zip(*(each.split(",") for each in rest[:2]), strict=True) if rest[0] else ()
        warned = [(int(g), int(severity)) for g, severity in notes]
        is_warned = any(g != SEQUENCE and severity >= WARNING for g, severity in warned)
        is_bad = any(BAD in each.split(",") for each in rest[3:])
        if malformed or is_warned or is_bad or any(g == MALFORMED for g, _ in warned):
            wrong[number] = rest[2]
        times.append(float(time))
    return Packets(times, wrong)
