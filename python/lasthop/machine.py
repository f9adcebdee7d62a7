"""Differences between operating systems."""

from __future__ import annotations

import os
import sys

#: To read: without a translation of line ends (Windows), and of a pipe without waiting for a writer (elsewhere).
READING: int = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def cores() -> int:
    """Return how many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_running(pid: int) -> bool:
    """Return whether there is a process of that number; True where that cannot be asked without ending it."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # another user's
    return True
