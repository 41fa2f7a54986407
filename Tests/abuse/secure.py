"""Clients that abuse TLS: what comes before anybody knows who they are has to stay cheap."""
import contextlib
import os
import ssl
import subprocess
import time

from crowd import Crowd
from harness import PATIENCE, read_to_end
from scene import NORMAL, Target, abuse, expect


class SecureTarget(Target):
    """A server with a certificate that its normal clients don't check."""

    def __init__(self, folder, **bounds):
        super().__init__(folder, options=("--dev-tls",), **bounds)
        self.context = ssl.create_default_context()
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE

    def secure(self):
        return self.context.wrap_socket(self.connect(timeout=5), server_hostname="localhost")

    def normal(self, request=NORMAL):
        begin, received = time.monotonic(), b""
        with contextlib.suppress(OSError), self.secure() as client:
            client.sendall(request)
            received = read_to_end(client)
        return received.split(b"\r\n")[0], time.monotonic() - begin


def hello():
    """A ClientHello as Python's client says it."""
    outgoing = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost")
    with contextlib.suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


def record(content, kind=0x16, length=None):
    return bytes([kind, 3, 1]) + (len(content) if length is None else length).to_bytes(2, "big") + content


def handshakes(folder):
    whole = hello()
    # What is announced, OpenSSL makes room for before it has come: 128 KiB at most, 64 MiB for 500 of them.
    with SecureTarget(folder) as server:
        for name, first, memory in (("silence in place of a ClientHello", b"", 16), ("half a ClientHello", whole[:-40], 40),
                                    ("a ClientHello and no more", whole, 40),
                                    ("a ClientHello of 128 KiB, announced", record(b"\x01\x01\xff\xf0"), 96)):
            with abuse(server, f"500 times {name}", memory=memory), Crowd(server, 500, first) as crowd:
                expect("… ended in their time", crowd.until_ended(8), f"{len(crowd)} are left")
        with abuse(server, "200 ClientHellos, a byte at a time", memory=24), Crowd(server, 200, whole[:5]) as crowd:
            expect("… ended in their time", crowd.until_ended(8, b"\x00"), f"{len(crowd)} are left")
        with abuse(server, "500 handshakes that are done, and silence", memory=64), contextlib.ExitStack() as clients:
            kept = [clients.enter_context(server.secure()) for _ in range(500)]
            expect("… ended in their time", all(not read_to_end(client) for client in kept))


def records(folder):
    with SecureTarget(folder) as server:
        bad = {"zeros": bytes(20_000), "random bytes": record(os.urandom(16_000)), "an empty record": record(b""),
               "a record that is too long": record(b"", length=0xFFFF) + bytes(70_000),
               "alerts alone": record(b"\x01\x5a", kind=0x15) * 100, "data before keys": record(b"GET / HTTP/1.1", kind=0x17),
               "a change of cipher alone": record(b"\x01", kind=0x14) * 100}
        for name, sent in bad.items():
            with abuse(server, f"200 times {name}", memory=24), Crowd(server, 200, sent) as crowd:
                expect("… ended in their time", crowd.until_ended(8), f"{len(crowd)} are left")
                expect("… with an alert at most",
                       all(got[:1] in (b"", b"\x15") for got in crowd.received.values()), list(crowd.received.values())[0][:40])
        with abuse(server, "100 records that were changed behind a handshake", memory=24):
            for _ in range(100):
                with server.secure() as client:
                    os.write(client.fileno(), record(os.urandom(200), kind=0x17))
                    expect("… and no answer", not read_to_end(client))


def renegotiations(folder):
    with SecureTarget(folder) as server, abuse(server, "renegotiations, asked for again and again", memory=24):
        for _ in range(5):
            said = subprocess.run(
                ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-tls1_2"], input="R\nR\nR\n",
                capture_output=True, text=True, timeout=PATIENCE)
            expect("… each is refused", "no renegotiation" in said.stderr, said.stderr[-500:])
