"""Applications that are played: traces from files, measures in tables and on the command line."""

import random
import re
from pathlib import Path

import pytest

import lasthop
from commands import lasthop as command
from lasthop.errors import ScenarioError
from lasthop.pages.picture import tabled

SCENARIO = """
duration = "38.5 s"
[[link]]
ends = ["a", "b"]
rate = "10 Mbps"
delay = "10 ms"
[[flow]]
name = "film"
from = "a"
to = "b"
stop = "38.4 s"
app = { kind = "video", file = "film.dat", format = "tu_berlin", deadline = "30 ms" }
"""


def made_trace(pictures: int) -> tuple[str, int]:
    """Make a trace in TU Berlin's form, in the order of transmission, and count its bytes."""
    sizes = random.Random(1)
    rows, total = [], 0
    for number in range(pictures):
        group, place = divmod(number, 3)
        shown = 3 * group + (0 if place == 0 else 3 - place)  # two that were swapped
        size = sizes.randint(26, 9370)
        total += size
        rows.append(f"{number + 1}\t{'IPB'[place]}\t{40 * shown}\t{size}")
    return "\n".join(rows) + "\n", total


@pytest.fixture
def film(tmp_path: Path) -> Path:
    (tmp_path / "film.dat").write_text(made_trace(48)[0])
    path = tmp_path / "film.toml"
    path.write_text(SCENARIO)
    return path


def test_a_trace_has_the_bytes_of_its_file_over_loops(film: Path) -> None:
    [flow] = lasthop.run(film).flows.to_pylist()
    # 48 pictures last 1.92 s.
    assert flow["goodput_bps"] * 38.5 / 8 == pytest.approx(20 * made_trace(48)[1])
    assert flow["pictures.sent"] == 960
    assert flow["pictures.in_time"] == 960
    assert flow["unusable"] == 0
    assert flow["deadline_s"] == 0.03
    assert flow["interarrival_s.mean"] == pytest.approx(38.4 / flow["packets_delivered"], rel=0.01)


def test_what_is_wrong_in_a_trace_has_its_line_and_its_file(film: Path) -> None:
    (film.parent / "film.dat").write_text("1 I 0 500\n2 P 40 many\n")
    with pytest.raises(ScenarioError, match=r'film\.toml:12:\d+: error: film\.dat:2: found "many"'):
        lasthop.run(film)
    (film.parent / "film.dat").unlink()
    with pytest.raises(ScenarioError, match="no such file"):
        lasthop.run(film)


def test_measures_are_summed_up_over_replications(film: Path) -> None:
    changes = ["flow.film.app={ kind = 'voice', deadline = '10.1 ms' }"]
    summary = lasthop.run(film, replications=3, overrides=changes).summary
    [flow] = summary["flows"]
    # 108 B take 0.086 ms: none is late.
    assert flow["late"] == {"mean": 0.0, "ci95": 0.0, "n": 3}
    assert flow["mos"]["n"] == flow["interarrival_s"]["std"]["n"] == 3
    assert 1 < flow["mos"]["mean"] < 4.5


def test_columns_are_there_where_a_flow_has_them(film: Path) -> None:
    def headings(*changes: str) -> set[str]:
        rows = lasthop.run(film, overrides=changes).summary["flows"]
        return {heading for heading, _ in tabled.filled(rows, tabled.FLOWS, one_line=True)}

    assert {"late packets", "unusable %", "pictures unusable %"} <= headings()
    assert not {"late packets", "MOS"} & headings("flow.film.app=cbr")
    assert "MOS" in headings("flow.film.app=voice")


def test_a_call_is_played_after_what_phones_wait() -> None:
    voice = Path(__file__).parents[2] / "scenarios" / "voice.toml"
    short = {"duration": "15 s"}
    run = lasthop.run(voice, overrides=short)
    calls = [flow for flow in run.documents[0]["flows"] if "mos" in flow]
    assert {flow["deadline_s"] for flow in calls} == {0.15}
    assert min(flow["mos"] for flow in calls) > 3.6  # with 0.5 s nearly all users were dissatisfied
    later = {f"flow.call_{way}.app.deadline": "500 ms" for way in ("up", "down")}
    paper = lasthop.run(voice, overrides=short | later)
    assert max(flow["mos"] for flow in paper.documents[0]["flows"] if "mos" in flow) < 2.6
    study = (
        Path(lasthop.__file__).parent / "study" / "papers" / "petrovic2003" / "voice.toml"
    ).read_text()
    assert study.count('deadline = "500 ms"') == study.count('kind = "voice"') == 2


def test_the_table_says_which_deadline() -> None:
    done = command("run", "voice", "--set", "duration=12s", "--seed", "1")
    assert "deadline" in done.stdout
    assert re.search(r"call_up-1 +150 +0 ", done.stdout), done.stdout
