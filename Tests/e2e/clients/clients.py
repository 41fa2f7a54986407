"""Python's clients: requests, httpx, aiohttp and h2. Prints a JSON object of their outcomes.

    clients.py URL AUTHORITY
"""
import asyncio
import contextlib
import hashlib
import json
import socket
import ssl
import sys
from urllib.parse import urlsplit

import aiohttp
import h2.config
import h2.connection
import h2.events
import h2.exceptions
import httpx
import requests

URL, AUTHORITY = sys.argv[1:3]
IS_SECURE = URL.startswith("https:")
RANGE, JSON_BODY = {"Range": "bytes=1000-1999"}, {"Content-Type": "application/json"}
TIMEOUT = 20  # seconds


def body():
    """A JSON text of 600,000 bytes, in pieces."""
    yield b'{"title":"Mir"'
    for _ in range(60):
        yield b" " * 10_000
    yield b"}"


def digest(pieces):
    total = hashlib.sha256()
    for piece in pieces:
        total.update(piece)
    return total.hexdigest()


def outcome(whole, part, posted, line, version):
    return {"whole": whole, "part": part, "posted": posted, "streamed": "likes" in json.loads(line), "version": version}


def with_requests():
    with requests.Session() as session:
        session.verify = AUTHORITY
        session.trust_env = False  # a variable of the machine would replace the authority
        with session.get(URL + "/large", stream=True, timeout=TIMEOUT) as got:
            whole = digest(got.iter_content(1024))
        part = session.get(URL + "/large", headers=RANGE, timeout=TIMEOUT)
        posted = session.post(URL + "/photos", data=body(), headers=JSON_BODY, timeout=TIMEOUT)
        with session.get(URL + "/photos/42/likes", stream=True, timeout=TIMEOUT) as stream:
            line = next(stream.iter_lines(chunk_size=1))
        version = {11: "1.1"}.get(got.raw.version)
        return outcome(whole, (part.status_code, digest([part.content])), posted.status_code, line, version)


def with_httpx(**versions):
    context = ssl.create_default_context(cafile=AUTHORITY)
    with httpx.Client(base_url=URL, verify=context, timeout=TIMEOUT, **versions) as client:
        with client.stream("GET", "/large") as got:
            whole = digest(got.iter_raw(1024))
        part = client.get("/large", headers=RANGE)
        posted = client.post("/photos", content=body(), headers=JSON_BODY)
        with client.stream("GET", "/photos/42/likes") as stream:
            line = next(stream.iter_lines())
        version = got.http_version.removeprefix("HTTP/")
        return outcome(whole, (part.status_code, digest([part.content])), posted.status_code, line, version)


async def with_aiohttp():
    async def pieces():
        for piece in body():
            yield piece

    context = ssl.create_default_context(cafile=AUTHORITY) if IS_SECURE else True
    total = hashlib.sha256()
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(TIMEOUT)) as session:
        async with session.get(URL + "/large", ssl=context) as got:
            async for piece in got.content.iter_chunked(1024):
                total.update(piece)
            version = f"{got.version.major}.{got.version.minor}"
        async with session.get(URL + "/large", headers=RANGE, ssl=context) as part:
            part = part.status, digest([await part.read()])
        async with session.post(URL + "/photos", data=pieces(), headers=JSON_BODY, ssl=context) as posted:
            posted = posted.status
        async with session.get(URL + "/photos/42/likes", ssl=context) as stream:
            line = await stream.content.readline()
    return outcome(total.hexdigest(), part, posted, line, version)


class Session:
    """h2 over a socket. Returns the octets in steps of 512, each to the stream and to the connection."""

    def __init__(self):
        place = urlsplit(URL)
        self.socket = socket.create_connection((place.hostname, place.port), TIMEOUT)
        if IS_SECURE:
            context = ssl.create_default_context(cafile=AUTHORITY)
            context.set_alpn_protocols(["h2"])
            self.socket = context.wrap_socket(self.socket, server_hostname=place.hostname)
        self.scheme, self.authority = place.scheme, place.netloc
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.h2.initiate_connection()
        self.flush()

    def flush(self):
        self.socket.sendall(self.h2.data_to_send())

    def events(self):
        received = self.socket.recv(65_536)
        if not received:
            raise EOFError("the server closed the connection")
        yield from self.h2.receive_data(received)

    def send(self, method, path, fields=(), pieces=()):
        stream = self.h2.get_next_available_stream_id()
        head = [(":method", method), (":scheme", self.scheme), (":authority", self.authority), (":path", path), *fields]
        self.h2.send_headers(stream, head, end_stream=not pieces)
        self.flush()
        for piece in pieces:
            while piece:
                room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size, len(piece))
                if room:
                    self.h2.send_data(stream, piece[:room])
                    piece = piece[room:]
                    self.flush()
                else:
                    for _ in self.events():
                        pass
        if pieces:
            self.h2.end_stream(stream)
            self.flush()
        return stream

    def receive(self, stream, until=None):
        """The status, and the body to its end or to this text."""
        status, pieces = None, []
        while True:
            for event in self.events():
                if isinstance(event, h2.events.ConnectionTerminated):
                    raise EOFError(f"GOAWAY {event.error_code} after {sum(map(len, pieces))} octets")
                if getattr(event, "stream_id", None) != stream:
                    continue
                if isinstance(event, h2.events.ResponseReceived):
                    status = int(dict(event.headers)[":status"])
                if isinstance(event, h2.events.DataReceived):
                    pieces.append(event.data)
                    for start in range(0, len(event.data), 512):
                        count = min(512, len(event.data) - start)
                        self.h2.increment_flow_control_window(count)
                        with contextlib.suppress(h2.exceptions.StreamClosedError):  # its end came in the same read
                            self.h2.increment_flow_control_window(count, stream)
                        self.flush()
                    if until and until in event.data:
                        return status, b"".join(pieces)
                if isinstance(event, h2.events.StreamEnded):
                    return status, b"".join(pieces)
            self.flush()


def with_h2():
    session = Session()
    _, whole = session.receive(session.send("GET", "/large"))
    status, part = session.receive(session.send("GET", "/large", [("range", RANGE["Range"])]))
    posted, _ = session.receive(session.send("POST", "/photos", [("content-type", "application/json")], list(body())))
    _, lines = session.receive(session.send("GET", "/photos/42/likes"), until=b"\n")
    session.socket.close()
    return outcome(digest([whole]), (status, digest([part])), posted, lines.splitlines()[0], "2")


clients = {
    "requests": with_requests,
    "httpx": with_httpx,
    "httpx, HTTP/2": lambda: with_httpx(http1=False, http2=True),
    "aiohttp": lambda: asyncio.run(with_aiohttp()),
    "h2, two WINDOW_UPDATEs per 512 octets": with_h2,
}
outcomes = {}
for name, client in clients.items():
    try:
        outcomes[name] = client()
    except Exception as error:  # the others still run
        outcomes[name] = f"{type(error).__name__}: {error}"
print(json.dumps(outcomes))
