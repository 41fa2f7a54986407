"""A server with documents, tokens and traffic, and browsers that visit its console."""
import contextlib
import json
import os
import pty
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".build/venv"
sys.dont_write_bytecode = True  # leaves no cache beside the sources
sys.path.insert(0, str(ROOT / "Tests/e2e"))
if not Path(sys.prefix).samefile(VENV) and (VENV / "bin/python").exists():
    os.execv(VENV / "bin/python", [VENV / "bin/python", *sys.argv])
from harness import ENVIRONMENT, Server, check, equal, eventually, token  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

__all__ = ["ROOT", "Console", "Terminal", "Traffic", "browser", "check", "equal", "eventually", "open_page", "sign_out", "signed_out", "visit"]
DOCUMENT = """[
  {"name": "Home", "actions": [
    {"func": "show"}
  ]},
  {"name": "Banner", "when": {"rollout": 10}, "actions": [
    {"func": "show", "value": "Hello"}
  ]}
]
"""
RULES = """{"segments": {"baltic": {"in": [{"var": "country"}, ["LV", "EE", "LT"]]}},
 "modules": [
  {"name": "Home", "actions": [{"func": "show"}, {"func": "dance"}]},
  {"name": "Banner", "when": {"segment": "baltic"}, "actions": [
    {"func": "show"},
    {"func": "sparkle", "when": {"and": [{"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}, {"rollout": 10}]}}]}]}
"""


class Console(Server):
    """A server whose console is tested: three people with tokens."""

    def __init__(self, folder, *options):
        super().__init__(folder, *options)
        data = self.folder / "data"
        self.ada = token(data, "admin", name="ada")
        self.bob = token(data, "behaviors:read", "behaviors:approve", "audit:read", name="bob")
        self.eve = token(data, "behaviors:read", "behaviors:write", name="eve")

    def act(self, method, path, body=None, by=None, fields=None):
        """A request that has to succeed."""
        answer = self.send(method, path, body, {"Authorization": f"Bearer {by or self.ada}", **(fields or {})})
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer}")
        return answer.json if answer.body and "json" in answer.fields.get("Content-Type", "") else None

    def publish(self, name, text, by=None, **query):
        return self.act("PUT", f"/behaviors/{name}?{urllib.parse.urlencode(query)}", text, by or self.eve)

    def live(self, name="default", environment="production"):
        """The number of the live revision."""
        reports = self.act("GET", f"/behaviors?environment={environment}")
        return next((one.get("live") for one in reports if one["name"] == name), None)

    def text(self, name="default", environment="production"):
        """The bytes of the live revision."""
        path = f"/behaviors/{name}/revisions/{self.live(name, environment)}?environment={environment}"
        return self.send("GET", path, fields={"Authorization": f"Bearer {self.ada}"}).body.decode()

    def plan(self, action):
        return self.act("GET", f"/plugs/{action}")["plug"]["plan"]

    def fill(self):
        """Photos, documents in two environments, a draft with a schedule, and plans of every kind."""
        for title in ("Mir", "Riga"):
            self.act("POST", "/photos", {"title": title})
        self.publish("default", DOCUMENT, message="First version")
        self.publish("default", DOCUMENT.replace("Hello", "Good morning"), message="Louder")
        create = {"create": "true"} if '"create"' in json.dumps(self.act("GET", "/openapi.json")["paths"]["/behaviors/{name}"]) else {}
        self.publish("default", DOCUMENT, environment="staging", **create)
        self.publish("checkout", '[{"name": "Checkout", "actions": [{"func": "pay"}]}]', environment="staging", message="Start")
        draft = self.publish("default", RULES, draft="true", message="Rules for the Baltic countries")["revision"]
        self.act("PUT", "/environments/production", {"approvals": 1})
        self.act("POST", "/behaviors/default/approve", {"revision": draft}, self.bob)
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 7200))
        self.act("POST", "/behaviors/default/schedules", {"revision": draft, "at": at}, self.eve)
        guard = {"errors": 0.05, "slowdown": 900, "calls": 100}
        self.act("PUT", "/plugs/LikePhoto", {"plan": {"split": {"database": 90, "memory": 10}, "guard": guard}})
        steps = [{"plug": "database", "timeout": 2}, "memory"]
        self.act("PUT", "/plugs/GetPhoto", {"plan": {"cache": {"plug": {"fallback": steps}, "seconds": 60}}})
        shadow = {"plug": "database", "with": {"retry": {"plug": "memory", "attempts": 2}}}
        self.act("PUT", "/plugs/ListPhotos", {"plan": {"breaker": {"plug": {"shadow": shadow}, "failures": 5}}})
        return draft


class Terminal:
    """A terminal in which a server starts again: it prints its link only there."""

    def __init__(self, server):
        self.server, self.text = server, ""

    def __enter__(self):
        self.server.end()
        ours, theirs = pty.openpty()
        with open(self.server.log, "ab") as log:
            self.server.process = subprocess.Popen(
                [self.server.binary, "serve", "--host", "127.0.0.1", "--port", str(self.server.port), *self.server.places,
                 *self.server.options], stdin=subprocess.DEVNULL, stdout=theirs, stderr=log, env=ENVIRONMENT, cwd=self.server.folder)
        os.close(theirs)
        threading.Thread(target=self.read, args=(ours,), daemon=True).start()
        if not eventually(lambda: "Plugboard serves at " in self.text):
            raise RuntimeError(f"the server does not start:\n{self.text}")
        return self

    def read(self, ours):
        with contextlib.suppress(OSError):  # the end of the server
            while piece := os.read(ours, 65536):
                self.text += piece.decode(errors="replace")
        os.close(ours)

    def __exit__(self, *_):
        self.server.end()


class Traffic:
    """Calls of three actions while it is entered."""

    def __init__(self, server):
        self.server, self.stopped = server, threading.Event()

    def run(self):
        number = 0
        while not self.stopped.wait(0.03):
            number += 1
            with contextlib.suppress(OSError):
                self.server.send("POST", "/photos/1/like", {"user": f"user-{number % 50}"})
                self.server.send("GET", "/photos")
                self.server.send("GET", "/photos/1")

    def __enter__(self):
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()


@contextlib.contextmanager
def browser():
    """A headless Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        try:
            yield chromium
        finally:
            chromium.close()


def open_page(page, server, path):
    """Opens an address of the console, and waits until its page is shown and loaded."""
    page.goto(f"{server.url}/console/#/{path}")
    page.wait_for_function("""() => {
        const main = document.querySelector("main[data-address]:not([aria-busy])");
        return main?.dataset.address === location.hash && main.querySelector("h1") && !main.innerText.includes("Loading …");
    }""")


def sign_out(page):
    """Signs out, and waits for the page that starts again."""
    page.evaluate("window.isBefore = true")
    page.locator(".caller").get_by_role("button", name="Sign out").click()
    signed_out(page)


def signed_out(page):
    page.wait_for_function("() => !window.isBefore && location.hash === '#/sign-in' && document.querySelector('#field-token') !== null")


def visit(chromium, server, token=None, path="board", width=1280, height=800, script="", remember=False, **options):
    """A page of the console in a profile of its own, signed in with a token. Its complaints are in `page.complaints`."""
    context = chromium.new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.complaints = []
    if script:
        page.add_init_script(script)
    # The browser reports each response of 4xx; only those of the console's own files are faults.
    page.on("console", lambda message: page.complaints.append(message.text)
            if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource") else None)
    page.on("response", lambda response: page.complaints.append(f"{response.status} {response.url}")
            if response.status >= 500 or response.status >= 400 and "/console/" in response.url else None)
    page.on("pageerror", lambda error: page.complaints.append(f"{error.message}\n{error.stack}"))
    if token:
        page.goto(f"{server.url}/console/#/sign-in?from=%23%2F{urllib.parse.quote(path, safe='')}")
        page.locator("#field-token").fill(token)
        page.get_by_label("Stay signed in").set_checked(remember)
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"**/console/#/{path}")
    else:
        page.goto(f"{server.url}/console/#/{path}")
    page.wait_for_selector("h1")
    return page
