"""Arguments by name or path: shipped files are found, and mistyped names are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

import studies
from commands import lasthop as command
from lasthop.errors import offered

SCENARIOS = "`lasthop list scenarios` shows those that come with lasthop"
STUDIES = "`lasthop list studies` shows those that come with lasthop"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run voic", f"did you mean 'voice'? {SCENARIOS}"),
        ("run nosuch", f"no such file; {SCENARIOS}"),
        ("run scenarios/voice.toml", "did you mean 'voice'?"),
        ("advise voic --choose queue.packets=1,2 --minimise loss", "did you mean 'voice'?"),
        ("export ns2 voic --out x", "did you mean 'voice'?"),
        ("compare voic x.json", "did you mean 'voice'?"),
        ("plot voic --frame 3", "did you mean 'voice'?"),
        ("plot voic --clusters", "did you mean 'voice'?"),
        ("new study a --scenario voic --over queue.packets=1", "did you mean 'voice'?"),
        ("run wifi", "no such file; it is a study: `lasthop sweep wifi` runs it"),
        ("sweep two_stations", "it is a scenario: `lasthop run two_stations` runs it"),
        ("audit two_stations", "it is a scenario: `lasthop run two_stations` runs it"),
        ("run petrovic2003", "it is a paper: `lasthop reproduce petrovic2003`"),
        ("sweep retry_and_que", f"did you mean 'retry_and_queue'? {STUDIES}"),
        ("sweep nosuch", f"no such file; {STUDIES}"),
        ("audit retry_and_que", "did you mean 'retry_and_queue'?"),
        ("duel cubic bbr --over retry_and_que", "did you mean 'retry_and_queue'?"),
        ("plot retry_and_que", "did you mean 'retry_and_queue'?"),
        ("results retry_and_que", "did you mean 'retry_and_queue'?"),
        ("report retry_and_que", "did you mean 'retry_and_queue'?"),
        ("report voic", "did you mean 'voice'?"),
        ("plot retry_and_queue", "no results yet; run lasthop sweep retry_and_queue"),
        ("results retry_and_queue", "no results yet; run lasthop sweep retry_and_queue"),
        ("plot voice", "cannot be drawn"),
        ("reproduce petrovic", "did you mean 'petrovic2003'?"),
        ("demo hiden", "did you mean 'hidden'?"),
    ],
)
def test_what_is_meant_is_named(tmp_path: Path, words: str, said: str) -> None:
    done = command(*words.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_mistyped_file_in_a_check_may_be_a_scenario_or_a_study(tmp_path: Path) -> None:
    done = command("check", "retry_and_que", "voic", cwd=tmp_path)
    assert done.returncode == 1
    assert "did you mean 'retry_and_queue'?" in done.stdout
    assert "did you mean 'voice'? `lasthop list scenarios` and `lasthop list studies` show" in (
        done.stdout
    )
    assert command("check", "retry_and_queue", "voice", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "run two_stations --replicatons 3",
            "Unknown option: --replicatons. Did you mean --replications?",
        ),
        ("run two_stations --rate 3", "Unknown option: --rate."),
        ("run two_stations --queue 3", "Unknown option: --queue."),
        (
            "run two_stations --tcp.variant=reno",
            "Unknown option: --tcp.variant. Did you mean --set tcp.variant=reno?",
        ),
        ("sweep wifi --seed 4", "Unknown option: --seed. Did you mean --set seed=4?"),
        ("run two_stations -n 5", "Unknown option: -n. Did you mean --replications?"),
        ("run two_stations --html x", "Unknown option: --html. Did you mean --report?"),
        ("duel bbr cubic --report", "Unknown option: --report. Did you mean --out?"),
        (
            "sweep wifi --report x.html",
            "Unknown option: --report. `lasthop report` writes the page of a study or a run.",
        ),
        ("sweep wifi --reports", "`lasthop report` writes the page of a study or a run."),
        ("results wifi --plot", "Unknown option: --plot. `lasthop plot` draws figures."),
        ("new wifi --n 5", "Unknown option: --n."),
        ("swep", 'Unknown command "swep". Did you mean sweep? Available commands: run, '),
        ("zzz", 'Unknown command "zzz". Available commands: run, '),
        ("new wfi", 'Unknown command "wfi". Did you mean wifi? Available commands: wifi, '),
    ],
)
def test_a_mistyped_option_or_command_is_named_where_one_is_near(words: str, said: str) -> None:
    done = command(*words.split())
    assert done.returncode == 2
    shown = " ".join(done.stderr.replace("│", " ").split())
    assert said in shown
    assert ("Did you mean" in shown) == ("Did you mean" in said)


def test_a_hint_is_a_sentence_before_what_is_known() -> None:
    assert offered("cubik", ["cubic", "reno"]) == "; did you mean 'cubic'? there are: cubic, reno"
    assert offered("zzzzz", ["cubic", "reno"], word="allowed") == "; allowed: cubic, reno"
    assert offered("zzzzz", []) == "; there are: none"


def test_a_file_beside_counts_before_what_comes_along(tmp_path: Path) -> None:
    (tmp_path / "voices.toml").write_text("")
    assert "did you mean 'voices.toml'?" in command("run", "voice.tom", cwd=tmp_path).stderr


def test_a_figure_has_a_name_where_none_is_given(tmp_path: Path) -> None:
    study = studies.written(tmp_path)
    brief = ("--set", "duration=3s", "--set", "warmup=0s")
    for words, name in [
        (("sweep", study, "--replications", 2), ""),
        (("plot", "out/small"), "small.pdf"),
        (("plot", study, "--y", "goodput_bps"), "small-goodput_bps.pdf"),
        (("run", "two_stations", *brief, "--probe", "tcp", "--out", "series"), ""),
        (("plot", "series"), "series.pdf"),
        (("plot", "series/tcp.csv", "--y", "srtt_s"), "tcp-srtt_s.pdf"),
        (("plot", "wimax_downloads", *brief, "--frame", 30), "wimax_downloads-frames.pdf"),
        (("plot", "clusters", *brief, "--clusters"), "clusters-clusters.html"),
    ]:
        done = command(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        if name:
            assert done.stdout == f"wrote {name}\n"
            assert (tmp_path / name).stat().st_size > 1000
