"""The entry point of the command line: handles Ctrl-C before slow imports."""

from __future__ import annotations

import os

from lasthop import interrupts


def main() -> None:
    """Run the command that was asked for."""
    interrupts.guard()
    # OpenBLAS, which numpy loads, starts a thread a core, 50 ms for matrix products that no command works out.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from lasthop.cli import main as command

    command()
