"""The vocabulary of verdicts."""

from __future__ import annotations

import pytest

from lasthop import claims
from lasthop.claims import Comparison, Mostly, Outcome, Verdict
from lasthop.claims.outcomes import everywhere, of_parts

S, D, O = Outcome.SHOWN, Outcome.DENIED, Outcome.OPEN  # noqa: E741


H, N, P, U, X = (
    Verdict.HOLDS,
    Verdict.DENIED,
    Verdict.PARTLY,
    Verdict.UNDECIDED,
    Verdict.NOT_RUN,
)


@pytest.mark.parametrize(
    ("outcomes", "not_run", "expected"),
    [
        ([S, S], 0, H),
        ([S, S], 1, U),
        ([D, D], 0, N),
        ([D, O], 0, N),
        ([D, *[O] * 27], 0, U),  # one that denies it against many that are open says little
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
        ([N, U], N),
        ([N, U, U], U),
        ([H, X], U),
        ([X, X], X),
    ],
)
def test_a_claims_word_follows_from_its_parts(parts: list[Verdict], expected: Verdict) -> None:
    assert of_parts(parts) is expected


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
    shared = [50.0, 100.0, 150.0, 200.0]
    assert _one([1.05 * x for x in shared], shared) is S
    assert _one([1.05 * x for x in shared], shared[::-1]) is O


def test_one_replication_cannot_tell() -> None:
    assert _one([200.0], [100.0]) is O


def test_more_comparisons_need_stronger_evidence() -> None:
    just = Comparison("p", "l", [105.0, 103.1, 107.0, 104.0], [100.0, 100.0, 100.0, 100.0])
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
