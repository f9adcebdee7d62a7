"""Laws in Python within sweeps and advice: results of single runs, known by their source, on workers too."""

import json
import linecache
import os
import shutil
import sys

import pytest

import lasthop
from commands import lasthop as command
from lasthop.core import python_law
from lasthop.errors import LasthopError, LawError, UsageError
from lasthop.pages.studies import recipes, reporting
from lasthop.study import slurm
from lasthop.study.executors import Local
from lasthop_validation import slurm_host
from studies import Counting

SCENARIO = """
duration = "10 s"
[[link]]
ends = ["a", "b"]
rate = "1 Mbps"
delay = "20 ms"
queue = { packets = 5 }
[tcp]
recovery = "newreno"
[[flow]]
name = "one"
from = "a"
to = "b"
app = "bulk"
"""

LAW = """
import lasthop

class Mine(lasthop.Law):
    def on_ack(self, w, ack):
        if ack.may_grow:
            w.grow(ack.acked, increase=0.25)
"""


@pytest.fixture
def mine(tmp_path):
    """A law in a file, and what loads it anew."""
    path = tmp_path / "my_law.py"

    def load(text=LAW):
        path.write_text(text)
        linecache.clearcache()
        return dict([python_law.load(f"{path}:Mine")])

    return load


def sweep(laws, out, hooks=None, **how):
    return lasthop.sweep(
        SCENARIO,
        out,
        over={"tcp.law": ["Mine", "reno"]},
        metrics=["goodput", "one.delay"],
        replications=2,
        laws=laws,
        hooks=hooks,
        **how,
    )


def test_a_sweep_is_its_runs(mine, tmp_path):
    results = sweep(mine(), tmp_path / "out")
    alone = lasthop.run(SCENARIO, overrides={"tcp.law": "Mine"}, laws=mine())
    assert (
        results.values("goodput", {"tcp.law": "Mine"})[0]
        == alone.documents[0]["flows"][0]["goodput_bps"]
    )
    plain = lasthop.run(SCENARIO, overrides={"tcp.law": "reno"})
    assert (
        results.values("goodput", {"tcp.law": "reno"})[0]
        == plain.documents[0]["flows"][0]["goodput_bps"]
    )
    assert results.values("one.delay", 0)[0] != results.values("one.delay", 1)[0]
    assert results.manifest["laws"][0]["name"] == "Mine"


def test_a_law_is_known_by_its_source(mine, tmp_path):
    hooks = Counting()
    sweep(mine(), tmp_path / "out", hooks)
    assert hooks.computed == 4
    sweep(mine(), tmp_path / "out", hooks)
    assert hooks.computed == 4
    sweep(mine(LAW.replace("0.25", "0.5")), tmp_path / "out", hooks)
    assert hooks.computed == 6  # the cells that do not use it stay


def test_who_looks_at_results_runs_no_law_of_their_author(mine, tmp_path):
    trace = tmp_path / "imported"
    sweep(mine(f"{LAW}open({str(trace)!r}, 'w').close()\n"), tmp_path / "out")
    trace.unlink()
    results = lasthop.Results(tmp_path / "out")
    assert results.answer
    assert "<p>" in results._repr_html_()
    assert not trace.exists()


def test_advice_on_laws(mine, tmp_path):
    advice = lasthop.advise(
        SCENARIO,
        choose={"tcp.law": ["Mine", "reno"]},
        maximise="goodput",
        most=6,
        laws=mine(),
        out=tmp_path / "kept",
    )
    assert len(advice.candidates) == 2


def test_what_cannot_be_is_said(mine, tmp_path):
    with pytest.raises(UsageError, match="by its class, not by a function"):
        sweep({"Mine": lambda: mine()["Mine"]()}, tmp_path / "out")
    with pytest.raises(LasthopError, match='unknown TCP law "Mine"'):
        sweep({}, tmp_path / "out")
    with pytest.raises(UsageError, match="no law 'Mime'"):
        sweep(mine(), tmp_path / "out", law="Mime")


def test_an_audit_judges_laws_in_python(tmp_path):
    (tmp_path / "mine.py").write_text(LAW)
    (tmp_path / "study.toml").write_text(
        '[study]\nname = "laws"\nreplications = 3\n'
        '[scenario]\nduration = "3 s"\ntcp = { recovery = "sack" }\n'
        'link = [{ ends = ["a", "b"], rate = "2 Mbps", delay = "20 ms", loss = 0.02 }]\n'
        'flow = [{ name = "one", from = "a", to = "b" }]\n'
        '[axes]\ntcp.law = ["reno", "Mine"]\n'
        '[[compare]]\naxis = "tcp.law"\nmetric = "goodput"\n'
    )
    words = ("audit", tmp_path / "study.toml", "--law", f"{tmp_path}/mine.py:Mine")
    said = command(*words, "--out", tmp_path / "out", "--json")
    assert said.returncode == 0, said.stderr
    compared = json.loads(said.stdout)["compared"]["goodput_bps by tcp.law"]
    assert compared["Mine against reno"]["said"] == "Mine against Reno"


HELPED = """
import lasthop
from rates import SHARE

class Mine(lasthop.Law):
    def on_ack(self, w, ack):
        if ack.may_grow:
            w.grow(ack.acked, increase=SHARE)
"""

#: Right in the process that hands work out, wrong on a worker.
FAILS_THERE = """
import multiprocessing
import os
import lasthop

class Mine(lasthop.Law):
    def on_ack(self, w, ack):
        if "SLURM_JOB_ID" in os.environ or multiprocessing.current_process().name != "MainProcess":
            w.nothing = 1
"""


@pytest.fixture
def helped(tmp_path, monkeypatch):
    """A law that imports a file beside it, in a folder of its own; what is called loads it as the file now is."""
    folder = tmp_path / "laws"
    folder.mkdir()

    def load(share=0.25, text=HELPED):
        (folder / "rates.py").write_text(f"SHARE = {share}\n")
        (folder / "my_law.py").write_text(text)
        for name in ("rates", "law_file_my_law"):
            sys.modules.pop(name, None)
        shutil.rmtree(folder / "__pycache__", ignore_errors=True)
        linecache.clearcache()
        return dict([python_law.load(f"{folder}/my_law.py:Mine")])

    monkeypatch.setattr(sys, "path", list(sys.path))
    yield load
    for name in ("rates", "law_file_my_law"):
        sys.modules.pop(name, None)


def test_a_law_is_known_by_what_it_imports_too(helped, tmp_path):
    hooks = Counting()
    sweep(helped(), tmp_path / "out", hooks)
    sweep(helped(), tmp_path / "out", hooks)
    assert hooks.computed == 4
    sweep(helped(0.5), tmp_path / "out", hooks)
    assert hooks.computed == 6


def test_workers_have_of_a_law_what_was_sent_to_them(helped, tmp_path, monkeypatch):
    serial = sweep(helped(), tmp_path / "serial")
    handed = []

    class Elsewhere(Local):
        """Computes as `lasthop worker` does, from the store alone."""

        def run(self, work_, store, tick):
            study, _, tasks, _ = work_
            slurm.write_tasks(store.path, study, tasks)
            shutil.rmtree(tmp_path / "laws")
            sys.modules.pop("rates")
            handed.append(slurm.work(store.path, "0/1", 1))
            (tmp_path / "laws").mkdir()
            helped()

    result = sweep(helped(), tmp_path / "out", executor=Elsewhere(1))
    assert handed == [4]
    assert result.table().equals(serial.table())


def test_dask_workers_run_laws(helped, tmp_path):
    pytest.importorskip("distributed")
    serial = sweep(helped(), tmp_path / "serial")
    result = sweep(helped(), tmp_path / "out", executor="dask", workers=2)
    assert result.table().equals(serial.table())


WRONG = r"my_law.py:9: error: AttributeError: .*nothing.*\n 9 \| w.nothing = 1\n in Mine.on_ack, flow one at"


def test_what_a_law_does_wrong_on_a_dask_worker_is_said_with_its_line(helped, tmp_path):
    pytest.importorskip("distributed")
    with pytest.raises(LawError, match=WRONG):
        sweep(helped(text=FAILS_THERE), tmp_path / "out", executor="dask", workers=1)


def test_slurm_runs_laws_and_says_what_they_do_wrong(helped, tmp_path):
    if why := slurm_host.missing():
        if os.environ.get("LASTHOP_REQUIRE_TOOLS"):
            pytest.fail(why)
        pytest.skip(why)
    serial = sweep(helped(), tmp_path / "serial")
    with slurm_host.slurm():
        result = sweep(helped(), tmp_path / "out", executor="slurm", workers=2)
        with pytest.raises(LawError, match=WRONG):
            sweep(helped(text=FAILS_THERE), tmp_path / "wrong", executor="slurm", workers=1)
    assert result.table().equals(serial.table())


def test_what_came_with_a_figure_is_not_run(helped, tmp_path):
    results = sweep(helped(), tmp_path / "out")
    inputs = recipes.inputs_of(results)
    with pytest.raises(LasthopError, match=r"from the results, .*laws my_law.py:Mine"):
        recipes.results_again(inputs, tmp_path / "again", 1, lambda part: None)
    page = reporting.write(
        results, tmp_path / "page.html"
    )  # one's own results, which are run once more
    assert "Mine" in page.read_text()
