"""Captures, pcap and pcapng: flows of TCP and UDP, and from radiotap the stations of a channel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from lasthop.data.measured import headers, radio, tcp, udp
from lasthop.data.measured.container import Capture, Packet
from lasthop.data.measured.headers import Segment
from lasthop.data.measured.model import Flow, Measured, Series, known
from lasthop.data.measured.walking import fail
from lasthop.numbers.numerals import counted

STEPS = 60
"""Steps of the series, at least, and a second at most."""

MOST_STEPS = 10_000

LEAST_SHARE = 0.01
"""Of the bytes of the busiest connection."""

LEAST_PACKETS = 10
"""A flow of fewer packets with data says nothing: it is left out."""


@dataclass
class Read:
    """The content of a capture: segments by connection, in order of time, and frames on the air."""

    connections: dict[tuple[headers.End, headers.End], list[Segment]] = field(default_factory=dict)
    air: radio.Air = field(default_factory=radio.Air)
    first: int | None = None
    last: int = 0
    packets: int = 0
    cut_at: int | None = None

    @property
    def seconds(self) -> float:
        """From the first packet to the last."""
        return 0.0 if self.first is None else (self.last - self.first) / 1e9


def scan(content: bytes, file: str, since_s: float | None = None) -> Read:
    """Read the packets of a capture, those from `since_s` of its clock on; raises MeasuredError."""
    capture, found = Capture(content, file), Read()
    for packet in capture:
        if since_s is None or packet[0] >= since_s * 1e9:
            _take(packet, found)
    for segments in found.connections.values():
        segments.sort(key=lambda each: each.at)
    found.cut_at = capture.cut_at
    return found


def _take(packet: Packet, found: Read) -> None:
    at, link, data, _ = packet
    found.packets += 1
    found.first = at if found.first is None else min(found.first, at)
    found.last = max(found.last, at)
    is_frame = link in (headers.RADIOTAP, headers.WIFI)
    begin = found.air.take(packet) if is_frame else headers.network(link, data)
    if begin is None or begin >= len(data):
        return
    each = headers.segment(at, data, begin)
    if each is not None:
        ends = (each.source, each.sink)
        key = ends if ends in found.connections else (each.sink, each.source)
        found.connections.setdefault(key if key in found.connections else ends, []).append(each)


def read(
    content: bytes, file: str, since_s: float | None = None, step_s: float | None = None
) -> Measured:
    """Read a capture as flows and stations, from `since_s` on in steps of `step_s`; raises MeasuredError."""
    found = scan(content, file, since_s)
    if not found.packets:
        fail(file, "a capture without a packet")
    span = found.seconds
    step = max(step_s or min(1.0, max(span / STEPS, 1e-3)), span / MOST_STEPS)
    connections = busy(found.connections.values())
    flows = [each for each in _flows(connections, step) if each]
    stations = found.air.flows(span) if span > 0 else []
    if not flows and not stations:
        fail(
            file, f"{found.packets:,} packets, none of a TCP or UDP flow of {LEAST_PACKETS} or more"
        )
    notes = [] if found.cut_at is None else [f"The file is cut off at byte {found.cut_at:,}."]
    if left := len(found.connections) - len(connections):
        notes.append(f"{counted(left, 'connection')} with under 1 % of the bytes left out.")
    return Measured(file, "capture", span, (*flows, *stations), step, tuple(notes))


def busy(connections: Iterable[list[Segment]]) -> list[list[Segment]]:
    """Return the connections that have a part of the bytes worth looking at, such as not a test's own control."""
    sizes = [(sum(each.payload for each in own), own) for own in connections]
    most = max((size for size, _ in sizes), default=0)
    return [own for size, own in sizes if size >= LEAST_SHARE * most]


def _flows(connections: Iterable[Sequence[Segment]], step: float) -> list[Flow | None]:
    ordered = sorted(connections, key=lambda segments: segments[0].at)
    return [
        (_tcp(each, step) if each[0].protocol == headers.TCP else udp.flow(each, step))
        for each in ordered
    ]


def _tcp(segments: Sequence[Segment], step: float) -> Flow | None:
    found = tcp.transfer(segments)
    if found is None or len(found.sent) < LEAST_PACKETS:
        return None
    seconds = (found.end - found.begin) / 1e9
    if seconds <= 0:
        return None
    fates = found.sending().fate
    told = fates[fates != tcp.UNKNOWN]
    rtts = np.array([rtt for _, rtt in found.rtts], dtype=float) / 1e9
    at_source = not found.at_sink
    values = {
        "goodput_bps": 8 * found.payload / seconds,
        "retransmits_per_s": found.again / seconds,
        # Nearer to the sink what was lost has not passed, and round trips leave out most of the path.
        "loss": float((told == tcp.LOST).mean()) if len(told) and at_source else None,
    }
    series = {"goodput_bps": _rate(found, step)}
    if len(rtts) and at_source:
        values |= {
            "rtt_s.mean": float(rtts.mean()),
            "rtt_s.p95": float(np.quantile(rtts, 0.95)),
            "rtt_s.min": float(rtts.min()),
        }
        series["rtt_s.mean"] = _means([at for at, _ in found.rtts], rtts, found, step)
    name = f"{headers.named(found.source)}>{headers.named(found.sink)}"
    return Flow(name, "tcp", known(values), series)


def _edges(found: tcp.Transfer, step: float) -> np.ndarray:
    return np.arange(0.0, (found.end - found.begin) / 1e9 + step, step)


def _rate(found: tcp.Transfer, step: float) -> Series:
    """Return the goodput in steps: what is acknowledged, or where no acknowledgements are seen what passes."""
    edges = _edges(found, step)
    times = np.array([at - found.begin for at, _ in found.acked], dtype=float) / 1e9
    amount = np.array([count for _, count in found.acked], dtype=float)
    if len(times) > 1:
        grown = np.diff(amount, prepend=amount[0])
    else:
        times = np.array([at - found.begin for at, _ in found.sent], dtype=float) / 1e9
        grown = np.array([size for _, size in found.sent], dtype=float)
    sums, _ = np.histogram(times, edges, weights=grown)
    return Series(edges[1:], 8 * sums / step)


def _means(at: Sequence[int], values: np.ndarray, found: tcp.Transfer, step: float) -> Series:
    edges = _edges(found, step)
    times = (np.array(at, dtype=float) - found.begin) / 1e9
    counts, _ = np.histogram(times, edges)
    sums, _ = np.histogram(times, edges, weights=values)
    means = np.full(len(counts), np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return Series(edges[1:], means)
