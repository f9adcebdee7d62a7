"""Laws in Python within sweeps and advice: the results of single runs, known by their source."""

import json
import linecache

import pytest

import lasthop
from commands import lasthop as command
from lasthop import law
from lasthop.errors import LasthopError, UsageError
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
        return dict([law.load(f"{path}:Mine")])

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
    assert results.manifest["laws"][0][0] == "Mine"


def test_a_law_is_known_by_its_source(mine, tmp_path):
    hooks = Counting()
    sweep(mine(), tmp_path / "out", hooks)
    assert hooks.computed == 4
    sweep(mine(), tmp_path / "out", hooks)
    assert hooks.computed == 4
    sweep(mine(LAW.replace("0.25", "0.5")), tmp_path / "out", hooks)
    assert hooks.computed == 6  # the cells that do not use it stay


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
    with pytest.raises(UsageError, match="with --executor local"):
        sweep(mine(), tmp_path / "out", executor="dask")
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
    compared = json.loads(said.stdout)["compared"]["goodput by tcp.law"]
    assert "Mine against reno" in compared
