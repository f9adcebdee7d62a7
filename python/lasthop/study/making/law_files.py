"""`lasthop new law NAME`: a congestion control to begin with, and a test of it; in Python, or a crate in Rust."""

from __future__ import annotations

import textwrap
from pathlib import Path

from lasthop.core import law_library, python_law
from lasthop.errors import UsageError

PYTHON = '''"""A law of your own: how TCP's congestion window moves.

    lasthop run dumbbell --law {file}.py:{name}
    lasthop conformance law {file}.py:{name}        # the rules for all laws
    pytest test_{file}.py

Until you change it, it is Reno to the last byte, and the test checks that. Windows are in segments,
fractions kept. What recovery does (what is sent again, and when) stays that of the scenario's variant.
"""

import lasthop


class {name}(lasthop.Law):
    """Additive increase, multiplicative decrease (RFC 5681)."""

    def __init__(self, increase: float = 1.0, decrease: float = 0.5) -> None:
        # `--set tcp.law_options.increase=0.31` reaches these by name.
        self.increase = increase
        self.decrease = decrease

    def on_ack(self, w: lasthop.law.Window, ack: lasthop.law.Ack) -> None:
        """New data are acknowledged.

        `ack` has {ack}.
        `w` has {window}.
        """
        if ack.may_grow:
            w.grow(ack.acked, increase=self.increase)

    def on_loss(self, w: lasthop.law.Window, loss: lasthop.law.Loss, base: float) -> None:
        """Data were lost; `base` is what was in flight. `loss`: dup_acks, timeout or ecn_mark."""
        w.shrink(loss, self.decrease * base if loss != "ecn_mark" else 0.8 * base)
'''

TEST = '''"""{name} against the Reno that is compiled into lasthop: the same bytes, until you change it."""

import lasthop
from {file} import {name}


def test_it_is_reno_to_the_last_byte():
    ours = lasthop.run("dumbbell", laws={{"mine": {name}}}, law="mine", replications=3)
    theirs = lasthop.run("dumbbell", replications=3)  # its variant, NewReno, has Reno's law
    for mine, reno in zip(ours.documents, theirs.documents, strict=True):
        for flow, other in zip(mine["flows"], reno["flows"], strict=True):
            assert flow | {{"variant": ""}} == other | {{"variant": ""}}  # but for its name
'''

_TEMPLATE = Path(__file__).parent / "rust_law"
"""The files of a crate that are not the core's own."""

_RESERVED = """
abstract as async await become box break const continue crate do dyn else enum extern false final fn
for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct
super trait true try type typeof unsafe unsized use virtual where while yield alloc build core deps
examples incremental lasthop std test Ack Box Clone Copy Drop Err Fn Law Loss None Ok Option Options
Result Self Some Send String Sync Vec Window
"""
"""Keywords of Rust, crates that cargo or the crate needs, and names that its file of the law has."""


def python(name: str, out: Path) -> dict[Path, str]:
    """Return a law in Python and its test, by path."""
    file = _snake(name)
    has = {"ack": _attributes(python_law.Ack), "window": _attributes(python_law.Window)}
    said = {"name": class_of(name), "file": file, **has}
    return {out / f"{file}.py": PYTHON.format(**said), out / f"test_{file}.py": TEST.format(**said)}


def rust(name: str, out: Path) -> dict[Path, str]:
    """Return the crate of a law in Rust, by path; raises UsageError for a name that means something in Rust."""
    crate, made = _snake(name), class_of(name)
    if {crate, made} & set(_RESERVED.split()):
        raise UsageError(f"{name!r} has a meaning in Rust or in the crate: choose another name")
    folder = out / crate
    if folder.exists():
        raise UsageError(f"{folder} exists already: choose another name, or --out")

    def filled(file: str) -> str:
        text = (_TEMPLATE / file).read_text(encoding="utf-8")
        text = text.replace("LIBRARY", library_of(name)).replace("MyLaw", made)
        return text.replace("my_law", crate)

    ours = {folder / "src" / "lasthop" / file: text for file, text in law_library.law_sources()}
    return {
        folder / "src" / "lib.rs": filled("lib.rs"),
        folder / "Cargo.toml": filled("Cargo.toml"),
        folder / "README.md": filled("README.md"),
        folder / ".gitignore": "/target\n",
        folder / "src" / "lasthop" / "mod.rs": (_TEMPLATE / "border.rs").read_text("utf-8"),
        **ours,
    }


def library_of(name: str) -> str:
    """Return what cargo calls the library of a law on this system."""
    before = "" if law_library.ENDING == ".dll" else "lib"
    return f"{before}{_snake(name)}{law_library.ENDING}"


def _attributes(kind: type) -> str:
    """Name what a law is given, as it is: lines of a docstring."""
    return "\n        ".join(textwrap.wrap(", ".join(n for n in dir(kind) if n[0] != "_"), 90))


def _snake(name: str) -> str:
    parts = "".join(f"_{c.lower()}" if c.isupper() else c for c in name.replace("-", "_"))
    return parts.strip("_").replace("__", "_")


def class_of(name: str) -> str:
    """Return the name of the class of a law."""
    return "".join(part[:1].upper() + part[1:] for part in name.replace("-", "_").split("_"))
