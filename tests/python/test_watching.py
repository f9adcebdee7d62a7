"""`lasthop run --watch`: each save is run, with what differs from the run before; nothing but Ctrl-C ends it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from browser import drawn, require_browser
from commands import lasthop
from lasthop.cli.saves import Saves
from lasthop.core.altered import MOST, altered, sentence
from lasthop.core.quantities.shown import Column
from lasthop.pages.picture import reloading, since
from processes import started, wait_until

OFFICE = """\
name = "office"
duration = "3 s"

[[link]]
ends = ["server", "laptop"]
rate = "4 Mbps"
delay = "10 ms"

[[flow]]
name = "film"
from = "server"
to = "laptop"
app = "bulk"
"""

FASTER = OFFICE.replace("4 Mbps", "8 Mbps")

LINE = re.compile(r"^.* saved: .*$", re.MULTILINE)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")


class Watched:
    """A scenario that is watched by a process."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "office.toml"
        self.process: subprocess.Popen[bytes]

    @property
    def out(self) -> str:
        return (self.folder / "out").read_text()

    @property
    def errors(self) -> str:
        return (self.folder / "errors").read_text()

    def until(self, runs: int) -> str:
        """Wait until this number of runs has been printed; return the output of the last."""
        wait_until(lambda: self.out.count("Noticed") == runs, self.process)
        return [*LINE.split(self.out)][-1]

    def saved(self) -> list[str]:
        """Return the first lines of the runs after saves, without the file's name."""
        return [line.partition("office.toml saved: ")[2] or line for line in LINE.findall(self.out)]

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


@contextmanager
def watched(folder: Path, text: str, *options: str) -> Iterator[Watched]:
    """Watch a scenario in a folder; it has been run once where it is right."""
    there = Watched(folder)
    there.file.write_text(text)
    command = [sys.executable, "-m", "lasthop", "run", "office.toml", "--watch", *options]
    streams = [(folder / name).open("wb") for name in ("out", "errors")]
    environment = os.environ | {"COLUMNS": "100", "PYTHONUTF8": "1"}
    with started(
        command, cwd=folder, stdout=streams[0], stderr=streams[1], env=environment
    ) as process:
        for stream in streams:
            stream.close()
        there.process = process
        wait_until(lambda: "watching office.toml" in there.errors, process)
        yield there


def test_a_save_is_run_with_the_differences_beside_the_numbers(tmp_path: Path) -> None:
    with watched(tmp_path, OFFICE) as there:
        first = there.until(1)
        assert _goodput(first)[1] == ""
        there.file.write_text(FASTER)
        second = there.until(2)
        assert there.saved() == ["link.0.rate: 4 Mbps -> 8 Mbps"]
        there.file.write_text(f"# a comment\n{FASTER}")
        third = there.until(3)
        assert there.saved()[1] == "no key has another value"
        assert there.end() == 0
    assert "Traceback" not in there.errors
    goodputs = [float(_goodput(text)[0]) for text in (first, second)]
    part = 100 * (goodputs[1] - goodputs[0]) / goodputs[0]
    assert part > 5
    assert float(_goodput(second)[1]) == pytest.approx(part, abs=0.06)
    assert "Flows: same" in third
    assert "Queues: same" in third
    assert _goodput(third) == (_goodput(second)[0], "")


def _goodput(text: str) -> tuple[str, str]:
    """Return the goodput of the flow, and the difference beside it."""
    found = re.search(r"film +([\d.,]+)(?: \+([\d.,]+) %)?", text)
    assert found, text
    return found[1].replace(",", ""), found[2] or ""


def test_a_mistake_is_printed_and_the_watch_goes_on(tmp_path: Path) -> None:
    with watched(tmp_path, OFFICE.replace('"4 Mbps"', '"4 Mpbs"')) as there:
        assert "office.toml:6:8: error: " in there.errors
        there.file.write_text(OFFICE)
        there.until(1)
        there.file.write_text(f"{OFFICE}[[")
        wait_until(lambda: "office.toml:14:3: error: " in there.errors, there.process)
        there.file.write_text(FASTER)
        there.until(2)
        # Compared with what was shown last, not with what could not be run.
        assert there.saved() == ["link.0.rate: 4 Mbps -> 8 Mbps"]
        assert there.end() == 0
    assert "Traceback" not in there.errors


def test_editors_may_rename_and_a_file_may_be_missing_for_a_moment(tmp_path: Path) -> None:
    with watched(tmp_path, OFFICE) as there:
        there.until(1)
        other = tmp_path / ".office.toml.swp"
        other.write_text(FASTER)
        other.rename(there.file)
        there.until(2)
        there.file.unlink()
        with pytest.raises(subprocess.TimeoutExpired):
            there.process.wait(0.5)
        there.file.write_text(OFFICE)
        there.until(3)
        assert there.saved()[1] == "link.0.rate: 8 Mbps -> 4 Mbps"
        assert there.end() == 0


def test_files_that_the_scenario_names_are_watched_from_when_it_names_them(tmp_path: Path) -> None:
    lab = tmp_path / "lab.toml"
    lab.write_text('about = "a laboratory"\n[tcp]\ninitial_window = 4\n')
    with watched(tmp_path, OFFICE) as there:
        there.until(1)
        there.file.write_text(f'conventions = "lab.toml"\n{OFFICE}')
        there.until(2)
        lab.write_text('about = "a laboratory"\n[tcp]\ninitial_window = 5\n')
        there.until(3)
        assert there.saved()[1] == "lab.toml saved: flow.film.tcp.initial_window: 4 -> 5"
        assert there.end() == 0


def test_a_save_ends_a_long_run(tmp_path: Path) -> None:
    forever = OFFICE.replace('"3 s"', '"10000000 s"')
    with watched(tmp_path, OFFICE) as there:
        there.until(1)
        there.file.write_text(forever)
        with pytest.raises(subprocess.TimeoutExpired):
            there.process.wait(0.5)
        there.file.write_text(FASTER)
        there.until(2)
        assert there.saved() == ["link.0.rate: 4 Mbps -> 8 Mbps"]
        there.file.write_text(forever)
        with pytest.raises(subprocess.TimeoutExpired):
            there.process.wait(0.5)
        assert there.end() == 0  # in the midst of a run too
    assert "Traceback" not in there.errors


def test_means_have_the_differences_of_means(tmp_path: Path) -> None:
    lossy = OFFICE.replace("[[flow]]", "loss = 0.01\n\n[[flow]]")
    with watched(tmp_path, lossy, "--replications", "3", "--set", "duration=4 s") as there:
        there.until(1)
        there.file.write_text(lossy.replace("0.01", "0.05"))
        shown = there.until(2)
        assert there.saved() == ["link.0.loss: 0.01 -> 0.05"]
        assert there.end() == 0
    assert re.search(r"film +[\d.,]+ ± [\d.,]+ −[\d.,]+ %", shown) or re.search(
        r"goodput kbit/s +[\d.,]+ ± [\d.,]+ −[\d.,]+ %", shown
    ), shown


def test_the_page_is_written_anew_and_reloads_only_while_watching(tmp_path: Path) -> None:
    page = tmp_path / "office.html"
    stamp = reloading.stamp_of(page)
    with watched(tmp_path, OFFICE, "--report") as there:
        first, told = page.read_text(), stamp.read_text()
        assert "wrote office.html" in there.out
        assert "saved:" not in first
        there.file.write_text(FASTER)
        wait_until(lambda: stamp.read_text() != told, there.process)
        second = page.read_text()
        assert "office.toml saved: link.0.rate: 4 Mbps -&gt; 8 Mbps." in second
        assert re.search(r"<td>[\d.,]+ \+[\d.,]+ %</td>", second)
        number = re.fullmatch(r'lasthopStamp\("(\w+)"\);\n', stamp.read_text())
        assert number
        assert f'stamp !== "{number[1]}"' in second
        assert there.end() == 0
    assert not stamp.exists()
    assert lasthop("run", "office.toml", "--report", cwd=tmp_path).returncode == 0
    assert "lasthopStamp" not in page.read_text()


@pytest.mark.parametrize(("announced", "loads"), [("its own", False), ("another", True)])
def test_a_browser_reloads_a_page_with_another_stamp(
    tmp_path: Path, announced: str, loads: bool
) -> None:
    require_browser()
    page = tmp_path / "a page's #1.html"
    made, stamp = reloading.with_script("<!doctype html><body>here</body>", page)
    page.write_text(made)
    reloading.announce(page, stamp if announced == "its own" else "0")
    frame = tmp_path / "frame.html"
    frame.write_text(
        '<!doctype html><iframe src="a%20page\'s%20%231.html"></iframe><p id="told">0</p><script>'
        'let loads = 0; document.querySelector("iframe").addEventListener("load", () => {'
        'loads += 1; document.getElementById("told").textContent = loads > 1 ? "again" : "once";'
        "});</script>"
    )
    told = re.search(r'<p id="told">(\w+)</p>', drawn(frame.as_uri(), tmp_path))
    assert told
    assert told[1] == ("again" if loads else "once")


@pytest.mark.parametrize(
    "options",
    [
        ["--json"],
        ["--probe", "tcp"],
        ["--probe-every", "1s"],
        ["--out", "series"],
        ["--pcap", "captures"],
        ["--pcap-only", "sta1-*"],
        ["--law", "mine.py:Mine"],
    ],
    ids=lambda options: options[0],
)
def test_what_is_not_for_eyes_is_refused(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "office.toml").write_text(OFFICE)
    done = lasthop("run", "office.toml", "--watch", *options, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{options[0]} does not go with --watch; run it once without --watch\n"


def test_a_file_that_was_never_there_is_an_error(tmp_path: Path) -> None:
    done = lasthop("run", "ofice.toml", "--watch", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such file" in done.stderr


def test_contents_count_and_not_times(tmp_path: Path) -> None:
    file, absent = tmp_path / "a", tmp_path / "b"
    file.write_text("one")
    saves = Saves()
    assert saves.add([file, absent])
    assert not saves.add([file])
    file.write_text("one")
    os.utime(file, (1, 1))
    assert saves.take() == []
    time = file.stat().st_mtime_ns
    file.write_text("two")  # as long as before
    os.utime(file, ns=(time + 1, time + 1))
    absent.write_text("")
    assert saves.changed() == [file, absent]
    assert saves.take() == [file, absent]
    assert saves.take() == []
    file.unlink()
    assert saves.take() == []


def test_a_young_file_is_read_although_its_time_is_as_before(tmp_path: Path) -> None:
    """Two writes between two ticks of the file system's clock leave one time."""
    file = tmp_path / "a"
    file.write_text("one")
    saves = Saves()
    saves.add([file])
    time = file.stat().st_mtime_ns
    file.write_text("two")
    os.utime(file, ns=(time, time))
    assert saves.take() == [file]


def test_altered_keys_have_their_dotted_names() -> None:
    before = 'a = 1\nt = "1"\n[b]\nc = [1, 2]\n[[f]]\nname = "x"\n[[f]]\nname = "y"\nz = 1.5\n'
    after = 'a = 1.0\nt = 1\n[[f]]\nname = "y"\nz = 2.5\nw = "s"\n[[f]]\nname = "v"\n[[g]]\nh = 1\n'
    assert altered(before, before) == []
    assert altered(before, after) == [
        "a: 1 -> 1.0",
        't: "1" -> 1',
        "b is gone",
        "f.x is gone",
        "f.y.z: 1.5 -> 2.5",
        "f.y.w: none -> s",
        "f.v is new",
        "g is new",
    ]
    assert altered("[[g]]\nh = 1\n[[g]]\nh = 2\n", "[[g]]\nh = 1\n[[g]]\nh = 3\n") == [
        "g.1.h: 2 -> 3"
    ]
    assert sentence([]) == "no key has another value"
    keys = [f"k{at}" for at in range(MOST + 2)]
    assert sentence(keys) == "k0; k1; k2; k3; k4; k5; and 2 more"


@pytest.mark.parametrize(
    ("now", "then", "said"),
    [
        (1.0, 1.0, ""),
        (103.1, 100.0, " +3.1 %"),
        (50.0, 100.0, " −50.0 %"),
        (1300.0, 100.0, " +1,200 %"),
        (0.0, 100.0, " −100 %"),
        (-1.0, -2.0, " +50.0 %"),
        (0.25, 0.0, " +250.0"),
        (None, 1.0, " gone"),
        (1.0, None, " new"),
        (None, None, ""),
        ({"mean": 2.0, "ci95": 0.1}, {"mean": 4.0, "ci95": None}, " −50.0 %"),
    ],
)
def test_a_difference_is_relative_or_in_the_unit_of_the_column(
    now: object, then: object, said: str
) -> None:
    column = Column("delay {}", "delay_s.mean", 1)
    row, earlier = ({"delay_s": {"mean": value}} for value in (now, then))
    assert since.difference(column, row, earlier) == said


def test_it_ends_when_nobody_reads_any_more(tmp_path: Path) -> None:
    (tmp_path / "office.toml").write_text(OFFICE)
    command = [sys.executable, "-m", "lasthop", "run", "office.toml", "--watch"]
    with started(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.stdout.close()
        # The rest of the first run may have been written before.
        (tmp_path / "office.toml").write_text(FASTER)
        assert process.wait(60) == 0
