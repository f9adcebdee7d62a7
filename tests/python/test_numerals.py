"""Numbers in sentences: one thing is no things, and the first percentile is the 1st."""

from __future__ import annotations

import pytest

from lasthop.cli.advice_output import _number
from lasthop.numbers.numerals import counted, ordinal, plain
from lasthop.study.advice import Measured
from lasthop.study.phrases import of_metric


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (1234, "1,234 cells")],
)
def test_one_thing_is_no_things(number: int, said: str) -> None:
    assert counted(number, "cell") == said


@pytest.mark.parametrize(
    ("number", "said"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
     (21, "21st"), (92, "92nd"), (93, "93rd"), (95, "95th"), (111, "111th")],
)  # fmt: skip
def test_ordinals_are_as_they_are_said(number: int, said: str) -> None:
    assert ordinal(number) == said
    assert of_metric(f"voice.delay.p{number}").startswith(f"{said} percentile of delay")


@pytest.mark.parametrize(
    ("number", "digits", "said"),
    [(23657.4, 4, "23660"), (1348.2, 3, "1350"), (999.96, 4, "1000"), (4.1e-6, 2, "0.0000041"),
     (120.4, 2, "120"), (-0.25, 4, "-0.25"), (0.0, 4, "0"), (None, 4, "-"), (98.76, 3, "98.8"),
     (0.001234, 3, "0.00123"), (4e-4, 2, "0.0004"),
     (float("inf"), 4, "inf")],
)  # fmt: skip
def test_no_number_that_people_read_has_an_exponent(
    number: float | None, digits: int, said: str
) -> None:
    assert plain(number, digits) == said
    assert _number(Measured(1.348e6, 1.336e6, 1.352e6), "bit/s") == "1,348 (1,336 to 1,352)"
