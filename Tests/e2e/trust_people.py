"""Checks that people are told apart, that a revoked permission ends, and that tokens, keys and files stay their owners'."""
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time

from certificates import Authority
from harness import BINARY, ENVIRONMENT, PATIENCE, Server, check, equal, eventually, skip

NOBODY = 65_534


def command(*arguments, environment=None, text=None, **options):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, input=text,
                          timeout=PATIENCE * 2, env=ENVIRONMENT | (environment or {}), **options)


def made(data, *options):
    """A new token."""
    run = command("token", "create", "--data", data, *options)
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    return run.stdout.strip()


def number(token):
    return token.split("_")[1]


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class Desk:
    """A server whose production requires an approval, and the tokens of its people."""

    def __init__(self, server):
        self.server, self.data = server, server.folder / "data"
        self.admin = self.person("root", "admin")
        self.ada = self.person("Ada", "behaviors:write")
        server_knows = lambda: self.send(self.admin, "PUT", "/environments/production", {"approvals": 1}).status == 200
        check("production requires an approval", eventually(server_knows))

    def person(self, name, *scopes):
        token = made(self.data, "--name", name, *(word for scope in scopes for word in ("--scope", scope)))
        # The server looks for new tokens at most twice a second.
        eventually(lambda: self.send(token, "GET", "/tokens").status != 401)
        return token

    def send(self, token, method, path, body=None):
        return self.server.send(method, path, body, bearer(token))

    def draft(self, token):
        text = '[{"name": "one", "actions": []}]'
        return self.send(token, "PUT", "/behaviors/news?draft=true", text).json["revision"]

    def approve(self, token, revision):
        return self.send(token, "POST", "/behaviors/news/approve", {"revision": revision})

    def publish(self, token, revision):
        return self.send(token, "POST", "/behaviors/news/publish", {"revision": revision})


def people(folder):
    with Server(folder) as server:
        desk = Desk(server)
        first, second = (desk.person("", "behaviors:write", "behaviors:approve") for _ in range(2))
        draft = desk.draft(first)
        answer = desk.approve(second, draft)
        check("a token without a name can't approve", answer.status == 403 and "has no name" in answer.json["detail"], answer)
        answer = desk.approve(desk.person("Eve", "behaviors:approve"), draft)
        check("… nor is its draft approved", answer.status == 403 and "with a named token" in answer.json["detail"], answer)
        dave = desk.person("Dave", "behaviors:write")
        draft = desk.draft(dave)
        for name in ("dave", "Dave ", "Ｄａｖｅ", "D\u200bave"):
            answer = desk.approve(desk.person(name, "behaviors:approve"), draft)
            equal(f"{name!r} is Dave, who can't approve his own draft", answer.status, 403)
        equal("another person can", desk.approve(desk.person("Eve", "behaviors:approve"), draft).status, 200)
        equal("… and the draft goes live", desk.publish(desk.ada, draft).status, 200)


def revoked(folder):
    with Server(folder) as server:
        desk = Desk(server)
        bob = desk.person("Bob", "behaviors:approve")
        draft = desk.draft(desk.ada)
        equal("bob approves", desk.approve(bob, draft).status, 200)
        command("token", "revoke", number(bob), "--data", desk.data)
        answer = desk.publish(desk.ada, draft)
        check("the approval of a revoked token doesn't count", answer.status == 409
              and "the approval by Bob doesn't count: its token was revoked" in answer.json["detail"], answer)
        again = desk.person("bob", "behaviors:approve")
        equal("bob approves with another token", [each["name"] for each in desk.approve(again, draft).json["approvals"]],
              ["Bob", "bob"])
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3))
        dan = desk.person("Dan", "behaviors:write")
        answer = desk.send(dan, "POST", "/behaviors/news/schedules", {"revision": draft, "at": at})
        equal("dan schedules it", answer.status, 201)
        command("token", "revoke", number(dan), "--data", desk.data)
        check("the schedule of a revoked token ends", eventually(
            lambda: b"failed: its author Dan may not publish any more: its token was revoked" in server.log.read_bytes()))
        equal("… and nothing went live", server.send("GET", "/behaviors/news.json").status, 404)
        equal("the approved draft still can", desk.publish(desk.ada, draft).status, 200)
        check("the audit finds no contradiction", command("audit", "verify", "--data", desk.data).returncode == 0)


def lifetimes(folder):
    with Server(folder) as server:
        data = server.folder / "data"
        admin = made(data, "--scope", "admin", "--name", "root")
        line = lambda: command("token", "list", "--data", data).stdout
        ends = re.search(r"created (\S+)Z  expires (\S+)Z", line())
        seconds = [time.mktime(time.strptime(each, "%Y-%m-%dT%H:%M:%S")) for each in ends.groups()]
        equal("a token ends after 90 days", seconds[1] - seconds[0], 90 * 86_400)
        check("… and is unused", "used never" in line(), line())
        endless = made(data, "--scope", "a", "--expires", "never")
        check("--expires never makes one without an end", f"{number(endless)}  created" in line() and "expires never" in line(), line())
        check("the server accepts it", eventually(lambda: server.send("GET", "/tokens", fields=bearer(admin)).status == 200))
        listed = server.send("GET", "/tokens", fields=bearer(admin)).json
        check("GET /tokens has the last use", "used" in listed[0] and "used" not in listed[1], listed)
        rotated = server.send("POST", f"/tokens/{number(admin)}/rotate", {}, bearer(admin))
        new = rotated.json["token"]
        check("a rotated token keeps its number", rotated.status == 200 and number(new) == number(admin) and new != admin, rotated)
        equal("… the old secret has ended", server.send("GET", "/tokens", fields=bearer(admin)).status, 401)
        equal("… and the new one is valid", server.send("GET", "/tokens", fields=bearer(new)).status, 200)
        run = command("token", "rotate", number(new), "--data", data, "--expires", "1d")
        check("the command rotates, too", run.returncode == 0 and number(run.stdout.strip()) == number(new), run)
        newest = run.stdout.strip()
        check("… and the server knows it within a second",
              eventually(lambda: server.send("GET", "/tokens", fields=bearer(newest)).status == 200))
        equal("an unknown number is said", command("token", "rotate", "0" * 12, "--data", data).returncode, 1)
        run = command("token", "revoke", newest, "--data", data)
        check("a whole token in place of its number isn't printed", run.returncode == 1 and newest not in run.stderr, run)
        server.end()
        check("the last use is written when the server stops", "used never" not in line().splitlines()[0], line())


def secrets(folder):
    with Server(folder, "--access-log", "all") as server:
        data = server.folder / "data"
        admin = made(data, "--scope", "admin", "--name", "root")
        check("the server knows it", eventually(lambda: server.send("GET", "/tokens", fields=bearer(admin)).status == 200))
        for path in (f"/tokens/{admin}", f"/{admin}", f"/tokens/{admin.replace('_', '%5F')}", f"/x?token={admin}"):
            answer = server.send("GET", path, fields=bearer(admin) | {"User-Agent": admin})
            check(f"{path[:14]}…: no response has the secret", admin[-60:] not in str(answer.body), answer)
        header, payload, signature = "eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiJhZGEifQ", "c2lnbmF0dXJl"
        web = f"{header}.{payload}.{signature}"
        server.send("GET", f"/x/{web}", fields={"User-Agent": web, "X-Request-ID": web})
        server.send("GET", f"/x/{web.replace('.', '%2E')}")
        server.end()
        log = server.log.read_text()
        check("no log has a JSON Web Token", f"{header}.***" in log and payload not in log and signature not in log, log[-1000:])
        check("no log has it", admin[-60:] not in log and f"plug_{number(admin)}_***" in log, log[-1000:])
    with Server(folder / "second") as server:
        data, file = server.folder / "data", folder / "token"
        admin = made(data, "--scope", "admin", "--name", "root")
        check("the server knows it", eventually(lambda: server.send("GET", "/tokens", fields=bearer(admin)).status == 200))
        call = ("call", "ListTokens", "--url", server.url)
        for end in ("", "\n", "\r\n"):
            file.write_text(admin + end, newline="")
            equal(f"--token-file, which ends with {end!r}", command(*call, "--token-file", file).returncode, 0)
        equal("PLUGBOARD_TOKEN_FILE", command(*call, environment={"PLUGBOARD_TOKEN_FILE": str(file)}).returncode, 0)
        equal("PLUGBOARD_TOKEN with a line end", command(*call, environment={"PLUGBOARD_TOKEN": admin + "\n"}).returncode, 0)
        equal("the standard input", command(*call, "--token-file", "-", text=admin + "\n").returncode, 0)
        file.write_text(admin + "\n" + admin)
        run = command(*call, "--token-file", file)
        check("two lines are rejected", run.returncode != 0 and "several lines" in run.stderr and admin not in run.stderr, run)
        run = command(*call, environment={"PLUGBOARD_TOKEN": admin + "\nX: y"})
        check("… in the environment, too", run.returncode == 64 and "several lines" in run.stderr, run)
        run = command(*call, "--token-file", folder / "missing")
        check("a missing file is said", run.returncode == 1 and "missing" in run.stderr, run)
        file.write_text(admin)
        for mode, warns in ((0o644, True), (0o600, False)):
            file.chmod(mode)
            run = command(*call, "--token-file", file)
            equal(f"a token file of the mode {mode:o} is warned of: {warns}", "can be read by other users" in run.stderr, warns)
        equal("one of both", command(*call, "--token-file", file, "--token", admin).returncode, 64)


def files(folder):
    data = folder / "data"
    made(data, "--scope", "a")
    equal("a new data folder has the mode 0700", data.stat().st_mode & 0o777, 0o700)
    if os.geteuid() != 0:
        return skip("files that root makes", "only root can give files away")
    shutil.rmtree(data)
    data.mkdir(0o700)
    os.chown(data, NOBODY, NOBODY)
    made(data, "--scope", "a")
    equal("files that root makes belong to the folder's owner", {file.stat().st_uid for file in data.iterdir()}, {NOBODY})
    os.chown(data / "plugboard.sqlite", 0, 0)
    # The run's own folders are closed to others.
    for parent in (folder, folder.parent):
        parent.chmod(0o755)
    for parent in (*folder.parents, *BINARY.parents):
        if parent.stat().st_mode & 0o001 == 0:
            return skip("a file of another owner", f"{parent} is closed to others")
    run = subprocess.run(["setpriv", f"--reuid={NOBODY}", "--clear-groups", BINARY, "token", "list", "--data", data],
                         capture_output=True, text=True, env=ENVIRONMENT, timeout=PATIENCE)
    check("a file of another owner is said, with the remedy", run.returncode == 1 and "plugboard.sqlite belongs to user 0"
          in run.stderr and f"chown {NOBODY}" in run.stderr, run)


def modes(folder):
    folder.joinpath("data").mkdir(0o755)
    folder.joinpath("data").chmod(0o755)
    authority = Authority(folder / "certificates")
    certificate, key = authority.issue("server")
    audit = folder / "audit-key.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", audit], check=True, capture_output=True)
    for file in (key, audit):
        file.chmod(0o644)
    with Server(folder, "--tls-cert", certificate, "--tls-key", key, "--audit-head", folder / "head.json",
                "--audit-key", audit) as server:
        log = server.log.read_text()
        check("an open data folder is warned of", "data can be read by other users: chmod go-w,o=" in log, log)
        check("an open key is warned of", "server.key can be read by other users" in log, log)
        check("an open audit key is warned of", "audit-key.pem can be read by other users" in log, log)
        equal("root is warned of", "the server runs as root" in log, os.geteuid() == 0)


def certificate_names(folder):
    authority = Authority(folder / "certificates")
    fast, slow = authority.issue("fast"), authority.issue("slow", rsa=True)
    ada = authority.issue("ada", "clientAuth", names="URI:CN=ada")
    crl = authority.revoke()
    server = Server(folder, "--tls-cert", fast[0], "--tls-key", fast[1], "--tls-cert", slow[0], "--tls-key", slow[1],
                    "--tls-client-ca", authority.certificate, "--tls-client-crl", crl,
                    "--tls-client-certificates", "request", "--tls-client-scope", "CN=ada=admin")

    def connect(ciphers=None, shown=None):
        context = ssl.create_default_context(cafile=authority.certificate)
        if ciphers:
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            context.set_ciphers(ciphers)
        if shown:
            context.load_cert_chain(*shown)
        plain = socket.create_connection(("localhost", server.port), timeout=PATIENCE)
        return context.wrap_socket(plain, server_hostname="localhost")

    def ask(connection, path="/tokens"):
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return int(connection.recv(65536).split()[1])

    def subject(connection):
        return dict(pair for part in connection.getpeercert()["subject"] for pair in part)["commonName"]

    with server:
        with connect() as connection:
            equal("a client of today gets the first certificate", subject(connection), "fast")
        with connect("aRSA") as connection:
            equal("a client without ECDSA gets the RSA certificate of the name", subject(connection), "slow")
        with connect(shown=ada) as connection:
            equal("the URI CN=ada isn't the subject CN=ada", ask(connection), 403)
            crl = authority.revoke(ada[0])
            ended = lambda: not connection.recv(1)
            connection.settimeout(PATIENCE)
            try:
                closed = ended()
            except OSError:
                closed = not isinstance(sys.exc_info()[1], TimeoutError)
            check("a new list closes the connection of the certificate that it revokes", closed)


GROUPS = (people, revoked, lifetimes, secrets, files, modes, certificate_names)
