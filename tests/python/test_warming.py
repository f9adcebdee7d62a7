"""The warm-up of steady-state studies: found where it is known, the same for all cells, kept in the store."""

import numpy as np
import pytest

import lasthop
from lasthop.errors import StudyError
from lasthop.study.sweeping import Hooks, study_of
from lasthop.study.warming import PILOTS, POINTS, pilot_of
from lasthop_validation.disturbing import STUDY
from studies import study, written

STEADY = STUDY.replace(
    "replications = 12", 'replications = 3\nset = ["duration=4 s"]\nkind = "steady"'
)


def document(rng, tau, *, level=10.0, length=100.0):
    """A run whose queue grows to its level with a time constant of `tau` steps."""
    rise = level * (1 - np.exp(-np.arange(POINTS) / tau)) if tau else np.full(POINTS, level)
    queue = {"queue": ["q"] * POINTS, "packets": (rise + rng.normal(0, 1, POINTS)).tolist()}
    times = (np.arange(POINTS) + 0.5) * length / POINTS
    return {"probes": {"queue": queue | {"time_s": times.tolist()}}}


def test_a_known_transient_is_cut_and_little_else():
    rng = np.random.default_rng(1)
    cuts = {
        tau: [pilot_of([document(rng, tau) for _ in range(PILOTS)], 100.0) for _ in range(40)]
        for tau in (0, 20)
    }
    # After three time constants, 60 of 400 steps, half a unit of noise is left of the transient.
    assert all(10 <= pilot.cut_s <= 30 for pilot in cuts[20])
    assert np.median([pilot.cut_s for pilot in cuts[0]]) <= 2
    assert sum(pilot.cut_s > 10 for pilot in cuts[0]) <= 2
    assert all(pilot.settled for tau in cuts for pilot in cuts[tau])


def test_what_does_not_settle_is_said():
    rng = np.random.default_rng(2)
    grows = [document(rng, 1000, level=100) for _ in range(PILOTS)]
    pilot = pilot_of(grows, 100.0)
    assert not pilot.settled
    assert pilot.cut_s == 50
    assert pilot.by == "queue q"


def test_what_is_not_there_has_settled():
    assert pilot_of([{"probes": {"queue": {}}}] * PILOTS, 10.0).cut_s == 0


def test_one_warm_up_for_all_cells_and_for_all_time(tmp_path):
    said = []
    hooks = Hooks(said=said.append)
    first = lasthop.sweep(study(tmp_path, STEADY), tmp_path / "out", hooks=hooks)
    window = first.manifest["window"]
    cut = window["cut_s"]
    assert cut == max(pilot[0] for pilot in window["pilots"].values())
    assert len(window["pilots"]) == 4
    assert first.manifest["warmup_s"] == [cut]
    assert f"the first {cut:g} s cut (found by MSER-5)" in first.window
    assert said[0].startswith(f"warm-up: {cut:g} s of every run")
    alone = lasthop.run(
        tmp_path / "small.toml",
        overrides={
            "duration": "4 s",
            "warmup": f"{cut} s",
            "mac.short_retry_limit": 2,
            "tcp.window": "4 packets",
        },
        replications=3,
    )
    assert first.values("jain", 0).tolist() == alone.jain
    # A cell more, and it may settle later: what is there counts on.
    more = STEADY.replace("[2, 7]", "[2, 7, 4]")
    counted = []
    hooks = Hooks(forecast=lambda s, c, count, f: counted.append(count))
    second = lasthop.sweep(study(tmp_path, more), tmp_path / "out", hooks=hooks)
    assert second.manifest["window"]["cut_s"] == cut
    assert len(second.manifest["window"]["pilots"]) == 6
    assert counted == [2 * 3]
    assert second.values("goodput", 0).tolist() == first.values("goodput", 0).tolist()


def test_a_stated_warm_up_needs_no_pilots(tmp_path):
    stated = STEADY.replace('kind = "steady"', 'warmup = "500 ms"')
    results = lasthop.sweep(study(tmp_path, stated), tmp_path / "out")
    assert "the first 0.5 s cut (as stated)" in results.window
    over = lasthop.sweep(study(tmp_path, STEADY), tmp_path / "over", overrides="warmup=500 ms")
    assert over.values("goodput", 0).tolist() == results.values("goodput", 0).tolist()


def test_a_terminating_study_is_measured_as_its_scenario_says(tmp_path):
    assert study(tmp_path).kind == "terminating"
    results = lasthop.sweep(study(tmp_path), tmp_path / "out", quick=True)
    assert results.window == "terminating: the whole run is measured, 1 s"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            STEADY.replace("steady", "stedy"),
            "7:8: error: unknown kind \"stedy\"; did you mean 'steady'?",
        ),
        (STEADY.replace('kind = "steady"', 'warmup = "5"'), '7:10: error: "5" is not a time'),
        (STEADY.replace("tcp.window", "warmup"), "a steady-state study has one warm-up"),
        (
            STEADY.replace('kind = "steady"', 'kind = "terminating"\nwarmup = "1 s"'),
            "8:10: error: a terminating study cuts nothing",
        ),
    ],
)
def test_wrong_windows(tmp_path, text, said):
    with pytest.raises(StudyError) as caught:
        study_of(written(tmp_path, text))
    assert said in str(caught.value)
