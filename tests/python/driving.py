"""A headless Chromium that is driven: a page is opened, scripts run in it in real time, pictures are taken.

By the DevTools protocol over two pipes, so that no port is taken. `browser.py` looks at pages that need no hand.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browser import require_browser

#: Nothing that a test asks for takes longer, s.
PATIENCE_S = 60

#: The browser reads from descriptor 3 and writes to 4: puts our pipes there, by way of numbers that are neither.
PIPES = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(each), fcntl.F_DUPFD, 20) for each in sys.argv[1:3]]
for pipe, number in zip(pipes, (3, 4)):
    os.dup2(pipe, number)
os.execv(sys.argv[3], sys.argv[3:])
"""


#: Unfolds all, keeps what a link would save as a promise of its name and its content, and presses all buttons.
TAKE = """
var taken = [];
HTMLAnchorElement.prototype.click = function () {
  taken.push(fetch(this.href).then((found) => found.blob()).then((blob) => new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done([this.download, reader.result.split(",")[1]]);
    reader.readAsDataURL(blob);
  })));
};
document.querySelectorAll("details").forEach((each) => { each.open = true; });
document.querySelectorAll(".take button").forEach((each) => each.click());
document.querySelectorAll(".take").length;
"""


class Page:
    """A page in the browser; what it complained of is in `complaints`."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._buffer, self._count, self._session = b"", 0, ""
        self.complaints: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        attached = self._send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._send(f"{domain}.enable")

    def shape(self, width: int, height: int, *, dark: bool = False, scale: float = 1) -> None:
        """Make the page so wide and high, in CSS pixels."""
        phone = width < 600
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=phone,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._send("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        self._send("Page.navigate", url=address)
        self.until("document.readyState === 'complete'")

    def ask(self, expression: str) -> Any:
        """Return what an expression is in the page; a promise is waited for."""
        found = self._send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression: str) -> Any:
        """Wait until an expression is true, and return it."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if found := self.ask(expression):
                return found
            time.sleep(0.05)
        raise AssertionError(f"never came: {expression}; complaints: {self.complaints}")

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        for letter in text:
            self._send("Input.insertText", text=letter)

    def press(self, key: str, code: int, modifiers: int = 0) -> None:
        """Press a key: its name and its number, such as Tab, 9; modifiers: 2 is Ctrl."""
        for kind in ("rawKeyDown", "keyUp"):
            self._send(
                "Input.dispatchKeyEvent",
                type=kind, key=key, code=key, windowsVirtualKeyCode=code, modifiers=modifiers,
            )  # fmt: skip

    def drag(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """Press the mouse at a place of the window, move it to another, and let it go."""
        left = {"button": "left", "clickCount": 1}
        for kind, (x, y), more in (
            ("mouseMoved", begin, {}),
            ("mousePressed", begin, left),
            ("mouseMoved", end, {"button": "left", "buttons": 1}),
            ("mouseReleased", end, left),
        ):
            self._send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def takes(self) -> dict[str, bytes]:
        """Press all buttons by which charts are taken away, and return the files that they save, by name."""
        count = self.ask(TAKE)
        self.until(f"taken.length === {3 * count}")
        files = self.ask("Promise.all(taken).then(Object.fromEntries)")
        assert len(files) == 3 * count, sorted(files)  # no two have one name
        return {name: base64.b64decode(content) for name, content in files.items()}

    def picture(self, out: Path, *, whole: bool = False) -> None:
        """Write what is seen as a PNG; `whole`: the page beyond the window too."""
        taken = self._send("Page.captureScreenshot", captureBeyondViewport=whole)
        out.write_bytes(base64.b64decode(taken["data"]))

    def _send(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        while True:
            told = self._receive()
            if told.get("id") == self._count:
                assert "error" not in told, (method, told["error"])
                result: dict[str, Any] = told["result"]
                return result
            self._note(told)

    def _note(self, told: dict[str, Any]) -> None:
        params = told.get("params", {})
        if told.get("method") == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif told.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.complaints.append(params["entry"]["text"])
        elif told.get("method") == "Runtime.consoleAPICalled" and params["type"] == "error":
            self.complaints.append(str(params["args"]))

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._reading], [], [], PATIENCE_S)
            assert ready, "the browser says nothing any more"
            part = os.read(self._reading, 1 << 20)
            assert part, "the browser has ended"
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        told: dict[str, Any] = json.loads(message)
        return told


@contextlib.contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """Start a browser with its profile in `folder`, give a page of it, and end it. Skips where there is none."""
    name = require_browser()
    to_it, ours_out = os.pipe()
    ours_in, from_it = os.pipe()
    options = [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-pipe",
        f"--user-data-dir={folder / 'profile'}",
    ]  # fmt: skip
    started = subprocess.Popen(
        [sys.executable, "-c", PIPES, str(to_it), str(from_it), name, *options, "about:blank"],
        pass_fds=(to_it, from_it),
        stderr=subprocess.DEVNULL,
    )
    os.close(to_it)
    os.close(from_it)
    try:
        yield Page(ours_in, ours_out)
    finally:
        started.terminate()
        started.wait(timeout=PATIENCE_S)
        os.close(ours_in)
        os.close(ours_out)
