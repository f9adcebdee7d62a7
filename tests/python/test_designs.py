"""Random designs: values where they are said to lie, the same by the same seed."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import numpy as np
import pytest

import lasthop
from commands import lasthop as command
from lasthop.errors import StudyError
from lasthop.study import judgement, reader
from lasthop.study.axes import settings
from lasthop.study.claims import Table
from lasthop.study.claims.judging import judge_claims
from lasthop.study.spec import Comparison

STUDY = """
[study]
name = "drawn"
seed = {seed}
replications = 2
metrics = ["goodput"]
[scenario]
duration = "2 s"
link = [{{ ends = ["a", "b"], rate = "1 Mbps", delay = "5 ms" }}]
flow = [{{ name = "one", from = "a", to = "b" }}]
[axes]
{axes}
"""


def drawn(axes, seed=1):
    study = reader.parse(STUDY.format(axes=axes, seed=seed), "study.toml")
    return study, settings(study.axes)


def column(rows, key):
    return [float(str(row[key]).split()[0]) for row in rows]


def test_a_latin_hypercube_has_one_value_in_every_part():
    _, rows = drawn(
        'random = 100\nlink.0.rate = { from = 1.0, to = 50, scale = "log", unit = "Mbps" }\n'
        "link.0.loss = { from = 0.0, to = 0.2 }"
    )
    assert len(rows) == 100
    loss = sorted(int(x / 0.002 - 1e-9) for x in column(rows, "link.0.loss"))
    assert loss == list(range(100))
    logs = sorted(
        min(int(100 * math.log(x) / math.log(50)), 99) for x in column(rows, "link.0.rate")
    )
    # Values are written with six digits, which may carry one over a border.
    assert np.abs(np.array(logs) - np.arange(100)).max() <= 1
    assert rows[0]["link.0.rate"].endswith(" Mbps")
    # The axes are not in step.
    assert abs(np.corrcoef(column(rows, "link.0.rate"), column(rows, "link.0.loss"))[0, 1]) < 0.3


def test_draws_are_the_same_by_the_same_seed_and_stay_when_an_axis_is_added():
    one = "random = 20\nlink.0.loss = { from = 0.0, to = 0.2 }"
    first = column(drawn(one)[1], "link.0.loss")
    assert first == column(drawn(one)[1], "link.0.loss")
    assert first != column(drawn(one, seed=2)[1], "link.0.loss")
    more = one + '\nlink.0.delay = { distribution = "exponential", mean = 20, unit = "ms" }'
    assert first == column(drawn(more)[1], "link.0.loss")


@pytest.mark.parametrize(
    ("said", "mean", "spread"),
    [
        ('distribution = "normal", mean = 50, sd = 5', 50, 5),
        ('distribution = "exponential", mean = 20', 20, 20),
        ('distribution = "lognormal", median = 10, sigma = 0.5', 10 * math.exp(0.125), 6.04),
        ('distribution = "uniform", from = 0.0, to = 12', 6, math.sqrt(12)),
        ("from = 1, to = 9", 5, math.sqrt(80 / 12)),
        # An exponential one that is cut off at its mean has 1 - 1/(e - 1) of the mean.
        ('distribution = "exponential", mean = 20, most = 20', 20 * (1 - 1 / (math.e - 1)), 5.68),
    ],
)
def test_distributions_have_their_mean_and_spread(said, mean, spread):
    _, rows = drawn(f'random = 2000\nlink.0.delay = {{ {said}, unit = "ms" }}')
    values = column(rows, "link.0.delay")
    if len(rows) < 2000:  # whole numbers come several times, settings once
        assert sorted(values) == list(range(1, 10))
        return
    # A Latin hypercube's mean is much nearer than that of independent draws.
    assert np.mean(values) == pytest.approx(mean, rel=0.01)
    assert np.std(values) == pytest.approx(spread, rel=0.05)


def test_independent_draws_and_choices():
    _, rows = drawn('random = 300\ndesign = "independent"\nlink.0.loss = { from = 0.0, to = 0.3 }\n'
                    'tcp.variant = { any = ["reno", "cubic"] }')  # fmt: skip
    parts = {int(x / 0.001) for x in column(rows, "link.0.loss")}
    assert 150 < len(parts) < 230  # 300 (1 - 1/e) = 190 of the parts are met
    assert 110 < sum(row["tcp.variant"] == "cubic" for row in rows) < 190


def test_what_is_not_drawn_is_crossed_with_it():
    study, rows = drawn(
        "random = 10\nlink.0.loss = { from = 0.0, to = 0.2 }\ntcp.variant = ['reno', 'cubic']\n"
        "link.0.delay = { from = 5, to = 15, steps = 3, unit = 'ms' }"
    )
    assert len(rows) == 60
    assert [len(group) for group in study.axes] == [1, 1, 1]


@pytest.mark.parametrize(
    ("axes", "said"),
    [
        ("random = 10\ntcp.variant = ['reno']", "nothing to draw"),
        ("random = 1\nlink.0.loss = { from = 0, to = 1 }", "from 2 to"),
        ("random = 9\nlink.0.loss = { from = 1, to = 1 }", "from a number to a larger one"),
        ("random = 9\nlink.0.loss = { from = 0.0, to = 1, scale = 'log' }", "above zero"),
        ("random = 9\nlink.0.loss = { distribution = 'gauss' }", 'unknown distribution "gauss"'),
        ("random = 9\nlink.0.loss = { distribution = 'normal', mean = 1 }", "sd"),
        ("random = 9\nlink.0.loss = { distribution = 'normal', mean = 1, sd = 0 }", "above zero"),
        ("random = 9\nlink.0.loss = { from = 0, to = 1, least = 2 }", "the distribution has no values"),
        ("random = 9\nlink.0.loss = { any = [] }", "one value or more"),
        ("random = 9\ndesign = 'sobol'\nlink.0.loss = { from = 0, to = 1 }", 'unknown design "sobol"'),
        ("design = 'independent'\nlink.0.loss = [0.1]", "add random = 200"),
        ("link.0.loss = { distribution = 'exponential', mean = 1 }", "add random = 200"),
        ("random = 9\nlink.0.loss = { from = 0, to = 1 }\nseed = [1, 2]\n"
         "paired = [['link.0.loss', 'seed']]", "paired axes step together"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_its_line(axes, said):
    with pytest.raises(StudyError) as error:
        drawn(axes)
    assert said in str(error.value)
    assert "study.toml:" in str(error.value)


def test_a_random_study_runs_and_is_drawn_as_points(tmp_path):
    axes = (
        "random = 12\nlink.0.loss = { from = 0.0, to = 0.1 }\n"
        'link.0.rate = { from = 1, to = 9, unit = "Mbps" }'
    )
    (tmp_path / "study.toml").write_text(STUDY.format(axes=axes, seed=3))
    results = lasthop.sweep(tmp_path / "study.toml", tmp_path / "out")
    assert len(results.rows) == 12
    said = command("plot", tmp_path / "out", "--x", "link.0.loss", "--out", tmp_path / "a.svg")
    assert said.returncode == 0, said.stderr
    from lasthop.pages.studies.study_figure import chart
    from lasthop.study.charting import ChartOptions

    assert not chart(results, ChartOptions(x="link.0.loss")).joined


LARGE = """random = 200
"link.0.rate" = { from = 1, to = 150, unit = "Mbps" }
"link.0.delay" = { from = 1, to = 150, unit = "ms" }
"link.0.queue.packets" = { from = 5, to = 150 }
"tcp.window" = { from = 2, to = 150, unit = "packets" }
"link.0.loss" = { any = [0.0, 0.01, 0.02, 0.03, 0.04] }
"tcp.variant" = ["reno", "cubic"]

[[compare]]
axis = "tcp.variant"
metric = "goodput"

[[claim]]
id = "C"
text = "One is above the other."
metric = "goodput"
holds = { above = { a = { "tcp.variant" = "reno" }, b = { "tcp.variant" = "cubic" } } }
"""


def test_a_large_design_without_one_telling_axis_is_judged_by_its_rows(tmp_path):
    """No axis of five tells the 200 points apart: their values have over a billion combinations."""
    path = tmp_path / "study.toml"
    path.write_text(STUDY.format(axes=LARGE, seed=1).replace('"2 s"', '"300 ms"'))
    results, study = lasthop.sweep(path, tmp_path / "out"), reader.read(path)
    points = {
        tuple(v for k, v in row.settings.items() if k != "tcp.variant") for row in results.rows
    }
    assert len(points) == 200
    assert max(len({row.settings[key] for row in results.rows}) for key in results.keys) < 200
    begun = time.monotonic()
    (pairs,) = judgement.verdicts(results, study).values()
    assert len(pairs) == len(points)
    (judged,) = judge_claims(study.claims, judgement.judged_tables(results, study))
    assert judged.claim.id == "C"
    # Rows that differ in one of the drawn axes alone are few: those are compared, and nothing else is looked for.
    drawn_too = replace(study, compare=(Comparison("link.0.loss", "goodput_bps"),), claims=())
    (pairs,) = judgement.verdicts(results, drawn_too).values()
    assert len(pairs) < len(points)
    assert time.monotonic() - begun < 20


def test_contexts_are_those_of_the_rows_in_the_order_of_the_values():
    """A design of 200 rows takes 200 of the 3.2 x 10^11 combinations of five axes with 200 values."""
    values = {
        f"axis{place}": [f"{(7 * place + 3 * i) % 200} ms" for i in range(200)]
        for place in range(5)
    }
    rows = [
        ({**{k: v[i] for k, v in values.items()}, "x": x}, [1.0]) for i in range(200) for x in "ab"
    ]
    contexts = list(Table.of("m", rows).contexts(["x"]))
    assert len(contexts) == 200
    first = [int(context["axis0"].split()[0]) for context in contexts]
    assert first == sorted(first)
    assert all(
        tuple(context.values()) in set(zip(*values.values(), strict=True)) for context in contexts
    )
    whole = Table.of(
        "m", [({"a": a, "b": b, "x": x}, [1.0]) for b in (3, 1) for a in (2, 9) for x in "ab"]
    )
    assert [tuple(each.values()) for each in whole.contexts(["x"])] == [
        (2, 1),
        (2, 3),
        (9, 1),
        (9, 3),
    ]
    assert list(whole.contexts(["a", "b", "x"])) == [{}]
