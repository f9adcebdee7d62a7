"""Same seed, same bytes: twice, on one thread and two, from the release build and from the debug build."""

import subprocess
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
