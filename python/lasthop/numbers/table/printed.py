"""Tables for papers: Markdown for pages, LaTeX with booktabs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from html import escape

#: Characters that LaTeX interprets.
SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\texttt{\char34}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    # Behind the end of a row these would say how far the next is below it.
    "[": "{[}",
    "*": "{*}",
    "±": r"$\pm$",
    "µ": r"\textmu{}",
    "\N{MINUS SIGN}": "$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "\n": " ",
}

#: Letters of a line of a heading in LaTeX; a longer one is broken.
HEADING = 14


def html(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as a notebook shows it."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown; numbers are aligned to the right."""
    right = numbers(head, rows)
    cells = [[plain(cell) for cell in row] for row in (head, *rows)]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    rule = [
        "-" * (width - 1) + (":" if side else "-")
        for width, side in zip(widths, right, strict=True)
    ]
    lines = [
        [
            cell.rjust(width) if side else cell.ljust(width)
            for cell, width, side in zip(row, widths, right, strict=True)
        ]
        for row in cells
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in (lines[0], rule, *lines[1:]))


def latex(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    r"""Return a table as LaTeX, by ``\usepackage{booktabs}``; with a caption it floats."""
    sides = ["r" if side else "l" for side in numbers(head, rows)]
    cells = [map(_heading, head, sides), *(map(_cell, row) for row in rows)]
    lines = [" & ".join(row) + r" \\" for row in cells]
    inner = [
        rf"\begin{{tabular}}{{{''.join(sides)}}}",
        r"\toprule",
        lines[0],
        r"\midrule",
        *lines[1:],
    ]
    inner += [r"\bottomrule", r"\end{tabular}"]
    if caption:
        lead = [r"\begin{table}", r"\centering", rf"\caption{{{escaped(caption)}}}"]
        inner = [*lead, *inner, r"\end{table}"]
    return "\n".join(inner) + "\n"


def legend(rows: Iterable[Sequence[str]], comment: str = "") -> str:
    """Return what the signs in cells mean, as a line below a table; nothing where there are none.

    `comment` begins the line in formats in which a text would be part of the table.
    """
    cells = [cell for row in rows for cell in row]
    known = {
        "± is half of the 95 % interval": any("±" in cell for cell in cells),
        "= the values of all runs are equal": any(cell.endswith(" =") for cell in cells),
    }
    told = "; ".join(said for said, has in known.items() if has)
    return f"{comment}{told}.\n" if told else ""


def escaped(text: str) -> str:
    """Return a text as LaTeX prints it."""
    told = "".join(SPECIAL.get(letter, letter) for letter in text)
    return re.sub("-(?=-)", "-{}", told)  # two in a row would be a dash


def _cell(text: str) -> str:
    """Return a cell as LaTeX prints it; the sign of a number is no hyphen."""
    return f"$-${escaped(text[1:])}" if re.match(r"-\d", text) else escaped(text)


def _heading(text: str, side: str) -> str:
    """Return a heading as LaTeX prints it, in lines one above the other where it is long."""
    lines = textwrap.wrap(text, HEADING, break_long_words=False) or [""]
    if len(lines) == 1:
        return escaped(text)
    stacked = r" \\ ".join(map(escaped, lines))
    return rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{stacked}\end{{tabular}}"


#: Characters that begin or end Markdown syntax; an underscore within a word does not.
ACTIVE = re.compile(r"[\\`*\[\]|~$]|(?<!\w)_|_(?!\w)")


def plain(cell: str) -> str:
    """Return a text as Markdown prints it, whatever is in it: HTML too is only shown."""
    told = ACTIVE.sub(r"\\\g<0>", " ".join(cell.splitlines()))
    return told.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


#: What follows a number in a cell that is one: letters of an interval, a unit or a count.
BEHIND = re.compile(r"\b(?!(packets?|[kMG]bps|[kMG]bit)\b)[A-Za-z]{4,}")


def _is_number(cell: str) -> bool:
    """Whether a cell is a number, with its interval or its unit, or empty: not "4 against 2"."""
    return cell[:1] in "-+\N{MINUS SIGN}0123456789." and not BEHIND.search(cell)


def numbers(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[bool]:
    """Return for each column whether it has only numbers, or nothing."""
    return [
        bool(rows) and all(_is_number(row[place]) for row in rows) for place in range(len(head))
    ]
