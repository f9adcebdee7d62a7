"""Ctrl-C while little is imported yet."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` imports `enum` and `re`: ten milliseconds
import os
import sys


def guard() -> bool:
    """End the process at once, quietly, where Ctrl-C comes; return whether it does.

    An interpreter that imports may turn KeyboardInterrupt into an ImportError or print and drop it; nothing is
    at stake yet. Where Ctrl-C is ignored (`nohup`, `&`) it stays so.
    """
    now = _signal.getsignal(_signal.SIGINT)
    if now is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _end_at_once)
    return now is _signal.default_int_handler or now is _end_at_once


def release() -> None:
    """Make a KeyboardInterrupt of Ctrl-C again."""
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def _end_at_once(_signal: int, _frame: object) -> None:
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(130)
