"""Advice on planted problems, on grids too large to walk through, and on a scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import lasthop
from commands import lasthop as command
from lasthop.errors import LasthopError, UsageError
from lasthop.numbers import stats
from lasthop.study.advice.choices import Grid, grid_of, parse
from lasthop.study.advice.question import race
from lasthop.study.advice.wishes import parse_bound, wish_of
from lasthop_validation.planted import Planted, play

PROBLEMS = 100


@pytest.mark.parametrize("skewed", [False, True])
def test_the_best_is_found_at_the_promised_rate_and_price(skewed: bool) -> None:
    found = [play(seed, skewed=skewed) for seed in range(PROBLEMS)]
    wrong = sum(not each.right for each in found)
    assert stats.binomial_tail(wrong, PROBLEMS, 0.05) > 0.001
    assert sum(each.decided for each in found) > 0.7 * PROBLEMS  # it does say something
    runs, full = (sum(getattr(each, name) for each in found) for name in ("runs", "full_grid_runs"))
    assert runs < full / 3


def test_alike_settings_are_told_as_alike() -> None:
    problem = Planted({"g": [100, 100, 100, 60]}, {"g": 0.03})
    advice = race(grid_of({"n": range(4)}), wish_of("g", None, [], 0.05), problem)
    assert advice.decided
    assert len(advice.alike) == 2
    assert "may be as good" in str(advice)
    (worse,) = (each for each in advice.candidates if each.state == "below another")
    assert worse.setting == {"n": 3}


def test_no_setting_satisfies() -> None:
    problem = Planted({"g": [1, 2, 3], "loss": [5, 6, 7]}, {"g": 0.1, "loss": 0.1})
    advice = race(grid_of({"n": range(3)}), wish_of("g", None, ["loss < 2"], 0.02), problem)
    assert advice.impossible
    assert advice.recommended is None
    assert "no setting satisfies loss < 2" in str(advice)


def test_a_limit_that_cannot_be_told_is_not_passed_over() -> None:
    problem = Planted({"g": [2, 1], "loss": [2.0, 2.0]}, {"g": 0.01, "loss": 0.5})
    wish = wish_of("g", None, ["loss < 2"], 0.02)
    advice = race(grid_of({"n": range(2)}), wish, problem, most=20)
    assert not advice.decided
    assert advice.recommended is None
    assert "no setting is shown to satisfy" in str(advice)


def test_less_may_be_better() -> None:
    problem = Planted({"delay": [30, 10, 20]}, {"delay": 0.05})
    advice = race(grid_of({"n": range(3)}), wish_of(None, "delay", [], 0.02), problem)
    assert advice.recommended is not None
    assert advice.recommended.setting == {"n": 1}


class Hill:
    """A smooth objective over 3 x 7 x 191 settings, with its top at sack, 5, 60."""

    def __init__(self) -> None:
        self.asked: set[tuple[Any, ...]] = set()

    def values(
        self,
        settings: Sequence[Mapping[str, Any]],
        names: Sequence[str],
        replications: Sequence[int],
        finished: Callable[[int], None] | None = None,
    ) -> Mapping[str, npt.NDArray[np.float64]]:
        rows = []
        for setting in settings:
            variant, limit, queue = (setting[k] for k in ("variant", "limit", "queue"))
            self.asked.add((variant, limit, queue))
            top = {"sack": 100, "reno": 90, "vegas": 70}[variant]
            mean = top - 3 * (limit - 5) ** 2 - 40 * np.log(queue / 60) ** 2
            noise = [np.random.default_rng((r, 1)).normal(0, 5) for r in replications]
            own = [np.random.default_rng((r, limit, queue)).normal(0, 0.5) for r in replications]
            rows.append(mean + np.array(noise) + np.array(own))
        return {"g": np.array(rows)}


def hill_grid() -> Grid:
    return grid_of(["variant=sack,reno,vegas", "limit=1..7", "queue=10..200"])


def test_large_grids_go_from_coarse_to_fine() -> None:
    hill = Hill()
    advice = race(hill_grid(), wish_of("g", None, [], 0.005), hill)
    assert advice.recommended is not None
    best = advice.recommended.setting
    assert (best["variant"], best["limit"]) == ("sack", 5)
    assert 52 <= best["queue"] <= 68
    assert advice.searched
    assert len(hill.asked) < 0.06 * advice.settings  # 4,011
    assert advice.runs < advice.full_grid_runs / 10


def test_ctrl_c_gives_what_is_known() -> None:
    def told(done: int, expected: int, words: str) -> None:
        if done > 1500:
            raise KeyboardInterrupt

    class Telling(Hill):
        def values(self, settings, names, replications, finished=None):  # type: ignore[no-untyped-def]
            found = super().values(settings, names, replications)
            if finished:
                finished(len(settings) * len(replications))
            return found

    advice = race(hill_grid(), wish_of("g", None, [], 0.001), Telling(), told=told)
    assert not advice.complete
    assert advice.recommended is not None
    assert all(each.replications >= 2 for each in advice.candidates)
    with pytest.raises(LasthopError, match="the budget, 0 s, was over before there was a result"):
        race(hill_grid(), wish_of("g", None, [], 0.001), Telling(), told=told, budget_s=0.0)
    done = command(
        *("advise", "two_stations", "--choose", "queue.packets=5,20", "--maximise", "goodput"),
        *("--budget", "0.001s"),
    )
    assert done.returncode == 130
    assert done.stderr.startswith("the budget, 0.001 s, was over before there was a result")


def test_a_setting_without_a_value_is_out() -> None:
    class Gaps(Planted):
        def values(self, settings, names, replications, finished=None):  # type: ignore[no-untyped-def]
            found = dict(super().values(settings, names, replications))
            for row, setting in enumerate(settings):
                if setting["n"] == 0:
                    found["g"][row, 0] = np.nan
            return found

    problem = Gaps({"g": [9, 1]}, {"g": 0.1})
    advice = race(grid_of({"n": range(2)}), wish_of("g", None, [], 0.02), problem)
    assert advice.recommended is not None
    assert advice.recommended.setting == {"n": 1}
    assert advice.candidates[-1].state == "has no value"
    advice.as_dict()


def test_choices() -> None:
    assert parse("a.b=1..7").values == (1, 2, 3, 4, 5, 6, 7)
    assert parse("a=10..20:5 ms").values == ("10 ms", "15 ms", "20 ms")
    assert parse("a=0.1..0.3:0.1").values == (0.1, 0.2, 0.3)
    assert parse("a+b=x,y").keys == ("a", "b")
    wide = parse("a=10..200")
    assert [wide.values[n] for n in wide.coarse()] == [10, 16, 27, 45, 74, 121, 200]
    assert parse("a=3,true,sack,2 ms").values == (3, True, "sack", "2 ms")
    for text, said in [
        ("a", "must be KEY=VALUE"),
        ("a=5..1", "a range must go up"),
        ("a=x..y", "FROM..TO"),
        ("a=1,1", "each only once"),
    ]:
        with pytest.raises(UsageError, match=said):
            parse(text)
    with pytest.raises(UsageError, match="given twice"):
        grid_of(["a=1,2", "a=3,4"])
    with pytest.raises(UsageError, match="nothing to choose from"):
        grid_of(["a=1"])


def test_limits() -> None:
    bound = parse_bound("game.delay.p95 < 30 ms")
    assert (bound.metric, bound.under, bound.limit) == ("game.delay.p95", True, 0.03)
    assert parse_bound("voice.loss<=2%").limit == 0.02
    with pytest.raises(UsageError, match="did you mean 'ms'"):
        parse_bound("a < 3 mss")
    with pytest.raises(UsageError, match="must be MEASURE < NUMBER"):
        parse_bound("a is 3")
    with pytest.raises(UsageError, match="the limit needs a unit"):
        parse_bound("a.delay < 3").check("s")


SCENARIO = """
duration = "4 s"
warmup = "1 s"
[[cell]]
name = "cell"
access_point = "ap"
stations = ["phone", "laptop"]
[phy]
standard = "802.11"
rate = "2 Mbps"
[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"
[[flow]]
name = "voice"
from = "phone"
to = "server"
transport = "udp"
app = { kind = "cbr", rate = "32 kbps", payload = "200 B" }
[[flow]]
name = "bulk"
from = "server"
to = "laptop"
app = "bulk"
"""


def test_a_scenario_is_raced() -> None:
    advice = lasthop.advise(
        SCENARIO,
        choose={"tcp.window": ["1 packets", "4 packets", "32 packets"]},
        maximise="bulk.goodput",
        subject_to="bulk.delay.p95 < 100 ms",
        most=20,
    )
    assert advice.recommended is not None
    assert advice.recommended.setting == {"tcp.window": "4 packets"}
    states = {each.setting["tcp.window"]: each.state for each in advice.candidates}
    assert states["32 packets"] == "breaks a limit"
    again = lasthop.advise(
        SCENARIO,
        choose=["tcp.window=1 packets,4 packets,32 packets"],
        maximise="bulk.goodput",
        subject_to=["bulk.delay.p95 < 100 ms"],
        most=20,
        workers=1,
    )
    assert again.as_dict() == advice.as_dict()


def test_wrong_requests_are_refused_before_the_race() -> None:
    with pytest.raises(UsageError, match="did you mean 'bulk'"):
        lasthop.advise(SCENARIO, choose=["tcp.window=1 packets,2 packets"], maximise="bulc.goodput")
    with pytest.raises(lasthop.ScenarioError, match="windo"):
        lasthop.advise(SCENARIO, choose=["tcp.windo=1 packets,2 packets"], maximise="goodput")
    with pytest.raises(UsageError, match="either maximise or minimise"):
        lasthop.advise(SCENARIO, choose=["tcp.window=1 packets,2 packets"])


class Rarely:
    """Settings with a wait of 0.5, which of some is 100 in 2 % of runs."""

    def __init__(self, seed: int, breakers: tuple[int, ...]) -> None:
        self.seed, self.breakers = seed, breakers

    def values(
        self,
        settings: Sequence[Mapping[str, Any]],
        names: Sequence[str],
        replications: Sequence[int],
        finished: Callable[[int], None] | None = None,
    ) -> Mapping[str, npt.NDArray[np.float64]]:
        g, wait = [], []
        for n in (int(setting["n"]) for setting in settings):
            draws = [np.random.default_rng((self.seed, n, r)) for r in replications]
            g.append([100 + n + rng.normal(0, 1) for rng in draws])
            rare = [n in self.breakers and rng.random() < 0.02 for rng in draws]
            wait.append(
                [
                    100.0 if is_rare else 0.5 + rng.normal(0, 0.05)
                    for is_rare, rng in zip(rare, draws, strict=True)
                ]
            )
        return {"g": np.array(g), "wait": np.array(wait)}


def test_a_recommendation_under_a_limit_says_what_it_does_not_cover() -> None:
    """The best setting has a mean wait of 2.5, over the limit of 2, by one run in fifty."""
    wish = wish_of("g", None, ["wait < 2"], 0.02)
    found = [race(grid_of({"n": range(4)}), wish, Rarely(seed, (3,))) for seed in range(20)]
    fooled = [each for each in found if each.recommended and each.recommended.setting["n"] == 3]
    assert fooled  # nothing could know of it
    for advice in fooled:
        assert advice.unseen is not None
        assert advice.recommended is not None
        assert not advice.recommended.always
        count = advice.recommended.replications
        assert advice.unseen.part == pytest.approx(1 - (0.05 / 4) ** (1 / count))
        said = str(advice)
        assert f"may be in none of these {count}." in said
        ((bound, value),) = advice.unseen.breaking
        assert bound.text == "wait < 2"
        assert 2 < value < 100  # an event in it breaks the limit, as the advice warns
        assert f"breaks a limit with wait above {value:.3g}" in said
        assert advice.as_dict()["unseen"]["breaking"]["wait < 2"] == value


def test_enough_runs_cover_rare_events_too() -> None:
    """217 runs of each of 4 settings miss an event in 2 % of them with 5 % / 4: the race goes on until then."""
    wish = wish_of("g", None, ["wait < 2"], 0.02)
    assert stats.replications_to_see(0.02, 0.05 / 4) == 217
    found = [
        race(grid_of({"n": range(4)}), wish, Rarely(seed, (3,)), most=300) for seed in range(12)
    ]
    for advice in found:
        assert advice.unseen is None
        assert advice.recommended is not None
        assert advice.recommended.always
        assert advice.recommended.replications >= 217
        assert "Rare events" not in str(advice)
    assert sum(each.recommended.setting["n"] == 3 for each in found if each.recommended) <= 1


def test_a_share_needs_no_runs_for_rare_events_where_its_end_keeps_to_the_limit() -> None:
    """Were all of an unseen event lost, a loss of 0.1 % would still be under 40 %."""
    problem = Planted({"g": [100, 90], "loss": [0.001, 0.001]}, {"g": 0.01, "loss": 0.0001})
    advice = race(grid_of({"n": range(2)}), wish_of("g", None, ["loss < 40%"], 0.02), problem)
    assert advice.recommended is not None
    assert advice.unseen is None


class Silent(Planted):
    """Planted values of which one setting, or all, have none of the limited measure in the first run."""

    silent: tuple[int, ...] = ()

    def values(self, settings, names, replications, finished=None):  # type: ignore[no-untyped-def]
        found = dict(super().values(settings, names, replications))
        for row, setting in enumerate(settings):
            if setting["n"] in self.silent and 0 in replications:
                found["call.delay.p95"][row, 0] = np.nan
        return found


@pytest.mark.parametrize(
    ("delays", "silent", "said"),
    [
        ([0.01, 0.012], (0, 1), "no setting can be judged: in some runs call has no 95th"),
        ([0.01, 0.5], (0,), "call.delay.p95 < 30 ms: 1 is shown not to, and in some runs of the"),
    ],
)
def test_a_limit_on_what_has_no_value_is_not_called_broken(
    delays: list[float], silent: tuple[int, ...], said: str
) -> None:
    problem = Silent({"g": [2, 1], "call.delay.p95": delays}, {"g": 0.01, "call.delay.p95": 0.01})
    problem.silent = silent
    wish = wish_of("g", None, ["call.delay.p95 < 30 ms"], 0.02)
    advice = race(grid_of({"n": range(2)}), wish, problem)
    assert said in str(advice)
    assert "call has no 95th percentile of delay" in str(advice)
    assert "satisfies" not in str(advice)
    assert not advice.impossible
    assert not advice.decided
    document = advice.as_dict()
    assert document["impossible"] is False
    assert document["without_value"] == ["call.delay.p95"]


def test_a_choice_beside_the_best_says_which_metric_it_has_no_value_of() -> None:
    problem = Silent(
        {"g": [2, 3], "call.delay.p95": [0.01, 0.01]}, {"g": 0.01, "call.delay.p95": 0.01}
    )
    problem.silent = (1,)
    wish = wish_of("g", None, ["call.delay.p95 < 30 ms"], 0.02)
    (beside,) = race(grid_of({"n": range(2)}), wish, problem).around
    assert beside.said == "in some runs call has no 95th percentile of delay"


def test_settings_that_differ_by_rounding_only_are_the_same() -> None:
    best = 9713.25
    problem = Planted({"g": [best, float(np.nextafter(best, 0))]}, {"g": 0.0})
    advice = race(grid_of({"n": range(2)}), wish_of("g", None, [], 0.0), problem)
    (other,) = (each for each in advice.candidates if each is not advice.recommended)
    assert other.state != "below another"
    assert other.behind is not None
    assert other.behind.mean == 0


def test_a_choice_that_is_wrong_is_named_as_it_was_given() -> None:
    choose = {"mac.retry_limti": [1, 2]}
    with pytest.raises(lasthop.ScenarioError, match=r"^choose mac.retry_limti=1: error: unknown"):
        lasthop.advise("two_stations", choose=choose, maximise="goodput")
