"""A server's stored state: how a test fills a store, and a snapshot of all of it through the server's actions."""
import json

from harness import check, eventually, plugboard

IDEMPOTENCY = {"Idempotency-Key": '"0f1e5d6b-7a3c-4a53-9a55-2b1de2f6c7aa"'}
ARCHIVED = ("documents", "environments", "documents audit")  # the parts of a snapshot that an archive contains


def bearer(secret):
    return {"Authorization": f"Bearer {secret}"}


def send(server, fields, method, path, body=None, status=(200, 201, 204), **more):
    response = server.send(method, path, body, fields | more)
    if response.status not in status:
        raise AssertionError(f"{method} {path}: {response!r}")
    return response.json if response.body else None


def document(word, **value):
    return [{"name": word, "actions": [{"func": "show", **value}]}]


def fill(server):
    """Uses each kind of stored thing once; returns the secrets of the tokens by their names."""
    option = "--database" if "--database" in server.options else "--data"
    secrets = {}
    for name, scopes in (("root", ["admin"]), ("ada", ["behaviors:read", "behaviors:write"]), ("bob", ["behaviors:approve"])):
        options = [option for scope in scopes for option in ("--scope", scope)]
        run = plugboard("token", "create", option, server.token_place, "--name", name, "--expires", "never", *options)
        secrets[name] = run.stdout.strip()
    root, ada, bob = (bearer(secrets[name]) for name in ("root", "ada", "bob"))
    eventually(lambda: server.send("GET", "/behaviors", fields=ada).status == 200)
    gone = send(server, root, "POST", "/tokens", {"scopes": ["behaviors:read"], "name": "eve", "lifetime": 3600})
    send(server, root, "DELETE", f"/tokens/{gone['info']['id']}")
    send(server, root, "PUT", "/plugs/LikePhoto", {"plan": {"split": {"database": 100, "memory": 0}}})
    send(server, root, "PUT", "/plugs/ListPhotos", {"plan": "memory"})
    send(server, root, "DELETE", "/plugs/ListPhotos")

    send(server, ada, "PUT", "/behaviors/default?message=First", document("First"))
    send(server, ada, "PUT", "/behaviors/default", document("Größe", value={"big": 12345678901234567890, "text": "π\u0000"}))
    first = send(server, ada, "GET", "/behaviors/default/revisions")[1]["revision"]
    send(server, ada, "POST", "/behaviors/default/rollback", {"revision": first, "message": "Back"})
    send(server, ada, "PUT", "/behaviors/default?draft=true", document("Draft"))
    send(server, ada, "PUT", "/behaviors/checkout?environment=staging&create=true", document("Checkout"))
    patch = [{"op": "replace", "path": "/0/actions/0/func", "value": "hide"}]
    send(server, ada, "PUT", "/behaviors/checkout/overrides?environment=production", {"patch": patch})
    send(server, ada, "POST", "/behaviors/checkout/promote?environment=staging", {"to": "production"})
    send(server, root, "PUT", "/environments/production", {"approvals": 1})
    draft = send(server, ada, "PUT", "/behaviors/default?draft=true", document("Approved"))["revision"]
    send(server, bob, "POST", "/behaviors/default/approve", {"revision": draft})
    send(server, ada, "POST", "/behaviors/default/schedules", {"revision": draft, "at": "2199-01-01T00:00:00Z"})

    for user in ("ada", "bob"):
        send(server, {}, "POST", "/photos/42/like", {"user": user})
    send(server, IDEMPOTENCY, "POST", "/photos/7/like", {"user": "ada"})
    send(server, {}, "POST", "/photos", {"title": "Fixture"})
    return secrets


def snapshot(server, secrets):
    """All of the stored state, as values of JSON."""
    root, ada = bearer(secrets["root"]), bearer(secrets["ada"])
    documents = []
    for listed in send(server, root, "GET", "/behaviors"):
        place = f"/behaviors/{listed['name']}"
        where = f"environment={listed['environment']}"
        revisions = send(server, ada, "GET", f"{place}/revisions?{where}")
        documents.append({
            "listed": listed, "revisions": revisions,
            "bytes": [server.send("GET", f"{place}/revisions/{each['revision']}?{where}", fields=ada).body.decode()
                      for each in revisions],
            "schedules": send(server, ada, "GET", f"{place}/schedules?{where}"),
            "overrides": send(server, ada, "GET", f"{place}/overrides?{where}", status=(200, 404)),
        })
    tokens = send(server, root, "GET", "/tokens")
    plugs = send(server, root, "GET", "/plugs")
    return {
        "live": {path: server.send("GET", path).body.decode() for path in ("/behaviors.json", "/behaviors/checkout.json")},
        "documents": documents,
        "environments": send(server, root, "GET", "/environments"),
        "documents audit": send(server, root, "GET", "/audit"),
        "administration audit": send(server, root, "GET", "/audit?log=administration"),
        "tokens": [{name: value for name, value in each.items() if name != "used"} for each in tokens],
        "used": sorted(each["name"] for each in tokens if "used" in each),
        "plugs": {each["action"]: each["plan"] for each in plugs},
        "plug history": send(server, root, "GET", "/plugs/LikePhoto").get("changes"),
        "photos": send(server, {}, "GET", "/photos"),
    }


def missing(expected, got, place=""):
    """The places at which `got` lacks something of `expected`; a later version may add members to objects."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return [each for name, value in expected.items()
                for each in (missing(value, got[name], f"{place}/{name}") if name in got else [f"{place}/{name} is missing"])]
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        return [each for index, value in enumerate(expected) for each in missing(value, got[index], f"{place}/{index}")]
    return [] if expected == got else [f"{place}: got {got!r}, expected {expected!r}"]


def check_snapshot(name, expected, got):
    """A check of each part of a snapshot."""
    for part, value in expected.items():
        lacking = missing(value, got.get(part), part)
        check(f"{name}: all of the part “{part}”", not lacking, "\n      ".join(lacking[:5]))
