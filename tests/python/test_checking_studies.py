"""`lasthop check` of studies and papers: every mistake of theirs at its place, and none where there is none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from commands import ROOT
from commands import lasthop as command
from lasthop.study import cells, checking
from lasthop.study.spec import Study
from mistakes import found

STUDIES = [
    *sorted((ROOT / "python/lasthop/studies").glob("*.toml")),
    *sorted((ROOT / "python/lasthop/pages/classroom").glob("*/study.toml")),
]


@pytest.mark.parametrize("study", STUDIES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_nothing_is_wrong_with_a_study_that_comes_with_lasthop_and_no_axis_does_nothing(
    study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A study has up to 12,000 cells: those that the check goes through are the ones whose axes are looked at.
    checked: list[tuple[Study, list[cells.Cell]]] = []
    found = cells.cells

    def kept(study: Study) -> list[cells.Cell]:
        checked.append((study, found(study)))
        return checked[-1][1]

    monkeypatch.setattr(cells, "cells", kept)
    assert checking.check(study).problems == ()
    ((read, its_cells),) = checked
    assert cells.idle(read, its_cells) == []


def test_a_wrong_key_of_an_axis_is_told_once_and_not_with_each_value(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    wire = 'link = [{ ends = ["a", "b"], rate = "2 Mbps", delay = "20 ms" }]\n'
    (tmp_path / "wire.toml").write_text(f'duration = "3 s"\n{wire}')
    path.write_text(
        '[study]\nname = "x"\nscenario = "wire.toml"\nreplications = 2\nmetrics = ["jain"]\n'
        '[axes]\n"tcp.varient" = ["cubic", "bbr", "reno"]\n'
    )
    (problem,) = checking.check(path).problems
    assert problem.code == "unknown-key"
    assert problem.message.startswith('axis tcp.varient: unknown key "varient"; did you mean')


STUDY = """\
[study]
name = "bad/name"
metircs = ["goodput"]
metrics = ["goodput", 3]
replications = 0
kind = "stedy"
budget = "10"

[scenario]
duration = "3 s"
durration = "3 s"
tcp = { recovery = "sack", variant = "newrino" }
link = [{ ends = ["a", "b"], rate = "2 Mbq", delay = "20 ms" }]
flow = [{ name = "one", from = "a", to = "b" }]

[axes]
link.0.loss = [0, 0.1, 7, "x"]

[[compare]]
axis = "lnk"
metric = "goodput"

[[claim]]
id = "first"

[[claim]]
id = "second"
text = "it is so"
holds = { abov = {} }

[precision]
relative = -1
level = 3
"""


def test_all_mistakes_of_a_study(tmp_path: Path) -> None:
    assert found(tmp_path, STUDY) == [
        (2, 8, "out-of-range"),
        (3, 1, "unknown-key"),
        (4, 23, "wrong-kind"),
        (5, 16, "out-of-range"),
        (6, 8, "unknown-name"),
        (7, 10, "unknown-unit"),
        (11, 1, "unknown-key"),
        (12, 38, "unknown-name"),
        (13, 37, "unknown-unit"),
        (17, 1, "out-of-range"),
        (17, 1, "wrong-kind"),
        (20, 8, "unknown-name"),
        (23, 1, "wrong-kind"),
        (26, 1, "unknown-name"),
        (31, 1, "missing-key"),
        (32, 12, "out-of-range"),
        (33, 9, "out-of-range"),
    ]


def test_metrics_and_cells_of_a_study_that_is_written_rightly(tmp_path: Path) -> None:
    text = STUDY[: STUDY.index("[[compare]]")]
    for old, new in (
        ("bad/name", "good"), ('metircs = ["goodput"]\n', ""), (", 3]", ', "one.dealy", "oen.loss"]'),
        ("= 0\n", "= 2\n"), ('kind = "stedy"\n', ""), ('"10"', '"10 min"'), ('durration = "3 s"\n', ""),
        (', variant = "newrino"', ""), ("Mbq", "Mbps"), (', 7, "x"', ""),
    ):  # fmt: skip
        assert old in text
        text = text.replace(old, new)
    assert found(tmp_path, text) == [(3, 23, "unknown-name"), (3, 36, "unknown-name")]


def test_all_mistakes_of_a_paper(tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    shutil.copytree(ROOT / "python/lasthop/study/papers/petrovic2003", folder)
    assert checking.check(folder).problems == ()

    def change(name: str, *pairs: tuple[str, str]) -> None:
        text = (folder / name).read_text()
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new, 1)
        (folder / name).write_text(text)

    change("quick.toml", ("", "bogus = 3\n"))
    change("choices.toml", ('evidence = "', 'evidence = "x'), ("taken =", "takne ="))
    change("claims.toml", ("text =", "txet ="))
    change("voice.toml", ("[study]", "[study]\nsede = 3"))
    told = [(Path(p.file).name, p.code) for p in checking.check(folder).problems]
    assert ("voice.toml", "unknown-key") in told
    change(
        "paper.toml",
        ('measure = "', 'measure = "x'),
        ("[axes.", '[measures.new]\nstudies = ["gone"]\n[axes.'),
    )
    problems = checking.check(folder).problems
    assert [(Path(p.file).name, p.code) for p in problems] == [
        ("choices.toml", "missing-key"),
        ("choices.toml", "out-of-range"),
        ("choices.toml", "unknown-key"),
        ("claims.toml", "unknown-key"),
        ("paper.toml", "unknown-name"),
        ("paper.toml", "unknown-name"),
        ("quick.toml", "unknown-key"),
    ]
    assert all(problem.line for problem in problems), problems


def test_codes_that_english_once_decided(tmp_path: Path) -> None:
    """A number outside of its bounds is of the right kind; a mistake of an axis has the scenario's code."""
    cell = 'duration = "3 s"\ncell = [{ stations = ["a", "b"], phy = { cw_min = -7 } }]\n'
    assert found(tmp_path, f'{cell}flow = [{{ from = "a", to = "b" }}]') == [
        (2, 51, "out-of-range")
    ]
    axis = STUDY[: STUDY.index("[[compare]]")].replace("link.0.loss", "link.0.losss")
    assert (18, 1, "unknown-key") in found(
        tmp_path, axis.replace("[axes]", '[axes]\n"link.0.delay" = ["1 ms"]')
    )
    assert found(tmp_path, "x = [1 2]\n") == [(1, 6, "no-toml")]


@pytest.mark.parametrize(
    ("table", "between", "end"),
    [
        ("[study]\n", "\n", ""),
        ("[ study ]\n", "\n", ""),
        ("study = { ", ", ", " }"),
        ("study.", "\nstudy.", ""),
    ],
)
def test_a_study_may_write_its_table_as_toml_allows(
    tmp_path: Path, table: str, between: str, end: str
) -> None:
    keys = ('name = "x"', 'scenario = "two_stations"', "replications = 2")
    path = tmp_path / "study.toml"
    path.write_text(f'{table}{between.join(keys)}{end}\n[axes]\n"queue.packets" = [5, 10]\n')
    assert checking.check(path).problems == ()


CLAIMING = """
[study]
name = "w"
scenario = "two_stations"
replications = 2
set = ["duration=3 s", "warmup=1 s"]
metrics = ["goodput_bps"]
[axes]
queue.packets = [5, 10]
[[claim]]
id = "a"
text = "more"
holds.above = { a = { "queue.packets" = 7 }, b = { "queue.packets" = 5 } }
"""


def test_a_claim_about_a_setting_that_there_is_not_is_told_before_any_run(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_text(CLAIMING)
    said = "claim a: holds.above: queue.packets is never 7; it is: 5, 10"
    (problem,) = checking.check(path).problems
    assert (problem.line, problem.message) == (10, said)
    done = command("audit", path, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert f"{path}:10:1: error: {said}" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("axis", "said"),
    [
        ("queue.packets = []", "an axis has at least one value"),
        ("node = [true]", "axis node=true: found true; allowed: tables"),
    ],
)
def test_a_wrong_axis_is_told_in_the_words_of_toml(tmp_path: Path, axis: str, said: str) -> None:
    path = tmp_path / "w.toml"
    path.write_text(CLAIMING.partition("[[claim]]")[0].replace("queue.packets = [5, 10]", axis))
    (problem,) = checking.check(path).problems
    assert problem.message.startswith(said)
