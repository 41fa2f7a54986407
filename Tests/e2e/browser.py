"""A headless Chromium, driven over its debugging pipe: no library, no port."""
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 30  # seconds


class NoBrowser(Exception):
    """The browser isn't there or ends before it has shown an empty page: nothing is known of ours."""


class Browser:
    """A page of a browser of its own, and what it asked for and complained of."""

    # Where not all is allowed that a browser with several processes wants, one that wants less.
    WAYS = [], ["--no-zygote", "--in-process-gpu"], ["--no-zygote", "--single-process"]

    def __init__(self, width=1280, dark=False):
        if not shutil.which("chromium"):
            raise NoBrowser("chromium is missing: make test installs it")
        said = []
        for flags in self.WAYS:
            self.folder = tempfile.TemporaryDirectory(prefix="plugboard-browser-", ignore_cleanup_errors=True)
            self.start(flags)
            try:
                target = self.call("Target.createTarget", url="about:blank")["targetId"]
                self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
                self.run("document.title")
                break
            except OSError as error:  # the pipe's end, and silence
                self.close()
                said.append(f"{' '.join(flags) or 'as it is'}: {error}, it ended with {self.process.returncode}\n{self.last_words}")
        else:
            raise NoBrowser("\n".join(said))
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def start(self, flags):
        to_browser, from_browser = os.pipe(), os.pipe()
        # The browser's ends are 3 and 4 there. They are high before, so that no move closes what is still to be moved.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 100) for end in (to_browser[0], from_browser[1])]
        self.output, self.input = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 100) for end in (to_browser[1], from_browser[0]))
        for end in (*to_browser, *from_browser):
            os.close(end)
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs[0]} 4>&{theirs[1]}', "bash",
             "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *flags,
             "--remote-debugging-pipe", "--no-first-run", f"--user-data-dir={self.folder.name}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(f"{self.folder.name}/said", "wb"), pass_fds=theirs)
        for end in theirs:
            os.close(end)
        self.buffer, self.number, self.session = b"", 0, None
        self.requests, self.complaints = [], []

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        with open(f"{self.folder.name}/said", errors="replace") as said:
            self.last_words = said.read()[-1000:]
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def message(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser says nothing")
            piece = os.read(self.input, 65536)
            if not piece:
                raise BrokenPipeError("the browser is gone")
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
