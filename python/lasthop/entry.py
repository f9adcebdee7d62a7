"""The entry point of the command line: handles Ctrl-C before slow imports."""

from __future__ import annotations

from lasthop import interrupts


def main() -> None:
    """Run the command that was asked for."""
    interrupts.guard()
    from lasthop.cli import main as command

    command()
