"""The models in validation/ against hand calculation, published numbers and each other."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "validation"))

import oracles
import theory
from dcf_monte_carlo import US, Timing, simulate

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
    assert found == pytest.approx(mbps, rel=0.02)  # what the model leaves out is worth that much


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


def test_the_folder_of_oracles_is_found_or_absent() -> None:
    found = oracles.folder()
    assert found is None or (found / "README.md").exists()
