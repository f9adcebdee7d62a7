"""The command line. This module imports next to nothing, so that Ctrl-C is ours from the first milliseconds on."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from lasthop.errors import LasthopError


def main() -> None:
    """Run the command that was asked for; end with 0, 1 (output failed), 2 (a wrong request) or 130 (Ctrl-C)."""
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed")
        _command()
    except LasthopError as error:
        _end(error.exit_code, str(error))
    except KeyboardInterrupt:
        _end(130, "interrupted")
    except BrokenPipeError:
        _end(0)  # whoever read us has enough (`lasthop list | head`)
    except OSError as error:
        if error.filename is not None:
            _end(2, f"{os.fsdecode(error.filename)}: error: {error.strerror}")
        _end(1, f"error: cannot write: {error.strerror or error}")


def _command() -> None:
    # An interpreter that imports may turn KeyboardInterrupt into an ImportError or print and drop it; nothing is
    # at stake yet, so Ctrl-C simply ends the process meanwhile. Where it is ignored (`nohup`, `&`) it stays so.
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, _end_at_once)
    from lasthop.cli.commands import app

    try:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        app()
    finally:
        sys.stdout.flush()  # here, where a full disk or a closed pipe can still be told


def _end_at_once(_signal: int, _frame: FrameType | None) -> None:
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(130)


def _end(code: int, message: str = "") -> None:
    """Exit without a complaint of the interpreter about what could not be written."""
    try:
        if message and sys.stderr is not None:
            print(message, file=sys.stderr, flush=True)
    except OSError:
        pass
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    sys.exit(code)
