"""The command line. This module imports next to nothing, so that Ctrl-C is ours from the first milliseconds on."""

from __future__ import annotations

import io
import os
import sys

from lasthop import interrupts
from lasthop.cli.complaints import complain
from lasthop.errors import LasthopError, shortened


def main() -> None:
    """Run the command that was asked for; end with 0, 1 (output failed), 2 (a wrong request) or 130 (Ctrl-C)."""
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed")
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # Names of files need not be UTF-8, and a terminal need not have every letter.
                stream.reconfigure(errors="backslashreplace")
        _command()
    except LasthopError as error:
        _end(error.exit_code, str(error))
    except ModuleNotFoundError as error:
        from lasthop.extras import lacking

        if (missing := lacking(error)) is None:
            raise
        _end(missing.exit_code, str(missing))
    except KeyboardInterrupt:
        _end(130, "interrupted")
    except UnicodeEncodeError as error:
        _end(2, f"error: {shortened(error.object)!r} is not UTF-8 text")
    except BrokenPipeError:
        _end(0)  # whoever read us has enough (`lasthop list | head`)
    except OSError as error:
        if error.filename is not None:
            _end(2, f"{os.fsdecode(error.filename)}: error: {error.strerror}")
        _end(1, f"error: cannot write: {error.strerror or error}")


def _command() -> None:
    ours = interrupts.guard()
    if not sys.argv[1:]:
        from lasthop.cli.starting import SCREEN

        print(SCREEN, flush=True)
        return
    from lasthop.cli.commands import program
    from lasthop.core import command_lines

    command_lines.begin()
    try:
        if ours:
            interrupts.release()
        words = _filled(sys.argv[1:])
        program(words)(words)
    finally:
        sys.stdout.flush()  # here, where a full disk or a closed pipe can still be told


#: Options whose value may be left out, by command.
BARE = {"run": ("--report",)}


def _filled(tokens: list[str]) -> list[str]:
    """Return what was typed, with an empty value where one may be left out and none is there."""
    bare = BARE.get(tokens[0] if tokens else "", ())
    following = [*tokens, "--"][1:]
    return [
        f"{token}=" if token in bare and after.startswith("-") else token
        for token, after in zip(tokens, following, strict=True)
    ]


def _end(code: int, message: str = "") -> None:
    """Exit without a complaint of the interpreter about what could not be written."""
    complain(message)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    sys.exit(code)
