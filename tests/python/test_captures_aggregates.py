"""Captures of cells with aggregates: Wireshark reads each MPDU, and sees PPDUs, rates and losses of the run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tshark
from capturing import nothing_is_wrong
from lasthop import run

#: An access point sends downloads and a call, and a station uploads, over a channel that hits some MPDUs.
CELL = """
duration = "100 ms"
queue = { discipline = "fq_codel" }

[phy]
standard = "802.11ax"

[channel]
model = "bit_errors"
ber = 2e-6

[[link]]
ends = ["server", "ap"]
rate = "1 Gbps"
delay = "2 ms"

[[cell]]
access_point = "ap"
stations = 3

[[flow]]
name = "down"
from = "server"
to = "sta*"

[[flow]]
name = "up"
from = "sta1"
to = "server"

[[flow]]
name = "call"
from = "server"
to = "sta2"
dscp = 46
app = { kind = "cbr", rate = "200 kbps" }
"""

#: Types and subtypes as Wireshark numbers them, by the kinds of the probe `air`.
KINDS = {
    "0x000d": "management",
    "0x001b": "rts",
    "0x001c": "cts",
    "0x001d": "ack",
    "0x0018": "block_ack_request",
    "0x0019": "block_ack",
    "0x001e": "cf_end",
    "0x0020": "data",
    "0x0028": "data",
}
FIELDS = (
    "frame.time_epoch", "wlan.fc.type_subtype", "radiotap.ampdu.reference", "radiotap.ampdu.flags.last",
    "wlan.seq", "wlan.fc.retry", "wlan_radio.data_rate", "wlan_radio.duration", "wlan_radio.aggregate.duration",
    "radiotap.flags.badfcs", "wlan.ba.bm", "wlan.fixed.ssc.sequence", "wlan.ta", "wlan.ra", "frame.len",
    "radiotap.length", "wlan.qos.tid", "wlan_radio.a_mpdu_aggregate_id", "frame.packet_flags_direction",
)  # fmt: skip
TIMES_ARE_STARTS = {"wlan_radio.tsf_at_end": "FALSE"}

Packet = dict[str, str]
TRUE = ("1", "True")


#: Where an aggregate looks different: on the air, at its sender, at its receiver and behind the access point.
SOME = ("air-*", "ap-wlan0", "sta2-*", "server-*")


def captured(into: Path, **changes: object) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    tshark.require_tshark()
    every = {"warmup": "0 s", **changes}
    ran = run(CELL, overrides=every, pcap=into, pcap_only=SOME, probes=["air"])
    return ran.documents[0], ran.air.to_pylist()


def packets(file: Path, shown: str = "frame") -> list[Packet]:
    rows = tshark.fields(file, shown, *FIELDS, **TIMES_ARE_STARTS)
    return [dict(zip(FIELDS, row, strict=True)) for row in rows]


def ppdus(seen: list[Packet]) -> Iterator[list[Packet]]:
    """Give what went at once: the MPDUs of an A-MPDU by their number, every other frame alone."""
    together: dict[str, list[Packet]] = defaultdict(list)
    for at, packet in enumerate(seen):
        together[packet["radiotap.ampdu.reference"] or f"alone {at}"].append(packet)
    yield from together.values()


STANDARDS = [
    {"phy.standard": "802.11n"},
    {"phy.standard": "802.11n", "phy.width": "20 MHz", "phy.streams": 1, "phy.band": "2.4 GHz"},
    {"phy.standard": "802.11ac"},
    {"phy.standard": "802.11ac", "phy.width": "160 MHz", "phy.guard_interval": "400 ns", "phy.streams": 4},
    {"phy.standard": "802.11ax"},
    {"phy.standard": "802.11ax", "phy.width": "20 MHz", "phy.guard_interval": "3.2 us", "phy.mcs": 5},
    {"phy.standard": "802.11ax", "mac.rts": "always", "channel.ber": 1e-5},
    {"phy.standard": "802.11ac", "qos.agreements": "frames"},
]  # fmt: skip


@pytest.mark.parametrize("changes", STANDARDS, ids=range(len(STANDARDS)))
def test_wireshark_sees_the_ppdus_of_the_run(tmp_path: Path, changes: dict[str, Any]) -> None:
    _, rows = captured(tmp_path, **changes, duration="100 ms")
    nothing_is_wrong(tmp_path)
    seen = list(ppdus(packets(tmp_path / "air-cell.pcapng")))
    assert len(rows) > 200
    # The probe has the frames of the last exchange that go on the air after the end too.
    assert 0 <= len(rows) - len(seen) < 5
    assert {row["kind"] for row in rows} > {"data", "ack", "block_ack", "cf_end"}
    sizes = []
    for mpdus, row in zip(seen, rows, strict=False):
        first = mpdus[0]
        assert float(first["frame.time_epoch"]) == pytest.approx(row["time_s"], abs=2e-9)
        assert {KINDS[each["wlan.fc.type_subtype"]] for each in mpdus} == {row["kind"]}
        assert len(mpdus) == (row["mpdus"] or 1)
        # Wireshark's tables of HE have one decimal.
        for each in mpdus:
            said = float(each["wlan_radio.data_rate"])
            assert said == pytest.approx(row["rate_bps"] / 1e6, abs=0.06)
        if first["radiotap.ampdu.reference"]:
            last = [each["radiotap.ampdu.flags.last"] in TRUE for each in mpdus]
            assert last == [False] * (len(mpdus) - 1) + [True]
            assert len({each["wlan_radio.a_mpdu_aggregate_id"] for each in mpdus}) == 1
            sizes.append(len(mpdus))
    assert max(sizes) > 10


#: What an action frame says of a block-ack agreement.
SAID = (
    "wlan.ta", "wlan.ra", "wlan.fixed.action_code", "wlan.fixed.dialog_token", "wlan.fixed.baparams.tid",
    "wlan.fixed.baparams.buffersize", "wlan.fixed.status_code", "frame.time_epoch",
)  # fmt: skip


def test_wireshark_reads_how_agreements_come_about(tmp_path: Path) -> None:
    """Each request has a response of its number, and no aggregate goes before that."""
    captured(tmp_path, **{"qos.agreements": "frames", "channel.ber": 0.0})
    air = tmp_path / "air-cell.pcapng"
    shown = "wlan.fc.type_subtype == 0x000d and wlan.fc.retry == 0"
    said = [dict(zip(SAID, row, strict=True)) for row in tshark.fields(air, shown, *SAID)]
    requests = {
        (each["wlan.ta"], each["wlan.ra"], int(each["wlan.fixed.baparams.tid"], 0)): each
        for each in said
        if each["wlan.fixed.action_code"] == "0x00"
    }
    responses = {
        (each["wlan.ra"], each["wlan.ta"], int(each["wlan.fixed.baparams.tid"], 0)): each
        for each in said
        if each["wlan.fixed.action_code"] == "0x01"
    }
    # Three downloads and their acknowledgements.
    assert len(said) == 2 * len(requests)
    assert len(requests) == 6
    assert requests.keys() == responses.keys()
    for way, request in requests.items():
        for field in ("wlan.fixed.dialog_token", "wlan.fixed.baparams.buffersize"):
            assert request[field] == responses[way][field]
        assert request["wlan.fixed.baparams.buffersize"] == "256"
        assert responses[way]["wlan.fixed.status_code"] == "0x0000"
    aggregates = [packet for packet in packets(air) if packet["radiotap.ampdu.reference"]]
    first: dict[tuple[str, str, int], float] = {}
    for mpdus in ppdus(aggregates):
        packet = mpdus[0]
        way = (packet["wlan.ta"], packet["wlan.ra"], int(packet["wlan.qos.tid"], 0))
        if len(mpdus) > 1:
            first.setdefault(way, float(packet["frame.time_epoch"]))
    assert len(first) > 2
    for way, time_s in first.items():
        assert float(responses[way]["frame.time_epoch"]) < time_s


#: A call and acknowledgements that come and go, so that agreements run out.
SPARSE = """
duration = "2 s"
[phy]
standard = "802.11ac"
[qos]
agreements = "frames"
block_ack_timeout = "51.2 ms"
[[cell]]
access_point = "ap"
stations = 2
[[node]]
name = "sta2"
accepts_agreements = false
[[flow]]
from = "ap"
to = "sta*"
app = { kind = "periodic", payload = "900 B", interval = "150 ms" }
[[flow]]
from = "sta1"
to = "ap"
app = { kind = "periodic", payload = "900 B", interval = "30 ms" }
"""


def test_wireshark_reads_how_agreements_are_refused_and_end(tmp_path: Path) -> None:
    """One direction of a station times out after each packet, the other never; the other station declines."""
    ran = run(SPARSE, overrides={"warmup": "0 s"}, pcap=tmp_path, probes=["air"])
    nothing_is_wrong(tmp_path)
    air = tmp_path / "air-cell.pcapng"
    ap, near, far = (f"02:00:00:00:00:0{number}" for number in (0, 1, 2))
    shown = "wlan.fc.type_subtype == 0x000d and wlan.fc.retry == 0 and wlan.fixed.action_code == "
    way = ("frame.time_epoch", "wlan.ta", "wlan.ra")

    def said(action: int, *fields: str) -> list[list[str]]:
        return tshark.fields(air, shown + str(action), *way, *fields)

    requests = said(0, "wlan.fixed.batimeout")
    assert {each[3] for each in requests} == {"0x0032"}
    asked = Counter((sender, receiver) for _, sender, receiver, _ in requests)
    # Four in a row and no more in 15 s.
    assert asked.pop((ap, far)) == 4
    assert asked.pop((near, ap)) == 1
    assert (both := asked.pop((ap, near))) > 10
    assert not asked
    statuses = Counter((each[1], each[3]) for each in said(1, "wlan.fixed.status_code"))
    assert statuses == {(far, "0x0025"): 4, (near, "0x0000"): both, (ap, "0x0000"): 1}
    ends = said(2, "wlan.fixed.delba.param.initiator", "wlan.fixed.reason_code", "frame.len")
    assert {each[4] for each in ends} == {"0x0027"}
    sides = Counter((each[1], each[2], each[3] in TRUE) for each in ends)
    assert set(sides) == {(ap, near, True), (near, ap, False)}
    assert both - 1 <= min(sides.values()) <= max(sides.values()) <= both
    kinds = Counter(row["kind"] for row in ran.air.to_pylist() if not row["retry"])
    assert kinds["management"] == len(requests) + sum(statuses.values()) + len(ends)


@pytest.mark.parametrize(
    ("changes", "within_us"),
    [
        # But for the first delimiter, which Wireshark leaves out, all is as in the standard. Of 40 MHz it
        # counts twice the bits of 20 MHz in a symbol (802.11-2020, 19.5: 108 data subcarriers, not 104).
        ({"phy.standard": "802.11n", "phy.width": "20 MHz"}, 4),
        # Wireshark counts no VHT-SIG-B (4 us), no tail and no whole symbols of 4 us.
        ({"phy.standard": "802.11ac"}, 9),
    ],
)
def test_wireshark_works_out_the_durations_of_the_run(
    tmp_path: Path, changes: dict[str, Any], within_us: float
) -> None:
    _, rows = captured(tmp_path, **changes)
    several = 0
    for mpdus, row in zip(ppdus(packets(tmp_path / "air-cell.pcapng")), rows, strict=False):
        if row["fate"] == "overlapped":
            continue  # Wireshark takes two A-MPDUs that begin at once for one
        last = mpdus[-1]
        said = float(last["wlan_radio.aggregate.duration"] or last["wlan_radio.duration"])
        allowed = within_us if row["kind"] == "data" else 0
        # Both are whole multiples of 0.1 us; their difference in floating point is not.
        apart = round(row["airtime_s"] * 1e6 - said, 6)
        assert 0 <= apart <= allowed + 1e-3, row
        several += bool(last["wlan_radio.aggregate.duration"])
    assert several > 50


@pytest.mark.parametrize("standard", ["802.11n", "802.11ax"])
def test_block_acknowledgements_tell_what_has_come(tmp_path: Path, standard: str) -> None:
    captured(tmp_path, **{"phy.standard": standard})
    air = packets(
        tmp_path / "air-cell.pcapng", "wlan.ra == 02:00:00:00:00:03 || wlan.ta == 02:00:00:00:00:03"
    )
    # The station's own reception of each MPDU: a lost one has no sequence number there.
    heard = defaultdict(list)
    for each in packets(tmp_path / "sta2-wlan0.pcapng", "frame.packet_flags_direction == 1"):
        heard[each["radiotap.ampdu.reference"]].append(each["radiotap.flags.badfcs"] in TRUE)
    asked: list[tuple[int, bool]] = []
    lost = told = 0
    for mpdus in ppdus(air):
        kind = KINDS[mpdus[0]["wlan.fc.type_subtype"]]
        if kind == "data" and mpdus[0]["wlan.ra"] == "02:00:00:00:00:03":
            bad = heard[mpdus[0]["radiotap.ampdu.reference"]]
            asked = list(zip((int(each["wlan.seq"]) for each in mpdus), bad, strict=False))
        elif kind == "block_ack" and mpdus[0]["wlan.ta"] == "02:00:00:00:00:03":
            bits = int.from_bytes(bytes.fromhex(mpdus[0]["wlan.ba.bm"].replace(":", "")), "little")
            start = int(mpdus[0]["wlan.fixed.ssc.sequence"])
            assert len(mpdus[0]["wlan.ba.bm"].replace(":", "")) == (
                64 if standard == "802.11ax" else 16
            )
            for sequence, is_lost in asked:
                assert bits >> (sequence - start) % 4096 & 1 == (not is_lost)
                lost += is_lost
                told += 1
            asked = []
        else:
            asked = []  # an exchange of another category, or one without an answer
    assert told > 100
    assert lost > 3


def test_retries_and_deliveries_are_those_that_the_run_counts(tmp_path: Path) -> None:
    document, rows = captured(tmp_path, **{"channel.ber": 5e-6, "duration": "300 ms"})
    air = packets(tmp_path / "air-cell.pcapng", "wlan.fc.type == 2")
    again = Counter(each["wlan.qos.tid"] for each in air if each["wlan.fc.retry"] in TRUE)
    counted: Counter[str] = Counter()
    for access in document["access"]:
        tid = {"background": "1", "best_effort": "0", "video": "5", "voice": "6"}[
            access["category"]
        ]
        counted[tid] += access["mpdu_retries"]
    # The run ends within an exchange, which it has not counted yet.
    last = rows[-1]["time_s"] - 6e-3
    late = sum(float(each["frame.time_epoch"]) > last for each in air)
    assert counted["0"] > 100
    for tid, count in again.items():
        assert 0 <= count - counted[tid] <= late
    lost = sum(row["mpdus_lost"] or 0 for row in rows)
    assert lost > 100
    # Every packet of a flow comes out of its station's own file, once.
    flow = next(each for each in document["flows"] if each["name"] == "down-2")
    port = 49152 + document["flows"].index(flow)
    mine = (
        f"frame.packet_flags_direction == 1 && radiotap.flags.badfcs == 0 && tcp.srcport == {port}"
    )
    # Wireshark takes a frame with the same number, for another station, for one that is sent again, and may leave
    # it undissected.
    whole = {"wlan.retransmitted": "TRUE"}
    shown = ("wlan.seq", "tcp.seq_raw", "ip.id")
    came = tshark.fields(tmp_path / "sta2-wlan0.pcapng", mine, *shown, **whole)
    sequences = set(map(tuple, came))
    assert len(sequences) == pytest.approx(flow["packets_delivered"], abs=64)
    assert len(sequences) >= flow["packets_delivered"] > 100


def test_an_a_msdu_has_its_subframes(tmp_path: Path) -> None:
    captured(tmp_path, **{"qos": {"best_effort": {"amsdu": "8 kB"}}, "channel.ber": 0})
    nothing_is_wrong(tmp_path)
    # tshark does not read the content of a retry again (`wlan.retransmitted`).
    shown = "wlan.qos.amsdupresent == 1 && wlan.fc.retry == 0"
    rows = tshark.fields(tmp_path / "air-cell.pcapng", shown, "wlan_aggregate.a_mdsu.length")
    lengths = [row[0].split(",") for row in rows]
    assert {"1508", "48"} <= {length for each in lengths for length in each}
    # With 14 bytes before each subframe and padding, five of 1508 bytes fit in 8000.
    assert max(len(each) for each in lengths if set(each) == {"1508"}) == 5


def test_stations_without_qos_send_and_get_plain_data(tmp_path: Path) -> None:
    captured(tmp_path, node=[{"name": "sta3", "qos": False}])
    nothing_is_wrong(tmp_path)
    air = packets(tmp_path / "air-cell.pcapng", "wlan.fc.type == 2")
    plain = [each for each in air if each["wlan.fc.type_subtype"] == "0x0020"]
    assert {tuple(sorted((each["wlan.ta"], each["wlan.ra"]))) for each in plain} == {
        ("02:00:00:00:00:01", "02:00:00:00:00:04")
    }
    assert not any(each["radiotap.ampdu.reference"] for each in plain)
    assert len(air) > len(plain) > 50


@pytest.mark.parametrize(
    "changes",
    [
        {"channel.ber": 2e-5},
        {"channel.ber": 2e-5, "mac.rts": "always", "phy.standard": "802.11n"},
        {"channel.ber": 2e-5, "channel.state_per": "receiver"},
    ],
    ids=["shared", "rts", "each"],
)
def test_fates_of_aggregates_are_what_stations_count(changes: dict[str, Any]) -> None:
    every = {"warmup": "0 s", "duration": "400 ms", **changes}
    ran = run(CELL, overrides=every, probes=["air"])
    fates = Counter((row["station"], row["fate"]) for row in ran.air.to_pylist())
    stations = ran.documents[0]["stations"]
    for station in stations:
        assert fates[station["name"], "overlapped"] == station["collisions"] > 0
        assert fates[station["name"], "unanswered"] == station["channel_errors"]
    assert sum(station["channel_errors"] for station in stations) > 5


def test_captures_of_aggregates_change_nothing(tmp_path: Path) -> None:
    bare = run(CELL, overrides={"warmup": "0 s"}).documents[0]
    for again in ("one", "two"):
        assert run(CELL, overrides={"warmup": "0 s"}, pcap=tmp_path / again).documents[0] == bare
    one, two = (
        {file.name: file.read_bytes() for file in (tmp_path / each).iterdir()}
        for each in ("one", "two")
    )
    assert one == two
    assert len(one) == 7
