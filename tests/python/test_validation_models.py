"""The models of lasthop_validation against hand calculation, published numbers and each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lasthop_validation import hidden_pair, theory
from lasthop_validation.checking import Check, Outcome, mean_of
from lasthop_validation.dcf_monte_carlo import US, OfdmTiming, Timing, simulate
from lasthop_validation.judging import Case, judge_row, shared_of

DSSS2 = Timing(2e6, 2e6)


def test_one_station_is_the_hand_calculation() -> None:
    rules = Timing(2e6, 1e6).rules(1536)
    # 50 DIFS + 310 mean backoff + 192 + 6144 data + 10 SIFS + 304 ACK, microseconds.
    assert theory.one_station(rules) == pytest.approx(1e6 / 7010)
    found = simulate(rules, 1, turns=100_000)
    assert found.frames_per_s == pytest.approx(1e6 / 7010, rel=1e-3)
    assert found.collided == 0


@pytest.mark.parametrize(
    ("stations", "bystanders", "mbps"),
    # wifi-bianchi tables of ns-3, 2 Mbit/s, 1500 B in a 1536 B PSDU.
    [
        (5, "eifs", 1.6170),
        (10, "eifs", 1.5075),
        (20, "eifs", 1.3849),
        (50, "eifs", 1.2124),
        (5, "difs", 1.6228),
        (50, "difs", 1.2279),
    ],
)
def test_bianchi(stations: int, bystanders: str, mbps: float) -> None:
    rules = DSSS2.rules(1536, bystanders=bystanders, attempts=None, eifs=308 * US)
    data, ack = DSSS2.frame(1536, 2e6), DSSS2.frame(14, 2e6)
    model = theory.bianchi(rules, stations, data, ack, DSSS2.sifs) * 0.012
    assert model == pytest.approx(mbps, rel=2e-3)
    found = simulate(rules, stations, turns=200_000).frames_per_s * 0.012
    assert found == pytest.approx(mbps, rel=0.02)  # the effect of what the model leaves out


@pytest.mark.parametrize(
    ("stations", "size", "rts", "difs_mbps", "eifs_mbps"),
    # Another contention-level Monte Carlo with the same rules: 11 Mbit/s, frame = payload + 64 B.
    [
        (2, 500, False, 3.4171, 3.4171),
        (5, 1000, False, 5.2213, 5.1195),
        (20, 1500, False, 5.5594, 5.3261),
        (50, 1500, False, 4.9161, 4.6676),
        (10, 1500, True, 4.7636, 4.6624),
        (50, 500, True, 2.1076, 1.9607),
    ],
)
def test_monte_carlo_against_another(
    stations: int, size: int, rts: bool, difs_mbps: float, eifs_mbps: float
) -> None:
    timing = Timing(11e6, 1e6)
    for bystanders, mbps in (("difs", difs_mbps), ("eifs", eifs_mbps)):
        rules = timing.rules(size + 64, rts=rts, bystanders=bystanders)
        found = simulate(rules, stations, turns=300_000).frames_per_s * size * 8e-6
        assert found == pytest.approx(mbps, rel=5e-3)


def test_the_same_seed_gives_the_same_numbers() -> None:
    rules = DSSS2.rules(500)
    assert simulate(rules, 5, turns=5000) == simulate(rules, 5, turns=5000)
    assert simulate(rules, 5, turns=5000) != simulate(rules, 5, turns=5000, seed=2)


@pytest.mark.parametrize(
    ("size", "loss"),
    [(14, 0.1689), (100, 0.2526), (500, 0.2669), (1000, 0.2842), (1500, 0.3012), (2000, 0.3177)],
)
def test_gilbert_elliott(size: int, loss: float) -> None:
    assert theory.gilbert_elliott_loss(size, 2e6) == pytest.approx(loss, abs=5e-5)


def test_a_channel_that_cannot_change_within_a_frame_is_sampled() -> None:
    slow = theory.gilbert_elliott_loss(500, 2e6, mean_good=1e5, mean_bad=1e5)
    assert slow == pytest.approx(
        theory.gilbert_elliott_sampled(500, mean_good=1e5, mean_bad=1e5), rel=1e-4
    )


@pytest.mark.parametrize(
    ("n", "k", "bits", "left"),
    [(255, 181, 8, 6.0e-6), (63, 45, 6, 2.9e-4), (31, 22, 5, 1.45e-3), (7, 5, 3, 2.8e-3)],
)
def test_reed_solomon(n: int, k: int, bits: int, left: float) -> None:
    assert theory.reed_solomon(n, k, bits, 1e-2)[1] == pytest.approx(left, rel=0.02)


def _case(bound: float, **more: Any) -> Case:
    return Case("group", "name", "", lambda run: float(run["x"]), 100.0, bound, "reason", **more)


def _judged(case: Case, *values: float) -> Check:
    return judge_row(case, [{"x": value} for value in values])


def test_a_row_is_ok_off_or_undecided() -> None:
    assert _judged(_case(0.02), 101.0, 101.1, 100.9).outcome is Outcome.OK
    assert _judged(_case(0.02), 105.0, 105.1, 104.9).outcome is Outcome.OFF
    # Means alike, but chance (12 %) is over the bound: such runs could hardly have shown it off.
    assert _judged(_case(0.02), 105.0, 95.0, 100.0).outcome is Outcome.UNDECIDED
    assert _judged(_case(0.02, reference_ci95=3.0), 100.0, 100.0).outcome is Outcome.UNDECIDED
    exact = _case(0.0, resolution=0.01)
    assert _judged(exact, 100.1, 99.9, 100.05).outcome is Outcome.OK
    assert _judged(exact, 100.3, 100.3, 100.31).outcome is Outcome.OFF


def test_a_bias_that_no_row_shows_is_shown_by_the_group() -> None:
    rows = [_judged(_case(0.02), 103.0 - x, 103.0, 103.0 + x) for x in (0.6, 0.7, 0.8, 0.9) * 4]
    assert {row.outcome for row in rows} == {Outcome.OK, Outcome.UNDECIDED}
    group = mean_of("group", rows)
    assert group.measured == pytest.approx(0.03)
    assert group.outcome is Outcome.OFF


def test_a_measure_that_is_no_number_is_off_and_ready_for_json() -> None:
    check = _judged(_case(0.02), float("nan"), float("nan"))
    assert check.outcome is Outcome.OFF
    assert check.as_dict()["pass"] is False
    assert check.as_dict()["measured"] is None


def test_a_level_widens_the_interval() -> None:
    usual, wide = (
        _judged(_case(0.02, level=level), 100.0, 101.0, 102.0).chance for level in (0.95, 0.99)
    )
    assert wide > 2 * usual


def test_what_is_off_for_a_known_reason_differs() -> None:
    check = replace(_judged(_case(0.02), 105.0, 105.1, 104.9), explained="known")
    assert check.outcome is Outcome.DIFFERS
    assert not check.as_dict()["pass"]
    near = replace(_judged(_case(0.02), 101.0, 101.1, 100.9), explained="known")
    assert near.outcome is Outcome.OK


def test_a_check_from_below_takes_more_but_not_less() -> None:
    def outcome(measured: float) -> Outcome:
        return Check("group", "name", measured, 2.0, 0.0, "reason", at_least=True).outcome

    assert [outcome(x) for x in (9.0, 2.0, 1.9)] == [Outcome.OK, Outcome.OK, Outcome.OFF]
    assert outcome(float("nan")) is Outcome.OFF


def test_cases_of_the_same_runs_have_no_runs_of_their_own() -> None:
    cases = [_case(0.02), _case(0.03), replace(_case(0.02), text="duration = '1 s'")]
    shared = shared_of(cases, seed=5)
    assert [job.seed for each in shared for job in each.jobs] == [5] * 10 + [6] * 10
    assert [len(each.cases) for each in shared] == [2, 1]


def test_hidden_stations_that_never_meet_are_two_lone_ones() -> None:
    # Frames of a hundredth of the backoff: half of the time is nobody's, and hardly one meets another.
    rules = Timing(11e6, 11e6).rules(100, cw_min=1023)
    short = replace(rules, first=US, success=12 * US)
    pair = hidden_pair.simulate(short, US, 10 * US, steps=200_000)
    lone = theory.one_station(short)
    assert pair.failed < 0.01
    assert pair.frames_per_s == pytest.approx(2 * lone, rel=0.01)


def test_heusse_without_a_slow_one_is_a_fair_share() -> None:
    # Nobody to collide with: the cycle is two frames, each with its share of the backoff.
    one = theory.heusse(2, 12288, 11e6, 11e6)
    assert one == pytest.approx(12288 / (2 * (556e-6 + 12288 / 11e6)), rel=0.15)
    assert theory.heusse(2, 12288, 11e6, 1e6) < one / 2


def test_ofdm_frames_are_whole_symbols() -> None:
    # 802.11a at 54 Mbit/s: 22 + 12288 bits in 57 symbols of 216; 6 us more with 802.11g.
    assert OfdmTiming(54e6, 24e6).frame(1536, 54e6) == (20 + 57 * 4) * US
    assert OfdmTiming(54e6, 24e6, extension=6 * US).frame(1536, 54e6) == (26 + 57 * 4) * US
