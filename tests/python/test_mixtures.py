"""Scenarios that mix everything: they are valid, use every key of the format, and add up."""

from __future__ import annotations

import re
import tomllib

import pytest

from lasthop.core import api
from lasthop_validation.mixing import mixture
from lasthop_validation.mixing.values import every_key
from lasthop_validation.mixtures import QUICK, count_again, told
from lasthop_validation.recounting import problems

#: Keys that no mixture has, each for a reason; all others of the schema some mixture must have.
NOT_MIXED = {
    "name", "description",  # words
    "file", "format", "loop", "offset", "node", "dimensions",  # traces are files: tests of scenarios/trace.toml
    "trace", "reverse_trace",  # files too: tests of courses
    "law_options",  # differ by law: `lasthop conformance` has them
    "seed",  # of the run
    "transport",  # follows from the application
}  # fmt: skip


#: Mixtures that have all keys together today: of some thousand, one by one, that with the most keys still missing.
#: Where the generator changes, those that follow are drawn too, which may take 20 s.
FIRST = (
    4, 7, 10, 31, 38, 41, 43, 46, 82, 87, 157, 169, 184, 190, 198, 234, 253, 279, 286, 339, 340, 395,
    420, 435, 441, 475, 538, 631, 648, 696, 701, 718, 786, 940, 946, 1093, 1723,
)  # fmt: skip

#: A key, or the table that it names, as `mixing_text.written` writes it.
KEY = re.compile(r"(?m)(?:^|[{,] |\.|\[)([a-z0-9_]+)(?: =|\]+$)")


@pytest.mark.parametrize("first", range(0, QUICK, 10))
def test_what_a_run_tells_follows_from_its_packets(first: int) -> None:
    for seed in range(first, first + 10):
        found = count_again(seed)
        assert not found, told(seed, found)


@pytest.mark.parametrize("seed", range(0, 40, 4))
def test_the_whole_document_of_a_mixture_runs_as_it_does(seed: int) -> None:
    """Its values are those of the scenario, its identity too, and it is the whole document of itself."""
    job = api.read(mixture(seed))
    document = api.read(job.resolved())
    assert document.identity() == job.identity()
    assert api.run(document.text).documents == api.run(job.text).documents
    values = [line.partition("  # ")[0] for line in document.resolved().splitlines()]
    assert values == [line.partition("  # ")[0] for line in document.text.splitlines()]


def test_the_generator_misses_no_key() -> None:
    """A key that is new in the schema is drawn by itself; this fails where no valid scenario has it."""
    missing = every_key() - NOT_MIXED
    for seed in (*FIRST, *range(6000)):
        missing -= set(KEY.findall(mixture(seed)))
        if not missing:
            break
    assert missing == set()


def test_a_mixture_is_the_same_each_time_and_the_next_another() -> None:
    assert mixture(7) == mixture(7) != mixture(8)
    assert tomllib.loads(mixture(7))["flow"]


BEACONS = """duration = "2 s"
[[cell]]
access_point = "ap"
stations = ["near", "far"]
placement = "line 5 m"
[[flow]]
from = "near"
to = "far"
app = { kind = "periodic", payload = "200 B", interval = "10 ms" }
[medium]
[association]
mode = "static"
beacon_interval = "29.62 ms"
"""


def test_a_packet_behind_its_own_beacon_waits_for_access_in_the_queue() -> None:
    assert api.run(BEACONS).documents[0]["queues"][0]["mean_packets"] > 0
    assert problems(BEACONS) == []


TUNNEL = """
duration = "4 s"
[[link]]
ends = ["home", "west"]
rate = "8 Mbps"
[[link]]
ends = ["home", "east"]
rate = "8 Mbps"
[[cell]]
access_point = "west"
stations = ["mobile"]
[[cell]]
access_point = "east"
stations = ["desk"]
[[node]]
name = "west"
position = [0, 0]
[[node]]
name = "east"
position = [40, 0]
[[node]]
name = "desk"
position = [42, 3]
[[node]]
name = "mobile"
position = [35, 0]
[medium]
[association]
[mobile_ip]
home_agent = "home"
mobile_nodes = ["mobile"]
[channel]
model = "bernoulli"
frame_loss = 0.1
[[flow]]
from = "desk"
to = "mobile"
app = { kind = "web", request = "20 packets" }
[[proxy]]
kind = "mtcp"
at = "east"
"""


def test_what_a_proxy_makes_at_the_end_of_a_tunnel_has_all_its_bytes() -> None:
    """Those like it have come through the tunnel, whose header is taken from them; it never had one."""
    (document,) = api.run(TUNNEL).documents
    (flow,) = document["flows"]
    assert flow["packets_tunnelled"] > 0
    assert flow["mtcp"]["released"] > 0
    assert problems(TUNNEL) == []
