"""Figures of studies: words on axes, several metrics, limits, looks; and means as tables for papers."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from commands import SCENARIO, lasthop
from lasthop import Results, UsageError, rerun, sweep
from lasthop.pages.figures.chart import Chart, Curve
from lasthop.pages.figures.curves import Point, curves
from lasthop.pages.figures.palette import LIGHT
from lasthop.pages.studies.study_figure import chart
from lasthop.study import phrases
from lasthop.study.charting import ChartOptions


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return sweep(
        SCENARIO,
        over={"tcp.variant": ["reno", "cubic"], "link.0.delay": ["5 ms", "20 ms"]},
        metrics=["goodput", "one.delay.p95", "one.loss"],
        overrides={
            "duration": "4 s",
            "warmup": "1 s",
            "flow.two.start": "0 s",
            "flow.short.start": "0 s",
        },
        replications=2,
        out=tmp_path_factory.mktemp("figures") / "out",
    )


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("link.0.delay", "delay of link 0"),
        ("tcp.window", "TCP window"),
        ("tcp.variant", "variant of TCP"),
        ("channel.per", "packet error rate"),
        ("duration", "duration"),
        ("cell.home.stations", "stations of cell home"),
    ],
)
def test_axes_in_words(key: str, words: str) -> None:
    assert phrases.of_key(key) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("goodput", "goodput"),
        ("voice.delay.p95", "95th percentile of delay, voice"),
        ("download.objects.response_time_s.mean", "mean response time of objects, download"),
        ("sta1.airtime_share", "airtime, sta1"),
        ("voice.mos", "MOS, voice"),
        ("web*.pages.response_time_s.mean.mean", "average mean response time of pages, web*"),
        ("call*.mos.mean", "mean MOS, call*"),
        ("sta*.goodput_bps.starved", "probability of starvation in goodput, sta*"),
        ("jain", "Jain's index"),
    ],
)
def test_metrics_in_words(name: str, words: str) -> None:
    assert phrases.of_metric(name) == words


def test_a_chart_has_words_and_what_was_asked(results: Results) -> None:
    plain = chart(results, ChartOptions())
    assert plain.x_label == "delay of link 0 (ms)"
    assert plain.y_label.startswith("goodput (")
    asked = chart(
        results,
        ChartOptions(y="one.delay.p95", xlabel="d", ylabel="q", title="T", limit="50ms"),
    )
    assert (asked.x_label, asked.y_label, asked.title) == ("d", "q", "T")
    assert asked.limit == (pytest.approx(0.05 * results.scale("one.delay.p95")[0]), "limit 50ms")


def test_several_metrics_have_a_panel_each(results: Results) -> None:
    both = chart(results, ChartOptions(y=["goodput", "one.loss"]))
    assert len(both.panels) == len(both.y_labels) == 2
    assert both.y_labels[1] == "loss, one"
    factor = results.scale("goodput")[0]
    known = results.estimate("goodput", results.rows[0])
    assert known is not None
    assert both.panels[0][1][0].points[0].mean == known.mean * factor


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (ChartOptions(limit="50 kg"), "unit of the metric"),
        (ChartOptions(limit="2 ms"), "Mbit/s"),
        (ChartOptions(y=["goodput", "lost"]), "no metric 'lost'"),
        (ChartOptions(y=["goodput", "one.loss"], limit="1"), "one metric"),
    ],
)
def test_what_cannot_be_drawn_is_told(results: Results, wish: ChartOptions, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        chart(results, wish)


@pytest.mark.parametrize(
    ("named", "typed", "asked"),
    [
        ("out x.jpg: allowed", "--out x.jpg: allowed", {"out": "x.jpg"}),
        ("style bold: unknown", "--style bold: unknown", {"out": "x.png", "style": "bold"}),
        ("limit '3 kg': allowed", "--limit '3 kg': allowed", {"out": "x.png", "limit": "3 kg"}),
    ],
)
def test_python_names_an_argument_and_a_terminal_an_option(
    results: Results, tmp_path: Path, named: str, typed: str, asked: dict[str, str]
) -> None:
    with pytest.raises(UsageError) as error:
        results.plot(**asked)  # type: ignore[arg-type]
    assert str(error.value).startswith(named)
    words = [word for name, value in asked.items() for word in (f"--{name}", value)]
    done = lasthop("plot", results.path, *words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(typed)


def test_the_page_of_a_study_ends_as_pages_do(results: Results, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"allowed: a name that ends in \.html, \.htm"):
        results.report(tmp_path / "x.jpg")


def test_means_are_tables_for_papers(results: Results, tmp_path: Path) -> None:
    shown = [results.shown("goodput", row) for row in results.rows]
    *lines, blank, legend = results.markdown().splitlines()
    assert (blank, legend) == ("", "= the values of all runs are equal.")
    assert results.latex().endswith(f"% {legend}\n")
    assert "goodput (Mbit/s)" in lines[0]
    assert "delay of link 0" in lines[0]
    assert [line.split("|")[3].strip() for line in lines[2:]] == shown
    assert len({len(line) for line in lines}) == 1
    for ending, begins in ((".md", "| "), (".tex", "\\begin{tabular}{lrrrrr}")):
        out = tmp_path / f"means{ending}"
        assert lasthop("results", results.path, "--export", out).returncode == 0
        assert out.read_text().startswith(begins)
    text = results.latex("95 % of a_b")
    assert r"\caption{95 \% of a\_b}" in text
    assert shown[0].replace("±", r"$\pm$") in text
    refused = lasthop("results", results.path, "--export", out, "--where", "cell=1")
    assert "a table for a paper has all means" in refused.stderr
    assert (
        phrases.titled("x.objects.response_time_s.mean", "s")
        == "mean response time of objects, x (s)"
    )


def test_a_figure_with_all_of_it_is_made_again(results: Results, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    done = lasthop(
        *("plot", results.path, "--y", "goodput", "--limit", "1Mbps", "--style", "paper"),
        *("--title", "A title", "--xlabel", "delay", "--out", out),
    )
    assert done.returncode == 0, done.stderr
    assert "STIXGeneral" in out.read_text()
    again = rerun(out)
    assert again.equal
    assert "--limit 1Mbps" in again.recipe.command
    done = lasthop("plot", results.path, "--style", "fancy", "--out", out)
    assert "allowed: plain, paper" in done.stderr


def test_an_interval_is_drawn_no_farther_than_its_quantity_can_be() -> None:
    assert Point(0, 5.0, 7.0, (0.0, math.inf)).reach == (5.0, 7.0)
    assert Point(0, 0.99, 0.03, (0.0, 1.0)).reach == pytest.approx((0.03, 0.01))
    assert Point(0, 5.0, None).reach == (0.0, 0.0)


def test_a_figure_has_the_scale_and_the_marks_of_its_chart() -> None:
    marked = [
        Curve("better", [Point(1.0, 10.0, None, radius=6.0)], "up", "good"),
        Curve("worse", [Point(2.0, 100.0, None)], "cross", "bad"),
    ]
    of = Chart([("", marked)], "x", "y", (), log=False, ordered=True, joined=False)
    ticks = [(10.0, "ten"), (100.0, "hundred")]
    figure = curves(replace(of, y_log=True, y_ticks=ticks, y_ends=(5.0, 200.0)), "one", LIGHT)
    (axes,) = figure.axes
    assert (axes.get_yscale(), axes.get_ylim()) == ("log", (5.0, 200.0))
    assert [label.get_text() for label in axes.get_yticklabels()] == ["ten", "hundred"]
    assert [float(each.get_sizes()[0]) for each in axes.collections] == [81.0, 20.25]
    (free,) = curves(of, "one", LIGHT).axes
    (line,) = curves(replace(of, upright=1.5), "one", LIGHT).axes[0].lines
    assert (free.get_ylim()[0], list(free.lines), list(line.get_xdata())) == (0.0, [], [1.5, 1.5])
