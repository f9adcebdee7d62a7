"""A duel finds what is planted: wins, where they are, effects, shares of one path; laws in Python too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from commands import lasthop as command
from lasthop.core import shipped
from lasthop.errors import UsageError
from lasthop.pages.duels.duel_ratios import ratios
from lasthop.pages.duels.duel_words import change_said, interval_said
from lasthop.study.claims.verdicts import Compared, PairedVerdict, compare
from lasthop.study.dueling import Contest, duel
from lasthop.study.dueling.duel_answer import answer, told
from lasthop.study.dueling.verdict import Against, Place, words_of

CONDITIONS = """
[study]
name = "conditions"
replications = {replications}
metrics = ["goodput_bps", "loss"]
[scenario]
duration = "6 s"
link = [
  {{ ends = ["a", "r"], rate = "100 Mbps" }},
  {{ ends = ["r", "b"], rate = "5 Mbps", delay = "20 ms", queue = {{ packets = 30 }} }},
]
flow = [{{ name = "one", from = "a", to = "b" }}]
[axes]
{axes}
"""

LAWS = """
import lasthop

class Half(lasthop.Law):
    def on_ack(self, w, ack):
        if ack.may_grow:
            w.grow(ack.acked, increase=0.2)

class Same(lasthop.Law):
    pass
"""


def written(folder, axes, replications=5):
    path = folder / "conditions.toml"
    path.write_text(CONDITIONS.format(axes=axes, replications=replications))
    return path


def by(found, metric):
    (each,) = [each for each in found.against if each.metric == metric]
    return each


def test_where_a_tcp_wins_is_found(tmp_path):
    conditions = written(tmp_path, "link.1.loss = [0.0, 0.0001, 0.01, 0.02, 0.03, 0.04]", 20)
    found = duel(Contest.of(["westwood", "newreno"], conditions), tmp_path / "out", share=False)
    goodput = by(found, "goodput_bps")
    assert found.conditions == 6
    # Westwood keeps what the bandwidth says, NewReno halves at each loss: where they come of themselves it wins,
    # With drops of the queue alone, both keep the path full.
    words = {place.setting["link.1.loss"]: str(place.compared.word) for place in goodput.places}
    assert [words[x] for x in (0.01, 0.02, 0.03, 0.04)] == ["better"] * 4
    # 20 runs that are nearly all equal show nothing: the next run may differ.
    assert not {"better", "worse"} & {words[x] for x in (0.0, 0.0001)}
    assert goodput.where is not None
    assert goodput.where.key == "link.1.loss"
    assert 0.0001 <= goodput.where.at < 0.01
    assert goodput.average.low > 0.2
    lead, goodputs, losses = answer(found)
    assert lead == "Westwood beats NewReno by goodput, averaged over the conditions."
    assert re.fullmatch(
        r"Goodput is \d+ % higher than with NewReno \(better in 4 and worse in 0 of 6 conditions\)\.",
        goodputs,
    )
    assert losses.startswith("Loss is ")
    # Fewer losses are better: the same place, the other sign.
    assert by(found, "loss").tally.get("better", 0) == 0


def test_of_packets_sent_nobody_is_better(tmp_path):
    conditions = written(tmp_path, "link.1.loss = [0.0, 0.02, 0.03]", 20)
    text = conditions.read_text().replace(
        '["goodput_bps", "loss"]', '["packets_sent", "goodput_bps"]'
    )
    conditions.write_text(text)
    found = duel(Contest.of(["westwood", "newreno"], conditions), tmp_path / "out", share=False)
    assert by(found, "packets_sent").tally.get("higher", 0) == 2
    assert not {"better", "worse"} & set(by(found, "packets_sent").tally)
    lead, sent, goodput = answer(found)
    assert lead == "Westwood beats NewReno by goodput, averaged over the conditions."
    assert "(higher in 2 and lower in 0 of 3 conditions)" in sent
    assert "(better in 2 and worse in 0 of 3 conditions)" in goodput
    # A duel by what people want only has no columns that would be empty.
    assert words_of([by(found, "goodput_bps")]) == (
        "better", "worse", "identical", "no difference", "cannot tell",
    )  # fmt: skip
    assert set(words_of(found.against)) == set(PairedVerdict)


def test_a_tcp_against_its_like_wins_nowhere(tmp_path):
    (tmp_path / "laws.py").write_text(LAWS)
    conditions = written(tmp_path, "link.1.loss = [0.005, 0.01]", 4)
    contest = Contest.of([f"{tmp_path}/laws.py:Same", "reno"], conditions)
    assert contest.key == "tcp.law"
    found = duel(contest, tmp_path / "out")
    goodput = by(found, "goodput_bps")
    assert goodput.average.change == 0
    assert all(place.compared.change == 0 for place in goodput.places)
    assert not {"better", "worse"} & set(goodput.tally)
    beside_itself, beside_reno = found.shares
    # The same law by another name shares the path alike: both orders cancel to the last bit.
    assert beside_reno.share == pytest.approx(0.5, abs=1e-9)
    assert beside_itself.rival == "Same"


def test_shares_of_one_path_tell_who_takes_more(tmp_path):
    (tmp_path / "laws.py").write_text(LAWS)
    conditions = written(tmp_path, "link.1.queue.packets = [20, 40]", 4)
    found = duel(Contest.of([f"{tmp_path}/laws.py:Half", "reno"], conditions), tmp_path / "out")
    share = found.shares[1]
    assert share.rival == "reno"
    assert share.share < 0.5
    assert share.least[0] <= share.share <= share.most[0]
    assert 0.5 <= share.jain <= 1


def test_the_command_prints_and_writes_and_goes_on(tmp_path):
    conditions = written(tmp_path, "random = 10\nlink.1.loss = { from = 0.0, to = 0.04 }", 3)
    words = ("duel", "bbr", "newreno", "cubic", "--over", conditions, "--out", tmp_path / "out")
    first = command(*words, "--json")
    assert first.returncode == 0, first.stderr
    document = json.loads(first.stdout)
    assert document["conditions"] == 10
    assert document["answer"][0].endswith("by goodput, averaged over the conditions.")
    assert {(x["rival"], x["metric"]) for x in document["against"]} == {
        (rival, metric) for rival in ("newreno", "cubic") for metric in ("goodput_bps", "loss")
    }
    again = command(*words)
    assert "0 replications" in again.stderr or "replications" not in again.stderr, again.stderr
    assert "BBR against NewReno, CUBIC: 10 conditions" in again.stdout
    assert "beside NewReno" in again.stdout
    # What the terminal begins with is what a script is told first.
    assert next(iter(document)) == "answer"
    assert again.stdout.split()[:40] == " ".join(document["answer"]).split()[:40]
    page = (tmp_path / "out" / "duel.html").read_text()
    assert "Both on one path" in page
    assert (tmp_path / "out" / "duel.pdf").stat().st_size > 5000
    # Words in place of keys, and no cell that says nothing.
    told = re.findall(r"<(?:td|summary|b)[^>]*>([^<]*)", page)
    assert "goodput against NewReno: every condition" in told
    assert not [cell for cell in told if "_bps" in cell]
    assert "? to ?" not in page
    for name, inches in (("duel-ecdf.pdf", 7.16), ("duel-ecdf-column.pdf", 3.5)):
        box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ", (tmp_path / "out" / name).read_bytes())
        assert box is not None
        assert float(box[1]) == pytest.approx(72 * inches)
    assert "| conditions | BBR" not in (tmp_path / "out" / "duel.md").read_text()
    assert "| NewReno" in (tmp_path / "out" / "duel.md").read_text()
    assert r"\toprule" in (tmp_path / "out" / "duel.tex").read_text()


@pytest.mark.parametrize(
    ("names", "axes", "said"),
    [
        (["bbr"], "link.1.loss = [0.1]", "two TCPs or more"),
        (["bbr", "bbr"], "link.1.loss = [0.1]", "names each TCP once"),
        (["bbr", "newrno"], "link.1.loss = [0.1]", "did you mean 'newreno'"),
        (["bbr", "reno"], "tcp.variant = ['reno']", "leave it out"),
    ],
)
def test_what_makes_no_duel_is_said(names, axes, said, tmp_path):
    with pytest.raises(UsageError) as error:
        Contest.of(names, written(tmp_path, axes))
    assert said in str(error.value)


def test_a_law_in_python_meets_laws_and_not_variants(tmp_path):
    (tmp_path / "laws.py").write_text(LAWS)
    with pytest.raises(UsageError, match="meets laws, not variants"):
        Contest.of(
            [f"{tmp_path}/laws.py:Half", "linux-cubic"], written(tmp_path, "link.1.loss = [0.1]")
        )


def test_flows_with_a_tcp_of_their_own_stay_as_they_are(tmp_path):
    path = written(tmp_path, "link.1.loss = [0.01]")
    text = path.read_text().replace(
        'to = "b" }]',
        'to = "b" }, { name = "other", from = "a", to = "b", tcp = { variant = "vegas" } }]',
    )
    path.write_text(text)
    contest = Contest.of(["bbr", "newreno"], path)
    assert contest.flows == ("one",)
    assert "one-rival.goodput_bps" in contest.shared.metrics


def test_several_sets_of_conditions_come_along(tmp_path: Path) -> None:
    asked = ["--over", "wired", "--over", "roaming", "--replications", "2", "--no-share", "--json"]
    done = command("duel", "reno", "cubic", *asked, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)) == {"wired", "roaming"}
    out = tmp_path / "out" / "wired+roaming.duel"
    made = {path.name for path in out.iterdir()}
    assert made == {
        "wired",
        "roaming",
        "duel-ecdf.pdf",
        "duel-ecdf-column.pdf",
        "duel.md",
        "duel.tex",
    }
    assert (out / "roaming" / "duel.html").is_file()
    assert "| roaming" in (out / "duel.md").read_text()
    twice = command("duel", "reno", "cubic", "--over", "wired", "--over", "wired", cwd=tmp_path)
    assert twice.returncode == 2
    assert "each set of conditions once" in twice.stderr


@pytest.mark.parametrize("name", ["wired", "lossy", "wifi", "roaming", "aqm"])
def test_a_set_of_conditions_has_a_flow_that_duels(name: str) -> None:
    contest = Contest.of(["bbr", "cubic"], shipped.paths("studies")[name])
    assert contest.flows == ("transfer",)
    assert contest.study.replications == 20


def test_ratios_are_of_all_conditions_that_are_known() -> None:
    def place(word: PairedVerdict, change: float | None) -> Place:
        return Place({}, Compared(word, change, None, None, 0.02, 5, None))

    places = (
        place(PairedVerdict.BETTER, 1.0),
        place(PairedVerdict.IDENTICAL, None),
        place(PairedVerdict.CANNOT_TELL, None),
        place(PairedVerdict.WORSE, -0.5),
    )
    average = places[0].compared
    assert ratios(Against("cubic", "goodput_bps", places, average, None)) == [0.5, 1.0, 2.0]
    assert interval_said(places[1].compared) == "the same in all runs"
    assert (change_said(places[2].compared), interval_said(places[2].compared)) == (
        "not known",
    ) * 2


def test_a_loss_to_a_rival_without_any_is_told_as_it_is_judged() -> None:
    some = np.random.default_rng(1).poisson(6, 20) + 1.0
    average = compare(some, np.zeros(20), higher_is_better=False)
    assert (average.word, average.change) == (PairedVerdict.WORSE, None)
    each = Against("cubic", "timeouts", (Place({}, average),), average, None)
    assert (
        told(each)
        == "above zero, which it is with CUBIC (better in 0 and worse in 1 of 1 condition)"
    )


def test_a_duel_needs_no_conditions_of_ones_own(tmp_path: Path) -> None:
    done = command("duel", "reno", "cubic", "--replications", "2", "--no-share", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Reno against CUBIC: 40 conditions of conditions" in " ".join(done.stdout.split())
    assert (tmp_path / "out" / "conditions.duel" / "duel.html").is_file()
