"""Find the circles among the modules of a crate: files that use each other, directly or by way of others.

An arrow goes from the file that names a thing to the file that defines it, also where the name goes through a
parent's re-export. Tests do not count; nor do `mod x;` and a parent's `pub use` of what a child defines, unless
the parent itself uses the name. Run as a program it prints the circles of all crates, or of those that are named.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

#: Text that is not code: strings, characters and comments.
NO_CODE = re.compile(
    r'r(#*)".*?"\1|"(?:[^"\\]|\\.)*"|\'(?:\\.[^\']*|[^\\\'])\'|//[^\n]*|/\*.*?\*/', re.DOTALL
)
USE = re.compile(r"(\bpub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);")
MOD = re.compile(r"\bmod\s+(\w+)\s*;")
INLINE_MOD = re.compile(r"\bmod\s+\w+\s*(?=\{)")
TEST = re.compile(r"#\[cfg\(test\)\]")
PATH = re.compile(r"\b[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+")


@dataclass
class Import:
    """One name that a `use` brings in."""

    path: list[str]
    public: bool


@dataclass
class Module:
    """A file of a crate."""

    name: tuple[str, ...]
    file: Path
    body: str = ""
    children: set[str] = field(default_factory=set)
    imports: dict[str, Import] = field(default_factory=dict)


Modules = dict[tuple[str, ...], Module]
#: From a module to a module, with the names that it uses of it.
Arrows = dict[tuple[str, ...], dict[tuple[str, ...], set[str]]]


def block_end(code: str, start: int) -> int:
    """Find the place behind the block, or the statement, that begins behind `start`."""
    depth = 0
    for place in range(start, len(code)):
        depth += {"{": 1, "}": -1}.get(code[place], 0)
        if depth == 0 and code[place] in ";}":
            return place + 1
    return len(code)


def code_of(text: str) -> str:
    """Give a file's code without comments, texts and tests; what an inline module calls `super` is this file."""
    code = NO_CODE.sub('""', text)
    while test := TEST.search(code):
        code = code[: test.start()] + code[block_end(code, test.end()) :]
    for inline in reversed(list(INLINE_MOD.finditer(code))):
        end = block_end(code, inline.end())
        inside = code[inline.end() : end].replace("super::", "self::")
        code = code[: inline.start()] + inside + code[end:]
    return re.sub(r"pub\(in [^)]*\)", "pub", code)


def leaves(tree: str) -> Iterator[tuple[str, list[str]]]:
    """List the names that a `use` brings in: the name here, and its path."""
    prefix, brace, inner = tree.partition("{")
    head = [part for part in prefix.strip().split("::") if part]
    if not brace:
        *_, alias = tree.split()
        path = tree.split()[0].split("::")
        path = path[:-1] if path[-1] == "self" and len(path) > 1 else path
        yield (alias if " as " in tree else path[-1]), path
        return
    depth, part = 0, ""
    for letter in inner[: inner.rindex("}")] + ",":
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter != "," or depth:
            part += letter
        elif part.strip():
            yield from leaves("::".join([*head, part.strip()]))
            part = ""


def read(name: tuple[str, ...], file: Path, modules: Modules) -> None:
    """Read a file and those of its children."""
    code = code_of(file.read_text())
    module = modules[name] = Module(name, file, body=USE.sub("", code))
    for public, tree in USE.findall(code):
        for alias, path in leaves(tree):
            # A module may take in several others whole.
            name_here = "::".join(path) if alias == "*" else alias
            module.imports[name_here] = Import(path, bool(public))
    folder = file.parent if not name else file.with_suffix("")
    tests = set(MOD.findall(NO_CODE.sub("", file.read_text()))) - set(MOD.findall(code))
    # A macro may declare modules too: what lies in the folder belongs to it.
    for beside in sorted(folder.glob("*.rs")):
        if beside.stem not in tests | {"lib", "main"}:
            module.children.add(beside.stem)
            read((*name, beside.stem), beside, modules)


def taken_in_whole(module: Module, name: str, modules: Modules) -> Module | None:
    """Find the module that defines a name which `use ...::*` brings in."""
    for found in module.imports.values():
        ours = found.path[0] in {"crate", "self", "super", *module.children}
        if found.path[-1] == "*" and ours:
            source = resolve(module, found.path[:-1], modules)
            declared = rf"\b(?:struct|enum|fn|type|trait|const|static)\s+{re.escape(name)}\b"
            if source and not source[1] and re.search(declared, source[0].body):
                return source[0]
    return None


def resolve(
    at: Module, path: list[str], modules: Modules, depth: int = 0
) -> tuple[Module, str] | None:
    """Find the module that defines what a path names, and its name there ("" for a module); None: not ours."""
    here: Module | None = None
    for place, part in enumerate(path):
        last = place + 1 == len(path)
        near = at if here is None else here
        if part == "crate":
            here = modules[()]
        elif part in ("self", "super"):
            here = near if part == "self" else modules[near.name[:-1]]
        elif part in near.imports and (last or part not in near.children):
            if depth > 8 or near.imports[part].path == [part]:
                return None
            found = resolve(near, near.imports[part].path, modules, depth + 1)
            if found is None or found[1]:
                return found
            here = found[0]
        elif part in near.children:
            here = modules[(*near.name, part)]
        elif whole := taken_in_whole(near, part, modules):
            return whole, part
        else:
            return None if here is None else (here, part)
    return None if here is None else (here, "")


def uses(module: Module) -> Iterator[list[str]]:
    """List the paths by which a module uses something."""
    for alias, found in module.imports.items():
        re_export = found.public and not re.search(rf"\b{re.escape(alias)}\b", module.body)
        if not re_export or found.path[0] in ("crate", "super"):
            yield found.path
    yield from (path.split("::") for path in set(PATH.findall(module.body)))


def arrows_of(source: Path) -> tuple[Modules, Arrows]:
    """Find the modules of the crate with this folder of sources, and their uses of each other."""
    modules: Modules = {}
    read((), source / "lib.rs", modules)
    arrows: Arrows = defaultdict(lambda: defaultdict(set))
    for module in modules.values():
        for path in uses(module):
            found = resolve(module, path, modules)
            if found and found[1] and found[0] is not module:
                arrows[module.name][found[0].name].add(found[1])
    return modules, arrows


def reached(start: tuple[str, ...], arrows: Arrows) -> set[tuple[str, ...]]:
    """List what arrows lead to from a module."""
    found: set[tuple[str, ...]] = set()
    waiting = [start]
    while waiting:
        for to in arrows.get(waiting.pop(), {}):
            if to not in found:
                found.add(to)
                waiting.append(to)
    return found


@dataclass
class Circle:
    """Modules that use each other, by their files, and the arrows that tie them."""

    files: set[str]
    arrows: list[str]


def circles(source: Path) -> list[Circle]:
    """List the circles among the modules of a crate, by the folder of its sources."""
    modules, arrows = arrows_of(source)
    beyond = {name: reached(name, arrows) for name in modules}
    groups = {
        frozenset(to for to in beyond[name] if name in beyond[to])
        for name in modules
        if name in beyond[name]
    }

    def file(name: tuple[str, ...]) -> str:
        return str(modules[name].file.relative_to(source))

    found = []
    for group in groups:
        tied = [
            f"{file(user)} -> {file(used)} ({', '.join(sorted(names))})"
            for user in group
            for used, names in arrows[user].items()
            if used in group
        ]
        found.append(Circle({file(name) for name in group}, sorted(tied)))
    return sorted(found, key=lambda circle: sorted(circle.files))


def main() -> None:
    """Print all circles of the crates that are named, or of all."""
    crates = Path(__file__).resolve().parent.parent / "crates"
    for name in sys.argv[1:] or sorted(path.name for path in crates.iterdir()):
        for circle in circles(crates / name / "src"):
            print(f"{name}: {len(circle.files)} modules")
            print("".join(f"    {arrow}\n" for arrow in circle.arrows), end="")


if __name__ == "__main__":
    main()
