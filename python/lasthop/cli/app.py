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
        typed = (error.token.keyword or error.token.value).partition("=")[0]
        known = [name for each in error.argument_collection if each.parse for name in each.names]
        return CycloptsPanel(_with_nearest(error, typed, known))
    if isinstance(error, UnknownCommandError) and error.app is not None and error.unused_tokens:
        return CycloptsPanel(_with_nearest(error, error.unused_tokens[0], list(error.app)))
    return CycloptsPanel(error)


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
