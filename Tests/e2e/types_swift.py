"""Random Codable types in Swift, and a server whose actions return their input. One seed always gives the same source."""
import random

SCALARS = ["String", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
           "Int128", "UInt128", "Float", "Double", "Decimal", "Date", "URL", "UUID", "Data"]
# Types of a dictionary's keys besides the enums and identifiers.
KEYS = ["String", "Int", "UUID", "Int8", "UInt64", "Bool", "Date", "URL", "Double", "Point"]
# A member's name in Swift and, if it differs, in JSON. No two have one name in a generated Python class.
NAMES = ["id", "title", "count", "class", "from", "in", "self", "type", "limit", "isOpen", "items", "body", "client",
         ("snake", "snake_case"), ("kebab", "kebab-case"), ("at", "@at"), ("dotted", "a.b"), ("spaced", "two words"),
         ("umlaut", "gr\u00f6\u00dfe"), ("dollar", "$ref"), ("bracket", "x[y]"), ("slash", "a/b~c"), ("upper", "URL")]
CASES = ["small", "large", "other", "in", "empty", "self", "huge", "none"]
# The defaults of members that have one, in Swift.
DEFAULTS = {"String": '"tea"', "Int": "7", "UInt8": "255", "Bool": "true", "Double": "0.5", "Float": "1.5", "Int64": "-1",
            "Decimal": "12.5", "UUID": '"123e4567-e89b-12d3-a456-426614174000"', "Date": '"2026-01-31T12:00:00Z"',
            "URL": '"https://example.com/"', "Data": '"AAEC"'}

# A type that is a single value in JSON.
WRAPPER = """struct {name}: Codable, Hashable, Sendable {{
    var value: {raw}
    init(from decoder: any Decoder) throws {{ value = try decoder.singleValueContainer().decode({raw}.self) }}
    func encode(to encoder: any Encoder) throws {{
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }}
}}"""

# A type that is a list of two values in JSON.
UNKEYED = """struct {name}: Codable, Hashable, Sendable {{
    var one: {one}
    var other: {other}
    init(from decoder: any Decoder) throws {{
        var list = try decoder.unkeyedContainer()
        one = try list.decode({one}.self)
        other = try list.decode({other}.self)
    }}
    func encode(to encoder: any Encoder) throws {{
        var list = encoder.unkeyedContainer()
        try list.encode(one)
        try list.encode(other)
    }}
}}"""


class Types:
    """The source of `count` types, each with an action. Every fifth has scalars and lists only, for queries and forms."""

    def __init__(self, seed, count=200):
        self.random = random.Random(seed)
        self.declarations = []
        self.enums, self.identifiers, self.structs = [], [], []
        for number in range(12):
            self.enumeration(number)
        for number, raw in enumerate(["String", "Int", "UInt16"]):
            self.declarations.append(f"struct ID{number}: RawRepresentable, Codable, Hashable, Sendable {{ var rawValue: {raw} }}")
            self.identifiers.append(f"ID{number}")
        for number, raw in enumerate(["UUID", "Date", "Int128", "Float"], 3):
            self.declarations.append(WRAPPER.format(name=f"ID{number}", raw=raw))
            self.identifiers.append(f"ID{number}")
        self.declarations.append(UNKEYED.format(name="Spot", one="Int8", other="String"))
        self.declarations.append(UNKEYED.format(name="Line", one="Point", other="Point"))
        self.declarations.append("struct Point: Codable, Hashable, Sendable { var x: Int; var y: Int? }")
        self.declarations.append("struct Box<Value: Codable & Sendable>: Codable, Sendable { var value: Value; var note: String? }")
        # The inputs: (number, type, whether it has texts only).
        self.inputs = [(number, self.input(number), number % 5 == 0) for number in range(count)]

    def enumeration(self, number):
        name, raw = f"Kind{number}", self.random.choice(["String", "String", "Int", "Int8", "UInt16"])
        cases = self.random.sample(CASES, self.random.randint(1, 5))
        values = {"String": lambda case: f'"{case} {number}\u00e9"'}.get(raw, lambda case: str(CASES.index(case) * 7 + number))
        listed = self.random.choice(["", ", CaseIterable"])
        parts = [f"`{case}`" + (f" = {values(case)}" if raw != "String" or self.random.random() < 0.5 else "") for case in cases]
        self.declarations.append(f"enum {name}: {raw}, Codable{listed}, Sendable {{ case {', '.join(parts)} }}")
        self.enums.append(name)

    def text(self):
        """A type whose value is one text in a query."""
        return self.random.choice([self.random.choice(SCALARS), self.random.choice(SCALARS), self.random.choice(self.enums),
                                   self.random.choice(self.identifiers)])

    def key(self):
        return self.random.choice([self.random.choice(KEYS), self.random.choice(self.enums), self.random.choice(self.identifiers)])

    def value(self, depth=2):
        """Any type: `depth` limits its brackets."""
        kind = self.random.randrange(13) if depth else 0
        inner = lambda: self.value(depth - 1)
        if kind in (6, 7):
            return f"[{inner()}]"
        if kind == 8:
            return f"[{self.key()}: {inner()}]"
        if kind == 9:
            return f"Set<{self.text()}>"
        if kind == 10:
            return f"Box<{inner()}>"
        if kind == 12:
            return self.random.choice(["Duration", "Spot", "Line"])
        if kind == 11:
            return f"[{self.text()}?]"
        return self.random.choice(self.structs) if kind in (4, 5) and self.structs else self.text()

    def flat(self):
        kind = self.random.randrange(8)
        return f"[{self.text()}]" if kind == 6 else f"Set<{self.text()}>" if kind == 7 else self.text()

    def input(self, number):
        if number % 7 == 1 and number % 5:
            return self.random.choice([f"[{self.value()}]", f"[{self.key()}: {self.value()}]"])
        name, members, constraints, keys = f"T{number}", [], [], []
        names = self.random.sample(NAMES, self.random.randint(1, 7))
        for member in names:
            swift, wire = member if isinstance(member, tuple) else (member, member)
            kind = self.flat() if number % 5 == 0 else self.value()
            isOptional = self.random.random() < 0.35
            if not isOptional and kind in DEFAULTS and self.random.random() < 0.3:
                constraints.append(f'"{wire}": [.default({DEFAULTS[kind]})]')
            keys.append(f"case `{swift}`" + (f' = "{wire}"' if wire != swift else ""))
            members.append(f"var `{swift}`: {kind}{'?' if isOptional else ''}")
        if number % 5 and self.random.random() < 0.1:
            members.append(f"var children: [{name}]{self.random.choice(['', '?'])}")
            keys.append("case children")
        self.declarations.append(f"struct {name}: Codable, Sendable {{\n    " + "\n    ".join(members) +
                                 "\n    enum CodingKeys: String, CodingKey {\n        " + "\n        ".join(keys) + "\n    }\n}")
        if constraints:
            self.declarations.append(f"extension {name}: Constrained {{\n    static var constraints: Constraints "
                                     f"{{ [{', '.join(constraints)}] }}\n}}")
        self.structs.append(name)
        return name

    def source(self):
        """`EchoN` has its input in the body, `AskN` in the query."""
        lines = ["import Foundation", "import PlugboardCommand", "", *self.declarations]
        plugs, exposed = [], []
        for number, kind, isText in self.inputs:
            lines.append(f"class Echo{number}: Action<{kind}, {kind}> {{}}")
            actions = [f"Echo{number}"]
            if isText:
                lines.append(f"class Ask{number}: Action<{kind}, {kind}>, GET {{ static var path: String {{ \"/ask/{number}\" }} }}")
                actions.append(f"Ask{number}")
            exposed += actions
            plugs += [f"{action}.self <~ {{ (input: {kind}) in input }}" for action in actions]
        lines += ["@main struct TypesServer: ServerCommand {", "    func server() throws -> Server {"]
        lines += [f"        {plug}" for plug in plugs]
        lines += ["        return Server {", *(f"            {action}.self" for action in exposed), "        }", "    }", "}"]
        return "\n".join(lines) + "\n"
