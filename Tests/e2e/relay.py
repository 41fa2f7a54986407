"""A port in front of a PostgreSQL's socket, which stops passing bytes on demand."""
import contextlib
import socket
import threading


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
