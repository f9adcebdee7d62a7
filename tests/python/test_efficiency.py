"""Goodput against what could be reached if the radio lost nothing; transfers that have data now and then."""

from __future__ import annotations

import pytest

import lasthop
from lasthop.core import metrics

SCENARIO = """
duration = "20 s"
measures = ["efficiency"]
[[link]]
ends = ["server", "ap"]
rate = "10 Mbps"
delay = "20 ms"
[[cell]]
access_point = "ap"
stations = ["sta"]
[mac]
retry_limit = 7
[[flow]]
name = "down"
from = "server"
to = "sta"
"""
FADES = 'channel={ model = "gilbert_elliott", mean_good = "1 s", mean_bad = "50 ms", ber_good = 0, ber_bad = 0.1 }'
TWO = 'flow=[{ name = "a", from = "server", to = "sta" }, { name = "b", from = "sta", to = "server" }]'


@pytest.fixture
def scenario(tmp_path):
    file = tmp_path / "s.toml"
    file.write_text(SCENARIO)
    return file


def down(file, *changes):
    return lasthop.run(file, overrides=list(changes)).documents[0]["flows"][0]


def test_without_losses_all_that_can_be_reached_is(scenario):
    flow = down(scenario)
    assert flow["efficiency"] == 1.0
    assert flow["reachable_bps"] == flow["goodput_bps"]


def test_fades_cost_time_in_the_second_run_and_lose_nothing(scenario):
    flow = down(scenario, FADES, "mac.retry_limit=2")
    assert flow["efficiency"] == flow["goodput_bps"] / flow["reachable_bps"] < 0.9
    clean = down(scenario, "mac.retry_limit=2")
    assert flow["reachable_bps"] < clean["reachable_bps"]


def test_datagrams_all_arrive_in_the_second_run(scenario):
    """One datagram each 20 ms: all that are offered are reachable, whatever the radio loses."""
    app = "flow.down.app={ kind = 'cbr', rate = '400 kbps', payload = '1000 B' }"
    lost = down(scenario, FADES, "mac.retry_limit=1", app)
    assert sum(lost["packets_lost"].values()) > 10
    assert lost["reachable_bps"] == pytest.approx(4e5, rel=0.01)
    assert lost["efficiency"] == pytest.approx(lost["goodput_bps"] / 4e5, rel=0.01)


def test_over_80216_what_is_lost_takes_no_time_unless_it_is_repeated(tmp_path):
    file = tmp_path / "w.toml"
    file.write_text("""
duration = "20 s"
measures = ["efficiency"]
[[link]]
ends = ["server", "bs"]
rate = "100 Mbps"
delay = "20 ms"
[[wimax]]
base_station = "bs"
stations = 1
[wimax.channel]
model = "bernoulli"
frame_loss = 0.05
[[flow]]
name = "down"
from = "server"
to = "ss1"
""")
    flow = down(file)
    clean = down(file, "wimax.0.channel.frame_loss=0")
    assert flow["reachable_bps"] == clean["goodput_bps"]
    assert flow["efficiency"] < 0.5
    repeated = down(file, "wimax.0.arq={}")
    assert repeated["reachable_bps"] < clean["goodput_bps"]
    assert 0.9 < repeated["efficiency"] <= 1.0


def test_efficiency_is_a_metric_and_of_several_flows_that_of_their_sums(scenario, tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(f"""
[study]
name = "e"
scenario = "{scenario.name}"
replications = 2
metrics = ["down.efficiency"]
[axes]
mac.retry_limit = [5, 7]
""")
    rows = lasthop.sweep(study, out=tmp_path / "out").table().to_pylist()
    assert len(rows) == 4, rows
    assert all(0.95 < row["value"] <= 1.0 for row in rows)
    document = lasthop.run(scenario, overrides=["mac.retry_limit=1", TWO]).documents[0]
    reached = sum(flow["reachable_bps"] for flow in document["flows"])
    assert metrics.value("*.efficiency", document) == pytest.approx(
        sum(flow["goodput_bps"] for flow in document["flows"]) / reached
    )
    assert reached > 0


def test_stations_that_leave_are_refused():
    with pytest.raises(lasthop.ScenarioError, match="efficiency compares"):
        lasthop.check("scenarios/roaming.toml", overrides={"measures": ["efficiency"]})


def test_a_transfer_with_on_times_has_data_for_its_share(scenario):
    """50 s of 60 on: the share of the time in which something is sent, over many sessions."""
    on_times = "flow.down.app={ kind = 'bulk', on_times = { burst = '20 s', idle = '4 s' } }"
    wide = ["link.0.rate=1 Mbps", "tcp.window=8 packets", "measures=[]", "duration=4000 s"]
    part = down(scenario, on_times, *wide)["goodput_bps"] / down(scenario, *wide)["goodput_bps"]
    # Standard error of the share over 167 sessions: sqrt(2 (5/6)^2 (1/6)^2 / 167) = 0.015.
    assert part == pytest.approx(5 / 6, abs=0.05)


@pytest.mark.parametrize(
    ("app", "said"),
    [
        ("size = '1 MB', on_times = { burst = '1 s', idle = '1 s' }", "leave one of them out"),
        ("on_times = { burst = '0 s', idle = '1 s' }", "a time of zero"),
        ("on_times = { burst = '1 s' }", "missing key .*idle"),
        ("on_times = { burst = '1 s', idle = '1 s', pause = '1 s' }", "there is no pause"),
        ("on_times = { burst = '1 s', idle = '1 s', shape = 2.0 }", "shape is for"),
    ],
)
def test_on_times_that_cannot_be(scenario, app, said):
    with pytest.raises(lasthop.ScenarioError, match=said):
        lasthop.check(scenario, overrides=[f"flow.down.app={{ kind = 'bulk', {app} }}"])


def test_count_makes_so_many_flows_between_each_pair(scenario):
    document = lasthop.run(scenario, overrides=["flow.down.count=3", "measures=[]"]).documents[0]
    assert [flow["name"] for flow in document["flows"]] == ["down-1", "down-2", "down-3"]
    none = lasthop.run(scenario, overrides=["flow.down.count=0", "measures=[]"]).documents[0]
    assert none["flows"] == []
    assert none["jain"] is None
    with pytest.raises(lasthop.ScenarioError, match="more than 100000 flows"):
        lasthop.check(scenario, overrides=["flow.down.count=100001"])
