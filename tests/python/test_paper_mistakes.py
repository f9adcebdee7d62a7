"""Folders of papers with mistakes in them: each is said with its file before anything is run, by no traceback."""

import copy
import random
import shutil
import tomllib
from pathlib import Path

import pytest

from lasthop.core import toml
from lasthop.errors import LasthopError, UsageError
from lasthop.study.checking import check
from lasthop.study.papers import folder_of, paper_folder
from lasthop.study.papers.folder import Paper
from lasthop.study.papers.paper_rehearsal import rehearse

VALUES = (
    5,
    -1,
    2.5,
    True,
    "x",
    "",
    "{",
    [],
    [1],
    ["x"],
    [[1]],
    [{}],
    {},
    {"a": 1},
    {"a": {"b": [1]}},
)
VALUES += (10**30, float("nan"), "a" * 3000)
LEFT_OUT = object()
MUTATIONS = 60
"""The number of damages of each file, drawn with the file's own seed."""


def paths(value, at=()):
    """Give the place of everything in a document."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inside in pairs:
        yield (*at, key)
        if isinstance(inside, (dict, list)):
            yield from paths(inside, (*at, key))


def mutated(document, path, value):
    """Give a document in which something has another value, or is left out."""
    made = copy.deepcopy(document)
    inside = made
    for key in path[:-1]:
        inside = inside[key]
    if value is LEFT_OUT:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return made


def refusal(folder):
    """Return the message about a folder; nothing where it is correct."""
    try:
        rehearse(Paper(folder))
    except LasthopError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("paper", ["mine", "petrovic2003", "janevski2011"])
def test_any_other_value_is_taken_or_refused_with_its_file(tmp_path, paper):
    source = paper_folder.new("mine", tmp_path / "new") if paper == "mine" else folder_of(paper)
    folder = tmp_path / "paper"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    refused = 0
    for file in sorted(folder.glob("*.toml")):
        text = file.read_text(encoding="utf-8")
        document = tomllib.loads(text)
        rng = random.Random(f"{paper}/{file.name}")
        every = [(path, value) for path in paths(document) for value in (*VALUES, LEFT_OUT)]
        for path, value in rng.sample(every, MUTATIONS if paper == "mine" else MUTATIONS // 30):
            file.write_text(toml.written(mutated(document, path, value)), encoding="utf-8")
            said = refusal(folder)
            assert str(folder) in said or not said, (file.name, path, value)
            assert paper != "mine" or bool(check(folder).problems) == bool(said)
            refused += said != ""
        file.write_text(text, encoding="utf-8")
    assert refused > (100 if paper == "mine" else 5)
    rehearse(Paper(folder))


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "paper.toml",
            'keys = ["tcp.window"]',
            "keys = 5",
            "axes.window.keys is 5; allowed: a list",
        ),
        ("paper.toml", 'name = "mine"', 'name = "../out"', "name is '../out'"),
        ("paper.toml", 'says = "window {}"', 'says = "window {"', "text with {} for the value"),
        ("paper.toml", "scale = 1e-3", "scale = 0", "measures.goodput.scale is 0; allowed: more"),
        (
            "paper.toml",
            'studies = ["study.toml"]',
            'studies = ["stdy.toml"]',
            "did you mean 'study",
        ),
        (
            "paper.toml",
            'keys = ["window"]',
            'keys = ["windw"]',
            "table 1: no axis 'windw'; did you mean",
        ),
        ("paper.toml", "250.0", '"much"', "has values that are not numbers"),
        (
            "paper.toml",
            'x = "window"',
            'x = "wndow"',
            "figures goodput: no axis 'wndow'; did you mean",
        ),
        ("paper.toml", 'width = "one"', 'width = "onе"', "allowed: one or two"),
        (
            "claims.toml",
            'metric = "goodput"',
            'metric = "goodpt"',
            "claim C1: no measure 'goodpt'; did you",
        ),
        (
            "claims.toml",
            'along = "window"',
            'along = "windo"',
            "claim C1: holds.monotone: no axis 'windo'; did you mean",
        ),
        ("claims.toml", "[[claim]]", "[[claims]]", "'claims': unknown; did you mean 'claim'"),
        ("choices.toml", 'name = "SACK"', "", "choice[0].alternative[0].name is missing"),
        ("choices.toml", "tcp.variant=sack", "tcp.variant=sak", "choice 'TCP flavour': 'SACK': "),
        ("choices.toml", "quick = true", 'of = ["stud"]', "no study 'stud'; did you mean 'study'"),
        ("study.toml", 'app = "bulk"', 'app = "blk"', 'did you mean "bulk"'),
        ("study.toml", '"down.goodput_bps"', '"down.godput"', "study.toml"),
        ("quick.toml", "", "replications = 0", "replications is 0; allowed: a whole number from 1"),
        ("quick.toml", "", '[[part]]\nstudy = "stdy"', "quick.toml: no study 'stdy'; did you mean"),
        ("audit.toml", "", '[shorter]\nstudy = ["duratio=1 s"]', "audit.toml"),
    ],
)
def test_a_mistake_is_said_with_its_key_and_the_nearest_name(tmp_path, file, old, new, said):
    folder = paper_folder.new("mine", tmp_path)
    path = folder / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(LasthopError) as error:
        rehearse(Paper(folder))
    assert said in str(error.value)
    assert str(folder) in str(error.value)


def test_a_mistake_in_the_scenario_of_a_study_is_told_at_its_place(tmp_path):
    folder = paper_folder.new("mine", tmp_path)
    study = folder / "study.toml"
    lines = study.read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("duration ="))
    lines[place] = lines[place].replace("duration", "durashun", 1)
    study.write_text("\n".join(lines))
    first, second = check(folder).problems
    assert (first.file, first.line, first.code) == (str(study), place + 1, "unknown-key")
    assert second.code == "missing-key"


def test_a_choice_that_does_not_fit_the_scenario_of_a_study_is_told(tmp_path):
    folder = paper_folder.new("mine", tmp_path)
    choices = folder / "choices.toml"
    choices.write_text(choices.read_text().replace("tcp.variant=sack", "duration=1 ms"))
    (problem,) = check(folder).problems
    assert (problem.file, problem.code) == (str(choices), "out-of-range")
    assert "a warm-up of 1 s leaves nothing" in problem.message


def test_tables_that_are_no_list_are_told(tmp_path):
    folder = paper_folder.new("mine", tmp_path)
    paper = folder / "paper.toml"
    document = tomllib.loads(paper.read_text())
    paper.write_text(toml.written(document | {"table": 2.5}))
    assert [each.file for each in check(folder).problems] == [str(paper)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def tables(made:\n", "derive.py:1: no Python"),
        ("\nraise RuntimeError('no data')\n", "derive.py:2: RuntimeError: no data"),
        ("import nowhere\n", "derive.py:1: ModuleNotFoundError: No module named 'nowhere'"),
        ("import sys\nsys.exit(3)\n", "derive.py:2: SystemExit: 3"),
        ("tables = 5\n", "derive.py: tables is not a function"),
        ("def tables():\n    return {}\n", "derive.py: tables: TypeError"),
        ("def tables(made):\n    return made['x']\n", "derive.py:2: tables: KeyError: 'x'"),
        ("def tables(made):\n    return 5\n", "derive.py: tables must return tables"),
        ("def tables(made):\n    return tables(made)\n", "derive.py:2: tables: RecursionError"),
    ],
)
def test_what_goes_wrong_in_derive_is_said_with_its_line(tmp_path, text, said):
    folder = paper_folder.new("mine", tmp_path)
    (folder / "derive.py").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        rehearse(Paper(folder))
    assert said in str(error.value)


def test_a_derive_without_functions_makes_nothing(tmp_path):
    folder = paper_folder.new("mine", tmp_path)
    (folder / "derive.py").write_text("UNUSED = 1\n", encoding="utf-8")
    rehearse(Paper(folder))


@pytest.mark.parametrize(
    "file", ["paper.toml", "claims.toml", "choices.toml", "study.toml", "derive.py"]
)
@pytest.mark.parametrize("how", ["loop", "bytes", "directory"])
def test_what_is_no_text_is_named(tmp_path, file, how):
    folder = paper_folder.new("mine", tmp_path)
    path: Path = folder / file
    path.unlink(missing_ok=True)
    if how == "loop":
        path.symlink_to(path)
    elif how == "bytes":
        path.write_bytes(b"\xff\xfe = 1\n")
    else:
        path.mkdir()
    with pytest.raises(LasthopError) as error:
        rehearse(Paper(folder))
    assert str(path) in str(error.value)


def test_a_missing_study_is_named(tmp_path):
    folder = paper_folder.new("mine", tmp_path)
    (folder / "study.toml").unlink()
    with pytest.raises(LasthopError, match=r"study\.toml.*no such file"):
        rehearse(Paper(folder))


def test_two_studies_of_one_name_are_refused(tmp_path):
    folder = paper_folder.new("mine", tmp_path)
    path = folder / "paper.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace('["study.toml"]', '["study.toml", "more/study.toml"]'), encoding="utf-8"
    )
    with pytest.raises(UsageError, match="two have the id 'study'"):
        Paper(folder)
