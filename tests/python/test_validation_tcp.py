"""TCP's closed forms against published numbers, and a sample of the comparisons of TCP."""

from __future__ import annotations

import json

import pytest

from lasthop_validation import oracles, tcp_formulas, tcp_rest, tcp_theory, wired
from lasthop_validation.checking import Check, Outcome
from lasthop_validation.judging import judge

SHARED = pytest.mark.skipif(oracles.folder() is None, reason="no shared/oracles above the project")


def _off(checks: list[Check]) -> list[str]:
    assert checks
    return [f"{check.name}: {check.difference:+.3g}" for check in checks if not _fine(check)]


def _fine(check: Check) -> bool:
    return check.outcome in (Outcome.OK, Outcome.UNDECIDED)


@pytest.mark.parametrize(
    ("p", "rtt", "window"),
    # RFC 9438 tables 1 and 2, C = 0.4.
    [
        (1e-3, 0.1, 38),
        (1e-4, 0.1, 187),
        (1e-6, 0.1, 5926),
        (1e-8, 0.1, 187_400),
        (1e-7, 0.01, 5926),
    ],
)
def test_cubic_response(p: float, rtt: float, window: float) -> None:
    assert tcp_formulas.cubic_response(p, rtt) == pytest.approx(window, rel=5e-3)


@pytest.mark.parametrize(("p", "window"), [(1e-4, 263), (1e-6, 12_280), (1e-8, 574_356)])
def test_highspeed_response(p: float, window: float) -> None:
    # RFC 3649 table 2, as RFC 9438 quotes it.
    assert tcp_formulas.highspeed_response(p) == pytest.approx(window, rel=5e-3)


@pytest.mark.parametrize(
    ("buffer", "share"), [(0, 0.75), (0.25, 0.892857), (0.5, 0.964286), (1, 1)]
)
def test_sawtooth(buffer: float, share: float) -> None:
    assert tcp_formulas.sawtooth_utilisation(buffer) == pytest.approx(share, abs=1e-6)


@SHARED
def test_pftk_and_mathis_against_other_implementations() -> None:
    folder = oracles.folder()
    assert folder is not None
    cases = json.loads((folder / "vectors" / "analytic.json").read_text())["cases"]
    seen = 0
    for case in cases:
        given, expected = case["in"], case["expect"]
        if case["group"] == "pftk":
            arguments = (given["p"], given["rtt_s"], given["T0_s"], given["b"])
            assert tcp_formulas.pftk(*arguments) == pytest.approx(
                expected["full_pkts_per_s"], rel=1e-3
            )
            approximate = tcp_formulas.pftk_approximate(*arguments)
            assert approximate == pytest.approx(expected["approx_pkts_per_s"], rel=1e-4)
            seen += 1
        elif case["group"] == "mathis":
            assert tcp_formulas.mathis(given["p"]) == pytest.approx(
                expected["W_avg_C1.22"], rel=1e-4
            )
            seen += 1
    assert seen == 61


def test_laws_at_rest_are_what_their_papers_say() -> None:
    assert not _off(tcp_rest.checks(quick=True) + judge(tcp_rest.cases(quick=True)))


def test_windows_under_losses_are_those_of_the_closed_forms() -> None:
    cases = [case for case in tcp_theory.cases(quick=True) if "p 1e-06" not in case.name]
    assert not _off(judge(cases))


@SHARED
def test_wired_rows_without_random_loss_match_ns2() -> None:
    """Goodput of the agents whose prescriptions are the same on both sides."""
    plain = ("tahoe", "reno", "newreno", "sack", "vegas")
    cases = [
        case
        for case in wired.cases(quick=False)
        if case.name.startswith(plain) and "loss 0," in case.name
    ]
    assert not _off(judge(cases))
