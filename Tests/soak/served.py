"""The servers of a soak: one without TLS on a data folder, one with TLS on PostgreSQL."""
import contextlib
import http.client
import socket
import ssl
from pathlib import Path

from harness import PATIENCE, Server


class Measured(Server):
    """A server with the places where its clients connect, and the figures that /proc has of it."""

    has_database = False

    def connect(self, receive_buffer=None, timeout=PATIENCE, protocol="http/1.1"):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def figures(self):
        """Resident and anonymous MiB, descriptors and threads, as in `samples.KINDS`."""
        own = Path(f"/proc/{self.process.pid}")
        status = dict(line.split(":", 1) for line in (own / "status").read_text().splitlines())
        resident, anonymous = (int(status[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon"))
        return resident, anonymous, len(list((own / "fd").iterdir())), int(status["Threads"])


class Plain(Measured):
    """A server without TLS, on the SQLite database of its data folder; its public folder is a link, as a ConfigMap's is."""

    def __init__(self, folder):
        super().__init__(folder)
        releases = self.folder / "releases"
        releases.mkdir()
        self.folder.joinpath("public").rename(releases / "0")
        self.folder.joinpath("public").symlink_to("releases/0")


class Secure(Measured):
    """A server with TLS, on PostgreSQL. Its photos are in its data folder, so that they are served while PostgreSQL restarts."""

    has_database = True
    PLUGS = [option for action in ("ListPhotos", "GetPhoto", "PostPhoto", "LikePhoto", "UnlikePhoto", "WatchLikes")
             for option in ("--plug", f"{action}=database")]

    def __init__(self, folder, authority, url):
        self.authority = authority
        self.certificate, self.key = authority.issue("server")
        self.contexts = {}
        for protocol in ("http/1.1", "h2"):
            context = ssl.create_default_context(cafile=authority.certificate)
            context.set_alpn_protocols([protocol])
            self.contexts[protocol] = context
        super().__init__(folder, "--tls-cert", self.certificate, "--tls-key", self.key, "--database", url, *self.PLUGS)

    def connection(self):
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=self.contexts["http/1.1"])

    def connect(self, receive_buffer=None, timeout=PATIENCE, protocol="http/1.1"):
        plain = super().connect(timeout=timeout)
        with contextlib.ExitStack() as stack:
            stack.callback(plain.close)
            connection = self.contexts[protocol].wrap_socket(plain, server_hostname="localhost")
            stack.pop_all()
        return connection
