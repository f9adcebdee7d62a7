"""The command line as a person or a script meets it: its own process, its streams, its exit code.

An interpreter that imports numpy and rich takes half a second before it comes to the command. Commands of
tests are forks of one that has done so (`command_server.py`); where the start itself is on trial, start a process.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = ROOT / "scenarios" / "dumbbell.toml"
SHORT = ("--set", "duration=2 s", "--set", "flow.two.start=0 s", "--set", "flow.short.start=0 s")

#: The longest that a command may take, s. A new machine reads each library from its disk for the first time: a
#: command of half a second was seen to take 33 s there, and once more than 120 s.
LONGEST_S = 600.0

#: More bytes than a command of a test shows.
LARGEST = 100_000_000

Word = str | bytes | os.PathLike[str] | int


def lasthop(*words: Word, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run `lasthop words...` to its end in the environment of the test."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        with open(os.devnull, "rb") as nothing:
            begin(words, cwd, [nothing.fileno(), out.fileno(), errors.fileno()])
        code = end()
        told = [
            stream.seek(0) or stream.read().decode(errors="replace") for stream in (out, errors)
        ]
    return subprocess.CompletedProcess(list(words), code, *told)


def copy_package(folder: Path) -> Path:
    """Copy the package into a folder without what git ignores; a command that runs there uses the copy."""
    package = ROOT / "python" / "lasthop"
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "page.html")
    copied: Path = shutil.copytree(package, folder / "lasthop", ignore=ignored)
    for compiled in package.glob("_core*"):
        if compiled.suffix != ".pyi":
            (copied / compiled.name).symlink_to(compiled)
    return copied


def begin(words: Sequence[Word], cwd: Path, streams: Sequence[int]) -> None:
    """Start a command with these file descriptors as its streams."""
    # As an interpreter gets them from the system: what is no UTF-8 becomes surrogates.
    said = [os.fsdecode(str(word) if isinstance(word, int) else word) for word in words]
    request = {"words": said, "cwd": str(cwd), "env": dict(os.environ)}
    socket.send_fds(_server().line, [json.dumps(request).encode()], list(streams))


def end() -> int:
    """Wait for the command that was started last; return its exit code."""
    try:
        return int(_server().line.recv(100))
    except (OSError, ValueError):  # it takes too long, or nobody is there any more
        _stop()
        raise


class _Server(NamedTuple):
    line: socket.socket
    process: subprocess.Popen[bytes]


@functools.cache
def _server() -> _Server:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(LONGEST_S)
    command = [sys.executable, str(Path(__file__).with_name("command_server.py"))]
    with theirs:
        process = subprocess.Popen(
            [*command, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env=os.environ | {"PYTHONUTF8": "1"},
            start_new_session=True,
        )
    atexit.register(_stop)
    return _Server(ours, process)


def _stop() -> None:
    """End the server, and with it a command that has not ended."""
    server = _server()
    _server.cache_clear()
    atexit.unregister(_stop)
    server.line.close()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server.process.pid, signal.SIGKILL)
    server.process.wait()
