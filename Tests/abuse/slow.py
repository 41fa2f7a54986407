"""Clients that take their time: who is slow holds nothing for long, and holds up nobody."""
import shlex
import time

from crowd import Crowd
from scene import MIB, PROMPT, Target, abuse, by_load, descriptor_limit, eventually, expect, idle_cpu

GET = b"GET /photos/42 HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /photos HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def slow_requests(folder):
    with Target(folder) as server:
        with abuse(server, "slowloris: 500 heads, a byte at a time", memory=8), Crowd(server, 500, b"GET /") as crowd:
            expect("… ended in their time", crowd.until_ended(5, b"x"), f"{len(crowd)} are left")
            expect("… with 408", crowd.statuses()[408] > 450, crowd.statuses())
        with abuse(server, "500 heads that stop", memory=8), Crowd(server, 500, b"GET / HTTP/1.1\r\nX: y\r\n") as crowd:
            expect("… 408", crowd.until_ended(5) and crowd.statuses() == {408: 500}, crowd.statuses())
        for name, field, drip in (("by length", b"Content-Length: 100000\r\n\r\n", b" "),
                                  ("in chunks", b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n")):
            with abuse(server, f"500 bodies {name}, a byte at a time", memory=8), Crowd(server, 500, POST + field) as crowd:
                expect("… ended in their time", crowd.until_ended(6, drip), f"{len(crowd)} are left")
                expect("… with 408", crowd.statuses()[408] > 450, crowd.statuses())
        with abuse(server, "500 announced bodies that never come", memory=8), \
                Crowd(server, 500, POST + b"Content-Length: 100000\r\n\r\n") as crowd:
            expect("… 408", crowd.until_ended(5) and crowd.statuses() == {408: 500}, crowd.statuses())
        with abuse(server, "500 wait for 100 Continue and never send", memory=8), \
                Crowd(server, 500, POST + b"Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n") as crowd:
            expect("… 100, then 408", crowd.until_ended(5) and crowd.statuses() == {408: 500}
                   and all(got.startswith(b"HTTP/1.1 100 ") for got in crowd.received.values()), crowd.statuses())


def slow_readers(folder):
    (folder / "large").write_bytes(b"x" * 64 * MIB)
    with Target(folder) as server:
        (folder / "large").rename(server.folder / "public/large")
        large = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
        before = server.descriptors_at_rest()

        def let_go():
            """They were taken, and then ended."""
            return eventually(lambda: server.descriptors() > before, 2) and eventually(lambda: server.descriptors() <= before, 10)

        with abuse(server, "100 clients that don't read a large file", memory=8), Crowd(server, 100, large, 4096):
            expect("… are cut off", let_go(), server.descriptors())
        with abuse(server, "100 clients that read a large file slowly", memory=8), Crowd(server, 100, large, 4096) as crowd:
            deadline = time.monotonic() + 2
            while time.monotonic() < deadline:
                crowd.receive(size=64)
                time.sleep(0.02)
        with abuse(server, "20 clients that don't read 1,000 pipelined answers each", memory=64), \
                Crowd(server, 20, receive_buffer=4096) as crowd:
            crowd.send(GET * 1000)
            expect("… are cut off", let_go(), server.descriptors())
        with abuse(server, "a client that sends 10,000 requests and doesn't read", memory=8), \
                Crowd(server, 1, receive_buffer=4096) as crowd:
            crowd.send_all(GET * 10_000, 2)
            expect("… is cut off", let_go(), server.descriptors())
        with abuse(server, "a client that sends 10,000 requests before it reads", memory=8), Crowd(server, 1) as crowd:
            crowd.send_all(GET * 10_000, 0.5)
            answers = crowd.received[next(iter(crowd.clients))]
            crowd.until(lambda: answers.count(b"HTTP/1.1 200 OK\r\n") == 10_000, 8)
            expect("… gets what its requests were taken for", answers.count(b"HTTP/1.1 200 OK\r\n") > 1000
                   and answers.count(b"HTTP/1.1 200 OK\r\n") == answers.count(b'"id":42'), len(answers))
        with abuse(server, "500 half-closed clients"), Crowd(server, 500) as crowd:
            for client in crowd.clients.values():
                client.sendall(GET * 3)
                client.shutdown(1)
            expect("… are answered", crowd.until_ended(5) and
                   all(got.count(b'"id":42') == 3 for got in crowd.received.values()), crowd.statuses())


def many(folder):
    with Target(folder) as server:
        with abuse(server, "2,000 idle connections", memory=16), Crowd(server, 1000) as new, Crowd(server, 1000, GET) as kept:
            expect("… the loops sleep", idle_cpu(server) < 0.1)
            expect("… and end them when their time is up", new.until_ended(5) and kept.until_ended(5), (len(new), len(kept)))
    count = min(10_000, descriptor_limit() - 600)
    with Target(folder / "crowded", idle_timeout=60) as server:
        with abuse(server, f"{count:,} idle connections that have asked once", memory=64), Crowd(server, count, GET) as crowd:
            expect("… are answered", crowd.until(lambda: all(b"200 OK" in got for got in crowd.received.values()), 30))
            expect("… the loops sleep", idle_cpu(server) < 0.1)
            crowd.close()
    with Target(folder / "brief") as server:
        with abuse(server, "3,000 connect and close at once"):
            for _ in range(3000):
                server.connect().close()
    with Target(folder / "few", connections=64, idle_timeout=30, head_timeout=3) as server:
        with abuse(server, "400 idle connections where 64 are the bound"), Crowd(server, 400, GET) as crowd:
            expect("… make room for who comes", crowd.until(lambda: len(crowd) <= 64, 5), len(crowd))
        with abuse(server, "400 slow heads where 64 are the bound", serves=False), Crowd(server, 400, b"GET /") as crowd:
            expect("… the loops sleep", idle_cpu(server) < 0.1)
            crowd.close()


def without_descriptors(folder):
    """`ulimit -n 64`: the process has no descriptor left for who comes."""
    with Starved(folder, idle_timeout=30, head_timeout=3) as server:
        with abuse(server, "200 idle connections with 64 descriptors", serves=False), Crowd(server, 200, GET):
            expect("… the loops don't spin", idle_cpu(server) < 0.1)
            status, took = server.normal()
            expect("… who comes finds a place", b" 200 " in status and took < by_load(PROMPT), (status, took))
        with abuse(server, "200 slow heads with 64 descriptors", serves=False), Crowd(server, 200, b"GET /") as crowd:
            expect("… the loops don't spin", idle_cpu(server) < 0.1)
            crowd.close()
        expect("… its log is short", server.log.stat().st_size < 4096, server.log.stat().st_size)


class Starved(Target):
    def start(self):
        limited = self.folder / "plugboard"
        limited.write_text(f'#!/bin/sh\nulimit -n 64 && exec {shlex.quote(str(self.binary))} "$@"\n')
        limited.chmod(0o755)
        self.binary = limited
        super().start()
