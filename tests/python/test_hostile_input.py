"""Names and values that nobody means, and files that are none: refused in a line, never a traceback."""

from __future__ import annotations

import csv
import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import lasthop
from commands import lasthop as lasthop_command
from lasthop.errors import LONGEST_MESSAGE, LasthopError, ScenarioError, UsageError
from lasthop.numbers.table import Table
from lasthop.numbers.table import csv as csv_of_tables
from lasthop.pages.recipes import embedding
from lasthop.study.advice.choices import grid_of
from lasthop.study.slurm import write_script

SHORT = """
duration = "50 ms"
[[link]]
ends = ["a", "b"]
rate = "1 Mbps"
delay = "2 ms"
[[flow]]
name = "f"
from = "a"
to = "b"
app = "bulk"
"""

DEEP = "[" * 3000


def ran(folder: Path, *words: str | bytes) -> tuple[int, str, str]:
    """Run the command line, where standard output takes nothing but UTF-8."""
    done = lasthop_command(*words, cwd=folder)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "short.toml").write_text(SHORT)
    (tmp_path / os.fsdecode(b"odd\xff.toml")).write_text(SHORT)
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "pipe.py")
    for inside in ("store/manifest.json", "store/cells.parquet", "paper/paper.toml"):
        (tmp_path / inside).parent.mkdir(exist_ok=True)
        os.mkfifo(tmp_path / inside)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("run", "short.toml", "--set", b"tcp.variant=re\xff"),
        ("run", "short.toml", "--probe", b"tc\xffp"),
        ("run", b"none\xff.toml"),
        ("run", "short.toml", "--law", b"odd\xff.py:X"),
        (b"r\xffn",),
        ("list", b"l\xffws"),
        ("results", b"n\xffne"),
        ("rerun", b"n\xffne"),
        ("conformance", b"n\xffne"),
        ("advise", "short.toml", "--choose", b"tcp.window=\xff,2"),
        ("advise", "short.toml", "--choose", f"tcp.window={DEEP}"),
        ("run", "short.toml", "--set", f"tcp.window={DEEP}"),
        ("run", "pipe"),
        ("run", "/dev/zero"),
        ("run", "/dev/null"),
        ("rerun", "pipe"),
        ("rerun", "/dev/zero"),
        ("fit", "pipe"),
        ("fit", "pipe", "pipe"),
        ("compare", "short.toml", "pipe"),
        ("compare", "short.toml", "/dev/zero"),
        ("plot", "pipe"),
        ("results", "store"),
        ("new", "paper", "mine", "--like", "paper"),
        ("reproduce", "./paper"),
        ("duel", "cubic", "reno", "--over", "pipe"),
        ("sweep", "pipe"),
        ("audit", "pipe"),
        ("conformance", "pipe"),
        ("conformance", "/dev/zero"),
        ("run", "short.toml", "--law", "pipe.py:X"),
        ("worker", "--shard", "²/³", "."),
    ],
)
def test_it_is_refused_in_a_few_words(folder: Path, words: tuple[str | bytes, ...]) -> None:
    code, _, said = ran(folder, *words)
    assert code in (1, 2), said
    assert "Traceback" not in said
    assert said.strip()
    assert len(said) < 2000


def test_a_file_whose_name_is_no_utf8_is_run(folder: Path) -> None:
    code, shown, said = ran(folder, "run", b"odd\xff.toml", "--probe", "tcp", "--out", b"out\xff")
    assert (code, said) == (0, "")
    assert "Flows" in shown
    assert (folder / os.fsdecode(b"out\xff") / "tcp.csv").is_file()


def test_words_that_are_no_utf8_are_refused_in_python_too() -> None:
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        lasthop.run(SHORT, overrides=["name=\udcff"])
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        lasthop.run(SHORT + "# \udcff\n")
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        lasthop.run(SHORT, probes=["tcp\udcff"])


def test_what_never_ends_is_not_read(folder: Path) -> None:
    for path, what in ((folder / "pipe", "is a pipe"), (Path("/dev/zero"), "is a device")):
        with pytest.raises(ScenarioError, match=what):
            lasthop.run(path)
        with pytest.raises(UsageError, match=what):
            embedding.read(path)


#: Files of the package itself, our own temporary ones, and one of the shell, are read as they are.
READERS = {
    "study/benches/__init__.py", "numbers/words.py", "pages/classroom/__init__.py",
    "pages/classroom/lesson_page.py",
    "cli/completing.py", "pages/report/__init__.py", "core/shipped.py", "pages/studies/clustering.py",
    "study/checking/folders.py",  # read before, in `source`
    "data/measured/simulated.py",  # a capture of its own
    "study/slurm.py",  # files that its own jobs wrote
    "study/evaluating/criteria.py", "pages/playground/__init__.py",  # the package's own
    "study/making/law_files.py",  # the same
}  # fmt: skip


def test_files_are_read_by_one_function() -> None:
    """A file that may be anything is opened by `lasthop.regular_files`, which knows what never ends."""
    package = Path(lasthop.__file__).parent
    reading = re.compile(
        r"(?<!walking)\.read_(?:text|bytes)\(|\bgzip\.open\((?!io)|(?<![\w.])open\(|\.open\(\"r"
    )
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if path.name != "reading.py" and reading.search(path.read_text(encoding="utf-8"))
    }
    assert found == READERS


def test_nested_choices_are_refused_or_taken_as_words() -> None:
    with pytest.raises(LasthopError):
        grid_of([f"tcp.window={DEEP}"])
    with pytest.raises(ScenarioError):
        lasthop.run(SHORT, overrides={"tcp.window": DEEP})


def test_a_long_value_is_not_echoed_whole() -> None:
    long = "x" * 100_000
    for error in (UsageError(f"no kind {long!r}; allowed: laws"), LasthopError("ab " * 100_000)):
        assert len(str(error)) <= LONGEST_MESSAGE + 1
    assert str(UsageError(f"no kind {long!r}; allowed: laws")).endswith("… allowed: laws")


def test_ctrl_c_in_the_first_moments_ends_quietly(folder: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "lasthop", "schema"]
    # It is sent when this module has been imported: the rest of the imports is still to come.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    for module in (b"lasthop.errors", b"typing", b"rich.console", b"cyclopts"):
        running = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            assert running.stderr is not None
            said = b""
            for line in running.stderr:
                if line.rstrip().endswith(b" " + module):
                    running.send_signal(signal.SIGINT)
                    said = running.stderr.read()
                    break
            assert running.wait(timeout=300) in (130, 0), (module, said)
            assert b"Traceback" not in said
        finally:
            running.kill()
            signal.signal(signal.SIGINT, before)


FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "\rx", "＝1"]
PLAIN = ["-5", "+1.5e3", ".5", "10 Mbps", "a=b", "", "reno", "-"]


def test_no_cell_of_a_table_is_a_formula() -> None:
    table = Table.of(
        {
            "=name": [*FORMULAS, *PLAIN[:-1]],
            "number": [-1.5] * (len(FORMULAS) + len(PLAIN) - 1),
            "-none": [None, *["x"] * (len(FORMULAS) + len(PLAIN) - 2)],
        }
    )
    file = io.BytesIO()
    csv_of_tables.write(table, file)
    head, *rows = csv.reader(io.StringIO(file.getvalue().decode(), newline=""))
    assert head == ["'=name", "number", "'-none"]
    assert [row[0] for row in rows] == [*("'" + text for text in FORMULAS), *PLAIN[:-1]]
    assert {row[1] for row in rows} == {"-1.5"}, "numbers stay numbers"


def test_the_exports_of_results_and_probes_are_harmless(folder: Path) -> None:
    from lasthop.cli.commands.results import ResultsOptions
    from lasthop.cli.commands.results import command as results
    from lasthop.cli.commands.run import RunOptions
    from lasthop.cli.commands.run import command as run

    study = SHORT.replace('name = "f"', 'name = "-f*2"')
    (folder / "formula.toml").write_text(study)
    try:
        wanted = RunOptions(probe=["tcp"], out=folder / "tcp.csv")
        run(str(folder / "formula.toml"), options=wanted)
    except ScenarioError:
        pass  # such a name is none
    else:
        assert '"-f*2"' not in (folder / "tcp.csv").read_text()
    swept = lasthop.sweep(
        SHORT, folder / "out", over={"name": ["=1+1", "@x", "plain"]}, replications=1
    )
    results(swept.path, options=ResultsOptions(export=folder / "values.csv"))
    rows = list(csv.DictReader((folder / "values.csv").read_text().splitlines()))
    assert {row["name"] for row in rows} == {"'=1+1", "'@x", "plain"}


@pytest.mark.parametrize("name", ["plain", "two words", "100 % & more", "a#b", "it's (here)", "é"])
def test_the_output_of_jobs_is_quoted_for_sbatch(tmp_path: Path, name: str) -> None:
    script = write_script(tmp_path / name, "a study", 3, []).read_text()
    (line,) = [each for each in script.splitlines() if each.startswith("#SBATCH --output=")]
    value = line.removeprefix("#SBATCH --output=")
    plain = f"{tmp_path}/{name}/slurm/%A_%a.log".replace(name, name.replace("%", "%%"))
    assert value == (plain if name == "plain" else f'"{plain}"')
    assert "#SBATCH --job-name=lasthop-a-study" in script


@pytest.mark.parametrize("name", ["new\nline", 'quo"te', "back\\slash"])
def test_a_directory_that_sbatch_cannot_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="give another directory"):
        write_script(tmp_path / name, "study", 3, [])
