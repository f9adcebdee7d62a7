"""The pages of the documentation show what the commands print: of each the outputs are made again and compared."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

import renew_outputs
from commands import ROOT

HOW = "to renew: .venv/bin/python tools/renew_outputs.py"


@pytest.mark.parametrize("page", renew_outputs.PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_is_printed(page: Path) -> None:
    name = page.relative_to(ROOT)
    differences: list[str] = []
    for block, today in renew_outputs.run_page(page):
        place = f"{name}, line {block.first + 1}"
        differences += difflib.unified_diff(block.lines, today, place, "printed today", lineterm="")
    assert not differences, "\n".join([*differences, "", f"{HOW} {name}"])


@pytest.mark.parametrize("page", renew_outputs.PAGES, ids=lambda page: page.stem)
def test_a_command_is_shown_with_its_prompt(page: Path) -> None:
    for block in renew_outputs.blocks(page.read_text(encoding="utf-8")):
        lines = [] if block.is_transcript else block.lines
        assert not [line for line in lines if line.startswith("lasthop ")], block.first + 1


PAGE = """
<!-- file: greeting.txt -->
```
hello
world
```

```console
$ cat greeting.txt
{}
$ seq 1 9
...
$ seq 1 9
1
...
5
6
...
9
```

<!-- slow: it is not -->
```console
$ echo slow
fast
```

<!-- not run: nobody knows what it prints -->
```console
$ date
yesterday
```

```python
assert open("greeting.txt").read() == "hello\\nworld\\n"
```
"""


def test_what_has_changed_is_renewed_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.format("hello\nmoon"))
    assert renew_outputs.renew(page, slow=False) == 1
    assert page.read_text() == PAGE.format("hello\nworld")
    assert renew_outputs.renew(page, slow=False) == 0
    assert renew_outputs.renew(page, slow=True) == 1
    assert page.read_text() == PAGE.format("hello\nworld").replace("\nfast", "\nslow")


@pytest.mark.parametrize(
    "said",
    [
        "measured again: runs take 4.8 times as long as forecast, about 5 s left",
        "Hidden stations: two senders: 99 %, about 1 s left",
        "Hidden stations: two senders: 4 %",
    ],
)
def test_a_machine_that_is_busy_changes_no_page(tmp_path: Path, said: str) -> None:
    page = tmp_path / "page.md"
    file = f"<!-- file: said.txt -->\n```\nbegin\n{said}\nend\n```\n"
    page.write_text(f"{file}\n```console\n$ cat said.txt\nbegin\nend\n```\n")
    assert renew_outputs.renew(page, slow=False) == 0


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        # The word behind it would not have fitted into its line.
        (
            "165 of 180 replications, 8 of 18 cells, about 3 s left; CUBIC, 64 stations,\nmac80211\nend",
            "end",
        ),
        ("165 of 180 replications, 8 of 18 cells, about 3 s left; CUBIC\nend", "end"),
        (
            'Running as user "root" and group "root". This could be dangerous.\n15.70879\tProbe Request',
            "15.70879\tProbe Request",
        ),
    ],
)
def test_progress_is_not_shown_and_what_follows_is(said: str, shown: str) -> None:
    assert list(renew_outputs._shown(said.splitlines())) == shown.splitlines()


def test_an_example_in_python_that_fails_is_an_error(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n```python\nimport nothing_of_that_name\n```\n")
    with pytest.raises(RuntimeError, match=r"page.md, line 4:\n(?s:.*)nothing_of_that_name"):
        renew_outputs.renew(page, slow=False)


@pytest.mark.parametrize(
    ("shown", "printed", "today"),
    [
        (["a"], ["b", "c"], ["b", "c"]),
        (["a", "..."], ["b", "c", "d"], ["b", "..."]),
        (["...", "a"], ["b", "c", "d"], ["...", "d"]),
        (["one 1", "...", "two 2", "..."], ["one 3", "x", "two 4", "y"], ["one 3", "...", "two 4", "..."]),
        (["a long line ..."], ["a long line that goes on"], ["a long line ..."]),
        (["about a second on 2 cores"], ["about 5 s on 8 cores"], ["about a second on 2 cores"]),
        (["about a second on 2 cores", "a"], ["about 5 s on 8 cores", "b"], ["about a second on 2 cores", "b"]),
    ],
)  # fmt: skip
def test_lines_left_out_stay_out(shown: list[str], printed: list[str], today: list[str]) -> None:
    assert renew_outputs.renewed(shown, printed) == today
