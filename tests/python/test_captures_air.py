"""Captures of 802.11: exchanges, signals, management frames and retries are what Wireshark makes of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import tshark
from capturing import AGAIN, WIRED, WIRELESS, captured, flow, nothing_is_wrong
from commands import ROOT
from lasthop import run
from lasthop.data.pcapng import DATA, IN, OUT, frames, received


def test_wireless_stations_count_as_wireshark_does(tmp_path: Path) -> None:
    # A tenth of the frames of 1500 B fail: of some 2000 attempts in 5 s ten times as many as are asked for below.
    document = captured(WIRELESS, tmp_path, duration="2 s")
    nothing_is_wrong(tmp_path)
    macs = {"ap": "02:00:00:00:00:01", "sta1": "02:00:00:00:00:02", "sta2": "02:00:00:00:00:03"}
    data = "wlan.fc.type_subtype == 0x20"
    seen = Counter(
        (by, again in ("1", "True"))
        for by, again in tshark.fields(
            tmp_path / "air-cell.pcapng", data, "wlan.ta", "wlan.fc.retry"
        )
    )
    for station in document["stations"]:
        mac = macs[station["name"]]
        assert station["retries"] > 20
        assert seen[mac, False] + seen[mac, True] == station["attempts"]
        assert seen[mac, True] == station["retries"]
        own = tmp_path / f"{station['name']}-wlan0.pcapng"
        out = f"{data} && wlan.ta == {mac} && frame.packet_flags_direction == 2"
        assert tshark.count(own, out) == station["attempts"]


@pytest.mark.parametrize(
    ("name", "file", "sender"),
    [("up", "sta1-wlan0", "10.0.0.3"), ("down", "server-eth0", "10.0.0.1")],
)
def test_tcp_over_the_air_counts_as_wireshark_does(
    tmp_path: Path, name: str, file: str, sender: str
) -> None:
    ours = flow(captured(WIRELESS, tmp_path), name)
    path = tmp_path / f"{file}.pcapng"
    assert ours["retransmits"] > 10
    assert (
        tshark.count(path, f"ip.src == {sender} && tcp.len > 0 && {AGAIN}") == ours["retransmits"]
    )
    duplicates = tshark.count(path, f"ip.dst == {sender} && tcp.analysis.duplicate_ack")
    assert duplicates == ours["dup_acks"]


def test_exchanges_behind_an_rts_are_whole(tmp_path: Path) -> None:
    document = captured(WIRELESS, tmp_path, duration="2 s", **{"mac.rts": "always"})
    nothing_is_wrong(tmp_path)
    air = tmp_path / "air-cell.pcapng"
    rts = tshark.fields(air, "wlan.fc.type_subtype == 0x1b", "frame.time_epoch", "wlan.duration")
    assert len(rts) == sum(station["attempts"] for station in document["stations"])
    # The NAV of an RTS covers its exchange: the ACK that ends it is over at that microsecond.
    at, duration = float(rts[0][0]), float(rts[0][1])
    first = tshark.fields(air, "wlan.fc.type_subtype == 0x1d", "frame.time_epoch")[0][0]
    rts_s, ack_s = 192e-6 + 160 / 2e6, 192e-6 + 112 / 11e6
    assert float(first) + ack_s <= at + rts_s + duration * 1e-6 + 1e-6
    assert float(first) + ack_s == pytest.approx(at + rts_s + duration * 1e-6, abs=150e-6)


def test_places_give_a_signal_and_a_channel(tmp_path: Path) -> None:
    scenario = ROOT / "scenarios" / "hidden_stations.toml"
    document = captured(scenario, tmp_path, duration="3 s", warmup="0 s")
    nothing_is_wrong(tmp_path)
    heard = tshark.fields(
        tmp_path / "ap-wlan0.pcapng",
        "frame.packet_flags_direction == 1",
        "radiotap.dbm_antsignal", "radiotap.channel.freq", "radiotap.datarate", "radiotap.mactime",
        "frame.time_epoch",
    )  # fmt: skip
    assert len(heard) > 50
    # Two-ray ground at 140 m, 0.28 W, 1.5 m masts: 0.2818 x 1.5^4 / 140^4 = 3.7e-9 W.
    assert {row[0] for row in heard} == {"-54"}
    assert {(row[1], row[2]) for row in heard} == {("2412", "2")}
    # TSFT is when the MPDU began, the time of the packet when it ended.
    assert all(float(row[3]) * 1e-6 < float(row[4]) for row in heard)
    hidden = sum(station["hidden"] for station in document["stations"])
    undecoded = tshark.count(tmp_path / "ap-wlan0.pcapng", "radiotap.flags.badfcs == 1")
    assert 0 < undecoded <= 2 * hidden


def test_conventions_of_ns2_can_be_captured_too(tmp_path: Path) -> None:
    changes = {"tcp.handshake": False}
    one = flow(captured(f'conventions = "ns2"\n{WIRED}', tmp_path, **changes), "one")
    nothing_is_wrong(tmp_path)
    file = tmp_path / "source-eth0.pcapng"
    assert tshark.count(file, "tcp.flags.syn == 1") == 0
    assert tshark.count(file, f"ip.src == 10.0.0.1 && {AGAIN}") == one["retransmits"] > 0


#: Beacons, and what stations and access points say to each other: types and subtypes as Wireshark numbers them.
MANAGEMENT = {"0x0000", "0x0001", "0x0002", "0x0003", "0x0004", "0x0005", "0x0008", "0x000b"}


@pytest.mark.parametrize(
    ("scan", "standard", "channels"),
    [
        ("active", "802.11b", (1, 14)),
        ("passive", "802.11a", (36, 44)),
        ("active", "802.11bg", (1, 6)),
    ],
)
def test_wireshark_reads_management_frames_as_the_model_has_them(
    tmp_path: Path, scan: str, standard: str, channels: tuple[int, int]
) -> None:
    tshark.require_tshark()
    changes = {
        "association.scan": scan,
        "association.ssid_bytes": 12,
        "phy.standard": standard,
        "cell.0.channel_number": channels[0],
        "cell.1.channel_number": channels[1],
        "node.3.velocity": [8, 0],
        "duration": "6 s",
    }
    scenario = ROOT / "scenarios" / "roaming.toml"
    ran = run(scenario, overrides=changes, pcap=tmp_path, pcap_only="walker-*")
    nothing_is_wrong(tmp_path)
    rows = tshark.fields(
        tmp_path / "walker-wlan0.pcapng",
        "wlan.fc.type == 0",
        "wlan.fc.type_subtype", "wlan.ssid", "radiotap.channel.freq", "frame.time_epoch",
        "wlan.fixed.aid", "wlan.fixed.status_code",
    )  # fmt: skip
    asked = {"0x0004", "0x0005"}
    assert {row[0] for row in rows} == (MANAGEMENT - asked if scan == "passive" else MANAGEMENT)
    assert {row[1] for row in rows if row[1]} == {b"lasthoplasth".hex()}
    assert len({row[2] for row in rows}) == 2
    moved = next(each for each in ran.documents[0]["handoffs"] if each["from"] == "west")
    at, *said = next(row[3:] for row in rows if row[0] == "0x0003")
    assert float(at) == pytest.approx(moved["at_s"], abs=2e-9)
    assert [int(number, 16) for number in said] == [2, 0]


def test_beacons_tell_the_time_and_the_channel(tmp_path: Path) -> None:
    captured(ROOT / "scenarios" / "roaming.toml", tmp_path, duration="2 s")
    rows = tshark.fields(
        tmp_path / "air-first.pcapng",
        "wlan.fc.type_subtype == 8",
        "frame.time_epoch", "wlan.fixed.timestamp", "wlan.fixed.beacon", "wlan.ds.current_channel",
        "radiotap.channel.freq", "frame.len", "radiotap.length",
    )  # fmt: skip
    assert len(rows) == pytest.approx(2 * 2 / 0.1024, abs=3)
    for at, stamp, interval, channel, frequency, length, tap in rows:
        # PLCP and 24 bytes of MAC header go before the time stamp, at 1 Mbit/s.
        assert int(stamp) == pytest.approx(float(at) * 1e6 + 192 + 192, abs=1.5)
        assert (interval, int(frequency)) == ("100", 2407 + 5 * int(channel))
        assert int(length) - int(tap) == 64
    assert {row[3] for row in rows} == {"1", "6"}


def test_a_frame_that_is_sent_again_after_a_lost_acknowledgement_is_received_once(
    tmp_path: Path,
) -> None:
    changes = {"duration": "3 s", "channel.ber": 3e-4, "mac.retry_limit": 20, "tcp.mss": "100 B"}
    document = run(WIRELESS, overrides=changes, pcap=tmp_path).documents[0]
    file = tmp_path / "sta2-wlan0.pcapng"
    heard, got = frames(file), received(file)
    ours = heard.transmitter[heard.way == OUT][0]
    copies = heard.where((heard.kind == DATA) & (heard.way == IN) & (heard.receiver == ours))
    assert len(got) == flow(document, "down")["packets_delivered"] < len(copies) - 10


def test_a_rate_outside_the_standard_can_be_captured(tmp_path: Path) -> None:
    changes = {"phy.standard": "802.11g", "phy.rate": "20 Mbps", "phy.any_rate": True}
    document = captured(WIRELESS, tmp_path, duration="500 ms", **changes)
    nothing_is_wrong(tmp_path)
    sent = tshark.fields(tmp_path / "air-cell.pcapng", "wlan.fc.type == 2", "radiotap.datarate")
    assert {row[0] for row in sent} == {"20"}
    assert len(sent) == sum(station["attempts"] for station in document["stations"])
