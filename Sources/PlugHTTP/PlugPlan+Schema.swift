public import JSONCodec
public import Plug

/// The schema of a plan, for `PUT /plugs/{action}`.
///
/// The server checks three more rules: plugged names, shares that add up to 100, and the features
/// that the action allows.
extension PlugPlan: SchemaDescribing {
    /// A name, or an object with one member that names the layer.
    public static var schema: JSON {
        let name: JSON = ["type": "string", "description": "The implementation of this name."]
        let references = layers.names.map { name -> JSON in ["$ref": .string("#/$defs/\(name)")] }
        var definitions = layers
        definitions["Step"] = step
        definitions["Guard"] = bounds
        return [
            "description": "The plan for calls: a plug's name, or a layer around other plans.",
            "oneOf": .array([name] + references), "examples": ["network"],
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

    /// The definitions of the layers by name.
    private static var layers: JSON.Object {
        [
            "Split": layer(
                "split",
                "Distributes the calls by percentage.",
                ["type": "object", "additionalProperties": number(0, 100), "maxProperties": 16],
                isGuarded: true
            ),
            "Shadow": layer(
                "shadow",
                "Runs a candidate beside the plan, compares its outputs and discards them.",
                around(
                    ["with": plan, "limit": count(10_000, 16), "unsafe": ["type": "boolean"]],
                    "with"
                ),
                isGuarded: true
            ),
            "Fallback": layer(
                "fallback",
                "Tries one plan after the other until one succeeds.",
                ["type": "array", "items": ["$ref": "#/$defs/Step"], "minItems": 2, "maxItems": 16]
            ),
            "Breaker": layer(
                "breaker",
                "Pauses calls for a while after several failures in a row.",
                around([
                    "failures": count(1_000_000, 5), "seconds": seconds, "probes": count(1000, 1),
                ])
            ),
            "Retry": layer(
                "retry",
                "Retries failures.",
                around(["attempts": count(10, from: 2, 3), "delay": number(0, 10)])
            ),
            "Timeout": layer(
                "timeout",
                "Fails a call that takes too long.",
                around(["seconds": seconds], "seconds")
            ),
            "Cache": layer(
                "cache",
                "Stores outputs for a while.",
                around([
                    "seconds": seconds, "entries": count(10_000_000, 1000),
                    "bytes": count(1 << 40, 16 << 20), "shared": ["type": "boolean"],
                ])
            ),
            "Decorate": layer(
                "decorate",
                "Runs the application's own code around the plan.",
                around(["with": text], "with")
            ),
        ]
    }

    /// Returns the schema of an object with one member that names a layer.
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

    /// Returns the schema of a layer around a plan.
    private static func around(_ members: JSON.Object, _ required: JSON...) -> JSON {
        var properties: JSON.Object = ["plug": plan]
        for (name, value) in members { properties[name] = value }
        return [
            "type": "object", "properties": .object(properties),
            "required": .array(["plug"] + required), "additionalProperties": false,
        ]
    }

    /// The schema of a step of a fallback: a plan with or without a timeout.
    private static var step: JSON { ["anyOf": [plan, around(["timeout": seconds])]] }

    private static var bounds: JSON {
        [
            "type": "object",
            "description": "The limits beyond which a candidate is unplugged automatically.",
            "properties": [
                "errors": number(0, 1), "slowdown": number(1, 1000), "differences": number(0, 1),
                "calls": count(1_000_000_000, 100),
            ],
            "additionalProperties": false,
        ]
    }
}
