"""Sends values with a generated client in the folder `client`, and reads them back.

    python types_client.py API URL SEED        (tests in types-lines run it)

Prints {"count": the number of values, "faults": a list of sentences}.
"""
import datetime
import importlib
import inspect
import json
import re
import sys
import traceback
import types
import typing
import uuid

from client import Client
from client.types import Unset
from types_values import Values

API = json.load(open(sys.argv[1]))
values = Values(API, int(sys.argv[3]), is_plain=True)
server = Client(base_url=sys.argv[2])
faults, count = [], 0


def typed(kind, value):
    """The value as the client's type."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        kinds = [each for each in typing.get_args(kind) if each not in (type(None), Unset)]
        return value if value is None or type(value) in kinds else typed(kinds[0], value)
    if typing.get_origin(kind) is list:
        return [typed(typing.get_args(kind)[0], each) for each in value]
    if hasattr(kind, "from_dict"):
        return kind.from_dict(value)
    if kind is datetime.datetime:
        return datetime.datetime.fromisoformat(value)
    return kind(value) if isinstance(kind, type) and kind is not object else value


def plain(value):
    """The JSON of a client's value."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else getattr(value, "value", value)


def called(name, operation):
    global count
    module = importlib.import_module("client.api.default." + re.sub(r"(?<=\D)(?=\d)", "_", name.lower()))
    hints = typing.get_type_hints(module.sync_detailed)
    output = operation["responses"]["200"]["content"]["application/json"]["schema"]
    for _ in range(3):
        count += 1
        if body := operation.get("requestBody"):
            schema = body["content"]["application/json"]["schema"]
            sent = value = values.value(schema)
            arguments = {"body": typed(hints["body"], value)}
        else:
            parts = {each["name"]: each for each in operation["parameters"] if each["in"] == "query"}
            schema = {"type": "object", "properties": {name: each["schema"] for name, each in parts.items()},
                      "required": [name for name, each in parts.items() if each.get("required")]}
            # The client leaves out empty lists.
            value = {name: part for name, part in values.value(schema).items() if part != []}
            sent = values.empty(value, output)
            # The client's names of parameters, in the description's order.
            names = [name for name in inspect.signature(module.sync_detailed).parameters if name != "client"]
            arguments = {own: typed(hints[own], value[name]) for own, name in zip(names, parts) if name in value}
        response = module.sync_detailed(client=server, **arguments)
        said = json.dumps(value)[:300]
        if response.status_code != 200:
            faults.append(f"{name}: {response.status_code} for {said}: {response.content[:300]}")
        elif values.canonical(json.loads(response.content), output) != values.canonical(sent, schema, is_input=True):
            faults.append(f"{name}: sent {said}, received {response.content[:300]}")
        elif values.canonical(plain(response.parsed), output) != values.canonical(json.loads(response.content), output):
            faults.append(f"{name}: received {response.content[:300]}, read {response.parsed}")


for methods in API["paths"].values():
    for operation in methods.values():
        if operation["operationId"].startswith(("Echo", "Ask")):
            try:
                called(operation["operationId"], operation)
            except Exception:
                faults.append(f"{operation['operationId']}: {traceback.format_exc(limit=-2)[-700:]}")
print(json.dumps({"count": count, "faults": faults}))
