"""Charts inside pages: ticks, names and thinned marks."""

from __future__ import annotations

import re

import pytest

from lasthop.pages.figures import curve_svg, marks
from lasthop.pages.figures.chart import Chart, Curve, Point
from lasthop.pages.figures.inline_svg import Scale, steps, tick_said


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.5, 60, [2, 5, 10, 20, 50]),
        (1.5, 600, [3, 10, 30, 100, 300]),
        (0.5, 2e4, [1, 10, 100, 1000, 10_000]),
        (0.8, 1.25, [0.8, 1.0, 1.2]),
    ],
)
def test_a_logarithmic_axis_has_round_ticks(low, high, expected):
    assert steps(Scale(low, high, log=True)) == pytest.approx(expected)


def test_ticks_have_the_minus_sign_of_print_and_all_their_digits():
    assert [tick_said(x) for x in (-0.0005, 0.1 + 0.2, 1e6, 3e-10)] == [
        "−0.0005",
        "0.3",
        "1,000,000",
        "0.0000000003",
    ]


def test_every_name_of_a_named_axis_is_written():
    names = ["drop tail", "random early detection", "fair queueing", "CoDel and fair queueing"]
    points = [Point(place, 1.0, None) for place in range(len(names))]
    ticks = list(enumerate(names))
    chart = Chart([("", [Curve("", points)])], "queue", "loss", ticks, log=False, ordered=False)
    svg = str(curve_svg.figure(chart, "loss", "loss")["panels"][0]["svg"])
    placed = {name: re.search(rf'y="(\d+)"[^>]*>{name}<', svg) for name in names}
    assert all(placed.values())
    assert len({found[1] for found in placed.values() if found}) > 1


def test_a_thinned_line_keeps_its_peak():
    points = [Point(x, 50.0 if x == 7_777 else 1.0, None) for x in range(20_000)]
    kept = marks.thinned(Curve("", points)).points
    assert len(kept) <= marks.MOST_POINTS + 4
    assert max(point.mean for point in kept) == 50.0
    assert [kept[0].x, kept[-1].x] == [0, 19_999]


def test_marks_over_a_name_do_not_hide_each_other():
    curves = [Curve(label, [Point(0, 1.0, 0.5), Point(1, 1.0, 0.5)]) for label in ("a", "b")]
    ticks = [(0, "first"), (1, "second")]
    chart = Chart([("", curves)], "queue", "loss", ticks, log=False, ordered=False)
    svg = str(curve_svg.figure(chart, "loss", "loss")["panels"][0]["svg"])
    places = [float(x) for x in re.findall(r"M([\d.]+) [\d.]+h0", svg)]
    assert len(set(places)) == 4
    assert all(
        abs(place - middle) < 30 for place, middle in zip(places, [250, 750] * 2, strict=True)
    )


def test_thinned_dots_keep_what_stands_out():
    points = [Point(x, 90.0 if x == 7_777 else 1.0, None) for x in range(20_000)]
    kept = marks.thinned(Curve("", points, "dots")).points
    assert len(kept) <= 2 * marks.MOST_DOTS
    assert max(point.mean for point in kept) == 90.0
