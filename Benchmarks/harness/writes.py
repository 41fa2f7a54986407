"""Durable writes: likes in SQLite on 1, 16 and 64 connections, beside SQLite without a server and beside PostgreSQL."""
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from .loads import LOADS, cpu_microseconds, run
from .servers import HERE, LOAD_CORE, SERVER_CORE, compile_c
from .table import Row, say

# Connections, and the least ratio to SQLite with a commit for each like: the aim, and where `--check` fails.
CASES = {1: (0.6, 0.4), 16: None, 64: (3.5, 3.5)}
# PostgreSQL waits so many microseconds for other commits; its best figure counts.
COMMIT_DELAYS = (0, 100, 400, 1600)

# Each client has a photo of its own: PostgreSQL holds a row's lock during the sync, so likes of one photo share none.
LIKE = """\\set photo :client_id + 1
BEGIN;
SELECT likes FROM photo WHERE id = :photo;
SELECT count FROM "like" WHERE photo = :photo AND "user" = 'ada';
INSERT INTO "like" (photo, "user", count) VALUES (:photo, 'ada', 1)
    ON CONFLICT (photo, "user") DO UPDATE SET count = "like".count + 1;
UPDATE photo SET likes = likes + 1 WHERE id = :photo;
SELECT likes FROM photo WHERE id = :photo;
COMMIT;
"""
TABLES = """
CREATE TABLE photo (id INTEGER PRIMARY KEY, title TEXT NOT NULL, likes INTEGER NOT NULL DEFAULT 0);
CREATE TABLE "like" (photo INTEGER NOT NULL REFERENCES photo, "user" TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (photo, "user"));
INSERT INTO photo (id, title) SELECT number, 'x' FROM generate_series(1, 64) number;
"""


class WriteRow(Row):
    """Likes per second on a number of connections; more are better."""

    def __init__(self, connections, samples, least):
        super().__init__(f"(k) {connections} connection{'s' if connections > 1 else ''}", "/s", samples, "{:,.0f}",
                         table="writes")
        self.least = least

    def ratios(self, other):
        mine, others = self.samples.get("plugboard") or [], self.samples.get(other) or []
        return [one / two for one, two in zip(mine, others) if two > 0]

    def ratio_to(self, other):
        ratios = self.ratios(other)
        return f"{statistics.median(ratios):.2f} ×" if ratios else ""

    def verdict(self):
        ratios = self.ratios("single")
        if self.least is None or not ratios:
            return "", True
        (aim, bound), figure = self.least, statistics.median(ratios)
        return f"≥ {aim:g} × a commit each" + ("" if figure >= aim else " missed"), figure >= bound


def measure_writes(servers, rounds, seconds):
    """One row for each number of connections. What shares the disk takes turns, since its speed varies."""
    commits = compile_c(HERE / "limit/commits.c", servers.folder / "commits", "-lsqlite3")
    samples = {count: {"single": [], "grouped": [], "plugboard": [], "cpu": [], "postgresql": []} for count in CASES}
    for _ in range(rounds):
        for connections, into in samples.items():
            with servers.running("plugboard", "durable") as (pid, port):
                load = load_on(connections)
                load.drive(port, 1)
                before = cpu_microseconds(pid)
                requests, rate = load.drive(port, seconds)
                into["plugboard"].append(rate)
                into["cpu"].append((cpu_microseconds(pid) - before) / requests)
            file = servers.folder / "data/photos.sqlite"
            for name, group in (("single", 1), ("grouped", connections)):
                output = run(["taskset", "-c", str(SERVER_CORE), commits, file, str(seconds), str(group)], seconds)
                into[name].append(float(output))
            say(f"  {connections} connections: {into['plugboard'][-1]:,.0f}/s, {into['cpu'][-1]:.1f} µs each; SQLite "
                f"{into['single'][-1]:,.0f}/s singly, {into['grouped'][-1]:,.0f}/s by {connections}")
    measure_postgresql(servers.folder / "postgresql", samples, rounds, seconds)
    for connections, least in CASES.items():
        yield WriteRow(connections, samples[connections], least)


def load_on(connections):
    like = LOADS["like"]
    return type(like)("k", "durable likes", mode="like", connections=connections, script=like.script)


def measure_postgresql(folder, samples, rounds, seconds):
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not programs or shutil.which("pgbench") is None:
        return say("  PostgreSQL is left out (apt-get install postgresql)")
    for connections, into in samples.items():
        best = []
        for delay in COMMIT_DELAYS if connections > 1 else COMMIT_DELAYS[:1]:
            with postgresql(programs[-1], folder, delay):
                rates = [pgbench(folder, connections, seconds) for _ in range(rounds)]
            say(f"  PostgreSQL, {connections} connections, commit_delay {delay}: {statistics.median(rates):,.0f}/s")
            best = max(best, rates, key=lambda rates: statistics.median(rates) if rates else 0)
        into["postgresql"] = best


@contextlib.contextmanager
def postgresql(programs, folder, delay):
    """A cluster of its own on the servers' core, with the defaults but for `commit_delay`; at a socket only."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    as_user = []
    if os.geteuid() == 0:  # PostgreSQL doesn't run as root
        shutil.chown(folder, "postgres", "postgres")
        as_user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--inh-caps", "-all"]
    data, options = folder / "data", {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "cwd": folder}
    subprocess.run([*as_user, programs / "initdb", "-D", data, "-A", "trust", "-U", "bench"], check=True, **options)
    process = subprocess.Popen(
        ["taskset", "-c", str(SERVER_CORE), *as_user, programs / "postgres", "-D", data, "-k", folder, "-h", "",
         "-c", f"commit_delay={delay}", "-c", "commit_siblings=1"], **options)
    try:
        psql = ["psql", "-q", "-h", folder, "-U", "bench", "postgres"]
        for _ in range(200):
            if subprocess.run([*psql, "-c", "SELECT 1"], **options).returncode == 0:
                break
            if process.poll() is not None:
                sys.exit("bench: PostgreSQL doesn't start")
        subprocess.run(psql, input=TABLES, text=True, check=True, **options)
        (folder / "like.sql").write_text(LIKE)
        yield
    finally:
        process.terminate()
        process.wait()


def pgbench(folder, connections, seconds):
    output = run(["taskset", "-c", str(LOAD_CORE), "pgbench", "-n", "-M", "prepared", "-c", str(connections), "-j", "1",
                  "-T", str(seconds), "-f", folder / "like.sql", "-h", folder, "-U", "bench", "postgres"], seconds)
    return float(re.search(r"tps = ([\d.]+)", output)[1])
