"""The vocabulary of verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product

import numpy as np
import pytest

from lasthop.study import claims
from lasthop.study.claims import Comparison, Mostly, Outcome, Verdict
from lasthop.study.claims.outcomes import by_tests, contradict, everywhere, of_parts
from lasthop.study.papers import showing

S, D, O = Outcome.SHOWN, Outcome.DENIED, Outcome.OPEN  # noqa: E741


H, N, P, M, U, X = Verdict


@pytest.mark.parametrize(
    ("outcomes", "not_run", "expected"),
    [
        ([S, S], 0, H),
        ([S, S], 1, X),  # runs are missing, not replications
        ([S, O], 1, U),
        ([D, D], 0, N),
        ([D, O], 0, M),  # the open one may hold or not
        ([D, *[O] * 27], 0, M),
        ([D, O], 3, M),
        ([D, D], 3, M),
        ([S, D], 0, P),
        ([S, D, O], 0, P),
        ([S, O], 0, U),
        ([O], 0, U),
        ([], 3, X),
    ],
)
def test_what_is_said_of_everywhere(
    outcomes: list[Outcome], not_run: int, expected: Verdict
) -> None:
    assert everywhere(outcomes, not_run) is expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([H, H], H),
        ([N, N], N),
        ([H, N], P),
        ([H, P], P),
        ([H, U], U),
        ([N, U], M),
        ([N, U, U], M),
        ([N, X], M),
        ([M], M),
        ([M, N], M),
        ([M, U], M),
        ([M, H], P),
        ([M, P], P),
        ([H, U, N], P),
        ([H, X], X),
        ([U, X], U),
        ([X, X], X),
    ],
)
def test_a_claims_word_follows_from_its_parts(parts: list[Verdict], expected: Verdict) -> None:
    assert of_parts(parts) is expected


def test_what_one_test_of_several_denies_a_part_does_not_hold() -> None:
    assert [by_tests(each) for each in ([D, O], [D, S], [S, O], [S, S])] == [N, N, U, H]
    assert by_tests([D], not_run=1) is N


@pytest.mark.parametrize("outcomes", list(product((S, D, O, None), repeat=4)))
def test_more_runs_contradict_no_word(outcomes: tuple[Outcome | None, ...]) -> None:
    def word(found: Sequence[Outcome | None], decide: Callable[..., Verdict]) -> Verdict:
        return decide([each for each in found if each], sum(each is None for each in found))

    later = product(
        *({O: (S, D, O), None: (S, D, O, None)}.get(each, (each,)) for each in outcomes)
    )
    for found in later:
        for decide in (everywhere, by_tests):
            assert not contradict(word(found, decide), word(outcomes, decide))


def test_every_word_has_a_colour_and_is_counted() -> None:
    assert set(showing.COLOURS) == set(showing.COUNTED) == set(Verdict)


def test_words_that_contradict_each_other() -> None:
    assert {(a, b) for a, b in combinations(Verdict, 2) if contradict(a, b)} == {
        (H, N),
        (H, P),
        (H, M),
        (N, P),
    }


def _one(greater: list[float], lesser: list[float]) -> Outcome:
    (judged,) = claims.judge_all([Comparison("part", "label", greater, lesser)])
    return judged.outcome


def test_above_means_by_over_two_per_cent() -> None:
    base = [100.0, 101.0, 99.0, 100.5]
    assert _one([1.05 * x for x in base], base) is S
    assert _one([1.01 * x for x in base], base) is D  # above, but shown to be under 2 %
    assert _one([0.9 * x for x in base], base) is D
    assert _one([80.0, 130.0, 95.0, 120.0], base) is O


def test_pairing_takes_out_what_replications_share() -> None:
    shared = [50.0 + 10 * n for n in range(12)]
    more = [1.5 * x for x in shared]
    assert _one(more, shared) is S
    assert _one(more, shared[::-1]) is O


def test_a_band_is_met_where_the_interval_lies_inside() -> None:
    """Twice is between 1.7 and 2.3: an interval that only touches the band leaves it open."""
    rng = np.random.default_rng(1)
    base = np.full(20, 100.0)
    inside, touching, outside = (
        Comparison("p", "l", mean * 100 + spread * rng.standard_normal(20), base, 1.7, 2.3)
        for mean, spread in ((2.0, 10.0), (1.75, 60.0), (1.3, 10.0))
    )
    assert [each.judge(0.95).outcome for each in (inside, touching, outside)] == [S, O, D]
    judged = touching.judge(0.95)
    assert judged.low is not None
    assert judged.low < 1.7 < (judged.high or 0)
    assert judged.needed is not None


def test_settings_that_are_the_same_in_every_run_are_identical() -> None:
    """However many comparisons share the level: under a tenth of all runs may differ, as of 29 none does."""
    base = [100.0 + n for n in range(29)]
    few = Comparison("p", "l", base[:12], base[:12], 0.95, 1.05).judge(0.999)
    assert (few.identical, few.outcome, few.needed) == (True, O, 29)
    assert Comparison("p", "l", base, base, 0.95, 1.05).judge(0.999).outcome is S
    assert Comparison("p", "l", base, base).judge(0.999).outcome is D


def test_intervals_end_where_values_do() -> None:
    wild = [0.0, 0.1, 9.0, 0.2, 3.0, 0.1, 0.0, 7.0, 0.3, 0.4]
    ratio = Comparison("p", "l", wild, [1.0 + 0.1 * n for n in range(10)]).judge(0.999)
    assert ratio.low == 0
    assert Comparison("p", "l", wild, None, 1.0, ends=(0, np.inf)).judge(0.999).low == 0
    indices = [0.9, 1.0, 0.5, 0.95, 0.99, 0.7, 0.8, 1.0, 0.6, 0.97]
    assert Comparison("p", "l", indices, None, 0.9, ends=(0, 1)).judge(0.999).high == 1
    correlation = Comparison("p", "l", [-0.9, 0.8, 0.1, -0.99, 0.5] * 2, None, 0.1, ends=(-1, 1))
    assert (correlation.judge(0.99999).low, correlation.judge(0.99999).high) == (-1, 1)


def test_one_replication_cannot_tell() -> None:
    assert _one([200.0], [100.0]) is O


def test_more_comparisons_need_stronger_evidence() -> None:
    values = [105.0, 103.1, 107.0, 104.0, 106.0, 103.5, 105.5, 104.5, 106.5, 103.0]
    just = Comparison("p", "l", values, [100.0] * 10)
    assert claims.judge_all([just])[0].outcome is S
    assert {j.outcome for j in claims.judge_all([just] * 60)} == {O}


def test_printed_numbers_are_taken_as_they_stand() -> None:
    points = [Comparison("p", "l", [103.0], [100.0]), Comparison("p", "l", [101.0], [100.0])]
    assert [j.outcome for j in claims.judge_points(points)] == [S, D]


@pytest.mark.parametrize(
    ("inside", "outside", "expected"),
    [
        ([3, 4, 3, 5, 2, 4], [0, 1, 0, 0, 1, 0], S),
        ([0, 1, 0, 0, 1, 0], [3, 4, 3, 5, 2, 4], D),
        ([2] * 6, [0] * 6, S),  # six of six one way: p = 1/32
        ([9] * 5, [0] * 5, O),  # five replications cannot show anything at 5 %
        ([1, 1], [0, 0], O),
        ([1] * 6, [0] * 6, O),  # six events are a handful
        ([9, 0, 0, 0, 0, 0], [0] * 6, O),  # all in one replication
        ([19, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 1], O),
        ([3] * 6, [3] * 6, O),
        ([0] * 6, [0] * 6, O),  # nothing to be the greater part of
        ([], [], O),
    ],
)
def test_majority(inside: list[int], outside: list[int], expected: Outcome) -> None:
    found = Mostly("", "", tuple(inside), tuple(outside)).judge(0.95)
    assert found.outcome is expected
