"""Real measurements read into what a run's flows and series are compared in: one file a format.

- `iperf3`, `flent`, `ss`: what these tools write; `walking` goes through documents with care;
- `container`, `headers`, `tcp`, `udp`, `radio`, `capture`: pcap and pcapng;
- `simulating`: runs read in the same way; `comparing`: measured beside simulated; `drawing`, `paging`: pictures.
"""

from __future__ import annotations

from pathlib import Path

from lasthop.data.measured import capture, flent, iperf3, ss, walking
from lasthop.data.measured.container import PCAP, PCAPNG
from lasthop.data.measured.model import Flow, Measured, Series
from lasthop.errors import MeasuredError

__all__ = ["Flow", "Measured", "MeasuredError", "Series", "read"]

FORMATS = (
    "iperf3's JSON (iperf3 -J), a Flent data file, a log of ss -ti, or a capture (pcap, pcapng)"
)


def read(path: str | Path) -> Measured:
    """Read a measured file, whose format is known by what is in it.

    Raises:
        MeasuredError: It cannot be read; the message names the line or the byte.
    """
    file = str(path)
    content = walking.read_bytes(Path(path), file)
    if not content:
        walking.fail(file, "is empty")
    if content[:4] in PCAP or content[:4] == PCAPNG:
        return capture.read(content, file)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        document = walking.document(content, file)
        if flent.is_one(document):
            return flent.read(document)
        if iperf3.is_one(document):
            return iperf3.read(document)
        walking.fail(file, f"is another kind of JSON; known formats: {FORMATS}")
    text = content.decode("utf-8", errors="replace")
    if ss.is_one(text):
        return ss.read(text, file)
    return walking.fail(file, f"has an unknown format; known formats: {FORMATS}")
