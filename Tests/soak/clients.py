"""The load of a soak: kinds of clients, each a generator in a thread of its own that does one round at each step."""
import collections
import contextlib
import itertools
import json
import random
import socket
import struct
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor

import frames
from harness import Answer, eventually

JSON = {"Content-Type": "application/json"}
MOST_FAILURES = 20


class Load:
    """The threads of the clients, the number of their requests and their failures."""

    def __init__(self):
        self.counts, self.failures, self.clients = collections.Counter(), [], []
        self.lock, self.over = threading.Lock(), threading.Event()

    @property
    def count(self):
        return sum(self.counts.values())

    @property
    def names(self):
        return [name for name, _, _ in self.clients]

    def add(self, name, rounds, pause):
        """A client that does a round and then pauses for so many seconds; each round yields the number of its requests."""
        self.clients.append((name, rounds, pause))

    def add_clients(self, server, fields):
        kind = type(server).__name__.lower()
        for name, rounds, pause in (
                ("kept", kept(server), 0.05), ("short", short(server), 0.1), ("http2", http2(server), 0.2),
                ("stream", streams(server), 0.5), ("console", consoles(server, fields), 0.5), ("abort", aborted(server), 0.2),
                ("publish", publishes(server, fields), 1), ("token", tokens(server, fields), 10)):
            self.add(f"{kind}-{name}", rounds, pause)

    def __enter__(self):
        self.threads = [threading.Thread(target=self.run, args=client, daemon=True) for client in self.clients]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(60)
        if any(thread.is_alive() for thread in self.threads):
            self.failures.append("a client didn't end")

    def run(self, name, rounds, pause):
        while True:
            try:
                count = next(rounds)
            except Exception:  # a generator ends with its error, and the others run on
                with self.lock:
                    if len(self.failures) < MOST_FAILURES:
                        self.failures.append(f"{name}: {traceback.format_exc(limit=-2)}")
                return
            with self.lock:
                self.counts[name] += count
            if self.over.wait(pause * random.uniform(0.5, 1.5)):  # the load's pace, spread
                rounds.close()
                return


def require(response, *statuses):
    if response.status not in statuses:
        raise AssertionError(f"expected {statuses}, got {response!r}")
    return response


def ask(connection, method, path, body=None, fields=None):
    connection.request(method, path, body, fields or {})
    return Answer(connection.getresponse())


def kept(server):
    """Requests on one connection, which is replaced at times."""
    for number in itertools.count():
        with contextlib.closing(server.connection()) as connection:
            for _ in range(random.randrange(1, 200)):
                user = json.dumps({"user": f"user{number % 50}"})
                require(ask(connection, "GET", "/photos"), 200)
                tag = require(ask(connection, "GET", "/behaviors.json"), 200).fields["ETag"]
                require(ask(connection, "GET", "/behaviors.json", fields={"If-None-Match": tag}), 200, 304)
                require(ask(connection, "POST", "/photos/42/like", user, JSON), 200)
                require(ask(connection, "DELETE", f"/photos/42/like?user=user{number % 50}"), 200)
                require(ask(connection, "POST", "/photos/42/like", '{"user":', JSON), 400)
                require(ask(connection, "GET", "/photos/42", fields={"Accept-Encoding": "gzip"}), 200)
                yield 7


def short(server):
    """A connection for each request; every second one asks for a file, which is there during a swap, too."""
    while True:
        for path in ("/photos/42", "/index.html"):
            require(server.send("GET", path), 200)
        yield 2


def http2(server):
    """Ten streams at a time on one connection, two of which are reset."""
    while True:
        with frames.Peer(HTTP2Place(server), frames.window(0, 1 << 30)) as peer:
            for start in range(1, 2 * random.randrange(20, 400), 20):
                streams = range(start, start + 20, 2)
                cancelled = set(random.sample(list(streams), 2))
                peer.send(b"".join(frames.request(stream) + (frames.reset(stream) if stream in cancelled else b"")
                                   for stream in streams))
                wanted = [stream for stream in streams if stream not in cancelled]
                if not peer.until(lambda peer: all(peer.is_ok(stream) for stream in wanted)) or peer.ended:
                    raise AssertionError(f"the streams {wanted} have no response: {peer.goaway}")
                # Forgets the whole frames and keeps the beginning of the next one.
                del peer.received[:sum(9 + len(payload) for _, _, _, payload in peer.frames)]
                yield len(streams)


def fill_caches(server, fields):
    """Publishes and reads 3 MB of revisions, so that the page caches of SQLite's connections are full: they are no leak."""
    text = json.dumps([{"name": "Large", "actions": [{"func": "show", "value": "x" * 6000}]}])
    for _ in range(500):
        require(server.send("PUT", "/behaviors/large", text, JSON | fields), 201)

    def read(number):
        return require(server.send("GET", f"/behaviors/large/revisions/{number}", fields=fields), 200)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(read, list(range(1, 501)) * 2))


class HTTP2Place:
    """A server's place for HTTP/2."""

    def __init__(self, server):
        self.server = server

    def connect(self, receive_buffer=None):
        return self.server.connect(protocol="h2")


def streams(server):
    """A stream of events that gets the next one, and whose client then closes."""
    for number in itertools.count():
        with server.connect() as connection:
            connection.sendall(b"GET /photos/7/likes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
            first = read_until(connection, b"data:")
            if b" 200 " not in first[:20]:
                raise AssertionError(f"the stream's response is {first[:200]!r}")
            user = json.dumps({"user": f"stream{number % 20}"})
            require(server.send("POST", "/photos/7/like", user, JSON), 200)
            read_until(connection, b"data:")
            require(server.send("DELETE", f"/photos/7/like?user=stream{number % 20}"), 200)
            read_until(connection, b"data:")
        yield 3


def consoles(server, fields):
    """Three open boards of a signed-in browser, each of which receives some events, and the end of its session."""
    own = {"Sec-Fetch-Site": "same-origin"}
    secret = fields["Authorization"].removeprefix("Bearer ")
    while True:
        signed = require(server.send("POST", "/sessions", {"token": secret}, own), 200)
        cookie = own | {"Cookie": signed.fields["Set-Cookie"].split(";")[0]}
        require(server.send("GET", "/console/", fields=cookie), 200)
        head = "".join(f"{name}: {value}\r\n" for name, value in cookie.items())
        with contextlib.ExitStack() as stack:
            boards = [stack.enter_context(server.connect()) for _ in range(3)]
            for board in boards:
                board.sendall(f"GET /plugs/events HTTP/1.1\r\nHost: localhost\r\n{head}\r\n".encode())
            yield 2 + len(boards)
            for _ in range(random.randrange(1, 20)):
                for board in boards:
                    read_until(board, b"event: board")
                yield 0
        require(server.send("DELETE", "/sessions/current", fields=cookie), 204)
        yield 1


def read_until(connection, word):
    received = b""
    while word not in received:
        piece = connection.recv(65536)
        if not piece:
            raise AssertionError(f"the connection ended before {word!r}: {received[-200:]!r}")
        received += piece
    return received


ABORTS = (
    b"GET /pho", b"GET /photos/42 HTTP/1.1\r\nHost: loc",
    b"POST /photos/42/like HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    b"POST /photos HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{",
    b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20,
)


def aborted(server):
    """Connections that are reset in the middle of a request or of a response."""
    for sent in itertools.cycle(ABORTS):
        connection = server.connect()
        connection.sendall(sent)
        if sent.endswith(b"\r\n\r\n") and sent.startswith(b"GET"):
            connection.recv(100)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        yield 1


def publishes(server, fields):
    """Publications; while the database is unavailable, they are 503 and the live document stays."""
    live = None
    for number in itertools.count():
        document = json.dumps([{"name": f"Round{number % 100}", "actions": [{"func": "show", "value": "x" * (number % 50)}]}])
        put = require(server.send("PUT", "/behaviors/default", document, JSON | fields),
                      201, *((503,) if server.has_database else ()))
        served = require(server.send("GET", "/behaviors.json"), 200).body.decode()
        if put.status == 201:
            live = document
        # The response of a publication may be lost with its database, although the change is stored.
        if served != live and not (server.has_database and put.status == 503):
            raise AssertionError(f"{served} is served, {live} was published")
        if put.status == 503:
            eventually(lambda: can_write(server), 60)
            live = None
        yield 2


def can_write(server):
    """Whether /readyz names no store that is unavailable."""
    return b"behaviors" not in server.send("GET", "/readyz").body


def tokens(server, fields):
    """Tokens that are made, used and revoked; seldom, because a store remembers 10,000 revoked ones, 3 KiB each.

    While the database is unavailable, changes are 503."""
    unavailable = (503,) if server.has_database else ()
    while True:
        made = require(server.send("POST", "/tokens", {"scopes": ["behaviors:read"]}, fields), 201, *unavailable)
        if made.status == 201:
            own = {"Authorization": f"Bearer {made.json['token']}"}
            require(server.send("GET", "/behaviors", fields=own), 200, *unavailable)
            revoked = require(server.send("DELETE", f"/tokens/{made.json['info']['id']}", fields=fields), 204, *unavailable)
            if revoked.status == 204:
                require(server.send("GET", "/behaviors", fields=own), 401)
        yield 4 if made.status == 201 else 1


def swap_folder(server):
    """Replaces the public folder by its link, as Kubernetes replaces a ConfigMap's, and removes the old one."""
    releases = server.folder / "releases"
    for number in itertools.count(1):
        text = f"<p>{number}</p>"
        release = releases / str(number)
        release.mkdir()
        (release / "index.html").write_text(text)
        (release / "behaviors.json").write_bytes((releases / str(number - 1) / "behaviors.json").read_bytes())
        link = server.folder / "new"
        link.symlink_to(f"releases/{number}")
        link.rename(server.folder / "public")
        if not eventually(lambda: require(server.send("GET", "/index.html"), 200).body.decode() == text):
            raise AssertionError(f"release {number} isn't live")
        for old in (releases / str(number - 1)).iterdir():
            old.unlink()
        (releases / str(number - 1)).rmdir()
        yield 1


def restart_database(database, server):
    """Stops PostgreSQL, sees that live documents are served, and starts it again."""
    while True:
        database.tell("stop")
        if not eventually(lambda: not can_write(server)):
            raise AssertionError("/readyz doesn't show that the database is stopped")
        require(server.send("GET", "/behaviors.json"), 200)
        if database.tell("start") != "started":
            raise AssertionError("the database doesn't start")
        if not eventually(lambda: can_write(server), 60):
            raise AssertionError("the server doesn't find the database")
        yield 3
