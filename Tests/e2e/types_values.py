"""Random values of a JSON Schema, and the comparison of values by their schema."""
import base64
import datetime
import decimal
import json
import random
import re
import struct
import unicodedata
import uuid
from decimal import Decimal

TEXTS = ["", "a", "0", "true", "null", "two words", "a&b=c;d+e%20", "\u00e9", "e\u0301", "\U0001f600", 'q"uote\\', "line\nbreak\ttab",
         "\u2028", "\x7f", "[]", "a,b"]
URLS = ["https://a.b/%20?q#f", "../x", "urn:x:y", "//[::1]:8/", "?", "a%C3%A9", "#"]
CONTEXT = decimal.Context(prec=60)  # more digits than a Decimal of Swift has


class Values:
    """Makes values of the schemas in a description. `isPlain` limits decimals to those that a `double` can have."""

    def __init__(self, api, seed, is_plain=False):
        self.api, self.random, self.is_plain = api, random.Random(seed), is_plain

    def resolved(self, schema):
        """The schema without a reference or an alternative with null."""
        while True:
            if "$ref" in schema:
                found = self.api
                for part in schema["$ref"].removeprefix("#/").split("/"):
                    found = found[part.replace("~1", "/").replace("~0", "~")]
                schema = found | {name: value for name, value in schema.items() if name != "$ref"}
            elif "anyOf" in schema:
                other = next(each for each in schema["anyOf"] if each.get("type") != "null")
                schema = other | {name: value for name, value in schema.items() if name != "anyOf"}
            else:
                return schema

    @staticmethod
    def accepts_null(schema):
        return schema.get("type") == "null" or "null" in (schema.get("type") or []) and isinstance(schema["type"], list) \
            or any(each.get("type") == "null" for each in schema.get("anyOf", []))

    def value(self, schema, depth=0):
        if self.accepts_null(schema) and self.random.random() < (0.2 if depth < 6 else 1):
            return None
        schema = self.resolved(schema)
        if "enum" in schema:
            return self.random.choice([each for each in schema["enum"] if each is not None])
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = next(each for each in kind if each != "null")
        if kind is None:
            return self.random.choice([None, True, 1, "any", [], {"any": [1]}])
        return getattr(self, kind)(schema, depth)

    def boolean(self, schema, depth):
        return self.random.random() < 0.5

    def integer(self, schema, depth):
        least, most = schema["minimum"], schema["maximum"]
        return self.random.choice([least, most, max(least, min(most, self.random.randint(-9, 9))), self.random.randint(least, most)])

    def number(self, schema, depth):
        if schema.get("format") == "float":
            return struct.unpack("f", struct.pack("f", self.random.choice([0, 1, 0.1, -2.5, 1e30, self.random.gauss(0, 1e3)])))[0]
        if schema.get("format") == "double":
            return self.random.choice([0.0, 1, 0.1, 1e300, -5e-324, 1.7976931348623157e308, self.random.gauss(0, 1e9)])
        digits = self.random.randint(1, 10 ** (15 if self.is_plain else 38) - 1)
        number = self.random.choice([0, 1, Decimal("0.1"), Decimal(digits).scaleb(self.random.randint(-20, 20), CONTEXT)])
        return float(number) if self.is_plain else number

    def string(self, schema, depth):
        form = schema.get("format")
        if form == "uuid":
            text = str(uuid.UUID(int=self.random.getrandbits(128)))
            return self.random.choice([text, text.upper()])
        if form == "date-time":
            moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=self.random.randint(-2 ** 31, 2 ** 32),
                                                                     microseconds=self.random.choice([0, 500000, 123456]))
            return moment.isoformat() + self.random.choice(["Z", "+00:00", "-05:30"])
        if form == "uri-reference" and "pattern" not in schema:
            return self.random.choice(URLS)
        if schema.get("contentEncoding") == "base64":
            return base64.b64encode(self.random.randbytes(self.random.randint(0, 5))).decode()
        if "pattern" in schema:
            return self.matching(schema)
        least = schema.get("minLength", 0)
        return self.random.choice([text for text in TEXTS if least <= len(text) <= schema.get("maxLength", 99)])

    def matching(self, schema):
        """A text or a number's text that matches the pattern."""
        texts = [text for text in (URLS if schema.get("format") else TEXTS) if re.search(schema["pattern"], text)]
        if texts and "0-9" not in schema["pattern"]:
            return self.random.choice(texts)
        for _ in range(200):
            bits = self.random.choice([3, 7, 8, 16, 32, 63, 64, 127, 128])
            number = self.random.choice([2 ** bits, 2 ** bits - 1, self.random.getrandbits(bits)])
            if "eE" in schema["pattern"]:  # the names of floats, with a float's digits
                number %= 10_000
            text = self.random.choice(["{}", "-{}", "{}.5", "{}e2", "0{}"]).format(number)
            if re.search(schema["pattern"], text):
                return text
        return "0"

    def array(self, schema, depth):
        if "prefixItems" in schema:
            return [self.value(part, depth + 1) for part in schema["prefixItems"]]
        if "minItems" in schema:
            return [self.value(schema["items"], depth + 1) for _ in range(schema["minItems"])]
        items = [self.value(schema.get("items", {}), depth + 1) for _ in range(self.random.randint(0, 3 if depth < 3 else 0))]
        if schema.get("uniqueItems"):
            unique = {}
            for item in items:
                found = self.canonical(item, schema["items"])
                # A dictionary's entries differ in their keys.
                unique[key(found.get("key", found) if isinstance(found, dict) else found)] = item
            items = list(unique.values())
        return items

    def object(self, schema, depth):
        required, values = schema.get("required", []), {}
        for name, part in schema.get("properties", {}).items():
            if name in required or self.random.random() < (0.6 if depth < 4 else 0):
                values[name] = self.value(part, depth + 1)
        if isinstance(schema.get("additionalProperties"), dict):
            names = {"type": "string"} | schema.get("propertyNames", {})
            for _ in range(self.random.randint(0, 3 if depth < 3 else 0)):
                name = self.value(names)
                if key(self.canonical(name, names)) not in {key(self.canonical(each, names)) for each in values}:
                    values[name] = self.value(schema["additionalProperties"], depth + 1)
        return values

    def empty(self, value, schema):
        """The value with the empty lists and objects that texts can't have."""
        for name in (schema := self.resolved(schema)).get("required", []):
            part = self.resolved(schema["properties"][name])
            if name not in value and part.get("type") in ("array", "object"):
                value = value | {name: [] if part["type"] == "array" else {}}
        return value

    def canonical(self, value, schema, is_input=False):
        """The value in the one form of its meaning: instants, numbers, and an input's members with their defaults."""
        if value is None:
            return None
        schema = self.resolved(schema)
        form = schema.get("format")
        if isinstance(value, dict):
            parts, names = schema.get("properties", {}), {"type": "string"} | schema.get("propertyNames", {})
            if is_input:
                defaults = {name: part["default"] for name, part in parts.items() if "default" in part}
                value = defaults | value
            own = {name: self.canonical(part, parts[name], is_input) for name, part in value.items() if name in parts}
            more = {self.canonical(name, names): self.canonical(part, schema.get("additionalProperties") or {}, is_input)
                    for name, part in value.items() if name not in parts}
            return {name: part for name, part in own.items() if part is not None or name in schema.get("required", [])} | more
        if isinstance(value, list):
            parts = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
            items = [self.canonical(item, part, is_input) for item, part in zip(value, parts)]
            return sorted(items, key=key) if schema.get("uniqueItems") else items
        if isinstance(value, str) and form == "uuid":
            return value.lower()
        if isinstance(value, str) and form == "date-time":
            return str(datetime.datetime.fromisoformat(value).astimezone(datetime.timezone.utc))
        if isinstance(value, str) and "eE" in schema.get("pattern", ""):
            return str(Decimal(value).normalize())
        if isinstance(value, bool) or isinstance(value, str):
            return value
        if form == "float":
            return struct.unpack("f", struct.pack("f", value))[0]
        return float(value) if form == "double" else Decimal(repr(value) if isinstance(value, float) else value).normalize(CONTEXT)


def key(value):
    """The text that tells a set's elements apart, and keys. Swift's strings are equal if they are canonically equivalent."""
    return unicodedata.normalize("NFC", repr(value))



def text(value):
    """JSON with all digits of decimals."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{text(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)
