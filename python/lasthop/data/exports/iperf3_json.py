"""iperf3's JSON (``iperf3 -J``): start, intervals, end, for programs that read it.

Bytes are the application's, as in iperf3: of the sender those that went out for the first time, of the receiver
those that came for the first time. `rtt` and `rttvar` are in us, `snd_cwnd` in bytes. Time begins at the end of
the warm-up; what was before is there as iperf3 shows what ``-O`` omits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import IO, Any

from lasthop.core import api
from lasthop.core.command_lines import argument
from lasthop.core.engine import version
from lasthop.data.exports.selection import Row, Selection, states, steps, warmup_s
from lasthop.errors import UsageError

FIRST_SOCKET = 5
"""The number of the first stream's socket, as iperf3 has it on Linux."""
PORT = 5201


def write(run: api.Run, selection: Selection, file: IO[bytes]) -> None:
    """Write the flows that are selection, which must be all TCP or all UDP."""
    file.write(json.dumps(document(run, selection), indent=2, allow_nan=False).encode() + b"\n")


def document(run: api.Run, selection: Selection) -> dict[str, Any]:
    """Return the document; raises UsageError where TCP and UDP are mixed."""
    flows = selection.of(run)
    if len({flow["transport"] for flow in flows}) > 1:
        raise UsageError(
            "an iperf3 document has one protocol: select TCP or UDP flows with "
            f"{argument('--flow', 'flows')}"
        )
    streams = [
        _Stream(run, flow, FIRST_SOCKET + 2 * place, warmup_s(run))
        for place, flow in enumerate(flows)
    ]
    times = dict.fromkeys(end for stream in streams for end in stream.ends)
    return {
        "start": _start(run, streams, selection),
        "intervals": [_interval(streams, end) for end in sorted(times)],
        "end": _end(streams),
    }


class _Stream:
    """One flow, in iperf3's words."""

    def __init__(self, run: api.Run, flow: Row, socket: int, omit: float) -> None:
        self.flow, self.socket = flow, socket
        self.is_tcp = flow["transport"] == "tcp"
        rows = steps(run, flow["name"])
        self.ends = [row["time_s"] for row in rows]
        known = states(run, flow["name"], self.ends)
        pairs = zip(rows, known, strict=True)
        self.intervals = {row["time_s"]: self._interval(row, state, omit) for row, state in pairs}
        self.rows = [row for row in rows if row["start_s"] >= omit]
        self.measured = [each for each in self.intervals.values() if not each["omitted"]]
        self.mss = next((state["mss_bytes"] for state in known if state), 0)

    def _interval(self, row: Row, state: Row | None, omit: float) -> dict[str, Any]:
        omitted = row["start_s"] < omit
        begins = 0.0 if omitted else omit
        start, end = row["start_s"] - begins, row["time_s"] - begins
        sent = _amount(self.socket, (start, end), row["payload_bytes_sent"])
        if not self.is_tcp:
            return sent | {"packets": row["packets_sent"], "omitted": omitted, "sender": True}
        shown = state or {}
        return sent | {
            "retransmits": row["retransmits"],
            "snd_cwnd": round(shown.get("snd_cwnd", 0) * shown.get("mss_bytes", 0)),
            "snd_wnd": 0,
            "rtt": _us(shown.get("srtt_s")),
            "rttvar": _us(shown.get("rttvar_s")),
            "pmtu": 1500,
            "omitted": omitted,
            "sender": True,
        }

    @property
    def span(self) -> tuple[float, float]:
        """Start and end of what counts."""
        return (0.0, max((each["end"] for each in self.measured), default=0.0))

    @property
    def sent(self) -> int:
        return sum(each["bytes"] for each in self.measured)

    @property
    def received(self) -> int:
        spans = ((row["goodput_bps"], row["time_s"] - row["start_s"]) for row in self.rows)
        return sum(round(rate * seconds / 8) for rate, seconds in spans)

    def end(self) -> dict[str, Any]:
        """Return what the stream comes to."""
        if not self.is_tcp:
            return {
                "udp": _amount(self.socket, self.span, self.sent) | self.udp() | {"sender": True}
            }
        rtts = [each["rtt"] for each in self.measured if each["rtt"]]
        sender = _amount(self.socket, self.span, self.sent) | {
            "retransmits": sum(each["retransmits"] for each in self.measured),
            "max_snd_cwnd": max((each["snd_cwnd"] for each in self.measured), default=0),
            "max_snd_wnd": 0,
            "max_rtt": max(rtts, default=0),
            "min_rtt": min(rtts, default=0),
            "mean_rtt": round(sum(rtts) / len(rtts)) if rtts else 0,
            "sender": True,
        }
        receiver = _amount(self.socket, self.span, self.received) | {"sender": True}
        return {"sender": sender, "receiver": receiver}

    def udp(self) -> dict[str, Any]:
        """Return what a receiver of datagrams says."""
        packets = sum(row["packets_sent"] for row in self.rows)
        lost = sum(row["packets_lost"] for row in self.rows)
        return {
            "jitter_ms": 1e3 * (self.rows[-1]["jitter_s"] if self.rows else 0.0),
            "lost_packets": lost,
            "packets": packets,
            "lost_percent": 100 * lost / packets if packets else 0.0,
            "out_of_order": 0,
        }


def _amount(socket: int | None, span: tuple[float, float], count: int) -> dict[str, Any]:
    start, end = span
    seconds = end - start
    rate = count * 8 / seconds if seconds > 0 else 0.0
    named = {} if socket is None else {"socket": socket}
    return named | {
        "start": start,
        "end": end,
        "seconds": seconds,
        "bytes": count,
        "bits_per_second": rate,
    }


def _us(seconds: float | None) -> int:
    return 0 if seconds is None else round(seconds * 1e6)


def _interval(streams: Sequence[_Stream], end: float) -> dict[str, Any]:
    rows = [stream.intervals[end] for stream in streams if end in stream.intervals]
    total = _amount(None, (rows[0]["start"], rows[0]["end"]), sum(row["bytes"] for row in rows))
    for key in ("retransmits", "packets"):
        if key in rows[0]:
            total[key] = sum(row[key] for row in rows)
    return {"streams": rows, "sum": total | {"omitted": rows[0]["omitted"], "sender": True}}


def _start(run: api.Run, streams: Sequence[_Stream], selection: Selection) -> dict[str, Any]:
    first = streams[0]
    connected = [
        {
            "socket": stream.socket,
            "local_host": stream.flow["from"],
            "local_port": 40000 + stream.socket,
            "remote_host": stream.flow["to"],
            "remote_port": PORT,
        }
        for stream in streams
    ]
    result = run.documents[0]
    return {
        "connected": connected,
        "version": f"lasthop {version()}",
        "system_info": f"simulated: {result['scenario']}, seed {result['seed']}",
        "timestamp": {"time": "Thu, 01 Jan 1970 00:00:00 GMT", "timesecs": 0},
        "connecting_to": {"host": first.flow["to"], "port": PORT},
        "cookie": "",
        **({"tcp_mss_default": first.mss} if first.is_tcp else {}),
        "test_start": {
            "protocol": "TCP" if first.is_tcp else "UDP",
            "num_streams": len(streams),
            "blksize": first.mss,
            "omit": round(warmup_s(run)),
            "duration": round(result["measured_s"]),
            "bytes": 0,
            "blocks": 0,
            "reverse": 0,
            "tos": 0,
            "interval": selection.step_s,
        },
    }


def _end(streams: Sequence[_Stream]) -> dict[str, Any]:
    span = (0.0, max(stream.span[1] for stream in streams))
    sent = _amount(None, span, sum(stream.sent for stream in streams))
    received = _amount(None, span, sum(stream.received for stream in streams))
    ends = [stream.end() for stream in streams]
    whole: dict[str, Any] = {"streams": ends}
    if streams[0].is_tcp:
        sent["retransmits"] = sum(each["sender"]["retransmits"] for each in ends)
        law = streams[0].flow["variant"]
        whole["sender_tcp_congestion"] = whole["receiver_tcp_congestion"] = law
    else:
        parts = [each["udp"] for each in ends]
        lost, packets = (sum(part[key] for part in parts) for key in ("lost_packets", "packets"))
        shared = {
            "jitter_ms": sum(part["jitter_ms"] for part in parts) / len(parts),
            "lost_packets": lost,
            "packets": packets,
            "lost_percent": 100 * lost / packets if packets else 0.0,
        }
        whole["sum"] = sent | shared | {"sender": True}
        sent |= shared | {"lost_packets": 0, "lost_percent": 0.0}
        received |= shared
    whole["sum_sent"] = sent | {"sender": True}
    whole["sum_received"] = received | {"sender": True}
    whole["cpu_utilization_percent"] = dict.fromkeys(
        (f"{side}_{kind}" for side in ("host", "remote") for kind in ("total", "user", "system")),
        0.0,
    )
    return whole
