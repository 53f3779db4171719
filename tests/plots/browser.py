"""Headless Chromium, driven through its debugging pipe: for tests of pages as people use them."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAM = next(filter(None, map(shutil.which, (
    os.environ.get("CHROMIUM", "chromium"), "chromium-browser", "google-chrome"))), None)


class Browser:
    """One page. `complaints` collects exceptions and whatever the console calls an error, `fetched`
    every address that was asked for."""

    def __init__(self, width=1200, height=900):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (to_read, self._write), (self._read, to_write) = os.pipe(), os.pipe()
        # Not sh: dash has no descriptors above 9, which the pipes get if many files are open.
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "bash", PROGRAM,
             "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
             "--disable-dev-shm-usage", "--disable-smooth-scrolling",
             f"--user-data-dir={self._profile.name}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self._waiting, self._number, self._session = b"", 0, None
        self.complaints, self.fetched = [], []
        target = next(t for t in self.send("Target.getTargets")["targetInfos"]
                      if t["type"] == "page")
        self._session = self.send("Target.attachToTarget", targetId=target["targetId"],
                                  flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.resize(width, height)

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def send(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _next(self):
        while b"\0" not in self._waiting:
            got = os.read(self._read, 1 << 20)
            if not got:
                raise RuntimeError("Chromium is gone")
            self._waiting += got
        message, self._waiting = self._waiting.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event):
        method, about = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description",
                                                                    details["text"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning"):
            self.complaints.append(str(about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.complaints.append(about["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.fetched.append(about["request"]["url"])

    def resize(self, width, height, touch=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=touch)

    def prefer(self, media="", **features):
        """As people set their systems: prefer(prefers_color_scheme="dark")."""
        self.send("Emulation.setEmulatedMedia", media=media, features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def open(self, path, ready):
        """Opens the file and waits until the expression `ready` holds."""
        self.send("Page.navigate", url=Path(path).resolve().as_uri())
        self.wait(ready)

    def wait(self, expression, seconds=120):
        """Waits until the expression holds; only a mistake takes so long."""
        end = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"{expression} never came to hold: {self.complaints}")
            time.sleep(0.05)

    def evaluate(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def press(self, key, shift=False):
        code = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9,
                "Escape": 27, "Enter": 13, " ": 32}.get(key, ord(key[0]))
        typed = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        for kind, more in (("keyDown", typed), ("keyUp", {})):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                      modifiers=8 * shift, **more)

    def mouse(self, kind, x, y, **more):
        """kind: mouseMoved, mousePressed, mouseReleased or mouseWheel."""
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def screenshot(self, path, whole=False):
        got = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(got["data"]))

    def pdf(self, **paper):
        """The printed page; `paper` has its size in inches, paperWidth and paperHeight."""
        return base64.b64decode(self.send("Page.printToPDF", **paper)["data"])
