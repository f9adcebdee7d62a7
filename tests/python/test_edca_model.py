"""The Monte Carlo of access categories against a hand calculation and another Monte Carlo."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lasthop_validation import edca, oracles
from lasthop_validation.dcf_monte_carlo import US
from lasthop_validation.edca_monte_carlo import STANDARD, Exchange, simulate

VO, BE = STANDARD[0], STANDARD[2]
N20 = Exchange(
    data=228 * US, answer=28 * US, sifs=16 * US, slot=9 * US, timeout=45 * US, after_error=0,
    cf_end=52 * US, attempts=7,
)  # fmt: skip
SINGLE = {
    name: replace(of, txop=0) for name, of in zip(("VO", "VI", "BE", "BK"), STANDARD, strict=True)
}
"""Without TXOPs."""


def test_one_station_is_the_hand_calculation() -> None:
    # SIFS and 3 slots of AIFS, 7.5 slots of mean backoff, 228 us of data, SIFS, 28 us of ACK.
    found = simulate(N20, [[BE]])
    assert found.frames_per_s["best_effort"] == pytest.approx(1e6 / (43 + 67.5 + 272), rel=1e-3)
    assert found.collided == 0


def test_a_txop_ends_with_a_cf_end_or_with_what_is_left() -> None:
    # 7 exchanges of 272 us a SIFS apart take 2000 us; a SIFS and 52 us fit into what is left of 2080.
    assert N20.burst(VO.txop) == (7, (2000 + 16 + 52) * US, (2000 + 16 + 52) * US)
    assert N20.burst(2_050 * US) == (7, 2000 * US, 2050 * US)
    assert N20.burst(0) == (1, 272 * US, 272 * US)


def test_a_higher_function_of_a_station_goes_first() -> None:
    found = simulate(N20, [[VO, BE]], turns=100_000)
    assert found.collided == 0
    assert found.frames_per_s["voice"] > 20 * found.frames_per_s["best_effort"] > 0


@pytest.mark.skipif(oracles.folder() is None, reason="no shared/oracles above the project")
def test_shares_are_those_of_another_monte_carlo() -> None:
    rows = [
        row
        for row in oracles.table("wifi6/closed_edca.csv") or []
        if row["txop"] == "0" and float(row["mc_mbps"] or 0) > 1 and row["mc_ci95"]
    ]
    found, compared = {}, 0
    for row in rows[::3]:
        mix = row["mix"]
        if mix not in found:
            pairs = [pair.split(":") for pair in mix.split()]
            stations = [[SINGLE[name]] for name, number in pairs for _ in range(int(number))]
            found[mix] = simulate(N20, stations, turns=200_000)
        name = SINGLE[row["ac"]].name
        mbps = 8 * edca.PAYLOAD / 1e6
        ours, half = found[mix].frames_per_s[name], 2.5 * found[mix].standard_error[name]
        chance = (row.number("mc_ci95") ** 2 + (half * mbps) ** 2) ** 0.5
        assert abs(ours * mbps - row.number("mc_mbps")) < 0.01 * row.number("mc_mbps") + chance
        compared += 1
    assert compared >= 5
