"""Commands as one types them, which pages and recipes name."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

_is_typed = False


def begin() -> None:
    """Let messages name options from now on: who reads them has typed a command."""
    global _is_typed  # it holds for the process, whose threads are asked too
    _is_typed = True


def argument(option: str, name: str = "") -> str:
    """Return what a message calls an argument: an option such as ``--out``, or in Python its name there.

    That name is the option's own where no other is given. It must not be part of what is kept: who reads that
    may have typed a command, or not.
    """
    return option if _is_typed else name or option.lstrip("-").replace("-", "_")


def typed(words: Sequence[object], options: Mapping[str, object]) -> str:
    """Return a command with its options.

    An option of None or False is left out, True is a flag, and a list gives an option for each of its elements.
    """
    found = [str(word) for word in words]
    for option, given in options.items():
        if given is True:
            found.append(option)
        elif given is not None and given is not False:
            several = given if isinstance(given, list | tuple) else [given]
            found += [word for value in several for word in (option, str(value))]
    return shlex.join(found)
