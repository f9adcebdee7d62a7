"""Laws in Python within studies: known by their source, run one after the other by the process that has them."""

from __future__ import annotations

import hashlib
import inspect
import linecache
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from lasthop.errors import UsageError
from lasthop.law import Law, LawFactory


@dataclass(frozen=True)
class Named:
    """A law by its name and the digest of the source that it and its bases stand in."""

    name: str
    digest: str


def named(laws: Mapping[str, LawFactory]) -> tuple[Named, ...]:
    """Return what names each law; raises UsageError for one whose source does not say all that it does."""
    return tuple(Named(name, _digest(name, law)) for name, law in laws.items())


def _digest(name: str, law: LawFactory) -> str:
    """Return a digest of the files that a class and its bases are written in, and of its name in them."""
    if not inspect.isclass(law):
        raise UsageError(
            f"law {name!r}: a study knows a law by its class, not by a function; "
            "what varies goes into its options: an axis tcp.law_options.NAME"
        )
    digest = hashlib.sha256(f"{law.__module__}.{law.__qualname__}".encode())
    for kind in law.__mro__:
        if kind is Law or kind.__module__.partition(".")[0] in sys.stdlib_module_names:
            continue
        try:
            file = inspect.getsourcefile(kind)
        except TypeError:
            file = None
        linecache.checkcache(file)
        lines = linecache.getlines(file) if file else []
        if not lines:
            raise UsageError(
                f"law {name!r}: the source of {kind.__qualname__} is not to be found, by which a study knows "
                "what it has computed: write it into a file"
            )
        digest.update("".join(lines).encode())
    return digest.hexdigest()[:20]
