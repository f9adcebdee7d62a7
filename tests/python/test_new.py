"""`lasthop new`: what it writes runs as it is, whatever is asked for."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lasthop
from commands import lasthop as command
from lasthop.cli.commands.new import command as new
from lasthop.core.python_law import Ack, Window
from lasthop.errors import LasthopError
from lasthop.study.making import law_files
from lasthop.study.making.asked_traffic import Wanted
from lasthop.study.making.scenarios import KINDS, text
from lasthop.study.papers import paper_folder as papers

BULK = st.lists(st.sampled_from(["cubic", "bbr:1", "newreno:3", "vegas"]), max_size=2, unique=True)

DSSS = ((), ("1 Mbps",), ("2Mbps:1",))
OFDM = ((), ("6 Mbps",))
#: The PHYs, each with slow stations that it may have.
SLOW = {
    **dict.fromkeys(["802.11", "802.11b"], DSSS),
    **dict.fromkeys(["802.11a", "802.11g"], OFDM),
    **dict.fromkeys(["802.11bg", "802.11n", "802.11ax"], (*DSSS, *OFDM)),
}


@st.composite
def wanted(draw: st.DrawFn) -> Wanted:
    stations = draw(st.integers(1, 6))
    few = st.integers(0, stations)
    phy = draw(st.sampled_from(list(SLOW)))
    return Wanted(
        kind=draw(st.sampled_from(KINDS)),
        name="made",
        stations=stations,
        phy=phy,
        uploads=draw(BULK),
        downloads=draw(BULK),
        calls=draw(few),
        video=draw(few),
        web=draw(few),
        slow=draw(st.sampled_from(SLOW[phy])),
        loss=draw(st.sampled_from([None, "2%", "0.01", "0"])),
        rate=draw(st.sampled_from(["100 Mbps", "1 Gbps"])),
        queue=draw(st.sampled_from([None, 1, 50, 1000])),
        duration="60 s",
    )


@settings(max_examples=40, deadline=None)
@given(wanted())
def test_every_scenario_runs(asked: Wanted) -> None:
    run = lasthop.run(text(asked), overrides={"duration": "2 s", "warmup": "0 s"})
    flows = [flow["name"] for flow in run.documents[0]["flows"]]
    assert len([name for name in flows if name.startswith("call-")]) == 2 * asked.calls
    assert len([name for name in flows if name.startswith("video-")]) == asked.video
    stations = asked.stations - asked.calls or asked.calls
    for direction, several in (("upload", asked.uploads), ("download", asked.downloads)):
        count = sum(int(said.split(":")[1]) if ":" in said else stations for said in several)
        asked_for = asked.calls, asked.video, asked.web, asked.uploads, asked.downloads
        if direction == "download" and not any(asked_for):
            count = stations
        assert len([name for name in flows if name.startswith(direction)]) == count


def test_the_command_of_the_guide(tmp_path: Path) -> None:
    words = (
        "new wifi --stations 10 --phy 802.11g --uploads cubic --downloads bbr --calls 1 --loss 2%"
    )
    made = command(*words.split(), cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    written = (tmp_path / "wifi.toml").read_text()
    assert "frame_loss = 0.02" in written
    assert written.count("#") > 15  # it is commented
    again = command("new", "wifi", cwd=tmp_path)
    assert again.returncode == 2
    assert "exists already" in again.stderr
    assert command("run", "wifi.toml", "--set", "duration=7 s", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("options", "idle"),
    [
        ("wifi", None),
        ("wifi --stations 30 --calls 5", "25 of 30"),
        ("wifi --stations 30 --calls 5 --downloads cubic", None),
        ("wifi --stations 30 --downloads cubic:10", "20 of 30"),
        ("wifi --stations 30", None),
        ("wire --stations 4", None),
        ("wire --stations 4 --web 1", "3 of 4"),
        ("wimax --stations 3 --calls 3", None),
    ],
)
def test_stations_without_traffic_are_mentioned(
    tmp_path: Path, options: str, idle: str | None
) -> None:
    made = command("new", *options.split(), cwd=tmp_path)
    told = f"{idle} stations have nothing to do: with --downloads cubic each would"
    assert (told in made.stdout) == (idle is not None), made.stdout
    assert ("nothing to do" in made.stdout) == (idle is not None)


@pytest.mark.parametrize("kind", ["wifi", "wimax", "wire"])
@pytest.mark.parametrize("stations", [1, 30])
def test_each_station_downloads_where_no_traffic_is_asked_for(
    tmp_path: Path, kind: str, stations: int
) -> None:
    made = command("new", kind, "--stations", str(stations), cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    brief = {"duration": "100 ms", "warmup": "0 s"}
    run = lasthop.run(tmp_path / f"{kind}.toml", overrides=brief)
    assert len(set(run.flow_names)) == stations


@pytest.mark.parametrize("phy", ["802.11n", "802.11ac", "802.11ax"])
def test_a_modern_access_point_is_not_behind_a_slower_wire(tmp_path: Path, phy: str) -> None:
    assert command("new", "wifi", "--phy", phy, cwd=tmp_path).returncode == 0
    ran = command("run", "wifi.toml", "--set", "duration=4 s", cwd=tmp_path)
    assert "download-1 and download-2 are limited by ap's share of the air." in ran.stdout


@pytest.mark.parametrize(("words", "limit"), [([], None), (["--queue", "70"], 70)])
def test_a_limit_that_is_asked_for_is_the_access_point_s_too(
    tmp_path: Path, words: list[str], limit: int | None
) -> None:
    assert command("new", "wifi", "--phy", "802.11ac", *words, cwd=tmp_path).returncode == 0
    shown = command("check", "wifi.toml", "--resolved", cwd=tmp_path).stdout
    resolved = tomllib.loads(shown)
    (point,) = resolved["node"]
    assert point["queue"]["discipline"] == "mac80211"
    assert point["queue"]["packets"] == (limit or 8192)
    assert {each["queue"]["packets"] for each in resolved["link"]} == {limit or 1000}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("wifi --phy 802.11be", "lasthop does not model 802.11be and later"),
        ("wifi --uploads cubik", "no variant 'cubik'; did you mean 'cubic'?"),
        ("wifi --loss 120%", "must be a share below 1"),
        ("wifi --slow 7Mbps", "--slow: 7 Mbps is not a rate of this standard; allowed: 6 Mbps"),
        ("wifi --slow 6Mbps:3", "--slow: 0 to the number of stations, 2; not 3"),
        ("wifi --slow fast", '--slow: found "fast"; '),
        ("wifi --calls 3", "0 to the number of stations, 2; not 3"),
        ("wifi --delay x", '--delay: error: found "x"; a time is a number and a unit'),
        ("wire --rate 0", '--rate: error: "0" has no unit'),
        ("wifi ../x", "cannot be the name of a scenario"),
        ("study --over tcp.variant", "an axis is key=value,value"),
        (
            "study --over tcp.varint=reno,cubic",
            '--over: error: axis tcp.varint: unknown key "varint"',
        ),
        ("study --metric call-*.unusable", "--metric: error: metric 'call-*.unusable': no measure"),
        ('study --metric good"put', "metric 'good\"put': no measure"),
        ("study --replications 0", "--replications: error: replications are from 1"),
        ("study --scenario nowhere", "no such file"),
        ("law 9", "cannot be the name of a law"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, words: str, said: str) -> None:
    done = command("new", *words.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert ".toml:" not in done.stderr, "it names a file that is not written"
    assert "<text>" not in done.stderr, "it names a file that is not written"
    assert not list(tmp_path.iterdir())


def test_a_study_sweeps(tmp_path: Path) -> None:
    words = (
        "new study queues --over queue.packets=5,50 --metric goodput --metric loss --replications 2"
    )
    assert command(*words.split(), cwd=tmp_path).returncode == 0
    done = command("sweep", "queues.toml", "--set", "duration=12 s", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_study_of_calls_alone_varies_what_reaches_them(tmp_path: Path) -> None:
    for words in ("new wifi calls --calls 2", "new study asked --scenario calls.toml"):
        assert command(*words.split(), cwd=tmp_path).returncode == 0
    done = command("sweep", "asked.toml", "--quick", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "has no effect" not in done.stdout + done.stderr


def test_a_law_in_python_is_reno_and_says_so_by_its_own_test(tmp_path: Path) -> None:
    assert command("new", "law", "HalfAsBrave", cwd=tmp_path).returncode == 0
    # Without compiled files: a change of the same length within a second goes unnoticed.
    ours = [
        sys.executable,
        "-B",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "test_half_as_brave.py",
    ]
    done = subprocess.run(ours, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    changed = tmp_path / "half_as_brave.py"
    changed.write_text(
        changed.read_text().replace("increase: float = 1.0", "increase: float = 0.5")
    )
    done = subprocess.run(ours, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1


def test_a_law_names_what_an_acknowledgement_has(tmp_path: Path) -> None:
    written = "\n".join(law_files.python("Mine", tmp_path).values())
    for kind, said in ((Ack, "ack"), (Window, "w")):
        (listed,) = re.findall(rf"`{said}` has ([^.]*)\.", written)
        names = [name.strip() for name in listed.split(",")]
        assert names == [name for name in dir(kind) if not name.startswith("_")]


@pytest.mark.parametrize(
    "words", ["paper mine --like petrovic2003", "paper mine", "law Mine", "law Mine --rust"]
)
def test_a_full_disk_leaves_nothing(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 2:  # the first file fits
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LasthopError, match=r"cannot write \S*mine\S*: No space left on device"):
        new(words.split(), exit_on_error=False)
    assert not list(tmp_path.iterdir())


def test_a_paper_s_folder_can_be_entered_by_others(tmp_path: Path) -> None:
    made = papers.new("mine", tmp_path)
    (tmp_path / "usual").mkdir()
    assert made.stat().st_mode == (tmp_path / "usual").stat().st_mode
