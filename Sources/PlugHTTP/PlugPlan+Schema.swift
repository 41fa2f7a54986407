public import JSONCodec
public import Plug

/// What a plan looks like, as `PUT /plugs/{action}` takes it.
///
/// That the names are plugged, that shares make 100 together, and what an action allows, is beyond a
/// schema: the server says it.
extension PlugPlan: SchemaDescribing {
    /// A name, or an object with the one member that names its layer.
    public static var schema: JSON {
        let name: JSON = ["type": "string", "description": "The implementation of this name."]
        let references = layers.names.map { name -> JSON in ["$ref": .string("#/$defs/\(name)")] }
        var definitions = layers
        definitions["Step"] = step
        definitions["Guard"] = bounds
        return [
            "description": "What calls go through: a plug's name, or a layer around other plans.",
            "oneOf": .array([name] + references), "examples": ["default"],
            "$defs": .object(definitions),
        ]
    }

    private static let plan: JSON = ["$ref": "#"]
    private static let seconds: JSON = ["type": "number", "minimum": 0.001, "maximum": 86_400]
    private static let text: JSON = ["type": "string"]

    private static func number(_ least: JSON.Number, _ most: JSON.Number) -> JSON {
        ["type": "number", "minimum": .number(least), "maximum": .number(most)]
    }

    private static func count(_ most: Int, from least: Int = 1, _ standard: Int) -> JSON {
        [
            "type": "integer", "minimum": .number(JSON.Number(least)),
            "maximum": .number(JSON.Number(most)), "default": .number(JSON.Number(standard)),
        ]
    }

    /// The layers, by what their definitions are called.
    private static var layers: JSON.Object {
        [
            "Split": layer(
                "split",
                "A share of the calls for each, in percent.",
                ["type": "object", "additionalProperties": number(0, 100), "maxProperties": 16],
                isGuarded: true
            ),
            "Shadow": layer(
                "shadow",
                "A candidate beside, whose answers are compared and thrown away.",
                around(
                    ["with": plan, "limit": count(10_000, 16), "unsafe": ["type": "boolean"]],
                    "with"
                ),
                isGuarded: true
            ),
            "Fallback": layer(
                "fallback",
                "One after the other, until one answers.",
                ["type": "array", "items": ["$ref": "#/$defs/Step"], "minItems": 2, "maxItems": 16]
            ),
            "Breaker": layer(
                "breaker",
                "Nothing is asked for a while that has failed several times.",
                around([
                    "failures": count(1_000_000, 5), "seconds": seconds, "probes": count(1000, 1),
                ])
            ),
            "Retry": layer(
                "retry",
                "Failures are tried again.",
                around(["attempts": count(10, from: 2, 3), "delay": number(0, 10)])
            ),
            "Timeout": layer(
                "timeout",
                "An answer that takes too long is an error.",
                around(["seconds": seconds], "seconds")
            ),
            "Cache": layer(
                "cache",
                "Answers are kept for a while.",
                around([
                    "seconds": seconds, "entries": count(10_000_000, 1000),
                    "bytes": count(1 << 40, 16 << 20), "shared": ["type": "boolean"],
                ])
            ),
            "Decorate": layer(
                "decorate",
                "Code of the application's own stands before it.",
                around(["with": text], "with")
            ),
        ]
    }

    /// An object with the one member that names a layer.
    private static func layer(
        _ name: String,
        _ description: String,
        _ value: JSON,
        isGuarded: Bool = false
    ) -> JSON {
        var members = JSON.Object([(name, value)])
        if isGuarded { members["guard"] = ["$ref": "#/$defs/Guard"] }
        return [
            "type": "object", "description": .string(description), "properties": .object(members),
            "required": [.string(name)], "additionalProperties": false,
        ]
    }

    /// A layer's members beside the plan that it stands around.
    private static func around(_ members: JSON.Object, _ required: JSON...) -> JSON {
        var properties: JSON.Object = ["plug": plan]
        for (name, value) in members { properties[name] = value }
        return [
            "type": "object", "properties": .object(properties),
            "required": .array(["plug"] + required), "additionalProperties": false,
        ]
    }

    /// One of a fallback's plans, with the time that it is waited for or without.
    private static var step: JSON { ["anyOf": [plan, around(["timeout": seconds])]] }

    private static var bounds: JSON {
        [
            "type": "object",
            "description": "The bounds beyond which a candidate is unplugged by itself.",
            "properties": [
                "errors": number(0, 1), "slowdown": number(1, 1000), "differences": number(0, 1),
                "calls": count(1_000_000_000, 100),
            ],
            "additionalProperties": false,
        ]
    }
}
