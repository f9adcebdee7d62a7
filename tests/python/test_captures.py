"""Captures: Wireshark reads them, finds nothing wrong, and counts what we count."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import tshark
from commands import ROOT, lasthop
from lasthop import CaptureError, UsageError, run
from lasthop.pcapng import DATA, IN, OUT, frames, received

#: One TCP flow over a wired path with random loss; the sender's own link drops nothing.
WIRED = """
duration = "20 s"

[queue]
unlimited = true

[[link]]
ends = ["source", "router"]
rate = "100 Mbps"
delay = "1 ms"

[[link]]
ends = ["router", "sink"]
rate = "5 Mbps"
delay = "20 ms"
loss = 0.01

[tcp]
variant = "newreno"
window = "200 kB"

[[flow]]
name = "one"
from = "source"
to = "sink"
app = "bulk"
"""

#: A station sends over a channel with errors; its MAC gives up after two attempts, so TCP has something to do.
WIRELESS = """
duration = "20 s"

[queue]
unlimited = true

[[link]]
ends = ["server", "ap"]
rate = "100 Mbps"
delay = "5 ms"

[[cell]]
access_point = "ap"
stations = 2

[phy]
standard = "802.11b"
rate = "11 Mbps"

[mac]
rts = "never"
retry_limit = 2

[channel]
model = "bit_errors"
ber = 1e-5

[tcp]
variant = "newreno"
window = "60 kB"

[[flow]]
name = "up"
from = "sta1"
to = "server"
app = "bulk"

[[flow]]
name = "down"
from = "server"
to = "sta2"
app = "bulk"
"""

#: What Wireshark may call a segment that a sender sends again. A sender's own interface sees its segments in
#: the order in which they were sent, so what comes late there can only be a retransmission; Wireshark, which does
#: not know where it listens, calls it out-of-order within an initial round trip of the newest segment.
AGAIN = "(tcp.analysis.retransmission || tcp.analysis.out_of_order)"


def captured(scenario: str | Path, into: Path, **overrides: object) -> dict[str, Any]:
    """Run with captures; the result."""
    tshark.require_tshark()
    return run(scenario, overrides=overrides, pcap=into).documents[0]


def flow(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Give a flow's results."""
    return next(flow for flow in document["flows"] if flow["name"] == name)


def address(document: dict[str, Any], into: Path, name: str) -> str:
    """Give a node's address, as the file's own names have it."""
    found = tshark.fields(next(into.glob(f"{name}-*.pcapng")), "ip", "ip.src_host", "ip.src")
    return next(ip for host, ip in found if host == name)


def nothing_is_wrong(into: Path) -> None:
    """Assert that Wireshark finds every packet of every file in order."""
    files = sorted(into.glob("*.pcapng"))
    assert files
    for file in files:
        times, wrong = tshark.times(file)
        assert wrong == [], file.name
        assert times, file.name
        assert all(a <= b for a, b in pairwise(times)), file.name


def test_what_is_wrong_is_noticed(tmp_path: Path) -> None:
    captured(WIRED, tmp_path, duration="200 ms")
    file = tmp_path / "source-eth0.pcapng"
    content = bytearray(file.read_bytes())
    full = [at for at in range(len(content)) if content.startswith(b"\x45\x00\x05\xdc", at)]
    damage = {
        0: (8, 64),  # the time to live, which is in the checksum of IP
        1: (24, 255),  # the sequence number, which is in TCP's
        2: (32, 0xF0),  # the length of TCP's header: 60 bytes, and its options are none
    }
    for packet, (place, bits) in damage.items():
        content[full[packet] + place] ^= bits
    file.write_bytes(content)
    _, wrong = tshark.times(file)
    first = tshark.fields(file, "ip.len == 1500")[0][0]
    assert wrong == [str(int(first) + packet) for packet in damage]


@pytest.mark.parametrize("variant", ["newreno", "sack", "reno"])
def test_wireshark_counts_the_retransmissions_and_duplicates_that_we_count(
    tmp_path: Path, variant: str
) -> None:
    one = flow(captured(WIRED, tmp_path, **{"tcp.variant": variant}), "one")
    nothing_is_wrong(tmp_path)
    file = tmp_path / "source-eth0.pcapng"
    data, acks = "tcp.srcport == 49152 && ip.src == 10.0.0.1", "ip.dst == 10.0.0.1"
    assert one["retransmits"] > 20
    assert one["dup_acks"] > 100
    assert tshark.count(file, f"{data} && {AGAIN}") == one["retransmits"]
    assert tshark.count(file, f"{data}") == one["packets_sent"]
    duplicates = tshark.count(file, f"{acks} && tcp.analysis.duplicate_ack")
    if variant == "sack":
        # With SACK we count those that tell of something new (RFC 6675 section 2); Wireshark goes by the number.
        assert duplicates >= one["dup_acks"]
        duplicates = tshark.count(file, f"{acks} && tcp.analysis.duplicate_ack && tcp.options.sack")
    assert duplicates == one["dup_acks"]


def test_every_wired_packet_is_seen_at_both_ends_but_for_the_lost(tmp_path: Path) -> None:
    document = captured(WIRED, tmp_path)
    sent = tshark.fields(
        tmp_path / "router-eth1.pcapng", "ip.src == 10.0.0.1", "ip.id", "tcp.seq_raw"
    )
    came = tshark.fields(
        tmp_path / "sink-eth0.pcapng", "ip.src == 10.0.0.1", "ip.id", "tcp.seq_raw"
    )
    lost = flow(document, "one")["packets_lost"]["wire_loss"]
    assert lost > 20
    # A packet that is on its way at the end is in the first file only.
    assert 0 <= len(sent) - len(came) - lost <= 10
    assert {tuple(packet) for packet in came} <= {tuple(packet) for packet in sent}


def test_a_wired_packet_has_the_length_and_the_times_of_the_model(tmp_path: Path) -> None:
    captured(WIRED, tmp_path, duration="200 ms", **{"link.1.loss": 0})
    names = ("frame.time_epoch", "ip.len", "tcp.len", "tcp.flags.syn", "ip.ttl")
    sent = tshark.fields(tmp_path / "source-eth0.pcapng", "ip.src == 10.0.0.1", *names)
    came = tshark.fields(tmp_path / "router-eth0.pcapng", "ip.src == 10.0.0.1", *names)
    assert sent[0][3] == "1"
    full = next(row for row in sent if row[2] == "1460")
    assert full[1] == "1500"
    # 1500 B at 100 Mbit/s take 120 us, and 1 ms passes on the way; the SYN's 40 B in the model take 3.2 us.
    at = sent.index(full)
    assert float(came[at][0]) - float(full[0]) == pytest.approx(1.12e-3, abs=2e-9)
    assert float(came[0][0]) - float(sent[0][0]) == pytest.approx(1.0032e-3, abs=2e-9)
    onward = tshark.fields(tmp_path / "router-eth1.pcapng", "ip.src == 10.0.0.1", *names)
    assert (full[4], onward[at][4]) == ("64", "63")


def test_wireless_stations_count_as_wireshark_does(tmp_path: Path) -> None:
    # A tenth of the frames of 1500 B fail: of some 2000 attempts in 5 s ten times as many as are asked for below.
    document = captured(WIRELESS, tmp_path, duration="5 s")
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
    document = captured(WIRELESS, tmp_path, duration="5 s", **{"mac.rts": "always"})
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


def test_names_and_snap_length(tmp_path: Path) -> None:
    tshark.require_tshark()
    run(WIRED, overrides={"duration": "1 s"}, pcap=tmp_path, pcap_only="source-*", pcap_snap=96)
    assert [file.name for file in tmp_path.iterdir()] == ["source-eth0.pcapng"]
    rows = tshark.fields(
        tmp_path / "source-eth0.pcapng", "ip", "frame.cap_len", "frame.len", "ip.len"
    )
    assert {cap for cap, _, _ in rows} == {"48", "40", "96"}
    assert all(whole == ip for _, whole, ip in rows)


def test_a_run_with_captures_gives_the_same_results_and_the_same_bytes(tmp_path: Path) -> None:
    changes = {"duration": "3 s"}
    for name, scenario in (("wired", WIRED), ("wireless", WIRELESS)):
        bare = run(scenario, overrides=changes).documents
        for again in ("one", "two"):
            with_files = run(
                scenario, overrides=changes, pcap=tmp_path / name / again, probes=["cuts"]
            ).documents[0]
            assert {k: v for k, v in with_files.items() if k != "probes"} == bare[0]
        one, two = (
            {f.name: f.read_bytes() for f in (tmp_path / name / x).iterdir()}
            for x in ("one", "two")
        )
        assert one == two
        assert len(one) >= 4


def test_replications_have_a_directory_each(tmp_path: Path) -> None:
    run(WIRED, overrides={"duration": "1 s"}, replications=2, pcap=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["replication-0", "replication-1"]
    assert len(list((tmp_path / "replication-1").iterdir())) == 4


def test_what_cannot_be_captured_is_said_before_anything_runs(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    with pytest.raises(UsageError, match="File exists"):
        run(WIRED, pcap=taken)
    with pytest.raises(
        UsageError, match=r"no interface matches \"sorce-\*\"; there are: source-eth0, "
    ):
        run(WIRED, pcap=tmp_path / "a", pcap_only="sorce-*")
    with pytest.raises(UsageError, match="pcap_snap must be from 96 to 262144 bytes, not 10"):
        run(WIRED, pcap=tmp_path / "b", pcap_snap=10)
    done = lasthop("run", str(ROOT / "scenarios" / "dumbbell.toml"), "--pcap-only", "x")
    assert done.returncode == 2
    assert "--pcap-only says how to capture: give --pcap DIR as well" in done.stderr


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
    captured(ROOT / "scenarios" / "roaming.toml", tmp_path, duration="5 s")
    rows = tshark.fields(
        tmp_path / "air-first.pcapng",
        "wlan.fc.type_subtype == 8",
        "frame.time_epoch", "wlan.fixed.timestamp", "wlan.fixed.beacon", "wlan.ds.current_channel",
        "radiotap.channel.freq", "frame.len", "radiotap.length",
    )  # fmt: skip
    assert len(rows) == pytest.approx(2 * 5 / 0.1024, abs=3)
    for at, stamp, interval, channel, frequency, length, tap in rows:
        # PLCP and 24 bytes of MAC header go before the time stamp, at 1 Mbit/s.
        assert int(stamp) == pytest.approx(float(at) * 1e6 + 192 + 192, abs=1.5)
        assert (interval, int(frequency)) == ("100", 2407 + 5 * int(channel))
        assert int(length) - int(tap) == 64
    assert {row[3] for row in rows} == {"1", "6"}


def test_our_own_reader_and_wireshark_see_the_same(tmp_path: Path) -> None:
    captured(ROOT / "scenarios" / "roaming.toml", tmp_path, duration="3 s")
    file = tmp_path / "walker-wlan0.pcapng"
    ours = [
        (f.at, f.kind, f.frequency_mhz, f.transmitter.hex(":"), f.sequence, f.retry)
        for f in frames(file)
    ]
    names = ("frame.time_epoch", "wlan.fc.type_subtype", "radiotap.channel.freq", "wlan.ta",
             "wlan.seq", "wlan.fc.retry")  # fmt: skip
    shown = "wlan.fc.type != 1 && radiotap.flags.badfcs == 0"
    theirs = [
        (
            int(at.replace(".", "")), int(kind, 16), int(mhz), transmitter, int(number),
            retry in ("1", "True"),
        )
        for at, kind, mhz, transmitter, number, retry in tshark.fields(file, shown, *names)
    ]  # fmt: skip
    assert len(ours) > 200
    assert ours == theirs


def test_a_frame_that_is_sent_again_after_a_lost_acknowledgement_is_received_once(
    tmp_path: Path,
) -> None:
    changes = {"duration": "5 s", "channel.ber": 3e-4, "mac.retry_limit": 20, "tcp.mss": "100 B"}
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_full_disk_ends_the_run_with_the_file_s_name(tmp_path: Path) -> None:
    (tmp_path / "source-eth0.pcapng").symlink_to("/dev/full")
    with pytest.raises(
        CaptureError, match=r"source-eth0\.pcapng: cannot be written: No space left"
    ):
        run(WIRED, overrides={"duration": "1 s"}, pcap=tmp_path)
