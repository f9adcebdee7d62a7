"""Tables in LaTeX: what they say is what is printed, and pdflatex takes them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import lasthop
import studies
from lasthop.numbers.table import printed

#: What means something else to LaTeX, where a cell, a row or a line begins with it, ends with it, or has it twice.
HARD = [
    "&",
    "%",
    "$",
    "#",
    "_",
    "{",
    "}",
    "~",
    "^",
    "\\",
    "[1]",
    "*",
    "<",
    ">",
    "|",
    '"',
    "'",
    "`",
    "--",
    "?`",
]


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("server>ap", r"server\textgreater{}ap"),
        ("a < b | c", r"a \textless{} b \textbar{} c"),
        ("[5, 10]", "{[}5, 10]"),
        ("sta*", "sta{*}"),
        ("--set", "-{}-set"),
        ("a---b", "a-{}-{}-b"),
        ('"it\'s"', r"\texttt{\char34}it\textquotesingle{}s\texttt{\char34}"),
        ("C:\\a_b{c}", r"C:\textbackslash{}a\_b\{c\}"),
        ("1 ± 0.2 µs", r"1 $\pm$ 0.2 \textmu{}s"),
        ("two\nlines", "two lines"),
    ],
)
def test_what_latex_would_take_for_something_else(text: str, latex: str) -> None:
    assert printed.escaped(text) == latex


def test_negative_numbers_have_a_minus_and_long_headings_lines() -> None:
    text = printed.latex(["x", "mean delay of a call (ms)"], [["-1.5", "-"], ["-set", "2"]])
    assert r"$-$1.5 & - \\" in text
    assert r"-set & 2 \\" in text
    assert r"x & \begin{tabular}[b]{@{}r@{}}mean delay of \\ a call (ms)\end{tabular} \\" in text


def test_pdflatex_takes_every_table(tmp_path: Path) -> None:
    program = shutil.which("pdflatex")
    if program is None and not os.environ.get("LASTHOP_REQUIRE_TOOLS"):
        pytest.skip("needs pdflatex: apt install texlive-latex-base texlive-latex-recommended")
    assert program, "CI needs texlive-latex-base, texlive-latex-recommended"
    run = lasthop.run("two_stations", overrides={"duration": "6 s", "warmup": "0 s"})
    study = lasthop.sweep(studies.written(tmp_path), tmp_path / "out", replications=2)
    hard = [[first, second] for first in HARD for second in (first, first + first)]
    tables = [
        study.latex("All & everything, 95 %"),
        *(table.latex() for table in (run.flows, run.stations, run.queues, run.links, run.whole)),
        printed.latex(HARD, [HARD]),
        printed.latex(["[1]", "a long heading that ends in ["], hard, "[1] *"),
    ]
    body = "\n\n".join(tables)
    text = (
        rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{body}\end{{document}}"
    )
    (tmp_path / "tables.tex").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [program, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=300,
    )
    log = (tmp_path / "tables.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, re.findall(r"(?m)^!.*(?:\n.*){3}", log)
    assert "Missing character" not in log
    assert (tmp_path / "tables.pdf").stat().st_size > 10_000
