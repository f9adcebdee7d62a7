"""The limit of a flow: each cause where it is known to apply, and no cause after a change that removes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import ROOT, lasthop
from lasthop import run
from lasthop.core import api
from lasthop.core.how import Watching
from lasthop.core.noticing import Limit

WIRE = """
duration = "20 s"
warmup = "2 s"
[tcp]
variant = "newreno"
[[link]]
ends = ["server", "router"]
rate = "10 Mbps"
delay = "20 ms"
queue = { packets = 60 }
[[link]]
ends = ["router", "host"]
rate = "1 Gbps"
delay = "5 ms"
[[flow]]
name = "f"
from = "server"
to = "host"
app = "bulk"
"""

AIR = """
duration = "10 s"
warmup = "1 s"
[[cell]]
name = "cell"
access_point = "ap"
stations = 2
[phy]
standard = "802.11b"
rate = "11 Mbps"
[[link]]
ends = ["server", "ap"]
rate = "100 Mbps"
delay = "10 ms"
[[flow]]
name = "f"
from = "server"
to = "sta1"
app = "bulk"
"""

NOISE = """
[channel]
model = "gilbert_elliott"
mean_good = "200 ms"
mean_bad = "40 ms"
ber_good = 0
ber_bad = 0.01
"""

HIDDEN = """
duration = "20 s"
conventions = "ns2.35"
[medium]
cs_threshold = "3.652e-10 W"
[phy]
rate = "2 Mbps"
[mac]
long_retry_limit = 1
short_retry_limit = 1
[[cell]]
name = "cell"
access_point = "ap"
stations = 2
[[node]]
name = "ap"
position = [0, 0]
[[node]]
name = "sta1"
position = [-140, 0]
[[node]]
name = "sta2"
position = [140, 0]
[[flow]]
name = "f"
from = "sta*"
to = "ap"
transport = "udp"
app = { kind = "cbr", rate = "400 kbps", payload = "1000 B" }
"""


FRAMES = """
duration = "6 s"
warmup = "2 s"
[[wimax]]
base_station = "bs"
stations = 6
bandwidth = "7 MHz"
cyclic_prefix = "1/16"
frame = "5 ms"
ratio = "1:1"
modulation = "16QAM3/4"
[[link]]
ends = ["server", "bs"]
rate = "100 Mbps"
delay = "5 ms"
[[flow]]
name = "f"
from = "ss*"
to = "server"
transport = "udp"
app = { kind = "cbr", rate = "1.2 Mbps", payload = "1000 B" }
"""


def told(text: str | Path, *changes: str) -> list[Limit]:
    found: list[Limit] = []
    api.kept(text, Watching(overrides=changes, limited=found.extend))
    return found


CAUSES = {
    "link": (WIRE, [], ["link.0.rate=1 Gbps"]),
    "receiver": (WIRE, ["link.0.rate=100 Mbps", "tcp.window=32 kB"], ["link.0.rate=100 Mbps"]),
    "queue": (WIRE, ["link.0.queue.packets=2"], ["link.0.queue.packets=200"]),
    "loss": (WIRE, ["link.0.loss=0.01"], ["link.0.loss=0"]),
    "radio": (
        AIR + NOISE,
        ["link.0.delay=60 ms", "mac.short_retry_limit=1", "mac.long_retry_limit=1"],
        ["link.0.delay=60 ms", "channel.ber_bad=0"],
    ),
    "collisions": (
        HIDDEN,
        [],
        ["medium.cs_threshold=1.559e-11 W", "mac.long_retry_limit=7", "mac.short_retry_limit=7"],
    ),
    "application": (
        WIRE,
        [
            "flow.0.transport=udp",
            'flow.0.app={ kind = "cbr", rate = "1 Mbps", payload = "1000 B" }',
        ],
        [
            "flow.0.transport=udp",
            'flow.0.app={ kind = "cbr", rate = "20 Mbps", payload = "1000 B" }',
        ],
    ),
    "medium": (AIR, [], ["link.0.rate=1 Mbps"]),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_a_cause_is_told_where_it_holds_and_not_where_it_is_taken_away(cause: str) -> None:
    text, there, away = CAUSES[cause]
    (found,) = told(text, *there)
    assert found.cause == cause, found
    assert found.flows == (("f",) if text is not HIDDEN else ("f-1", "f-2"))
    assert any(letter.isdigit() for letter in found.shown_by) or cause == "application"
    assert cause not in {each.cause for each in told(text, *away)}


STOOD = ["association.scan=passive", "node.3.velocity=[0, 0]"]
OF_SCENARIOS = {
    "handoffs": ("roaming", "call_down", STOOD[:1], STOOD, "handoffs"),
    "medium": ("wimax_downloads", "flow1-6", [], ["link.0.rate=1 Mbps"], "the downlink of bs"),
    "application": (
        "web",
        "web-10",
        ["duration=60 s"],
        ["duration=60 s", "flow.0.app.think.mean=50 ms"],
        "their own applications",
    ),
}


@pytest.mark.parametrize("cause", OF_SCENARIOS)
def test_a_cause_is_told_in_a_scenario_that_comes_with_it(cause: str) -> None:
    name, flow, there, away, words = OF_SCENARIOS[cause]

    def of_flow(changes: list[str]) -> list[Limit]:
        found = told(ROOT / "scenarios" / f"{name}.toml", *changes)
        return [each for each in found if flow in each.flows]

    (found,) = of_flow(there)
    assert found.cause == cause, found
    assert words in found.what
    assert cause not in {each.cause for each in of_flow(away)}


ROAMING = ROOT / "scenarios" / "roaming.toml"
UPLOAD = ["flow.call_up.transport=tcp", "flow.call_up.app=bulk"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [([], "the air of first and second"), (["node.walker.velocity=[0, 0]"], "the air")],
)
def test_the_cells_are_named_whose_air_a_station_had_a_share_of(
    changes: list[str], words: str
) -> None:
    (found,) = (each for each in told(ROAMING, *UPLOAD, *changes) if "call_up" in each.flows)
    assert found.what == f"call_up is limited by its own station's share of {words}."


def test_a_shared_lan_is_named() -> None:
    (found,) = told(ROOT / "scenarios" / "shared_lan.toml", "duration=5 s")
    assert "the shares of the LAN lan that their stations have" in found.what


def test_of_frames_that_are_full_the_uplink_is_told() -> None:
    """A tenth of the uplink is left at a rate of which next to nothing is lost, and nothing at a higher one."""
    (full,) = told(FRAMES)
    assert (full.cause, full.at) == ("medium", "wimax")
    assert "the uplink of wimax" in full.what
    (fits,) = told(FRAMES, "flow.0.app.rate=0.9 Mbps")
    assert fits.cause == "application"


def test_a_queue_of_802_16_is_not_told_where_it_may_never_be_empty() -> None:
    """Only the wait of a subscriber's queue is known: packets that it drops may wait for grants all the time."""
    assert told(FRAMES, "flow.0.from=ss1", "flow.0.app.rate=8 Mbps") == []


def test_a_transfer_that_has_ended_is_not_limited_by_its_application() -> None:
    assert told(WIRE, 'flow.0.app={ kind = "bulk", size = "4 MB" }') == []


def test_a_shaper_is_what_packets_wait_for() -> None:
    """The link behind it is idle nearly all the time."""
    shaped = 'link.0.queue={ discipline = "cake", bandwidth = "10 Mbps" }'
    near = ["link.0.rate=1 Gbps", "link.0.delay=1 ms", "link.1.delay=1 ms"]
    (found,) = told(WIRE, shaped, *near)
    assert (found.cause, found.at) == ("link", "server>router")
    assert "the shaper of the link from server to router" in found.what
    assert "shaper" not in "".join(each.what for each in told(WIRE, shaped.replace("10 M", "2 G")))


def test_of_a_flow_that_is_active_for_a_part_nothing_false_is_told() -> None:
    """The link is busy for half of the run, and for all of the flow's time."""
    full = ["tcp.window=256 kB", "link.0.queue.packets=1000"]
    assert told(WIRE, "flow.0.start=11 s", *full) == []
    assert told(WIRE, "flow.0.stop=11 s", *full) == []
    (whole,) = told(WIRE, "flow.0.start=11 s", "warmup=12 s", *full)
    assert whole.cause == "link"
    (short,) = told(WIRE, "flow.0.start=11 s", "tcp.window=8 kB")
    assert short.cause == "receiver"


def test_a_stream_whose_packets_never_wait_for_each_other_is_not_limited_by_the_link() -> None:
    """All of it comes through, on a link that it fills nearly."""
    app = 'flow.0.app={ kind = "cbr", rate = "9.3 Mbps", payload = "1000 B" }'
    (found,) = told(WIRE, "flow.0.transport=udp", app)
    assert found.cause == "application"
    (found,) = told(WIRE, "flow.0.transport=udp", app.replace("9.3", "20"))
    assert found.cause == "link"


def test_an_aqm_is_no_short_queue() -> None:
    far = ["duration=60 s", "link.0.delay=60 ms", "link.0.rate=20 Mbps"]
    (found,) = told(WIRE, 'link.0.queue={ discipline = "codel" }', *far)
    assert found.cause == "queue"
    assert "the AQM in the queue of the link" in found.what
    (found,) = told(WIRE, "link.0.queue.packets=2")
    assert "losses in the queue of the link" in found.what


def test_the_air_of_a_station_that_was_in_several_cells_is_not_compared() -> None:
    found = told(ROOT / "scenarios" / "roaming.toml")
    assert all(
        "in a cell that is busy" not in each.shown_by for each in found if each.at == "cell1"
    )


def test_what_the_channel_corrupts_is_told_beside_the_air() -> None:
    noisy = told(AIR + '[channel]\nmodel = "bernoulli"\nframe_loss = 0.4\n')
    # Its frame, or the acknowledgement: 1 - 0.6 * 0.6.
    assert "The channel corrupts 63 % of what ap sends." in noisy[0].shown_by
    assert "corrupts" not in told(AIR)[0].shown_by


def test_a_window_that_fills_a_queue_does_not_limit() -> None:
    """The sender waits for the window all the time, and a larger one would only make the queue longer."""
    (found,) = told(WIRE, "tcp.window=256 kB", "link.0.queue.packets=1000")
    assert found.cause == "link"


def test_a_narrow_way_back_is_told_of_beside_the_window() -> None:
    """Acknowledgements of 40 B take 8 ms each there; a larger window would only make them wait longer."""
    window, narrow = "tcp.window=64 kB", ["link.0.reverse_rate=40 kbps", "tcp.delayed_ack=false"]
    (open_way,) = told(WIRE, window, "link.0.rate=100 Mbps")
    (found,) = told(WIRE, window, *narrow)
    assert open_way.cause == found.cause == "receiver"
    assert "acknowledgements" not in open_way.shown_by
    assert ", of which its acknowledgements take " in found.shown_by


def test_nothing_is_said_where_no_cause_dominates() -> None:
    assert told(WIRE, "link.0.loss=0.001", "link.0.queue.packets=12", "link.0.rate=8 Mbps") == []


def test_terminal_and_json_have_the_same_sentences_and_the_result_stays_as_it_is() -> None:
    said = lasthop("run", "two_stations", "--set", "duration=15 s", "--json").stdout
    document = json.loads(said)
    both = [each["what"] for each in document["limited"]]
    assert len(both) == 2
    assert [
        each.what for each in run("two_stations", overrides={"duration": "15 s"}).limited
    ] == both
    assert all("limits" not in flow for flow in document["flows"])
    shown = " ".join(lasthop("run", "two_stations", "--set", "duration=15 s").stdout.split())
    assert all(each in shown for each in both)
    assert shown.startswith(both[0])


def test_of_several_runs_the_first_tells() -> None:
    one = lasthop("run", "two_stations", "--set", "duration=15 s", "--json").stdout
    several = lasthop(
        "run", "two_stations", "--set", "duration=15 s", "--json", "--replications", "2"
    )
    assert json.loads(several.stdout)["limited"] == json.loads(one)["limited"]
