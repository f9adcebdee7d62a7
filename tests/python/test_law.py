"""Laws in Python: the same results as Rust's, clear errors, and the checks that all laws pass."""

from __future__ import annotations

import copy
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

import lasthop
from commands import ROOT
from commands import lasthop as command
from lasthop.core.python_law import Ack, Loss, Window
from lasthop.core.python_law import load as load_law
from processes import started, wait_until

DUMBBELL = ROOT / "scenarios" / "dumbbell.toml"
SHORT = {"duration": "30 s"}


class Plain:
    """Reno in nothing but arithmetic, derived from nothing."""

    def on_ack(self, w: Window, ack: Ack) -> None:
        if ack.app_limited or ack.in_recovery:
            return
        n = min(ack.acked, 1.0)
        if w.cwnd < w.ssthresh:
            w.cwnd = min(w.cwnd + n, max(w.ssthresh, w.cwnd + 1.0))
        else:
            w.cwnd += n / w.cwnd

    def on_loss(self, w: Window, loss: Loss, base: float) -> None:
        w.ssthresh = max(base / 2, 2.0)
        w.cwnd = 1.0 if loss == "timeout" else w.ssthresh


def results(run: lasthop.Run) -> str:
    """All that a run says, but for the name of the law."""
    documents = copy.deepcopy(list(run.documents))
    for document in documents:
        for flow in document["flows"]:
            del flow["variant"]
    return json.dumps(documents)


@pytest.mark.parametrize("law", [Plain, lasthop.Law])
@pytest.mark.parametrize("recovery", ["tahoe", "reno", "newreno", "sack", "rack_tlp"])
def test_reno_in_python_is_reno_to_the_byte(law: type, recovery: str) -> None:
    changes = SHORT | {"tcp": f'{{recovery="{recovery}", law="%s"}}'}
    own = [f"{key}={value}".replace("%s", "reno") for key, value in changes.items()]
    python = [f"{key}={value}".replace("%s", "mine") for key, value in changes.items()]
    expected = lasthop.run(DUMBBELL, overrides=own, replications=2)
    found = lasthop.run(DUMBBELL, overrides=python, replications=2, laws={"mine": law})
    assert found.documents[0]["flows"][0]["variant"].endswith("+mine")
    assert results(found) == results(expected)


def test_the_law_of_all_flows_keeps_a_variants_recovery_and_the_conventions() -> None:
    cell = ROOT / "scenarios" / "two_stations.toml"
    changes = {"conventions": "ns2", "duration": "20 s"}
    expected = lasthop.run(cell, overrides=changes)
    found = lasthop.run(cell, overrides=changes, laws={"mine": lasthop.Law}, law="mine")
    assert results(found) == results(expected)


class Options(lasthop.Law):
    """Keeps what a scenario sets, and what it is given."""

    seen: ClassVar[list[Any]] = []

    def __init__(self, beta: float = 0.5) -> None:
        self.beta = beta
        self.kept: list[Ack] = []

    def on_ack(self, w: Window, ack: Ack) -> None:
        super().on_ack(w, ack)
        if len(self.kept) < 3:
            self.kept.append(ack)
            Options.seen.append((self.beta, [a.now_s for a in self.kept]))


def test_options_reach_the_class_and_a_kept_acknowledgement_stays() -> None:
    Options.seen.clear()
    flow = "flow.one.tcp"
    changes = ["duration=30 s", f"{flow}.law=mine", f"{flow}.law_options.beta=0.7", "tcp={}"]
    lasthop.run(DUMBBELL, overrides=changes, laws={"mine": Options})
    beta, times = Options.seen[-1]
    assert beta == 0.7
    everywhere = SHORT | {"tcp.law_options.beta": 0.6}
    lasthop.run(DUMBBELL, overrides=everywhere, laws={"mine": Options}, law="mine")
    assert Options.seen[-1][0] == 0.6
    assert len(set(times)) == 3
    assert times == sorted(times)


MODULE = """
import time
from pathlib import Path

import lasthop

HERE = Path(__file__)

class Divides(lasthop.Law):
    def on_loss(self, w, loss, base):
        w.cwnd = 1 / (base - base)

class NotANumber(lasthop.Law):
    def on_loss(self, w, loss, base):
        w.cwnd = float("nan")

class Negative(lasthop.Law):
    def on_loss(self, w, loss, base):
        w.ssthresh = -base

class Deaf:
    def on_ack(self, w, ack):
        pass

class Arity(lasthop.Law):
    def on_ack(self, w):
        pass

class Wants(lasthop.Law):
    def __init__(self, more):
        pass

class Stands(lasthop.Law):
    def pacing_rate(self):
        return 0.0

class Clings(lasthop.Law):
    def __init__(self):
        self.file = open(__file__)

class Low(lasthop.Law):
    def on_loss(self, w, loss, base):
        w.cwnd = 0.1

class Grows(lasthop.Law):
    def on_ack(self, w, ack):
        w.grow(ack.acked)

class Loops(lasthop.Law):
    def on_ack(self, w, ack):
        HERE.with_name("loops").touch()
        while True:
            pass

class Waits(lasthop.Law):
    def on_ack(self, w, ack):
        HERE.with_name("waits").touch()
        while not HERE.with_name("go").exists():
            time.sleep(0.01)
        super().on_ack(w, ack)

count = 0

class Forgets(lasthop.Law):
    def on_ack(self, w, ack):
        global count
        count += 1
        if ack.may_grow:
            w.cwnd += count / 1000
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "my_law.py"
    path.write_text(MODULE)
    return path


def line_of(text: str) -> int:
    return MODULE[: MODULE.index(text)].count("\n") + 1


@pytest.mark.parametrize(
    ("name", "line", "says"),
    [
        ("Divides", "w.cwnd = 1 /", "ZeroDivisionError: float division by zero"),
        ("NotANumber", 'w.cwnd = float("nan")', "cwnd = NaN; allowed: a finite number"),
        ("Negative", "w.ssthresh = -base", "ssthresh = -"),
        ("Deaf", "class Deaf", "Deaf has no method on_loss(self, w, loss, base)"),
        ("Arity", "def on_ack(self, w):", "takes 2 positional arguments but 3 were given"),
        ("Wants", "def __init__(self, more)", "missing 1 required positional argument: 'more'"),
        ("Stands", "def pacing_rate", "a pacing rate of 0; allowed: segments/s above 0, or None"),
        ("Clings", "class Clings", "cannot pickle"),
    ],
)
def test_errors_name_the_line_the_flow_and_the_time(
    module: Path, name: str, line: str, says: str
) -> None:
    _, law = load_law(f"{module}:{name}")
    changes = SHORT | {"tcp.variant": "sack"}
    with pytest.raises(lasthop.LawError) as caught:
        lasthop.run(DUMBBELL, overrides=changes, laws={"mine": law}, law="mine")
    message = str(caught.value)
    assert message.startswith(f"{module}:{line_of(line)}: error: ")
    assert says in message
    if name != "Deaf":
        assert "flow one at " in message


def test_the_command_line_runs_a_law_and_says_what_is_wrong(module: Path) -> None:
    run = ("run", DUMBBELL, "--set", "duration=30 s", "--json", "--law")
    done = command(*run, f"{module}:Grows")
    assert done.returncode == 0
    assert {f["variant"] for f in json.loads(done.stdout)["flows"]} == {"newreno+Grows"}
    named = ("--set", "flow.two.tcp.law=Grows", "--set", "flow.two.tcp.recovery=sack")
    done = command(*run, f"{module}:Grows", *named, "--set", "tcp={}")
    variants = [f["variant"] for f in json.loads(done.stdout)["flows"]]
    assert variants == ["newreno", "sack+Grows", "newreno"]
    for where, says in [
        (f"{module}:Divides", "at 1.0"),
        (f"{module}:Divide", "did you mean 'Divides'?"),
        (f"{module}x:Divides", "no such file"),
        ("Divides", "give a file and a class"),
        (f"{module}", f"name a class of it, such as {module}:Divides; there are: Divides, "),
    ]:
        done = command(*run, where)
        assert (done.returncode, done.stdout) == (2, ""), where
        assert "error:" in done.stderr
        assert "Traceback" not in done.stderr
        assert says in done.stderr or where.endswith(":Divides")
    done = command(*run, f"{module}:Grows", "--set", "tcp={law='Grow'}")
    assert done.returncode == 2
    assert 'did you mean "Grows"? allowed: reno, vegas' in done.stderr


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    for text, line in [("x = 1\nclass A(:\n", 2), ("import lasthop\n\nundefined\n", 3)]:
        path.write_text(text)
        with pytest.raises(lasthop.LawError, match=rf"broken\.py:{line}: error: "):
            load_law(f"{path}:A")


@pytest.mark.parametrize("words", ["evaluate {}", "duel {} cubic", "conformance law {}"])
def test_a_file_without_a_class_is_answered_with_its_classes(tmp_path: Path, words: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "import lasthop\nclass Half(lasthop.Law): pass\nclass Same(lasthop.Law): pass\n"
    )
    done = command(*words.format(path).split())
    assert done.returncode == 2
    assert f"name a class of it, such as {path}:Half; there are: Half, Same" in done.stderr
    path.write_text("x = 1\n")
    assert "there is no class in it" in command(*words.format(path).split()).stderr
    path.unlink()
    assert "no such file" in command(*words.format(path).split()).stderr


def test_names_are_ones_own() -> None:
    with pytest.raises(lasthop.UsageError, match="exists already"):
        lasthop.run(DUMBBELL, laws={"cubic": Plain})
    with pytest.raises(lasthop.UsageError, match="did you mean 'mine'"):
        lasthop.run(DUMBBELL, laws={"mine": Plain}, law="mime")


def test_ctrl_c_ends_a_law_that_does_not(module: Path) -> None:
    loop = [sys.executable, "-m", "lasthop", "run", str(DUMBBELL), "--law", f"{module}:Loops"]
    loops = module.with_name("loops")
    with started(loop, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        wait_until(loops.exists, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=300) == 130


def test_a_run_that_was_started_with_ctrl_c_ignored_goes_on(module: Path) -> None:
    # As `nohup lasthop run ...` and `lasthop run ... &` in a script: a program leaves SIGINT as it found it.
    loop = [sys.executable, "-m", "lasthop", "run", str(DUMBBELL), "--law", f"{module}:Waits"]
    waits, go = module.with_name("waits"), module.with_name("go")
    options = {"cwd": ROOT, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with started(loop, interrupt=signal.SIG_IGN, **options) as process:
        wait_until(waits.exists, process)
        process.send_signal(signal.SIGINT)
        go.touch()
        _, errors = process.communicate(timeout=300)
        assert (process.returncode, errors) == (0, b"")


@pytest.mark.parametrize(
    ("name", "fails"),
    [
        ("Low", {"floor", "finite", "timeout", "storm"}),
        ("Grows", {"recovery"}),
        ("Forgets", {"replay", "copy"}),
        ("Negative", {"floor", "finite", "recovery", "loss", "timeout", "replay", "copy", "storm"}),
    ],
)
def test_conformance_finds_what_is_wrong(module: Path, name: str, fails: set[str]) -> None:
    done = command("conformance", "law", f"{module}:{name}", "--json")
    assert done.returncode == 1, done.stderr
    cases = json.loads(done.stdout)["cases"]
    assert {case["id"] for case in cases if case["verdict"] == "fail"} == fails
    assert all(case["reason"] for case in cases if case["verdict"] == "fail")


def test_reno_in_python_conforms() -> None:
    done = command("conformance", "law", f"{__file__}:Plain")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("pass ") == 8
