"""Words for numbers, settings somewhere, and two metrics of one run; what was tested, said beside each verdict."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lasthop.errors import UsageError
from lasthop.study import phrases
from lasthop.study.checking import check
from lasthop.study.claims import JudgedClaim, Table, Verdict, judge_claim, read_claims
from lasthop.study.claims.untested_numbers import untested

H, N, P = Verdict.HOLDS, Verdict.DENIED, Verdict.PARTLY
A = 'a = { law = "bic" }, b = { law = "reno" }'


def claim(holds: str, text: str = "x", **more: Any) -> Any:
    held = tomllib.loads(f"holds = {holds}")
    (found,) = read_claims([{"id": "X", "text": text, **more, **held}])
    return found


def judged(holds: str, gains: dict[float, float], **more: Any) -> JudgedClaim:
    """Judge a claim where bic has a multiple of reno's goodput, by error rate; delay is a tenth of goodput."""
    rng = np.random.default_rng(1)
    rows = []
    for rate, gain in gains.items():
        base = 100 * (1 + 0.02 * rng.standard_normal(20))
        rows.append(({"law": "reno", "per": rate}, base))
        rows.append(
            ({"law": "bic", "per": rate}, gain * base * (1 + 0.01 * rng.standard_normal(20)))
        )
    goodput = Table.of("goodput", rows)
    delay = Table(
        "delay", goodput.axes, {key: values / 10 for key, values in goodput.cells.items()}
    )
    return judge_claim(claim(holds, **more), {"goodput": goodput, "delay": delay})


@pytest.mark.parametrize(
    ("holds", "gains", "expected"),
    [
        (f"{{ ratio = {{ {A}, at_least = 2 }} }}", {0.1: 2.1}, H),
        (f"{{ ratio = {{ {A}, at_least = 2 }} }}", {0.1: 1.9}, N),
        (f"{{ ratio = {{ {A}, at_most = 2 }} }}", {0.1: 1.9}, H),
        (f"{{ ratio = {{ {A}, at_least = 1.07, at_most = 1.18 }} }}", {0.1: 1.12}, H),
        (f"{{ ratio = {{ {A}, at_least = 1.07, at_most = 1.18 }} }}", {0.1: 1.3}, N),
        (f'{{ above = {{ {A}, reading = "somewhere" }} }}', {0.1: 0.5, 0.2: 1.2}, H),
        (f'{{ above = {{ {A}, reading = "somewhere" }} }}', {0.1: 0.5, 0.2: 0.9}, N),
        (f'{{ above = {{ {A}, reading = "everywhere" }} }}', {0.1: 0.5, 0.2: 1.2}, P),
        (f'{{ up_to = {{ {A}, by = "60 %" }} }}', {0.1: 1.0, 0.2: 1.6}, H),
        (f'{{ up_to = {{ {A}, by = "60 %" }} }}', {0.1: 1.0, 0.2: 1.2}, N),  # never near it
        (f'{{ up_to = {{ {A}, by = "60 %" }} }}', {0.1: 1.6, 0.2: 2.2}, N),  # more than it
    ],
)
def test_words_for_numbers(holds: str, gains: dict[float, float], expected: Verdict) -> None:
    assert judged(holds, gains).verdict is expected


def test_two_metrics_of_one_run_are_compared() -> None:
    sides = 'a = { metric = "goodput" }, b = { metric = "delay" }'
    found = judged(f"{{ ratio = {{ {sides}, at_least = 9, at_most = 11 }} }}", {0.1: 1.0})
    assert found.verdict is H
    assert found.claim.metrics() == ["goodput", "delay"]
    assert found.parts[0].judged_as.startswith("goodput over mean delay between 9 and 11")
    ranked = '{ rank = { along = "metric", metric = ["goodput", "delay"], order = ["delay", "goodput"] } }'
    assert judged(ranked, {0.1: 1.0}).claim.metrics() == ["goodput", "delay"]
    with pytest.raises(UsageError, match="no metric 'god'"):
        judged(f"{{ above = {{ {sides.replace('goodput', 'god')} }} }}", {0.1: 1.0})


def test_metrics_are_in_words() -> None:
    """A metric has the words of its quantity; a paper's measure those of what the paper calls it too."""
    cells = [
        ({"law": law}, np.array([1.0, 1.1, 0.9]) * more) for law, more in (("bic", 2), ("reno", 1))
    ]
    table = Table.of("voice.delay_s.p95", cells)
    asked = claim(f'{{ above = {{ metric = "voice.delay_s.p95", {A} }} }}')
    (part,) = judge_claim(asked, {"voice.delay_s.p95": table}).parts
    assert part.judged_as == "95th percentile of delay, voice: BIC over Reno above 1.02"
    both = {table.metric: table, "goodput_bps": Table.of("goodput_bps", cells)}
    sides = 'a = { metric = "voice.delay_s.p95" }, b = { metric = "goodput_bps" }'
    (part,) = judge_claim(claim(f"{{ above = {{ {sides} }} }}"), both).parts
    assert part.judged_as.startswith("95th percentile of delay, voice over goodput above 1.02")
    assert (
        phrases.of_measure("game.delay_p95", "game_down.delay_s.p95")
        == "95th percentile of delay, game"
    )
    assert phrases.of_measure("film.follows_window", "") == "follows window, film"
    assert phrases.of_measure("throughput", "up*.goodput_bps") == "throughput"
    assert phrases.headed("station.ap.airtime_share") == "station ap\nairtime"


@pytest.mark.parametrize(
    ("holds", "gains", "said"),
    [
        (f"{{ above = {{ {A} }} }}", {0.1: 1.2}, "goodput: BIC over Reno above 1.02"),
        (
            f'{{ about = {{ {A}, by = "96 %", where = {{ per = 0.1 }} }} }}',
            {0.1: 1.2, 0.2: 1.2},
            "goodput: BIC over Reno between 1.64 and 2.28, where packet error rate 0.1",
        ),
        (
            f'{{ below = {{ {A}, reading = "everywhere" }} }}',
            {0.1: 1.2, 0.2: 1.2},
            "goodput: BIC over Reno below 0.98, in each of 2 settings",
        ),
        (
            '{ monotone = { along = "per", direction = "up", overall = ["law"] } }',
            {0.1: 1.0, 0.2: 1.2, 0.3: 1.4},
            "goodput: packet error rate 0.3 over 0.1 above 1.02; packet error rate 0.2 over 0.1 and packet "
            "error rate 0.3 over 0.2 above 0.98, "
            "averaged over law first",
        ),
        (
            "{ over = { value = 50 } }",
            {0.1: 1.0},
            "goodput: the mean above 50, on average over 2 settings",
        ),
        (
            f"{{ not = {{ the_same = {{ {A} }} }} }}",
            {0.1: 1.2},
            "not: goodput: BIC over Reno between 0.95 and 1.05",
        ),
        (
            f'{{ up_to = {{ {A}, by = "60 %" }} }}',
            {0.1: 1, 0.2: 1.6},
            "between 1.4 and 1.8, the largest of 2 settings",
        ),
    ],
)
def test_a_claim_says_what_it_tested(holds: str, gains: dict[float, float], said: str) -> None:
    (part,) = judged(holds, gains).as_dict()["parts"]
    assert said in part["judged_as"]
    assert all(each["judged_as"] for each in part["details"])


@pytest.mark.parametrize(
    ("holds", "error"),
    [
        (f"{{ ratio = {{ {A} }} }}", "ratio needs at_least, at_most or both"),
        (f"{{ ratio = {{ {A}, at_least = 3, at_most = 2 }} }}", "at_least must be under at_most"),
        (f'{{ ratio = {{ {A}, at_least = "2" }} }}', "must be a ratio over 0"),
        (
            f'{{ above = {{ {A}, reading = "sometimes" }} }}',
            "'general', 'everywhere' or 'somewhere'",
        ),
    ],
)
def test_what_is_wrong_with_numbers_is_said(holds: str, error: str) -> None:
    with pytest.raises(UsageError, match=error):
        judged(holds, {0.1: 1.0})


@pytest.mark.parametrize(
    ("text", "holds", "note", "expected"),
    [
        ("about 96 % above", f'{{ about = {{ {A}, by = "96 %" }} }}', "", []),
        ("about 96 % above", f"{{ above = {{ {A} }} }}", "", ["96"]),
        ("carries twice as much", f"{{ above = {{ {A} }} }}", "", ["twice"]),
        ("carries twice as much", f"{{ doubles = {{ {A} }} }}", "", []),
        ("carries twice as much", f"{{ ratio = {{ {A}, at_least = 2 }} }}", "", []),
        ("gains 7 to 18 %", f"{{ ratio = {{ {A}, at_least = 1.07, at_most = 1.18 }} }}", "", []),
        ("gains 7 to 18 %", f'{{ above = {{ {A}, by = "7 %" }} }}', "", ["18"]),
        ("half is left", f"{{ halved = {{ {A} }} }}", "", []),
        ("at 0.8 Mbit/s", "{ over = { value = 800000.0 } }", "", []),
        ("in scenario 2 over 802.11b, figures 3 and 4", f"{{ above = {{ {A} }} }}", "", []),
        ("moving at 15 km/h", f"{{ above = {{ {A} }} }}", "All was run at 15 km/h.", []),
        ("DL:UL 3:1", f"{{ above = {{ {A}, where = {{ ratio = 3 }} }} }}", "", []),
    ],
)
def test_numbers_of_the_text_that_are_not_tested(
    text: str, holds: str, note: str, expected: list[str]
) -> None:
    assert untested(claim(holds, text, note=note)) == expected


def test_check_warns_of_numbers_that_are_not_tested(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(
        '[study]\nname = "s"\nscenario = "two_stations"\nmetrics = ["goodput"]\n'
        '[axes]\ntcp.variant = ["reno", "sack"]\n[[claim]]\nid = "C"\ntext = "SACK has twice as much"\n'
        'holds = { above = { a = { "tcp.variant" = "sack" }, b = { "tcp.variant" = "reno" } } }\n'
    )
    checked = check(file)
    (problem,) = checked.problems
    assert (problem.code, problem.line, problem.is_warning) == ("untested-number", 7, True)
    assert not checked.is_wrong
    file.write_text(file.read_text().replace("above =", "doubles ="))
    assert check(file).problems == ()


def test_the_papers_test_what_they_say() -> None:
    """Or their notes say how it is read."""
    folder = Path(__file__).parents[2] / "python/lasthop/study/papers"
    for file in folder.glob("*/claims.toml"):
        for each in read_claims(tomllib.loads(file.read_text("utf-8"))["claim"], str(file)):
            assert untested(each) == [], each.id
