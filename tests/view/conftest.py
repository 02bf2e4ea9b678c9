"""A headless Chromium for the tests of pages, driven through its debugging pipe."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DEADLINE_S = 60.0
KEYS = {"Enter": 13, "Escape": 27, "Backspace": 8, "ArrowUp": 38, "ArrowDown": 40,
        "ArrowLeft": 37, "ArrowRight": 39}  # fmt: skip


# The browser reads from descriptor 3 and writes to 4, which may be in use here; and a function
# between fork and exec is not to run in a process of many threads.
HAND_OVER = """
import os, sys
for end, number in zip(sys.argv[1:3], (3, 4)):
    os.dup2(int(end), number)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """One tab; everything that the page complains of, or asks for, is in `complaints`, `asked`."""

    def __init__(self, program: str, home: Path) -> None:
        given, self._write = os.pipe()
        self._read, told = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (given, told)]
        self.process = subprocess.Popen(
            [
                sys.executable, "-c", HAND_OVER, *map(str, ends), program,
                "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--remote-debugging-pipe", f"--user-data-dir={home}", "--window-size=1400,900",
                "--hide-scrollbars", "--disable-dev-shm-usage", "--disable-background-networking",
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=ends,
        )  # fmt: skip
        for end in (given, told, *ends):
            os.close(end)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.complaints: list[str] = []
        self.asked: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=1400, height=900, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command, and what it gives."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self._number:
                assert "error" not in found, found["error"]
                return dict(found["result"])

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + DEADLINE_S
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser says nothing"
            part = os.read(self._read, 1 << 16)
            assert part, "the browser has ended"
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        method, params = found.get("method"), found.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"])[:2000])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"a dialog: {params['message']}")
        elif method == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
        return found

    def open(self, path: Path, *, dark: bool = False) -> None:
        """Show a page from disk, without a network."""
        self.complaints.clear()
        self.asked.clear()
        self.send(
            "Network.emulateNetworkConditions",
            offline=True, latency=0, downloadThroughput=0, uploadThroughput=0,
        )  # fmt: skip
        scheme = "dark" if dark else "light"
        self.send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        self.send("Page.navigate", url=path.as_uri())
        end = time.monotonic() + DEADLINE_S
        while not self.run("document.readyState === 'complete' && location.protocol === 'file:'"):
            assert time.monotonic() < end, "the page does not load"
        assert not self.complaints, self.complaints

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def key(self, name: str) -> None:
        """Press a key, as a user does."""
        down: dict[str, Any] = {"key": name}
        if name in KEYS:
            down["windowsVirtualKeyCode"] = KEYS[name]
            if name == "Enter":
                down["text"] = "\r"
        else:
            down["text"] = name
        self.send("Input.dispatchKeyEvent", type="keyDown", **down)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=name)

    def type(self, text: str) -> None:
        """Type a text."""
        self.send("Input.insertText", text=text)

    def click(self, selector: str, text: str = "", count: int = 1) -> None:
        """Click in the middle of the first element that a selector finds, with such a text."""
        at = self.run(
            f"(() => {{ const e = [...document.querySelectorAll({json.dumps(selector)})]"
            f".find(e => e.textContent.includes({json.dumps(text)}));"
            "if (!e) return null; const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + Math.min(r.height / 2, 12)]; })()"
        )
        assert at is not None, f"there is no {selector} with {text!r}"
        for number in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.send(
                    "Input.dispatchMouseEvent",
                    type=kind, x=at[0], y=at[1], button="left", clickCount=number,
                )  # fmt: skip

    def wheel(self, x: float, y: float, by: float) -> None:
        """Turn the wheel over a point."""
        self.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag from one point to another."""
        for kind, (x, y), held in (
            ("mousePressed", start, 1),
            ("mouseMoved", end, 1),
            ("mouseReleased", end, 0),
        ):
            self.send(
                "Input.dispatchMouseEvent",
                type=kind, x=x, y=y, button="left", buttons=held, clickCount=1,
            )  # fmt: skip

    def until(self, script: str) -> Any:
        """The value of an expression, once it is one."""
        end = time.monotonic() + DEADLINE_S
        while not (found := self.run(script)):
            assert time.monotonic() < end, f"never: {script}"
        return found

    def picture(self) -> bytes:
        """What is seen, as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        """End the browser."""
        self._session = None
        try:
            self.send("Browser.close")
            self.process.wait(20)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self._write)
        os.close(self._read)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"there is no browser: none of {', '.join(NAMES)} is on the path")
    found = Browser(program, tmp_path_factory.mktemp("browser"))
    yield found
    found.close()
