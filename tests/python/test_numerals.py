"""Numbers in sentences: one thing is no things, and the first percentile is the 1st."""

from __future__ import annotations

import pytest

from lasthop.numbers.numerals import counted, ordinal
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
