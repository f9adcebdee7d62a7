"""Mobile IP from Python and the command line: the table of handoffs, tunnels and gaps in captures."""

from __future__ import annotations

from pathlib import Path

import pytest

import tshark
from capturing import AGAIN, nothing_is_wrong
from commands import ROOT, lasthop
from lasthop import run
from lasthop_validation.handoff_mobile_ip import PARTS, longest_hole

SCENARIO = ROOT / "scenarios" / "mobile_ip.toml"


def test_handoffs_are_a_table_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    table = lasthop("run", str(SCENARIO)).stdout.split("Handoffs (times in ms)")[1]
    assert "west > east" in table
    assert "(weak signal)" in table
    for heading in ("scan", "regi-", "gap", "lost", "late", "tun-"):
        assert heading in table
    assert "…" not in table
    # A first registration is no change.
    assert "Handoffs" not in lasthop("run", str(SCENARIO), "--set", "duration=5 s").stdout


def test_a_preset_that_is_not_there_is_refused_with_its_line_and_neighbour() -> None:
    done = lasthop("run", str(SCENARIO), "--set", "mobile_ip.preset=ns3")
    assert done.returncode == 2
    assert '"ns2"' in done.stderr
    assert "Traceback" not in done.stderr


def test_tunnels_are_packets_in_packets_and_gaps_are_those_of_the_results(tmp_path: Path) -> None:
    tshark.require_tshark()
    changes = {"duration": "12 s", "node.3.waypoints.0.at": "4 s", "flow.0.tcp.window": "6 kB"}
    wanted = ["server-*", "home-*", "*-wlan0"]
    document = run(SCENARIO, overrides=changes, pcap=tmp_path, pcap_only=wanted).documents[0]
    nothing_is_wrong(tmp_path)
    # Packets from the core go back there in a packet of the home agent's own, 20 bytes longer.
    home = tmp_path / "home-eth0.pcapng"
    tunnelled = tshark.fields(home, "ip.proto == 4", "ip.src", "ip.dst", "ip.len")
    assert len(tunnelled) == document["mobile_ip"]["packets_tunnelled"]
    lengths = [[int(length) for length in row[2].split(",")] for row in tunnelled]
    assert all(outer - inner == 20 for outer, inner in lengths)
    server, agent, west, east, car = (f"10.0.0.{node}" for node in (1, 3, 4, 5, 6))
    assert {row[0] for row in tunnelled} == {f"{agent},{server}"}
    assert {row[1] for row in tunnelled} == {f"{west},{car}", f"{east},{car}"}
    assert tshark.count(tmp_path / "car-wlan0.pcapng", "udp.port == 434") > 0
    again = sum(each["retransmits"] for each in document["flows"])
    assert tshark.count(tmp_path / "server-eth0.pcapng", AGAIN) == again
    # The longer of the holes over the car's link, to it and from it.
    (move,) = (each for each in document["handoffs"] if each["from"] is not None)
    gap_s = longest_hole(tmp_path, "car", ("west", "east"), move["at_s"])
    assert gap_s == pytest.approx(move["gap_s"], abs=3e-9)
    assert sum(move[f"{part}_s"] for part in PARTS) == pytest.approx(gap_s, abs=3e-9)
