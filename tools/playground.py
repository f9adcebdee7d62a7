"""Build the playground: lasthop in a page, as a static folder and as one file that opens from disk.

`make playground` runs this: out/playground/ is the folder, out/playground/lasthop.html the one file. With
`--package` the one file is put into the package too, where `lasthop playground` and the wheels take it from.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from lasthop import _core
from lasthop.core import panels, source, toml
from lasthop.core.checkout import target
from lasthop.core.panels import STEPS
from lasthop.core.quantities import ends_of, full
from lasthop.core.quantities.shown import Column
from lasthop.numbers import stats
from lasthop.pages import classroom
from lasthop.pages.figures import palette
from lasthop.pages.in_script import in_script
from lasthop.pages.picture import tabled
from lasthop.pages.playground import PAGE as IN_PACKAGE
from lasthop.pages.playground import generator
from lasthop.study.sweeping import study_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "playground"
SCENARIOS = ROOT / "scenarios"
TARGET = "wasm32-unknown-unknown"

#: The beginning of a WebAssembly module: its magic number and its version.
MAGIC = b"\0asm\1\0\0\0"
#: The number of a section that the machine ignores.
CUSTOM = 0

#: The exports of every worker.
WORKER = ("core.js", "worker.js")
#: Code that draws, which reports have too.
DRAWING = ("take.js", "traced.js", "series.js", "air.js", "causes.js")
#: The parts of the page, in this order.
SCRIPTS = (
    "toml.js",
    "completion.js",
    "stats.js",
    "sharing.js",
    "workers.js",
    "editor.js",
    "tables.js",
    "pinned.js",
    "sliders.js",
    "main.js",
)
#: The scenario that the page begins with.
FIRST = "two_stations"
#: The largest number of replications that the page runs.
MOST_RUNS = 100
#: Of more packets the page draws no delays: they would take more memory than it has.
MOST_PACKETS = 100_000


def compiled() -> bytes:
    """Compile the core for browsers and return it."""
    command = [
        "cargo",
        "build",
        "--quiet",
        "--profile",
        "web",
        "--target",
        TARGET,
        "-p",
        "lasthop-web",
    ]
    done = subprocess.run(command, cwd=ROOT, check=False, env=os.environ | with_schema())
    if done.returncode:
        print(f"if the target is missing: rustup target add {TARGET}", file=sys.stderr)
        raise SystemExit(done.returncode)
    return without_names((target() / TARGET / "web" / "lasthop_web.wasm").read_bytes())


def with_schema() -> dict[str, str]:
    """Write the schema for the compiler, and return the variable that says where: see crates/web/src/schema.rs."""
    file, text = (
        target() / "schema.json",
        json.dumps(json.loads(_core.schema()), separators=(",", ":")),
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
    return {"LASTHOP_SCHEMA": str(file)}


def without_names(wasm: bytes) -> bytes:
    """Return a module without its custom sections: names of functions, and its producers.

    The linker leaves them there, whatever is to be stripped.
    """
    at, kept = len(MAGIC), [wasm[: len(MAGIC)]]
    while at < len(wasm):
        length, body, shift = 0, at + 1, 0
        while True:  # LEB128: seven bits a byte, the lowest first, the eighth says that more follow
            length |= (wasm[body] & 0x7F) << shift
            body, shift = body + 1, shift + 7
            if wasm[body - 1] < 0x80:
                break
        if wasm[at] != CUSTOM:
            kept.append(wasm[at : body + length])
        at = body + length
    return b"".join(kept)


def given() -> dict[str, Any]:
    """Return what the page is given: scenarios with the files that they name, columns, quantiles."""
    paths = sorted(SCENARIOS.glob("*.toml"))
    files: dict[str, str] = {}
    for path in paths:
        for name, text, why in source.files_of(path.read_text(), str(path), ()):
            if text is None:
                raise SystemExit(f"{path}: {name}: {why}")
            files[str(name)] = str(text)
    return {
        "version": _core.__version__,
        "first": FIRST,
        "scenarios": [
            {"name": path.stem, "title": title(path.read_text()), "text": path.read_text()}
            for path in paths
        ],
        "lessons": [as_lesson(name) for name, _ in classroom.names()],
        "files": files,
        "tables": [
            {
                "title": table.title,
                "rows": table.rows,
                "needs": table.needs,
                "if_idle": table.if_idle,
                "columns": [as_column(each) for each in table.columns],
            }
            for table in tabled.TABLES
        ],
        "watching": {
            "probes": panels.PROBES,
            "measures": list(panels.MEASURES),
            "steps": STEPS,
            "most": MOST_PACKETS,
        },
        "colours": {each.name: each.series for each in (palette.LIGHT, palette.DARK)},
        # Student's t for as many degrees of freedom, two-sided.
        "quantiles": [None, *(stats.t_quantile(0.95, n) for n in range(1, MOST_RUNS))],
    }


def as_lesson(name: str) -> dict[str, Any]:
    """Return a lesson as the page has it: its scenario, its words, and the values of its controls as TOML."""
    lesson = classroom.lesson(name)
    axes = study_of(lesson.folder / "study.toml").axes
    controls = []
    for said in lesson.controls:
        (values,) = [axis.values for group in axes for axis in group if axis.key == said["key"]]
        words = said.get("values") or [str(value) for value in values]
        controls.append({**said, "values": list(map(written, values)), "words": words})
    return {
        "name": name,
        "title": lesson.title,
        "about": lesson.about,
        "see": lesson.see,
        "text": (lesson.folder / "scenario.toml").read_text(encoding="utf-8"),
        "controls": controls,
    }


def written(value: object) -> str:
    """Return a value of an axis as a scenario has it: a list is a string in a study."""
    return value if isinstance(value, str) and value.startswith("[") else toml.shown(value)


def title(text: str) -> str:
    """Return the first sentence of the comment that a scenario begins with."""
    comment = re.match(r"(?:#[^\n]*\n)+", text)
    said = re.sub(r"\s*\n?#\s?", " ", comment[0]).strip() if comment else ""
    return re.split(r"(?<=[.:])\s", said)[0].rstrip(".:")


def as_column(column: Column) -> dict[str, Any]:
    """Return a column as the page has it."""
    return {
        "heading": column.heading(one_line=True),
        "key": column.key,
        "factor": column.unit[1],
        "digits": column.digits,
        "ends": [end if math.isfinite(end) else None for end in ends_of(full(column.key))],
        "when": column.when,
    }


def text_of(name: str) -> str:
    """Return a file of the reports, which the page shares with them."""
    return resources.files("lasthop.pages.report").joinpath(name).read_text(encoding="utf-8")


def joined(names: Sequence[str]) -> str:
    """Return scripts of the page as one."""
    return "\n".join((PAGE / name).read_text() for name in names)


def build(out: Path) -> None:
    """Write the folder and the one file."""
    wasm = compiled()
    styles = (
        text_of("style.css") + text_of("uplot/uPlot.min.css") + (PAGE / "style.css").read_text()
    )
    script, worker = "\n".join(map(text_of, DRAWING)) + joined(SCRIPTS), joined(WORKER)
    uplot = text_of("uplot/uPlot.iife.min.js")
    data = f'<script type="application/json" id="given">{in_script(given())}</script>'
    page = (PAGE / "page.html").read_text()

    def write(name: str, look: str, scripts: str) -> None:
        top = generator(_core.__engine__) + look
        whole = page.replace("<!-- styles -->", top).replace("<!-- scripts -->", data + scripts)
        (out / name).write_text(whole, encoding="utf-8")

    out.mkdir(parents=True, exist_ok=True)
    (out / "lasthop.wasm").write_bytes(wasm)
    for name, text in {
        "style.css": styles,
        "uplot.js": uplot,
        "page.js": script,
        "worker.js": worker,
    }.items():
        (out / name).write_text(text, encoding="utf-8")
    linked = "".join(f'<script src="{name}"></script>' for name in ("uplot.js", "page.js"))
    write("index.html", '<link rel="stylesheet" href="style.css">', linked)
    packed = base64.b64encode(gzip.compress(wasm, 9, mtime=0)).decode()
    held = f'<script type="text/plain" id="wasm">{packed}</script>'
    held += f'<script type="text/plain" id="worker">{worker}</script>'
    write("lasthop.html", f"<style>{styles}</style>", held + f"<script>{uplot}\n{script}</script>")


def main() -> None:
    """Read the arguments and build."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--out", type=Path, default=ROOT / "out" / "playground")
    reader.add_argument("--package", action="store_true", help="put the one file into the package")
    asked = reader.parse_args()
    out: Path = asked.out
    build(out)
    for path in (out / "index.html", out / "lasthop.html"):
        print(path, f"{path.stat().st_size / 1e6:.2f} MB")
    if asked.package:
        shutil.copy2(out / "lasthop.html", IN_PACKAGE)


if __name__ == "__main__":
    main()
