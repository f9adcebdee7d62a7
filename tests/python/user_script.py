"""A user's script: strict under mypy and pyright without an ignore (`test_typing.py`); it also runs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import lasthop
from lasthop.law import Ack, Loss, Window
from lasthop.table import Table


def scenarios() -> lasthop.Scenario:
    base = lasthop.Scenario(name="wire", duration="3 s", warmup="1 s").adding(
        "link", ends=["a", "b"], rate="4 Mbps", delay="10 ms"
    )
    two = base.adding("flow", name="up", from_="a", to="b", app="bulk").adding(
        "flow", name="down", from_="b", to="a", app="bulk"
    )
    changed = two.with_({"tcp.variant": "cubic", "link.0.loss": 0.01}, seed=4)
    print(changed.toml(), changed["flow.up.app"])
    return changed | {"queue": {"packets": 20}}


def one_run(scenario: lasthop.Scenario) -> float:
    run = lasthop.run(scenario, seed=2, replications=3, probes=["tcp", "flows"])
    up: lasthop.Flow = run["up"]
    goodput = up.goodput
    assert goodput is not None
    estimate = up.estimate("delay.p95")
    if estimate is not None and estimate.ci95 is not None:
        print(f"{estimate.mean:.4f} ± {estimate.ci95:.4f} s")
    flows: Table = run.flows
    delays = flows["delay_s.mean"].to_numpy()
    print(float(np.nanmean(delays)), run.jain, list(run.flow_names), run.seed)
    for row in flows:
        print(row["name"])
    print(up.tcp.num_rows, run.queues.column_names, run.values("up.goodput").mean())
    return goodput


def a_study(scenario: lasthop.Scenario, folder: Path) -> None:
    results = lasthop.sweep(
        scenario, over={"tcp.variant": ["reno", "cubic"]}, replications=2, out=folder
    )
    table: Table = results.table()
    for row in results.rows:
        known = results.estimate(results.metrics[0], row)
        print(row.settings["tcp.variant"], known.mean if known else None, len(table))
    again = lasthop.Results(folder)
    print(again.summary().to_pylist()[0]["mean"], again.values("goodput", 0).shape)


def wrong(scenario: lasthop.Scenario) -> str:
    try:
        lasthop.check(scenario.with_({"tcp.variant": "none"}))
    except lasthop.ScenarioError as error:
        return str(error)
    return ""


class Slow(lasthop.Law):
    """Half of what Reno does."""

    def on_ack(self, w: Window, ack: Ack) -> None:
        if ack.may_grow:
            w.grow(ack.acked, 0.5)

    def on_loss(self, w: Window, loss: Loss, base: float) -> None:
        w.shrink(loss, base / 2)


def main() -> None:
    scenario = scenarios()
    one_run(scenario)
    slow = lasthop.run(scenario.without("tcp"), laws={"slow": Slow}, law="slow")
    print(slow["up"].goodput)
    with tempfile.TemporaryDirectory() as folder:
        a_study(scenario, Path(folder))
    assert "none" in wrong(scenario)


if __name__ == "__main__":
    main()
