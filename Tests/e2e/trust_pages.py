"""Drives the built server as a hostile web page and a careless operator would: hosts, origins, limits, fields."""
import contextlib
import json
import os
import socket
import stat
import subprocess
import sys

from certificates import Authority
from harness import BINARY, ENVIRONMENT, PATIENCE, Server, check, equal, eventually, free_port, is_problem, read_to_end, token


def curl(*options):
    """curl's output, and the status after it."""
    done = subprocess.run(["curl", "-sS", "-m", str(PATIENCE), "-w", "\n%{http_code}", *map(str, options)],
                          capture_output=True, timeout=2 * PATIENCE, env=ENVIRONMENT, text=True)
    text, _, code = done.stdout.rpartition("\n")
    return int(code or 0), text + done.stderr


def hosts(folder):
    metrics = free_port()
    with Server(folder, "--metrics-port", str(metrics)) as server:
        for port, path in ((server.port, "/photos"), (metrics, "/metrics")):
            url = f"http://127.0.0.1:{port}{path}"
            for version in ("--http1.1", "--http2-prior-knowledge"):
                for host in ("localhost", "LOCALHOST.:9", "127.0.0.1", "[::1]:80"):
                    equal(f"{path} {version}: {host} is served", curl(version, url, "-H", f"Host: {host}")[0], 200)
                status, text = curl(version, url, "-H", "Host: evil.example")
                equal(f"{path} {version}: evil.example gets 421", status, 421)
                check("… with the option's name", "--allowed-host" in text, text)
            upgraded = curl("--http2", url, "-H", "Host: evil.example")
            equal(f"{path}: an upgrade to HTTP/2 doesn't help", upgraded[0], 421)
    with Server(folder / "named", "--allowed-host", "app.example", "--allowed-host", "b.example") as server:
        for host, status in (("app.example", 200), ("B.EXAMPLE:443", 200), ("localhost", 200), ("c.example", 421)):
            equal(f"named hosts: {host} gets {status}", curl(server.url + "/photos", "-H", f"Host: {host}")[0], status)


def pages(folder):
    metrics = free_port()
    page = ("-H", "Origin: https://evil.example")
    with Server(folder, "--allowed-origin", "https://app.example", "--metrics-port", str(metrics)) as server:
        like, cross = server.url + "/photos/42/like", ("-H", "Sec-Fetch-Site: cross-site")
        for version in ("--http1.1", "--http2-prior-knowledge"):
            status, text = curl(version, "-X", "POST", like, *page, *cross)
            equal(f"{version}: another origin's page can't act", status, 403)
            check("… and the remedy is said", "--allowed-origin" in text, text)
            equal("… nor without Sec-Fetch-Site", curl(version, "-X", "POST", like, *page)[0], 403)
            equal("… nor delete", curl(version, "-X", "DELETE", like, *page)[0], 403)
            equal("a listed one can", curl(version, "-X", "POST", like, "-H", "Origin: https://app.example", *cross)[0], 200)
            equal("its own one can", curl(version, "-X", "POST", like, "-H", f"Origin: {server.url}")[0], 200)
            equal("the operations port has the check, too",
                  curl(version, "-X", "POST", f"http://127.0.0.1:{metrics}/healthz", *page)[0], 403)
        batch = json.dumps([{"action": "LikePhoto", "input": {"id": 42}}])
        equal("a batch without a type gets 415", curl(server.url + "/actions", "-H", "Content-Type:", "-d", batch)[0], 415)
        equal("… and a form", curl(server.url + "/actions", "-d", batch)[0], 415)
        admin = token(folder / "data", "admin")
        eventually(lambda: server.send("GET", "/tokens", fields={"Authorization": f"Bearer {admin}"}).status == 200)
        made = curl(server.url + "/tokens", "-H", f"Authorization: Bearer {admin}", "-d", "scopes=admin&name=evil")
        equal("administration takes no forms", made[0], 415)


def certificates(folder):
    """A browser sends its user's certificate for any page."""
    authority = Authority(folder / "certificates")
    certificate, key = authority.issue("server")
    own, own_key = authority.issue("ada", "clientAuth")
    with Server(folder / "server", "--tls-cert", certificate, "--tls-key", key, "--tls-client-ca", authority.certificate,
                "--tls-client-scope", "CN=ada=admin") as server:
        ask = ("--cacert", authority.certificate, "--cert", own, "--key", own_key, f"https://localhost:{server.port}/tokens")
        json_type = ("-H", "Content-Type: application/json")
        evil = ("-H", "Origin: https://evil.example", "-H", "Sec-Fetch-Site: cross-site")
        equal("a page can't make a token by a form", curl(*ask, *evil, "-d", "scopes=admin&name=evil")[0], 403)
        equal("… nor by JSON", curl(*ask, *evil, *json_type, "-d", '{"scopes":["admin"],"name":"evil"}')[0], 403)


def streams(folder):
    """Event streams leave places for others, and health responds at the limit of connections."""
    with Server(folder, "--connections", "20", "--loops", "1") as server:
        watch = b"GET /photos/42/likes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
        clients = []

        def connect(request=b""):
            client = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            clients.append(client)
            client.sendall(request)
            return client

        first = [connect(watch).recv(12) for _ in range(20)]
        equal("half of the connections may be streams", (first.count(b"HTTP/1.1 200"), first.count(b"HTTP/1.1 503")), (10, 10))
        for client in clients[10:]:
            client.close()
        # The others begin a request, so that none of them is idle.
        slow = [connect(b"GET /photos HTTP/1.1\r\nHost: localhost\r\n") for _ in range(10)]
        full = eventually(lambda: server.exchange(b"GET /photos HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        check("at the limit others get 503 and are closed", full.startswith(b"HTTP/1.1 503 ") and b"Connection: close" in full, full)
        for path in (b"/healthz", b"/readyz"):
            answer = server.exchange(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path)
            check(f"{path.decode()} responds", answer.startswith(b"HTTP/1.1 200 ") and b"Connection: close" in answer, answer)
        status, _ = curl("--http2-prior-knowledge", server.url + "/healthz")
        equal("… over HTTP/2, too", status, 200)
        equal("… where others get 503", curl("--http2-prior-knowledge", server.url + "/photos")[0], 503)
        for client in clients:
            client.close()
        check("afterwards all is as before", eventually(lambda: server.send("GET", "/photos").status == 200))
        del slow


def exposure(folder):
    metrics = free_port()
    options = ("--administration", "operations-port", "--documentation", "operations-port", "--batches", "operations-port")
    with Server(folder, "--metrics-port", str(metrics), *options) as server:
        admin = token(folder / "data", "admin")
        allowed = ("-H", f"Authorization: Bearer {admin}")
        batch = ("-H", "Content-Type: application/json", "-d", '[{"action":"LikePhoto","input":{"id":42}}]')
        private = f"http://127.0.0.1:{metrics}"
        eventually(lambda: curl(private + "/tokens", *allowed)[0] == 200)
        for path, options in (("/tokens", allowed), ("/docs", ()), ("/openapi.json", ()), ("/actions", batch)):
            equal(f"{path} is on the operations port", curl(private + path, *options)[0], 200)
            equal("… and not on the public one", curl(server.url + path, *options)[0], 404)
        equal("a token is needed there, too", curl(private + "/tokens")[0], 401)
        equal("the application stays public", curl(server.url + "/photos")[0], 200)
        equal("… and only there", curl(private + "/photos")[0], 404)
    with Server(folder / "none", "--administration", "none", "--documentation", "none", "--batches", "none") as server:
        for path in ("/tokens", "/docs", "/openapi.json"):
            equal(f"{path} is off", curl(server.url + path)[0], 404)
        equal("/actions is off", curl(server.url + "/actions", *batch)[0], 404)


def fields(folder):
    authority = Authority(folder / "certificates")
    certificate, key = authority.issue("server", names="DNS:localhost,DNS:app.example,IP:127.0.0.1")
    tls = ("--tls-cert", certificate, "--tls-key", key, "--allowed-host", "app.example")

    def head(server, host, *options):
        done = curl("-k", "-D", "-", "-o", "/dev/null", "--connect-to", f"{host}:443:127.0.0.1:{server.port}", *options,
                    f"https://{host}/photos")
        return done[1].lower()

    with Server(folder / "server", *tls) as server:
        for version in ("--http1.1", "--http2"):
            named = head(server, "app.example", version)
            for line in ("x-content-type-options: nosniff", "cross-origin-resource-policy: same-origin",
                         "strict-transport-security: max-age=31536000"):
                check(f"{version}: {line}", named.count(line) == 1, named)
            for host in ("127.0.0.1", "localhost"):
                check(f"{version}: no strict-transport-security for {host}",
                      "strict-transport-security" not in head(server, host, version))
    with Server(folder / "development", "--dev-tls", "--allowed-host", "*") as server:
        check("none with a development certificate", "strict-transport-security" not in head(server, "localhost", "--http1.1"))
    with Server(folder / "plain") as server:
        plain = curl("-D", "-", "-o", "/dev/null", server.url + "/nothing")[1].lower()
        check("errors have the fields, too", "nosniff" in plain and "same-origin" in plain, plain)
        check("… without strict-transport-security", "strict-transport" not in plain)
        broken = server.exchange(b"GET / HTTP/1.1\r\n\r\n").lower()
        check("… and so have those of the protocol", b"nosniff" in broken, broken)


def sockets(folder):
    for options, mode in (((), 0o660), (("--socket-mode", "600"), 0o600), (("--socket-mode", "0666"), 0o666)):
        path = folder / f"socket{mode}"
        server = Server(folder / str(mode), "--host", f"unix:{path}", *options)
        server.start()
        equal(f"a Unix socket has the mode {mode:o}", stat.S_IMODE(os.stat(path).st_mode), mode)
        status, _ = curl("--unix-socket", path, "http://anything.example/photos")
        equal("… and serves any host", status, 200)
        equal("it ends", server.end(), 0)




def published(folder):
    """The server doesn't start if the public folder contains its secrets."""
    (folder / "site/data").mkdir(parents=True)
    (folder / "site/behaviors.json").write_text("[]")
    (folder / "site/options.json").write_text("{}")
    (folder / "data").symlink_to("site/data")
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", folder / "site/audit-key.pem"], check=True,
                   capture_output=True)

    def problem(*options):
        return subprocess.run([BINARY, "serve", "--port", "0", *map(str, options)], capture_output=True, text=True,
                              timeout=PATIENCE, env=ENVIRONMENT, cwd=folder / "site", stdin=subprocess.DEVNULL)

    for name, options in (
        ("the data folder", ("--data", "data")),
        ("a data folder that is missing", ("--data", "new/data")),
        ("a data folder through a link", ("--data", folder / "data")),
        ("a behaviors folder", ("--data", folder / "own", "--behaviors-folder", "documents")),
        ("the audit key", ("--data", folder / "own", "--audit-head", folder / "head", "--audit-key", "audit-key.pem")),
        ("the options file", ("--data", folder / "own", "--config", "options.json")),
        ("the socket", ("--data", folder / "own", "--host", "unix:socket")),
    ):
        run = problem("--public", ".", *options)
        check(f"{name} in the public folder is an error", run.returncode == 78 and "is in the public folder" in run.stderr
              and str((folder / "site").resolve()) in run.stderr and "--public" in run.stderr, run)


GROUPS = (hosts, pages, certificates, streams, exposure, fields, sockets, published)
