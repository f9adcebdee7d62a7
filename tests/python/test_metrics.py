"""Measures by name, from documents and from the core's columns."""

import contextlib
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lasthop
from lasthop import _core
from lasthop.core import metrics

SCENARIOS = Path(__file__).parents[2] / "scenarios"


@pytest.fixture(scope="module")
def voice():
    return lasthop.run(SCENARIOS / "voice_and_bulk.toml", overrides={"duration": "12 s"}).documents[
        0
    ]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("voice.goodput", ("flows", 0, "goodput_bps")),
        ("flow.voice.goodput_bps", ("flows", 0, "goodput_bps")),
        ("voice.delay.p95", ("flows", 0, "delay_s", "p95")),
        ("voice.delay", ("flows", 0, "delay_s", "mean")),
        ("bulk.packets_sent", ("flows", 1, "packets_sent")),
        ("ap.retries", ("stations", 0, "retries")),
        ("cell/ap.mean_packets", ("queues", 2, "mean_packets")),
        ("server>ap.utilisation", ("links", 0, "utilisation")),
        ("jain", ("jain",)),
        ("packets.made", ("packets", "made")),
        ("delay.p95.max", ("flows", 1, "delay_s", "p95")),
    ],
)
def test_a_name_leads_to_its_number(voice, name, path):
    value = voice
    for step in path:
        value = value[step]
    assert metrics.value(name, voice) == value


def test_several_objects_become_one_number(voice):
    flows, stations = voice["flows"], voice["stations"]
    assert metrics.value("goodput", voice) == sum(f["goodput_bps"] for f in flows)
    assert metrics.value("cell.airtime_share", voice) == pytest.approx(
        sum(s["airtime_share"] for s in stations)
    )
    arrived = [f["packets_delivered"] for f in flows]
    means = [f["delay_s"]["mean"] for f in flows]
    pooled = sum(n * m for n, m in zip(arrived, means, strict=True)) / sum(arrived)
    assert metrics.value("delay", voice) == pytest.approx(pooled)
    assert metrics.value("*.goodput.jain", voice) == pytest.approx(voice["jain"])
    each = metrics.resolve(["*.goodput.each"], voice)
    assert each.names == ("voice.goodput_bps", "bulk.goodput_bps")


def test_loss_is_what_was_lost_of_what_was_decided(voice):
    flow = voice["flows"][0]
    lost = dict(flow["packets_lost"], queue=30)
    changed = json.loads(json.dumps(voice))
    changed["flows"][0]["packets_lost"] = lost
    assert metrics.value("voice.loss", changed) == 30 / (30 + flow["packets_delivered"])
    assert metrics.value("voice.packets_lost.queue", changed) == 30
    changed["flows"][0] |= {"packets_lost": dict.fromkeys(lost, 0), "packets_delivered": 0}
    assert math.isnan(metrics.value("voice.loss", changed))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gooput", "did you mean 'goodput'?"),
        ("voce.loss", "did you mean 'voice'?"),
        ("voice.delay.p94", "did you mean 'p99'?"),
        ("flow.vice.loss", "did you mean 'voice'?"),
        ("delay.p95", "choose how to combine them: .sum, .mean"),
        ("voice.name", "is not a number"),
        ("", "is not a metric"),
        ("a..b", "is not a metric"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(voice, name, said):
    with pytest.raises(lasthop.UsageError) as refused:
        metrics.resolve([name], voice)
    assert said in str(refused.value)


@given(st.text("voice.bulk*apcell/goodtludey[]?p95", max_size=20))
def test_any_name_is_found_or_refused(name):
    with contextlib.suppress(lasthop.UsageError):
        assert metrics.resolve([name], DOCUMENT).names


DOCUMENT = lasthop.run(SCENARIOS / "voice_and_bulk.toml", overrides={"duration": "6 s"}).documents[
    0
]

NAMES = [
    "goodput",
    "voice.loss",
    "*.delay.p95.max",
    "delay",
    "jain",
    "station.*.collision_rate.each",
    "window_cuts",
    "bulk.packets_lost.queue",
    "cell.cell_busy",
]


PLAYED = 'flow.voice.app={ kind = "voice" }'


@pytest.mark.parametrize(
    ("file", "changes", "names"),
    [
        ("voice_and_bulk.toml", [], NAMES),
        (
            "voice_and_bulk.toml",
            [PLAYED],
            ["voice.unusable", "voice.interarrival.p95", "delay", "late"],
        ),
        (
            "roaming.toml",
            [],
            ["handoffs.count", "handoffs.gap.max", "handoffs.scan", "loss", "delay"],
        ),
        (
            "mobile_ip.toml",
            [],
            ["handoffs.registration", "handoffs.lost.sum", "mobile_ip.requests"],
        ),
    ],
)
def test_the_cores_columns_are_the_documents_numbers(file, changes, names):
    path = SCENARIOS / file
    documents = lasthop.run(path, replications=3, overrides=changes).documents
    text = path.read_text()
    # Names are found before anything has run, when no delay is known.
    _, _, outline, *_ = _core.outline(text, file, changes)
    found = metrics.resolve(names, json.loads(outline))
    numbers = _core.Numbers([(leaf.path, leaf.reduce) for leaf in found.leaves])
    # One replication, then two at once.
    jobs = [(text, file, changes, None, 0, 1, None), (text, file, changes, None, 1, 2, None)]
    batch = _core.Batch(jobs, 2, numbers=[numbers] * 2)
    rows = {}
    while len(rows) < 3:
        rows |= dict(batch.poll(1.0))
    columns = found.evaluate(np.array([rows[place] for place in range(3)]))
    np.testing.assert_array_equal(columns, found.over(documents))
    assert not np.isnan(columns[:, 0]).any()


def test_the_opinion_of_a_call_is_a_metric_of_studies(tmp_path: Path) -> None:
    results = lasthop.sweep(
        SCENARIOS / "voice.toml",
        tmp_path,
        over={"queue.packets": [5, 50]},
        metrics=["mos.min", "r_factor.mean"],
        overrides={"duration": "20 s"},
        replications=2,
    )
    assert all(1 <= value <= 4.5 for value in results.values("mos.min", 0))
