"""Requests that are well-formed and mean harm: much to hold, much to compute, many of all kinds."""
import gzip
import random
import signal
import threading
import time

from crowd import Crowd
from scene import MIB, Target, abuse, check, end, eventually, expect
from slow import GET, POST


def bodies(folder):
    with Target(folder, body_timeout=2) as server:
        # The budget's 64 MiB, what 400 connections read at a time, and what an array that doubles has to spare.
        with abuse(server, "400 bodies of 1 MiB, each held before its last byte", memory=192), \
                Crowd(server, 400, POST + b"Content-Length: %d\r\n\r\n" % MIB) as crowd:
            crowd.send_all(b" " * (MIB - 1), 10)
            expect("… are ended", crowd.until_ended(10), len(crowd))
            statuses = crowd.statuses()
            expect("… beyond the budget with 503, else with 408", set(statuses) <= {503, 408, None} and statuses[503] > 200
                   and 0 < statuses[408] <= 64, statuses)
        with abuse(server, "400 bodies of 1 MiB in the end", memory=160), \
                Crowd(server, 400, POST + b"Content-Length: %d\r\n\r\n" % 1000) as crowd:
            crowd.send_all(b" " * 1000, 10)
            expect("… are answered", crowd.until(lambda: crowd.statuses() == {400: 400}, 8), crowd.statuses())
        bomb = gzip.compress(b"[" * 8 * MIB)
        with abuse(server, "a gzip bomb as a request's body"):
            status = server.ask(POST + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb) + bomb)
            expect("… 413", status == 413, status)
        with abuse(server, "a body of 1 GiB"):
            status = server.ask(POST + b"Content-Length: 1073741824\r\n\r\n" + b" " * 2 * MIB)
            expect("… 413", status == 413, status)


def documents(folder):
    """JSON that is costly to read: it is answered in time, and others are served beside it."""
    source = random.Random(1)

    def members(pairs):
        return b"{" + b",".join(b'"%s":%s' % pair for pair in pairs) + b"}"

    cases = (
        ("100,000 arrays, one in another", b"[" * 100_000, {400}),
        ("100,000 arrays as a member", b'{"title":' + b"[" * 100_000 + b"]" * 100_000 + b"}", {400}),
        ("100,000 objects, one in another", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, {400}),
        ("a number of 1,000,000 digits", members([(b"title", b"1" * 1_000_000)]), {422}),
        ("an exponent of 1,000,000 digits", members([(b"title", b"1e" + b"9" * 1_000_000)]), {422}),
        ("40,000 long numbers", b"[" + b",".join(b"%r" % source.random() for _ in range(40_000)) + b"]", {422}),
        ("90,000 members", members((b"k%d" % n, b"1") for n in range(90_000)), {422}),
        ("one member 80,000 times", members([(b"title", b"1")] * 80_000), {400}),
        ("30,000 names of one length and like bytes",
         members((bytes(source.choices(b"ab", k=24)), b"1") for _ in range(30_000)), {400}),
        ("150,000 escapes", members([(b"title", b'"' + b"\\u0041" * 150_000 + b'"')]), {422}),
        ("100,000 lone surrogates", members([(b"title", b'"' + b"\\ud800" * 100_000 + b'"')]), {400}),
        ("a million spaces", b" " * 1_000_000, {400}),
        ("bytes that are no UTF-8", members([(b"title", b'"' + b"\xff\xfe" * 100_000 + b'"')]), {400}),
    )
    with Target(folder) as server, abuse(server, f"{len(cases)} JSON documents that are costly to read", memory=32):
        for name, body, statuses in cases:
            before = server.cpu()
            got = server.ask(POST + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            took = server.cpu() - before
            expect(f"… {name}: {statuses} for a second of CPU at most", got in statuses and took < 1, (got, f"{took:.2f} s"))


def storms(folder):
    with Target(folder) as server:
        def storm(name, requests, wanted, memory=8):
            """Sends the requests on 20 connections, each behind the other, and reads all answers."""
            with abuse(server, name, memory=memory), Crowd(server, 20) as crowd:
                batches = [b"".join(requests[part::20]) for part in range(20)]
                senders = [threading.Thread(target=blocking_send, args=(client, batch))
                           for client, batch in zip(crowd.clients.values(), batches)]
                for sender in senders:
                    sender.start()
                expect("… are answered", crowd.until_ended(20), crowd.statuses())
                for sender in senders:
                    sender.join()
                received = b"".join(crowd.received.values())
                answers = sum(received.count(b"HTTP/1.1 %d" % status) for status in wanted)
                expect(f"… all with {wanted}", answers == len(requests) == received.count(b"HTTP/1.1 "),
                       (answers, received.count(b"HTTP/1.1 ")))
                return received

        def requests(lines, fields=b""):
            return [line + b" HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % fields for line in lines]

        source = random.Random(1)
        steps = [b"..", b"%2e%2e", b".%2e", b"..%2f", b"%2e%2e%5c", b"..%c0%af", b"....", b"%252e%252e", b"..;", b".", b""]
        paths = [b"GET /" + b"/".join(source.choices(steps, k=source.randint(1, 8))) + b"/etc/passwd" for _ in range(4000)]
        received = storm("4,000 paths out of the folder", requests(paths), [400, 403, 404])
        expect("… none of them out of it", b"root:" not in received)
        storm("40,000 different URLs", requests([b"GET /u%d?q=%d" % (n, n) for n in range(40_000)]), [404])
        storm("20,000 different files asked for", requests([b"GET /f/%d.html" % n for n in range(20_000)]), [404])
        storm("20,000 HEAD", requests([b"HEAD /behaviors.json"] * 20_000), [200])
        storm("20,000 OPTIONS", requests([b"OPTIONS /photos", b"OPTIONS *"] * 10_000), [204])
        storm("5,000 methods", requests([b"M%d /photos" % n for n in range(5000)]), [501])
        parts = b",".join([b"0-"] * 1000)
        storm("100 requests for 1,000 ranges each", requests([b"GET /"] * 100, b"Range: bytes=%s\r\n" % parts), [200, 206, 416])
        parts = b",".join(b"%d-%d" % (n, n) for n in range(1000))
        storm("100 requests for 1,000 different ranges", requests([b"GET /"] * 100, b"Range: bytes=%s\r\n" % parts), [200, 206, 416])
        tags = b",".join(b'"%d"' % n for n in range(2000))
        storm("100 requests with 2,000 entity tags", requests([b"GET /"] * 100, b"If-None-Match: %s\r\n" % tags), [200])
        query = b"&".join(b"limit%d=1" % n for n in range(600))
        storm("200 queries of 600 members", requests([b"GET /photos?" + query] * 200), [200, 400])
        expect("… the log is short", server.log.stat().st_size < 65_536, server.log.stat().st_size)


def blocking_send(client, data):
    """Sends all of it, and then closes that side."""
    view = memoryview(data)
    while view:
        try:
            view = view[client.send(view):]
        except BlockingIOError:
            time.sleep(0.001)
        except OSError:
            return
    client.shutdown(1)


def stops(folder):
    """SIGTERM in the midst of it all: status 0, in time."""
    (folder / "large").write_bytes(b"x" * 64 * MIB)
    server = Target(folder, drain_timeout=3)
    (folder / "large").rename(server.folder / "public/large")
    with server:
        crowds = [Crowd(server, 100, first, 4096) for first in
                  (b"", GET, b"GET / HT", POST + b"Content-Length: 1000\r\n\r\n{", b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n",
                   GET * 1000, b"\0", POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n")]
        eventually(lambda: server.descriptors() > 500, 5)
        status, took = end(server, signal.SIGTERM)
        check(f"SIGTERM in the midst of it all: status 0 in time [{took:.1f} s]", status == 0 and took < 6, status)
        for crowd in crowds:
            crowd.close()
    with Target(folder / "heads", head_timeout=30) as server:
        with Crowd(server, 300, b"GET / HT") as crowd:
            eventually(lambda: server.descriptors() > 300, 5)
            status, took = end(server)
            check(f"SIGTERM with 300 half heads: status 0 in time [{took:.1f} s]", status == 0 and took < 4, status)
