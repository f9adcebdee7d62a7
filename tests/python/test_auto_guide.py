"""What the guide to `auto` says is what its study found."""

from __future__ import annotations

import renew_auto
from lasthop.study import reader
from lasthop.study.goals import GOALS


def test_the_guide_has_the_numbers_that_are_kept() -> None:
    text = renew_auto.GUIDE.read_text("utf-8")
    assert renew_auto.MARKED.search(text)
    assert renew_auto.filled(text, renew_auto.read()) == text
    assert "stale" not in renew_auto.filled(
        "<!-- auto_unseen: written by tools/renew_auto.py -->\nstale\n<!-- end -->",
        renew_auto.read(),
    )


def test_what_is_kept_has_each_variant_of_the_study_and_each_goal() -> None:
    kept = renew_auto.read()[renew_auto.STUDY]
    study = reader.read(renew_auto.STUDY)
    variants = next(
        axis.values for group in study.axes for axis in group if axis.key == "tcp.variant"
    )
    assert kept["replications"] == study.replications
    assert kept["policy"] == renew_auto.policy(), "the default policy has changed: judge it again"
    why = renew_auto.read()[renew_auto.WHY]
    assert why["policy"] == renew_auto.policy(), "the default policy has changed: explain it again"
    assert set(kept["goals"]) == set(GOALS)
    for goal in kept["goals"].values():
        assert set(goal["variants"]) == set(variants)
        for regret, low, high, most in goal["variants"].values():
            assert low <= regret <= high
            assert regret <= most + 0.1, "the best of the same runs is at least as lucky"
