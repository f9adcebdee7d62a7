"""A process that has imported other people's libraries and becomes `python -m lasthop ...` in each of its forks.

Nothing of lasthop is imported here: a fork imports it, with its own arguments, environment, directory and streams,
and ends as the interpreter ends. Only the import of numpy, rich and, where it is installed, matplotlib is shared:
half of the time of a command that draws. `commands.py` starts it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import runpy
import socket
import sys
from typing import Any

import cyclopts  # noqa: F401
import numpy as np  # noqa: F401
import rich.console
import rich.markdown
import rich.progress
import rich.table  # noqa: F401

with contextlib.suppress(ImportError):
    import matplotlib.backends.backend_agg
    import matplotlib.backends.backend_pdf
    import matplotlib.backends.backend_svg
    import matplotlib.figure  # noqa: F401

#: More than the arguments and the environment of any command.
LARGEST = 4_000_000


def wait_to_be_forked(line: socket.socket) -> dict[str, Any]:
    """Fork for each request and answer with its exit code; return in the forks, with the request."""
    gc.freeze()  # a collection in a fork would copy every page that it looks at
    while True:
        message, streams, _, _ = socket.recv_fds(line, LARGEST, 3)
        if not message:
            os._exit(0)  # the client has gone
        child = os.fork()
        if child == 0:
            line.close()
            for ours, theirs in zip(streams, range(3), strict=True):
                os.dup2(ours, theirs)
                os.close(ours)
            return json.loads(message)  # type: ignore[no-any-return]
        for each in streams:
            os.close(each)
        _, status = os.waitpid(child, 0)
        line.send(str(os.waitstatus_to_exitcode(status)).encode())


def become(request: dict[str, Any]) -> None:
    """Be what the interpreter would be that had been started for this request."""
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.path[0] = request["cwd"]
    sys.argv = ["lasthop", *request["words"]]
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="strict")
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)


if __name__ == "__main__":
    become(wait_to_be_forked(socket.socket(fileno=int(sys.argv[1]))))
    runpy.run_module("lasthop", run_name="__main__", alter_sys=True)
