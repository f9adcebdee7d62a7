"""Pages of the documentation that are made from the program: Markdown, a function a page."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any

import lasthop
from lasthop.cli.commands import app
from lasthop.cli.grouping import TASKS
from lasthop.core import api
from lasthop.core.codes import CODES
from lasthop.study import papers

Node = dict[str, Any]


def commands() -> str:
    """Return the page of all commands and their options."""
    text = app.generate_docs(output_format="markdown")
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
        lines += [f"| `{row['name']}` | {_cell(row['about'])} |" for row in rows]
        lines.append("")
    return "\n".join(lines)


def scenario() -> str:
    """Return the page of the scenario format: each table, its keys, what they may be and their defaults."""
    schema = api.schema()
    lines = ["# The scenario format", "", *schema["description"].split("\n"), ""]
    lines += [
        "A scenario is a TOML file. `lasthop schema` prints the JSON Schema from which this page is made.",
        'Quantities have units: `"20 ms"`, `"2 Mbps"`, `"50 packets"`.',
        "",
    ]
    lines += _table("The top of the file", schema, schema)
    for name, node in sorted(schema["$defs"].items()):
        lines += _table(name, node, schema)
    return "\n".join(lines)


def _table(name: str, node: Node, schema: Node) -> Iterator[str]:
    """Yield the section of one definition."""
    yield f"## {name}"
    yield ""
    if name in schema["$defs"] and node.get("description"):
        yield from node["description"].split("\n")
        yield ""
    for branch in [node, *node.get("oneOf", []), *node.get("anyOf", [])]:
        yield from _keys(branch, set(node.get("required", [])) if branch is node else set())
    names = [(n, "") for n in node.get("enum", [])]
    for branch in [*node.get("oneOf", []), *node.get("anyOf", [])]:
        if "const" in branch:
            names.append((branch["const"], branch.get("description", "")))
        names += [(n, "") for n in branch.get("enum", [])]
    if names:
        yield "| name | what it is |"
        yield "|---|---|"
        for value, about in names:
            yield f"| `{value}` | {_cell(about)} |"
        yield ""
    others = [_kind(b) for b in node.get("anyOf", []) if "enum" not in b and "const" not in b]
    if others and "properties" not in node:
        yield f"One of: {', '.join(others)}."
        yield ""
    if "properties" not in node and not names and not others:
        yield (
            f"{_kind(node)}, of the form `{node['pattern']}`." if "pattern" in node else _kind(node)
        )
        yield ""


def _keys(node: Node, required: set[str]) -> Iterator[str]:
    """Yield a table of the keys of one definition or branch of it."""
    keys = node.get("properties", {})
    if not keys:
        return
    required = required | set(node.get("required", []))
    yield "| key | may be | default | what it is |"
    yield "|---|---|---|---|"
    for key, child in keys.items():
        default = "**must be given**" if key in required else _default(child)
        yield f"| `{key}` | {_kind(child)} | {default} | {_cell(child.get('description', ''))} |"
    yield ""


def _default(node: Node) -> str:
    value = node.get("default")
    return "" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"


def _kind(node: Node) -> str:
    """Return in words what a value may be, with links to other tables of the page."""
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "const" in node:
        return f"`{node['const']}`"
    if "enum" in node:
        return " or ".join(f"`{name}`" for name in node["enum"] if name is not None)
    branches = [*node.get("anyOf", []), *node.get("oneOf", [])]
    if branches:
        kinds = dict.fromkeys(_kind(b) for b in branches if b.get("type") != "null")
        return " or ".join(kinds)
    kind = node.get("type")
    if isinstance(kind, list):
        kind = next(k for k in kind if k != "null")
    if kind == "array":
        return f"list of {_kind(node.get('items', {}))}"
    words = {"string": "text", "integer": "whole number", "boolean": "`true` or `false`"}
    return words.get(str(kind), {"object": "table", None: "any value"}.get(kind, str(kind)))


def _cell(text: str) -> str:
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
    "scenario": scenario,
    "commands": commands,
    "catalogue": catalogue,
    "python": python,
    "errors": errors,
}
