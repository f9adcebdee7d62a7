"""Exports: what other tools read, in their own words, with the run's own numbers."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import subprocess
from pathlib import Path
from shutil import which

import pytest

import lasthop
from commands import lasthop as command
from lasthop.data import exports

SCENARIOS = Path(__file__).parents[2] / "scenarios"
SHORT = {"duration": "12 s", "warmup": "2 s"}
# Python's own "is it JSON" is too kind: what readers of iperf3 count on, key by key.
AMOUNT = {"start": float, "end": float, "seconds": float, "bytes": int, "bits_per_second": float}
TCP_INTERVAL = AMOUNT | {
    "socket": int, "retransmits": int, "snd_cwnd": int, "snd_wnd": int, "rtt": int, "rttvar": int,
    "pmtu": int, "omitted": bool, "sender": bool,
}  # fmt: skip
UDP_INTERVAL = AMOUNT | {"socket": int, "packets": int, "omitted": bool, "sender": bool}
UDP_END = AMOUNT | {
    "socket": int, "jitter_ms": float, "lost_packets": int, "packets": int, "lost_percent": float,
    "out_of_order": int, "sender": bool,
}  # fmt: skip


@pytest.fixture(scope="module")
def run():
    return lasthop.run(
        SCENARIOS / "voice_and_bulk.toml",
        overrides=SHORT,
        probes=["flows", "tcp", "packets"],
        probe_every_s=1,
    )


def exported(run, name, *flows):
    file = io.BytesIO()
    exports.export(run, name, file, exports.Selection(flows))
    return file.getvalue()


def has(document, shape):
    assert document.keys() >= shape.keys(), shape.keys() - document.keys()
    for key, kind in shape.items():
        assert isinstance(document[key], kind), (key, document[key])


def test_iperf3_of_tcp(run):
    document = json.loads(exported(run, "iperf3", "bulk"))
    flow = next(f for f in run.documents[0]["flows"] if f["name"] == "bulk")
    assert document.keys() == {"start", "intervals", "end"}
    assert document["start"]["test_start"]["protocol"] == "TCP"
    assert [each["streams"][0]["omitted"] for each in document["intervals"]] == [True] * 2 + [
        False
    ] * 10
    for each in document["intervals"]:
        has(each["streams"][0], TCP_INTERVAL)
        has(each["sum"], AMOUNT | {"retransmits": int, "omitted": bool, "sender": bool})
    counted = [each["sum"] for each in document["intervals"] if not each["sum"]["omitted"]]
    assert (counted[0]["start"], counted[-1]["end"]) == (0, 10)
    sent, received = document["end"]["sum_sent"], document["end"]["sum_received"]
    assert sent["retransmits"] == flow["retransmits"] == sum(c["retransmits"] for c in counted)
    assert received["bits_per_second"] == pytest.approx(flow["goodput_bps"])
    assert sent["bytes"] == sum(c["bytes"] for c in counted) >= received["bytes"] > 0
    assert document["end"]["sender_tcp_congestion"] == flow["variant"]
    states = run.tcp.to_pylist()
    last = states[-1]
    assert counted[-1]["bytes"] > 0
    stream = document["intervals"][-1]["streams"][0]
    assert stream["rtt"] == round(last["srtt_s"] * 1e6)
    assert stream["snd_cwnd"] == round(last["snd_cwnd"] * last["mss_bytes"])


def test_iperf3_of_udp(run):
    document = json.loads(exported(run, "iperf3", "voice"))
    flow = next(f for f in run.documents[0]["flows"] if f["name"] == "voice")
    for each in document["intervals"]:
        has(each["streams"][0], UDP_INTERVAL)
    udp = document["end"]["streams"][0]["udp"]
    has(udp, UDP_END)
    assert udp["packets"] == flow["packets_sent"]
    assert udp["lost_packets"] == sum(flow["packets_lost"].values())
    assert udp["jitter_ms"] == pytest.approx(flow["jitter_s"] * 1e3)
    assert document["end"]["sum"]["packets"] == flow["packets_sent"]


def test_iperf3_takes_one_protocol(run):
    with pytest.raises(lasthop.UsageError, match="TCP or UDP"):
        exported(run, "iperf3")
    with pytest.raises(lasthop.UsageError, match="no flow matches x; there are: voice, bulk"):
        exported(run, "iperf3", "x")


def test_flent_is_version_4(run):
    document = json.loads(gzip.decompress(exported(run, "flent")))
    assert document.keys() == {"version", "metadata", "x_values", "results", "raw_values"}
    assert document["version"] == 4
    assert document["x_values"] == [float(second) for second in range(1, 13)]
    assert {"NAME", "TITLE", "TIME", "T0", "HOST", "STEP_SIZE"} <= document["metadata"].keys()
    assert document["results"].keys() == document["raw_values"].keys()
    assert document["results"].keys() == document["metadata"]["SERIES_META"].keys()
    assert {len(values) for values in document["results"].values()} == {12}
    flow = next(f for f in run.documents[0]["flows"] if f["name"] == "bulk")
    measured = document["results"]["TCP download::1"][2:]
    assert sum(measured) / 10 == pytest.approx(flow["goodput_bps"] / 1e6)
    for name, values in document["results"].items():
        known = {t: v for t, v in zip(document["x_values"], values, strict=True) if v is not None}
        assert {row["t"]: row["val"] for row in document["raw_values"][name]} == known
    assert exported(run, "flent") == exported(run, "flent")


def test_flent_reads_it(run, tmp_path):
    try:
        from flent import resultset
    except ImportError:
        if os.environ.get("LASTHOP_REQUIRE_TOOLS"):
            raise
        pytest.skip("Flent is not here: pip install flent")
    file = tmp_path / "run.flent.gz"
    file.write_bytes(exported(run, "flent"))
    read = resultset.load(str(file))
    document = json.loads(gzip.decompress(file.read_bytes()))
    assert list(read.x_values) == document["x_values"]
    assert set(read.series_names) == document["results"].keys()


OLD = re.compile(
    r"[srD] \d+\.\d{9} _\d+_ (?:AGT|RTR|IFQ|LL|MAC)  [-A-Z]{3,4} \d+ (?:"
    r"(?:tcp|ack) \d+ \[0 0 0 0\] ------- \[\d+:\d+ \d+:\d+ \d+ \d+\] \[-?\d+ \d+\]|"
    r"cbr \d+ \[0 0 0 0\] ------- \[\d+:\d+ \d+:\d+ \d+ \d+\] \[\d+\]) \d+ \d+"
)
NEW_KEYS = [
    "t", "Hs", "Hd", "Ni", "Nx", "Ny", "Nz", "Ne", "Nl", "Nw", "Ma", "Md", "Ms", "Mt",
    "Is", "Id", "It", "Il", "If", "Ii", "Iv", "Pn",
]  # fmt: skip


def test_ns2_lines(run):
    lines = exported(run, "ns2").decode().splitlines()
    assert all(OLD.fullmatch(line) for line in lines)
    times = [float(line.split()[1]) for line in lines]
    assert times == sorted(times)
    flow = run.documents[0]["flows"][0]
    arrived = [
        line for line in lines
        if line.startswith("r") and " cbr " in line and float(line.split()[1]) > 2
    ]  # fmt: skip
    assert len(arrived) == flow["packets_delivered"]
    segments = [int(line.split("] [")[1].split()[0]) for line in lines if " tcp " in line]
    assert segments[0] == -1
    assert max(segments) > 10
    new = exported(run, "ns2-new").decode().splitlines()
    assert len(new) == len(lines)
    for line in new:
        keys = [word[1:] for word in line.split()[1:] if re.fullmatch("-[A-Z]?[a-z]", word)]
        assert keys[: len(NEW_KEYS)] == NEW_KEYS
        assert line[0] in "srd"


TCL = """
set ns [new Simulator]
if {[lindex $argv 0] == "new"} { $ns use-newtrace }
set out [open [lindex $argv 1] w]
$ns trace-all $out
set topo [new Topography]
$topo load_flatgrid 500 500
create-god 2
$ns node-config -adhocRouting DumbAgent -llType LL -macType Mac/802_11 -ifqType Queue/DropTail/PriQueue \\
  -ifqLen 50 -antType Antenna/OmniAntenna -propType Propagation/TwoRayGround -phyType Phy/WirelessPhy \\
  -channelType Channel/WirelessChannel -topoInstance $topo -agentTrace ON -routerTrace OFF -macTrace OFF
foreach i {0 1} { set n($i) [$ns node]; $n($i) set X_ 0; $n($i) set Y_ 0; $n($i) set Z_ 0 }
set tcp [new Agent/TCP/Newreno]
set sink [new Agent/TCPSink]
$ns attach-agent $n(0) $tcp
$ns attach-agent $n(1) $sink
$ns connect $tcp $sink
set ftp [new Application/FTP]
$ftp attach-agent $tcp
set udp [new Agent/UDP]
set null [new Agent/Null]
$ns attach-agent $n(0) $udp
$ns attach-agent $n(1) $null
$ns connect $udp $null
set cbr [new Application/Traffic/CBR]
$cbr attach-agent $udp
$ns at 0.1 "$ftp start"
$ns at 0.5 "$cbr start"
$ns at 1.0 "exit 0"
$ns run
"""


@pytest.mark.skipif(which("ns") is None, reason="ns-2 is not installed")
@pytest.mark.parametrize("form", ["ns2", "ns2-new"])
def test_lines_have_the_fields_of_ns2s_own(run, tmp_path, form):
    (tmp_path / "two.tcl").write_text(TCL)
    arguments = ["ns", "two.tcl", form.removeprefix("ns2-"), "theirs.tr"]
    subprocess.run(arguments, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    theirs = (tmp_path / "theirs.tr").read_text().splitlines()
    ours = exported(run, form).decode().splitlines()
    mark = " -It {} " if form == "ns2-new" else " {} "
    for letter, name in ((letter, name) for letter in "sr" for name in ("tcp", "ack", "cbr")):
        own, others = (
            {shape(line) for line in lines if line[0] == letter and mark.format(name) in line}
            for lines in (ours, theirs)
        )
        assert own
        assert own <= others, (letter, name)


def shape(line):
    """Return a line with its numbers (the MAC's addresses are hexadecimal) taken out."""
    line = re.sub(r"\[[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ [0-9a-f]+\]", "[mac]", line, count=1)
    line = re.sub(r"-(Ma|Md|Ms|Mt) [0-9a-f]+", r"-\1 #", line)
    line = re.sub(r"(?<![\w.])-?\d+\.(\d+)(?!\d)", lambda m: "#." + str(len(m[1])), line)
    line = re.sub(r"_\d+_", "_#_", line)
    return re.sub(r"(?<![\w#.])-?\d+", "#", line)


def test_the_command_writes_a_file(tmp_path):
    out = tmp_path / "run.json"
    scenario = SCENARIOS / "voice_and_bulk.toml"
    short = ("--set", "duration=3 s", "--set", "warmup=0 s", "--flow", "bulk")
    done = command("export", "iperf3", scenario, "--out", out, "--every", "500 ms", *short)
    assert done.returncode == 0, done.stderr
    document = json.loads(out.read_text())
    assert len(document["intervals"]) == 6
    again = command("export", "ns2", scenario, "--out", tmp_path / "run.tr", *short)
    assert again.returncode == 0, again.stderr
    assert "nodes: 0 phone, 1 server" in again.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("iperf", "--out", "x"), "did you mean 'iperf3'?"),
        (("iperf3", "--out", "/proc/none/x"), "/proc/none"),
        (("iperf3", "--out", "x", "--every", "10"), "has no unit"),
        (("iperf3", "--out", "x", "--flow", "nobody"), "no flow matches nobody"),
    ],
)
def test_a_wrong_wish_is_refused(arguments, says, tmp_path):
    form, *rest = arguments
    rest = [str(tmp_path / "x") if word == "x" else word for word in rest]
    short = ("--set", "duration=1 s", "--set", "warmup=0 s")
    done = command("export", form, SCENARIOS / "voice_and_bulk.toml", *short, *rest)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


RADIO = """
duration = "4 s"
[phy]
standard = "802.11g"
[[cell]]
access_point = "ap"
stations = 1
[[flow]]
name = "down"
from = "ap"
to = "sta1"
transport = "udp"
app = { kind = "saturated", payload = "1472 B" }
"""

WIRE = """
duration = "4 s"
[[link]]
ends = ["a", "b"]
trace = "radio.mahi"
[[flow]]
from = "a"
to = "b"
transport = "udp"
app = { kind = "cbr", rate = "60 Mbps", payload = "1472 B" }
"""


def test_a_trace_of_a_radio_path_is_a_wire_of_the_same_capacity(tmp_path):
    run = lasthop.run(RADIO, probes=["packets"])
    trace = exported(run, "mahimahi")
    times = [int(line) for line in trace.split()]
    flow = run.documents[0]["flows"][0]
    assert times == sorted(times)
    assert abs(len(times) - flow["packets_delivered"]) < 2
    (tmp_path / "radio.mahi").write_bytes(trace)
    (tmp_path / "wire.toml").write_text(WIRE)
    wire = lasthop.run(tmp_path / "wire.toml")
    replayed = wire.documents[0]["flows"][0]
    assert replayed["goodput_bps"] == pytest.approx(flow["goodput_bps"], rel=0.005)


def test_a_trace_of_nothing_is_refused():
    quiet = lasthop.run(RADIO.replace("4 s", "0.1 ms"), probes=["packets"])
    with pytest.raises(lasthop.errors.UsageError, match="stands for 1500"):
        exported(quiet, "mahimahi")
