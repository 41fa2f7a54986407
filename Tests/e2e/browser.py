"""A headless Chromium, driven over its debugging pipe: no library, no port."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 30  # seconds


class Browser:
    """A page of a browser of its own, and what it asked for and complained of."""

    def __init__(self, width=1280, dark=False):
        self.folder = tempfile.TemporaryDirectory(prefix="plugboard-browser-", ignore_cleanup_errors=True)
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def hand_over():  # the pipe is on 3 and 4; neither may be closed by the other's move
            copies = os.dup(to_browser), os.dup(from_browser)
            first, second = (os.dup2(copy, 10 + number) for number, copy in enumerate(copies))
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [shutil.which("chromium"), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--no-first-run", f"--user-data-dir={self.folder.name}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=hand_over)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.requests, self.complaints = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.folder.cleanup()

    def message(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser says nothing")
            piece = os.read(self.input, 65536)
            if not piece:
                raise EOFError("the browser is gone")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.output, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)

    def note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(parameters["exceptionDetails"].get("text"))
        elif method == "Log.entryAdded" and parameters["entry"]["source"] != "network":
            self.complaints.append(parameters["entry"]["text"])

    def run(self, script):
        """The value of an expression in the page; a promise's, when it is kept."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def until(self, script):
        """The expression's first true value; a failure when there is none in time."""
        deadline = time.monotonic() + PATIENCE
        while not (value := self.run(script)):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never true: {script}")
            time.sleep(0.02)
        return value

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.until("document.querySelectorAll('main details').length > 5")

    def press(self, *keys):
        """Presses keys by their names, as somebody without a mouse does; other texts are typed."""
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        for key in keys:
            if key not in codes:
                self.call("Input.insertText", text=key)
                continue
            text = {"Enter": "\r", " ": " "}.get(key, "")
            for kind in ("keyDown", "keyUp"):
                self.call("Input.dispatchKeyEvent", type=kind, key=key, code="Space" if key == " " else key,
                          windowsVirtualKeyCode=codes[key], text=text if kind == "keyDown" else "")

    def picture(self, path, whole=False):
        import base64
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
