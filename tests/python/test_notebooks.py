"""The notebooks of docs/notebooks: they run from top to bottom, and their sliders react."""

from __future__ import annotations

import os
import runpy
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import lasthop
from commands import ROOT

NOTEBOOKS = ROOT / "docs" / "notebooks"

#: The most events of a run behind a slider, which take some 20 ms. R. B. Miller (1968) has 0.1 to 0.2 s for
#: what seems to follow at once.
MOST_EVENTS = 100_000

CHANGES = {
    "duration": "20 s",
    "flow.voice.from": "server",
    "flow.voice.to": "phone",
    "tcp.window": "400 packets",
}


def require(*modules: str) -> None:
    """Skip where these are not installed, and fail where LASTHOP_REQUIRE_TOOLS is set, as in CI."""
    lacking = [name for name in modules if find_spec(name) is None]
    if lacking and os.environ.get("LASTHOP_REQUIRE_TOOLS"):
        pytest.fail(f"not installed: {', '.join(lacking)}")
    if lacking:
        pytest.skip(f"not installed: {', '.join(lacking)}")


def delay_ms(packets: int) -> float:
    """Return the delay that a slider must show at this number of packets, ms."""
    run = lasthop.run("voice_and_bulk", overrides=CHANGES | {"queue.packets": packets})
    return 1000 * float(run["voice"]["delay.p95"])


def test_a_run_behind_a_slider_is_quick() -> None:
    ran = lasthop.run("voice_and_bulk", overrides=CHANGES)
    assert 0 < ran.documents[0]["events"] < MOST_EVENTS


def test_the_jupyter_notebook_reacts(tmp_path: Path) -> None:
    require("nbclient", "ipykernel", "ipywidgets")
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.read(NOTEBOOKS / "queue.ipynb", as_version=4)
    nbformat.validate(book)
    assert all(not cell.outputs for cell in book.cells if cell.cell_type == "code")
    # As a front end does when the slider moves; what was drawn is with the widget when the next cell runs.
    told = "''.join(each.get('text', '') for each in shown.out.outputs)"
    book.cells += [nbformat.v4.new_code_cell(text) for text in ("slider.value = 400", told)]
    client = NotebookClient(book, timeout=30, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    (said,) = (each["data"]["text/plain"] for each in book.cells[-1].outputs)
    assert f"within {delay_ms(400):.0f} ms" in said
    (measured,) = (
        each["text"] for cell in book.cells[:-2] for each in cell.get("outputs", ())
        if each["output_type"] == "stream"
    )  # fmt: skip
    assert measured.endswith(" ms\n")
    estimate = book.cells[-3].outputs[0]["data"]["text/plain"]
    assert estimate.startswith("Estimate(mean=")
    assert "n=10" in estimate


@pytest.mark.parametrize("packets", [5, 400])
def test_the_marimo_notebook_reacts(packets: int) -> None:
    require("marimo")
    app: Any = runpy.run_path(str(NOTEBOOKS / "queue_marimo.py"))["app"]
    _, defined = app.run(
        defs={
            "slider": SimpleNamespace(value=packets),
            "choice": SimpleNamespace(value="drop_tail"),
        }
    )
    assert defined["delay_ms"] == delay_ms(packets)
