"""A haproxy in front of several servers, which takes out those whose /readyz isn't 200."""
import contextlib
import socket
import subprocess
from pathlib import Path

from harness import PATIENCE, check, eventually, free_port


@contextlib.contextmanager
def running(*command):
    """A process that ends with its block."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


class Balancer:
    """haproxy on a port of its own. Without further lines for the backend, no request is sent twice."""

    def __init__(self, folder, servers, *lines):
        self.folder, self.servers, self.port = Path(folder), servers, free_port()
        self.place = self.folder / "haproxy.sock"
        backend = [f"  server s{number} 127.0.0.1:{one.port}" for number, one in enumerate(servers)]
        self.configuration = "\n".join([
            "global", f"  stats socket {self.place} level admin",
            "defaults", "  mode http", "  timeout connect 5s", "  timeout client 30s", "  timeout server 30s",
            "frontend public", f"  bind 127.0.0.1:{self.port}", "  default_backend replicas",
            "backend replicas", "  balance roundrobin", "  option httpchk GET /readyz", "  http-check expect status 200",
            *(f"  {line}" for line in lines or ("retries 0",)),
            "  default-server check inter 100ms fall 1 rise 1", *backend, ""])

    def states(self):
        """The state of each server, by its last check."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(self.place))
            client.sendall(b"show stat\n")
            text = b"".join(iter(lambda: client.recv(65536), b"")).decode()
        return [line.split(",")[17] for line in text.splitlines() if line.startswith("replicas,s")]

    def finds_all(self):
        return self.states() == ["UP"] * len(self.servers)

    def __enter__(self):
        path = self.folder / "haproxy.cfg"
        path.write_text(self.configuration)
        self.run = running("haproxy", "-db", "-f", str(path))
        self.run.__enter__()
        check("haproxy runs", eventually(self.place.exists))
        check("… and finds all servers", eventually(self.finds_all))
        return self

    def __exit__(self, *error):
        self.run.__exit__(*error)
