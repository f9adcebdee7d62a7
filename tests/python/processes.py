"""Processes that tests start and send signals: none outlives its test, and each says itself when it is ready."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: The longest that a sign of life may take on a busy machine, s.
ALIVE_S = 60.0


@contextmanager
def started(
    command: list[str], *, interrupt: Any = signal.SIG_DFL, **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """Start a process with SIGINT at its default, or as asked, and kill it in the end if it still runs.

    A shell's `&` in a script and nohup ignore SIGINT, and processes inherit that: ours must not depend on
    how the tests were started.
    """
    # Only SIG_IGN crosses exec; the rest of the handlers falls back to the default.
    ours = signal.default_int_handler if interrupt is signal.SIG_DFL else interrupt
    before = signal.signal(signal.SIGINT, ours)
    try:
        process = subprocess.Popen(command, **options)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            yield process
        finally:
            process.kill()  # does nothing to one that has ended


def wait_until(alive: Callable[[], bool], process: subprocess.Popen[Any]) -> None:
    """Wait for a sign of life; fail where the process ends before it gives one, or gives none for a minute."""
    end = time.monotonic() + ALIVE_S
    while not alive():
        assert process.poll() is None, f"ended with {process.returncode} before any sign of life"
        assert time.monotonic() < end, f"no sign of life for {ALIVE_S:g} s"
        time.sleep(0.01)
