"""Laws from outside within studies.

A law in Python is known by its source, which goes with it to workers and into stores. One of a library is known
by a hash of the file, whose content goes to workers of Dask; a store has its name and its hash.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import linecache
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lasthop.core import law_library, shapes
from lasthop.core.command_lines import argument
from lasthop.core.law_library import LawLibrary
from lasthop.core.python_law import Law, LawFactory, explained
from lasthop.errors import LasthopError, UsageError

if TYPE_CHECKING:
    from lasthop.study.spec import Study


@dataclass(frozen=True)
class File:
    """A file of a law: what its module is called where it is imported, the file's name, and its text."""

    module: str
    name: str
    text: str

    @property
    def is_package(self) -> bool:
        """Return whether modules are beneath it."""
        return Path(self.name).name == "__init__.py"


@dataclass(frozen=True)
class Carried:
    """A law as plain data: what it is called, and the text of all that is the user's own of it.

    It replaces a law everywhere, so that a study can be read without running its code; `loaded` turns it
    into the law.

    Attributes:
        name: What `tcp.law` calls it.
        kind: The class, as its file names it.
        model_based: Whether the class declares itself so.
        files: The file of the class, and those that it imports, the standard library's and installed ones aside;
            or the library, without a text.
        library: The digest of a library's content; empty for a law in Python.
        content: The library's content where it goes to another process.
    """

    name: str
    kind: str
    model_based: bool
    files: tuple[File, ...]
    library: str = ""
    content: bytes | None = field(default=None, repr=False)

    @cached_property
    def digest(self) -> str:
        """The key that differs where the law may behave differently."""
        if self.library:
            return self.library
        first, *others = self.files
        parts = [self.kind, first.text]
        parts += [part for file in others for part in (file.module, file.text)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]

    def __call__(self, **_options: Any) -> object:
        """Refuse to run: only `loaded` runs what was read."""
        raise self.refusal()

    def refusal(self) -> LasthopError:
        """Return why a law that came from somebody is not run."""
        if self.library:
            return LasthopError(
                f"the law {self.name} is a library that the results name, which is not run unasked: "
                f"sweep the study where it is, with {argument('--law', 'laws')} {self.files[0].name}"
            )
        return LasthopError(
            f"the law {self.name} is Python code from the results, which is not run unasked: "
            f"sweep the study in the folder of its law, with {argument('--law', 'laws')} "
            f"{self.files[0].name}:{self.kind}"
        )


SHAPE = shapes.each(
    shapes.fields(
        {
            "name": shapes.text,
            "kind": shapes.text,
            "model_based": shapes.flag,
            "everywhere": shapes.flag,
            "files": shapes.each(shapes.row(shapes.text, shapes.text, shapes.text), 1),
            "library": shapes.text,
        },
        ["library"],
    )
)
"""The form of laws in a manifest."""


def as_documents(laws: Mapping[str, LawFactory], everywhere: str | None) -> list[dict[str, Any]]:
    """Return what a manifest or a recipe holds of laws, one of which every flow uses; raises as `carried` does."""
    return [
        {
            "name": each.name,
            "kind": each.kind,
            "model_based": each.model_based,
            "everywhere": each.name == everywhere,
            "files": [[file.module, file.name, file.text] for file in each.files],
            **({"library": each.library} if each.library else {}),
        }
        for each in carried(laws)
    ]


def of_documents(held: Sequence[Mapping[str, Any]]) -> tuple[dict[str, LawFactory], str | None]:
    """Return the laws of a manifest, none of which is loaded, and the one that every flow uses."""
    laws: dict[str, LawFactory] = {}
    for each in held:
        files = tuple(File(*row) for row in each["files"])
        library = each.get("library", "")
        laws[each["name"]] = Carried(
            each["name"], each["kind"], each["model_based"], files, library
        )
    return laws, next((each["name"] for each in held if each["everywhere"]), None)


def carried(laws: Mapping[str, LawFactory]) -> tuple[Carried, ...]:
    """Return laws as data; raises UsageError for one whose source does not say all that it does."""
    return tuple(_carried(name, law) for name, law in laws.items())


def unloaded(study: Study) -> Study:
    """Return a study with its laws as data, as it goes to another process."""
    laws = {each.name: each for each in carried(study.laws)}
    for name, law in study.laws.items():
        if isinstance(law, LawLibrary):
            content = law_library.content_of(law.path, law.digest)
            laws[name] = replace(laws[name], content=content)
    return replace(study, laws=laws)


def loaded(study: Study) -> Study:
    """Return a study with its laws ready to run: this executes what came with it. Raises LawError."""
    return replace(study, laws={name: _load(law) for name, law in study.laws.items()})


def refuse_code(study: Study) -> None:
    """Raise LasthopError where running a study would execute code that came with it."""
    for law in study.laws.values():
        if isinstance(law, Carried):
            raise law.refusal()


_origins: dict[LawFactory, Carried] = {}
"""The laws that were loaded here."""

_loading = threading.Lock()


def _load(law: LawFactory) -> LawFactory:
    if not isinstance(law, Carried):
        return law
    if law.library:
        path, content = law.files[0].name, law.content
        if content is None:
            content = law_library.content_of(path, law.library)
        return LawLibrary(path, content, law.library)
    with _loading:
        known = {each.digest: made for made, each in _origins.items()}
        if law.digest not in known:
            known[law.digest] = made = _executed(law)
            _origins[made] = law
        return known[law.digest]


def _executed(law: Carried) -> LawFactory:
    """Import the files of a law, whatever this machine has under their names, and return its class."""
    own = {file.module: file for file in law.files}
    hidden = {name: sys.modules.pop(name) for name in own if name in sys.modules}
    finder = _Finder(own)
    sys.meta_path.insert(0, finder)
    try:
        with explained(law.files[0].name):
            found: Any = importlib.import_module(law.files[0].module)
            for part in law.kind.split("."):
                found = getattr(found, part)
    finally:
        sys.meta_path.remove(finder)
        sys.modules.update(hidden)
    made: LawFactory = found
    return made


class _Finder:
    """Finds modules whose text is at hand."""

    def __init__(self, files: Mapping[str, File]) -> None:
        self.files = files

    def find_spec(
        self, name: str, _path: object = None, _target: object = None
    ) -> ModuleSpec | None:
        """Return how to import a module, None for one that is not ours."""
        file = self.files.get(name)
        if file is None:
            return None
        return ModuleSpec(name, self, origin=file.name, is_package=file.is_package)  # type: ignore[arg-type]

    def create_module(self, _spec: ModuleSpec) -> ModuleType | None:
        """Leave it to Python."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's text; errors in it name its file and show its lines."""
        file = self.files[module.__name__]
        # Without a time of change, by which it would be looked for on this machine's disk.
        linecache.cache[file.name] = len(file.text), None, file.text.splitlines(True), file.name
        module.__file__ = file.name
        code = compile(file.text, file.name, "exec", dont_inherit=True)
        exec(code, module.__dict__)


def _carried(name: str, law: LawFactory) -> Carried:
    if isinstance(law, Carried):
        return law
    if law in _origins:
        return replace(_origins[law], name=name)
    if isinstance(law, LawLibrary):
        file = File("", law.path, "")
        return Carried(name, law.name, law.model_based, (file,), law.digest)
    if not inspect.isclass(law):
        raise UsageError(
            f"law {name!r}: a study knows a law by its class, not by a function; "
            "what varies goes into its options: an axis tcp.law_options.NAME"
        )
    files: dict[str, File] = {}
    for kind in law.__mro__:
        if kind is Law or kind.__module__.partition(".")[0] in sys.stdlib_module_names - {
            "__main__"
        }:
            continue
        if not _gather(kind.__module__, files):
            raise UsageError(
                f"law {name!r}: cannot find the source of {kind.__qualname__}, which a study needs to recognise "
                "earlier results: write it into a file"
            )
    first = files.pop(_importable(law.__module__))
    others = (files[module] for module in sorted(files))
    is_model = bool(getattr(law, "model_based", False))
    return Carried(name, law.__qualname__, is_model, (first, *others))


def _importable(module: str) -> str:
    """Return what a module is called on a worker, where another one is `__main__`."""
    return "law_file_main" if module == "__main__" else module


def _gather(module: str, files: dict[str, File]) -> bool:
    """Add a module of the user's and what it imports of the user's; return whether its text is to be found."""
    if _importable(module) in files:
        return True
    path = _path_of(module)
    if path is None:
        return False
    linecache.checkcache(str(path))
    text = "".join(linecache.getlines(str(path)))
    is_package = path.name == "__init__.py"
    if not text and not is_package:
        return False
    own = module.split(".") if "." in module or is_package else [path.stem]
    name = "/".join([*own, "__init__.py"] if is_package else [*own[:-1], path.name])
    files[_importable(module)] = File(_importable(module), name, text)
    for needed in _imports(text, module if is_package else module.rpartition(".")[0]):
        if _is_own(needed):
            _gather(needed, files)
    return True


def _imports(text: str, package: str) -> Iterator[str]:
    """Yield the names of all that may be modules among what a text imports, with their packages."""
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join(
                [*(above if node.level else []), *([node.module] if node.module else [])]
            )
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[: end + 1]) for end in range(len(parts)))


def _is_own(module: str) -> bool:
    """Return whether a module is the user's own file: no package that a worker has installed as well."""
    top = module.partition(".")[0]
    path = None if top == "lasthop" or top in sys.stdlib_module_names else _path_of(module)
    return path is not None and not {"site-packages", "dist-packages"} & set(path.parts)


def _path_of(module: str) -> Path | None:
    """Return the file of a module that is imported, or that could be without running anything."""
    there = sys.modules.get(module)
    file = getattr(there, "__file__", None)
    if there is None and module and "." not in module:
        spec = importlib.util.find_spec(module)
        file = spec.origin if spec is not None and spec.has_location else None
    return Path(file) if file and file.endswith(".py") else None
