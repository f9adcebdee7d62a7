"""Pages of the documentation that are made from the program: Markdown, a function a page."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import lasthop
from lasthop.cli.commands import program
from lasthop.cli.grouping import TASKS
from lasthop.core import api
from lasthop.core.codes import CODES
from lasthop.study import papers


def commands() -> str:
    """Return the page of all commands and their options."""
    text = program(()).generate_docs(output_format="markdown")
    tasks = f"**{next(iter(TASKS))}**:"
    contents, rest = text.split(tasks, 1)
    about = contents.split("## Table of Contents")[0].split("\n", 1)[1]
    return f"# Commands\n\n{about}{tasks}{rest}"


def catalogue() -> str:
    """Return the page of everything that has a name."""
    kinds: dict[str, list[dict[str, Any]]] = dict(api.catalogue())
    kinds["papers"] = [{"name": name, "about": about} for name, about in papers.names()]
    lines = ["# What there is", "", "`lasthop list KIND` prints each of these tables.", ""]
    for kind, rows in kinds.items():
        lines += [f"## {kind.replace('_', ' ')}", "", "| name | what it is |", "|---|---|"]
        lines += [f"| `{row['name']}` | {cell(row['about'])} |" for row in rows]
        lines.append("")
    return "\n".join(lines)


def cell(text: str) -> str:
    """Return a text as a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())


def python() -> str:
    """Return the page of the Python interface: what `lasthop` names, from docstrings."""
    lines = ["# Python", "", *inspect.cleandoc(lasthop.__doc__ or "").split("\n"), ""]
    for name in lasthop.__all__:
        lines += _object(name, getattr(lasthop, name))
    return _escaped_doctests("\n".join(lines))


def _object(name: str, thing: object) -> Iterator[str]:
    """Yield the section of a function or class with its public members."""
    if isinstance(thing, str):
        return
    yield f"## {name}"
    yield ""
    if callable(thing) and not _is_exception(thing):
        yield from _signature(f"lasthop.{name}", thing)
    yield from _docstring(thing)
    yield ""
    if isinstance(thing, type) and not _is_exception(thing):
        for member, value in inspect.getmembers(thing):
            if not member.startswith("_") and inspect.getdoc(value) and _defined(thing, member):
                yield f"### {name}.{member}"
                yield ""
                if inspect.isroutine(value):
                    yield from _signature(member, value)
                yield from _docstring(value)
                yield ""


def _signature(name: str, thing: Any) -> Iterator[str]:
    try:
        yield from ("```python", f"{name}{inspect.signature(thing)}", "```", "")
    except (TypeError, ValueError):
        return


def _docstring(thing: object) -> Iterator[str]:
    """Yield a docstring as Markdown: its sections (Attributes, Args, ...) become lists."""
    within, indent = "", 0
    for line in inspect.cleandoc(inspect.getdoc(thing) or "").split("\n"):
        bare = line.strip()
        depth = len(line) - len(line.lstrip())
        if depth == 0:
            within = bare if bare in _SECTIONS else ""
            indent = 0
        elif within:
            indent = indent or depth
            name, colon, about = bare.partition(":")
            if depth == indent and colon and " " not in name:
                line = f"- `{name}`:{about}"
        yield f"**{within[:-1]}**\n" if within == line else line


_SECTIONS = ("Attributes:", "Args:", "Returns:", "Raises:", "Yields:")


def _is_exception(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, BaseException)


def _defined(thing: type, member: str) -> bool:
    """Tell whether a member is the project's own, not inherited from a base of Python's."""
    return any(
        member in base.__dict__ and base.__module__.startswith("lasthop") for base in thing.__mro__
    )


def _escaped_doctests(text: str) -> str:
    """Fence examples that begin with `>>>`, which Markdown would read as quotations."""
    out, inside = [], False
    for line in text.split("\n"):
        example = line.startswith((">>>", "..."))
        if example and not inside:
            out.append("```python")
        if inside and not line.strip():
            out.append("```")
            inside = False
        inside = inside or example
        out.append(line)
    return "\n".join([*out, "```"] if inside else out)


def errors() -> str:
    """Return the page of the codes of mistakes."""
    lines = ["# Mistakes and their codes", ""]
    lines += [
        "`lasthop check FILE` names each mistake by a code that stays; `--explain CODE` says what is below."
    ]
    for code in CODES:
        lines += ["", f"## {code.name}", "", code.about, "", "```toml", code.example, "```"]
    return "\n".join([*lines, ""])


#: The pages of docs/reference/ that are made, by the names of their files.
ALL: dict[str, Callable[[], str]] = {
    "commands": commands,
    "catalogue": catalogue,
    "python": python,
    "errors": errors,
}
