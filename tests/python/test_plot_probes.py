"""Pictures of tables of probes, as `lasthop run --probe ... --out` writes them."""

import json
import re

import numpy as np
import pytest

import lasthop
from commands import lasthop as command
from lasthop.core import parquet
from lasthop.errors import UsageError
from lasthop.numbers.table import Table, csv
from lasthop.pages.picture import probe_figure, stored

SCENARIO = """
duration = "20 s"
[[link]]
ends = ["a", "b"]
rate = "2 Mbps"
delay = "20 ms"
queue = { packets = 20 }
[tcp]
variant = "newreno"
[[flow]]
name = "first"
from = "a"
to = "b"
[[flow]]
name = "=second"
from = "a"
to = "b"
start = "5 s"
"""


@pytest.fixture(scope="module")
def series(tmp_path_factory):
    """A directory of tables as the command line writes them."""
    folder = tmp_path_factory.mktemp("probes")
    (folder / "path.toml").write_text(SCENARIO)
    for probe in ("tcp", "queue", "flows", "packets"):
        said = command("run", folder / "path.toml", "--probe", probe, "--out", folder / "series")
        assert said.returncode == 0, said.stderr
    return folder / "series"


def shown(page):
    found = re.search(r'id="series">(.*?)</script>', page.read_text(), re.DOTALL)
    return json.loads(found[1])


def test_a_directory_has_a_panel_for_each_quantity(series, tmp_path):
    said = command("plot", series, "--out", tmp_path / "all.html")
    assert said.returncode == 0, said.stderr
    drawn = shown(tmp_path / "all.html")
    titles = [chart["title"] for chart in drawn["charts"]]
    assert [title.partition(",")[0].partition(" (")[0] for title in titles] == [
        "Goodput",
        "One-way delay of packets that arrived",
        "Congestion window",
        "Smoothed round-trip time",
        "Packets waiting in the longest queues",
    ]
    # A name that a spreadsheet would run as a formula is written with an apostrophe and read without.
    assert [line["name"] for line in drawn["charts"][0]["lines"]] == ["first", "=second"]
    windows = drawn["charts"][2]["lines"]
    top = max(v for v in windows[0]["values"] if v is not None)
    assert windows[1]["name"] == "ssthresh"
    assert max(v for v in windows[1]["values"] if v is not None) <= 1.15 * top + 0.01
    assert drawn["notes"] == ["Not drawn without --y: packets."]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_figures(series, tmp_path, ending):
    out = tmp_path / f"tcp.{ending}"
    said = command("plot", series / "tcp.csv", "--flow", "fir*", "--style", "paper", "--out", out)
    assert said.returncode == 0, said.stderr
    assert out.stat().st_size > 2_000
    if ending == "svg":
        assert "second" not in out.read_text()


def test_a_rate_stands_in_its_own_step(tmp_path):
    """A row of `flows` is of the time that ends with it, not of what comes after."""
    rows = {"time_s": [1.0, 2.0, 3.0], "flow": ["one"] * 3, "goodput_bps": [1e3, 5e3, 2e3]}
    table = Table.of({**rows, "delay_mean_s": [0.1, 0.5, 0.2]})
    path = tmp_path / "flows.parquet"
    path.write_bytes(parquet.written(table))
    probe_figure.plot(path, (), probe_figure.Look(), tmp_path / "flows.html")
    drawn = shown(tmp_path / "flows.html")
    times = np.array(drawn["times"])
    for chart in drawn["charts"]:
        values = np.array([np.nan if v is None else v for v in chart["lines"][0]["values"]])
        scale = {"kbit/s": (1, 5, 2), "ms": (100, 500, 200)}[chart["unit"]]
        for second, value in enumerate(scale):
            inside = (times > second + 0.01) & (times < second + 0.99)
            assert set(values[inside]) == {value}, chart["title"]
    assert drawn["charts"][0]["title"] == "Goodput, mean over 1 s"


def test_columns_by_name(series, tmp_path):
    out = tmp_path / "columns.html"
    said = command("plot", series, "--y", "rttvar_s", "--y", "queueing_s", "--out", out)
    assert said.returncode == 0, said.stderr
    assert [(c["title"], c["unit"]) for c in shown(out)["charts"]] == [
        ("rttvar", "ms"),
        ("queueing", "ms"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "words", "says"),
    [
        ("gone.csv", None, (), "gone.csv: no such file"),
        ("odd.csv", "a,b\n1,2\n", (), "no table of a probe: its columns are a, b; `lasthop run"),
        ("more.csv", "time_s,queue,packts\n1,x,2\n", (), "unknown column 'packts'; did you mean 'packets'?"),
        ("less.csv", "time_s,flow,snd_cwnd\n1,x,2\n", (), "the column 'ssthresh' is missing; the probe tcp"),
        ("short.csv", "time_s,queue,packets\n1,2\n", (), "line 2 has 2 cells, the first line 3"),
        ("binary.csv", b"\xff\xfe\x00", (), "it is not UTF-8 text"),
        ("binary.parquet", b"PAR1", (), "no table that can be read"),
        ("empty.csv", "time_s,queue,packets\n", (), "there is no row after time 0"),
        ("law.py", "pass\n", (), "cannot be drawn; allowed: a study or its results"),
        ("q.csv", 'time_s,queue,packets\n1,"x",2\n', ("--flow", "one"), "no table of .* is about flows"),
        ("q.csv", 'time_s,queue,packets\n1,"x",2\n', ("--y", "packet"), "did you mean 'packets'?"),
        ("q.csv", 'time_s,queue,packets\n1,"x",2\n', ("--limit", "5ms"), "--limit does not apply to figures"),
        ("c.csv", 'time_s,flow,cause\n1,"x","timeout"\n', (), "the probe cuts has no picture of its own"),
    ],
)  # fmt: skip
def test_other_files_are_refused_in_words(tmp_path, name, content, words, says):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    said = command("plot", path, *words, "--out", tmp_path / "out.png")
    assert said.returncode == 2
    assert re.search(says.replace("?", r"\?"), said.stderr), said.stderr
    assert "Traceback" not in said.stderr


def test_flows_that_are_not_there(series, tmp_path):
    said = command("plot", series / "tcp.csv", "--flow", "frist", "--out", tmp_path / "out.png")
    assert "did you mean 'first'? there are: first, =second" in said.stderr


def test_a_table_of_csv_is_read_as_it_was_written(series):
    run = lasthop.run(SCENARIO, probes=["tcp", "packets"])
    for probe in ("tcp", "packets"):
        read = csv.parsed((series / f"{probe}.csv").read_bytes(), ("flow",))
        for name, column in run.probes[probe].items():
            # An empty text is the same as none.
            assert read[name].to_pylist() == [None if v == "" else v for v in column], name


def test_a_second_table_of_a_probe_is_not_mixed_in(series, tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes((series / "queue.csv").read_bytes())
    with pytest.raises(UsageError, match="a second table of the probe queue"):
        stored.read(tmp_path)


@pytest.mark.parametrize("width", ["one", "two"])
def test_the_headings_of_panels_fit_into_the_figure(width):
    heading = "Congestion window (slow-start threshold dashed and clipped)"
    lines = [{"name": "one", "values": [1.0, 2.0], "dash": False}]
    charts = [{"title": heading, "unit": "segments", "lines": lines}] * 2
    look = probe_figure.Look(width=width)
    colours = probe_figure.palette.LIGHT
    figure = probe_figure._figure({"times": [0.0, 1.0], "charts": charts}, "", look, colours)
    figure.draw_without_rendering()
    for axes in figure.axes:
        box = axes.title.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1
