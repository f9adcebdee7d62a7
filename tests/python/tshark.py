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

#: What Wireshark itself calls wrong, and every checksum that does not fit.
WRONG = (
    '_ws.malformed || _ws.expert.group == "Malformed" || ip.checksum.status == "Bad"'
    ' || tcp.checksum.status == "Bad" || udp.checksum.status == "Bad" || wlan.fcs.status == "Bad"'
)


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
