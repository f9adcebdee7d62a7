"""What an unknown option was meant to do: another word for one, a key of the scenario, or a command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from lasthop.core.engine import nearest

#: Other words for options, as other programs have them.
SAME = {
    "--out": "output dir directory folder file save o",
    "--replications": "replicates reps runs repeat repeats repetitions n",
    "--workers": "jobs threads cores cpus parallel processes j",
    "--set": "param parameter override define change key",
    "--law": "tcp variant algorithm congestion cc",
    "--y": "metric metrics quantity",
    "--error": "confidence alpha level",
    "--tables": "table markdown latex csv",
    "--quick": "fast short",
}

#: What an option makes, by the word that its help has for it; and the command that makes it where no option does.
MADE = {
    "page": ("report page html", "`lasthop report` writes the page of a study or a run."),
    "figure": ("figure plot chart png pdf svg", "`lasthop plot` draws figures."),
}

#: Keys of a scenario that have one value and no table.
SINGLE = ("conventions", "duration", "seed", "warmup")


def hint(typed: str, value: str, options: Mapping[str, str]) -> str:
    """Return a sentence about an unknown option that was `typed`, with the value that was given to it.

    `options` has those that the command knows, with their help. Nothing is said where nothing is near: a wrong
    hint costs more than none.
    """
    word = typed.lstrip("-")
    said = {word, word.removesuffix("s")}
    for known, words in SAME.items():
        if known in options and said & set(words.split()):
            return f"Did you mean {known}?"
    for noun, (words, otherwise) in MADE.items():
        if said & set(words.split()):
            makes = [
                name
                for name, told in options.items()
                if re.search(rf"\b({noun}|{word})s?\b", told, re.IGNORECASE)
            ]
            return f"Did you mean {makes[0]}?" if makes else otherwise
    if "--set" in options and _is_key(word):
        change = shlex.quote(f"{word}={value or 'VALUE'}")
        return f"Did you mean --set {change}?"
    names = {name.lstrip("-"): name for name in options if len(name.lstrip("-")) > 1}
    close = nearest(word, list(names)) if len(word) > 1 else None
    return f"Did you mean {names[close]}?" if close else ""


def _is_key(word: str) -> bool:
    """Return whether a word is a key of a scenario that has a value."""
    # With it comes all of a run, which a right command line does not need here.
    from lasthop.core.api import schema

    first, _, rest = word.partition(".")
    return first in schema()["properties"] and (bool(rest) or first in SINGLE)
