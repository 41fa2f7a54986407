"""A server under test and the checks' vocabulary, for the scripts in this folder."""
import contextlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/release/photos").resolve()
ORDERS, PLUGBOARD = BINARY.with_name("orders"), BINARY.with_name("plugboard")  # built beside it
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PLUGBOARD_")}
ENVIRONMENT["PLUGBOARD_METRICS_PORT"] = "off"  # one machine, many servers
PATIENCE = 15  # seconds; for what has no deadline of its own
# A shell ignores SIGINT for what it runs in the background, nohup SIGHUP, and so would the servers: they inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
claims = []  # sockets whose names are the ports that this process has
results = []
skipped = []


def check(name, passed, detail=""):
    results.append(bool(passed))
    print(f"ok    {name}" if passed else f"FAIL  {name}" + (f"\n      {detail}" if detail else ""), flush=True)
    return passed


def skip(name, reason):
    """Says what can't be checked here, and why; it is counted apart."""
    skipped.append(name)
    print(f"skip  {name}\n      {reason}", flush=True)


def equal(name, got, expected):
    return check(name, got == expected, f"got {got!r}, expected {expected!r}")


def eventually(condition, seconds=PATIENCE):
    """The condition's first true value, or its last one when the deadline has passed."""
    deadline = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return value


def seconds_until(condition):
    """How long a condition takes to be true; None if it doesn't become so."""
    begin = time.monotonic()
    return time.monotonic() - begin if eventually(condition) else None


def by_load(seconds):
    """So many seconds, and more on a busy machine: a server that waits for a core isn't slow."""
    return seconds * max(1, os.getloadavg()[0] / len(os.sched_getaffinity(0)))


def within_a_second(name, condition):
    """Checks that a condition becomes true within a second, and prints its time."""
    took = seconds_until(condition)
    return check(f"{name} within a second" + (f" ({took:.2f} s)" if took is not None else ""),
                 took is not None and took < by_load(1), took)


def free_port():
    """Claims a port for this process. Other scripts don't get it, nor does an outgoing connection: these use higher ports."""
    ephemeral = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.SystemRandom().randrange(10_000, max(ephemeral, 20_000))
        claim = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError), socket.socket() as probe:
            claim.bind(f"\0plugboard-port-{port}")  # an abstract name: it ends with this process
            probe.bind(("127.0.0.1", port))
            claims.append(claim)
            return port
        claim.close()


def read_to_end(connection):
    received = b""
    with contextlib.suppress(OSError):  # a reset or a time-out ends it too
        while piece := connection.recv(65536):
            received += piece
    return received


class Answer:
    def __init__(self, response):
        self.status, self.fields, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:200]!r}"


class Server:
    """A `photos serve` of its own, or another server's: a port, a copy of public/, a data folder, a log."""

    def __init__(self, folder, *options, binary=BINARY, has_data=True):
        self.folder, self.options, self.port = Path(folder), options, free_port()
        self.places = ("--public", self.folder / "public") + (("--data", self.folder / "data") if has_data else ())
        self.behaviors, self.log = self.folder / "public/behaviors.json", self.folder / "log"
        shutil.copytree(ROOT / "public", self.folder / "public")
        self.process, self.binary = None, binary

    def start(self, until=None):
        """Returns when it is ready, or when the condition is true: its sockets answer before it is ready."""
        with open(self.log, "ab") as log:
            begin = log.tell()
            self.process = subprocess.Popen(
                [self.binary, "serve", "--host", "127.0.0.1", "--port", str(self.port), *self.places,
                 *self.options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=ENVIRONMENT, cwd=self.folder)
        until = until or (lambda: b"Plugboard serves at " in self.log.read_bytes()[begin:])
        if not eventually(lambda: until() or self.process.poll() is not None) or self.process.poll() is not None:
            raise RuntimeError(f"the server does not start:\n{self.log.read_text()[-2000:]}")

    def accepts(self):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        return False

    def end(self, number=signal.SIGTERM):
        """Sends a signal and waits: the exit status (minus the number of the signal that killed it)."""
        self.process.send_signal(number)
        return self.wait()

    def end_delay(self):
        """Ends the delay of a server that stops: a signal within half a second of the first one has no effect."""
        def has_ended():
            self.process.send_signal(signal.SIGTERM)
            return self.process.poll() is not None
        eventually(has_ended)
        return self.wait()

    def wait(self):
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return "still running"

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    @property
    def token_place(self):
        """The store of its tokens: the database if it has one, else the data folder."""
        if "--database" in self.options:
            return self.options[self.options.index("--database") + 1]
        return self.folder / "data"

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def send(self, method, path, body=None, fields=None):
        fields = dict(fields or {})
        if body is not None:
            body = body if isinstance(body, (bytes, str)) else json.dumps(body)
            fields.setdefault("Content-Type", "application/json")
        connection = self.connection()
        try:
            connection.request(method, path, body, fields)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def exchange(self, raw):
        """What comes back for these bytes until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall(raw)
            return read_to_end(connection)

    def like(self, body=None):
        return self.send("POST", "/photos/42/like", body)


class Database:
    """A PostgreSQL that ends with this process, however that ends; its url is empty where there is none to be had.

    Its clock is `clock` seconds fast.
    """

    def __init__(self, clock=None):
        arguments = [] if clock is None else [str(clock)]
        self.keeper = subprocess.Popen([ROOT / "Tests/postgresql", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
        self.url = self.keeper.stdout.readline().strip()

    def tell(self, line):
        self.keeper.stdin.write(line + "\n")
        self.keeper.stdin.flush()
        return self.keeper.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.keeper.stdin.close()
        self.keeper.wait(timeout=60)


def plugboard(*arguments, environment=None, text=None):
    """Runs a command to its end."""
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=PATIENCE * 2, input=text,
                          env=ENVIRONMENT | (environment or {}))


def token(place, *scopes, name=""):
    """Creates a token in a data folder, or in a database by its URL."""
    options = ["--name", name] + [option for scope in scopes for option in ("--scope", scope)]
    option = "--database" if str(place).startswith("postgres") else "--data"
    return plugboard("token", "create", option, place, *options).stdout.strip()


def is_problem(answer, status, detail=""):
    """RFC 9457: the media type, the status repeated in the body, the detail somewhere in it, and no Swift in it."""
    if answer.status != status or answer.fields.get_content_type() != "application/problem+json":
        return False
    problem = answer.json
    said = " ".join(str(value) for value in problem.values())
    return problem.get("status", status) == status and detail in said and not re.search(r"Swift|DecodingError", said)


def run_groups(*groups):
    """Runs each group in a folder of its own, closes with the count and exits: 1 on a failure."""
    if not os.access(BINARY, os.X_OK):
        sys.exit(f"{BINARY} is missing: swift build -c release --product plugboard --static-swift-stdlib")
    with tempfile.TemporaryDirectory(prefix="plugboard-e2e-") as folder:
        for group in groups:
            own = Path(folder) / group.__name__
            own.mkdir()
            print(f"— {group.__name__.replace('_', ' ')}", flush=True)
            try:
                group(own)
            except Exception:  # a group that breaks off is a failure, and the others still run
                check(f"{group.__name__} runs to its end", False, traceback.format_exc())
    print(f"{sum(results)} passed, {results.count(False)} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    sys.exit(0 if all(results) else 1)
