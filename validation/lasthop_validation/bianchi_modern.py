"""Saturated stations of 802.11n, ac and ax without aggregation, in every mode, against Bianchi's model.

Two sets of numbers: the model worked out here with the standard's durations, from one station on, and ns-3's table
for 802.11ax. Stations have AIFSN 3 and count an idle slot at its end, so that the slot after DIFS of Bianchi's
chain is the third of the AIFS. The table takes EIFS with the ACK of the data's rate, the standard with that of the
lowest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from lasthop_validation import oracles, theory
from lasthop_validation.dcf_monte_carlo import US, Rules
from lasthop_validation.judging import Case
from lasthop_validation.saturated import MODERN, bits, category

PAYLOAD = 1472
"""UDP payload of a packet of 1500 B."""
PSDU = 1500 + 8 + 26 + 4
"""With LLC, a QoS header and FCS. No delimiter: there is no agreement to aggregate."""
SIFS, DIFS, SLOT = 16 * US, 34 * US, 9 * US
STATIONS = (1, 2, 5, 20, 50)
BYSTANDERS = ("eifs", "difs")
BOUND = 0.03
REASON = "the model takes slots as aligned and collisions as independent"

CODED = (
    (1, 1 / 2), (2, 1 / 2), (2, 3 / 4), (4, 1 / 2), (4, 3 / 4), (6, 2 / 3),
    (6, 3 / 4), (6, 5 / 6), (8, 3 / 4), (8, 5 / 6), (10, 3 / 4), (10, 5 / 6),
)  # fmt: skip
"""Bits of a subcarrier and rate of the code, by MCS (802.11-2020, 19.5, 21.5; 802.11ax-2021, 27.5)."""


SHORT = {20: 60, 40: 120, 80: 240, 160: 492}
"""N_SD,short: data subcarriers of a quarter of a symbol, by MHz (802.11ax-2021, table 27-33)."""


def _ldpc_symbols(bits: int, tones: int, short: int, coded: tuple[int, float]) -> int:
    """Return the symbols of service field and data with LDPC.

    See 802.11ax-2021, 27.3.12.5.2, and 802.11-2020, 19.3.11.7.5. For more than 2592 available bits: then
    all code words have 1944.
    """
    each, rate = coded
    of_symbol, of_quarter = (math.floor(n * each * rate + 1e-9) for n in (tones, short))
    symbols = math.ceil(bits / of_symbol)
    excess = bits - (symbols - 1) * of_symbol
    quarters = min(math.ceil(excess / of_quarter), 4)
    full = quarters == 4
    data = (symbols - 1) * of_symbol + (of_symbol if full else quarters * of_quarter)
    room = ((symbols - 1) * tones + (tones if full else quarters * short)) * each
    assert room > 2592
    words = math.ceil(data / (1944 * rate) - 1e-9)
    shortened = round(words * 1944 * rate) - data
    punctured = max(words * 1944 - room - shortened, 0)
    checks = round(words * 1944 * (1 - rate))
    adds = punctured > 0.3 * checks or (
        punctured > 0.1 * checks and shortened < 1.2 * punctured * rate / (1 - rate)
    )
    return symbols + (full and adds)


@dataclass(frozen=True)
class Generation:
    """What decides how long a frame of one stream lasts with a guard interval of 0.8 us.

    `subcarriers` carry data, by MHz; `preamble` and `symbol` are in ns. `missing` are MCSs that a
    width does not have. `adds`: LDPC adds a symbol where it would puncture too much.
    """

    standard: str
    subcarriers: dict[int, int]
    preamble: int
    symbol: int
    modes: int
    missing: tuple[tuple[int, int], ...] = ()
    adds: bool = True

    def bits_a_symbol(self, mcs: int, width: int) -> int:
        """Return NDBPS."""
        each, rate = CODED[mcs]
        return math.floor(self.subcarriers[width] * each * rate + 1e-9)

    def frame(self, mcs: int, width: int) -> int:
        """Return the duration of the data frame, ns; 802.11ax has LDPC above 20 MHz and from MCS 10 on."""
        bits = 16 + 8 * PSDU
        if self.standard == "802.11ax" and (width > 20 or mcs >= 10):
            added = _ldpc_symbols(bits, self.subcarriers[width], SHORT[width], CODED[mcs])
            symbols = added if self.adds else math.ceil(bits / self.bits_a_symbol(mcs, width))
        else:
            symbols = math.ceil((bits + 6) / self.bits_a_symbol(mcs, width))
        return self.preamble + self.symbol * symbols

    def answer(self, mcs: int) -> int:
        """Return the duration of the ACK, ns.

        It has the fastest of 6, 12 and 24 Mbit/s whose modulation the data reach (802.11-2020, 10.6.6.5.2).
        """
        each, _ = CODED[mcs]
        mbps = 24 if each >= 4 else 12 if each >= 2 else 6
        return legacy(mbps)


def legacy(mbps: int, size: int = 14) -> int:
    """Return the duration of a control frame of that many bytes, by default an ACK, ns."""
    return 20 * US + 4 * US * math.ceil((16 + 8 * size + 6) / (4 * mbps))


GENERATIONS = (
    Generation("802.11n", {20: 52, 40: 108}, 36 * US, 4 * US, 8),
    Generation(
        "802.11ac", {20: 52, 40: 108, 80: 234, 160: 468}, 40 * US, 4 * US, 10, missing=((20, 9),)
    ),
    Generation("802.11ax", {20: 234, 40: 468, 80: 980, 160: 1960}, 43_200, 13_600, 12),
)

UP = """
[[flow]]
name = "up"
from = "sta*"
to = "ap"
transport = "udp"
app = { kind = "saturated", payload = "1472 B" }
"""


def _packets_mbps(run: Any) -> float:
    return bits(run) / PAYLOAD * 1500 / 1e6


def _case(
    group: str,
    of: Generation,
    mode: tuple[int, int],
    stations: int,
    bystanders: str,
    expected: float,
) -> Case:
    mcs, width = mode
    cell = MODERN.format(
        duration=8,
        warmup=2,
        stations=stations,
        standard=of.standard,
        mcs=mcs,
        width=width,
        phy="",
        bystanders=bystanders,
        attempts='"none"',
        categories=category("best_effort", 3, (15, 1023)),
    )
    text = cell + UP
    name = f"{of.standard} MCS {mcs}, {width} MHz, {stations} stations, {bystanders}"
    return Case(group, name, text, _packets_mbps, expected, BOUND, REASON, replications=5)


def model_mbps(of: Generation, mode: tuple[int, int], stations: int, bystanders: str) -> float:
    """Return the model's throughput of packets of 1500 B, Mbit/s."""
    data, ack = of.frame(*mode), of.answer(mode[0])
    exchange = data + SIFS + ack
    rules = Rules(
        first=data, success=exchange, timeout=0, slot=SLOT, difs=DIFS, eifs=SIFS + DIFS + legacy(6),
        cw_min=15, attempts=None, bystanders=bystanders,
    )  # fmt: skip
    return theory.bianchi(rules, stations, data, ack, SIFS, again=False) * 12_000 / 1e6


def closed_form(quick: bool) -> Iterator[Case]:
    """Give a case for each mode of one stream, number of stations and rule; quick: a sample."""
    modes = (
        (of, (mcs, width), stations, bystanders)
        for of in GENERATIONS
        for width in of.subcarriers
        for mcs in range(of.modes)
        if (width, mcs) not in of.missing
        for stations in STATIONS
        for bystanders in BYSTANDERS
    )
    for place, key in enumerate(modes):
        if not quick or place % 53 == 0:
            yield _case(f"Bianchi's model, {key[0].standard}", *key, model_mbps(*key))


def table(quick: bool) -> Iterator[Case]:
    """Give a case for every third row of ns-3's table, so that each mode has three or four; quick: fewer."""
    document = oracles.document("vectors/bianchi_ns3_tables.json")
    if document is None:
        return
    rows = [row for row in document["cases"] if row["in"]["mode"].startswith("HeMcs")]
    for row in rows[:: 61 if quick else 3]:
        mcs, _, width = row["in"]["mode"].removeprefix("HeMcs").partition("_")
        mode = (int(mcs), int(width.removesuffix("MHz")))
        expected = float(row["expect"]["saturation_throughput_mbps"])
        where = (mode, int(row["in"]["stations"]), str(row["in"]["after_collision_wait"]))
        # ns-3 has no symbol that LDPC adds where it would puncture too much.
        of = GENERATIONS[-1]
        corrected = expected * model_mbps(of, *where) / model_mbps(replace(of, adds=False), *where)
        yield _case("ns-3's table of Bianchi's model, 802.11ax", of, *where, corrected)
