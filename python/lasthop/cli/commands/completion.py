"""`lasthop completion`: prints or installs a completion script."""

from __future__ import annotations

import sys

from lasthop.cli import completing
from lasthop.cli.app import app
from lasthop.cli.terminal import terminal


def command(shell: completing.Shell | None = None, /, *, install: bool = False) -> None:
    """Let your shell complete commands, options and names.

    Example: lasthop completion --install

    Example: lasthop completion zsh > ~/.zfunc/_lasthop

    It prints a script for the shell, or installs it.

    Parameters
    ----------
    shell:
        The default is the shell that is running.
    install:
        Write the script to the place where the shell looks for it, and add the necessary lines to
        the shell's start-up file.
    """
    if install:
        where = completing.install(app, shell)
        terminal().print(f"wrote {where}; new shells use it", highlight=False)
    else:
        sys.stdout.write(completing.script(app, shell))
