"""A run's results counted again from its packets: each packet's fate, totals, rates, delays, shares, queues."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lasthop.core import api

Row = dict[str, Any]

PARTS = ("queueing", "access", "retries", "transmission", "wire", "handoff")

#: Sums of as many floating-point numbers as a run has packets agree so far; times are whole ns, written in s.
CLOSE, NS = 1e-9, 1e-9

#: IP's header, which transport_throughput_bps leaves out.
IP_BYTES = 20


def problems(text: str) -> list[str]:
    """Run a scenario with every packet written down, and return what does not fit together."""
    document = api.run(text, probes=("packets",)).documents[0]
    table = document.pop("probes")["packets"]
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    window = Window(document["duration_s"] - document["measured_s"], document["duration_s"])
    found = [
        *_fates(document, rows),
        *_shares(document),
        *_queues(document, rows, window, text),
    ]
    splits = [flow["split"] for flow in document["flows"] if "split" in flow]
    legs = [each[part] for each in splits for part in ("beyond", "state") if part in each]
    anew = {each["state"]["name"] for each in splits if "state" in each}
    dies = any("dies" in proxy for proxy in tomllib.loads(text).get("proxy", []))
    anew |= {each["beyond"]["name"] for each in splits if dies}
    by_flow: dict[str, list[Row]] = {flow["name"]: [] for flow in [*document["flows"], *legs]}
    for row in rows:
        by_flow[row["flow"]].append(row)
    for flow in [*document["flows"], *legs]:
        again = _flow(flow, by_flow[flow["name"]], window, anew)
        found += [f"flow {flow['name']}: {why}" for why in again]
        if "split" in flow and not dies:
            found += [f"flow {flow['name']}: {why}" for why in _split(flow, by_flow)]
    # The engine's own steps are no result: the medium takes others while somebody listens.
    if api.run(text).documents[0] | {"events": 0} != document | {"events": 0}:
        found.append("the probe of packets changed the results")
    return found


@dataclass(frozen=True)
class Window:
    """The measured time, s: from the end of the warm-up, whose own instant is not in it, to the end."""

    begin: float
    end: float

    @property
    def length(self) -> float:
        """Return how long it is, s."""
        return self.end - self.begin

    def has(self, time_s: float | None) -> bool:
        """Return whether this moment is measured."""
        return time_s is not None and (self.begin < NS or time_s > self.begin + NS / 2)

    def overlap(self, begin: float, end: float) -> float:
        """Return how much of a time lies in it, s."""
        return max(0.0, min(end, self.end) - max(begin, self.begin))


def _differs(what: str, told: float, again: float, within: float = CLOSE) -> Iterator[str]:
    if not math.isclose(told, again, rel_tol=within, abs_tol=within):
        yield f"{what} is {told!r}, counted again {again!r}"


def _fates(document: dict[str, Any], rows: list[Row]) -> Iterator[str]:
    """Each packet has one fate, after it was sent, and its time goes to parts that add up."""
    ends = Counter(_fate(row) for row in rows)
    told = document["packets"]
    if told["made"] != sum(told[fate] for fate in ("delivered", "dropped", "in_flight")):
        yield f"packets do not add up: {told}"
    for fate in ("delivered", "dropped", "in_flight"):
        # Messages of Mobile IP and updates of routers are packets too, and not in the table.
        if told[fate] < ends[fate] or (told[fate] > ends[fate] and not _has_messages(document)):
            yield f"packets {fate}: {told[fate]}, counted again {ends[fate]}"
    for row in rows:
        name = f"{row['flow']} {row['kind']} {row['number']} sent at {row['time_s']!r} s"
        if row["received_s"] is not None and row["dropped_s"] is not None:
            yield f"{name} was both delivered and lost"
        end = row["received_s"] if row["received_s"] is not None else row["dropped_s"]
        if end is None:
            continue
        if end < row["time_s"]:
            yield f"{name} ended before, at {end!r} s"
        parts = [row[f"{part}_s"] for part in PARTS]
        if min(parts) < 0 or abs(sum(parts) - (end - row["time_s"])) > 10 * NS:
            yield f"{name}: parts {parts} of {end - row['time_s']!r} s"


def _has_messages(document: dict[str, Any]) -> bool:
    return "mobile_ip" in document or "dsdv" in document


def _fate(row: Row) -> str:
    if row["received_s"] is not None:
        return "delivered"
    return "in_flight" if row["dropped_s"] is None else "dropped"


def _shares(document: dict[str, Any]) -> Iterator[str]:
    """A part is no more than its whole."""
    for station in document["stations"]:
        for key in ("airtime_share", "cell_busy_share"):
            if not 0 <= station[key] <= 1 + CLOSE:
                yield f"station {station['name']}: {key} is {station[key]!r}"
        failed = [
            station.get(key) or 0
            for key in ("collisions", "channel_errors", "hidden", "out_of_range", "away")
        ]
        if station["successes"] + sum(failed) > station["attempts"]:
            counts = f"{station['successes']} successes, failures {failed}"
            yield f"station {station['name']}: {counts} of {station['attempts']} attempts"
        if station["retries"] > station["attempts"]:
            yield f"station {station['name']}: {station['retries']} retries of {station['attempts']} attempts"
    for link in document["links"]:
        if not 0 <= link["utilisation"] <= 1 + CLOSE:
            yield f"link {link['name']}: utilisation is {link['utilisation']!r}"
    rates = [flow["goodput_bps"] for flow in document["flows"]]
    if any(rates):
        jain = sum(rates) ** 2 / len(rates) / sum(rate**2 for rate in rates)
        yield from _differs("jain", document["jain"], jain)
    elif document["jain"] is not None:
        yield "jain without a goodput"


def _link_layer_s(text: str) -> float:
    """Return the longest time that a packet may wait in link layers, which is queueing of no queue, s."""
    spec = tomllib.loads(text)
    own = [
        cell.get("link_layer_delay", "0 us")
        for cell in (*spec.get("cell", []), *spec.get("lan", []))
    ]
    longest = max(
        [
            25.0 if spec.get("conventions", "standard") != "standard" else 0.0,
            *(float(each.split()[0]) for each in own),
        ]
    )
    # In 802.16 a packet that is in a burst waits there for its symbols, a frame at most.
    frames = [float(cell.get("frame", "5 ms").split()[0]) for cell in spec.get("wimax", [])]
    return 8e-6 * longest + 2e-3 * sum(frames)  # on both sides of some hops


def _queues(document: dict[str, Any], rows: list[Row], window: Window, text: str) -> Iterator[str]:
    """The packets in all queues together are those that have waited, within the measured time."""
    least = most = 0.0
    link_layer_s = _link_layer_s(text)
    # A packet that waits for its station's own beacon or probe, or at the head of a queue of 802.16 for its burst,
    # waits in the queue, or for access: both are said.
    managed = "association" in tomllib.loads(text) or bool(document.get("wimax"))
    for row in rows:
        end = row["received_s"] if row["received_s"] is not None else row["dropped_s"]
        inside = window.overlap(row["time_s"], window.end if end is None else end)
        waited, held = row["queueing_s"], row["handoff_s"] + managed * row["access_s"]
        if end is None:
            most += inside
        else:
            outside = end - row["time_s"] - inside
            least += max(0.0, waited - outside - link_layer_s)
            most += min(inside, waited + held)
    told = sum(queue["mean_packets"] for queue in document["queues"]) * window.length
    # What waits in a driver's line, or to be sent again in an aggregate, waits in no queue.
    least = 0.0 if document.get("access") else least
    slack = CLOSE + CLOSE * most + NS * len(rows)
    # Messages wait in queues too, and are no packets of the table.
    over = math.inf if _has_messages(document) else most
    if not least - slack <= told <= over + slack:
        yield f"queues hold {told!r} packet seconds; the packets waited {least!r} to {most!r}"
    for queue in document["queues"]:
        if (
            queue["mean_packets"] > queue["max_packets"] + CLOSE
            or queue["drops"] > queue["offered"]
        ):
            yield f"queue {queue}"
    lost = [
        row
        for row in rows
        if window.has(row["dropped_s"]) and row["dropped"] in ("queue", "aqm", "filtered")
    ]
    # Of what waited when the measurement began a queue tells nothing.
    least = sum(window.has(row["time_s"]) for row in lost)
    most = math.inf if _has_messages(document) else len(lost)
    drops = sum(queue["drops"] for queue in document["queues"])
    if not least <= drops <= most:
        yield f"{least} to {len(lost)} packets were lost in queues, which tell of {drops}"


def _flow(flow: dict[str, Any], rows: list[Row], window: Window, anew: set[str]) -> Iterator[str]:
    """Count a flow again."""
    data = [row for row in rows if row["direction"] == "data"]
    acks = [row for row in rows if row["direction"] == "ack"]
    came = sorted(
        (row for row in data if window.has(row["received_s"])), key=lambda row: row["received_s"]
    )
    yield from _differs(
        "packets_sent", flow["packets_sent"], sum(window.has(row["time_s"]) for row in data)
    )
    yield from _differs("packets_delivered", flow["packets_delivered"], len(came))
    lost = Counter(row["dropped"] for row in data if window.has(row["dropped_s"]))
    told = Counter({reason: count for reason, count in flow["packets_lost"].items() if count})
    if told != lost:
        yield f"packets_lost is {dict(told)}, counted again {dict(lost)}"
    yield from _differs(
        "acks_sent", flow["acks_sent"], sum(window.has(row["time_s"]) for row in acks)
    )
    yield from _differs(
        "acks_lost", flow["acks_lost"], sum(window.has(row["dropped_s"]) for row in acks)
    )
    bits = 8 * sum(row["bytes"] for row in came)
    yield from _differs("throughput_bps", flow["throughput_bps"], bits / window.length)
    if flow["transport"] == "tcp":
        bits -= 8 * IP_BYTES * len(came)
        yield from _differs(
            "transport_throughput_bps", flow["transport_throughput_bps"], bits / window.length
        )
        yield from _tcp(flow, (data, acks), window, anew)
    else:
        yield from _udp(flow, data, came, window)
    yield from _delays(flow, came)
    yield from _gaps(flow, data, window)


def _tcp(
    flow: dict[str, Any], rows: tuple[list[Row], list[Row]], window: Window, anew: set[str]
) -> Iterator[str]:
    data, acks = rows
    again = sum(row["retransmission"] and window.has(row["time_s"]) for row in data)
    yield from _differs("retransmits", flow["retransmits"], again)
    if "requests" in flow:
        back = sum(row["retransmission"] and window.has(row["time_s"]) for row in acks)
        yield from _differs("requests.retransmits", flow["requests"]["retransmits"], back)
    goodput = flow["goodput_bps"] * window.length / 8
    if "objects" in flow:  # connections that come and go number their bytes anew
        payload = sum(row["payload_bytes"] for row in data if row["received_s"] is not None)
        if goodput > payload * (1 + CLOSE) + CLOSE:
            yield f"goodput of {goodput!r} B, of {payload} B that came"
        return
    if "split" in flow or flow["name"] in anew:  # the node has it, or numbers begin anew
        return
    # The application has what is there in order.
    everything = sorted(
        (row for row in data if row["received_s"] is not None), key=lambda row: row["received_s"]
    )
    before = _in_order([row for row in everything if not window.has(row["received_s"])], data)
    after = _in_order(everything, data)
    yield from _differs("goodput in B", goodput, after - before, 1e-6)


def _split(flow: dict[str, Any], by_flow: dict[str, list[Row]]) -> Iterator[str]:
    """The data that one leg has brought leave by the other, and the node holds no more than its limit."""
    split = flow["split"]
    beyond = split["beyond"]
    if flow["goodput_bps"] != beyond["goodput_bps"]:
        yield f"goodput {flow['goodput_bps']!r}, of the leg beyond {beyond['goodput_bps']!r}"
    brought, delivered = (
        _in_order(
            sorted(
                (row for row in data if row["received_s"] is not None),
                key=lambda row: row["received_s"],
            ),
            data,
        )
        for data in (
            [row for row in by_flow[name] if row["direction"] == "data"]
            for name in (flow["name"], beyond["name"])
        )
    )
    yield from _differs("undelivered_bytes", split["undelivered_bytes"], brought - delivered)
    if split["held_max_bytes"] > split["buffer_bytes"]:
        yield f"the node held {split['held_max_bytes']} B of {split['buffer_bytes']} B"


def _in_order(came: list[Row], data: list[Row]) -> int:
    """Return how many bytes from the first on are there without a hole."""
    first = min((row["number"] for row in data if row["payload_bytes"]), default=0)
    reached = first
    for row in sorted(came, key=lambda row: row["number"]):
        if row["payload_bytes"] and row["number"] <= reached:
            reached = max(reached, row["number"] + row["payload_bytes"])
    return int(reached - first)


def _udp(flow: dict[str, Any], data: list[Row], came: list[Row], window: Window) -> Iterator[str]:
    if [row["number"] for row in data] != list(range(len(data))):
        yield "datagrams are not numbered as they were sent"
    payload = 8 * sum(row["payload_bytes"] for row in came)
    yield from _differs("goodput_bps", flow["goodput_bps"], payload / window.length)


def _delays(flow: dict[str, Any], came: list[Row]) -> Iterator[str]:
    told = flow["delay_s"]
    if not came:
        if told is not None:
            yield f"a delay of {told} without a packet"
        return
    delays = sorted(row["received_s"] - row["time_s"] for row in came)
    yield from _differs("delay_s.mean", told["mean"], sum(delays) / len(delays), 10 * NS)
    yield from _differs("delay_s.max", told["max"], delays[-1], 10 * NS)
    split = flow.get("delay_split_s") or {}
    for part in PARTS if split else ():
        mean = sum(row[f"{part}_s"] for row in came) / len(came)
        yield from _differs(f"delay_split_s.{part}", split[part], mean, 10 * NS)


def _gaps(flow: dict[str, Any], data: list[Row], window: Window) -> Iterator[str]:
    """A time between arrivals counts when it ends in the measured time."""
    told = flow.get("interarrival_s")
    times = sorted(row["received_s"] for row in data if row["received_s"] is not None)
    gaps = [after - before for before, after in pairwise(times) if window.has(after)]
    if told is not None and gaps:
        yield from _differs("interarrival_s.mean", told["mean"], sum(gaps) / len(gaps), 10 * NS)
