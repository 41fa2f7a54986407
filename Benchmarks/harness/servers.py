"""The servers: how each is started on one core, and what it takes."""
import contextlib
import json
import os
import re
import shutil
import socket
import string
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent
PEERS = HERE / "Peers"
SERVER_CORE, LOAD_CORE = 0, 1

# What the rules of a targeted document ask: a property among some, a version and a percentage.
RULES = [{"in": [{"var": "country"}, ["LV", "EE", "LT"]]},
         {"and": [{"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}, {"rollout": 100}]}]

SWIFT_PEERS = "swift build -c release --static-swift-stdlib --package-path Benchmarks/Peers"


class Server:
    """A server's name, how tables spell it, the program that it needs and how that is made, what it takes beside GET."""

    def __init__(self, name, title, needs=None, made_by=None, takes=(), version=None):
        self.name, self.title, self.needs, self.made_by = name, title, needs, made_by
        self.takes, self.version = {"get", *takes}, version

    def is_there(self):
        return self.needs is None or (self.needs.is_file() if isinstance(self.needs, Path) else shutil.which(self.needs))


def peer(product):
    return PEERS / ".build/release" / product


def known(plugboard):
    """All servers, in the order of the tables."""
    return {server.name: server for server in (
        Server("limit", "C limit", "cc", "apt-get install gcc libc6-dev", takes={"like"}),
        Server("plugboard", "Plugboard", plugboard, "make build", takes={"like", "h2c"}),
        Server("nginx", "nginx", "nginx", "apt-get install nginx-light", takes={"h2c"},
               version=["nginx", "-v"]),
        Server("h2o", "h2o", "h2o", "apt-get install h2o", takes={"h2c"}, version=["h2o", "-v"]),
        Server("hummingbird", "Hummingbird", peer("HummingbirdPeer"), SWIFT_PEERS, takes={"like", "h2c"}),
        Server("flyingfox", "FlyingFox", peer("FlyingFoxPeer"), SWIFT_PEERS, takes={"like"}),
        Server("go", "Go", "go", "apt-get install golang-go", takes={"like"}, version=["go", "version"]),
        Server("node", "Node", "node", "apt-get install nodejs", takes={"like", "h2c"}, version=["node", "--version"]),
    )}


class Servers:
    """Starts servers; `folder` is temporary and holds what they read and write."""

    def __init__(self, plugboard, folder):
        self.plugboard, self.folder = plugboard, folder
        (folder / "www").mkdir(exist_ok=True)

    def prepare(self, names):
        """Compiles what is small, and has all peers answer with the very bytes that Plugboard answers with."""
        compile_c(HERE / "limit/limit.c", self.folder / "limit")
        if "go" in names:
            subprocess.run(["go", "build", "-o", self.folder / "go-peer", "."], cwd=PEERS / "go", check=True)
        self.behaviors.write_bytes((ROOT / "public/behaviors.json").read_bytes())
        (self.folder / "www/like.json").write_bytes(b'{"likes":1000000,"photo":42}')
        if "plugboard" in names:
            with self.running("plugboard") as (_, port):
                self.behaviors.write_bytes(ask(port))

    @property
    def behaviors(self):
        return self.folder / "www/behaviors.json"

    def command(self, name, port, mode):
        if name == "limit":
            return [self.folder / "limit", port, self.folder / "www/like.json" if mode == "like" else self.behaviors]
        if name == "plugboard":
            public = self.public(mode) if mode in ("bare", "targeted") else ROOT / "public"
            return [self.plugboard, "serve", "--host", "127.0.0.1", "--port", port, "--public", public,
                    "--data", self.folder / "data", "--loops", "1",
                    *([] if mode == "durable" else ["--plug", "LikePhoto=memory"])]
        if name == "nginx":
            return ["nginx", "-p", self.folder, "-e", "stderr", "-c",
                    self.fill("nginx.conf", port, http2="http2" if mode == "h2c" else "")]
        if name == "h2o":
            return ["h2o", "-c", self.fill("h2o.yaml", port)]
        program = {"hummingbird": [peer("HummingbirdPeer")], "flyingfox": [peer("FlyingFoxPeer")],
                   "go": [self.folder / "go-peer"], "node": ["node", PEERS / "node/peer.mjs"]}[name]
        return [*program, port, self.behaviors, *(["h2c"] if mode == "h2c" else [])]

    def public(self, mode):
        """A folder with the document, compact: "bare", or with rules that hold for who is asked for."""
        document = json.loads((ROOT / "public/behaviors.json").read_text())
        if mode == "targeted":
            for module, rule in zip(document, RULES):
                module["when"] = rule
        folder = self.folder / mode
        folder.mkdir(exist_ok=True)
        (folder / "behaviors.json").write_text(json.dumps(document, separators=(",", ":")))
        return folder

    def fill(self, template, port, **more):
        filled = self.folder / template
        text = string.Template((PEERS / template).read_text())
        filled.write_text(text.substitute(port=port, folder=self.folder, **more))
        return filled

    @contextlib.contextmanager
    def running(self, name, mode="get", prefix=(), environment=(), patience=10):
        """A pinned server that has answered once: (pid, port). It is gone when the block ends."""
        port = free_port()
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [str(word) for word in (*prefix, *self.command(name, port, mode))], stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, env={**os.environ, "GOMAXPROCS": "1", **dict(environment)},
                preexec_fn=lambda: os.sched_setaffinity(0, {SERVER_CORE}))
        try:
            wait_for_answer(process, port, mode, Path(log.name), patience)
            yield process.pid, port
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def compile_c(source, product, *flags):
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", product, source, *flags], check=True)
    return product


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port):
    """The body of one GET /behaviors.json; OSError while nobody answers."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"GET /behaviors.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        received = b""
        while piece := connection.recv(65536):
            received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200 "):
        raise OSError(f"answered {head[:80]!r}")
    return body


def ask_http2(port):
    """Waits for a server's first HTTP/2 frame, which is its SETTINGS (RFC 9113 section 3.4)."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
        if connection.recv(9)[3:4] != b"\x04":
            raise OSError("no SETTINGS")


def wait_for_answer(process, port, mode, log, patience):
    deadline = time.monotonic() + patience
    while True:
        try:
            return ask_http2(port) if mode == "h2c" else ask(port)
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"bench: {process.args[0]} does not serve ({error}):\n{log.read_text()[-2000:]}")
            time.sleep(0.0002)


def versions(servers):
    """Each peer's version, as it says itself or its package names it."""
    package = (PEERS / "Package.swift").read_text()
    found = []
    for server in servers:
        if server.version:
            said = subprocess.run(server.version, capture_output=True, text=True)
            text = said.stdout + said.stderr
        else:
            text = "".join(re.findall(rf'(?i)/{server.name}", exact: "([^"]*)"', package))
        if number := re.search(r"\d+\.\d+(\.\d+)?", text):
            found.append(f"{server.title} {number[0]}")
    return ", ".join(found)
