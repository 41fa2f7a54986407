"""Ports in front of a PostgreSQL's socket and of a server, which stop passing bytes on demand."""
import contextlib
import socket
import struct
import threading
import time


class Relay:
    def __init__(self, database):
        """`database` is the address of a Database: it names the folder of its socket."""
        before, _, place = database.partition("@")
        name, _, query = place.lstrip("/").partition("?host=")
        self.address = f"{query.split('&')[0]}/.s.PGSQL.5432"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"{before}@127.0.0.1:{self.listener.getsockname()[1]}/{name}"
        self.passes, self.pairs, self.lock = threading.Event(), [], threading.Lock()
        self.passes.set()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            database, is_cut = socket.socket(socket.AF_UNIX), threading.Event()
            try:
                database.connect(self.address)
            except OSError:
                client.close()
                continue
            with self.lock:
                self.pairs.append(is_cut)
            for ends in ((client, database), (database, client)):
                threading.Thread(target=self.copy, args=(*ends, is_cut), daemon=True).start()

    def copy(self, source, target, is_cut):
        with contextlib.suppress(OSError):
            while read := source.recv(65536):
                self.passes.wait()
                if is_cut.is_set():
                    continue  # neither end notices
                target.sendall(read)
            if not is_cut.is_set():
                target.shutdown(socket.SHUT_WR)

    def stop(self):
        """All connections, also new ones, pass nothing until `go`."""
        self.passes.clear()

    def go(self):
        self.passes.set()

    def cut(self):
        """The connections of this moment never pass anything again, without an end; new ones do."""
        with self.lock:
            for is_cut in self.pairs:
                is_cut.set()
            self.pairs.clear()


class NetworkRelay:
    """A port in front of a server: the network of an app. It cuts, freezes, delays and breaks connections, and stores the requests."""

    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.passes, self.lock = threading.Event(), threading.Lock()
        self.passes.set()
        self.is_cut, self.delay, self.plans = False, 0, []
        self.pairs, self.sent, self.rejected = set(), [], 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            with self.lock:
                plan = self.plans.pop(0) if self.plans else None
                is_cut = self.is_cut
            if is_cut:
                self.rejected += 1
                self.reset(client)
                continue
            server = socket.socket()
            try:
                server.connect(self.target)
            except OSError:
                self.reset(client)
                continue
            pair, sent = (client, server), bytearray()
            with self.lock:
                self.pairs.add(pair)
                self.sent.append(sent)
            for way, source, target in (("up", client, server), ("down", server, client)):
                threading.Thread(target=self.copy, args=(way, source, target, pair, sent, plan), daemon=True).start()

    def copy(self, way, source, target, pair, sent, plan):
        left = plan[1] if plan and plan[0] == way else None
        with contextlib.suppress(OSError):
            if left == 0 and way == "up":  # broken before the first byte
                return self.break_pair(pair)
            while read := source.recv(65536):
                self.passes.wait()
                if self.delay:
                    time.sleep(self.delay)
                if way == "up":
                    sent += read
                if left is not None:
                    target.sendall(read[:left])
                    left -= len(read)
                    if left <= 0:
                        return self.break_pair(pair)
                    continue
                target.sendall(read)
        self.end_pair(pair)

    def end_pair(self, pair):
        """Ends both connections, as their peers do."""
        for end in pair:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with self.lock:
            self.pairs.discard(pair)

    def break_pair(self, pair):
        self.end_pair(pair)
        self.reset(pair[0])

    @staticmethod
    def reset(end):
        with contextlib.suppress(OSError):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.close()

    def plan(self, *breaks):
        """The next connections break after so many bytes of a way: ("up", 60), ("down", 0); None leaves one whole."""
        with self.lock:
            self.plans = list(breaks)

    def cut(self):
        """All connections end, and new ones end at once, until `go`."""
        with self.lock:
            self.is_cut, pairs = True, list(self.pairs)
        for pair in pairs:
            self.end_pair(pair)

    def freeze(self):
        """All connections, also new ones, pass nothing until `go`."""
        self.passes.clear()

    def go(self):
        with self.lock:
            self.is_cut, self.delay, self.plans = False, 0, []
        self.passes.set()

    @property
    def open(self):
        with self.lock:
            return len(self.pairs)

    def requests(self, name=None):
        """The requests of all connections so far: as texts, or the value of a field of each; None without it."""
        with self.lock:
            heads = [head for sent in self.sent for head in bytes(sent).decode(errors="replace").split("\r\n\r\n") if " HTTP/1.1\r\n" in head]
        if name is None:
            return heads
        fields = [dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line) for head in heads]
        return [field.get(name) for field in fields]
