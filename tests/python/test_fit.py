"""`lasthop fit` finds what was planted, in its stated intervals, and says when its model does not fit."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

import lasthop
from commands import lasthop as command
from lasthop.data.fitting import fit, goodness, losses, queues
from lasthop.data.fitting.losses import Losses, Parameter
from lasthop.data.fitting.writing import scenario
from lasthop.study.making import SCHEMA

CASES = Path(__file__).parent / "cases" / "measured"

PATH = """
duration = "30 s"
[[link]]
ends = ["near", "router"]
rate = "1 Gbps"
[[link]]
ends = ["router", "far"]
rate = "5 Mbps"
delay = "20 ms"
queue = "40 packets"
loss_direction = "forward"
[tcp]
variant = "sack"
[[flow]]
name = "one"
from = "near"
to = "far"
"""
GILBERT = {"link.1.bursts.mean_good": "600 ms", "link.1.bursts.mean_bad": "20 ms"}
SURE = Parameter(0, 0, 0)


def captured(folder, seed, changes, ends=("near-*",)):
    return lasthop.run(
        PATH, seed=seed, overrides=changes, pcap=folder, pcap_only=list(ends), pcap_snap=100
    ).documents[0]


def planted(**parameters):
    """A Gilbert-Elliott process with these parameters, to draw from."""
    sure = {name: Parameter(value, value, value) for name, value in parameters.items()}
    return Losses("gilbert_elliott", sure, SURE, 0.0)


def holds(parameter, value):
    return parameter["low"] <= value <= parameter["high"]


def test_intervals_of_bursts_cover_what_was_planted():
    truth = {"mean_good_s": 0.5, "mean_bad_s": 0.02}
    process, random = planted(**truth), np.random.default_rng(1)
    hits = 0
    for _ in range(30):
        at = np.cumsum(random.exponential(0.0025, 4000))
        found = losses.estimate(at, goodness._draw(process, at, random))
        assert found.model == "gilbert_elliott"
        assert set(found.parameters) == set(truth)
        hits += sum(
            found.parameters[k].low <= v <= found.parameters[k].high for k, v in truth.items()
        )
    # Fewer than 52 of 60 intervals of 95 % cover with a probability of 0.3 %.
    assert hits >= 52


def test_intervals_of_bursts_that_lose_a_part_cover_too():
    truth = {"mean_good_s": 1.0, "mean_bad_s": 0.05, "loss_bad": 0.5}
    process, random = planted(**truth), np.random.default_rng(2)
    hits, all_ = 0, 0
    for _ in range(12):
        at = np.cumsum(random.exponential(0.0025, 8000))
        found = losses.estimate(at, goodness._draw(process, at, random))
        there = {k: v for k, v in truth.items() if k in found.parameters}
        all_ += len(there)
        hits += sum(
            found.parameters[k].low <= v <= found.parameters[k].high for k, v in there.items()
        )
    assert all_ >= 34  # the model is found but for chance
    assert hits >= 30  # of 36; fewer with a probability of 0.8 %


def test_losses_of_their_own_are_no_bursts():
    random, hits = np.random.default_rng(3), 0
    for _ in range(20):
        at = np.cumsum(random.exponential(0.002, 4000))
        found = losses.estimate(at, (random.random(4000) < 0.01).astype(float))
        assert found.model == "bernoulli"
        hits += found.share.low <= 0.01 <= found.share.high
    assert hits >= 17  # of 20; fewer with a probability of 2 %


def test_a_true_model_is_seldom_refuted_and_a_wrong_one_is():
    random = np.random.default_rng(4)
    process, refuted = planted(mean_good_s=0.5, mean_bad_s=0.02), 0
    for _ in range(20):
        at = np.cumsum(random.exponential(0.0025, 3000))
        lost = goodness._draw(process, at, random)
        refuted += not goodness.judge(losses.estimate(at, lost), at, lost).fits
    assert refuted <= 1
    every_hundredth = np.zeros(8000)
    every_hundredth[::100] = 1
    at = np.cumsum(random.exponential(0.002, 8000))
    judged = goodness.judge(losses.estimate(at, every_hundredth), at, every_hundredth)
    assert not judged.fits


@pytest.mark.parametrize(
    ("changes", "truth"),
    [
        (GILBERT, {"mean_good_s": 0.6, "mean_bad_s": 0.02}),
        ({"link.1.loss": 0.01}, {"share": 0.01}),
    ],
    ids=["gilbert", "bernoulli"],
)
def test_captures_of_our_own_give_back_the_path(changes, truth, tmp_path):
    hits = dict.fromkeys([*truth, "delay_s", "rate_bps"], 0)
    for seed in range(10):
        document = captured(tmp_path / str(seed), seed, changes)
        found = fit(tmp_path / str(seed) / "near-eth0.pcapng").as_dict()
        assert found["losses"]["model"] == (
            "gilbert_elliott" if changes is GILBERT else "bernoulli"
        )
        assert found["fits"]
        hits["delay_s"] += holds(found["delay_s"], 0.02)
        hits["rate_bps"] += holds(found["rate_bps"], 5e6)
        for name, value in truth.items():
            hits[name] += holds(found["losses"][name], value)
        dropped = document["flows"][0]["packets_lost"]["queue"]
        if dropped > 5:
            assert found["queue_packets"] == 40
            assert found["queue_drops"] == pytest.approx(dropped, abs=2)
    # Ten intervals of 95 %: fewer than 8 cover with a probability of 1 %.
    assert all(count >= 8 for count in hits.values()), hits


def test_both_ends_of_udp_tell_its_losses(tmp_path):
    text = PATH + 'app = { kind = "cbr", rate = "2 Mbps", payload = "500 B" }\n'
    ends = ["near-*", "far-*"]
    run = lasthop.run(text, seed=3, overrides=GILBERT, pcap=tmp_path, pcap_only=ends)
    found = fit(tmp_path / "near-eth0.pcapng", tmp_path / "far-eth0.pcapng")
    flow = run.documents[0]["flows"][0]
    assert found.lost == pytest.approx(sum(flow["packets_lost"].values()), rel=0.01)
    assert found.path.trains.is_bound  # 2 of 5 Mbit/s
    assert found.as_dict()["losses"]["model"] == "gilbert_elliott"
    assert holds(found.as_dict()["losses"]["mean_bad_s"], 0.02)
    assert "lower bound" in " ".join(found.notes)
    with pytest.raises(lasthop.errors.MeasuredError, match="capture of the other end too"):
        fit(tmp_path / "near-eth0.pcapng")


def test_the_scenario_of_a_real_capture_runs_and_has_its_path(tmp_path):
    out = tmp_path / "path.toml"
    (tmp_path / SCHEMA).write_text("{}")
    said = command("fit", CASES / "bursts.pcap.gz", "-o", out)
    assert out.read_text().startswith(f"#:schema ./{SCHEMA}\n")
    assert said.returncode == 0, said.stderr
    assert "Losses come in bursts" in said.stdout
    link = tomllib.loads(out.read_text())["link"][1]
    assert float(link["rate"].split()[0]) == pytest.approx(2.0, rel=0.02)
    assert float(link["delay"].split()[0]) == pytest.approx(10, rel=0.1)
    found = json.loads(command("fit", CASES / "bursts.pcap.gz", "--json").stdout)
    assert holds(found["rate_bps"], 2e6)
    assert holds(found["losses"]["mean_good_s"], 0.6)
    assert holds(found["losses"]["mean_bad_s"], 0.02)
    assert (
        lasthop.run(out, overrides={"duration": "5 s"}).documents[0]["flows"][0]["goodput_bps"]
        > 1e6
    )


@pytest.mark.parametrize("changes", [{}, {"link.1.loss": 0.01}, GILBERT])
def test_every_scenario_that_is_written_is_one(changes, tmp_path):
    captured(tmp_path, 1, {"duration": "10 s", **changes})
    lasthop.check(scenario(fit(tmp_path / "near-eth0.pcapng")))


def test_what_cannot_be_fitted_is_said(tmp_path):
    captured(tmp_path, 1, {"duration": "3 s"}, ends=("*",))
    for files, said in [
        ((), "takes a capture"),
        ((CASES / "plain.json",), "is not a capture"),
        ((tmp_path / "far-eth0.pcapng",), "taken near the receiver"),
        (
            (tmp_path / "near-eth0.pcapng", CASES / "bursts.pcap.gz"),
            "no packet of the busiest flow",
        ),
        ((CASES / "voice.pcap.gz",), "capture of the other end too"),
    ]:
        ended = command("fit", *files)
        assert ended.returncode == 2
        assert said in ended.stderr, ended.stderr


def test_the_delay_of_a_path_faster_than_any_host_lies_in_its_interval(tmp_path):
    # As on loopback: the round trip is shorter than a host of 1 Gbit/s takes for the packet alone.
    fast = {"link.0.rate": "100 Gbps", "link.1.rate": "100 Gbps", "link.1.delay": "1 us"}
    captured(tmp_path, 1, {"duration": "100 ms", "tcp.window": "1 packets", **fast})
    delay = fit(tmp_path / "near-eth0.pcapng").path.delay
    assert delay.low <= 1e-6 <= delay.high
    assert delay.low <= delay.value <= delay.high


def queued(folder, queue, changes=()):
    text = PATH.replace('"40 packets"', f"{{ packets = 100, {queue} }}")
    return lasthop.run(
        text, seed=1, overrides=dict(changes), pcap=folder, pcap_only=["near-*"], pcap_snap=100
    ).documents[0]


@pytest.mark.parametrize(
    ("discipline", "named"),
    [("codel", "codel"), ("fq_codel", "codel"), ("pie", "pie"), ("red", "red")],
)
def test_what_an_aqm_drops_is_no_random_loss_and_the_aqm_is_named(discipline, named, tmp_path):
    document = queued(tmp_path, f'discipline = "{discipline}"')
    lost = document["flows"][0]["packets_lost"]
    found = fit(tmp_path / "near-eth0.pcapng")
    assert lost["aqm"] >= 10
    assert found.losses.model == "none"
    assert found.path.queue.dropped.sum() == pytest.approx(lost["aqm"] + lost["queue"], abs=2)
    assert found.path.discipline.name == named
    link = tomllib.loads(scenario(found))["link"][1]
    assert link["queue"]["discipline"] == named
    assert "loss" not in link
    lasthop.check(scenario(found))


def test_random_loss_is_found_beside_an_aqm(tmp_path):
    document = queued(tmp_path, 'discipline = "codel"', {"link.1.loss": 0.002})
    lost = document["flows"][0]["packets_lost"]
    found = fit(tmp_path / "near-eth0.pcapng")
    assert lost["wire_loss"] >= 10
    assert found.losses.share.low <= 0.002 <= found.losses.share.high
    assert found.path.queue.dropped.sum() == pytest.approx(lost["aqm"], abs=3)


CALL = """
[[link]]
ends = ["other", "router"]
rate = "1 Gbps"
[[flow]]
name = "call"
from = "other"
to = "far"
app = { kind = "cbr", rate = "2 Mbps", payload = "500 B" }
"""


@pytest.mark.parametrize("loss", [0, 0.01])
def test_a_link_that_others_share_has_its_own_rate_and_no_loss_of_theirs(loss, tmp_path):
    lasthop.run(
        PATH + CALL, seed=1, overrides={"link.1.loss": loss}, pcap=tmp_path, pcap_only=["near-*"]
    )
    found = fit(tmp_path / "near-eth0.pcapng")
    assert holds(found.as_dict()["rate_bps"], 5e6)
    assert found.as_dict()["share_bps"] < 3.3e6
    assert any("other traffic shares a link of that rate" in note for note in found.notes)
    if loss:
        assert found.losses.share.low <= loss <= found.losses.share.high
        return
    assert found.losses.model == "none"
    # The flow gets again what it got: 3 Mbit/s less the headers.
    again = lasthop.run(scenario(found), overrides={"tcp.variant": "sack"}).documents[0]
    assert again["flows"][0]["goodput_bps"] == pytest.approx(2.85e6, rel=0.15)


RADIO = """
duration = "5 s"
[phy]
standard = "802.11g"
[tcp]
variant = "cubic"
[[link]]
ends = ["server", "ap"]
rate = "1 Gbps"
delay = "15 ms"
[[cell]]
access_point = "ap"
stations = 1
[[flow]]
from = "server"
to = "sta1"
"""


@pytest.mark.parametrize("standard", ["802.11g", "802.11ax"])
def test_a_radio_is_not_said_to_be_a_link_that_others_share(standard, tmp_path):
    """Its one station sends acknowledgements in a row, with aggregates as fast as the wire behind it is."""
    changes = {"phy.standard": standard}
    lasthop.run(RADIO, seed=1, overrides=changes, pcap=tmp_path, pcap_only=["server-*"])
    found = fit(tmp_path / "server-eth0.pcapng")
    link = found.path.trains.link
    assert link is None or link.value <= 1e9
    assert any("radio" in note for note in found.notes)


def test_drops_that_suit_no_discipline_are_told_and_not_written_as_random_loss(tmp_path):
    # A CoDel of other parameters than the usual ones.
    queued(tmp_path, 'discipline = "codel", target = "40 ms", interval = "25 ms"')
    found = fit(tmp_path / "near-eth0.pcapng")
    assert found.path.queue.dropped.sum() >= 10
    assert found.losses.model == "none"
    assert not found.path.is_separated
    assert any("An AQM or other traffic may be behind them" in note for note in found.notes)
    assert "loss" not in tomllib.loads(scenario(found))["link"][1]


def test_losses_before_the_bottleneck_that_do_not_go_with_the_wait_are_random(tmp_path):
    changes = {"link.0.loss": 0.005, "link.0.loss_direction": "forward"}
    document = captured(tmp_path, 1, changes)
    found = fit(tmp_path / "near-eth0.pcapng")
    assert document["flows"][0]["packets_lost"]["wire_loss"] >= 10
    assert found.losses.share.low <= 0.005 <= found.losses.share.high


def test_a_step_in_the_share_of_losses_is_found_and_chance_is_not():
    random = np.random.default_rng(5)
    waits = random.uniform(0, 30, 20_000)
    assert queues.threshold(waits, random.random(20_000) < 0.005) is None
    level = queues.threshold(waits, random.random(20_000) < np.where(waits > 20, 0.02, 0.001))
    assert level == pytest.approx(20, abs=2)
