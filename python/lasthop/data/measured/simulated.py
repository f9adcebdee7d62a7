"""Runs of a scenario, read as a file was measured: by the same reader, so that both mean the same.

What iperf3 and Flent would have written is written from the run (`data.exports`) and read again; for a capture
the run is captured at the same kind of place; a log of ss is taken from the state of the senders.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from lasthop.core import api
from lasthop.core.command_lines import argument
from lasthop.core.how import Watching
from lasthop.core.job import Job
from lasthop.data.exports import Selection
from lasthop.data.exports import flent_data as flent_export
from lasthop.data.exports import iperf3_json as iperf3_export
from lasthop.data.exports.selection import warmup_s
from lasthop.data.measured import capture, flent, iperf3
from lasthop.data.measured.model import Flow, Measured, Series, known
from lasthop.data.measured.walking import Place
from lasthop.errors import UsageError

PROBES = ("flows", "tcp")
FIRST_PORT = 49152
"""Flow i comes from this port + i in captures."""

SNAP = 160
"""Bytes of each packet that a reader needs: radiotap, 802.11, IP, TCP with options."""


@dataclass(frozen=True)
class Simulated:
    """The replications of a scenario, each as if measured, and its flows by their own names.

    Attributes:
        runs: A replication each.
        seed: The root of their random numbers.
        place: Where captures were taken; empty where there were none.
        notes: What a reader should know of it, a sentence each.
    """

    runs: tuple[Measured, ...]
    seed: int
    place: str = ""
    notes: tuple[str, ...] = ()


def like(measured: Measured, scenario: Job, how: Watching, at: str | None = None) -> Simulated:
    """Run a scenario and read its replications as `measured` was; raises LasthopError.

    `at` names the interface, or a pattern of it, at which captures are taken; by default that of the first flow's
    source, and for a capture of frames the first channel.
    """
    if measured.format == "capture":
        return _captured(measured, scenario, how, at)
    if at is not None:
        raise UsageError(f"{argument('--at')} applies to captures only, and the file is not one")
    run = api.kept(scenario, replace(how, probes=PROBES, probe_every_s=measured.step_s))
    reader = _ss if measured.format.startswith("ss") else _exported
    return Simulated(tuple(reader(document, measured) for document in run.documents), run.seed)


def _exported(document: dict[str, Any], measured: Measured) -> Measured:
    """Read what iperf3 or Flent would have written, TCP and UDP each alone."""
    run, flows = api.Run([document]), []
    seconds = float(document["measured_s"])
    is_flent = measured.format.startswith("Flent")
    for transport in ("tcp", "udp"):
        names = [each["name"] for each in document["flows"] if each["transport"] == transport]
        if not names:
            continue
        chosen = Selection(tuple(map(_literally, names)), measured.step_s)
        if is_flent:
            found = flent.read(Place("the simulated run", flent_export.document(run, chosen)))
        else:
            found = iperf3.read(Place("the simulated run", iperf3_export.document(run, chosen)))
        flows += [replace(each, name=name) for each, name in zip(found.flows, names, strict=False)]
    return Measured("simulated", measured.format, seconds, tuple(flows), measured.step_s)


def _literally(name: str) -> str:
    """Return a pattern that matches this name alone."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _ss(document: dict[str, Any], measured: Measured) -> Measured:
    """Return what a log of ss would say, sampled at the ends of the steps."""
    since = warmup_s(api.Run([document]))
    senders, rates = document["probes"]["tcp"], document["probes"]["flows"]
    flows = [
        _sampled(each["name"], senders, rates, since)
        for each in document["flows"]
        if each["transport"] == "tcp"
    ]
    seconds = float(document["measured_s"])
    return Measured("simulated", measured.format, seconds, tuple(flows), measured.step_s)


def _sampled(
    name: str,
    senders: Mapping[str, Sequence[Any]],
    rates: Mapping[str, Sequence[Any]],
    since: float,
) -> Flow:
    def series(table: Mapping[str, Sequence[Any]], value: Callable[[int], float | None]) -> Series:
        places = [
            place
            for place, flow in enumerate(table["flow"])
            if flow == name and table["time_s"][place] > since
        ]
        return Series.of([(table["time_s"][place] - since, value(place)) for place in places])

    def column(name_: str) -> Series:
        return series(senders, lambda place: senders[name_][place])

    acked, srtt, cwnd = column("snd_una"), column("srtt_s"), column("snd_cwnd")
    least, again = column("minrtt_s"), series(rates, lambda place: rates["retransmits"][place])
    span = float(acked.times[-1] - acked.times[0]) if len(acked.times) > 1 else 0.0
    if span <= 0:
        return Flow(name, "tcp", {})
    values = {
        "goodput_bps": 8 * float(acked.values[-1] - acked.values[0]) / span,
        "retransmits_per_s": float(again.values.sum()) / span,
        "rtt_s.min": None if least.mean() is None else float(least.values[-1]),
        "srtt_s.mean": srtt.mean(),
        "cwnd_segments.mean": cwnd.mean(),
        "delivery_rate_bps": column("delivery_rate_bps").mean(),
    }
    drawn = {
        "goodput_bps": series(rates, lambda place: rates["goodput_bps"][place]),
        "srtt_s.mean": srtt,
        "cwnd_segments.mean": cwnd,
    }
    return Flow(name, "tcp", known(values), drawn)


def _captured(measured: Measured, scenario: Job, how: Watching, at: str | None) -> Simulated:
    has_air = any(each.transport == "station" for each in measured.flows)
    with tempfile.TemporaryDirectory(prefix="lasthop-") as folder:
        pattern = at or ("air-*" if has_air else f"{_first_source(scenario)}-*")
        run = api.kept(scenario, replace(how, pcap=folder, pcap_only=(pattern,), pcap_snap=SNAP))
        runs, places = [], set()
        for number, document in enumerate(run.documents):
            own = Path(folder) / f"replication-{number}" if run.replications > 1 else Path(folder)
            file = sorted(path for path in own.glob("*.pcapng") if fnmatchcase(path.stem, pattern))[
                0
            ]
            places.add(file.stem)
            runs.append(_read(file, document, measured.step_s))
        told = _hidden_queue(places, run.documents)
    return Simulated(tuple(runs), run.seed, ", ".join(sorted(places)), told)


def _hidden_queue(places: Collection[str], documents: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """Say where packets wait at the captured interface itself: such a capture shows them when they leave."""
    nodes = {place.rsplit("-", 1)[0] for place in places}
    for document in documents[:1]:
        for queue in document["queues"]:
            node = queue["name"].split(">")[0].rsplit("/", 1)[-1]
            if node in nodes and queue["mean_packets"] > 1:
                return (
                    f"{queue['mean_packets']:.1f} packets wait on average at {queue['name']}, where the run is "
                    "captured: the capture has a packet when it leaves, so this wait and what is dropped there "
                    "are not in it. Put a fast link before the bottleneck, as between a host and its router.",
                )
    return ()


def _first_source(scenario: Job) -> str:
    """Return where the first flow's data come from."""
    return str(scenario.outline()["flows"][0]["from"])


def _read(file: Path, document: dict[str, Any], step_s: float) -> Measured:
    since = float(document["duration_s"] - document["measured_s"])
    found = capture.read(file.read_bytes(), f"the simulated {file.name}", since, step_s)
    names = [each["name"] for each in document["flows"]]
    flows = [replace(each, name=_own_name(each, names)) for each in found.flows]
    return replace(found, flows=tuple(_with_loss(each, document) for each in flows))


def _with_loss(flow: Flow, document: dict[str, Any]) -> Flow:
    """Add the losses of a simulated UDP flow: its datagrams have no numbers that a capture could use."""
    own = next((each for each in document["flows"] if each["name"] == flow.name), None)
    if flow.transport != "udp" or own is None:
        return flow
    lost = sum(own["packets_lost"].values())
    part = lost / max(lost + own["packets_delivered"], 1)
    return replace(flow, values={**flow.values, "loss": part})


def _own_name(flow: Flow, names: Sequence[str]) -> str:
    """Return the scenario's name of a captured flow, whose port has its number."""
    if flow.transport == "station":
        return flow.name
    for end in flow.name.split(">"):
        number = int(end.rsplit(":", 1)[1]) - FIRST_PORT
        if 0 <= number < len(names):
            return names[number]
    return flow.name
