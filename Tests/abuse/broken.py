"""Clients that break off, and bytes that are no HTTP."""
import random
import socket
import time

from crowd import Crowd
from scene import MIB, Target, abuse, expect, read_to_end
from slow import GET, POST


def resets(folder):
    (folder / "large").write_bytes(b"x" * 16 * MIB)
    with Target(folder) as server:
        (folder / "large").rename(server.folder / "public/large")
        for name, sent in (("before a byte", b""), ("in a head", GET[:20]), ("behind a request", GET),
                           ("in a body", POST + b"Content-Length: 1000\r\n\r\n{"),
                           ("in a chunk", POST + b"Transfer-Encoding: chunked\r\n\r\n100\r\n{"),
                           ("in a file", b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                           ("in pipelined answers", GET * 300)):
            with abuse(server, f"500 resets {name}", memory=16):
                for _ in range(5):
                    Crowd(server, 100, sent).reset()


def while_an_action_runs(folder):
    """The action waits for its upstream, played here by a socket that takes the request and says nothing."""
    like = b"POST /photos/42/like HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0), backlog=512) as upstream:
        upstream.settimeout(10)
        url = f"http://127.0.0.1:{upstream.getsockname()[1]}"
        plugs = [f"{action}=Memory{action}" for action in ("ListPhotos", "GetPhoto", "PostPhoto", "UnlikePhoto", "WatchLikes")]
        with Target(folder, [*plugs, "LikePhoto=NetworkLikePhoto"], ["--upstream", url]) as server:
            with abuse(server, "50 resets while an action runs", memory=32), Crowd(server, 50, like) as crowd:
                asked = asked_of(upstream, 4)
                crowd.reset()
                for connection in asked:
                    connection.close()
            with abuse(server, "4 half-closed while an action runs", memory=32), Crowd(server, 4, like) as crowd:
                asked = asked_of(upstream, 4)
                for client in crowd.clients.values():
                    client.shutdown(socket.SHUT_WR)
                are_told = crowd.until(lambda: all(b"HTTP/1.1 100 " in told for told in crowd.received.values()), 8)
                expect("… are told that it goes on", are_told, crowd.received)
                for connection in asked:
                    connection.settimeout(10)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 22\r\n"
                                       b"Connection: close\r\n\r\n" + b'{"likes":7,"photo":42}')
                    connection.close()
                expect("… are answered", crowd.until_ended(8) and crowd.statuses() == {200: 4}, crowd.statuses())
            with abuse(server, "4 gone while an action runs", memory=32):
                with Crowd(server, 4, like):
                    asked = asked_of(upstream, 4)
                expect("… are given up", all(has_ended(connection, 8) for connection in asked))


def asked_of(upstream, count):
    """The next connections that a request came on; others were given up before."""
    asked = []
    while len(asked) < count:
        connection, _ = upstream.accept()
        connection.settimeout(10)
        if connection.recv(65536) and not has_ended(connection):
            asked.append(connection)
    return asked


def has_ended(connection, seconds=0):
    connection.settimeout(seconds)
    try:
        return not connection.recv(1)
    except (BlockingIOError, TimeoutError):
        return False
    except OSError:
        return True


def garbage(folder):
    with Target(folder) as server:
        source = random.Random(1)

        def each(name, payloads, statuses, memory=8):
            with abuse(server, name, memory=memory):
                got = {}
                for payload in payloads:
                    status = server.ask(payload)
                    got[status] = got.get(status, 0) + 1
                expect("… refused", set(got) <= statuses, got)

        each("300 × 16 KiB of random bytes", (source.randbytes(16_384) for _ in range(300)), {400, 431, 501, 505})
        each("lines of random text", (bytes(source.choices(b"GET /:\r\n \t\0HTP1.=;\xff", k=2000)) + b"\r\n\r\n"
                                      for _ in range(300)), {400, 431, 501, 505, b""})
        each("NUL bytes", [b"\0" * 70_000, b"GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                           b"GET / HTTP/1.1\r\nHost: localhost\r\nX: \0\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\0b\r\n\r\n"], {400})
        hello = bytes.fromhex("1603010200010001fc0303") + source.randbytes(500)
        each("TLS on the plain port", [hello] * 100, {400})
        each("a request that ends within itself", [GET[:end] for end in range(len(GET) - 1)], {b""})
        with abuse(server, "mutations of good requests: 1,000"):
            good = POST + b"Content-Length: 15\r\n\r\n" + b'{"title":"Mir"}' + GET
            with_answer = 0
            for _ in range(1000):
                bytes_ = bytearray(good)
                for _ in range(source.randint(1, 4)):
                    bytes_[source.randrange(len(bytes_))] = source.randrange(256)
                with server.connect() as client:
                    client.sendall(bytes_)
                    client.shutdown(socket.SHUT_WR)
                    with_answer += read_to_end(client).startswith(b"HTTP/1.1 ")
            expect("… most are answered", with_answer > 800, with_answer)


def heads(folder):
    with Target(folder) as server:
        get = b"GET / HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
        cases = (
            ("a field of 1 MiB", get % (b"X: " + b"a" * MIB + b"\r\n"), {431}),
            ("10,000 fields", get % b"".join(b"X%d: a\r\n" % n for n in range(10_000)), {431}),
            ("10,000 fields of one name", get % (b"A: b\r\n" * 10_000), {431}),
            ("a field name of 1 MiB", get % (b"a" * MIB + b": b\r\n"), {400, 431}),
            ("a request line of 1 MiB", b"GET /" + b"a" * MIB + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", {414}),
            ("a method of 1 MiB", b"A" * MIB + b" / HTTP/1.1\r\nHost: localhost\r\n\r\n", {400, 431, 501}),
            ("obs-fold", get % b"X: a\r\n b\r\n", {400}),
            ("1,000 obs-folds", get % (b"X: a\r\n" + b" b\r\n" * 1000), {400}),
            ("100,000 empty lines", b"\r\n" * 100_000 + get % b"", {400}),
        )
        with abuse(server, f"{len(cases)} heads that are too large"):
            for name, raw, statuses in cases:
                got = server.ask(raw)
                expect(f"… {name}: {statuses}", got in statuses, got)
        with abuse(server, "a head and a request line without end"):
            for start, status in ((b"GET / HTTP/1.1\r\nX: ", 431), (b"GET /", 414)):
                with Crowd(server, 4, start) as crowd:
                    expect("… is ended", crowd.until_ended(6, b"a" * 65536, 0.005), len(crowd))
                    # Who sends on and on may have the answer taken away by a reset.
                    expect(f"… with {status}", set(crowd.statuses()) <= {status, None}, crowd.statuses())
        with abuse(server, "10,000 different fields' names over 100 connections"):
            for start in range(100):
                fields = b"".join(b"N%d-%d: v\r\n" % (start, n) for n in range(90))
                expect("… 200", server.ask(get % (b"Connection: close\r\n" + fields)) == 200)


def framing(folder):
    """Bodies whose length is a trap (RFC 9112 §6.3, §7.1, §11.2)."""
    with Target(folder) as server:
        smuggled = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
        chunked = POST + b"Transfer-Encoding: chunked\r\n\r\n"
        cases = (
            ("Content-Length beyond 64 bits", b"Content-Length: 18446744073709551617\r\n\r\n", {400, 413}),
            ("Content-Length at 63 bits", b"Content-Length: 9223372036854775807\r\n\r\n", {413}),
            ("Content-Length of 1,000 digits", b"Content-Length: " + b"9" * 1000 + b"\r\n\r\n", {400, 413}),
            ("Content-Length below zero", b"Content-Length: -1\r\n\r\n", {400}),
            ("Content-Length with a plus", b"Content-Length: +5\r\n\r\n", {400}),
            ("Content-Length in hex", b"Content-Length: 0x5\r\n\r\n", {400}),
            ("two Content-Lengths", b"Content-Length: 0\r\nContent-Length: 36\r\n\r\n", {400}),
            ("Content-Lengths in a list", b"Content-Length: 0, 36\r\n\r\n", {400}),
            ("CL.TE", b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", {400}),
            ("TE.CL", b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n", {400}),
            ("TE.TE, cow", b"Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n\r\n0\r\n\r\n", {400, 501}),
            ("TE with a tab", b"Transfer-Encoding:\tchunked, x\r\n\r\n0\r\n\r\n", {400, 501}),
            ("TE with a space before the colon", b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", {400}),
            ("TE: xchunked", b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", {400, 501}),
            ("a chunk size beyond 64 bits", b"Transfer-Encoding: chunked\r\n\r\n10000000000000005\r\n", {400, 413}),
            ("a chunk size of 63 bits", b"Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", {413}),
            ("a chunk size of 10,000 digits", b"Transfer-Encoding: chunked\r\n\r\n" + b"0" * 10_000 + b"5\r\n", {400, 413}),
            ("a chunk size below zero", b"Transfer-Encoding: chunked\r\n\r\n-5\r\n", {400}),
            ("a chunk ended by a bare LF", b"Transfer-Encoding: chunked\r\n\r\n1\nx\n0\n\n", {400}),
            ("a chunk longer than its size", b"Transfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n", {400}),
        )
        with abuse(server, f"{len(cases)} bodies whose length is a trap"):
            for name, fields, statuses in cases:
                received = server.exchange(POST + fields + smuggled)
                expect(f"… {name}: {statuses}, once",
                       received.count(b"HTTP/1.1 ") == 1 and int(received[9:12]) in statuses, received)
        endless = (("chunk extension", b"5;a=", b"b" * 65536), ("trailers", b"0\r\n", b"X: y\r\n" * 1000),
                   ("trailer", b"0\r\nX: ", b"y" * 65536), ("chunk extensions", b"", b"1;a=b\r\nx\r\n" * 1000))
        with abuse(server, "chunk extensions and trailers without end", memory=8):
            for name, start, drip in endless:
                with Crowd(server, 4, chunked + start) as crowd:
                    expect(f"… {name} is ended", crowd.until_ended(8, drip, 0.005), len(crowd))
                    expect(f"… {name}: 4xx", set(crowd.statuses()) <= {400, 413, 431, None}, crowd.statuses())
        with abuse(server, "1 MiB in chunks of a byte", memory=12):
            begin = time.monotonic()
            status = server.ask(chunked + b"1\r\nx\r\n" * (MIB - 1) + b"0\r\n\r\n")
            expect("… is read (and is no JSON)", status == 400, status)
            expect("… in time", time.monotonic() - begin < 5, time.monotonic() - begin)
