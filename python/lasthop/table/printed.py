"""Tables for papers: Markdown for pages, LaTeX with booktabs."""

from __future__ import annotations

from collections.abc import Sequence

#: What LaTeX would take for something else.
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
    "±": r"$\pm$",
    "µ": r"\textmu{}",
    "\N{MINUS SIGN}": "$-$",
}


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown; numbers stand at the right."""
    right = _numbers(head, rows)
    cells = [[_bar(cell) for cell in row] for row in (head, *rows)]
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
    columns = "".join("r" if side else "l" for side in _numbers(head, rows))
    lines = [" & ".join(map(escaped, row)) + r" \\" for row in (head, *rows)]
    inner = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", lines[0], r"\midrule", *lines[1:]]
    inner += [r"\bottomrule", r"\end{tabular}"]
    if caption:
        lead = [r"\begin{table}", r"\centering", rf"\caption{{{escaped(caption)}}}"]
        inner = [*lead, *inner, r"\end{table}"]
    return "\n".join(inner) + "\n"


def escaped(text: str) -> str:
    """Return a text as LaTeX prints it."""
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def _bar(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")


def _numbers(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[bool]:
    """Say of each column whether it has numbers, or nothing."""
    return [
        bool(rows) and all(row[place][:1] in "-0123456789." for row in rows)
        for place in range(len(head))
    ]
