"""What noise doesn't touch, of Plugboard alone: heap allocations and instructions per request."""
import re
import shutil
import socket
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from .loads import LOADS, TARGETED
from .servers import HERE, Servers, compile_c
from .table import Aim, Row, say

GET = b"GET /behaviors.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = (b"POST /photos/42/like HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n"
        b'{"user":"ada"}')
TARGETED_GET = b"GET /behaviors.json?country=LV&version=2.1.3&targetingKey=user-42 HTTP/1.1\r\nHost: localhost\r\n\r\n"
PING = b"POST /actions/Ping HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
REQUESTS = {"get": GET, "like": POST, "targeted": TARGETED_GET, "ping": PING}
TITLES = {"get": "GET /behaviors.json", "targeted": "the same with rules", "like": "POST /photos/42/like", "h2c": "GET, HTTP/2, 32 streams"}
PINGS = {"ping": "POST /actions/Ping"}
ALLOCATION_AIMS = {"get": Aim(0.01, to=None), "targeted": Aim(2, to=None), "like": Aim(12, to=None)}
INSTRUCTION_AIMS = {"get": Aim(6000, to=None)}
LISTED = ("swift_allocObject", "swift_retain", "swift_release", "swift_bridgeObjectRetain", "swift_bridgeObjectRelease", "swift_slowAlloc",
          "malloc", "__memcpy_avx_unaligned_erms")  # whose callers are named


def count_allocations(servers):
    """Allocations in a second's load, divided by its requests: its connections' own vanish among so many."""
    library = compile_c(HERE / "count/allocations.c", servers.folder / "allocations.so", "-shared", "-fPIC")
    file = servers.folder / "allocations"
    file.write_bytes(bytes(8))
    for case, title in TITLES.items():
        load = TARGETED if case == "targeted" else LOADS[case]
        environment = {"LD_PRELOAD": library, "ALLOCATIONS": file}.items()
        with servers.running("plugboard", mode(case), environment=environment) as (_, port):
            load.drive(port, 1)
            before = int.from_bytes(file.read_bytes(), sys.byteorder)
            requests, _ = load.drive(port, 1)
            allocations = int.from_bytes(file.read_bytes(), sys.byteorder) - before
        say(f"  {title}: {allocations:,} allocations in {requests:,} requests")
        yield Row(f"heap allocations, {title}", "", {"plugboard": [allocations / requests]}, "{:.2f}",
                  ALLOCATION_AIMS.get(case), table="counts")


def mode(case):
    """How the server is started."""
    return {"targeted": "targeted"}.get(case, "get")


def count_instructions(servers, requests, top):
    """Instructions in user space by callgrind: requests one after the other, each with a turn of the loop for itself."""
    stripped = servers.folder / "stripped/plugboard"  # callgrind reads debug information for minutes
    stripped.parent.mkdir()
    subprocess.run(["strip", "-g", "-o", stripped, servers.plugboard], check=True)
    for case, title in (TITLES | PINGS).items():
        profile = profile_requests(servers, stripped, case, requests)
        say(f"  {title}:\n" + profile.describe(requests, top))
        yield Row(f"instructions, {title}", "", {"plugboard": [profile.total / requests]}, "{:,.0f}",
                  INSTRUCTION_AIMS.get(case), table="counts")
        for name in LISTED[1:3] if case in TITLES else ():
            yield Row(f"calls of {name}, {title}", "", {"plugboard": [profile.calls[name] / requests]}, "{:.1f}",
                      table="counts")


def profile_requests(servers, program, case, count):
    """Runs `program` under callgrind, and counts from a warm server's first request to its last."""
    output = servers.folder / f"callgrind.{case}"
    callgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}"]
    with Servers(program, servers.folder).running("plugboard", mode(case), prefix=callgrind, patience=90) as (pid, port):
        repeat(port, case, 300)
        control("--zero", pid)
        repeat(port, case, count)
        control("--dump", pid)
    return Profile(Path(f"{output}.1").read_text())


def repeat(port, case, count):
    """Asks so many times on one connection: over HTTP/1.1 each after the other's answer."""
    if case == "h2c":
        subprocess.run(["h2load", "-c1", "-m32", f"-n{count}", f"http://127.0.0.1:{port}/behaviors.json"], check=True,
                       capture_output=True, timeout=120)
        return
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        for _ in range(count):
            connection.sendall(REQUESTS[case])
            received = b""
            while b"\r\n\r\n" not in received:
                received += connection.recv(65536)
            head, _, body = received.partition(b"\r\n\r\n")
            missing = int(re.search(rb"(?i)content-length: *(\d+)", head)[1]) - len(body)
            while missing > 0:
                missing -= len(connection.recv(65536))
            if not head.startswith(b"HTTP/1.1 200 "):
                sys.exit(f"bench: answered {head[:80]!r}")


def control(what, pid):
    subprocess.run(["callgrind_control", what, str(pid)], check=True, capture_output=True, timeout=60)


class Profile:
    """A file of callgrind (its manual, "Callgrind Format Specification"): costs and calls of each function."""

    def __init__(self, text):
        self.own, self.inclusive, self.calls, self.callers = Counter(), Counter(), Counter(), defaultdict(Counter)
        self.objects = Counter()  # own instructions of each program or library
        names, function, callee, object, callee_object = {}, None, None, None, None
        is_call = False  # the line after "calls=" has what the callee took
        for line in text.splitlines():
            if match := re.match(r"(c?)(ob|fn)=(\(\d+\))(?: (.*))?$", line):
                of_callee, kind, number, name = match.groups()
                if name:
                    where = (of_callee and callee_object) or object
                    # What has no symbol goes by its library's name.
                    names[kind + number] = where if kind == "fn" and name.startswith("0x") else name.rpartition("/")[2]
                name = names[kind + number]
                if kind == "ob":
                    object, callee_object = (object, name) if of_callee else (name, callee_object)
                else:
                    function, callee = (function, name) if of_callee else (name, callee)
            elif line.startswith("calls="):
                is_call = True
                callee_object = None
                if callee != function:
                    self.callers[callee][function] += int(line[6:].split()[0])
            elif re.match(r"[0-9+*-]", line) and function:
                cost = int(line.split()[1])
                if not is_call:
                    self.own[function] += cost
                    self.objects[object] += cost
                elif callee != function:
                    self.inclusive[function] += cost
                is_call = False
        self.total = sum(self.own.values())
        self.inclusive.update(self.own)
        self.calls.update({name: sum(callers.values()) for name, callers in self.callers.items()})

    def describe(self, requests, top):
        """The costliest functions by their own instructions, and who retains, releases and allocates."""
        lines = [f"{self.total / requests:,.0f} instructions a request; own, share, calls, with callees:"]
        for name, cost in self.own.most_common(top):
            lines.append(f"{cost / requests:7,.0f} {100 * cost / self.total:5.1f} % {self.calls[name] / requests:6.1f} ×"
                         f" {self.inclusive[name] / requests:7,.0f}  {name}")
        shares = [f"{name} {100 * cost / self.total:.0f} %" for name, cost in self.objects.most_common(4)]
        lines.append("by program and library: " + ", ".join(shares))
        for name in LISTED:
            if self.calls[name] < requests:
                continue
            lines.append(f"{name}, {self.calls[name] / requests:.1f} calls a request, once or more by")
            lines += [f"{count / requests:7.1f} × {caller}" for caller, count in self.callers[name].most_common(top)
                      if count * 2 > requests]
        return demangle("\n".join(f"    {line}" for line in lines))


def demangle(text):
    if shutil.which("swift") is None:
        return text
    said = subprocess.run(["swift", "demangle", "--compact", "--simplified"], input=text, text=True, capture_output=True)
    return said.stdout.rstrip("\n") if said.returncode == 0 else text
