"""Endpoints that pick their variant: their choices, their regret, and policies that are learned."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import lasthop
from lasthop.cli.commands import app
from lasthop.errors import UsageError
from lasthop.study.learning import Example, learn, learn_policy
from lasthop.study.regret import mean_regret, regrets

SCENARIO = """
duration = "20 s"
[queue]
packets = 20
[[link]]
ends = ["server", "phone"]
rate = "5 Mbps"
delay = "10 ms"
[tcp]
variant = "auto"
policy = "rules.toml"
[[flow]]
name = "download"
from = "server"
to = "phone"
app = { kind = "request_response", response = "100 kB", think = "100 ms", persistent = false }
"""
RULES = """
default = "newreno"
[[rule]]
when = { rtt_above = "100 ms" }
use = "sack"
"""
STUDY = """
[study]
name = "auto"
scenario = "scenario.toml"
replications = 3
metrics = ["goodput", "download.objects.response_time_s.mean"]
[axes]
link.0.delay = ["5 ms", "80 ms"]
link.0.loss = [0.0, 0.02]
tcp.variant = ["newreno", "sack", "auto"]
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> lasthop.Results:
    folder = tmp_path_factory.mktemp("auto")
    for name, text in (("scenario", SCENARIO), ("rules", RULES), ("study", STUDY)):
        (folder / f"{name}.toml").write_text(text)
    return lasthop.sweep(folder / "study.toml", folder / "out", workers=1)


def test_auto_is_the_variant_that_its_rules_pick(swept: lasthop.Results) -> None:
    for found in regrets(swept):
        picked = "sack" if found.condition["link.0.delay"] == "80 ms" else "newreno"
        auto = swept.values("goodput", found.condition | {"tcp.variant": "auto"})
        fixed = swept.values("goodput", found.condition | {"tcp.variant": picked})
        # SACK is offered on the wire whatever is picked, and its blocks have a size.
        assert auto.tolist() == pytest.approx(fixed.tolist(), rel=0.1)


def test_regret_is_the_loss_against_the_best(swept: lasthop.Results) -> None:
    by_goodput = regrets(swept)
    assert len(by_goodput) == 4
    for found in by_goodput:
        means = {
            v: swept.values("goodput", found.condition | {"tcp.variant": v}).mean()
            for v in ("newreno", "sack", "auto")
        }
        best = max(means["newreno"], means["sack"])
        assert means[found.best] == best
        assert found.regret == pytest.approx(1 - means["auto"] / best)
        assert found.low <= found.regret <= found.high
    slower = regrets(swept, "download.objects.response_time_s.mean")
    worst = max(by_goodput, key=lambda each: each.regret)
    twin = next(each for each in slower if each.condition == worst.condition)
    assert twin.regret > 0, "of a time less is better"
    assert mean_regret(by_goodput) == pytest.approx(sum(x.regret for x in by_goodput) / 4)
    with pytest.raises(UsageError, match="no metric 'goodpt'"):
        regrets(swept, "goodpt")


def test_results_and_policies_on_the_command_line(
    swept: lasthop.Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app(["results", str(swept.path), "--json"], result_action="return_value")
    document = json.loads(capsys.readouterr().out)
    assert len(document["regret"]) == 8
    app(["results", str(swept.path)], result_action="return_value")
    shown = capsys.readouterr().out
    assert shown.count("Regret of auto by ") == 2, "a table for each metric"
    lines = re.findall(
        r"(?m)^ delay \d+ ms, loss [0-9.]+ +\w+ +-?\d+\.\d( +(-?\d+\.\d|-)){2} *$", shown
    )
    assert len(lines) == 8, "a line for each condition"
    out = tmp_path / "learned.toml"
    app(["results", str(swept.path), "--learn-policy", str(out)], result_action="return_value")
    assert "mean regret of the policy" in capsys.readouterr().out
    # The file is a policy.
    run = lasthop.run(
        swept.path.parent / "scenario.toml", overrides={"tcp.policy": str(out), "duration": "5 s"}
    )
    flow = run.summary["flows"][0]
    assert sum(flow["picked"].values()) > 1
    assert flow["choices"][0]["at_s"] > 0
    assert flow["measured"]["segments"] > 10


def test_a_learned_policy_is_no_worse_than_its_default(swept: lasthop.Results) -> None:
    learned = learn_policy(swept)
    assert 0 <= learned.regret <= learned.fixed[learned.default]
    assert learned.default == min(learned.fixed, key=learned.fixed.__getitem__)
    assert learned.cross_validated is not None


def test_a_planted_rule_is_found() -> None:
    def example(rtt: float, loss: float) -> Example:
        best = "c" if loss > 0.01 and rtt < 0.1 else "b" if rtt > 0.1 else "a"
        scores = {v: 1.0 if v == best else 0.8 for v in "abc"}
        return Example((("rtt", rtt), ("loss", loss)), {"rtt": rtt, "loss": loss}, scores)

    examples = [example(rtt, loss) for rtt in (0.02, 0.05, 0.2, 0.4) for loss in (0.0, 0.005, 0.03)]
    learned = learn(examples)
    assert learned.regret == 0
    assert learned.pick({"rtt": 0.03, "loss": 0.05}) == "c"
    assert learned.pick({"rtt": 0.03, "loss": 0.001}) == "a"
    assert learned.pick({"rtt": 0.3, "loss": 0.02}) == "b"
    assert learned.pick({}) == learned.default


def test_flows_of_the_same_hosts_report_the_same_memory() -> None:
    flow = '[[flow]]\nname = "{}"\nfrom = "server"\nto = "phone"\napp = "bulk"\n'
    shared = SCENARIO[: SCENARIO.index("[[flow]]")] + "".join(map(flow.format, "abc"))
    run = lasthop.run(shared, overrides={"duration": "10 s", "tcp.policy": {"default": "sack"}})
    first, *others = (flow["measured"] for flow in run.summary["flows"])
    assert others == [first, first]
    assert first["segments"] > 0
