"""Check the uses in the Python package: rooms may use only rooms below them, and no modules each other.

An arrow goes from the file that imports a name to the file that defines it, also where the name goes through the
face (`__init__.py`) of a package. Imports within functions are arrows too. Those for type checkers count between
rooms, and not in circles: nothing is loaded by them. What a face passes on and does not use itself is none. The
program of a paper (`derive.py`) does not count: it is a user's.
Files with the same name are refused too. Run as a program it prints what breaks these rules.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from module_circles import Arrows, reached

#: From the ground up. A room may use itself and the rooms before it.
ROOMS = ("numbers", "core", "data", "study", "pages", "cli")

#: Modules beside the rooms that all of them use. They use only each other.
GROUND = {"above", "errors", "extras", "interrupts", "machine", "regular_files"}

#: The compiled module, and the only room that may name it.
COMPILED, DOOR = "_core", "core"

#: The conditions of blocks that nothing but a type checker reads.
TYPES_ONLY = {"TYPE_CHECKING", "typing.TYPE_CHECKING"}

Name = tuple[str, ...]


@dataclass
class Module:
    """A file of the package, with its name within it: () is the package's own face."""

    name: Name
    tree: ast.Module
    face: bool

    def imports(self, *, for_types: bool = True) -> Iterator[tuple[Name, str, str]]:
        """List what it imports of the package: from which module, which name, and its name here."""
        for node in _nodes(self.tree, for_types=for_types):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                package, *home = node.module.split(".")
                if package == "lasthop":
                    for alias in node.names:
                        yield tuple(home), alias.name, alias.asname or alias.name
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    package, *home = alias.name.split(".")
                    if package == "lasthop":
                        yield tuple(home), "", alias.asname or package

    def used(self) -> set[str]:
        """List the names that its code uses."""
        return {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}


def _nodes(tree: ast.AST, *, for_types: bool) -> Iterator[ast.AST]:
    """Walk through a tree; without `for_types` past the blocks that only type checkers read."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and not for_types and ast.unparse(node.test) in TYPES_ONLY:
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)


class Package:
    """The modules of a package, and the arrows among them."""

    def __init__(self, folder: Path) -> None:
        """Read all files in a folder that is the package."""
        self.modules: dict[Name, Module] = {}
        for path in sorted(folder.rglob("*.py")):
            *parts, last = path.relative_to(folder).with_suffix("").parts
            if last == "derive":
                continue
            face = last == "__init__"
            name = tuple(parts if face else [*parts, last])
            self.modules[name] = Module(name, ast.parse(path.read_text(encoding="utf-8")), face)

    def home(self, module: Name, name: str) -> Name:
        """Say where a name is defined that is imported from a module."""
        if not name or (*module, name) in self.modules or (*module, name) == (COMPILED,):
            return (*module, name) if name else module
        there = self.modules.get(module)
        if there and there.face:
            for source, original, called in there.imports():
                if called == name and source != module:
                    return self.home(source, original)
        return module

    def arrows(self, *, for_types: bool = True) -> Arrows:
        """Find the modules that each module uses, and the names; without `for_types` only what is loaded."""
        arrows: Arrows = defaultdict(lambda: defaultdict(set))
        for module in self.modules.values():
            used = module.used() if module.face else set()
            for source, name, called in module.imports(for_types=for_types):
                home = self.home(source, name)
                if home != module.name and not (module.face and called not in used):
                    arrows[module.name][home].add(name)
        return arrows


def floor(module: Name) -> int:
    """Say how high a module lies: on the ground, in a room, or above all with the package's own face."""
    first = module[0] if module else ""
    if first in GROUND:
        return -1
    return ROOMS.index(first) if first in ROOMS else len(ROOMS)


def shown(module: Name) -> str:
    """Write the name of a module."""
    return ".".join(module) or "lasthop"


def upward(arrows: Arrows) -> set[str]:
    """List the arrows that lead from a room to one above it, or past the door into the compiled module."""
    return {
        f"{shown(user)} -> {shown(used)}"
        for user, all_used in arrows.items()
        for used in all_used
        if floor(user) < len(ROOMS) and not _may(user, used)
    }


def _may(user: Name, used: Name) -> bool:
    return user[0] == DOOR if used[0] == COMPILED else floor(used) <= floor(user)


def tied(arrows: Arrows) -> list[list[str]]:
    """List the circles: modules each of which uses all others, directly or by way of others."""
    beyond = {name: reached(name, arrows) for name in arrows}
    groups = {
        frozenset(to for to in found if name in beyond.get(to, ()))
        for name, found in beyond.items()
        if name in found
    }
    return sorted(sorted(map(shown, group)) for group in groups)


def namesakes(package: Package) -> list[str]:
    """List the files that share a name, which should tell one from the other; faces aside."""
    by_file: dict[str, list[str]] = defaultdict(list)
    for name, module in package.modules.items():
        if not module.face:
            by_file[name[-1]].append(shown(name))
    return [", ".join(sorted(same)) for _, same in sorted(by_file.items()) if len(same) > 1]


def wrong_rooms(folder: Path) -> list[str]:
    """List the breaches of the order of rooms, the circles of modules, and files of one name."""
    package = Package(folder)
    wrong = [
        f"{arrow}: a room uses only rooms below it, and `{DOOR}` alone names `{COMPILED}`"
        for arrow in sorted(upward(package.arrows()))
    ]
    circles = tied(package.arrows(for_types=False))
    wrong += [f"modules that use each other in a circle: {', '.join(c)}" for c in circles]
    return wrong + [f"files with one name: {same}" for same in namesakes(package)]


def main() -> None:
    """Print the arrows back up and the circles."""
    for line in wrong_rooms(Path(__file__).resolve().parent.parent / "python" / "lasthop"):
        print(line)


if __name__ == "__main__":
    main()
