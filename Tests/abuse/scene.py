"""A server that is abused: what it costs meanwhile, and whether all is as before when the abuse is over."""
import contextlib
import os
import resource
import signal
import socket
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))
from harness import Server, by_load, check, eventually, read_to_end, results  # noqa: E402

MIB = 1024 * 1024
NORMAL = b"GET /photos/42 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
PROMPT = 2.0  # seconds that a normal request may take, also beside the abuse, on a machine that isn't busy
MEMORY_PLUGS = [f"{action}=Memory{action}" for action in
                ("ListPhotos", "GetPhoto", "PostPhoto", "LikePhoto", "UnlikePhoto", "WatchLikes")]
# Short, so that a whole run is; what is measured is that each timeout ends what it is there to end.
BOUNDS = {"loops": 2, "head-timeout": 1, "body-timeout": 1, "idle-timeout": 2, "write-timeout": 1, "drain-timeout": 4}


def raise_descriptor_limit(needed=2600):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < needed:
        sys.exit(f"the scenarios hold {needed} descriptors; the limit is {hard}: ulimit -n {needed}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def descriptor_limit():
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


class Target(Server):
    """A server with short timeouts that keeps its photos in memory, and what /proc says of it."""

    def __init__(self, folder, plugs=MEMORY_PLUGS, options=(), **bounds):
        bounds = BOUNDS | {name.replace("_", "-"): value for name, value in bounds.items()}
        options = [*options, *(word for name, value in bounds.items() for word in (f"--{name}", str(value)))]
        super().__init__(folder, *options, *(word for plug in plugs for word in ("--plug", plug)))

    def pids(self):
        return [self.process.pid]

    def start(self):
        super().start()
        for _ in range(20):  # what is made once is made
            self.normal()
        self.descriptors_at_rest()  # its watchers begin after it serves

    def proc(self, name):
        return [Path(f"/proc/{pid}/{name}").read_text() for pid in self.pids()]

    def descriptors(self):
        """The open descriptors, except the databases': a pool opens its next connection when the load asks for one."""
        def is_counted(descriptor):
            try:
                return ".sqlite" not in os.readlink(descriptor)
            except OSError:  # closed meanwhile
                return False
        return sum(map(is_counted, (f"/proc/{pid}/fd/{name}" for pid in self.pids() for name in os.listdir(f"/proc/{pid}/fd"))))

    def descriptors_at_rest(self):
        """Those that are open when all is opened and closed: as many at five looks."""
        looks = []
        while len(looks) < 5 or len(set(looks[-5:])) > 1:
            looks.append(self.descriptors())
            time.sleep(0.1)
        return looks[-1]

    def memory(self, kind="VmRSS"):
        lines = (line.split() for status in self.proc("status") for line in status.splitlines())
        return sum(int(words[1]) * 1024 for words in lines if words[0] == kind + ":")

    def forget_peak(self):
        """From here on `memory("VmHWM")` is the most of it since."""
        for pid in self.pids():
            Path(f"/proc/{pid}/clear_refs").write_text("5")

    def cpu(self):
        """Seconds of CPU so far."""
        ticks = (stat.rpartition(")")[2].split() for stat in self.proc("stat"))
        return sum(int(fields[11]) + int(fields[12]) for fields in ticks) / os.sysconf("SC_CLK_TCK")

    def connect(self, receive_buffer=None, timeout=10):
        client = socket.socket()
        if receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        client.settimeout(timeout)
        client.connect(("127.0.0.1", self.port))
        return client

    def normal(self, request=NORMAL):
        """A normal request: its answer's first line and the seconds it took."""
        begin = time.monotonic()
        received = b""
        with contextlib.suppress(OSError), self.connect(timeout=by_load(5)) as client:
            client.sendall(request)
            received = read_to_end(client)
        return received.split(b"\r\n")[0], time.monotonic() - begin

    def ask(self, raw, timeout=10):
        """The answer's status, or what else came, for bytes that the server needn't take to their end."""
        with self.connect(timeout=timeout) as client:
            with contextlib.suppress(OSError):
                client.sendall(raw)
                client.shutdown(socket.SHUT_WR)  # so that it closes behind its answer
            received = read_to_end(client)
        # Who has closed its side is asked whether it is still there, by interim responses (RFC 9110 §15.2).
        while received.startswith(b"HTTP/1.1 1"):
            received = received.partition(b"\r\n\r\n")[2]
        return int(received[9:12]) if received.startswith(b"HTTP/1.1 ") else received[:40]


class Probe:
    """A normal request now and then, from a thread beside the abuse."""

    def __init__(self, server):
        self.server, self.slowest, self.failures, self.count = server, 0.0, [], 0
        self.over, self.thread = threading.Event(), threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.count or not self.over.wait(0.05):
            status, took = self.server.normal()
            self.slowest, self.count = max(self.slowest, took), self.count + 1
            if b" 200 " not in status:
                self.failures.append(status)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join(10)


@contextlib.contextmanager
def abuse(server, name, memory=4, serves=True):
    """Runs the abuse in its block; then all has to be as before.

    `memory`: the most, in MiB, that the server may take in addition meanwhile. `serves`: a normal request beside the
    abuse has to be answered within two seconds, which can't be where it takes all connections.
    """
    pids, descriptors, resident, cpu = server.pids(), server.descriptors(), server.memory(), server.cpu()
    server.forget_peak()
    begin = time.monotonic()
    failed = results.count(False)
    with Probe(server) if serves else contextlib.nullcontext() as probe:
        yield
    took, wrong = time.monotonic() - begin, []
    if server.process.poll() is not None or server.pids() != pids:
        check(name, False, f"the server is gone: {server.process.poll()}\n{server.log.read_text()[-2000:]}")
        raise SystemExit(1)
    if not eventually(lambda: server.descriptors() <= descriptors, 8):
        wrong.append(f"{server.descriptors()} descriptors, {descriptors} before")
    spent = server.cpu() - cpu
    status, prompt = server.normal()
    if b" 200 " not in status or prompt > by_load(PROMPT):
        wrong.append(f"a normal request after it: {status} in {prompt:.2f} s")
    if probe and (probe.failures or probe.slowest > by_load(PROMPT)):
        wrong.append(f"of {probe.count} normal requests beside it: {probe.failures[:3]}, {probe.slowest:.2f} s")
    peak = (server.memory("VmHWM") - resident) / MIB
    if peak > memory:
        wrong.append(f"it took {peak:.1f} MiB more, {memory} are its bound")
    if (busy := idle_cpu(server)) > 0.05:
        wrong.append(f"{busy:.2f} s of CPU in half an idle second")
    figures = f"{took:.1f} s, CPU {spent:.2f} s, {peak:+.1f} MiB"
    figures += f", {probe.slowest * 1000:.0f} ms beside it" if probe else ""
    check(f"{name} [{figures}]", not wrong and failed == results.count(False), "; ".join(wrong) or "see above")


def idle_cpu(server):
    """The CPU that it takes in half a second of silence, in its quietest of three."""
    def half():
        before = server.cpu()
        time.sleep(0.5)  # the one wait of a fixed time: it is what is measured
        return server.cpu() - before
    return min(next(filter(lambda spent: spent <= 0.05, (half() for _ in range(3))), 1), 1)


def expect(what, passed, detail=""):
    """A check that is told only when it fails: a scenario's own line sums up."""
    return bool(passed) or check(what, False, detail)


def end(server, number=signal.SIGTERM):
    """The status that the server ends with, and after how many seconds."""
    begin = time.monotonic()
    return server.end(number), time.monotonic() - begin
