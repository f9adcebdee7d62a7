"""What each choice does where the others are as recommended, and settings whose runs are the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commands import lasthop as command
from lasthop.cli.advice_output import _sharing, _show
from lasthop.cli.terminal import terminal
from lasthop.study.advice import Advice
from lasthop.study.advice.around import around, lines
from lasthop.study.advice.choices import grid_of
from lasthop.study.advice.question import race
from lasthop.study.advice.wishes import wish_of


class Link:
    """A goodput of 100, of 50 with a queue below 3, 0.3 % less with the law "slow"; one try makes a call lose."""

    def values(
        self,
        settings: Sequence[Mapping[str, Any]],
        names: Sequence[str],
        replications: Sequence[int],
        finished: Callable[[int], None] | None = None,
    ) -> Mapping[str, np.ndarray]:
        def of(name: str, setting: Mapping[str, Any], replication: int) -> float:
            noise = 1 + 0.001 * np.random.default_rng(replication).normal()
            if name == "loss":
                return noise * (0.05 if setting["tries"] == 1 else 0.001)
            slower = 0.997 if setting["law"] == "slow" else 1.0
            return noise * slower * (50.0 if setting["queue"] < 3 else 100.0)

        return {
            name: np.array([[of(name, s, r) for r in replications] for s in settings])
            for name in names
        }


def asked(**limits: Any) -> Advice:
    choose = {"law": ["fast", "slow"], "tries": [1, 2], "queue": range(1, 10)}
    wish = wish_of("goodput", None, ["loss < 2%"], 0.02)
    return race(grid_of(choose), wish, Link(), most=60, **limits)


def test_each_choice_is_told_apart_by_what_it_does() -> None:
    advice = asked()
    assert advice.recommended is not None
    assert advice.recommended.setting["law"] == "fast"
    said = {(each.choice, each.named): each.said for each in advice.around}
    assert said["tries", "1"] == "breaks loss < 2% (5 %)"
    assert said["law", "slow"].startswith("goodput 0.3 % less (0.")
    assert said["queue", "1, 2"] == "goodput 50 % less"
    # The recommended queue is itself not among those that give the same runs.
    same = {value for each in advice.around if "same" in each.said for value in each.values}
    assert same | {advice.recommended.setting["queue"]} == set(range(3, 10))
    assert lines(advice.around)[0] in str(advice)
    assert [each["said"] for each in advice.as_dict()["around"]] == list(said.values())


def test_a_setting_that_joined_as_the_race_was_stopped_has_an_effect_without_limits_too() -> None:
    grid = grid_of({"law": ["fast", "slow"], "tries": [2], "queue": [5]})
    advice = race(grid, wish_of("goodput", None, [], 0.02), Link(), most=20)
    assert advice.recommended is not None
    best, other = advice.recommended, advice.candidates[1]
    unjudged = replace(other, state="racing", keeps=False, behind=None)
    (found,) = around(best, [best, unjudged], grid.choices, advice.wish)
    assert found.said == "may be better or worse: more runs would tell"


def test_settings_with_the_same_runs_name_the_first_of_them() -> None:
    advice = asked()
    for each in advice.candidates:
        first = advice.candidates[each.same_as]
        assert first.same_as == each.same_as
        if each.replications == first.replications:
            assert first.measured == each.measured
    assert len({each.same_as for each in advice.candidates}) < len(advice.candidates)


@pytest.mark.parametrize(("tried", "more"), [(7, "and 1 more setting"), (8, "and 2 more settings")])
def test_settings_beyond_the_table_are_counted(
    tried: int, more: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Each queue below 3 and each further law has runs of its own.
    class AnyQueue(Link):
        def values(
            self, settings: Sequence[Mapping[str, Any]], names: Sequence[str], *rest: Any
        ) -> Mapping[str, np.ndarray]:
            found = super().values(settings, names, *rest)
            rank = np.array([[1.0 + each["queue"]] for each in settings])
            return {name: rank * values for name, values in found.items()}

    grid = grid_of({"law": ["fast"], "tries": [2], "queue": list(range(3, 3 + tried))})
    advice = race(grid, wish_of("goodput", None, [], 0.02), AnyQueue(), most=20)
    _show(advice, {}, terminal())
    assert capsys.readouterr().out.rstrip().splitlines()[-1] == more


def test_a_row_names_no_combination_that_was_not_tried() -> None:
    class AnyLaw(Link):
        def values(
            self, settings: Sequence[Mapping[str, Any]], *more: Any
        ) -> Mapping[str, np.ndarray]:
            return super().values([{**each, "law": "fast"} for each in settings], *more)

    grid = grid_of({"law": ["fast", "slow"], "queue": range(1, 30), "tries": [2]})
    advice = race(grid, wish_of("goodput", None, [], 0.02), AnyLaw(), most=20)
    same = [each for each in advice.candidates if each.same_as == 0]
    tried = [{str(each.setting[key]) for each in same} for key in ("law", "queue")]
    assert len(same) < len(tried[0]) * len(tried[1])
    for row in _sharing(advice.candidates):
        assert sum(len({str(each.setting[key]) for each in row}) > 1 for key in row[0].setting) <= 1


def test_settings_with_the_same_runs_share_a_row() -> None:
    # A receiver's window of 8 packets never fills a queue of 100.
    window = ("--set", "tcp.window=8 packets", "--most", "10")
    choice = ("--choose", "queue.packets=100,200,400", "--maximise", "goodput")
    done = command("advise", "transfers", *choice, *window)
    assert done.returncode == 0, done.stderr
    assert "the same in all runs" in done.stdout
    rows = [line for line in done.stdout.splitlines() if line.startswith(" *")]
    assert rows[0].split()[1:4] == ["100,", "200,", "400"]
