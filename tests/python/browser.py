"""A headless Chromium, for tests of reports: what a page shows and complains of at a width."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")

#: Added to a copy of a page: tells the page around it what it looks like once it is drawn.
PROBE = """
<script>
const complaints = [];
addEventListener("error", (event) => complaints.push(String(event.message)));
addEventListener("unhandledrejection", (event) => complaints.push(String(event.reason)));
const wrong = console.error;
console.error = (...words) => { complaints.push(words.join(" ")); wrong(...words); };
// Pixels in colour: axes and their labels are grey.
function coloured(canvas) {
  const seen = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let at = 0; at < seen.length; at += 4) {
    const [red, green, blue, opaque] = seen.slice(at, at + 4);
    if (opaque && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) count += 1;
  }
  return count;
}
addEventListener("load", () => setTimeout(() => {
  const root = document.documentElement;
  const images = [...document.images];
  parent.postMessage(JSON.stringify({
    complaints,
    width: innerWidth,
    overflow: root.scrollWidth - root.clientWidth,
    height: root.scrollHeight,
    coloured: [...document.querySelectorAll("canvas")].map(coloured),
    images: images.length,
    broken: images.filter((each) => !each.naturalWidth).length,
    charts: document.querySelectorAll("figure[data-name]:has(svg)").length,
    captions: [...document.querySelectorAll("figcaption")].map((each) => each.textContent),
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
  }), "*");
}, 300));
</script>
"""

#: Holds the page at its width (a window cannot be narrower than 500 pixels) and hands its colour scheme down.
FRAME = """<!doctype html><html style="color-scheme:{scheme}"><body style="margin:0">
<iframe src="page.html" style="border:0;width:{width}px;height:{height}px"></iframe><pre id="told"></pre>
<script>addEventListener("message", (event) => {{
  document.getElementById("told").textContent = event.data;
}});</script></body></html>
"""


def require_browser() -> str:
    """Return the browser; skip where there is none, and fail where LASTHOP_REQUIRE_TOOLS is set, as in CI."""
    for name in NAMES:
        if (found := shutil.which(name)) is not None:
            return found
    reason = "no Chromium is there: Debian: apt install chromium"
    if os.environ.get("LASTHOP_REQUIRE_TOOLS"):
        pytest.fail(reason)
    pytest.skip(reason)


def look(page: Path, folder: Path, width: int, *, dark: bool = False) -> dict[str, Any]:
    """Open a page at a width in pixels, and return what the probe says."""
    where = _laid_out(page, folder, (width, 900), dark)
    shown = _run(folder, where.as_uri(), "--dump-dom")
    told = re.search(r'<pre id="told">(.*?)</pre>', shown, re.DOTALL)
    assert told is not None, shown[-2000:]
    assert told[1], "the page did not come to its end"
    found: dict[str, Any] = json.loads(html.unescape(told[1]))
    return found


def drawn(address: str, folder: Path) -> str:
    """Open an address without a network, and return the page's HTML once its scripts have run."""
    return _run(folder, address, "--dump-dom")


def screenshot(
    page: Path, folder: Path, width: int, height: int, out: Path, *, dark: bool = False
) -> None:
    """Write what a page looks like at a size in pixels as a PNG."""
    where = _laid_out(page, folder, (width, height), dark)
    size = f"--window-size={max(width, 500)},{height}"
    _run(folder, where.as_uri(), f"--screenshot={out}", size, "--hide-scrollbars")


def _laid_out(page: Path, folder: Path, size: tuple[int, int], dark: bool) -> Path:
    width, height = size
    text = page.read_text()
    (folder / "page.html").write_text(text.replace("<head>", f"<head>{PROBE}", 1))
    frame = folder / "frame.html"
    scheme = "dark" if dark else "light"
    frame.write_text(FRAME.format(width=width, height=height, scheme=scheme))
    return frame


def _run(folder: Path, address: str, *options: str) -> str:
    # Root, as in a container, has no sandbox; /dev/shm is small there.
    command = [
        require_browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=5000",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        *options, address,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
