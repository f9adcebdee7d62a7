"""Measured files: what is read is what was sent, and no file whatever ends in a traceback."""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
from pathlib import Path

import numpy as np
import pytest

import lasthop
from commands import lasthop as command
from lasthop.data import exports, measured
from lasthop.data.measured import capture, tcp
from lasthop.data.measured.comparison import welch
from lasthop.data.measured.walking import read_bytes
from lasthop.errors import LasthopError

CASES = Path(__file__).parent / "cases" / "measured"
DUMBBELL = Path(__file__).parents[2] / "scenarios" / "dumbbell.toml"
FILES = sorted(each for each in CASES.iterdir() if each.suffix in (".json", ".log", ".gz"))

PATH = """
duration = "10 s"
[[link]]
ends = ["near", "router"]
rate = "1 Gbps"
[[link]]
ends = ["router", "far"]
rate = "4 Mbps"
delay = "15 ms"
queue = "25 packets"
[tcp]
variant = "linux-cubic"
[[flow]]
name = "upload"
from = "near"
to = "far"
"""


@pytest.fixture(scope="module")
def dumbbell(tmp_path_factory):
    """A run with all that can be read from outside, and the folder of its captures."""
    folder = tmp_path_factory.mktemp("captures")
    run = lasthop.run(
        DUMBBELL,
        overrides={"duration": "25 s"},
        probes=["flows", "tcp"],
        probe_every_s=1,
        pcap=folder,
    )
    return run, folder


def exported(run, name, path):
    with path.open("wb") as file:
        exports.export(run, name, file)
    return measured.read(path)


@pytest.mark.parametrize("form", ["iperf3", "flent"])
def test_what_lasthop_writes_as_other_tools_do_is_read_again(dumbbell, form, tmp_path):
    run, _ = dumbbell
    found = exported(run, form, tmp_path / form)
    assert found.seconds == pytest.approx(25)
    for flow, true in zip(found.flows, run.documents[0]["flows"], strict=True):
        steps = int((~np.isnan(flow.series["goodput_bps"].values)).sum())
        received = flow.values["goodput_bps"] * (25 if form == "iperf3" else steps)
        assert received == pytest.approx(true["goodput_bps"] * 25, rel=0.02)
        if form == "iperf3":
            again = flow.values["retransmits_per_s"] * steps
            assert again == pytest.approx(true["retransmits"], rel=1e-6)


@pytest.mark.parametrize("variant", ["newreno", "sack", "tahoe", "linux-cubic"])
def test_a_capture_at_the_sender_tells_goodput_retransmissions_and_losses(variant, tmp_path):
    run = lasthop.run(
        DUMBBELL,
        overrides={"duration": "25 s", "tcp.variant": variant},
        pcap=tmp_path,
        pcap_only=["source-*"],
    )
    found = measured.read(tmp_path / "source-eth0.pcapng")
    assert len(found.flows) == 3
    scan = capture.scan((tmp_path / "source-eth0.pcapng").read_bytes(), "source")
    transfers = [tcp.transfer(each) for each in scan.connections.values()]
    for flow, transfer, true in zip(found.flows, transfers, run.documents[0]["flows"], strict=True):
        assert transfer.again == true["retransmits"]
        seconds = (transfer.end - transfer.begin) / 1e9
        acked = true["acked_goodput_bps"] * true["active_s"]
        # Segments that are acknowledged within the last round trip are missing.
        assert flow.values["goodput_bps"] * seconds == pytest.approx(acked, rel=0.01)
        lost = sum(true["packets_lost"].values()) / true["packets_sent"]
        assert flow.values["loss"] == pytest.approx(lost, rel=0.08, abs=0.006)
    assert 0.0425 < found.flows[0].values["rtt_s.min"] < 0.047


def test_a_capture_at_the_receiver_says_nothing_of_losses_on_the_way(dumbbell):
    _, folder = dumbbell
    flow = measured.read(folder / "sink-eth0.pcapng").flows[0]
    assert "loss" not in flow.values
    assert "rtt_s.mean" not in flow.values
    assert flow.values["goodput_bps"] > 5e6


def test_frames_on_the_air_tell_retries_rates_and_airtime(tmp_path):
    run = lasthop.run(
        Path(__file__).parents[2] / "scenarios" / "two_stations.toml",
        overrides={"duration": "6 s", "warmup": "0 s", "mac.rts": "never"},
        pcap=tmp_path,
        pcap_only=["air-*"],
    )
    found = measured.read(tmp_path / "air-cell.pcapng")
    stations = [flow for flow in found.flows if flow.transport == "station"]
    by_number = {int(each.name.rsplit(":", 1)[1], 16): each for each in stations}
    nodes = {"ap": 1, "sta1": 2, "sta2": 3}
    for true in run.documents[0]["stations"]:
        own = by_number[nodes[true["name"]]].values
        assert own["frames_per_s"] * found.seconds == pytest.approx(true["attempts"], abs=1)
        assert own["retry_share"] == pytest.approx(true["retries"] / true["attempts"], abs=1e-3)
        assert own["mean_rate_bps"] == true["mean_rate_bps"]
        # The time of its exchanges without SIFS and ACK, which are not its own frames.
        assert 0.5 * true["airtime_share"] < own["airtime_share"] < true["airtime_share"]


def as_pcap(content, order, unit):
    """Write a capture of one link layer in the older format."""
    magic = 0xA1B2C3D4 if unit == 1000 else 0xA1B23C4D
    packets = list(capture.Capture(content, "x"))
    out = [struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, packets[0][1])]
    for at, _, data, size in packets:
        seconds, rest = divmod(at, 10**9)
        out += [struct.pack(order + "IIII", seconds, rest // unit, len(data), size), data]
    return b"".join(out)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("unit", [1, 1000])
def test_pcap_of_either_byte_order_and_resolution_reads_like_pcapng(dumbbell, order, unit):
    _, folder = dumbbell
    content = (folder / "source-eth0.pcapng").read_bytes()
    there = capture.read(content, "x").flows
    again = capture.read(as_pcap(content, order, unit), "x").flows
    for one, other in zip(there, again, strict=True):
        assert other.name == one.name
        assert other.values == pytest.approx(one.values, rel=1e-4)


def test_real_files_say_what_is_known_of_their_path():
    plain = measured.read(CASES / "plain.json").flows[0].values
    assert 3.6e6 < plain["goodput_bps"] < 4e6 * 1448 / 1500
    assert 0.033 < plain["srtt_s.min"] < plain["srtt_s.max"] < 0.115
    log = measured.read(CASES / "plain.ss.log")
    assert len(log.flows) == 1  # the control connection is left out
    assert 0.030 < log.flows[0].values["rtt_s.min"] < 0.034
    assert log.flows[0].values["goodput_bps"] == pytest.approx(3.86e6, rel=0.02)
    bursts = measured.read(CASES / "bursts.pcap.gz").flows[0].values
    assert 0.02 < bursts["rtt_s.min"] < 0.027
    assert 0.02 < bursts["loss"] < 0.06  # 20 ms in 620 ms, met by packets in bursts
    voice = measured.read(CASES / "voice.json").flows[0].values
    assert voice["loss"] == pytest.approx(11 / 150)


def broken(content, numbers):
    """Give a file that is cut off, or in which bytes are others, or that has a piece twice."""
    content = bytearray(content)
    kind = numbers.randrange(3)
    if kind == 0:
        return bytes(content[: numbers.randrange(len(content))])
    if kind == 1:
        for _ in range(numbers.choice([1, 3, 30])):
            content[numbers.randrange(min(len(content), 3000))] = numbers.randrange(256)
        return bytes(content)
    at, size = numbers.randrange(len(content)), numbers.randrange(200)
    return bytes(content[:at] + content[max(0, at - size) :])


def refusal(act):
    """Give what a reader says that refuses a file; None where it reads it. All else is an error of the test."""
    try:
        act()
    except LasthopError as error:
        return str(error)
    return None


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_no_file_however_broken_ends_in_a_traceback(file, tmp_path):
    whole = read_bytes(file, file.name)
    if file.suffix == ".gz":
        whole = whole[:20_000]
    numbers, refused = random.Random(file.name), 0
    for _ in range(150):
        path = tmp_path / "broken"
        path.write_bytes(broken(whole, numbers))
        said = refusal(lambda path=path: measured.read(path))
        refused += said is not None
        assert said is None or str(path) in said
    assert refused > 5


def test_broken_captures_of_frames_and_pcapng_do_not_either(dumbbell, tmp_path):
    _, folder = dumbbell
    lasthop.run(
        Path(__file__).parents[2] / "scenarios" / "two_stations.toml",
        overrides={"duration": "1 s", "warmup": "0 s"},
        pcap=tmp_path,
        pcap_only=["air-*"],
    )
    wholes = [
        (tmp_path / "air-cell.pcapng").read_bytes(),
        (folder / "sink-eth0.pcapng").read_bytes(),
    ]
    numbers = random.Random(1)
    for whole in wholes:
        for _ in range(150):
            content = broken(whole[:20_000], numbers)
            said = refusal(lambda content=content: capture.read(content, "x"))
            assert said is None or said.startswith("x")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b'{"start": 1,\n "x": }', ":2:7: error"),
        (b'{"a": 1}', "another kind of JSON"),
        (b"[" * 100_000, "cannot be read"),
        (b"\x1f\x8b\x08\x00", "cannot be unpacked"),
        (b"\xd4\xc3\xb2\xa1", "byte 4: cut off"),
        (b"hello", "an unknown format"),
        (b'{"start": {}, "intervals": [], "error": "refused"}', "a test that failed: refused"),
        (b"ESTAB 0 0 1.1.1.1:1 2.2.2.2:2\n\t cubic rto:1 rtt:1/1 cwnd:1\n", ":1: error: a sample without a time"),
        (b"1.5\nESTAB 0 0 1.1.1.1:1 2.2.2.2:2\n\t rto:1 rtt:1/1 cwnd:1\n", "has 1 sample"),
        (b"1.5\nESTAB 0 0 1.1.1.1:1 2.2.2.2:2\nnonsense here\n", ":3: error: is neither"),
    ],
)  # fmt: skip
def test_errors_name_the_place(content, said, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(measured.MeasuredError) as error:
        measured.read(path)
    assert said in str(error.value)


def test_the_kernels_cubic_over_a_known_path_is_near_to_ours(tmp_path):
    (tmp_path / "path.toml").write_text(PATH)
    said = command("compare", tmp_path / "path.toml", CASES / "plain.json", "--json")
    assert said.returncode == 0, said.stderr
    document = json.loads(said.stdout)
    assert next(iter(document)) == "answer"
    assert document["answer"][0].startswith("All 10 replications are equal in what is compared, so")
    (flow,) = document["flows"]
    near = {each["quantity"]: each["simulated_over_measured"] for each in flow["quantities"]}
    for quantity in (
        "goodput_bps",
        "srtt_s.mean",
        "srtt_s.min",
        "srtt_s.max",
        "cwnd_segments.mean",
    ):
        assert near[quantity] == pytest.approx(1, abs=0.05), quantity
    assert all(each["inside"] is None for each in flow["quantities"])  # nothing is random in it


def test_a_run_of_the_scenario_itself_lies_where_single_runs_do(tmp_path):
    lossy = PATH.replace('delay = "15 ms"', 'delay = "15 ms"\nloss = 0.01')
    (tmp_path / "path.toml").write_text(lossy)
    inside, all_ = 0, 0
    for seed in range(8):
        run = lasthop.run(
            tmp_path / "path.toml", seed=1000 + seed, probes=["flows", "tcp"], probe_every_s=1
        )
        file = tmp_path / f"{seed}.json"
        exported(run, "iperf3", file)
        said = command("compare", tmp_path / "path.toml", file, "--json")
        rows = json.loads(said.stdout)["flows"][0]["quantities"]
        inside, all_ = inside + sum(row["inside"] for row in rows), all_ + len(rows)
    # 48 quantities, of which 95 % are inside: fewer than 40 would be so with a probability under 1 %,
    # were they independent; those of a run are not.
    assert all_ == 48
    assert inside >= 40


def test_other_paths_lie_outside(tmp_path):
    (tmp_path / "path.toml").write_text(PATH.replace('"15 ms"', '"30 ms"\nloss = 0.01'))
    said = command("compare", tmp_path / "path.toml", CASES / "lossy1.json", "--json")
    rows = {each["quantity"]: each for each in json.loads(said.stdout)["flows"][0]["quantities"]}
    assert rows["srtt_s.min"]["inside"] is False


def test_several_files_are_judged_by_the_difference_of_the_means():
    # Welch's interval of the sets of Welch (1947) as computed by hand: means 2 and 5, variances 1 and 4.
    low, high = welch([1, 2, 3], [3, 5, 7])
    # se^2 = 1/3 + 4/3, df = (5/3)^2 / ((1/3)^2/2 + (4/3)^2/2) = 2.94, down to 2: t = 4.3027.
    assert (low, high) == pytest.approx(
        (3 - 4.3027 * (5 / 3) ** 0.5, 3 + 4.3027 * (5 / 3) ** 0.5), rel=1e-4
    )


def test_a_page_a_figure_and_what_makes_no_sense(tmp_path):
    scenario = tmp_path / "path.toml"
    scenario.write_text(PATH.replace('delay = "15 ms"', 'delay = "15 ms"\nloss = 0.01'))
    page, figure = tmp_path / "page.html", tmp_path / "figure.svg"
    few = ("--replications", "3")
    for out in (page, figure):
        said = command("compare", scenario, CASES / "bursts.pcap.gz", *few, "--out", out)
        assert said.returncode == 0, said.stderr
    assert "captured at near-eth0" in said.stdout
    assert "round trip, mean" in page.read_text()
    assert "http" not in page.read_text().split("<main>")[0]
    for words, said in [
        ((), "at least one measured file"),
        ((CASES / "plain.json", CASES / "plain.ss.log"), "in one format"),
        ((CASES / "plain.json", "--pair", "uplod=10.77.0.1:59634>10.77.0.2:5201"), "did you mean 'upload'"),
        ((CASES / "plain.json", "--at", "near-eth0"), "--at applies to captures only"),
        ((CASES / "plain.json", "--out", "x.txt"), "the ending selects the format"),
        ((CASES / "voice.json",), "no measured flow matches"),
    ]:  # fmt: skip
        ended = command("compare", scenario, *words, *few)
        assert ended.returncode == 2, words
        assert said in ended.stderr, ended.stderr


def test_gzip_of_any_file_is_read(tmp_path):
    path = tmp_path / "plain.json.gz"
    with io.BytesIO() as packed:
        with gzip.GzipFile(fileobj=packed, mode="wb") as file:
            file.write((CASES / "plain.json").read_bytes())
        path.write_bytes(packed.getvalue())
    assert (
        measured.read(path).flows[0].values == measured.read(CASES / "plain.json").flows[0].values
    )
