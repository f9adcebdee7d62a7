"""A flow's own time, bits by layer."""

from __future__ import annotations

import pytest

import lasthop
from lasthop import metrics

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
    assert metrics.value("ftp.ip_throughput", wire) == ftp["throughput_bps"] > ftp["goodput_bps"]
    # All is acknowledged by the end: highest number x MSS over the connection's time.
    assert metrics.value("ftp.wimax2012_goodput", wire) == pytest.approx(8e5 / 3)
    assert "acked_goodput_bps" not in wire["flows"][0]


def test_what_was_acknowledged_before_the_measurement_does_not_count():
    bulk = WIRE.replace('app = { kind = "bulk", size = "100 kB" }\nstart = "7 s"', 'app = "bulk"')
    ftp = lasthop.run(bulk).documents[0]["flows"][2]
    # What lies between is acknowledged and not yet so at both ends: a window's worth at most.
    assert ftp["acked_goodput_bps"] == pytest.approx(ftp["goodput_bps"], rel=0.03)
