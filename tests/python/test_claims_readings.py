"""In general and everywhere: what each says, what it costs, and that it is wrong no more often than promised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lasthop.numbers import stats
from lasthop.study.claims import JudgedClaim, Table, Verdict, judge_claim, read_claims
from lasthop.study.claims.parts import counted_as
from lasthop.study.claims.saying import asked

STUDIES = 1000
WINDOWS = (1, 2, 5, 10)


def claim(word: str, reading: str, **given: Any) -> Any:
    held = (
        {"a": {"rts": "on"}, "b": {"rts": "off"}} if word in ("above", "below", "the_same") else {}
    )
    said = {word: {**held, **given, "part": "it"}}
    (found,) = read_claims([{"id": "X", "text": "x", "reading": reading, "holds": said}])
    return found


def table(
    effects: dict[Any, float], rng: np.random.Generator, count: int = 10, spread: float = 0.05
) -> Table:
    """Return two settings of RTS for each window, whose sizes differ by a factor of a hundred."""
    rows = []
    shared = 0.1 * rng.standard_normal(count)
    for place, (window, effect) in enumerate(effects.items()):
        base = 10.0**place
        own = spread * rng.standard_normal((2, count))
        rows.append(({"window": window, "rts": "off"}, base * (1 + shared + own[0])))
        rows.append(({"window": window, "rts": "on"}, base * effect * (1 + shared + own[1])))
    return Table.of("m", rows)


def judged(found: Any, made: Table) -> JudgedClaim:
    return judge_claim(found, {"m": made})


def test_in_general_every_setting_counts_alike() -> None:
    """Three small settings gain a quarter, the largest loses a tenth: on average it is a gain."""
    rng = np.random.default_rng(1)
    made = table({1: 1.25, 2: 1.25, 5: 1.25, 10: 0.9}, rng, spread=0.01)
    general = judged(claim("above", "general"), made)
    assert general.verdict is Verdict.HOLDS
    (part,) = general.parts
    assert part.test is not None
    assert part.test.leaf.ratio == pytest.approx((3 * 1.25 + 0.9) / 4, rel=0.02)
    assert (part.share.count, part.share.of, part.share.least, part.share.most) == (3, 4, 3, 3)
    assert "on average" in part.sentence
    assert "as claimed in 3 of 4 settings" in part.sentence
    everywhere = judged(claim("above", "everywhere"), made)
    assert everywhere.verdict is Verdict.PARTLY
    assert (
        "Of 4 settings 3 show it and 1 shows that it does not hold" in everywhere.parts[0].sentence
    )


def test_one_test_has_the_power_that_forty_have_not() -> None:
    rng = np.random.default_rng(2)
    made = table(dict.fromkeys(range(8), 1.05), rng, count=12)
    assert judged(claim("above", "general"), made).verdict is Verdict.HOLDS
    everywhere = judged(claim("above", "everywhere"), made)
    assert everywhere.verdict is Verdict.UNDECIDED
    assert everywhere.needed is not None


def test_settings_that_were_not_run_are_told_apart() -> None:
    rng = np.random.default_rng(3)
    made = table({1: 1.3, 2: 1.3}, rng, spread=0.01)
    cells = {**made.cells, (5, "on"): np.empty(0), (5, "off"): np.empty(0)}
    partly = Table("m", made.axes, cells)
    found = judged(claim("above", "general"), partly)
    assert found.verdict is Verdict.HOLDS
    assert found.parts[0].share.not_run == 1
    assert "1 of 3 settings was not run" in found.parts[0].sentence
    everywhere = judged(claim("above", "everywhere"), partly)
    assert everywhere.verdict is Verdict.NOT_RUN  # more replications would not tell
    assert "Of 2 settings 2 show it. 1 of 3 settings was not run" in everywhere.sentence
    none = Table("m", made.axes, {key: np.empty(0) for key in made.cells})
    assert judged(claim("above", "general"), none).verdict is Verdict.NOT_RUN


def test_growth_is_judged_at_the_values_that_were_run_and_the_best_is_not() -> None:
    rows = [({"window": w}, w * np.linspace(1, 1.1, 9)) for w in (1, 2, 5)]
    made = Table.of("m", [*rows, ({"window": 10}, [])])
    grows = claim("monotone", "general", along="window", direction="up")
    assert judged(grows, made).verdict is Verdict.HOLDS
    best = claim("best_at", "general", along="window", value=5)
    assert judged(best, made).verdict is Verdict.NOT_RUN


@pytest.mark.parametrize("reading", ["general", "everywhere"])
@pytest.mark.parametrize("effect", [1.02, 1 / 1.02])
def test_a_reading_is_wrong_no_more_often_than_it_says(reading: str, effect: float) -> None:
    """Every effect is exactly at the threshold of one of the two words: to show or deny it is wrong."""
    word = "above" if effect > 1 else "below"
    found = claim(word, reading)
    wrong = 0
    for study in range(STUDIES):
        rng = np.random.default_rng((7, study))
        made = table(dict.fromkeys(WINDOWS, effect), rng, count=12)
        parts = judged(found, made).parts
        outcomes = {str(test.outcome) for part in parts for test in part.tests}
        wrong += outcomes != {"open"}
    assert stats.binomial_tail(wrong, STUDIES, 0.05) > 0.001, wrong
    assert wrong > 2


def test_bounds_of_the_share_hold_together() -> None:
    """Two settings gain and two lose by a hair more than nothing: the true share is a half."""
    found = claim("above", "general")
    wrong = 0
    for study in range(STUDIES):
        rng = np.random.default_rng((8, study))
        share = (
            judged(found, table({1: 1.001, 2: 1.001, 5: 0.999, 10: 0.999}, rng, 8)).parts[0].share
        )
        wrong += not share.least <= 2 <= share.most
    assert stats.binomial_tail(wrong, STUDIES, 0.05) > 0.001, wrong


def test_what_is_undecided_says_how_many_replications_would_tell() -> None:
    rng = np.random.default_rng(4)
    found = judged(claim("above", "general"), table(dict.fromkeys(WINDOWS, 1.05), rng, 4, 0.1))
    assert found.verdict is Verdict.UNDECIDED
    assert found.needed is not None
    assert found.needed > 4
    assert "replications would settle it" in found.sentence


def test_a_claim_says_what_each_of_its_parts_does() -> None:
    rng = np.random.default_rng(5)
    a, b = {"rts": "on"}, {"rts": "off"}
    parts = [
        {"above": {"a": a, "b": b, "part": "more"}},
        {"below": {"a": a, "b": b, "part": "less"}},
    ]
    (both,) = read_claims([{"id": "X", "text": "x", "holds": {"all": parts}}])
    found = judged(both, table(dict.fromkeys(WINDOWS, 1.5), rng))
    assert found.verdict is Verdict.PARTLY
    assert found.sentence == "holds: “more”; does not hold: “less”"
    document = found.as_dict()
    assert [part["verdict"] for part in document["parts"]] == ["holds", "does not hold"]
    assert document["parts"][0]["settings"]["in_the_claimed_direction"] == 4


def test_a_fall_that_one_step_leaves_open_names_the_step() -> None:
    """From end to end it falls by 94 %, which alone would not tell a reader why that is undecided."""
    shared, noise = np.random.default_rng(6).normal(0, (0.1, 0.004), (12, 2)).T
    means = {1: 1.0, 2: 1.019, 5: 0.06}
    rows = [({"window": w}, m * (1 + shared + (w == 2) * noise)) for w, m in means.items()]
    found = judged(
        claim("monotone", "general", along="window", direction="down"), Table.of("m", rows)
    )
    assert found.verdict is Verdict.UNDECIDED
    assert "94 % less" in found.sentence
    assert "open is window 2 against 1: 2.2 % more (1.5 to 2.6 %)" in found.sentence
    assert "where the claim allows at most 2.0 % more" in found.sentence


def test_runs_that_are_all_the_same_go_neither_way() -> None:
    rows = [({"rts": r}, np.linspace(1, 1.1, 9)) for r in ("on", "off")]
    found = judged(
        claim("above", "general", a={"rts": "on"}, b={"rts": "off"}), Table.of("m", rows)
    )
    assert found.verdict is Verdict.UNDECIDED
    assert "identical in all 9 replications. 29 identical ones would show" in found.sentence
    assert found.parts[0].share.count == 0


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["a against b; 1 m", "a against b; 2 m"], "settings"),
        (["a against b; 1 m", "a against c; 1 m"], "comparisons"),
        (["1 m", "2 m"], "settings"),  # means alone
    ],
)
def test_several_comparisons_of_a_setting_are_not_called_settings(
    labels: list[str], expected: str
) -> None:
    assert counted_as(labels) == expected


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [
        (1.02, None, "asks for at least 2.0 % more"),
        (0.98, None, "allows at most 2.0 % less"),
        (None, 0.98, "asks for at least 2.0 % less"),
        (None, 1.02, "allows at most 2.0 % more"),
        (0.95, 1.05, "allows 5.0 % less to 5.0 % more"),
        (1.05, 1.2, "asks for 5.0 to 20 % more"),
    ],
)
def test_what_a_claim_asks_of_a_ratio(
    above: float | None, below: float | None, expected: str
) -> None:
    assert asked(above, below) == expected
