"""A flow's own time, bits by layer, the delay by its causes, flows by step, packets one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lasthop
from commands import ROOT
from commands import lasthop as command
from lasthop.core import metrics

SCENARIOS = Path(__file__).parents[2] / "scenarios"
PARTS = ("queueing", "access", "retries", "transmission", "wire", "handoff")

# A wire of 8 Mbit/s and 10 ms: 972 B of payload are 1000 B at the network layer, 1 ms.
WIRE = """
duration = "10 s"
warmup = "2 s"
[[link]]
ends = ["a", "b"]
rate = "8 Mbps"
delay = "10 ms"
[[flow]]
name = "late"
from = "a"
to = "b"
transport = "udp"
start = "4 s"
stop = "6 s"
app = { kind = "cbr", rate = "3888 kbps", payload = "972 B" }
[[flow]]
name = "never"
from = "a"
to = "b"
transport = "udp"
start = "1 s"
stop = "2 s"
app = { kind = "cbr", rate = "100 kbps", payload = "972 B" }
[[flow]]
name = "ftp"
from = "a"
to = "b"
app = { kind = "bulk", size = "100 kB" }
start = "7 s"
"""


@pytest.fixture(scope="module")
def wire():
    return lasthop.run(WIRE).documents[0]


def test_a_flow_has_rates_over_its_own_time(wire):
    late, never, ftp = wire["flows"]
    assert (late["active_s"], never["active_s"], ftp["active_s"]) == (2.0, 0.0, 3.0)
    assert late["active_goodput_bps"] == pytest.approx(3.888e6, rel=1e-3)
    assert late["active_throughput_bps"] == pytest.approx(4e6, rel=1e-3)
    assert late["goodput_bps"] * wire["measured_s"] == pytest.approx(
        late["active_goodput_bps"] * late["active_s"]
    )
    assert never["active_goodput_bps"] is None
    assert metrics.value("late.active_goodput", wire) == late["active_goodput_bps"]


def test_bits_are_counted_by_layer(wire):
    ftp = wire["flows"][2]
    assert metrics.value("ftp.goodput", wire) * 8 == 8e5
    assert metrics.value("ftp.throughput", wire) == ftp["throughput_bps"] > ftp["goodput_bps"]
    late = wire["flows"][0]
    assert late["throughput_bps"] - late["transport_throughput_bps"] == pytest.approx(
        160 * late["packets_delivered"] / wire["measured_s"]
    )
    # All is acknowledged by the end: highest number x MSS over the connection's time.
    assert metrics.value("ftp.acked_goodput", wire) == pytest.approx(8e5 / 3)
    assert "acked_goodput_bps" not in wire["flows"][0]


def test_what_was_acknowledged_before_the_measurement_does_not_count():
    bulk = WIRE.replace('app = { kind = "bulk", size = "100 kB" }\nstart = "7 s"', 'app = "bulk"')
    ftp = lasthop.run(bulk).documents[0]["flows"][2]
    # The two differ by data that are unacknowledged at the edges: a window's worth at most.
    assert ftp["acked_goodput_bps"] == pytest.approx(ftp["goodput_bps"], rel=0.03)


def test_the_delay_of_a_datagram_alone_is_known_by_its_causes():
    alone = WIRE[: WIRE.index('[[flow]]\nname = "never"')]
    run = lasthop.run(alone, overrides={"measures": ["delay_split"]})
    split = run.documents[0]["flows"][0]["delay_split_s"]
    assert split["wire"] == pytest.approx(0.011)
    assert split["mean"] == pytest.approx(0.011)


@pytest.mark.parametrize("name", ["two_stations", "hidden_stations", "roaming", "mobile_ip", "web"])
def test_the_parts_of_a_delay_are_all_of_it(name):
    short = {"duration": "21 s", "warmup": "1 s"}
    file = SCENARIOS / f"{name}.toml"
    asked = {**short, "measures": ["delay_split"]}
    run = lasthop.run(file, overrides=asked, probes=["packets"])
    documents = [dict(run.documents[0]), dict(lasthop.run(file, overrides=short).documents[0])]
    documents[0].pop("probes")
    rows = run.packets.to_pylist()
    for row in rows:
        end = row["received_s"] if row["dropped_s"] is None else row["dropped_s"]
        if end is not None:
            assert _ns(end) - _ns(row["time_s"]) == sum(_ns(row[f"{part}_s"]) for part in PARTS)
    for flow in documents[0]["flows"]:
        means, sums = flow.pop("delay_split_s"), flow.pop("delay_split_ns")
        arrived = [row for row in rows if _counts(row, flow["name"])]
        assert len(arrived) == flow["packets_delivered"]
        assert sum(sums.values()) == sum(_ns(r["received_s"]) - _ns(r["time_s"]) for r in arrived)
        if means is not None:
            assert means["mean"] == flow["delay_s"]["mean"]
            assert sum(means[part] for part in PARTS) == pytest.approx(means["mean"])
    assert json.dumps(documents[0]) == json.dumps(documents[1])


def test_what_delays_is_named():
    asked = {"duration": "11 s", "warmup": "1 s", "measures": ["delay_split"]}
    bulk = lasthop.run(SCENARIOS / "hidden_stations.toml", overrides=asked).documents[0]
    assert metrics.value("delay_split.retries", bulk) > metrics.value(
        "delay_split.transmission", bulk
    )
    assert metrics.value("delay_split", bulk) == pytest.approx(metrics.value("delay", bulk))
    assert metrics.resolve(["delay_split.wire"], bulk).all[0].unit == "s"


def _ns(seconds):
    return round(seconds * 1e9)


def _counts(row, flow):
    received = row["received_s"]
    return row["flow"] == flow and row["direction"] == "data" and (received or 0) > 1


@pytest.mark.parametrize("name", ["two_stations", "voice", "web"])
def test_flows_by_step_add_up_to_the_result(name):
    short = {"duration": "6 s", "warmup": "1 s"}
    run = lasthop.run(
        SCENARIOS / f"{name}.toml", overrides=short, probes=["flows"], probe_every_s=0.3
    )
    for flow in run.documents[0]["flows"]:
        rows = [row for row in run.flow_series.to_pylist() if row["flow"] == flow["name"]]
        assert [row["time_s"] for row in rows[-2:]] == [5.7, 6.0]
        whole = lasthop.run(
            SCENARIOS / f"{name}.toml", overrides=short, probes=["flows"]
        ).flow_series.to_pylist()
        measured = [row for row in whole if row["flow"] == flow["name"] and row["time_s"] > 1]
        for key in ("packets_sent", "packets_delivered"):
            assert sum(row[key] for row in measured) == flow[key]
        assert sum(r["packets_lost"] for r in measured) == sum(flow["packets_lost"].values())
        mean = sum(row["goodput_bps"] for row in measured) / len(measured)
        assert mean == pytest.approx(flow["goodput_bps"])
        assert rows[-1]["jitter_s"] == flow["jitter_s"]


def test_steps_without_packets_have_rows_of_nothing():
    run = lasthop.run(WIRE, probes=["flows"])
    rows = [row for row in run.flow_series.to_pylist() if row["flow"] == "late"]
    assert [row["time_s"] for row in rows] == [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    assert rows[-1]["packets_sent"] == 0
    assert rows[-1]["delay_mean_s"] is None
    assert rows[2]["interarrival_mean_s"] == pytest.approx(0.002)
    assert rows[2]["interarrival_std_s"] == pytest.approx(0, abs=1e-9)


def test_a_step_too_short_for_the_run_is_refused():
    with pytest.raises(lasthop.UsageError, match=r"at most 10000000: a step of 0.000003 s or more"):
        lasthop.run(WIRE, probes=["flows"], probe_every_s=1e-7)


def test_a_lost_packet_has_its_cause_and_place():
    run = lasthop.run(
        SCENARIOS / "two_stations.toml", overrides={"duration": "20 s"}, probes=["packets"]
    )
    rows = run.packets.to_pylist()
    warmup = run.documents[0]["duration_s"] - run.documents[0]["measured_s"]
    counted: dict[str, int] = {}
    for row in rows:
        if row["dropped"] and row["direction"] == "data" and row["dropped_s"] > warmup:
            counted[row["dropped"]] = counted.get(row["dropped"], 0) + 1
            assert row["received_s"] is None
            assert row["dropped_at"] in {"server", "ap", "sta1", "sta2"}
    told: dict[str, int] = {}
    for flow in run.documents[0]["flows"]:
        for cause, count in flow["packets_lost"].items():
            if count:
                told[cause] = told.get(cause, 0) + count
    assert counted == told != {}


def test_interarrival_times_of_any_flow():
    """A file server's segments come one behind the other: 1 ms apart, whatever the window does."""
    bulk = WIRE.replace('app = { kind = "bulk", size = "100 kB" }\nstart = "7 s"', 'app = "bulk"')
    alone = bulk[: bulk.index("[[flow]]")] + bulk[bulk.index('[[flow]]\nname = "ftp"') :]
    short = {"tcp.mss": "960 B", "tcp.window": "60 packets"}
    document = lasthop.run(alone, overrides={**short, "measures": ["interarrival"]}).documents[0]
    assert metrics.value("ftp.interarrival.mean", document) == pytest.approx(1e-3, rel=1e-3)
    assert metrics.value("ftp.interarrival.std", document) < 1e-4
    bare = lasthop.run(alone, overrides=short).documents[0]
    assert document["flows"][0].pop("interarrival_s").keys() == {"mean", "std", "p95"}
    assert json.dumps(document) == json.dumps(bare)


UPLINK = """
duration = "12 s"
[[wimax]]
base_station = "bs"
stations = 2
ratio = "6:1"
preset = "nist"
[[link]]
ends = ["server", "bs"]
rate = "100 Mbps"
delay = "45 ms"
[tcp]
variant = "newreno"
[[flow]]
name = "near"
from = "server"
to = "bs"
app = { kind = "bulk", size = "300 kB" }
[[flow]]
name = "down"
from = "server"
to = "ss*"
app = { kind = "bulk", size = "300 kB" }
"""


def test_acknowledgements_of_an_uplink_wait_for_requests_and_grants():
    bare = lasthop.run(UPLINK).documents[0]
    document = lasthop.run(UPLINK, overrides={"measures": ["acks"]}).documents[0]
    whole = metrics.value("down*.ack_wait.mean.mean", document)
    assert 0 < metrics.value("down*.ack_wait.request.mean", document) < whole
    stations = {row["name"]: row["requests"]["wait_s"] for row in document["subscribers"]}
    for flow in document["flows"]:
        waits = flow.pop("ack_wait_s")
        delay, spacing = flow.pop("ack_delay_s"), flow.pop("ack_spacing_s")
        parts = [waits[key] for key in ("request", "grant", "transmission", "elsewhere")]
        assert sum(parts) == pytest.approx(waits["mean"])
        assert waits["mean"] == delay["mean"]
        assert spacing["mean"] * (flow["acks_sent"] - 1) < 12
        # All that a station sends is acknowledgements, and all of them have come at the end.
        for key, part in zip(("request", "grant", "transmission"), parts, strict=False):
            own = stations[flow["to"]][key] if flow["to"] in stations else 0
            assert part == pytest.approx(own, rel=1e-9, abs=1e-12)
        assert parts[3] == pytest.approx(0.045, rel=2e-3)
    assert stations["ss1"]["request"] > 0.005 < stations["ss2"]["grant"]
    assert json.dumps(document) == json.dumps(bare)


def test_a_played_flow_has_its_interarrival_times_without_being_asked():
    file, short = SCENARIOS / "voice.toml", {"duration": "12 s"}
    bare = lasthop.run(file, overrides=short).documents[0]
    asked = lasthop.run(file, overrides={**short, "measures": ["interarrival"]}).documents[0]
    for one, other in zip(bare["flows"], asked["flows"], strict=True):
        if "interarrival_s" in one:
            assert one == other
        else:
            assert "interarrival_s" in other


def test_what_is_no_measure_is_refused():
    with pytest.raises(lasthop.ScenarioError, match='did you mean "delay_split"'):
        lasthop.check(WIRE, overrides={"measures": ["delay_splt"]})


def test_shares_stand_in_order_and_the_starved_are_told():
    def document(*goodputs):
        flows = [
            {"name": f"up{i}", "goodput_bps": goodput, "packets_delivered": 1}
            for i, goodput in enumerate(goodputs)
        ]
        return {"flows": flows}

    fair = document(1e6, 3e6, 2e6, 2e6)
    shares = metrics.resolve(["up*.goodput.shares"], fair)
    assert shares.names == tuple(f"up*.goodput_bps.share{rank}" for rank in (1, 2, 3, 4))
    assert list(shares.of(fair).values()) == [0.375, 0.25, 0.25, 0.125]
    assert metrics.value("up*.goodput.share4", fair) == 0.125
    starved = document(1e6, 1e6, 1e6, 3e4)
    assert [metrics.value("goodput.starved", each) for each in (fair, starved)] == [0, 1]
    assert metrics.resolve(["goodput.starved"], fair).all[0].unit == "1"


def test_the_split_is_a_table_on_the_terminal() -> None:
    scenario = str(ROOT / "scenarios" / "voice_and_bulk.toml")
    asked = ("--set", "duration=7 s", "--set", 'measures=["delay_split"]')
    assert "Delay by cause" in command("run", scenario, *asked).stdout
    assert "Delay by cause" not in command("run", scenario, *asked[:2]).stdout
