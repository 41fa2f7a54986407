"""Resident memory, and the time that a start takes."""
import re
import subprocess
import sys
import time
from pathlib import Path

from .servers import HERE
from .table import Aim, Row, say


def resident_kib(pid):
    """Resident memory in KiB, once a server has done with its start: the same at two looks."""
    def look():
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])
    before, now = None, look()
    for _ in range(10):  # a collector may never be done
        if now == before:
            break
        time.sleep(0.3)
        before, now = now, look()
    return now


def measure_memory(servers, chosen, count):
    """Two rows: resident after start, and what each of `count` idle connections, one request old, adds."""
    bases, each = {}, {}
    for server in chosen:
        name = server.name
        with servers.running(name) as (pid, port):
            base = resident_kib(pid)
            opener = subprocess.Popen([sys.executable, HERE / "load/idle.py", str(port), str(count)], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            try:
                held = int(opener.stdout.readline())
                full = resident_kib(pid)
            finally:
                opener.communicate(timeout=20)
        bases[name] = [base / 1024]
        each[name] = [(full - base) / held] if held == count else []
        say(f"  {name}: {base / 1024:.1f} MiB, with {held:,} idle connections {full / 1024:.1f} MiB")
    yield Row("(h) resident after start", "MiB", bases, "{:.1f}", Aim(20, to=None))
    yield Row(f"(h) each of {count:,} idle connections", "KiB", each, "{:.2f}", Aim(0.8, to=None))


def measure_start(servers, chosen, times):
    """From exec to the first answered request."""
    samples = {server.name: [] for server in chosen}
    for _ in range(times):
        for name in samples:
            begin = time.monotonic()
            with servers.running(name):
                samples[name].append((time.monotonic() - begin) * 1000)
    yield Row("(i) exec to the first answer", "ms", samples, "{:.1f}", Aim(2))
