"""Wireshark's own reader, for tests of captures."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

#: Every checksum is looked at, and a frame that the MAC sends again is no new segment.
OPTIONS = {
    "ip.check_checksum": "TRUE",
    "tcp.check_checksum": "TRUE",
    "udp.check_checksum": "TRUE",
    "wlan.check_checksum": "TRUE",
    "wlan.retransmitted": "FALSE",
}

#: PI_MALFORMED of Wireshark's epan/proto.h: what an expert's note says that a dissector could not read.
MALFORMED = str(0x07000000)

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


def times(path: Path) -> tuple[list[float], list[str]]:
    """Give the times of all packets, s, and the numbers of those that are malformed or have a wrong checksum."""
    wanted = ("frame.number", "frame.time_epoch", "_ws.malformed", "_ws.expert.group", *CHECKSUMS)
    rows = fields(path, "frame", *wanted)
    wrong = [
        number
        for number, _, malformed, groups, *sums in rows
        if malformed or MALFORMED in groups.split(",") or any(BAD in x.split(",") for x in sums)
    ]
    return [float(row[1]) for row in rows], wrong
