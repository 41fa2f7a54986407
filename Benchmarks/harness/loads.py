"""The cases with a load: CPU time per request, requests per second, latencies."""
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

from .servers import HERE
from .table import Aim, Row, say

TICK_MICROSECONDS = 1_000_000 / os.sysconf("SC_CLK_TCK")
RATE = 10_000


class Load:
    """What is asked, and how; the most that Plugboard may cost beside another server."""

    def __init__(self, letter, title, mode="get", connections=64, script=None, aim=None):
        self.letter, self.title, self.mode, self.connections = letter, title, mode, connections
        self.script, self.aim = script, aim

    def drive(self, port, seconds):
        """Runs wrk: (requests, requests per second)."""
        script = ["-s", str(HERE / "load" / self.script)] if self.script else []
        path = "/photos/42/like" if self.mode == "like" else "/behaviors.json"
        output = run(["wrk", "-t1", f"-c{self.connections}", f"-d{seconds}s", *script,
                      f"http://127.0.0.1:{port}{path}"], seconds)
        if wrong := re.search(r"Non-2xx or 3xx responses: \d+|Socket errors: .*", output):
            say(f"  {self.title}: {wrong[0]}")
            if wrong[0].startswith("Non"):
                sys.exit("bench: a figure for refused requests would say nothing")
        return int(re.search(r"(\d+) requests in", output)[1]), float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])


class HTTP2Load(Load):
    """The same by h2load, which speaks HTTP/2 at once on a plain port."""

    def drive(self, port, seconds):
        output = run(["h2load", f"-c{self.connections}", "-m32", f"-D{seconds}",
                      f"http://127.0.0.1:{port}/behaviors.json"], seconds)
        count = re.search(r"requests: .* (\d+) succeeded, (\d+) failed", output)
        if count is None or int(count[1]) == 0 or int(count[2]) > 0:
            sys.exit(f"bench: h2load was refused:\n{output[-800:]}")
        return int(count[1]), int(count[1]) / seconds


LOADS = {
    "get": Load("a", "GET /behaviors.json, 64 connections", aim=Aim(1.08, bound=1.15)),
    "pipeline": Load("b", "the same, pipelined by 16", script="pipeline.lua", aim=Aim(1.96)),
    "many": Load("c", "the same, 256 connections", connections=256),
    "like": Load("d", "POST /photos/42/like, typed, in memory", mode="like", script="like.lua", aim=Aim(1.83)),
    "close": Load("e", "GET, a connection per request", script="close.lua", aim=Aim(1.05)),
    "h2c": HTTP2Load("g", "GET, HTTP/2, 8 connections × 32 streams", mode="h2c", connections=8,
                     aim=Aim(1.8, to="h2o")),
}

# The same document with rules, and without: both compact, so that the answers are the same but for their tags.
BARE = Load("j", "GET, no rules", mode="bare", aim=None)
TARGETED = Load("j", "GET, a document with rules, somebody else each time", mode="targeted", script="targeted.lua")


def run(command, seconds):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds + 20).stdout


def cpu_microseconds(pid):
    """User and system time of all threads, in microseconds; the kernel counts in ticks of 10 ms."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_MICROSECONDS


def measure_load(servers, chosen, load, rounds, seconds):
    """Two rows: CPU µs a request and, for the second table, requests a second.

    Where the aim is narrow, the limit and Plugboard run two further rounds for each.
    """
    names = [server.name for server in chosen if load.mode in server.takes]
    pair = [name for name in names if name in ("limit", "plugboard")] if load.aim and load.aim.is_narrow else []
    costs, rates = {name: [] for name in names}, {name: [] for name in names}
    for turn in [names] * rounds + [pair] * (2 * rounds):
        for name in turn:
            with servers.running(name, load.mode) as (pid, port):
                load.drive(port, 1)
                before = cpu_microseconds(pid)
                requests, rate = load.drive(port, seconds)
                costs[name].append((cpu_microseconds(pid) - before) / requests)
                rates[name].append(rate)
            say(f"  {name}: {costs[name][-1]:.2f} µs, {rate:,.0f}/s")
    title = f"({load.letter}) {load.title}"
    yield Row(title, "µs", costs, "{:.2f}", load.aim)
    yield Row(title, "/s", rates, "{:,.0f}", table="rates")


def measure_targeted(servers, rounds, seconds):
    """What rules add to a GET: the ratio of its CPU time to the same GET's of a document without them."""
    costs = {"bare": [], "targeted": []}
    for _ in range(rounds):
        for load in (BARE, TARGETED):
            with servers.running("plugboard", load.mode) as (pid, port):
                load.drive(port, 1)
                before = cpu_microseconds(pid)
                requests, rate = load.drive(port, seconds)
                costs[load.mode].append((cpu_microseconds(pid) - before) / requests)
            say(f"  {load.mode}: {costs[load.mode][-1]:.2f} µs, {rate:,.0f}/s")
    ratios = [one / two for one, two in zip(costs["targeted"], costs["bare"])]
    yield Row(f"(j) CPU µs, {BARE.title}", "", {"plugboard": costs["bare"]}, "{:.2f}", table="counts")
    yield Row(f"(j) CPU µs, {TARGETED.title}", "", {"plugboard": costs["targeted"]}, "{:.2f}", table="counts")
    yield Row("(j) their ratio", "", {"plugboard": ratios}, "{:.2f}", Aim(1.25, to=None), table="counts")


def measure_rate(servers, chosen, rounds, seconds):
    """p99 at a fixed rate; a server that can't keep up has none."""
    names = [server.name for server in chosen]
    latencies = {name: [] for name in names}
    rate = str(servers.folder / "rate")
    for _ in range(rounds):
        for name in names:
            with servers.running(name) as (_, port):
                run([rate, str(port), "/behaviors.json", str(RATE), "1", "64"], 1)
                output = run([rate, str(port), "/behaviors.json", str(RATE), str(seconds), "64"], seconds)
            answered, due, p99 = (int(number) for number in re.match(r"(\d+) of (\d+) .*p99 (\d+)", output).groups())
            if answered == due:
                latencies[name].append(p99)
            say(f"  {name}: {output.strip()}")
    yield Row(f"(f) p99 latency at {RATE:,} GET/s, 64 connections", "µs", latencies, "{:,.0f}")
