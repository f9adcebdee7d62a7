"""Scenarios as values, and runs by their flows."""

from __future__ import annotations

import pickle
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lasthop
from lasthop import Scenario, ScenarioError, UsageError, _core
from lasthop.core import source, toml

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
TWO = SCENARIOS / "two_stations.toml"
SHORT = {"duration": "2 s", "warmup": "0.5 s"}


def identity(scenario: Scenario | Path, changes: tuple[str, ...] = ()) -> str:
    text, file = source.load(scenario)
    files = _core.Files(list(source.files_of(text, file, changes)))
    return _core.outline(text, file, list(changes), files)[0]


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.toml")), ids=lambda path: path.stem)
def test_what_is_printed_is_the_same_scenario(path: Path) -> None:
    read = Scenario(path)
    assert str(read) == path.read_text()
    written = Scenario(read.document)
    assert tomllib.loads(written.toml()) == tomllib.loads(path.read_text())
    assert written == read
    again = read.with_(seed=read.get("seed", 1))  # written anew, in its folder
    assert identity(again) == identity(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tcp.variant", "cubic"),
        ("link.0.rate", "3 Mbps"),
        ("link.0.loss", 0.01),
        ("flow.upload.start", "1 s"),
        ("flow.1.tcp.variant", "tahoe"),
        ("flow.download.app.size", "1 MB"),
        ("channel", {"model": "bernoulli", "per": 0.1}),
        ("cell.cell.stations", ["a", "b"]),
        ("wired.new", True),
    ],
)
def test_with_changes_what_set_changes(key: str, value: Any) -> None:
    changed = Scenario(TWO).with_({key: value})
    shown = f"{key}={toml.shown(value)}"
    try:
        expected = identity(TWO, (shown,))
    except ScenarioError:
        with pytest.raises(ScenarioError):
            identity(changed)
    else:
        assert identity(changed) == expected != identity(TWO)


def test_a_scenario_is_built_from_nothing() -> None:
    made = (
        Scenario(name="wire", duration="2 s")
        .adding("link", ends=["a", "b"], rate="2 Mbps", delay="10 ms")
        .adding("flow", name="data", from_="a", to="b", app="bulk")
    )
    made.check()
    assert lasthop.run(made)["data"].goodput > 5e5
    assert repr(made) == "<Scenario 'wire': 1 link, 1 flow>"
    assert Scenario(str(made)) == made == pickle.loads(pickle.dumps(made))
    assert made["flow.data.from"] == "a"
    assert "flow.none" not in made
    with pytest.raises(ScenarioError, match="<scenario>"):
        made.with_({"link.0.rate": "fast"}).check()


def test_scenarios_are_combined() -> None:
    base = Scenario(TWO).with_(SHORT)
    both = base | {
        "tcp": {"variant": "cubic"},
        "flow": [
            {"name": "upload", "start": "1 s"},
            {"name": "more", "from": "server", "to": "sta2", "app": "bulk"},
        ],
    }
    assert both["tcp"] == {"variant": "cubic", "mss": "1460 B"}
    assert [flow["name"] for flow in both["flow"]] == ["download", "upload", "more"]
    assert both["flow.upload.start"] == "1 s"
    assert lasthop.run(both).flow_names == ["download", "upload", "more"]
    assert "flow.more" not in both.without("flow.more")
    assert base == Scenario(TWO).with_(SHORT)


def test_what_cannot_be_changed_is_said() -> None:
    base = Scenario(TWO)
    with pytest.raises(UsageError, match="did you mean 'upload'"):
        base.with_({"flow.uplaod.start": "1 s"})
    with pytest.raises(UsageError, match="'name' is not a table"):
        base.with_({"name.x": 1})
    with pytest.raises(UsageError, match="is not a value in a scenario"):
        base.with_({"tcp.variant": object()})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match="did you mean 'channel'"):
        base.without("chanel")
    with pytest.raises(ScenarioError, match=r"two_stations.toml \(changed\)"):
        base.with_({"tcp.variant": "none"}).check()
    with pytest.raises(ScenarioError, match=":2:"):
        Scenario("a = 1\nb = \n")


def test_a_scenario_goes_where_a_file_goes(tmp_path: Path) -> None:
    made = Scenario(TWO).with_(SHORT)
    assert lasthop.run(made).documents == lasthop.run(TWO, overrides=SHORT).documents
    found = lasthop.sweep(
        made, over={"tcp.variant": ["reno", "cubic"]}, out=tmp_path, replications=2
    )
    assert len(found.rows) == 2


def test_a_flow_has_its_numbers_by_name() -> None:
    run = lasthop.run(TWO, overrides=SHORT, replications=3, probes=["tcp", "flows"])
    upload = run["upload"]
    goodputs = [each["flows"][1]["goodput_bps"] for each in run.documents]
    assert upload.values("goodput").tolist() == upload.values("goodput_bps").tolist() == goodputs
    assert upload.goodput == pytest.approx(np.mean(goodputs))
    assert upload.goodput_bps == pytest.approx(np.mean(goodputs))
    estimate = upload.estimate("delay.p95")
    assert estimate is not None
    assert estimate.n == 3
    assert upload["delay_s.p95"] == pytest.approx(estimate.mean)
    assert run.values("upload.goodput").tolist() == goodputs
    assert upload.variant == "newreno"
    assert 0 <= (upload.loss or 0) < 1
    assert set(upload.tcp["flow"]) == set(upload.series["flow"]) == {"upload"}
    assert {"goodput_bps", "estimate", "jitter_s"} <= set(dir(upload))
    assert upload.as_dict()["goodput_bps"] == upload.goodput
    with pytest.raises(UsageError, match="did you mean 'upload'"):
        run["uplod"]
    with pytest.raises(AttributeError, match="did you mean 'goodput'"):
        upload.goodputt  # noqa: B018


def test_a_run_speaks_arrow() -> None:
    pa, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    run = lasthop.run(TWO, overrides=SHORT)
    assert pa.table(run).to_pylist() == run.flows.to_pylist()
    assert polars.DataFrame(run).equals(run.polars())
    assert run.pandas()["name"].tolist() == ["download", "upload"]
