"""The core in WebAssembly, for tests: built once, run in node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from lasthop import _core
from lasthop.core import source
from lasthop.numbers import stats

ROOT = Path(__file__).resolve().parents[2]
TARGET = "wasm32-unknown-unknown"

#: Answers requests, a line of JSON each: {"do": ..., "request": ..., "rest": [...]}.
ANSWERS = """
const fs = require("fs");
const { lasthopCore } = require(`${process.argv[1]}/core.js`);
const core = lasthopCore(new WebAssembly.Module(fs.readFileSync(process.argv[2])));
for (const line of fs.readFileSync(0, "utf8").split("\\n").filter(Boolean)) {
  const { do: name, request, rest = [] } = JSON.parse(line);
  const said = core[name](request, ...rest);
  console.log(typeof said === "string" ? said : JSON.stringify(said));
}
"""

#: The summary of runs, by the page's own script.
SUMMARY = """
const fs = require("fs");
const { stats } = require(`${process.argv[1]}/stats.js`);
const { runs, quantiles } = JSON.parse(fs.readFileSync(0, "utf8"));
console.log(JSON.stringify(stats.summary(runs, quantiles)));
"""

#: What the editor offers at a place.
OFFERS = """
const fs = require("fs");
const { completion } = require(`${process.argv[1]}/completion.js`);
const { schema, text, offset } = JSON.parse(fs.readFileSync(0, "utf8"));
console.log(JSON.stringify(completion.offers(schema, text, offset)));
"""


def require_tools() -> None:
    """Skip where node or Rust's target is missing, and fail where LASTHOP_REQUIRE_TOOLS is set, as in CI."""
    missing = [name for name in ("node", "cargo") if shutil.which(name) is None]
    if not missing and not _has_target():
        missing = [f"Rust's target (rustup target add {TARGET})"]
    if missing:
        reason = f"the playground cannot be built or run here: {', '.join(missing)} is missing"
        if os.environ.get("LASTHOP_REQUIRE_TOOLS"):
            pytest.fail(reason)
        pytest.skip(reason)


def built(folder: Path) -> Path:
    """Build the playground into a folder, as `make playground` does; cargo compiles only what has changed."""
    command = [sys.executable, str(ROOT / "tools" / "playground.py"), "--out", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def answers(folder: Path, tasks: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what the core in WebAssembly answers to each task, as JSON text."""
    lines = "".join(f"{json.dumps(task)}\n" for task in tasks)
    found = node(ANSWERS, lines, str(folder / "lasthop.wasm")).splitlines()
    assert len(found) == len(tasks)
    return found


def native(path: Path, seed: int, replication: int) -> str:
    """Return the result of a run by the compiled module, as it writes it."""
    text = path.read_text()
    files = _core.Files(list(source.files_of(text, str(path), ())))
    batch = _core.Batch([(text, str(path), [], seed, replication, 1, files)], 1)
    while True:
        for _, answer in batch.poll(1.0):
            assert isinstance(answer, str)
            return answer


def summary(runs: Sequence[Mapping[str, Any]]) -> Any:
    """Return the summary of these runs by the page's script."""
    quantiles = [None, *(stats.t_quantile(0.95, degrees) for degrees in range(1, len(runs)))]
    return json.loads(node(SUMMARY, json.dumps({"runs": runs, "quantiles": quantiles})))


def offers(schema: Mapping[str, Any], text: str, offset: int) -> Any:
    """Return what the editor offers at an offset of a text."""
    asked = {"schema": schema, "text": text, "offset": offset}
    return json.loads(node(OFFERS, json.dumps(asked)))


def node(script: str, given: str, *words: str) -> str:
    """Run a script in node, with the folder of the page's scripts as its first word."""
    command = ["node", "-e", script, str(ROOT / "playground"), *words]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def _has_target() -> bool:
    asked = ["rustc", "--print", "target-libdir", "--target", TARGET]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    return found.returncode == 0 and Path(found.stdout.strip()).is_dir()
