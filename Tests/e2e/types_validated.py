"""Sends values that are valid by a description's schemas, and others, to a server.

    python types_validated.py API PORT SEED        (tests in types-lines run it; it needs jsonschema)

Prints {"count": the number of values, "faults": a list of sentences}.
"""
import http.client
import json
import sys
from decimal import Decimal
from urllib.parse import quote_plus, urlencode

from jsonschema import Draft202012Validator, FormatChecker
from types_values import Values, text

API = json.load(open(sys.argv[1]), parse_float=Decimal)
values = Values(API, int(sys.argv[3]))
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[2]), timeout=15)
faults, count = [], 0
TRIES = 6


def validator(schema):
    return Draft202012Validator({"components": API["components"]} | schema, format_checker=FormatChecker())


def send(method, path, body=None, media_type="application/json"):
    global count
    count += 1
    connection.request(method, path, body and body.encode(), {"Content-Type": media_type} if body is not None else {})
    response = connection.getresponse()
    return response.status, response.read().decode()


def violation(check, value):
    found = next(check.iter_errors(value), None)
    return found and f"{found.json_path}: {found.message}"[:300]


def compare(name, sent, status, received, input_schema, output_schema, output_check, said):
    """Notes a fault if the response isn't the input."""
    if status != 200:
        return faults.append(f"{name}: {status} for {said}: {received[:300]}")
    value = json.loads(received, parse_float=Decimal)
    if wrong := violation(output_check, value):
        return faults.append(f"{name}: its response is invalid: {wrong}")
    wanted, got = values.canonical(sent, input_schema, is_input=True), values.canonical(value, output_schema)
    if wanted != got:
        faults.append(f"{name}: sent {said}, received {received[:300]}")


def spoiled(value):
    """The value with one part of another type or beyond a limit."""
    others = [None, True, -1, 1.5, 10 ** 60, "?", [], {}, {"?": 1}]
    if isinstance(value, dict) and value and values.random.random() < 0.8:
        name = values.random.choice(list(value))
        return {other: spoiled(part) if other == name else part for other, part in value.items() if other != name
                or values.random.random() < 0.9}
    if isinstance(value, list) and value and values.random.random() < 0.8:
        index = values.random.randrange(len(value))
        return [spoiled(part) if place == index else part for place, part in enumerate(value)]
    return values.random.choice(others)


def bodies(name, path, operation, output_schema):
    content = operation["requestBody"]["content"]
    schema = content["application/json"]["schema"]
    check, output_check = validator(schema), validator(output_schema)
    for _ in range(TRIES):
        value = values.value(schema)
        if wrong := violation(check, value):
            faults.append(f"{name}: the generator's value is invalid: {wrong}")
        compare(name, value, *send("POST", path, text(value)), schema, output_schema, output_check, text(value)[:300])
        other = spoiled(value)
        wrong = violation(check, other)
        status, received = send("POST", path, text(other))
        if wrong and status not in (400, 422):
            faults.append(f"{name}: {status} for {text(other)[:300]}, which is invalid: {wrong}")
        if not wrong and status != 200:
            faults.append(f"{name}: {status} for {text(other)[:300]}, which is valid: {received[:300]}")
    if form := content.get("application/x-www-form-urlencoded"):
        for _ in range(TRIES):
            value = values.value(form["schema"])
            if pairs := encoded(value):
                said = urlencode(pairs)
                compare(f"{name}'s form", values.empty(value, output_schema), *send("POST", path, said, "application/x-www-form-urlencoded"), schema,
                        output_schema, output_check, said)


def encoded(value):
    """The pairs of a form: a list repeats its name, an object's members are in brackets. There is no null in it."""
    pairs = []
    for name, part in value.items():
        if isinstance(part, dict):
            part = {inner: one for inner, one in part.items() if one is not None}
        if part in ([], {}):
            pairs.append((f"{name}[]", ""))
        for each in part if isinstance(part, list) else [part]:
            if isinstance(each, dict):
                pairs += [(f"{name}[{inner}]", word(one)) for inner, one in each.items()]
            else:
                pairs.append((name, word(each)))
    return pairs


def word(value):
    return value if isinstance(value, str) else text(value)


def queries(name, path, operation, output_schema):
    parts = {each["name"]: each for each in operation["parameters"] if each["in"] == "query"}
    schema = {"type": "object", "properties": {name: each["schema"] for name, each in parts.items()},
              "required": [name for name, each in parts.items() if each.get("required")]}
    output_check = validator(output_schema)
    for _ in range(TRIES):
        value = values.value(schema)
        said = urlencode(encoded(value))
        compare(name, values.empty(value, output_schema), *send("GET", f"{path}?{said}"), output_schema, output_schema, output_check, said)


for path, methods in API["paths"].items():
    for method, operation in methods.items():
        name = operation["operationId"]
        if name.startswith(("Echo", "Ask")):
            output_schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
            (bodies if method == "post" else queries)(name, path, operation, output_schema)
print(json.dumps({"count": count, "faults": faults}))
