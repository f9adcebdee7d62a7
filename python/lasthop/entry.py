"""Where the command line begins: Ctrl-C is ours before anything is imported that takes time."""

from __future__ import annotations

from lasthop import interrupts


def main() -> None:
    """Run the command that was asked for."""
    interrupts.guard()
    from lasthop.cli import main as command

    command()
