"""HTTP/2 clients that mean harm (RFC 9113 §10.5; the CVEs by their numbers)."""
import shlex
import struct
import time

from crowd import Crowd
from frames import *  # noqa: F403: the protocol's words
from scene import MIB, Target, abuse, check, end, eventually, expect, idle_cpu

ENDED = 12  # seconds in which the server has ended what it has to: its longest timeout, what lingers, a slow machine


def ends(peer, what="… the connection is ended", codes=None):
    """The server ends the connection, with one of these codes where it says one."""
    ended = peer.until(seconds=ENDED)
    return expect(what, ended and (codes is None or peer.goaway in {None, *codes}), (ended, peer.goaway, len(peer.received)))


def outcome(server, what, sent, *wanted, stream=1, prepare=None):
    """What becomes of a stream, or of its connection, for these bytes."""
    with Peer(server) as peer:
        if prepare:
            prepare(peer)
        peer.send(sent)
        got = peer.settle(stream)
        expect(f"… {what}", got in wanted or (got == "closed" and any(want[0] == "goaway" for want in wanted)),
               f"got {got}, expected one of {wanted}")


def floods(folder):
    with Target(folder) as server:
        with abuse(server, "rapid reset: 10 × 10,000 requests, each reset at once (CVE-2023-44487)", memory=16):
            storm = b"".join(request(2 * n + 1) + reset(2 * n + 1) for n in range(10_000))
            for _ in range(10):
                with Peer(server) as peer:
                    peer.send(storm)
                    ends(peer, codes={ENHANCE_YOUR_CALM, INTERNAL_ERROR, PROTOCOL_ERROR, NO_ERROR})
        with abuse(server, "made you reset: 10,000 requests, each made invalid behind it (CVE-2025-8671)", memory=16):
            for spoil in (lambda stream: window(stream, 0), lambda stream: window(stream, 2**31 - 1),
                          lambda stream: frame(PRIORITY, 0, stream, b"\0\0\0\0"), lambda stream: frame(DATA, 0, stream, b"x")):
                with Peer(server) as peer:
                    peer.send(b"".join(request(2 * n + 1) + spoil(2 * n + 1) for n in range(10_000)))
                    ends(peer, codes={ENHANCE_YOUR_CALM, INTERNAL_ERROR, PROTOCOL_ERROR, NO_ERROR, STREAM_CLOSED,
                                      FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR})
        with abuse(server, "a field block of endless CONTINUATIONs (CVE-2024-27316)", memory=8), Peer(server) as peer:
            peer.send(request(1, flags=END_STREAM))
            piece = frame(CONTINUATION, 0, 1, field(b"x", b"y" * 1000)) * 100
            _ = all(peer.send(piece) for _ in range(500))
            ends(peer)
        with abuse(server, "empty CONTINUATIONs without end", memory=8), Peer(server) as peer:
            peer.send(request(1, flags=END_STREAM))
            _ = all(peer.send(frame(CONTINUATION, 0, 1) * 10_000) for _ in range(100))
            ends(peer)
        for name, flood in (("PINGs", frame(PING, payload=b"12345678")), ("SETTINGS", settings((INITIAL_WINDOW_SIZE, 1000))),
                            ("SETTINGS with 1,000 pairs", settings(*[(INITIAL_WINDOW_SIZE, n) for n in range(1000)])),
                            ("PRIORITYs", frame(PRIORITY, 0, 1, b"\0\0\0\3\7")),
                            ("WINDOW_UPDATEs", window(0, 1)), ("frames of no known kind", frame(99, 255, 1, b"x" * 100))):
            count = 100_000 if len(flood) < 1000 else 1000
            with abuse(server, f"{count:,} {name}, from a client that doesn't read", memory=8), \
                    Crowd(server, 1, receive_buffer=4096) as crowd:
                crowd.send_all(PREFACE + settings() + flood * count, 5)
                crowd.reset()
        with abuse(server, "100,000 empty DATA frames (CVE-2019-9518)", memory=8), Peer(server, post(1)) as peer:
            peer.send(frame(DATA, 0, 1) * 100_000)
            ends(peer)
        with abuse(server, "100,000 DATA frames of padding alone", memory=8), Peer(server, post(1)) as peer:
            peer.send(frame(DATA, PADDED, 1, b"\0") * 100_000)
            ends(peer)
        with abuse(server, "100,000 DATA frames of a byte, padded with 255", memory=8), Peer(server, post(1)) as peer:
            _ = all(peer.send(frame(DATA, PADDED, 1, b"\xff " + b"\0" * 255) * 1000) for _ in range(100))
            ends(peer)
        with abuse(server, "300,000 requests beyond the bound, from a client that reads nothing", memory=16), \
                Crowd(server, 1, receive_buffer=4096) as crowd:
            # The bound isn't acknowledged, so each is refused alone. What fills the socket comes first.
            opened = settings((INITIAL_WINDOW_SIZE, 2**31 - 1)) + window(0, 2**30)
            crowd.send_all(PREFACE + opened + b"".join(request(2 * n + 1, path=b"/openapi.json") for n in range(100)), 5)
            for start in range(100, 300_100, 10_000):
                crowd.send_all(b"".join(frame(HEADERS, END_STREAM | END_HEADERS, 2 * n + 1, b"\x82")
                                        for n in range(start, start + 10_000)), 1)
            crowd.reset()
        with abuse(server, "200 loops of dependency", memory=8):
            for _ in range(200):
                with Peer(server) as peer:
                    peer.send(b"".join(frame(PRIORITY, 0, n, struct.pack(">IB", (n + 2) % 200 | 1, 7)) for n in range(1, 200, 2)))
                    peer.send(request(201))
                    expect("… a request behind them is answered", peer.settle(201) in ("answered", ("goaway", PROTOCOL_ERROR)))


def windows(folder):
    (folder / "large").write_bytes(b"x" * 16 * MIB)
    with Target(folder) as server:
        (folder / "large").rename(server.folder / "public/large")
        get, no_window = [request(2 * n + 1, path=b"/large") for n in range(100)], settings((INITIAL_WINDOW_SIZE, 0))
        with abuse(server, "20 × 100 streams without a window", memory=64), \
                Crowd(server, 20, PREFACE + no_window + b"".join(get)) as crowd:
            expect("… are ended", crowd.until_ended(ENDED), len(crowd))
        before = server.descriptors_at_rest()
        with abuse(server, "20 × 100 streams of a large file, from clients that don't read", memory=64), \
                Crowd(server, 20, PREFACE + settings((INITIAL_WINDOW_SIZE, 2**31 - 1)) + window(0, 2**30) + b"".join(get), 4096):
            expect("… are taken", eventually(lambda: server.descriptors() > before, 2), server.descriptors())
            expect("… are cut off", eventually(lambda: server.descriptors() <= before, ENDED), server.descriptors())
        with abuse(server, "20 × 100 streams whose window opens a byte at a time (CVE-2019-9517)", memory=64), \
                Crowd(server, 20, PREFACE + no_window + b"".join(get)) as crowd:
            drip = b"".join(window(2 * n + 1, 1) for n in range(100))
            deadline = time.monotonic() + 3
            while time.monotonic() < deadline:
                crowd.send(drip)
                crowd.receive(10)
        with abuse(server, "20 × 100 streams whose window opens a byte now and then", memory=64), \
                Crowd(server, 20, PREFACE + no_window + b"".join(get)) as crowd:
            drip = b"".join(window(2 * n + 1, 1) for n in range(100))
            deadline = time.monotonic() + ENDED
            while time.monotonic() < deadline and server.descriptors() > before:
                crowd.send(drip)
                crowd.receive(10)
                time.sleep(0.4)
            expect("… their files are closed meanwhile", server.descriptors() - before <= len(crowd), server.descriptors())
        with abuse(server, "windows that overflow (RFC 9113 §6.9.1)"):
            outcome(server, "the connection's", window(0, 2**31 - 1) + request(1), ("goaway", FLOW_CONTROL_ERROR))
            outcome(server, "a stream's", post(1) + window(1, 2**31 - 1), ("reset", FLOW_CONTROL_ERROR), ("goaway", FLOW_CONTROL_ERROR))
            outcome(server, "the initial one", settings((INITIAL_WINDOW_SIZE, 2**31)), ("goaway", FLOW_CONTROL_ERROR))
            outcome(server, "by settings", settings((INITIAL_WINDOW_SIZE, 65535)) + post(1) + window(1, 2**31 - 1 - 65535)
                    + settings((INITIAL_WINDOW_SIZE, 65536)), ("goaway", FLOW_CONTROL_ERROR), ("reset", FLOW_CONTROL_ERROR))
            outcome(server, "an increment of 0", window(0, 0), ("goaway", PROTOCOL_ERROR))
            more = frame(DATA, 0, 1, b" " * 16384) * 200
            outcome(server, "more data than the window has", post(1, 10 * MIB) + more, ("goaway", FLOW_CONTROL_ERROR),
                    ("reset", FLOW_CONTROL_ERROR), ("reset", NO_ERROR), "answered")


def without_windows(folder):
    """Answers that nobody reads, of every kind, at few descriptors."""
    (folder / "large").write_bytes(b"x" * MIB)
    with Starved(folder, write_timeout=3) as server:
        (folder / "large").rename(server.folder / "public/large")
        (server.folder / "public/small").write_bytes(b"x" * 1000)
        closed = PREFACE + settings((INITIAL_WINDOW_SIZE, 0))
        ranges = field(b"range", b"bytes=0-300000,400000-700000")
        for name, path, more, memory in (("large files", b"/large", b"", 16), ("small files", b"/small", b"", 16),
                                         ("parts of files, made in memory", b"/large", ranges, 96)):
            get = b"".join(request(2 * n + 1, path=path, more=more) for n in range(100))
            with abuse(server, f"{name} for 10 × 100 streams without a window, 256 descriptors", memory=memory), \
                    Crowd(server, 10, closed + get) as crowd:
                expect("… are ended", crowd.until_ended(2 * ENDED), len(crowd))
        expect("… its log is short", server.log.stat().st_size < 4096, server.log.stat().st_size)


class Starved(Target):
    def start(self):
        limited = self.folder / "plugboard"
        limited.write_text(f'#!/bin/sh\nulimit -n 256 && exec {shlex.quote(str(self.binary))} "$@"\n')
        limited.chmod(0o755)
        self.binary = limited
        super().start()


def blocks(folder):
    """Field blocks (RFC 7541, RFC 9113 §4.3)."""
    with Target(folder) as server:
        with abuse(server, "HPACK bombs: 4,000 bytes, named 16,000 times", memory=16):
            bomb = field(b"x", b"y" * 3900, indexed=True) + b"\xbe" * 16_000
            for _ in range(50):
                with Peer(server, request(1, more=b"") + request(3, more=bomb[:16_000])) as peer:
                    for stream in range(5, 45, 2):
                        if not peer.send(request(stream, more=b"\xbe" * 12_000)):
                            break
                    peer.settle(3)
                    expect("… are refused", not peer.is_ok(3))
        with abuse(server, "blocks that are none"):
            broken = ("goaway", COMPRESSION_ERROR)
            for name, more in (("an index of nothing", b"\xff\xff\xff\x00"), ("index 0", b"\x80"),
                               ("an endless number", b"\xff" * 100), ("a text that ends early", b"\x00\x7f"),
                               ("a wrong Huffman code", b"\x00\x81\xff\x00"), ("a table that grows", b"\x3f\xe1\xff\xff\x7f")):
                outcome(server, name, request(1, more=more), broken, ("goaway", PROTOCOL_ERROR), ("goaway", FRAME_SIZE_ERROR))
        with abuse(server, "1,000 changes of the table's size in a block"):
            outcome(server, "is refused or read", frame(HEADERS, END_STREAM | END_HEADERS, 1, b"\x20\x3f\xe1\x1f" * 1000 + fields()),
                    ("goaway", COMPRESSION_ERROR), "answered")
        with abuse(server, "fields that are too many or too large", memory=8):
            refused = (("goaway", PROTOCOL_ERROR), ("goaway", ENHANCE_YOUR_CALM), ("goaway", INTERNAL_ERROR),
                       ("goaway", COMPRESSION_ERROR), ("goaway", FRAME_SIZE_ERROR),
                       ("reset", PROTOCOL_ERROR), ("reset", INTERNAL_ERROR), ("reset", ENHANCE_YOUR_CALM), "answered")
            for name, more in (("1,500 fields", field(b"x", b"y") * 1500), ("a field of 16,250 bytes", field(b"x", b"y" * 16_250))):
                with Peer(server, request(1, more=more)) as peer:
                    expect(f"… {name}", peer.settle(1) in refused and not peer.is_ok(1), peer.settle(1))
            large = fields(more=field(b"x", b"y" * 100_000))
            pieces = [large[start:start + 16_000] for start in range(0, len(large), 16_000)]
            whole = frame(HEADERS, END_STREAM, 1, pieces[0]) + b"".join(frame(CONTINUATION, 0, 1, piece) for piece in pieces[1:-1])
            outcome(server, "a field of 100,000 bytes", whole + frame(CONTINUATION, END_HEADERS, 1, pieces[-1]), *refused)
        with abuse(server, "requests that are malformed (RFC 9113 §8.1.1)"):
            malformed = (("reset", PROTOCOL_ERROR), ("goaway", PROTOCOL_ERROR))
            for name, block in (
                    ("a name in capitals", fields(more=field(b"X-A", b"b"))),
                    ("Connection", fields(more=field(b"connection", b"close"))),
                    ("Transfer-Encoding", fields(more=field(b"transfer-encoding", b"chunked"))),
                    ("TE: gzip", fields(more=field(b"te", b"gzip"))),
                    ("no :path", field(b":method", b"GET") + field(b":scheme", b"http") + field(b":authority", b"localhost")),
                    ("an empty :path", fields(path=b"")),
                    ("two :path", fields() + field(b":path", b"/")),
                    (":path behind a field", field(b"a", b"b") + fields()),
                    (":status", fields(more=b"") + field(b":status", b"200")),
                    ("an unknown pseudo-field", field(b":x", b"y") + fields()),
                    ("CR LF in a value", fields(more=field(b"x", b"a\r\nb: c"))),
                    ("NUL in a value", fields(more=field(b"x", b"a\0b"))),
                    ("LF in :path", fields(path=b"/\nx")),
                    ("a space in a name", fields(more=field(b"x y", b"z")))):
                with Peer(server, frame(HEADERS, END_STREAM | END_HEADERS, 1, block)) as peer:
                    got = peer.settle(1)
                    # Some servers say 400 in an answer; none may say 200.
                    expect(f"… {name}", got in malformed or (got == "answered" and not peer.is_ok(1)) or got == "closed", got)
            for name, length, sent in (("more body than announced", 1, b"{}{}"), ("less body than announced", 100, b"{}")):
                outcome(server, name, post(1, length) + frame(DATA, END_STREAM, 1, sent), *malformed, "answered")


def order(folder):
    """Streams and frames out of order (RFC 9113 §5.1, §6)."""
    with Target(folder) as server:
        error = ("goaway", PROTOCOL_ERROR)
        closed = (("goaway", STREAM_CLOSED), ("reset", STREAM_CLOSED), error)
        cases = (
            ("an even stream", request(2), 2, (error,)),
            ("stream 0", request(0), 0, (error,)),
            ("a stream that was used", request(1) + request(1), 99, closed),
            ("a stream that was passed over", request(5) + request(3), 99, closed),
            ("DATA on stream 0", frame(DATA, 0, 0, b"x"), 99, (error,)),
            ("DATA on an idle stream", frame(DATA, 0, 1, b"x"), 1, closed),
            ("DATA behind the end", request(1) + frame(DATA, 0, 1, b"x"), 99, closed),
            ("RST_STREAM on an idle stream", reset(1), 1, (error,)),
            ("WINDOW_UPDATE on an idle stream", window(1, 1), 1, (error,)),
            ("CONTINUATION from nowhere", frame(CONTINUATION, END_HEADERS, 1, b""), 1, (error,)),
            ("another frame within a block", request(1, flags=END_STREAM) + frame(PING, payload=b"12345678"), 1, (error,)),
            ("PUSH_PROMISE from a client", frame(PUSH_PROMISE, END_HEADERS, 1, b"\0\0\0\2" + fields()), 1, (error,)),
            ("SETTINGS on a stream", frame(SETTINGS, 0, 1), 1, (error,)),
            ("SETTINGS of 5 bytes", frame(SETTINGS, payload=b"12345"), 1, (("goaway", FRAME_SIZE_ERROR),)),
            ("ENABLE_PUSH of 2", settings((ENABLE_PUSH, 2)), 1, (error,)),
            ("PING of 7 bytes", frame(PING, payload=b"1234567"), 1, (("goaway", FRAME_SIZE_ERROR),)),
            ("RST_STREAM of 3 bytes", request(1) + frame(RST_STREAM, 0, 1, b"123"), 99, (("goaway", FRAME_SIZE_ERROR),)),
            ("a dependency on itself", frame(HEADERS, END_STREAM | END_HEADERS | PRIORITIZED, 1, b"\0\0\0\1\7" + fields()), 1,
             (error, ("reset", PROTOCOL_ERROR), "answered")),
            ("more padding than payload", frame(HEADERS, END_STREAM | END_HEADERS | PADDED, 1, b"\xff" + fields()[:200]), 1, (error,)),
            ("a frame of 16 MiB", b"\xff\xff\xff" + bytes((DATA, 0)) + b"\0\0\0\1", 1, (("goaway", FRAME_SIZE_ERROR), error)),
            ("a HEADERS frame of 1 MiB", frame(HEADERS, END_STREAM | END_HEADERS, 1, fields(more=b"\0" * MIB)), 1,
             (("goaway", FRAME_SIZE_ERROR), error)),
            ("no HTTP/2 behind the preface", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 10, 1, (("goaway", FRAME_SIZE_ERROR), error)),
            ("trailers that don't end the stream", post(1) + frame(HEADERS, END_HEADERS, 1, field(b"x", b"y")), 1,
             (error, ("reset", PROTOCOL_ERROR))),
            ("a pseudo-field in trailers", post(1) + frame(HEADERS, END_HEADERS | END_STREAM, 1, field(b":path", b"/")), 1,
             (error, ("reset", PROTOCOL_ERROR), "answered")),
            ("trailers of 15,000 bytes", post(1) + frame(HEADERS, END_HEADERS | END_STREAM, 1, field(b"x", b"y" * 15_000)), 1,
             (error, ("reset", PROTOCOL_ERROR), ("reset", INTERNAL_ERROR), ("reset", ENHANCE_YOUR_CALM), "answered")),
        )
        with abuse(server, f"{len(cases)} frames out of order"):
            for name, sent, stream, wanted in cases:
                outcome(server, name, sent, *wanted, stream=stream)
        with abuse(server, "1,000 streams at once, where 100 or so are the bound", memory=16), Peer(server) as peer:
            peer.send(b"".join(post(2 * n + 1, 100) for n in range(1000)))
            peer.until(lambda _: peer.goaway is not None or peer.code(1999) is not None)
            expect("… are refused", peer.goaway is not None or peer.ended or peer.code(1999) in {REFUSED_STREAM, PROTOCOL_ERROR},
                   (peer.goaway, peer.code(1999)))


def slow(folder):
    with Target(folder) as server:
        for name, first, drip in (
                ("prefaces, a byte at a time", b"", PREFACE), ("half prefaces, then silence", PREFACE[:10], b""),
                ("prefaces, then silence", PREFACE, b""), ("prefaces and SETTINGS, then silence", PREFACE + settings(), b""),
                ("half frames, then silence", PREFACE + settings() + request(1)[:20], b""),
                ("half blocks, then silence", PREFACE + settings() + request(1, flags=END_STREAM), b""),
                ("announced bodies that never come", PREFACE + settings() + post(1, 1000), b""),
                ("requests, then GOAWAY, then silence",
                 PREFACE + settings() + request(1) + frame(GOAWAY, payload=b"\0" * 8), b"")):
            with abuse(server, f"500 {name}", memory=32), Crowd(server, 500, first) as crowd:
                position = 0
                deadline = time.monotonic() + ENDED
                while crowd.clients and time.monotonic() < deadline:
                    if drip:
                        crowd.send(drip[position % len(drip):][:1])
                        position += 1
                    crowd.receive(20)
                    time.sleep(0.02 if drip else 0)
                expect("… are ended", not crowd.clients, len(crowd))
        with abuse(server, "200 × 100 requests whose bodies never come", memory=64), \
                Crowd(server, 200, PREFACE + settings() + b"".join(post(2 * n + 1) for n in range(100))) as crowd:
            expect("… are ended", crowd.until_ended(ENDED), len(crowd))
        with abuse(server, "500 bodies, a byte in a frame at a time", memory=32), \
                Crowd(server, 500, PREFACE + settings() + post(1, 100_000)) as crowd:
            expect("… are ended", crowd.until_ended(ENDED, frame(DATA, 0, 1, b" ")), len(crowd))
        with abuse(server, "500 that send nothing but PINGs", memory=32), Crowd(server, 500, PREFACE + settings()) as crowd:
            crowd.until_ended(3, frame(PING, payload=b"12345678"), 0.2)
        with abuse(server, "2,000 idle connections", memory=64), \
                Crowd(server, 2000, PREFACE + settings() + request(1)) as crowd:
            expect("… the loops sleep", idle_cpu(server) < 0.1)
            expect("… and end them when their time is up", crowd.until_ended(ENDED), len(crowd))


def uploads(folder):
    with Target(folder) as server:
        with abuse(server, "500 resets of a stream within its body", memory=16):
            for _ in range(5):
                with Peer(server) as peer:
                    peer.send(b"".join(post(2 * n + 1, 10_000) + frame(DATA, 0, 2 * n + 1, b" " * 100) + reset(2 * n + 1)
                                       for n in range(100)) + request(201))
                    expect("… a request behind them is answered", peer.settle(201) == "answered", peer.settle(201))
        with abuse(server, "500 connections reset within a body", memory=16):
            for _ in range(5):
                Crowd(server, 100, PREFACE + settings() + post(1, 10_000) + frame(DATA, 0, 1, b" " * 100)).reset()
        with abuse(server, "50 × 100 bodies of 64 KiB that lack their last byte", memory=192), \
                Crowd(server, 50, PREFACE + settings()) as crowd:
            bodies = b"".join(post(2 * n + 1, 65_536) for n in range(100))
            part = b"".join(frame(DATA, 0, 2 * n + 1, b" " * 600) for n in range(100))
            crowd.send_all(bodies + part, 5)
            deadline = time.monotonic() + 1
            while time.monotonic() < deadline:  # as windows open
                crowd.send(part)
                crowd.receive(10)
            expect("… are ended", crowd.until_ended(ENDED), len(crowd))
    with Target(folder / "stop") as server:
        crowds = [Crowd(server, 50, PREFACE + settings() + sent) for sent in
                  (b"", request(1), post(1, 100), request(1, flags=END_STREAM), PREFACE[:5])] + [Crowd(server, 50, PREFACE[:9])]
        eventually(lambda: server.descriptors() > 300, 5)
        status, took = end(server)
        check(f"SIGTERM in the midst of it all: status 0 in time [{took:.1f} s]", status == 0 and took < 7, status)
        for crowd in crowds:
            crowd.close()
