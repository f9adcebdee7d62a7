"""ns-2's wireless traces at the agents' level, in the old format and in the new (``-t -Hs ...``).

A line for each packet sent (``s``) and received (``r``) by an agent, and for each lost (``D``, in the new format
``d``), as ns-2 writes them with ``agentTrace ON`` and the other levels off. What happens on the way (RTR, MAC) is
not there. Nodes are numbered in the order of :func:`nodes`; a flow's port is its number. Sizes are network-layer
bytes. Sequence numbers count segments of the flow's largest payload from 0, as ns-2's one-way agents do; a SYN has
-1, and an acknowledgement names the last segment that has come in order. MAC fields are 0, as on a line of a
packet that has just been sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO

from lasthop.core import api
from lasthop.data.exports.selection import Row, Selection

TTL = 32
"""ns-2's default; hops on the way are not counted off, since the level above them does not see them."""

#: A cause of loss as ns-2 has it: the level of the trace, and its reason.
REASONS = {
    "queue": ("IFQ", "IFQ"),
    "aqm": ("IFQ", "---"),
    "filtered": ("IFQ", "---"),
    "drop_list": ("IFQ", "---"),
    "wire_loss": ("LL", "ERR"),
    "retry_limit_collision": ("MAC", "COL"),
    "retry_limit_channel": ("MAC", "RET"),
    "retry_limit_hidden": ("MAC", "COL"),
    "out_of_range": ("MAC", "RET"),
    "lifetime": ("MAC", "---"),
    "no_route": ("RTR", "NRTE"),
    "ttl": ("RTR", "TTL"),
    "handoff": ("RTR", "NRTE"),
    "clusterhead": ("MAC", "ERR"),
    "air": ("MAC", "ERR"),
    "excessive_collisions": ("MAC", "RET"),
    "collision": ("MAC", "COL"),
    "request_retries": ("MAC", "RET"),
    "suppressed": ("RTR", "---"),
}


@dataclass(frozen=True)
class Trip:
    """A packet and the numbers of what it belongs to.

    Attributes:
        number: Its own, through the run.
        packet: Its row in the table of packets.
        flow: Of its flow.
        ends: Of the nodes where it comes from and where it goes.
        sequence: Of its segment or datagram.
    """

    number: int
    packet: Row
    flow: int
    ends: tuple[int, int]
    sequence: int


@dataclass(frozen=True)
class Event:
    """A line of a trace."""

    letter: str
    time_s: float
    node: int
    level: str
    reason: str
    trip: Trip


def nodes(run: api.Run) -> list[str]:
    """Return the nodes by their numbers: ends of flows, then all others by their interfaces."""
    document = run.documents[0]
    named = [flow[end] for flow in document["flows"] for end in ("from", "to")]
    named += [station["name"] for station in document["stations"]]
    named += [end for link in document["links"] for end in link["name"].split(">")]
    return list(dict.fromkeys(named))


def write_old(run: api.Run, selection: Selection, file: IO[bytes]) -> None:
    """Write the old format."""
    _write(run, selection, file, old_line)


def write_new(run: api.Run, selection: Selection, file: IO[bytes]) -> None:
    """Write the new format."""
    _write(run, selection, file, new_line)


def _write(
    run: api.Run, selection: Selection, file: IO[bytes], line: Callable[[Event], str]
) -> None:
    selection.of(run)
    for event in sorted(events(run, selection), key=lambda event: event.time_s):
        file.write(f"{line(event)}\n".encode())


def events(run: api.Run, selection: Selection) -> Iterator[Event]:
    """Give the events of the packets that are selection, packet by packet."""
    flows = {flow["name"]: place for place, flow in enumerate(run.documents[0]["flows"])}
    places = {name: place for place, name in enumerate(nodes(run))}
    rows = run.packets.to_pylist()
    segment: dict[str, int] = {}
    for row in rows:
        segment[row["flow"]] = max(segment.get(row["flow"], 1), row["payload_bytes"])
    for number, row in enumerate(rows):
        if not selection.has(row["flow"]):
            continue
        flow = flows[row["flow"]]
        ends = _ends(run.documents[0]["flows"][flow], row, places)
        trip = Trip(number, row, flow, ends, _sequence(row, segment[row["flow"]]))
        yield Event("s", row["time_s"], ends[0], "AGT", "---", trip)
        if row["received_s"] is not None:
            yield Event("r", row["received_s"], ends[1], "AGT", "---", trip)
        if row["dropped"] is not None:
            node = places.get(row["dropped_at"], ends[0])
            yield Event("D", row["dropped_s"], node, *REASONS[row["dropped"]], trip)


def _ends(flow: Row, row: Row, places: Mapping[str, int]) -> tuple[int, int]:
    ends = places[flow["from"]], places[flow["to"]]
    return ends if row["direction"] == "data" else (ends[1], ends[0])


def _sequence(row: Row, segment: int) -> int:
    """Return the number of the segment; bytes are numbered from 1, the SYN before them."""
    if row["kind"] == "datagram":
        return int(row["number"])
    whole = (int(row["number"]) - 1) // segment
    return whole - 1 if row["kind"] == "ack" else whole


def _type(row: Row) -> str:
    """Return the name that ns-2 gives such a packet; whatever sends datagrams is ``cbr``."""
    if row["kind"] == "datagram":
        return "cbr"
    return "ack" if row["kind"] == "ack" or row["direction"] == "ack" else "tcp"


def old_line(event: Event) -> str:
    """Return a line of the old format."""
    trip = event.trip
    (source, sink), port, name = trip.ends, trip.flow, _type(trip.packet)
    head = f"{event.letter} {event.time_s:.9f} _{event.node}_ {event.level}  {event.reason}"
    packet = f"{trip.number} {name} {trip.packet['bytes']} [0 0 0 0] -------"
    ip = f"[{source}:{port} {sink}:{port} {TTL} 0]"
    agent = f"[{trip.sequence}]" if name == "cbr" else f"[{trip.sequence} 0]"
    return f"{head} {packet} {ip} {agent} 0 0"


def new_line(event: Event) -> str:
    """Return a line of the new format, which ends with a space."""
    trip = event.trip
    (source, sink), port, name = trip.ends, trip.flow, _type(trip.packet)
    node = (
        f"-Hs {event.node} -Hd -2 -Ni {event.node} -Nx 0.00 -Ny 0.00 -Nz 0.00 -Ne -1.000000 "
        f"-Nl {event.level} -Nw {event.reason} -Ma 0 -Md 0 -Ms 0 -Mt 0"
    )
    ip = (
        f"-Is {source}.{port} -Id {sink}.{port} -It {name} -Il {trip.packet['bytes']} -If {port} "
        f"-Ii {trip.number} -Iv {TTL}"
    )
    cbr, tcp = f"-Pn cbr -Pi {trip.sequence}", f"-Pn tcp -Ps {trip.sequence} -Pa 0"
    agent = f"{cbr if name == 'cbr' else tcp} -Pf 0 -Po 0"
    return f"{event.letter.lower()} -t {event.time_s:.9f} {node} {ip} {agent} "
