"""Renew the outputs that README.md and the pages of docs/ show: run their commands, write what is printed today.

    python tools/renew_outputs.py [--slow] [PAGE...]     by default all pages; prints which it changed

A block with lines that begin with `$ ` is a transcript. The transcripts of a page are run from top to bottom in
one folder, 80 columns wide, and so are its examples in Python, of which no output is compared. In what is shown a
line `...` stands for lines left out, and `...` at the end of a line for its rest. As many lines are shown as
before; to show more, add lines of any content and renew. Comments above a block say what else there is to know:

    <!-- file: NAME -->       it is this file, and is written into the folder
    <!-- not run: WHY -->     the transcript, or the example in Python, is not run
    <!-- slow: WHY -->        it is run with --slow only

and anywhere, of files that the page does not show:

    <!-- beside: PATH -->     what is in this folder of the repository, or the files that this page of it shows

`tests/python/test_outputs.py` fails where a page does not show what is printed.
"""

from __future__ import annotations

import argparse
import difflib
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

PAGES = [
    ROOT / "README.md",
    ROOT / "docs" / "index.md",
    *sorted((ROOT / "docs" / "guides").glob("*.md")),
    *sorted((ROOT / "docs" / "tutorial").glob("*.md")),
]

#: Words that differ from machine to machine and from time to time, which all count as equal.
VARYING = [
    re.compile(r"about (a second|\d+ s|\d+ min|\d+ h)( on \d+ cores?)?"),
    re.compile(r"\(\d+ of (\d+) cells timed\)"),
    re.compile(r"on \d+ cores?"),
    re.compile(r"elapsed \d+:\d+:\d+ remaining \d+:\d+:\d+"),
]

#: Columns of the terminal.
WIDTH = 80

#: Lines that come of the caller's environment, of a machine that became busy after the forecast of a sweep, or of
#: one on which a command takes so long that it tells how far it is.
UNSHOWN = re.compile(
    r'Running as user "root"|measured again: runs take |.*: \d+ %(, about \d+ s left)?$'
)

#: How far a sweep is; its end may be wrapped into a further line.
PROGRESS = re.compile(r"[\d,]+ of [\d,]+ replications, [\d,]+ of [\d,]+ cells")

#: The longest that a command of a page may take, s.
LONGEST_S = 600.0


@dataclass
class Block:
    """A fenced block of a page."""

    first: int  #: the index of its first line, below the fence
    language: str
    lines: list[str]
    remark: str = ""  #: what the comment above it is about: "file", "not run", "slow"
    about: str = ""

    @property
    def is_transcript(self) -> bool:
        """Tell whether it shows commands and what they print."""
        return any(line.startswith("$ ") for line in self.lines)

    def is_run(self, slow: bool) -> bool:
        """Tell whether there is something to run that is wanted, and can be run on this machine."""
        if self.remark in (("file", "not run") if slow else ("file", "not run", "slow")):
            return False
        return self.language == "python" or (self.is_transcript and _has_tools(self))


@dataclass
class Command:
    """A command of a transcript, as typed, and the lines below it."""

    typed: list[str]
    shown: list[str] = field(default_factory=list)


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page, each with the comment directly above it."""
    lines = text.split("\n")
    fences = [n for n, line in enumerate(lines) if line.startswith("```")]
    for start, end in zip(fences[::2], fences[1::2], strict=True):
        block = Block(start + 1, lines[start][3:].strip(), lines[start + 1 : end])
        above = next((line for line in reversed(lines[:start]) if line.strip()), "")
        if said := re.fullmatch(r"<!-- (file|not run|slow): (.+) -->", above):
            block.remark, block.about = said.groups()
        yield block


def commands(block: Block) -> list[Command]:
    """Return the commands of a transcript; a line that ends with a backslash goes on in the next."""
    found: list[Command] = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append(Command([line]))
        elif found and not found[-1].shown and found[-1].typed[-1].endswith("\\"):
            found[-1].typed.append(line)
        elif found:
            found[-1].shown.append(line)
        else:
            raise ValueError(f"line {block.first + 1}: a transcript begins with a command")
    return found


def fits(shown: list[str], printed: list[str]) -> bool:
    """Tell whether what a page shows is what was printed, with some lines left out."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(fits(shown[1:], printed[n:]) for n in range(1, len(printed) + 1))
    return bool(printed) and _alike(shown[0], printed[0]) and fits(shown[1:], printed[1:])


def _alike(shown: str, printed: str) -> bool:
    shown, printed = _masked(shown), _masked(printed)
    if shown.endswith("..."):
        return printed.startswith(shown.removesuffix("..."))
    return shown == printed


def _masked(line: str) -> str:
    for pattern in VARYING:
        line = pattern.sub("#", line)
    return line.rstrip()


def renewed(shown: list[str], printed: list[str]) -> list[str]:
    """Return the lines to show now: as many as before, from the same places, around what is left out."""
    if fits(shown, printed):
        return shown
    parts = _parts(shown)
    if len(parts) == 1:
        return [_as_before(line, shown) for line in printed]
    places: list[int] = []
    begin = 0
    for n, part in enumerate(parts):
        last = n == len(parts) - 1
        at = 0 if n == 0 else len(printed) - len(part) if last else _place(part, printed, begin)
        places.append(at)
        begin = at + len(part) + 1
    gaps = iter([line for line in shown if line.strip() == "..."])
    lines: list[str] = []
    for at, part in zip(places, parts, strict=True):
        lines += [_as_before(line, shown) for line in printed[at : at + len(part)]]
        lines += [gap] if (gap := next(gaps, "")) else []
    return lines


def _parts(shown: list[str]) -> list[list[str]]:
    """Return the runs of lines between those left out; the first and last are empty where a gap is."""
    parts: list[list[str]] = [[]]
    for line in shown:
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def _place(part: list[str], printed: list[str], begin: int) -> int:
    """Return the place of these lines, or of their later form, in the output."""

    def likeness(at: int) -> float:
        pairs = zip(part, printed[at : at + len(part)], strict=True)
        return sum(difflib.SequenceMatcher(None, a, b).ratio() for a, b in pairs)

    return max(range(begin, len(printed) - len(part) + 1), key=likeness, default=begin)


def _as_before(line: str, shown: list[str]) -> str:
    """Return the line as it was shown where only what varies, or its left-out end, is different."""
    same = (old for old in shown if old.strip() != "..." and _alike(old, line))
    return next(same, line.rstrip())


def run_page(page: Path, slow: bool = False) -> Iterator[tuple[Block, list[str]]]:
    """Run what a page shows; yield each transcript, and its lines as they are today.

    Raises RuntimeError where an example in Python fails.
    """
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "docs").symlink_to(ROOT / "docs")
        for beside in re.findall(r"^<!-- beside: (.+) -->$", text, re.M):
            _bring(ROOT / beside, folder)
        for block in blocks(text):
            if block.remark == "file":
                _write(block, folder)
            elif block.is_run(slow):
                if block.is_transcript:
                    yield block, _run_transcript(block, folder)
                else:
                    _run_python(block, folder, page)


def _bring(source: Path, folder: Path) -> None:
    """Put the files of a folder, or those that a page shows, into the folder."""
    if source.is_dir():
        shutil.copytree(source, folder, dirs_exist_ok=True)
        return
    for block in blocks(source.read_text(encoding="utf-8")):
        if block.remark == "file":
            _write(block, folder)


def _write(block: Block, folder: Path) -> None:
    (folder / block.about).write_text("\n".join([*block.lines, ""]), encoding="utf-8")


def _run_transcript(block: Block, folder: Path) -> list[str]:
    lines: list[str] = []
    for command in commands(block):
        words = "\n".join(command.typed).removeprefix("$ ")
        printed = _run(["sh", "-c", words], folder).stdout.splitlines()
        printed = list(_shown(printed))
        lines += command.typed + renewed(command.shown, printed)
    return lines


def _shown(printed: Sequence[str]) -> Iterator[str]:
    """Yield the lines without those that are not shown."""
    goes_on = False
    for line, after in itertools.zip_longest(printed, printed[1:], fillvalue=""):
        is_progress = goes_on or PROGRESS.match(line) is not None
        if not is_progress and not UNSHOWN.match(line):
            yield line
        word = next(iter(after.split()), "")
        goes_on = not goes_on and is_progress and len(line) + len(f" {word}") > WIDTH


def _run_python(block: Block, folder: Path, page: Path) -> None:
    done = _run([sys.executable, "-c", "\n".join(block.lines)], folder)
    if done.returncode:
        raise RuntimeError(f"{page.name}, line {block.first + 1}:\n{done.stdout}")


def _has_tools(block: Block) -> bool:
    """Tell whether all programs of a transcript are here; in CI what is not is an error."""
    programs = {command.typed[0].split()[1] for command in commands(block)}
    missing = [each for each in programs if not shutil.which(each, path=_path())]
    return not missing or "LASTHOP_REQUIRE_TOOLS" in os.environ


def _path() -> str:
    """Return where programs are looked for: first in this environment."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def _run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a reader would, with the program of this environment, what it prints in its order."""
    # A lesson opens itself in a browser where there is one.
    told = {"PATH": _path(), "COLUMNS": str(WIDTH), "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}
    return subprocess.run(
        words,
        cwd=folder,
        env=os.environ | told | {"BROWSER": "true"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=LONGEST_S,
        check=False,
    )


def renew(page: Path, slow: bool) -> int:
    """Renew the transcripts of a page; return how many had changed."""
    lines = page.read_text(encoding="utf-8").split("\n")
    changed = [(block, today) for block, today in run_page(page, slow) if today != block.lines]
    for block, today in reversed(changed):
        lines[block.first : block.first + len(block.lines)] = today
    if changed:
        page.write_text("\n".join(lines), encoding="utf-8")
    return len(changed)


def main() -> None:
    """Renew pages."""
    parser = argparse.ArgumentParser(description="Renew the outputs that pages show.")
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES, metavar="PAGE")
    parser.add_argument("--slow", action="store_true", help="also what takes long")
    asked = parser.parse_args()
    for page in asked.pages:
        if count := renew(page, asked.slow):
            print(f"{page}: {count} renewed")


if __name__ == "__main__":
    main()
