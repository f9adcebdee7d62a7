"""Captures: Wireshark reads them, finds nothing wrong, and counts what we count."""

from __future__ import annotations

from pathlib import Path

import pytest

import tshark
from capturing import AGAIN, WIRED, WIRELESS, captured, flow, nothing_is_wrong
from commands import ROOT, lasthop
from lasthop import CaptureError, UsageError, run
from lasthop.data.pcapng import frames


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
    wrong = tshark.read(file).wrong
    first = tshark.fields(file, "ip.len == 1500")[0][0]
    assert list(wrong) == [str(int(first) + packet) for packet in damage]


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
    assert "--pcap-only needs --pcap DIR" in done.stderr


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_full_disk_ends_the_run_with_the_file_s_name(tmp_path: Path) -> None:
    (tmp_path / "source-eth0.pcapng").symlink_to("/dev/full")
    with pytest.raises(
        CaptureError, match=r"source-eth0\.pcapng: cannot be written: No space left"
    ):
        run(WIRED, overrides={"duration": "1 s"}, pcap=tmp_path)
