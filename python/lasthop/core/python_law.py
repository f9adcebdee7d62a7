"""Laws in Python: a class that says how TCP's window moves, in any scenario, without a rebuild.

>>> import lasthop
>>> class Half(lasthop.Law):
...     def on_ack(self, w, ack):
...         if ack.may_grow:
...             w.grow(ack.acked, increase=0.5)
>>> lasthop.run("scenarios/dumbbell.toml", laws={"half": Half}, law="half")
"""

from __future__ import annotations

import importlib.util
import inspect
import linecache
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypeAlias

from lasthop import regular_files
from lasthop._core import Ack, Window
from lasthop.core import law_library
from lasthop.errors import LawError, offered
from lasthop.regular_files import UnreadableError

__all__ = [
    "Ack",
    "Law",
    "LawFactory",
    "Loss",
    "Window",
    "explain",
    "is_file",
    "load",
    "methods",
    "refuse_unfinished",
]

Loss: TypeAlias = Literal["dup_acks", "timeout", "ecn_mark"]
"""The signal of a loss: acknowledgements or the timer; a mark is no loss but counts as one."""

LawFactory: TypeAlias = Callable[..., object]
"""Makes a law for each flow: a class or a function, called with ``tcp.law_options`` by name."""


class Law:
    """A law of the window: Reno, until a method is overridden.

    A law need not be derived from this class; it must have `on_ack` and `on_loss`. Each flow has a law of its
    own. A law is copied now and then (``copy.deepcopy``), so that a loss that was none can be undone.

    Windows are in segments, fractions kept. `w.cwnd` below 1 counts as 1, `w.ssthresh` below 2 as 2. The numbers
    that `w` and `ack` show are those of the call.
    """

    model_based: bool = False
    """The law holds a model of the path as BBR does: its window is its own in recoveries too.

    Neither PRR nor rate halving holds it, and it has RACK-TLP where ``tcp.recovery`` is not said."""

    timeout_leaves: float = 1.0
    """The window after a timeout, segments, for ``lasthop conformance law``."""

    def on_ack(self, w: Window, ack: Ack) -> None:
        """New data are acknowledged: one segment more each in slow start, one a round trip after it."""
        if ack.may_grow:
            w.grow(ack.acked)

    def on_loss(self, w: Window, loss: Loss, base: float) -> None:
        """Data were lost: half of `base` remains, one segment after a timeout, 0.8 after a mark (RFC 8511).

        `base` is what RFC 5681 halves, segments: the data in flight.
        """
        w.shrink(loss, base * (0.8 if loss == "ecn_mark" else 0.5))

    def on_recovered(self, w: Window) -> None:
        """Fast recovery has ended and the window is as it will be."""

    def on_idle(self, w: Window) -> None:
        """Nothing was sent for longer than a retransmission timeout; the window is back at `w`."""

    def pacing_rate(self) -> float | None:
        """Return how fast to send, segments/s; None: as the window allows."""
        return None


def methods(law: object) -> tuple[Any, ...]:
    """Return on_ack and on_loss, then on_recovered, on_idle and pacing_rate or None where they do nothing."""
    found: list[Any] = []
    for name, call in (("on_ack", "(self, w, ack)"), ("on_loss", "(self, w, loss, base)")):
        method = getattr(law, name, None)
        if not callable(method):
            kind = law if isinstance(law, type) else type(law)
            raise _error(_home(kind), f"{kind.__name__} has no method {name}{call}")
        _refuse_generator(method, name)
        found.append(method)
    for name in ("on_recovered", "on_idle", "pacing_rate"):
        method = getattr(law, name, None)
        idle = getattr(method, "__func__", None) is getattr(Law, name)
        _refuse_generator(method, name)
        found.append(None if idle else method)
    return tuple(found)


#: Kinds of functions that do nothing when called: their test in Python, and their word in the source.
_UNFINISHED = (
    (inspect.isgeneratorfunction, inspect.isgenerator, "yield"),
    (inspect.iscoroutinefunction, inspect.iscoroutine, "async"),
    (inspect.isasyncgenfunction, inspect.isasyncgen, "async and yield"),
)


def refuse_unfinished(given: object) -> None:
    """Raise TypeError for a generator or a coroutine, which a law's method gave in place of doing its work."""
    for _, is_such, word in _UNFINISHED:
        if is_such(given):
            if inspect.iscoroutine(given):
                given.close()  # or Python complains that nobody has waited for it
            raise TypeError(_never_runs(word))


def _refuse_generator(method: Any, name: str) -> None:
    for does_such, _, word in _UNFINISHED:
        if does_such(method):
            code = getattr(inspect.unwrap(method), "__code__", None)
            place = (code.co_filename, code.co_firstlineno) if code else _home(type(method))
            kind = getattr(method, "__qualname__", name)
            raise _error(place, f"{kind}: {_never_runs(word)}")


def _never_runs(word: str) -> str:
    return f"a method with {word} does not run when it is called; allowed: plain methods, without {word}"


def explain(
    error: BaseException, law: object, method: str, flow: str, time_s: float
) -> BaseException:
    """Return the LawError for what a law raised, SystemExit too; Ctrl-C, which is nobody's mistake, as it is."""
    if isinstance(error, (LawError, KeyboardInterrupt)):
        return error
    kind = law if isinstance(law, type) or inspect.isroutine(law) else type(law)
    name = getattr(kind, "__name__", repr(kind))
    when = "" if time_s != time_s else f" at {time_s:.6f} s"  # not a number: outside a run
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    where = f"in {name}.{method}, flow {flow}{when}"
    explained = _error(_place(error, law, kind, method), what, where)
    explained.__cause__ = error
    return explained


def is_file(where: str) -> bool:
    """Return whether a name is that of a law's file, in Python or a library, and not of a law that is built in."""
    return ".py:" in where or where.endswith(".py") or law_library.is_library(where)


def load(where: str) -> tuple[str, LawFactory]:
    """Return the name and the maker of a law, ``my_law.py:MyLaw`` or a library; raises LawError without one."""
    if law_library.is_library(where):
        library = law_library.load(where)
        return library.name, library
    file, _, name = (where, "", "") if where.endswith(".py") else where.rpartition(":")
    if not file or not (name or where == file):
        raise LawError(
            f"--law {where}: error: give a file and a class, such as my_law.py:MyLaw, or a library, such as "
            f"target/release/libmy_law{law_library.ENDING}"
        )
    try:
        regular_files.refuse_irregular(Path(file))
    except (UnreadableError, ValueError) as error:
        raise LawError(f"{file}: error: {error}") from None
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        why = "no such file" if missing else f"cannot be read: {error.strerror}"
        raise LawError(f"{file}: error: {why}") from None
    # No name of another module's; what lies beside the file can be imported, as in a script.
    spec = importlib.util.spec_from_file_location(f"law_file_{Path(file).stem}", file)
    if spec is None or spec.loader is None:
        raise LawError(f"{file}: error: no Python file; its name ends with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    sys.path.append(str(Path(file).parent))
    with explained(file):
        spec.loader.exec_module(module)
    law = getattr(module, name, None)
    if not callable(law):
        raise LawError(f"{file}: error: {_no_class(file, name, module)}")
    return name, law


def _no_class(file: str, name: str, module: ModuleType) -> str:
    """Say that a file has no class of a name, or that none was named, and which there are."""
    own = [
        n
        for n, v in vars(module).items()
        if isinstance(v, type) and v.__module__ == module.__name__
    ]
    there = ", ".join(own) or "none"
    if name:
        return f"no class {name!r}{offered(name, own, there)}"
    if not own:
        return "there is no class in it; a law is a class"
    return f"name a class of it, such as {file}:{own[0]}; there are: {there}"


@contextmanager
def explained(file: str) -> Iterator[None]:
    """Turn what goes wrong while a file of laws is imported into a LawError with its line."""
    try:
        yield
    except SyntaxError as error:
        place = (error.filename or file, error.lineno or 1)
        raise _error(place, f"{type(error).__name__}: {error.msg}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a run does not end because a file says so
        place = _last(error) or (file, 1)
        raise _error(place, f"{type(error).__name__}: {error}") from error


Place: TypeAlias = tuple[str, int]
"""A file and a line, from 1."""


def _error(place: Place, what: str, where: str = "") -> LawError:
    """Make the error for a line of the user's."""
    file, line = place
    text = linecache.getline(file, line).strip()
    shown = f"\n {line} | {text}" if text else ""
    with suppress(ValueError, OSError):  # beneath where the user is: as they would name it
        file = str(Path(file).relative_to(Path.cwd()))
    return LawError(f"{file}:{line}: error: {what}{shown}" + (f"\n {where}" if where else ""))


def _place(error: BaseException, law: object, kind: Any, method: str) -> Place:
    """Find the user's line: the last that is theirs, or where the method or the class begins."""
    code = getattr(getattr(law, method, None), "__code__", None)
    begins = _home(kind) if code is None else (code.co_filename, code.co_firstlineno)
    return _last(error) or begins


#: Folders of files that are not the user's.
_OTHERS = (
    str(Path(__file__).parents[1]),
    "<frozen",
    *map(sysconfig.get_path, ("stdlib", "purelib")),
)


def _last(error: BaseException) -> Place | None:
    """Return the last line of a traceback that is in a file of the user's."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(_OTHERS)]
    return (own[-1].filename, own[-1].lineno or 1) if own else None


def _home(kind: Any) -> Place:
    """Return where a class or a function is written."""
    try:
        return inspect.getsourcefile(kind) or "<unknown>", inspect.getsourcelines(kind)[1]
    except (TypeError, OSError):
        return f"<{getattr(kind, '__module__', 'unknown')}>", 1
