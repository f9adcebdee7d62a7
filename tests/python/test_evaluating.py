"""An evaluation by RFC 9743: its table is whole, laws known to fail do, and a law is alike to itself."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commands import lasthop as command
from lasthop.core import api
from lasthop.errors import LawError, ScenarioError, UsageError
from lasthop.numbers import words
from lasthop.pages.recipes import embedding
from lasthop.study.claims.outcomes import Outcome, Verdict
from lasthop.study.evaluating import Dossier, evaluate
from lasthop.study.evaluating.casting import Cast
from lasthop.study.evaluating.criteria import Criterion, criteria, unasked
from lasthop.study.evaluating.dossier import Judgement

#: Sections of RFC 9743 whose own text says MUST about what is asked here (6.1 drop tail, 7.9 changes of the path).
MUST = {"5.1.5", "5.2.1", "5.2.3", "6.1", "7.9"}

#: All sections with criteria: the leaves under 5.1, 5.2, 6 and 7 (RFC 9743, March 2025).
SECTIONS = {
    *(f"5.1.{n}" for n in range(1, 6)),
    *(f"5.2.{n}" for n in range(1, 4)),
    *(f"6.{n}" for n in range(1, 5)),
    *(f"7.{n}" for n in range(1, 12)),
}

LAW = """
import lasthop

class Still(lasthop.Law):
    \"\"\"A window that no loss changes.\"\"\"

    def on_ack(self, w, ack):
        w.cwnd = 200.0

    def on_loss(self, w, loss, base):
        w.cwnd = w.ssthresh = 200.0
"""


def named(*names: str) -> list[Criterion]:
    found = {each.name: each for each in criteria()}
    return [found[name] for name in names]


def outcomes(found: Dossier) -> dict[str, Outcome]:
    return {
        f"{each.criterion.name}: {judgement.part.says}": judgement.outcome
        for each in found.found
        for judgement in each.judgements
    }


def test_each_section_has_a_criterion_or_a_reason() -> None:
    asked = {each.section for each in criteria()}
    assert asked | set(unasked()) >= SECTIONS
    assert asked <= SECTIONS
    assert not asked & set(unasked())
    assert {each.section for each in criteria() if each.asks == "must"} == MUST
    assert {each.asks for each in criteria()} == {"must", "should"}
    names = [each.name for each in criteria()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("law", ["bbr", "linux-bbr"])
@pytest.mark.parametrize("criterion", criteria(), ids=lambda each: each.name)
def test_a_scenario_is_right_for_each_that_plays_in_it(criterion: Criterion, law: str) -> None:
    cast = Cast.of(law)
    jobs = [cast.job(criterion, name, 2) for name in (law, cast.called(criterion.against))]
    for job in jobs:
        job.check()
    # No change is without effect, and the law matters.
    mine, reference = (job.identity() for job in jobs)
    assert mine != reference
    for change in jobs[0].overrides:
        rest = tuple(each for each in jobs[0].overrides if each != change)
        with suppress(ScenarioError):  # others may rest on it
            assert jobs[0].identity(rest) != mine, change


def test_every_variant_can_be_evaluated() -> None:
    for row in api.catalogue()["variants"]:
        cast = Cast.of(row["name"])
        for criterion in criteria():
            cast.job(criterion, cast.name, 1).check()
            cast.job(criterion, cast.called(criterion.against), 1).check()


def test_a_law_in_python_that_fails_is_said_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(LAW.replace("w.cwnd = 200.0\n", "w.cwnd = 1 / 0\n", 1))
    done = command("evaluate", "bad.py:Still", "--replications", "1", cwd=tmp_path)
    assert done.returncode != 0
    assert "bad.py:8: error: ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr


def test_rules_are_the_words_of_claims() -> None:
    rules = {part.rule.name: part.rule for each in criteria() for part in each.parts}
    assert rules["kept"].least == words.LITTLE_AFFECTED
    assert rules["half"].least == words.HALVED
    assert rules["alike"].most == words.ABOUT[1]
    assert rules["fair"].least == words.CLOSE_TO_ONE
    assert all((each.least is None) is not (each.most is None) for each in rules.values())
    assert all(each.why for each in rules.values())
    assert str(rules["alike"]) == f"at most {words.ABOUT[1]:.3g} times the reference's"
    assert str(rules["fair"]) == f"at least {words.CLOSE_TO_ONE:.3g}"


def test_bbr_loses_on_buffers_below_one_and_a_half_bandwidth_delay_products() -> None:
    # RFC 9743, section 5.1.3, of BBRv1.
    found = evaluate("bbr", asked=named("loss, 0.5 BDP", "loss, 1 BDP", "loss, 4 BDP"))
    assert [each.verdict for each in found.found] == [
        Verdict.DENIED,
        Verdict.DENIED,
        Verdict.HOLDS,
    ]
    assert found.said == (
        "BBR breaks 2 of 3 criteria.",
        "Broken: loss, 0.5 BDP (5.1.3); loss, 1 BDP (5.1.3).",
    )
    (half,) = found.found[0].judgements
    assert half.reference is not None
    assert half.value > 10 * half.reference
    assert half.ratio is not None
    assert half.low < half.ratio < half.high
    assert half.low > 2.0


def test_vegas_loses_to_cubic_and_reno_does_not() -> None:
    beside = named("beside CUBIC")
    found = evaluate("vegas", asked=beside)
    assert found.said == (
        "Vegas breaks none of 1 criterion, and 1 in part.",
        "Of the 1 that the RFC demands (MUST) 0 hold.",
        "In part: beside CUBIC (5.2.1).",
    )
    vegas = outcomes(found)
    assert vegas["beside CUBIC: its own goodput"] is Outcome.DENIED
    assert vegas["beside CUBIC: goodput of CUBIC"] is Outcome.SHOWN
    reno = outcomes(evaluate("newreno", asked=beside))
    assert reno["beside CUBIC: its own goodput"] is Outcome.SHOWN
    bbr = outcomes(evaluate("bbr", asked=beside))
    assert bbr["beside CUBIC: goodput of CUBIC"] is Outcome.DENIED


def test_a_law_is_alike_to_itself_with_any_number_of_replications() -> None:
    found = evaluate("cubic", replications=1, asked=named("beside CUBIC", "capacity falls"))
    assert found.tally == {"holds": 2}
    assert all(each.itself and each.ratio == 1 for row in found.found for each in row.judgements)


def test_few_replications_leave_it_open() -> None:
    found = evaluate("newreno", replications=2, asked=named("random loss, 1 %"))
    assert found.found[0].verdict is Verdict.UNDECIDED
    assert found.said[0] == "None of 1 criterion is decided for NewReno."


def test_the_interval_of_an_index_ends_at_1() -> None:
    found = evaluate("vegas", replications=3, asked=named("fair, 2 flows", "fair, 8 flows"))
    for row in found.found:
        (judged,) = row.judgements
        assert 0.0 <= judged.low <= judged.value <= judged.high <= 1.0


def test_the_answer_counts_what_is_decided() -> None:
    found = evaluate("newreno", replications=2, asked=named("beside CUBIC", "random loss, 1 %"))
    broken, kept, open_ = (
        replace(judged, outcome=outcome)
        for judged, outcome in zip(
            [found.found[1].judgements[0]] * 3,
            (Outcome.DENIED, Outcome.SHOWN, Outcome.OPEN),
            strict=True,
        )
    )

    def lead(*judged: Judgement) -> str:
        rows = (replace(found.found[1], judgements=(each,)) for each in judged)
        return replace(found, found=tuple(rows)).said[0]

    law = "NewReno breaks"
    assert lead(kept, kept, open_) == (
        f"{law} none of the 2 criteria that are decided; 1 is undecided."
    )
    assert lead(broken, open_, open_) == (
        f"{law} 1 of the 1 criterion that is decided; 2 are undecided."
    )
    assert lead(broken, kept) == f"{law} 1 of 2 criteria."
    half = replace(found.found[0], judgements=(broken, open_))
    assert half.verdict is Verdict.PARTLY_AT_MOST
    assert replace(found, found=(half,)).said == (
        f"{law} none of 1 criterion, and 1 in part at least.",
        "Of the 1 that the RFC demands (MUST) 0 hold.",
        "In part at least: beside CUBIC (5.2.1).",
    )
    assert lead(open_, open_) == "None of 2 criteria is decided for NewReno."


def test_the_kind_of_a_variant_has_its_own_reference() -> None:
    assert Cast.of("linux-bbr").called("reno") == "linux-reno"
    assert Cast.of("bbr").called("reno") == "newreno"
    assert Cast.of("selective-repeat").called("cubic") == "cubic"


def test_a_law_in_python_that_answers_no_loss_is_found(tmp_path: Path) -> None:
    (tmp_path / "still.py").write_text(LAW)
    asked = named("loss, 0.5 BDP", "beside CUBIC", "drop tail, 0.5 BDP")
    found = evaluate(f"{tmp_path}/still.py:Still", replications=12, asked=asked)
    assert [each.reference for each in found.found] == ["cubic"] * 3
    said = outcomes(found)
    assert said["loss, 0.5 BDP: loss"] is Outcome.DENIED
    assert said["beside CUBIC: goodput of CUBIC"] is Outcome.DENIED
    assert found.found[1].verdict in (Verdict.PARTLY, Verdict.DENIED)


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    asked = named("loss, 1 BDP", "a call beside it")
    one, two = (evaluate("bbr", replications=10, workers=n, asked=asked).as_dict() for n in (1, 2))
    assert one == two


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ("cubik", "did you mean 'cubic'"),
        ("nowhere", "`lasthop list variants` names all"),
    ],
)
def test_an_unknown_law_is_refused(law: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        evaluate(law)


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(LawError, match="no such file"):
        evaluate("missing.py:Mine")
    with pytest.raises(UsageError, match="replications are from 1"):
        evaluate("bbr", replications=0)


def test_the_command_prints_and_its_page_is_made_again(tmp_path: Path) -> None:
    done = command("evaluate", "reno", "--replications", "2", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["law"] == "reno"
    assert len(document["criteria"]) == len(criteria())
    assert sum(document["tally"].values()) == len(criteria())
    numbers = [part["value"] for each in document["criteria"] for part in each["parts"]]
    assert np.isfinite(numbers).all()
    page = tmp_path / "out" / "reno.evaluation" / "dossier.html"
    text = page.read_text()
    for each in criteria():
        assert each.name.replace("'", "&#39;") in text
        assert each.about in text
        assert f">{each.section}<" in text
    for section in unasked():
        assert f"<li>{section}: " in text
    assert embedding.extract(page).command == "lasthop evaluate reno --replications 2"
    again = command("rerun", page, "--out", tmp_path / "again")
    assert again.returncode == 0, again.stdout + again.stderr
    assert (tmp_path / "again" / "dossier.html").read_bytes() == page.read_bytes()


def test_a_law_is_not_run_out_of_a_page(tmp_path: Path) -> None:
    (tmp_path / "still.py").write_text(LAW)
    done = command("evaluate", "still.py:Still", "--replications", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = tmp_path / "out" / "Still.evaluation" / "dossier.html"
    again = command("rerun", page)
    assert again.returncode != 0
    assert "is Python code from the page" in again.stderr
    assert "Traceback" not in again.stderr
