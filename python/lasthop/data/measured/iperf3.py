"""iperf3's JSON (``iperf3 -J``), TCP and UDP: what the client saw, and of the receiver what it told the client."""

from __future__ import annotations

import numpy as np

from lasthop.data.measured.model import Flow, Measured, Series, known
from lasthop.data.measured.walking import Place

USUAL_MSS = 1448.0
"""Of Ethernet, IPv4 and TCP timestamps, where the document does not say."""


def is_one(document: Place) -> bool:
    """Return whether a document looks like iperf3's."""
    there = document.value
    return (
        isinstance(there, dict) and ("intervals" in there or "error" in there) and "start" in there
    )


def read(document: Place) -> Measured:
    """Read a document; raises MeasuredError."""
    if said := document.find("error"):
        document.fail(f"is of a test that failed: {said.text()}")
    start = document.at("start")
    test = start.at("test_start")
    protocol = test.at("protocol").text().lower()
    if protocol not in ("tcp", "udp"):
        test.at("protocol").fail(f"is {protocol.upper()}; only TCP and UDP can be read")
    names = _names(start)
    rows = _rows(document)
    flows = []
    for number, (socket, own) in enumerate(rows.items()):
        end = _end(document, number)
        name = names.get(socket, f"stream {number + 1}")
        if protocol == "udp":
            flows.append(_udp(name, own, end))
        else:
            flows.append(_tcp(name, own, end, start.maybe("tcp_mss_default") or USUAL_MSS))
    if not flows:
        document.at("intervals").fail("has no stream")
    spans = [row.at("seconds").number() for own in rows.values() for row in own]
    version = start.find("version")
    return Measured(
        document.file,
        f"iperf3 ({version.text()})" if version else "iperf3",
        max(sum(row.at("seconds").number() for row in own) for own in rows.values()),
        tuple(flows),
        max(
            round(float(np.median(spans)), 2), 0.01
        ),  # an interval of 1.000012 s was to be one of 1 s
        _notes(test),
    )


def _notes(test: Place) -> tuple[str, ...]:
    reverse = test.maybe("reverse")
    told = "Data went from the server to the client (-R); the names are the client's."
    return (told,) if reverse else ()


def _names(start: Place) -> dict[float, str]:
    found = {}
    connected = start.find("connected")
    for each in connected.each() if connected else ():
        ends = [
            f"{each.at(f'{side}_host').text()}:{each.at(f'{side}_port').number():.0f}"
            for side in ("local", "remote")
        ]
        found[each.at("socket").number()] = ">".join(ends)
    return found


def _rows(document: Place) -> dict[float, list[Place]]:
    """Return the intervals that count, by socket; what `-O` omits does not."""
    found: dict[float, list[Place]] = {}
    for interval in document.at("intervals").each():
        for row in interval.at("streams").each():
            omitted = row.find("omitted")
            seconds = row.at("seconds").number()
            if (omitted and omitted.value is True) or seconds <= 0:
                continue
            found.setdefault(row.at("socket").number(), []).append(row)
    return found


def _end(document: Place, number: int) -> Place | None:
    end = document.find("end")
    streams = end.find("streams") if end else None
    there = list(streams.each()) if streams else []
    return there[number] if number < len(there) else None


def _sent(rows: list[Place]) -> float:
    """Return the rate of what the sender's socket took, bit/s."""
    seconds = sum(row.at("seconds").number() for row in rows)
    return 8 * sum(row.at("bytes").number() for row in rows) / seconds


def _tcp(name: str, rows: list[Place], end: Place | None, mss: float) -> Flow:
    seconds = sum(row.at("seconds").number() for row in rows)
    receiver = end.find("receiver") if end else None
    received = receiver.maybe("bits_per_second") if receiver else None
    srtt = Series.of([(_end_of(row), _positive(row.maybe("rtt"), 1e-6)) for row in rows])
    cwnd = Series.of([(_end_of(row), _positive(row.maybe("snd_cwnd"), 1 / mss)) for row in rows])
    again = [count for row in rows if (count := row.maybe("retransmits")) is not None]
    there = srtt.values[~np.isnan(srtt.values)]
    values = {
        "goodput_bps": received or _sent(rows),
        "retransmits_per_s": sum(again) / seconds if again else None,
        "srtt_s.mean": srtt.mean(),
        "srtt_s.min": float(there.min()) if len(there) else None,
        "srtt_s.max": float(there.max()) if len(there) else None,
        "cwnd_segments.mean": cwnd.mean(),
    }
    series = {
        "goodput_bps": _rates(rows),
        "srtt_s.mean": srtt,
        "cwnd_segments.mean": cwnd,
    }
    return Flow(name, "tcp", known(values), series)


def _udp(name: str, rows: list[Place], end: Place | None) -> Flow:
    sent, udp = _sent(rows), end.find("udp") if end else None
    packets = udp.maybe("packets") if udp else None
    lost = udp.maybe("lost_packets") if udp else None
    share = lost / packets if packets and lost is not None else None
    jitter = udp.maybe("jitter_ms") if udp else None
    values = {
        "goodput_bps": None if share is None else sent * (1 - share),
        "throughput_bps": sent if share is None else None,
        "loss": share,
        "jitter_s": None if jitter is None else jitter / 1e3,
    }
    return Flow(name, "udp", known(values), {"throughput_bps": _rates(rows)})


def _rates(rows: list[Place]) -> Series:
    return Series.of([(_end_of(row), row.at("bits_per_second").number()) for row in rows])


def _positive(value: float | None, scale: float) -> float | None:
    return value * scale if value else None


def _end_of(row: Place) -> float:
    return row.at("end").number()
