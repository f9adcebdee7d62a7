"""The reference of the scenario format: a page for each table of a file, made from the JSON Schema.

A type of the schema has a section on the page of the table that alone uses it, or on the page of values that many
use. It is called by words: by the key whose value it is, where all keys that take it have one name, else by its
name in lower case.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lasthop.core import api
from pages import cell

Node = dict[str, Any]

#: The page of types that several tables use.
SHARED = "values"


@dataclass(frozen=True)
class Format:
    """The format, and where each type of it is described."""

    schema: Node

    @property
    def tables(self) -> dict[str, Node]:
        """The keys at the top of a file whose values are tables or lists of them, by name."""
        found = {}
        for key, node in sorted(self.schema["properties"].items()):
            spec = self.schema["$defs"].get(_named(node), {})
            branches = [spec, *spec.get("oneOf", []), *spec.get("anyOf", [])]
            if any("properties" in branch for branch in branches):
                found[key] = node
        return found

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """The keys that take a type."""
        found = defaultdict(set)
        for node in (self.schema, *self.schema["$defs"].values()):
            for branch in (node, *node.get("oneOf", []), *node.get("anyOf", [])):
                for key, child in branch.get("properties", {}).items():
                    for name in _references(child):
                        found[name].add(key)
        return found

    @cached_property
    def homes(self) -> dict[str, str]:
        """The page of each type."""
        pages = defaultdict(set)
        for table, node in self.tables.items():
            waiting = list(_references(node))
            seen: set[str] = set()
            while waiting:
                name = waiting.pop()
                if name not in seen:
                    seen.add(name)
                    pages[name].add(table)
                    waiting += _references(self.schema["$defs"][name])
        own = {_named(node): table for table, node in self.tables.items()}
        return {
            name: own.get(name) or (next(iter(at)) if len(at := pages[name]) == 1 else SHARED)
            for name in self.schema["$defs"]
        }

    def words(self, name: str) -> str:
        """Return what a type is called."""
        keys = self.users[name]
        if len(keys) == 1 and name.endswith("Spec"):
            return f"`{next(iter(keys))}`"
        parts = re.findall(r"[A-Z][a-z]*|[0-9]+", name.removesuffix("Spec"))
        return " ".join(parts).lower()

    def link(self, name: str, page: str) -> str:
        """Return the words of a type with a link to its section, from a page."""
        home = self.homes[name]
        return f"[{self.words(name)}]({'' if home == page else f'{home}.md'}#{_anchor(name)})"

    def kind(self, node: Node, page: str) -> str:
        """Return in words what a value may be, with links."""
        if "$ref" in node:
            return self.link(_named(node), page)
        if "const" in node:
            return f"`{node['const']}`"
        if "enum" in node:
            return " or ".join(f"`{name}`" for name in node["enum"] if name is not None)
        branches = [*node.get("anyOf", []), *node.get("oneOf", [])]
        if branches:
            kinds = (self.kind(branch, page) for branch in branches if branch.get("type") != "null")
            return " or ".join(dict.fromkeys(kinds))
        kind = node.get("type")
        if isinstance(kind, list):
            kind = next(k for k in kind if k != "null")
        if kind == "array":
            return f"list of {self.kind(node.get('items', {}), page)}"
        words = {"string": "text", "integer": "whole number", "boolean": "`true` or `false`"}
        return words.get(str(kind), {"object": "table", None: "any value"}.get(kind, str(kind)))

    def section(self, name: str, page: str) -> Iterator[str]:
        """Yield the section of a type."""
        node = self.schema["$defs"][name]
        title = self.words(name)
        yield f"## {_upper(title)} {{#{_anchor(name)}}}"
        yield ""
        if node.get("description"):
            yield from (*node["description"].split("\n"), "")
        branches = [*node.get("oneOf", []), *node.get("anyOf", [])]
        for branch in (node, *branches):
            yield from self.keys(branch, node, page)
        names = [(value, "") for value in node.get("enum", [])]
        for branch in branches:
            if "const" in branch:
                names.append((branch["const"], branch.get("description", "")))
            names += [(value, "") for value in branch.get("enum", [])]
        if names:
            yield from ("| name | what it is |", "|---|---|")
            yield from (f"| `{value}` | {cell(about)} |" for value, about in names)
            yield ""
        others = [
            self.kind(branch, page)
            for branch in node.get("anyOf", [])
            if not branch.keys() & {"enum", "const"}
        ]
        if "properties" in node or (names and not others):
            return
        form = f", of the form `{node['pattern']}`" if "pattern" in node else ""
        said = f"one of: {', '.join(others)}." if others else f"{self.kind(node, page)}{form}"
        yield _upper(said)
        yield ""

    def keys(self, node: Node, whole: Node, page: str) -> Iterator[str]:
        """Yield a table of the keys of a type, or of a branch of it."""
        keys = node.get("properties", {})
        if not keys:
            return
        required = {*whole.get("required", []), *node.get("required", [])}
        yield from ("| key | may be | default | what it is |", "|---|---|---|---|")
        for key, child in keys.items():
            default = "**must be given**" if key in required else _default(child)
            about = cell(child.get("description", ""))
            yield f"| `{key}` | {self.kind(child, page)} | {default} | {about} |"
        yield ""

    def page(self, home: str) -> str:
        """Return the page of a table, or of the values that many use."""
        written = f"[[{home}]]" if self.tables.get(home, {}).get("type") == "array" else f"[{home}]"
        title = "Values that many tables use" if home == SHARED else f"`{written}`"
        own = _named(self.tables.get(home, {}))
        names = sorted(
            (name for name, at in self.homes.items() if at == home),
            key=lambda name: (name != own, self.words(name).strip("`")),
        )
        lines = [f"# {title}", ""]
        lines += ["The [whole format](../scenario.md) has all tables.", ""]
        for name in names:
            lines += self.section(name, home)
        return "\n".join(lines)

    def top(self) -> str:
        """Return the section of the first page: the keys at the top of a file."""
        inside = "\n".join(self.keys(self.schema, self.schema, "scenario"))
        return re.sub(r"\]\((\w+\.md)#", r"](scenario/\1#", inside)


def pages() -> dict[str, str]:
    """Return the pages of the tables by their names, below reference/scenario/."""
    found = Format(api.schema())
    return {home: found.page(home) for home in (*found.tables, SHARED)}


def first(text: str) -> str:
    """Return the first page: a checkout's, with the keys at the top of a file in place of how to print them."""
    found = Format(api.schema())
    about = found.schema["description"].replace("A lasthop scenario:", "A scenario is")
    top = f"{about}\n\n## The top of the file\n\n{found.top()}"
    return re.sub(r"<!-- in a checkout -->.*?<!-- end -->", lambda _: top, text, flags=re.S)


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield _named(node)
        for child in node.values():
            yield from _references(child)
    elif isinstance(node, list):
        for child in node:
            yield from _references(child)


def _named(node: Node) -> str:
    """Return the type that a key takes, by itself or in a list."""
    for inner in (node, node.get("items", {}), *node.get("anyOf", [])):
        if "$ref" in inner:
            return str(inner["$ref"]).rsplit("/", 1)[1]
    return ""


def _anchor(name: str) -> str:
    return name.lower()


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _default(node: Node) -> str:
    value = node.get("default")
    return "" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"
