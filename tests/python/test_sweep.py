"""Sweeps: their rows, what they compute again (nothing), tables and the command line."""

import json
import re
import shutil
from html import escape
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lasthop
from commands import lasthop as command
from lasthop.cli.commands import app
from lasthop.study import computing, plan
from lasthop.study.executors import Local
from lasthop.study.sweeping import Status
from studies import STUDY, Counting, study, written


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    """Return the result of one thread that nothing disturbs."""
    folder = tmp_path_factory.mktemp("serial")
    return lasthop.sweep(study(folder), folder / "out", workers=1)


def test_rows_are_those_of_single_runs(serial, tmp_path):
    table = serial.table()
    assert table.column_names == [
        "study",
        "cell",
        "mac.short_retry_limit",
        "tcp.window",
        "replication",
        "metric",
        "value",
    ]
    assert table.num_rows == 4 * 12 * 3
    assert serial.complete
    rows = table.to_pylist()
    runs = lasthop.run(
        written(tmp_path).parent / "small.toml",
        overrides={"mac.short_retry_limit": 7, "tcp.window": "4 packets"},
        replications=12,
    )
    mine = [r for r in rows if r["cell"] == 2 and r["metric"] == "jain"]
    assert [r["value"] for r in mine] == runs.jain
    assert [r["replication"] for r in mine] == list(range(12))
    assert mine[0]["mac.short_retry_limit"] == 7
    assert mine[0]["tcp.window"] == "4 packets"


def test_batching_changes_no_row(serial, tmp_path, monkeypatch):
    monkeypatch.setattr(computing, "HANDED", 5)
    monkeypatch.setattr(computing, "FIRST_BATCH_S", 0.0)
    monkeypatch.setattr(lasthop.study.sweeping, "TASK_S", 1e-9)
    many = lasthop.sweep(study(tmp_path), tmp_path / "out", workers=2)
    assert len(list((tmp_path / "out/rows").iterdir())) > 4
    assert many.table().equals(serial.table())


def test_nothing_is_computed_twice(serial, tmp_path):
    out = tmp_path / "out"
    hooks = Counting()

    def computed(text, **changes):
        hooks.computed = 0
        result = lasthop.sweep(study(tmp_path, text), out, hooks=hooks, **changes)
        assert result.complete
        return hooks.computed

    assert computed(STUDY) == 4 * 12
    before = {path.name: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
    assert computed(STUDY) == 0
    assert before == {
        path.name: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()
    }
    assert computed(STUDY.replace("12", "15")) == 4 * 3
    assert computed(STUDY.replace("[2, 7]", "[2, 5, 7]")) == 2 * 12
    assert (
        computed(STUDY.replace('"jain"', '"jain", "loss"')) == 4 * 12
    )  # of these only the loss is kept
    assert computed(STUDY) == 0
    assert lasthop.Results(out).table().equals(serial.table())


def test_cells_of_one_meaning_are_run_once(tmp_path):
    hooks = Counting()
    text = STUDY.replace('"4 packets", "16 packets"', '"4 packets", "4 segments"')
    result = lasthop.sweep(study(tmp_path, text), tmp_path / "out", hooks=hooks)
    assert hooks.computed == 2 * 12
    assert (result.values("jain", 0) == result.values("jain", 1)).all()
    assert result.table().num_rows == 4 * 12 * 3


def test_a_precision_is_met_and_its_rounds_are_those_of_a_resumed_sweep(tmp_path):
    text = (
        STUDY.replace("replications = 12", "")
        + "\n[precision]\nmetric = 'goodput'\nrelative = 0.01\n"
    )
    once = lasthop.sweep(study(tmp_path, text), tmp_path / "once")
    assert once.complete
    counts = [row.replications for row in once.rows]
    assert len(set(counts)) > 1
    for row in once.rows:
        values = once.values("goodput", row.number).tolist()
        assert len(values) >= 10
        half = lasthop.numbers.stats.half_width(values)
        assert half is not None
        assert half <= 0.01 * np.mean(values)
    # Stopped after a first round, and with more there of one cell than it wants.
    lasthop.sweep(study(tmp_path, text), tmp_path / "again", replications=7)
    lasthop.sweep(study(tmp_path, text), tmp_path / "again", replications=max(counts) + 5)
    hooks = Counting()
    again = lasthop.sweep(study(tmp_path, text), tmp_path / "again", hooks=hooks)
    assert hooks.computed == 0
    assert again.table().equals(once.table())


def test_a_budget_ends_the_sweep_and_the_next_run_goes_on(serial, tmp_path):
    text = STUDY.replace("replications = 12", 'replications = 200\nbudget = "1 ms"')
    result = lasthop.sweep(study(tmp_path, text), tmp_path / "out")
    assert not result.complete
    result = lasthop.sweep(study(tmp_path), tmp_path / "out")
    assert result.table().equals(serial.table())


def test_ctrl_c_keeps_what_had_finished(serial, tmp_path, monkeypatch):
    monkeypatch.setattr(lasthop.study.sweeping, "TASK_S", 1e-9)
    monkeypatch.setattr(computing, "HANDED", 4)
    monkeypatch.setattr(computing, "FETCH_S", 0.0)  # progress after each batch, however short

    class Stopping(Counting):
        def progress(self, status: Status):
            if status.done >= 8:
                raise KeyboardInterrupt

    hooks = Stopping()
    hooks.progress = lambda status: Stopping.progress(hooks, status)
    with pytest.raises(KeyboardInterrupt):
        lasthop.sweep(study(tmp_path), tmp_path / "out", hooks=hooks)
    kept = lasthop.Results(tmp_path / "out")
    assert sum(kept.count(row) for row in kept.rows) >= 8
    hooks = Counting()
    result = lasthop.sweep(study(tmp_path), tmp_path / "out", hooks=hooks)
    assert hooks.computed <= 4 * 12 - 8
    assert result.table().equals(serial.table())


def test_another_study_is_not_written_over(tmp_path):
    lasthop.sweep(study(tmp_path), tmp_path / "out", quick=True)
    other = study(tmp_path, STUDY.replace('"small"', '"other"'))
    with pytest.raises(lasthop.UsageError, match="holds the study 'small'"):
        lasthop.sweep(other, tmp_path / "out")


def test_views(serial):
    assert serial.values("jain", {"mac.short_retry_limit": 7, "tcp.window": "4 packets"}).shape == (
        12,
    )
    summary = serial.summary().to_pylist()
    assert len(summary) == 4 * 3
    assert summary[0]["metric"] == "goodput_bps"
    assert summary[0]["unit"] == "bit/s"
    assert summary[0]["n"] == 12
    assert summary[0]["mean"] == pytest.approx(serial.values("goodput", 0).mean())
    html = serial._repr_html_()
    assert html.count("<tr>") == 5
    assert "tcp.window" in html
    assert html.startswith(f"<p>{escape(serial.answer)}</p>")
    with pytest.raises(lasthop.UsageError, match="did you mean 'jain'"):
        serial.values("jani", 0)


def test_frames(serial):
    xarray = pytest.importorskip("xarray")
    data = serial.xarray()
    assert isinstance(data, xarray.Dataset)
    assert data["jain"].dims == ("mac.short_retry_limit", "tcp.window", "replication")
    picked = data["jain"].loc[{"mac.short_retry_limit": 7, "tcp.window": "4 packets"}]
    assert (picked.values == serial.values("jain", 2)).all()
    assert len(serial.polars()) == len(serial.pandas()) == 4 * 12 * 3


def test_duckdb_reads_the_store_in_place(serial):
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql(
        f"""select c.cell, avg(value) from (select distinct * from '{serial.path}/rows/*.parquet') r
        join '{serial.path}/cells.parquet' c on r.cell = c.key where metric = 'jain'
        group by c.cell order by c.cell"""
    ).fetchall()
    assert [mean for _, mean in rows] == pytest.approx(
        [serial.values("jain", i).mean() for i in range(4)]
    )


def test_executors_are_found_by_name(tmp_path):
    with pytest.raises(lasthop.UsageError, match="did you mean 'local'"):
        lasthop.sweep(study(tmp_path), tmp_path / "out", executor="locall")
    with pytest.raises(lasthop.UsageError, match="workers"):
        Local(-1)


@pytest.mark.parametrize("largest", [1, 4, 64])
def test_ranges_are_cut_into_dyadic_ones(largest):
    for start, stop in ((0, 20), (3, 9), (5, 5), (0, 64), (17, 100)):
        parts = list(plan.dyadic((start, stop), largest))
        assert [n for low, high in parts for n in range(low, high)] == list(range(start, stop))
        assert all(low % (high - low) == 0 and high - low <= largest for low, high in parts)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20)), max_size=6), st.integers(1, 60))
def test_what_is_missing_is_what_is_not_there(pieces, target):
    there = plan.merged((start, start + size) for start, size in pieces)
    tasks = plan.missing(["k"], [["a", "b"]], [target], {("k", "a"): there}, [8])
    by_metric = {
        name: [r for t in tasks if name in t.metrics for r in range(t.start, t.stop)]
        for name in "ab"
    }
    known = {r for start, stop in there for r in range(start, stop)}
    assert sorted(by_metric["a"]) == [r for r in range(target) if r not in known]
    assert sorted(by_metric["b"]) == list(range(target))
    assert tasks == sorted(tasks)


def here(*arguments):
    """Run a command in this process, which is quicker."""
    app([str(argument) for argument in arguments], result_action="return_value")


def test_a_study_may_have_no_axes(tmp_path, capsys):
    text = STUDY[: STUDY.index("[axes]")].replace("replications = 12", "replications = 3")
    out = tmp_path / "out"
    here("sweep", written(tmp_path, text), "--out", out)
    assert "Jain's index" in capsys.readouterr().out
    here("results", out)
    assert "jain" in capsys.readouterr().out
    assert len(lasthop.Results(out).rows) == 1


def test_the_store_of_another_lasthop_is_said_to_be_one(serial, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(serial.path, out)
    held = json.loads((out / "manifest.json").read_text())
    del held["format"]
    (out / "manifest.json").write_text(json.dumps(held))
    with pytest.raises(lasthop.UsageError, match="format of another lasthop"):
        lasthop.Results(out)


def test_the_command_line(serial, tmp_path, capsys):
    path, out = written(tmp_path), tmp_path / "out"
    ran = command("sweep", path, "--out", out, "--json")
    assert ran.returncode == 0, ran.stderr
    document = json.loads(ran.stdout)
    assert document["complete"]
    assert document["cells"] == 4
    assert "48 replications: about a second on" in ran.stderr
    assert lasthop.Results(out).table().equals(serial.table())
    again = command("sweep", path, "--out", out)
    assert again.returncode == 0
    assert "replications:" not in again.stderr
    capsys.readouterr()
    conditions = ["--where", "metric=jain", "--where", "mac.short_retry_limit>2"]
    here("results", out, *conditions, "--json")
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["cell"] for row in rows] == [2, 3]
    for ending in ("csv", "parquet", "feather"):
        file = tmp_path / f"all.{ending}"
        here("results", out, "--export", file, "--columns", "cell,metric,value")
        assert file.stat().st_size > 500
    assert pq.read_table(tmp_path / "all.parquet").num_rows == 4 * 12 * 3
    assert (
        (tmp_path / "all.csv").read_text().startswith('"cell","metric","value"\n0,"goodput_bps",')
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["results", "{tmp}"], "holds no study"),
        (["results", "{out}", "--where", "metrc=jain"], "did you mean 'metric'?"),
        (["results", "{out}", "--where", "cell=x"], "'x' is not a whole number"),
        (["results", "{out}", "--export", "x.xlsx"], ".csv, .parquet, .feather"),
        (["sweep", "{tmp}/nothing.toml"], "no such file"),
        (["sweep", "{study}", "--executor", "slrum"], "did you mean 'slurm'?"),
        (["sweep", "{study}", "--replications", "0"], "replications are from 1"),
        (["sweep", "{study}", "--set", "tcp.variant=cubc"], "cubic"),
        (["worker", "--shard", "3/2", "{out}"], "--shard 3/2"),
        (["worker", "--shard", "0/2", "{out}"], "has no tasks.json"),
    ],
)
def test_wrong_requests(serial, tmp_path, arguments, said):
    places = {"tmp": tmp_path, "out": serial.path, "study": written(tmp_path)}
    with pytest.raises(lasthop.LasthopError) as wrong:
        here(*(argument.format(**places) for argument in arguments))
    assert said in str(wrong.value)
    assert wrong.value.exit_code == 2


def test_a_scenario_and_axes_make_a_study(tmp_path):
    over = {"tcp.window": ["4 packets", "16 packets"], "mac.short_retry_limit": [7]}
    options = {"over": over, "metrics": ["jain"], "replications": 3}
    made = lasthop.sweep(written(tmp_path).parent / "small.toml", tmp_path / "out", **options)
    assert made.name == "small"
    assert [row.settings["tcp.window"] for row in made.rows] == over["tcp.window"]
    assert made.table().num_rows == 2 * 3
    with pytest.raises(lasthop.UsageError, match="list of different values"):
        lasthop.sweep(tmp_path / "small.toml", tmp_path / "out", over={"tcp.window": "4 packets"})


def test_a_cell_that_is_not_named_is_asked_for(tmp_path: Path) -> None:
    axes = {"tcp.variant": ["reno", "cubic"], "link.1.queue.packets": [10, 50]}
    found = lasthop.sweep(
        "dumbbell", tmp_path / "out", over=axes, replications=1, overrides={"duration": "22 s"}
    )
    there = "there are 4 cells, by tcp.variant, link.1.queue.packets"
    for cell, said in (
        (None, f"which of 4 cells? {there}: give"),
        ({"tcp.variant": "reno"}, f"which of 2 cells? {there}: give"),
        ({"tcp.variant": "vegas"}, "tcp.variant is never 'vegas'; there are: reno, cubic"),
        ({"tcp.variant": "cubik"}, "tcp.variant is never 'cubik'; did you mean 'cubic'?"),
        ({"tcp.varian": "reno"}, "no axis 'tcp.varian'; did you mean 'tcp.variant'?"),
        (4, f"no cell 4; {there}"),
    ):
        with pytest.raises(lasthop.UsageError, match=f"^{re.escape(said)}"):
            found.values("goodput_bps", cell)
    assert len(found.values("goodput_bps", {**found.rows[3].settings})) == 1
