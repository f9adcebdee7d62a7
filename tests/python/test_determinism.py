"""Same seed, same bytes: twice, on one thread and two, from the release build and from the debug build."""

import json
import subprocess
import time
from pathlib import Path

import pytest

from lasthop import _core
from lasthop.core import checkout, source

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios").glob("*.toml"))

# Every random purpose and every rule that differs: bursts, coding, random loss, RTS/CTS, Tahoe, ns-2's ways.
EVERYTHING = """
duration = "20 s"
warmup = "1 s"
conventions = "ns2"
[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"
loss = 0.01
[[cell]]
access_point = "ap"
stations = 4
name = "cell"
[mac]
rts = "300 B"
[channel]
model = "gilbert_elliott"
mean_good = "100 ms"
mean_bad = "33.3 ms"
ber_good = 1e-6
ber_bad = 1e-2
state_per = "receiver"
sampling = "each_bit"
[fec]
model = "block"
n = 255
k = 181
symbol_bits = 8
adaptive = true
feedback_delay = "5 ms"
[tcp]
variant = "tahoe"
[[flow]]
name = "down"
from = "server"
to = "sta*"
app = "bulk"
[[flow]]
name = "up"
from = "sta1"
to = "server"
transport = "udp"
app = { kind = "cbr", rate = "32 kbps", payload = "200 B" }
"""


Request = tuple[str, str, list[str], int | None, int, int, _core.Files | None]


def texts() -> list[str]:
    return [EVERYTHING, *(path.read_text() for path in SCENARIOS)]


def results(jobs: list[Request], threads: int) -> list[str]:
    batch = _core.Batch(jobs, threads)
    found: dict[int, str] = {}
    while len(found) < len(jobs):
        found |= dict(batch.poll(1.0))
    return [found[index] for index in range(len(jobs))]


def test_results_do_not_depend_on_the_number_of_threads_or_the_time_of_day() -> None:
    jobs: list[Request] = [
        (EVERYTHING, "x", [], seed, rep, 1, None) for seed in (1, 2) for rep in range(4)
    ]
    once = results(jobs, 1)
    assert once == results(jobs, 2)
    assert once == results(jobs, 3)
    assert len(set(once)) == len(once), "seeds and replications differ"
    together: list[Request] = [(EVERYTHING, "x", [], seed, 0, 4, None) for seed in (1, 2)]
    batch = _core.Batch(together, 3)
    found: dict[int, str] = {}
    while len(found) < len(once):
        found |= dict(batch.poll(1.0))
    assert [found[place] for place in range(len(once))] == once, "four at once are four alone"


#: Three links of which two have a node in common; 800 s are some millions of events, which are worth dividing.
APART = """
duration = "{seconds} s"
warmup = "400 s"
link = [
    {{ ends = ["a", "b"], rate = "8 Mbps", delay = "9 ms", loss = 1e-3 }},
    {{ ends = ["c", "d"], rate = "8 Mbps", delay = "9 ms", loss = 1e-4 }},
    {{ ends = ["d", "e"], rate = "8 Mbps", delay = "7 ms" }},
]
flow = [
    {{ from = "a", to = "b", app = "bulk" }},
    {{ from = "c", to = "d", app = "bulk" }},
    {{ from = "e", to = "c", app = "bulk" }},
]
"""


def test_threads_without_a_run_help_a_large_one_and_change_no_byte() -> None:
    text = APART.format(seconds=800)
    jobs: list[Request] = [(text, "x", [], 1, replication, 1, None) for replication in range(2)]
    (alone,) = results(jobs[:1], 1)
    assert json.loads(alone)["events"] > 3_000_000
    assert results(jobs[:1], 4) == [alone]
    assert results(jobs, 3)[0] == alone


def test_a_run_in_parts_tells_of_its_steps_and_can_be_given_up() -> None:
    batch = _core.Batch([(APART.format(seconds=20_000), "x", [], 1, 0, 1, None)], 2)
    began = time.monotonic()
    while batch.fraction() < 0.02 and time.monotonic() < began + 300:
        assert batch.poll(0.1) == []
    assert 0.02 <= batch.fraction() < 1
    batch.cancel()
    after = batch.fraction()
    time.sleep(1)
    assert batch.poll(0.1) == []
    assert batch.fraction() < after + 0.1


@pytest.fixture(scope="module")
def debug() -> str:
    return checkout.built("run")


@pytest.mark.parametrize("text", texts(), ids=["everything", *(p.stem for p in SCENARIOS)])
def test_the_debug_build_gives_the_bytes_of_the_release_build(text: str, debug: str) -> None:
    files = _core.Files(list(source.files_of(text, str(SCENARIOS[0]), ())))
    (release,) = results([(text, "x", [], None, 0, 1, files)], 1)
    done = subprocess.run(
        [debug, "scenarios"], cwd=ROOT, input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == release
