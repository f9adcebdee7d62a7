"""The answers of studies that were run: in the terminal, in JSON and on the page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import lasthop
from commands import lasthop as command
from lasthop.errors import StudyError
from lasthop.study import reader
from lasthop.study.answering import answer
from lasthop.study.answering.choosing import Kind, candidates
from lasthop.study.judgement import as_dict as judged
from lasthop.study.judgement import judged_tables
from lasthop.study.manifest import restored
from studies import study, written

ALONE = """
[study]
name = "small"
scenario = "small.toml"
replications = 12
metrics = ["goodput_bps", "voice.delay_s.p95"]
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> lasthop.Results:
    folder = tmp_path_factory.mktemp("answered")
    return lasthop.sweep(written(folder), out=folder / "out")


def test_all_candidates_of_a_study_are_one_family(swept: lasthop.Results) -> None:
    study = restored(swept.manifest)
    known = candidates(swept, study, judged_tables(swept, study))
    assert {each.axis for each in known} == {"mac.short_retry_limit", "tcp.window"}
    # Two axes of two values by three metrics: two pairs of cells, and their average, each.
    assert [each.level for each in known] == [pytest.approx(1 - 0.05 / 18)] * 6
    assert [each.noticed.tier for each in known] == sorted(each.noticed.tier for each in known)


def test_the_page_opens_with_the_sentence_and_its_chart(
    swept: lasthop.Results, tmp_path: Path
) -> None:
    page = swept.report(tmp_path / "page.html").read_text()
    found = answer(swept, restored(swept.manifest))
    body = page[page.index("<h1>") :]
    places = [body.index(x) for x in ("</h1>", 'class="answer"', "<svg", "<h2>")]
    assert places == sorted(places)
    text = re.sub("<[^>]*>", "", body[places[1] : body.index("</p>")])
    assert found.said[-1].split()[-1] in text
    svg = body[places[2] : body.index("</figure>")]
    assert not re.search("<svg viewBox[^>]*>(?!<path)", svg), "a text is stretched"
    assert not re.search("#[0-9a-f]{3}", svg), "a colour stands in the chart"
    assert svg.count("h0") == 4 * 12
    assert 'class="dot"' in svg


def test_the_terminal_and_json_begin_with_the_answer(
    swept: lasthop.Results, tmp_path: Path
) -> None:
    path = written(tmp_path)
    asked = path.read_text().replace("[axes]", 'question = "Which [one]?"\n[axes]')
    path.write_text(asked)
    done = command("sweep", path.name, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    sentence = answer(swept, restored(swept.manifest)).sentence
    assert " ".join(done.stdout.split()).startswith(f"Which [one]? {sentence}")
    done = command("sweep", path.name, "--json", cwd=tmp_path)
    told = json.loads(done.stdout)["answer"]
    assert (told["question"], told["sentence"]) == ("Which [one]?", sentence)
    assert told["kind"] in list(Kind)


def test_a_study_may_say_its_question_and_what_answers_it(tmp_path: Path) -> None:
    text = ALONE + '[axes]\ntcp.window = ["4 packets", "16 packets"]\n'
    asked = text.replace(
        "replications", 'question = "How wide?"\nanswer_by = "goodput"\nreplications'
    )
    read = study(tmp_path, asked)
    assert (read.question, read.answer_by) == ("How wide?", "goodput_bps")
    results = lasthop.sweep(read, out=tmp_path / "out")
    again = restored(results.manifest)
    assert (again.question, again.answer_by) == ("How wide?", "goodput_bps")
    found = answer(results, again)
    assert found.found.candidate is not None
    assert found.found.candidate.metric == "goodput_bps"
    with pytest.raises(
        StudyError, match="does not measure \"gootput\"; did you mean 'goodput_bps'"
    ):
        study(tmp_path, asked.replace('"goodput"', '"gootput"'))
    with pytest.raises(StudyError, match="makes several metrics; allowed: one"):
        study(tmp_path, asked.replace('"goodput"', '"goodput.each"'))
    with pytest.raises(StudyError, match="is not a string"):
        study(tmp_path, asked.replace('"How wide?"', "3"))


def test_of_packets_sent_no_setting_is_the_best(tmp_path: Path) -> None:
    text = (
        ALONE
        + """
[[compare]]
axis = "tcp.window"
metric = "packets_sent"
[axes]
tcp.window = ["4 packets", "16 packets"]
"""
    )
    asked = text.replace("replications", 'answer_by = "packets_sent"\nreplications')
    asked = asked.replace('"goodput_bps"', '"packets_sent", "goodput_bps"').replace("12", "40")
    read = study(tmp_path, asked)
    results = lasthop.sweep(read, out=tmp_path / "out")
    told = answer(results, read).as_dict()
    assert (told["best"], told["rest"]) == ([], [])
    assert (told["higher"], told["lower"]) == (["16 packets"], ["4 packets"])
    assert told["sentence"].startswith("What matters: TCP window. With 16 packets")
    assert "better" not in told["sentence"]
    found = judged(results, read, judged_tables(results, read))["compared"][
        "packets_sent by tcp.window"
    ]
    assert [each["verdict"] for each in found.values()] == ["higher"]
    page = results.report(tmp_path / "page.html").read_text()
    assert 'class="best"' not in page


def test_a_study_of_one_setting_or_one_run_is_answered_too(tmp_path: Path) -> None:
    one = lasthop.sweep(study(tmp_path, ALONE), out=tmp_path / "one")
    found = answer(one, restored(one.manifest))
    assert found.found.kind is Kind.ALONE
    assert found.said[0] == "One setting, nothing to compare."
    assert "Goodput is" in found.sentence
    assert 'class="answer"' in one.report(tmp_path / "page.html").read_text()
    text = ALONE.replace("= 12", "= 1") + '[axes]\ntcp.window = ["4 packets", "16 packets"]\n'
    single = lasthop.sweep(study(tmp_path, text), out=tmp_path / "single")
    told = answer(single, restored(single.manifest)).sentence
    assert told.startswith("Undecided. 1 run of each cell does not show")
    assert told.endswith("Fewer than 10 runs show nothing but huge effects.")


def test_a_metric_without_a_value_in_a_setting_does_not_answer(tmp_path: Path) -> None:
    """Nothing of the call arrives in the second setting: its delay is known of none of the runs."""
    text = ALONE + '[axes]\nflow.voice.start = ["0 s", "999 ms"]\n'
    results = lasthop.sweep(study(tmp_path, text), out=tmp_path / "out")
    assert np.isnan(results.values("voice.delay_s.p95", 1)).all()
    found = answer(results, restored(results.manifest))
    assert found.found.candidate is not None
    assert found.found.candidate.metric == "goodput_bps"
    assert "nan" not in found.sentence


def test_a_new_study_compares_along_each_of_its_axes(tmp_path: Path) -> None:
    over = ("--over", "tcp.variant=cubic,reno", "--over", "mac.retry_limit=2,7")
    words = ("new", "study", "mine", "--scenario", "wifi6_calls", "--metric", "goodput")
    assert command(*words, *over, cwd=tmp_path).returncode == 0
    read = reader.read(tmp_path / "mine.toml")
    assert [each.axis for each in read.compare] == ["tcp.variant", "mac.retry_limit"]
    assert (
        "# What do tcp.variant and mac.retry_limit change?" in (tmp_path / "mine.toml").read_text()
    )


def test_a_new_study_compares_by_all_that_people_notice(tmp_path: Path) -> None:
    assert (
        command("new", "study", "mine", "--scenario", "wifi6_calls", cwd=tmp_path).returncode == 0
    )
    text = (tmp_path / "mine.toml").read_text()
    measured = ["goodput_bps", "call*.unusable.max", "call*.mos.min"]
    assert re.findall(r'^metric = "(.*)"', text, re.MULTILINE) == measured
