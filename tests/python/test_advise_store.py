"""Advice that keeps its runs: stopped, asked again, asked otherwise, nothing is run twice."""

from pathlib import Path

import pytest

import lasthop
from lasthop.errors import UsageError
from lasthop.study.advice.local import Local
from lasthop.study.advice.question import advise
from lasthop_validation.disturbing import SCENARIO, STUDY
from studies import study

WINDOWS = ["tcp.window=1 packets,4 packets,32 packets"]


def ask(out, most=12, **changes):
    """Ask about a window, with the runs in `out`."""
    wanted = {"maximise": "bulk.goodput", "minimise": None, "subject_to": (), "indifferent": 0.02}
    fixed = {"seed": None, "changes": (), "workers": None, "choose": WINDOWS}
    return advise(SCENARIO, **wanted, **(fixed | changes), most=most, out=out)


@pytest.fixture
def made(monkeypatch):
    """The number of runs that each race had to simulate."""
    counts = []
    own = Local._compute

    def counted(self, *arguments):
        before = self.runs_made
        try:
            own(self, *arguments)
        finally:
            counts.append(self.runs_made - before)

    monkeypatch.setattr(Local, "_compute", counted)
    return counts


def test_nothing_is_run_twice(tmp_path, made):
    first = ask(tmp_path / "kept")
    assert sum(made) == first.runs
    assert first.as_dict() == ask(None).as_dict()
    made.clear()
    assert ask(tmp_path / "kept").as_dict() == first.as_dict()
    assert sum(made) == 0
    more = ask(tmp_path / "kept", choose=[WINDOWS[0] + ",8 packets"])
    assert 0 < sum(made) < more.runs
    results = lasthop.Results(tmp_path / "kept")
    assert results.complete
    assert len(results.rows) == 4
    four = next(each for each in more.candidates if each.setting == {"tcp.window": "4 packets"})
    mean = results.values("bulk.goodput", {"tcp.window": "4 packets"}).mean()
    assert mean == pytest.approx(four.measured["bulk.goodput_bps"].mean)


def test_what_ctrl_c_leaves_counts(tmp_path, made):
    def stop(done, expected, words):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(tmp_path / "kept", told=stop, workers=1)
    left = sum(made)
    assert left > 0
    made.clear()
    whole = ask(tmp_path / "kept")
    # All finished runs are there, except those of tasks at work: at most one of every setting.
    assert whole.runs - left <= sum(made) <= whole.runs
    assert whole.as_dict() == ask(None).as_dict()


def test_a_studys_directory_is_refused(tmp_path):
    lasthop.sweep(study(tmp_path, STUDY), tmp_path / "out", quick=True)
    with pytest.raises(UsageError, match="holds the study 'small'"):
        ask(tmp_path / "out")
    assert not list(Path(tmp_path / "out").glob("advice*"))


def test_a_steady_state_has_one_warm_up_for_all_settings(tmp_path):
    said = []
    steady = {"kind": "steady", "changes": ("duration=4 s",), "said": said.append}
    kept = tmp_path / "kept"
    first = ask(kept, **steady)
    manifest = lasthop.Results(kept).manifest
    cut = manifest["window"]["cut_s"]
    assert manifest["kind"] == "steady"
    assert manifest["warmup_s"] == [cut]
    assert cut == max(pilot[0] for pilot in manifest["window"]["pilots"].values()) > 0
    assert len(manifest["window"]["pilots"]) == 3
    assert said[0].startswith(f"warm-up: {cut:g} s of every run")
    stated = ask(None, changes=("duration=4 s", f"warmup={cut} s"))
    assert first.as_dict() == stated.as_dict()


def test_a_kept_warm_up_stays(tmp_path, made):
    steady = {"kind": "steady", "changes": ("duration=4 s",)}
    first = ask(tmp_path / "kept", **steady)
    made.clear()
    assert ask(tmp_path / "kept", **steady).as_dict() == first.as_dict()
    assert sum(made) == 0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kind": "stedy"}, "no kind 'stedy'; did you mean 'steady'"),
        ({"kind": "steady", "choose": ["warmup=0 s,1 s"]}, "it cannot be an axis"),
    ],
)
def test_a_wrong_window_is_refused(wrong, said):
    with pytest.raises(UsageError, match=said):
        ask(None, **wrong)
