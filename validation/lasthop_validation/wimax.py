"""One 802.16 cell against a model written apart from it by the same specification, through scenarios.

Its frame (how many symbols for what), the uplink's delay of a lone packet, stations that send more
than they can, and TCP downloads over it. The tables that need no transport are also played row by
row against the crate itself (`validation/players`, `tests/all/wimax.rs`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lasthop_validation import oracles
from lasthop_validation.judging import Case
from lasthop_validation.oracles import Metrics, Row

Run = Mapping[str, Any]

PRESETS = {"std": "standard", "nist": "nist"}

CELL = """
[[wimax]]
base_station = "bs"
stations = {stations}
preset = "{preset}"
bandwidth = "{bw_khz} kHz"
cyclic_prefix = "1/{cp}"
frame = "{frame_ms} ms"
ratio = "{dl}:{ul}"
downlink_modulation = "{mcs_dl}"
uplink_modulation = "{mcs_ul}"
broadcast_modulation = "{mcs_bc}"
tail_byte = "{tail}"
ranging_opportunities = {m_rng}
request_opportunities = {m_bw}
backoff_start = {bo_start}
backoff_end = {bo_end}
t16 = "{t16_us} us"
request_retries = {retries}
piggyback = {piggyback_flag}
packing = {pack_flag}
fragmentation = {frag_flag}
crc = {crc_flag}
queue = {{ packets = {queue}, counts = "with_service" }}
"""

#: The columns that name a cell.
COLUMNS = (
    "preset", "bw", "frame_us", "cp", "dl", "ul", "mcs_dl", "mcs_ul", "mcs_bc", "tail", "m_rng", "m_bw",
    "bo_start", "bo_end", "t16_us", "retries", "piggyback", "pack", "frag", "crc", "queue",
)  # fmt: skip


def cell(row: Row, stations: int) -> str:
    """Return the cell that a row describes."""
    flags = {
        f"{name}_flag": "true" if row.number(name) else "false"
        for name in ("piggyback", "pack", "frag", "crc")
    }
    settings = {name: row[name] for name in COLUMNS}
    settings["preset"] = row.among("preset", PRESETS)
    return CELL.format(
        **settings,
        **flags,
        stations=stations,
        bw_khz=row.number("bw") / 1e3,
        frame_ms=row.number("frame_us") / 1e3,
    )


def cases(quick: bool) -> list[Case]:
    """Return the cases of every table; quick: of every tenth configuration."""
    step = 10 if quick else 1
    layouts = (oracles.table("wimax/capacity.csv", feasible="1") or [])[::step]
    found = oracles.each(layouts, _layout)
    for name, keys, make in (
        ("latency_floor", (*COLUMNS, "n", "sdu", "rate_pps"), _lone),
        ("saturated", (*COLUMNS, "n", "sdu", "dir"), _saturated),
        ("tcp", (*COLUMNS, "n", "mss", "loss", "ge_good_s", "ge_bad_s"), _tcp),
    ):
        rows = oracles.table(f"wimax/{name}.csv")
        found += oracles.each(oracles.configurations(rows, keys)[::step], make)
    return found


def _name(row: Row) -> str:
    parts = ("preset", "bw", "frame_us", "cp", "mcs_dl", "mcs_ul", "m_bw", "bo_start", "piggyback")
    return " ".join([*(row[part] for part in parts), f"{row['dl']}:{row['ul']}"])


# A frame's layout.

LAYOUT: dict[str, Callable[[Run], float]] = {
    "symbols": lambda run: run["wimax"][0]["frame_symbols"],
    "dl_symbols": lambda run: run["wimax"][0]["downlink_symbols"],
    "contention_symbols": lambda run: run["wimax"][0]["contention_symbols"],
}


def _layout(row: Row) -> list[Case]:
    flow = '[[flow]]\nfrom = "bs"\nto = "ss1"\ntransport = "udp"\napp = "cbr"\n'
    text = f'duration = "100 ms"\n{cell(row, 1)}{flow}'
    return [
        Case(
            "frame",
            f"{_name(row)}: {column}",
            text,
            measure,
            row.number(column),
            0.0,
            "exact",
            absolute=True,
            replications=1,
        )
        for column, measure in LAYOUT.items()
    ]


# A packet alone in the uplink: at any phase of the frame.


def _lone(rows: Metrics) -> list[Case]:
    row = rows["delay_mean_ms"]
    frame_s = row.number("frame_us") / 1e6
    # The interval and the frame have no common measure worth the name, so that all phases come.
    interval_us = round((1 / row.number("rate_pps") + frame_s * 0.6180339887) * 1e6)
    app = (
        f'{{ kind = "periodic", payload = "{row.whole("sdu")} B", interval = "{interval_us} us" }}'
    )
    text = (
        f'duration = "{2000 * interval_us} us"\n{cell(row, 1)}[udp]\nheader = "0 B"\n[[flow]]\n'
        f'from = "ss1"\nto = "bs"\ntransport = "udp"\napp = {app}\n'
    )
    return [
        Case(
            "lone packet, mean delay (ms)",
            _name(row),
            text,
            lambda run: 1e3 * float(run["subscribers"][0]["up"]["delay_s"]["mean"]),
            row.number("mean"),
            0.1,
            "the same rules; the phase of the frame is the only chance",
            reference_ci95=row.ci95(),
            absolute=True,
            replications=3,
        )
    ]


# Stations that send more than they can.


def _saturated(rows: Metrics) -> list[Case]:
    row = rows["sdu_bps"]
    stations, sdu = row.whole("n", 1), row.whole("sdu", 1)
    # Twice what a frame could carry if it were all of one direction.
    rate = 2 * 8e6 * 108 * 1200 / row.number("frame_us") / stations
    ends = 'from = "bs"\nto = "ss*"' if row["dir"] == "dl" else 'from = "ss*"\nto = "bs"'
    app = f'{{ kind = "cbr", payload = "{sdu} B", rate = "{rate:.0f} bps" }}'
    seconds = row.number("frame_us") * row.number("frames") / 1e6
    text = (
        f'duration = "{seconds} s"\n{cell(row, stations)}[udp]\nheader = "0 B"\n'
        f'[[flow]]\n{ends}\ntransport = "udp"\napp = {app}\n'
    )
    bound, reason = (0.005, "one station") if stations == 1 else (0.02, "contention of a few")
    return [
        Case(
            f"saturated, {row['dir']} (bit/s)",
            f"{_name(row)}, {stations} stations of {sdu} B",
            text,
            lambda run: sum(float(flow["goodput_bps"]) for flow in run["flows"]),
            row.reference(),
            bound,
            f"the same rules; {reason}",
            reference_ci95=row.ci95(),
            replications=2 if stations == 1 else 4,
        )
    ]


# TCP.

TCP = """
[tcp]
variant = "newreno"
mss = "{mss} B"
header = "28 B"
timestamps = "1 us"
window = "16 MB"
initial_window = 2
initial_ssthresh = 64
handshake = false
limited_transmit = false
rto_initial = "3 s"
rto_min = "200 ms"
"""
"""A round trip is taken of every segment (section 8 of the specification); 40 B of header with timestamps."""

SENT = 'request_size = "sending"\n'
"""The reference's rows of several stations under NIST's rules size a request when it is sent (its erratum)."""

LINK = """
[[link]]
ends = ["server{i}", "bs"]
rate = "100 Mbps"
delay = "45 ms"
queue = "unlimited"
[[flow]]
from = "server{i}"
to = "ss{i}"
app = "bulk"
start = "{start_ms} ms"
"""


def _channel(row: Row) -> str:
    if row["ge_bad_s"]:
        good, bad = row["ge_good_s"], row["ge_bad_s"]
        return (
            'errors_in = "downlink"\nchannel = { model = "gilbert_elliott", ber_good = 0, ber_bad = 0.5, '
            f'mean_good = "{good} s", mean_bad = "{bad} s", sampling = "each_bit" }}\n'
        )
    loss = row.number("loss")
    channel = f'channel = {{ model = "bernoulli", frame_loss = {loss} }}\n'
    return f'errors_in = "downlink"\n{channel}' if loss else ""


def _goodput(run: Run) -> float:
    return sum(
        float(flow["acked_goodput_bps"] * flow["active_s"]) for flow in run["flows"]
    ) / float(run["measured_s"])


def _ack_delay_ms(run: Run) -> float:
    ways = [one["up"] for one in run["subscribers"] if one["up"]["delay_s"]]
    total = sum(float(way["packets"] * way["delay_s"]["mean"]) for way in ways)
    return 1e3 * total / sum(float(way["packets"]) for way in ways)


@dataclass(frozen=True)
class Quantity:
    """A column of the table: how it is measured, over the whole run or from 5 s on; its bound."""

    metric: str
    measure: Callable[[Run], float]
    warmup: str
    bound: float


QUANTITIES = (
    Quantity("goodput_bps", _goodput, "5 s", 0.05),
    Quantity("ack_delay_ms", _ack_delay_ms, "0 s", 0.1),
)


@dataclass(frozen=True)
class _Download:
    rows: Metrics
    what: Quantity

    def case(self) -> Case:
        row = self.rows[self.what.metric]
        stations = row.whole("n", 1)
        sent = SENT if stations > 1 else ""
        links = "".join(LINK.format(i=i + 1, start_ms=100 * i) for i in range(stations))
        text = (
            f'duration = "20 s"\nwarmup = "{self.what.warmup}"\n{cell(row, stations)}{sent}{_channel(row)}'
            f"{links}{TCP.format(mss=row['mss'])}"
        )
        losses = row["loss"] if row["loss"] else f"bad for {row['ge_bad_s']} s"
        return Case(
            f"TCP: {self.what.metric}, {row['preset']}, {stations} stations",
            f"{_name(row)}, loss {losses}",
            text,
            self.what.measure,
            row.reference(),
            self.what.bound,
            "the same cell; TCP's details and the start are each side's own",
            reference_ci95=row.ci95(),
            # Under NIST's rules batches of acknowledgements are lost, and single runs scatter by half.
            replications=20 if sent and row.among("preset", PRESETS) == "nist" else 3,
        )


def _tcp(rows: Metrics) -> list[Case]:
    return [_Download(rows, what).case() for what in QUANTITIES]
