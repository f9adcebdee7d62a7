"""The program, to which `commands` adds each command."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cyclopts import (
    App,
    CycloptsError,
    CycloptsPanel,
    MissingArgumentError,
    UnknownCommandError,
    UnknownOptionError,
)
from rich.panel import Panel

from lasthop.cli import meant
from lasthop.cli.terminal import terminal
from lasthop.core.engine import nearest, version

SUGGESTED = re.compile(r' Did you mean "?[-\w]+"?\?')
"""The name that cyclopts suggests, which may be far off."""


def _complaint(error: CycloptsError) -> Panel:
    """Return an error in a command line; where something is missing, with what tells of it."""
    if isinstance(error, MissingArgumentError) and error.command_chain:
        command = " ".join(error.command_chain)
        return CycloptsPanel(f"{error} `lasthop {command} --help` has examples.")
    if isinstance(error, UnknownOptionError):
        return CycloptsPanel(f"{SUGGESTED.sub('', str(error))} {_meant(error)}".rstrip())
    if isinstance(error, UnknownCommandError) and error.app is not None and error.unused_tokens:
        return CycloptsPanel(_with_nearest(error, error.unused_tokens[0], list(error.app)))
    return CycloptsPanel(error)


def _meant(error: UnknownOptionError) -> str:
    """Return a sentence about what an unknown option was meant to do, if that is known."""
    assert error.token is not None
    typed = (error.token.keyword or error.token.value).partition("=")[0]
    words = list(error.root_input_tokens or ())
    at = next((n for n, word in enumerate(words) if word.partition("=")[0] == typed), len(words))
    _, is_joined, value = "".join(words[at : at + 1]).partition("=")
    if not is_joined and at + 1 < len(words) and not words[at + 1].startswith("-"):
        value = words[at + 1]
    asked = error.app.assemble_argument_collection(parse_docstring=True) if error.app else ()
    known = {
        name: each.parameter.help or ""
        for each in asked
        if each.parse
        for name in each.names
        if name.startswith("-")
    }
    return meant.hint(typed, value, known)


def _with_nearest(error: CycloptsError, typed: str, known: Iterable[str]) -> str:
    """Return a complaint about an unknown name that suggests the known one which is near, if any is."""
    names = {name.lstrip("-"): name for name in known if len(name.lstrip("-")) > 1}
    close = nearest(typed.lstrip("-"), list(names))
    said, available, commands = SUGGESTED.sub("", str(error)).partition(" Available commands")
    hint = f" Did you mean {names[close]}?" if close else ""
    return f"{said}{hint}{available}{commands}"


app = App(
    name="lasthop",
    version=f"lasthop {version()}",
    help="Simulate TCP, calls and video over Wi-Fi and WiMAX, with confidence intervals.",
    help_epilogue="""lasthop COMMAND --help explains one, --version prints the version. Examples:
  lasthop run two_stations --report
  lasthop sweep retry_and_queue
  lasthop reproduce petrovic2003 --table 1
""",
    help_format="plaintext",  # what reads markdown takes a fifth of the time of `lasthop --help`
    console=terminal(),
    error_console=terminal(stderr=True),
    error_formatter=_complaint,
    suppress_keyboard_interrupt=False,  # main() says what there is to say
)
