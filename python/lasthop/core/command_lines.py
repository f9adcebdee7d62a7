"""Commands as one types them, which pages and recipes name."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence


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
