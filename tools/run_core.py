"""Run scenarios by a folder's compiled module, without what else the package needs: for profiled_build.py.

Reads (name, text, folder of the files that it names) of each as JSON; prints the module's engine and the results.
"""

import json
import sys
from pathlib import Path
from typing import Any


def main() -> int:
    """Run what standard input asks for."""
    sys.path.insert(0, sys.argv[1])
    from lasthop import _core

    jobs: list[Any] = []
    for name, text, folder in json.load(sys.stdin):
        named: list[tuple[str, str | None, str]] = [
            (each, (Path(folder) / each).read_text(), "") for each in _core.files_named(text, name)
        ]
        jobs.append((text, name, [], None, 0, 1, _core.Files(named)))
    batch, results = _core.Batch(jobs, 1), [""] * len(jobs)
    left = len(jobs)
    while left:
        for place, result in batch.poll(1.0):
            results[place] = result
            left -= 1
    json.dump({"engine": _core.__engine__, "results": results}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
