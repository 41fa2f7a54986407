"""Checks whether imports, exports, the terminal and the audit can be trusted."""
import json
import os
import pty
import sqlite3
import subprocess

from harness import BINARY, ENVIRONMENT, Server, check, equal, eventually, plugboard, token

EVIL = "\x1b[2J\x9b31m\x7f\u202eab"


def in_shell(line, folder, environment=None):
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, cwd=folder,
                          env=ENVIRONMENT | {"P": str(BINARY)} | (environment or {}))


def on_terminal(*arguments, environment=None, folder=None):
    """The text that a terminal gets from a command."""
    main, side = pty.openpty()
    process = subprocess.Popen([BINARY, *arguments], stdin=subprocess.DEVNULL, stdout=side, stderr=side, cwd=folder,
                               env=ENVIRONMENT | (environment or {}))
    os.close(side)
    received = b""
    try:
        while piece := os.read(main, 65536):
            received += piece
    except OSError:  # the other end is closed
        pass
    os.close(main)
    process.wait(timeout=60)
    return received.decode(errors="surrogateescape")


def is_safe(text):
    """Whether a terminal obeys nothing in it but line ends and tabs."""
    odd = [c for c in text.replace("\r\n", "\n") if c not in "\n\t" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u202a\u2066")]
    return not odd


def imports(folder):
    def converted(constraint, name="f.json"):
        feature = {"name": "f", "enabled": True, "strategies": [{"name": "default", "constraints": [constraint]}]}
        (folder / name).write_text(json.dumps({"features": [feature]}))
        return plugboard("behaviors", "convert", "--system", "unleash", folder / name)

    number = {"contextName": "age", "operator": "NUM_LT", "value": "18"}
    done = converted(number)
    equal("NUM_LT is imported without a finding", (done.returncode, done.stderr), (0, ""))
    with Server(folder) as server:
        key = plugboard("token", "create", "--data", folder / "data", "--scope", "behaviors:write").stdout.strip()
        put = server.send("PUT", "/behaviors/adults", done.stdout, {"Authorization": f"Bearer {key}"})
        equal("the document is published", put.status, 201)
        for value, enabled in [("17", True), (17, True), (" ", False), ("", False), ("0x10", False), (True, False), (None, False), ("18", False)]:
            context = json.dumps({"targetingKey": "ada", "age": value})
            got = server.send("GET", "/behaviors/adults.json", fields={"Plugboard-Context": context})
            check(f"an age of {value!r} is {'' if enabled else 'not '}below 18", got.status == 200 and (got.json != []) == enabled, got)
    odd = converted({"contextName": "v", "operator": "SEMVER_GT", "value": "1"})
    check("an incomplete version is an error with its JSON Pointer", odd.returncode == 1
          and odd.stderr.startswith("error: /features/0/strategies/0/constraints/0/value: expected a complete"), odd)
    variants = [{"name": "a", "weight": 1, "payload": {"type": "string", "value": "x" * (1 << 20)}}]
    (folder / "large.json").write_text(json.dumps({"features": [{"name": "f", "enabled": True, "strategies": [], "variants": variants}]}))
    large = plugboard("behaviors", "convert", "--system", "unleash", folder / "large.json")
    check("a document that can't be published isn't written", large.returncode == 1 and large.stdout == ""
          and "1 MiB at most" in large.stderr, (large.returncode, len(large.stdout), large.stderr[:200]))


def exports(folder):
    with Server(folder) as server:
        key = token(folder / "data", "behaviors:write", "behaviors:read", "audit:read")
        put = server.send("PUT", "/behaviors/one", [{"name": "A", "actions": []}], {"Authorization": f"Bearer {key}"})
        equal("a document is published", put.status, 201)
    export = "$P behaviors export --data data"
    whole = in_shell(f"{export} > a; {export} b; cmp a b && stat -c %a b", folder)
    equal("a file and > get the same bytes; only the owner reads a new file", whole.stdout.split(), ["600"])
    for name, line in {
        "/dev/stdout into a pipe": f"{export} /dev/stdout | cat > c",
        "/dev/stdout into a file, after a line": f"{{ {export} /dev/stdout; echo more; }} > c; grep -vx more c > d; mv d c",
        "/dev/fd/3": f"{export} /dev/fd/3 3> c",
        "a process substitution": f"{export} >(gzip > c.gz); while ! gzip -t c.gz 2> /dev/null; do sleep 0.05; done; gunzip -c c.gz > c",
        "a named pipe": f"mkfifo pipe; cat pipe > c & {export} pipe; wait",
        "a symbolic link": f"ln -s e link; {export} link; test -L link && mv e c",
        "/dev/stderr": f"{export} /dev/stderr 2> c",
    }.items():
        (folder / "c").unlink(missing_ok=True)
        done = in_shell(line + "; cmp a c", folder)
        check(f"export writes to {name}", done.returncode == 0, done)
    full = in_shell(f"{export} /dev/full", folder)
    check("a full device is a clear error", full.returncode == 1
          and full.stderr == "Error: /dev/full can't be written: No space left on device\n", full)
    gone = in_shell(f"{export} none/a", folder)
    check("so is a missing folder", gone.returncode == 1 and gone.stderr == "Error: none/a can't be written: No such file or directory\n", gone)
    failed = in_shell(f"cp a kept; $P behaviors export --data nowhere kept; cmp a kept; ls", folder)
    check("a failed export changes nothing and leaves no file", "kept." not in failed.stdout and "differ" not in failed.stdout, failed)


def terminal(folder):
    (folder / "evil.json").write_text(json.dumps([{"name": f"A{EVIL}", "actions": [{"func": EVIL}]}]))
    names = [{"name": "MyThirdModule", "actions": [{"func": "openUrlWithUrl:", "value": f"https://example.com/{EVIL}"}]},
             {"name": f"M{EVIL}", "actions": [{"func": "f\nskipped forged"}]}]
    with Server(folder) as server:
        server.behaviors.write_text(json.dumps(names))
        key = token(folder / "data", "admin", "behaviors:write", "behaviors:read", "audit:read")
        login = {"PLUGBOARD_TOKEN": key, "PLUGBOARD_URL": server.url}
        put = plugboard("behaviors", "publish", folder / "evil.json", "--document", "evil", "--message", "ok\u202e", environment=login)
        equal("a document with control characters is published", put.returncode, 0)
        plugboard("token", "create", "--data", folder / "data", "--scope", "admin", "--name", "bob\x9b2J\u202e")
        lines = [("run", f"{server.url}/behaviors.json"), ("run", "--open", f"{server.url}/behaviors.json"),
                 ("behaviors", "show", "1", "--document", "evil"), ("behaviors", "history", "--document", "evil"),
                 ("behaviors", "explain", "--document", "evil"), ("audit", "list"), ("token", "list", "--data", str(folder / "data")),
                 ("behaviors", "validate", "evil.json"), ("behaviors", "diff", "evil.json", "public/behaviors.json"),
                 ("behaviors", "list", "--environment", "a\x9b"), ("call", f"Nothing{EVIL}"), ("plugs", "show", f"x{EVIL}"),
                 ("behaviors", "export", "-"), ("call", "GetRevision", '{"name": "evil", "revision": 1}')]
        for line in lines:
            said = on_terminal(*line, environment=login, folder=folder)
            check(f"the terminal obeys nothing of: {' '.join(line[:2]).encode('ascii', 'replace').decode()}", is_safe(said) and said, repr(said[:300]))
        run = plugboard("run", f"{server.url}/behaviors.json", environment=login)
        check("a table escapes them in a pipe, too", is_safe(run.stdout) and "\nskipped forged" not in run.stdout, repr(run.stdout))
        shown = subprocess.run([BINARY, "behaviors", "show", "1", "--document", "evil"], capture_output=True, env=ENVIRONMENT | login)
        equal("JSON in a pipe is byte-true", shown.stdout, (folder / "evil.json").read_bytes())
        opener = folder / "bin"
        opener.mkdir()
        (opener / "xdg-open").write_text(f"#!/bin/sh\necho \"$1\" >> {folder}/opened\n")
        (opener / "xdg-open").chmod(0o755)
        links = [f"https://example.com/{number}" for number in range(300)] + ["file:///etc/passwd", "mailto:a@b?attach=/etc/passwd"]
        server.behaviors.write_text(json.dumps([{"name": "MyThirdModule", "actions": [{"func": "openUrlWithUrl:", "value": link} for link in links]}]))
        eventually(lambda: b"/299" in server.send("GET", "/behaviors.json").body)
        opened = plugboard("run", "--open", f"{server.url}/behaviors.json", environment={"PATH": f"{opener}:{os.environ['PATH']}"})
        equal("1 of 300 links is opened", (folder / "opened").read_text().split(), links[:1])
        check("the others are listed, and their number is said", opened.stdout.count("open http") == 300
              and "299 links weren't opened; without asking the limit is 1" in opened.stderr, opened.stderr)
        check("no other program is started", "only http, https and mailto links are opened" in opened.stdout
              and "a mailto link with a query isn't opened" in opened.stdout, opened.stdout[-500:])


def audit(folder):
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", folder / "key.pem"], check=True, capture_output=True)
    subprocess.run(["openssl", "pkey", "-in", folder / "key.pem", "-pubout", "-out", folder / "public.pem"], check=True)
    data = folder / "data"
    key = token(data, "admin", "behaviors:write", "behaviors:read", "audit:read")
    head = folder / "head.json"
    with Server(folder, "--audit-head", head, "--audit-key", folder / "key.pem") as server:
        login = {"PLUGBOARD_TOKEN": key, "PLUGBOARD_URL": server.url}
        fields = {"Authorization": f"Bearer {key}"}
        put = server.send("PUT", "/behaviors/one", [{"name": "A", "actions": []}], fields)
        equal("a document is published", put.status, 201)
        bob = server.send("POST", "/tokens", {"scopes": ["audit:read"], "name": "bob"}, fields).json
        equal("bob is made", server.send("DELETE", f"/tokens/{bob['info']['id']}", fields=fields).status, 204)
        plug = plugboard("plugs", "set", "LikePhoto", "memory", environment=login)
        check("a plug is set", plug.returncode == 0, plug)
        for number in range(7):
            equal(f"a wrong token is rejected ({number})", server.send("GET", "/tokens", fields={"Authorization": "Bearer wrong"}).status, 401)
        listed = plugboard("audit", "list", "--log", "administration", environment=login).stdout
        words = [line.split("  ")[2] for line in listed.splitlines()]
        equal("bob's token and its end have rows", words, ["set plug", "revoke token", "create token", "create token"])
        check("they name the caller and the address", "from 127.0.0.1" in listed.splitlines()[1] and "bob" in listed.splitlines()[1], listed)
        check("the command's user is the author of the first token", "by root" in listed or "by user" in listed or os.environ.get("USER", "?") in listed, listed)
        check("the signed head follows the changes", eventually(lambda: head.exists() and json.loads(head.read_text())["administration"]["row"] == 4, 30),
              head.exists() and head.read_text())
        server.end()
    copy = folder / "copy.json"
    copy.write_bytes(head.read_bytes())
    database = sqlite3.connect(data / "plugboard.sqlite")
    row = database.execute("SELECT change, after FROM administrationAudit ORDER BY sequence DESC").fetchone()
    check("the rejected tokens are one row", row[0] == "reject credentials" and json.loads(row[1]) == {"count": 7, "first": "127.0.0.1"}
          or json.loads(row[1])["first"].startswith("127.0.0.1"), row)

    def verify(*options):
        return plugboard("audit", "verify", "--data", data, *options)

    good = verify("--head", copy, "--key", folder / "public.pem")
    check("both audits are verified, with the head", good.returncode == 0 and "\nadministration: 5 rows, all unchanged" in good.stdout
          and good.stdout.startswith("1 row, all unchanged") and not good.stderr, good)
    equal("the private key verifies, too", verify("--head", copy, "--key", folder / "key.pem").returncode, 0)
    check("an unchecked signature is said", "give the key as --key" in verify("--head", copy).stderr)
    printed = plugboard("audit", "head", "--data", data, "--key", folder / "key.pem")
    (folder / "printed.json").write_text(printed.stdout)
    equal("audit head prints a signed head", verify("--head", folder / "printed.json", "--key", folder / "public.pem").returncode, 0)
    for hash in (json.loads(copy.read_text())[name]["hash"] for name in ("documents", "administration")):
        equal("a hash alone is that of either audit", verify("--head", hash).returncode, 0)
    check("a hash that no row has is found", "no row has the hash" in verify("--head", "a" * 64).stderr)
    forged = json.loads(copy.read_text()) | {"at": "2026-01-01T00:00:00Z"}
    (folder / "forged.json").write_text(json.dumps(forged))
    check("an edited head isn't signed", "isn't signed by the key" in verify("--head", folder / "forged.json", "--key", folder / "public.pem").stderr)
    wrong = plugboard("serve", "--data", data, "--audit-head", head, "--audit-key", folder / "public.pem", "--port", "0")
    check("a server doesn't start with a public key", wrong.returncode == 78 and "signing needs the private one" in wrong.stderr, wrong)

    alone = plugboard("serve", "--data", data, "--audit-key", folder / "key.pem", "--port", "0")
    check("nor with a key alone", alone.returncode == 64 and "needs --audit-head" in alone.stderr, alone)

    def after(sql, *options):
        """The findings after an edit, which is undone."""
        before = {path: path.read_bytes() for path in data.iterdir()}
        with sqlite3.connect(data / "plugboard.sqlite") as edited:
            edited.execute(sql)
        edited.close()
        found = verify(*options)
        for path in data.iterdir():
            path.unlink()
        for path, content in before.items():
            path.write_bytes(content)
        return found

    database.close()
    for name, sql, words in [
            ("an injected token", "INSERT INTO token (number, digest, name, scopes, created) VALUES (7, x'00', 'eve', 'admin', 0)", "no row created token 000000000007"),
            ("a token with more scopes", "UPDATE token SET scopes = 'everything'", "differs from the rows"),
            ("an injected plug", "INSERT INTO plug (action, plan) VALUES ('GetPhoto', '\"memory\"')", "no row created plug GetPhoto"),
            ("a removed row", "DELETE FROM administrationAudit WHERE sequence = 2", "rows are missing"),
            ("an edited row", "UPDATE administrationAudit SET author = 'eve' WHERE sequence = 3", "row 3 was edited")]:
        found = after(sql)
        check(f"verify finds {name}", found.returncode == 1 and words in found.stderr, found)
    cut = "DELETE FROM administrationAudit WHERE sequence >= 4"
    found = after(cut, "--head", copy, "--key", folder / "public.pem")
    check("verify finds a cut tail with the signed head", found.returncode == 1 and "administration: no row has the hash" in found.stderr, found)
    with sqlite3.connect(data / "plugboard.sqlite") as edited:
        kept = edited.execute("SELECT * FROM administrationAudit WHERE sequence >= 4").fetchall()
        edited.execute(cut)
    edited.close()
    with Server(folder / "again", "--data", data, "--audit-head", head, "--audit-key", folder / "key.pem") as server:
        check("a server doesn't replace the head after a cut, and logs it", eventually(lambda: "lost or changed its row" in server.log.read_text())
              and head.read_bytes() == copy.read_bytes(), server.log.read_text()[-500:])
    with sqlite3.connect(data / "plugboard.sqlite") as edited:
        edited.executemany(f"INSERT INTO administrationAudit VALUES ({', '.join('?' * len(kept[0]))})", kept)
    edited.close()
    equal("nothing is found at the end", verify("--head", copy, "--key", folder / "public.pem").returncode, 0)


GROUPS = (imports, exports, terminal, audit)
