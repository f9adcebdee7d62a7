"""The program, to which `commands` adds each command."""

from __future__ import annotations

from cyclopts import App, CycloptsError, CycloptsPanel, MissingArgumentError
from rich.panel import Panel

from lasthop.cli.terminal import terminal
from lasthop.core.engine import version


def _complaint(error: CycloptsError) -> Panel:
    """Return an error in a command line; where something is missing, with what tells of it."""
    if isinstance(error, MissingArgumentError) and error.command_chain:
        command = " ".join(error.command_chain)
        return CycloptsPanel(f"{error} `lasthop {command} --help` has examples.")
    return CycloptsPanel(error)


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
