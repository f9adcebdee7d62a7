"""Audits: which claims rest on what is unstated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lasthop
import studies
from lasthop.cli import audit_output
from lasthop.cli.commands.audit import AuditOptions
from lasthop.core.quantities import QUANTITIES
from lasthop.core.quantities.better import LESS, MORE, higher_is_better, is_less_better
from lasthop.errors import StudyError, UsageError
from lasthop.study.claims import Table, judge_claims, read_claims
from lasthop.study.claims.unstated import OpenChoice, audit, variations
from lasthop.study.judgement import judged_tables
from lasthop.study.reader import parse

CLAIMS = read_claims(
    [
        {"id": "flips", "text": "b over a", "holds": {"above": {"a": {"v": "b"}, "b": {"v": "a"}}}},
        {"id": "stays", "text": "over 10", "holds": {"over": {"value": 10}}},
    ]
)
CHOICES = [
    OpenChoice("meaning", "mac.meaning", "x", ("y",)),
    OpenChoice("noise", "mac.noise", "low", ("high", "higher")),
]


def evaluate(changes: Mapping[str, Any]) -> dict[str, Table]:
    """Give goodputs in which the meaning decides which is better, and noise hides it."""
    gain = 0.8 if changes.get("mac.meaning") == "y" else 1.2
    spread = {"low": 1.0, "high": 1.0, "higher": 25.0}[changes.get("mac.noise", "low")]
    rng = np.random.default_rng(3)
    a, b = rng.normal(100, spread, 10), gain * rng.normal(100, spread, 10)
    return {"goodput_bps": Table.of("goodput_bps", [({"v": "a"}, a), ({"v": "b"}, b)])}


def test_an_audit_names_what_flips_a_claim() -> None:
    found = audit(CLAIMS, CHOICES, evaluate)
    assert found.complete
    assert found.flips() == {"flips": ["meaning: y"], "stays": []}
    noisy = found.variations[-1]
    assert (noisy.flipped, noisy.changed) == ((), ("flips",))  # more replications may tell
    json.dumps(found.as_dict())


def test_pairs_are_of_two_different_choices() -> None:
    names = [name for name, _ in variations(CHOICES, pairs=True)]
    assert names == [
        "meaning: y",
        "noise: high",
        "noise: higher",
        "meaning: y; noise: high",
        "meaning: y; noise: higher",
    ]


def test_ctrl_c_leaves_what_is_done() -> None:
    def interrupted(changes: Mapping[str, Any]) -> dict[str, Table]:
        if "mac.noise" in changes:
            raise KeyboardInterrupt
        return evaluate(changes)

    found = audit(CLAIMS, CHOICES, interrupted)
    assert not found.complete
    assert [each.name for each in found.variations] == ["meaning: y"]


STUDY = """
[study]
name = "retry"
replications = 12
metrics = ["up.loss"]
[axes]
mac.short_retry_limit = [1, 7]
[[compare]]
axis = "mac.short_retry_limit"
metric = "up.loss"
[[unstated]]
name = "what a retry limit counts"
key = "mac.retry_limit_counts"
values = ["attempts", "retransmissions"]
[[claim]]
id = "R"
text = "with a limit of 1 over a tenth is lost"
where = { "mac.short_retry_limit" = 1 }
holds = { over = { value = 0.1 } }
[scenario]
duration = "1 s"
phy = { standard = "802.11", rate = "2 Mbps" }
mac = { rts = "never" }
cell = [ { name = "cell", access_point = "ap", stations = ["sta1"] } ]
channel = { model = "bernoulli", frame_loss = 0.2, control_frames = false }
[[scenario.flow]]
name = "up"
from = "sta1"
to = "ap"
transport = "udp"
app = { kind = "cbr", payload = "100 B", rate = "80 kbps" }
"""


def test_a_study_is_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    assert audit_output.show(str(path), AuditOptions(out=tmp_path / "out", as_json=True))
    found = json.loads(capsys.readouterr().out)
    assert found["claims"][0]["verdict"] == "holds"
    assert found["flips"] == {"R": ["what a retry limit counts: retransmissions"]}
    (compared,) = found["compared"].values()
    assert [each["verdict"] for each in compared.values()] == ["better"]
    audit_output.show(str(path), AuditOptions(out=tmp_path / "out"))
    assert "flipped by" in capsys.readouterr().out


@pytest.mark.parametrize("axis", ["description", "tcp.window"])
def test_axes_that_step_together_are_known_by_one_of_them(tmp_path: Path, axis: str) -> None:
    """A claim names one axis of three; the retry limit, which repeats, would leave no pair of cells otherwise."""
    words, windows = ["small", "none", "large"], ["2 packets", "4 packets", "8 packets"]
    named = dict(zip(("a", "b"), (words if axis == "description" else windows)[::2], strict=True))
    made = f"""
[study]
name = "paired"
scenario = "small.toml"
metrics = ["goodput_bps"]
replications = 4

[axes]
description = {words}
"tcp.window" = {windows}
mac.short_retry_limit = [2, 7, 7]
paired = [["description", "tcp.window", "mac.short_retry_limit"]]

[[claim]]
id = "C"
text = "A larger window carries more."
metric = "goodput_bps"
holds = {{ below = {{ a = {{ "{axis}" = "{named["a"]}" }}, b = {{ "{axis}" = "{named["b"]}" }} }} }}
"""
    study = studies.study(tmp_path, made)
    results = lasthop.sweep(study, tmp_path / "out")
    (judged,) = judge_claims(study.claims, judged_tables(results, study))
    (setting,) = judged.parts[0].settings
    assert setting.was_run
    assert judged_tables(results, study)["goodput_bps"].axes == (axis,)


def test_a_wrong_claim_is_refused_when_the_study_is_read() -> None:
    with pytest.raises(StudyError, match=r"study.toml: claim R: holds\.ovr: no word 'ovr'"):
        parse(STUDY.replace("over = ", "ovr = "), "study.toml")


def test_nothing_to_judge_is_said(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    head, tail = STUDY.split("[[compare]]")[0], STUDY.split("[scenario]")[1]
    path.write_text(f"{head}[scenario]{tail}")
    with pytest.raises(UsageError, match="nothing to judge"):
        audit_output.show(str(path), AuditOptions(out=tmp_path / "o", as_json=True))


@pytest.mark.parametrize(
    ("metric", "lower"),
    [
        ("goodput_bps", False),
        ("voice.loss", True),
        ("game.delay_s.p95", True),
        ("delay_s.mean", True),
        ("ap.mean_rate", False),
        ("ap.retry_rate", True),
        ("voice.mos", False),
        ("delayed.goodput", False),
        ("packets_lost.queue", True),
        ("voice.delay_split.queueing", True),
        ("web.pages.unfinished", True),
        ("queue.cell/ap.mean_packets", True),
        ("ap.retry_drops", True),
        ("handoffs.total.max", True),
        ("goodput.starved", True),
        ("call*.loss.jain", False),
        ("loss.goodput", False),
        ("late.goodput", False),
    ],
)
def test_less_is_better_of_what_nobody_wants(metric: str, lower: bool) -> None:
    assert is_less_better(metric) is lower


@pytest.mark.parametrize(
    ("metric", "wanted"),
    [
        ("goodput", True),
        ("voice.mos", True),
        ("link.0.utilisation", True),
        ("call*.loss.jain", True),
        ("voice.loss", False),
        ("goodput.starved", False),
        ("packets_sent", None),
        ("ap.attempts", None),
        ("bulk.window_cuts", None),
        ("goodput.share1", None),
        ("limits.sender.congestion_share", None),
    ],
)
def test_of_counters_neither_more_nor_less_is_better(metric: str, wanted: bool | None) -> None:
    assert higher_is_better(metric) is wanted


def test_what_people_want_more_or_less_of_exists() -> None:
    names = {each.name for each in QUANTITIES}
    assert names >= LESS
    assert names >= MORE
    assert not LESS & MORE
