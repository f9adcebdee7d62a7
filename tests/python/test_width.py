"""All output fits 80 columns, also in a pipe, or the value of COLUMNS; and no number is cut or broken."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from rich.cells import cell_len

import lasthop
from commands import lasthop as command

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios").glob("*.toml"))

STUDY = """
[study]
name = "small"
replications = 3
metrics = ["goodput_bps", "up.delay_s.p95", "up.retransmits", "up.packets_lost.wire_loss", "up.jitter_s", "jain"]

[scenario]
duration = "3 s"
link = [{ ends = ["a", "b"], rate = "4 Mbps", delay = "10 ms", loss = 0.01 }]
flow = [{ name = "up", from = "a", to = "b", app = "bulk" }]

[axes]
"link.0.loss" = [0.001, 0.01]
"queue.packets" = [5, 50]

[[compare]]
axis = "queue.packets"
metric = "goodput_bps"

[[claim]]
id = "C1"
text = "More loss means less."
metric = "goodput_bps"
holds = { below = { a = { "link.0.loss" = 0.01 }, b = { "link.0.loss" = 0.001 } } }
"""

#: Kinds of names whose lists are printed by different code.
LISTS = ["variants", "quantities", "scenarios", "studies", "papers", "lessons", "comparisons"]

#: Commands by the text before them, in the order in which they are run.
COMMANDS = [
    "list",
    *(f"list {kind}" for kind in LISTS),
    "new wifi office --stations 3 --downloads cubic --calls 1 --loss 2%",
    "new study room --scenario office.toml --over queue.packets=5,50 --metric goodput_bps",
    "new law Mine",
    "new paper paper",
    "check office.toml room.toml small.toml",
    "check --explain unknown-key",
    "run office.toml --chart --set duration=9s",
    "sweep small.toml",
    "results out/small",
    "results out/small --values",
    "audit small.toml",
    "duel newreno cubic --over small.toml --replications 3 --out duel",
    "evaluate reno --replications 2 --out evaluated",
    "advise voice --choose queue.packets=5,50 --minimise call_up-1.delay.p95 --set duration=15s --most 6 --out a",
    "validate queues --quick",
    "compare path.toml plain.json --replications 3",
    "fit bursts.pcap.gz -o fitted.toml",
    "compare fitted.toml bursts.pcap.gz --replications 3 --out page.html",
    "reproduce jun2003 --quick",
    "bench lan",
    "export ns2 voice_and_bulk --set duration=6s --out voice.tr",
]

PATH = """
duration = "10 s"
link = [{ ends = ["a", "b"], rate = "3 Mbps", delay = "10 ms", loss = 0.01 }]
flow = [{ name = "up", from = "a", to = "b" }]
"""


def refuse_wide(shown: str, width: int) -> None:
    assert "Traceback" not in shown
    assert shown.strip()
    # A path is not broken: it is there to be copied.
    lines = [line.rstrip() for line in shown.splitlines() if not line.startswith("wrote ")]
    wide = [line for line in lines if cell_len(line) > width]
    assert not wide, "\n".join(wide)
    assert not [line for line in lines if "…" in line]
    # The interval of a mean follows it.
    assert not [line for line in lines if re.search(r"\d ±$", line) or re.match(r"\s*± ?\d", line)]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_command_prints_wider_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    (tmp_path / "small.toml").write_text(STUDY)
    (tmp_path / "path.toml").write_text(PATH)
    for file in ("plain.json", "bursts.pcap.gz"):
        shutil.copy(ROOT / "tests/python/cases/measured" / file, tmp_path)
    shutil.copytree(ROOT / "docs/tutorial/jun2003", tmp_path / "jun2003")
    if width == 80:  # the default
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", str(width))
    for words in COMMANDS:
        done = command(*words.split(), cwd=tmp_path)
        assert done.returncode == 0, (words, done.stderr)
        refuse_wide(done.stdout, width)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_no_run_prints_wider_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    for more in ([], ["--replications", "2"]):
        done = command("run", path, "--set", "duration=12s", *more)
        if done.returncode:  # the cause is named after this
            done = command("run", path, *more)
        assert done.returncode == 0, done.stderr
        refuse_wide(done.stdout, 80)


def test_a_table_that_is_too_wide_is_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    words = ["run", "two_stations", "--replications", "3", "--set", "duration=30s"]
    shown = command(*words).stdout
    assert re.search(r"^ +download +upload *$", shown, re.M)
    assert re.search(r"^ goodput kbit/s +[\d,.]+ ± [\d,.]+ +[\d,.]+ ± [\d,.]+ *$", shown, re.M)
    run = lasthop.run("two_stations", replications=3, overrides={"duration": "30 s"})
    estimate = run["upload"].estimate("goodput_bps")
    assert estimate is not None
    assert f"{estimate.mean / 1000:,.1f} ± " in shown


def test_no_heading_is_broken_before_its_per_cent_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link.toml").write_text(
        'duration = "10 s"\nflow = [{ name = "late", from = "a", to = "b" }]\n'
        'link = [{ ends = ["a", "b"], rate = "10 Mbps", delay = "20 ms" }]\n'
    )
    for width in (80, 79, 78, 76):
        monkeypatch.setenv("COLUMNS", str(width))
        shown = command("run", "link.toml", cwd=tmp_path).stdout
        headings = shown.partition("Flows")[2].partition("\u2500")[0]
        assert "95 %" in headings
        assert not re.search(r"95 *$|^ *%|  % ", headings, re.M)
