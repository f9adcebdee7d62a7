"""Completions for a shell: the names that `lasthop list` knows, and the keys and values of a scenario.

A completer is asked in a process of its own, after each TAB: it imports what it needs when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from cyclopts import App

Shell = Literal["bash", "zsh", "fish", "powershell"]
Completer = Callable[[Any], dict[str, str]]


def named(kind: str) -> Completer:
    """Make the completer of the names of a kind, such as probes, each with its line of `lasthop list`."""

    def complete(_context: Any) -> dict[str, str]:
        from lasthop.core import api

        return {row["name"]: row["about"] for row in api.catalogue()[kind]}

    return complete


def kinds(_context: Any) -> dict[str, str]:
    """Complete the headings of `lasthop list`."""
    from lasthop.core import api

    return dict.fromkeys(
        [*api.catalogue(), "papers", "scenarios", "studies", "lessons", "comparisons"], ""
    )


def papers(_context: Any) -> dict[str, str]:
    """Complete the papers that are there."""
    from lasthop.study import papers

    return dict(papers.names())


def papers_or_all(context: Any) -> dict[str, str]:
    """Complete what `lasthop reproduce` takes."""
    return papers(context) | {"all": "all papers that come with lasthop"}


def lessons(_context: Any) -> dict[str, str]:
    """Complete the lessons of `lasthop demo`."""
    from lasthop.pages import classroom

    return dict(classroom.names())


def workloads(_context: Any) -> dict[str, str]:
    """Complete the workloads of `lasthop bench`, and their groups."""
    from lasthop.study.benches import workloads

    there = workloads()
    return {w.name: w.group for w in there} | {w.group: "a group" for w in there}


def comparisons(_context: Any) -> dict[str, str]:
    """Complete what `lasthop validate` compares; nothing outside a checkout."""
    from lasthop.core import checkout

    if not checkout.is_here():
        return {}
    return dict(checkout.module("", "lasthop validate").COMPARISONS)


def changes(context: Any) -> dict[str, str]:
    """Complete a change, key=value: first the keys of the scenario format, then the names that a key may have."""
    from lasthop.core import api

    typed = str(getattr(context, "incomplete", "") or "")
    schema = api.schema()
    key, equals, _ = typed.partition("=")
    leaves = dict(_leaves(schema, schema, ""))
    if not equals:
        return {f"{name}=": _first_sentence(leaf) for name, leaf in leaves.items()}
    names = _names(schema, leaves.get(key, {}))
    return {f"{key}={name}": about for name, about in names.items()}


#: Tables within tables deeper than this are not offered: `mac.retry.x` is as deep as a key of the format goes.
_DEPTH = 4


def _leaves(
    schema: dict[str, Any], node: dict[str, Any], path: str, depth: int = 0
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each dotted key under `node` with its schema, arrays left out."""
    for name, child in _resolved(schema, node).get("properties", {}).items():
        dotted = f"{path}{name}"
        inner = _resolved(schema, child)
        if "properties" in inner and depth < _DEPTH:
            yield from _leaves(schema, inner, f"{dotted}.", depth + 1)
        elif inner.get("type") != "array":
            yield dotted, child


def _resolved(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference, alone or as the one branch that is not null."""
    branches = [b for b in node.get("anyOf", []) if b.get("type") != "null"]
    if len(branches) == 1:
        node = branches[0]
    if "$ref" in node:
        target: Any = schema
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return _resolved(schema, target)
    return node


def _names(schema: dict[str, Any], leaf: dict[str, Any]) -> dict[str, str]:
    """Return the names that a key may have as its value, none where it is a number or a free text."""
    node = _resolved(schema, leaf)
    if node.get("type") == "boolean":
        return {"true": "", "false": ""}
    found = {str(name): "" for name in node.get("enum", []) if isinstance(name, str)}
    for branch in node.get("oneOf", []) + node.get("anyOf", []):
        if isinstance(branch.get("const"), str):
            found[branch["const"]] = _first_sentence(branch)
        else:
            found |= {str(name): "" for name in branch.get("enum", []) if isinstance(name, str)}
    return found


def _first_sentence(node: dict[str, Any]) -> str:
    return str(node.get("description", "")).split(". ")[0].split("\n")[0]


def scenarios(_context: Any) -> dict[str, str]:
    """Complete names of what comes with lasthop, and TOML files of this directory and of folders in it."""
    from lasthop.core import shipped

    found = {row["name"]: row["about"] for kind in shipped.KINDS for row in shipped.listed(kind)}
    for path in _files(Path(), 0):
        found[path.as_posix()] = ""
        if len(found) == _MOST_FILES:
            break
    return found


#: A home directory is not searched through.
_MOST_FILES = 500
_DEEPEST = 2


def _files(folder: Path, depth: int) -> Iterator[Path]:
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return
    for path in inside:
        if path.name.startswith("."):
            continue
        if path.suffix == ".toml":
            yield path
        elif depth < _DEEPEST and path.is_dir():
            yield from _files(path, depth + 1)


def script(app: App, shell: Shell | None) -> str:
    """Return the completion script of `shell`, by default of the one that runs."""
    text = app.generate_completion(prog_name="lasthop", shell=shell)
    return text + _WHOLE_CHANGES if "COMP_WORDS" in text else text


def install(app: App, shell: Shell | None) -> Path:
    """Write the script where the shell finds it, and return where that is."""
    path = app.install_completion(shell=shell)
    if "COMP_WORDS" in path.read_text(encoding="utf-8"):
        path.write_text(script(app, "bash"), encoding="utf-8")
    return path


#: bash divides words at "=", which would hide from the script that key=value is one.
_WHOLE_CHANGES = r"""
_lasthop_whole() {
  local -a whole=()
  local at=0 i word
  for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
    word="${COMP_WORDS[i]}"
    if [[ $i -gt 1 && ( $word == "=" || ${COMP_WORDS[i-1]} == "=" ) ]]; then
      whole[${#whole[@]}-1]+="$word"
    else
      whole+=("$word")
    fi
    [[ $i -eq $COMP_CWORD ]] && at=$((${#whole[@]} - 1))
  done
  local -a COMP_WORDS=("${whole[@]}")
  local COMP_CWORD=$at
  local key="${COMP_WORDS[at]}"
  _lasthop
  [[ $key == *=* ]] && COMPREPLY=("${COMPREPLY[@]#"${key%%=*}="}")
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _lasthop_whole lasthop
"""
