import JSONCodec

/// The operations that read Unleash's context.
///
/// Unleash's context has texts only. A context here may have numbers and Booleans, whose texts are
/// compared: 0 is `0`, and a missing value is empty.
enum UnleashContext {
    /// Returns the operation that reads the value of a name.
    static func value(_ name: String) -> JSON {
        .variable(name == "userId" ? "targetingKey" : name)
    }

    /// Returns the operation that reads the text of a name's value; falsy only if it is missing or
    /// empty.
    static func text(_ name: String) -> JSON {
        // The targeting key is a text already.
        name == "userId" ? value(name) : ["cat": [value(name)]]
    }

    /// Returns the operation that compares a value with texts.
    static func isIn(_ name: String, _ values: [String]) -> JSON {
        .operation("in", text(name), .array(values.map { .string($0) }))
    }

    /// Returns the text that distinguishes users by the given stickiness: the name of a value,
    /// `default` or `random`.
    ///
    /// For variants the default includes the address, as in Unleash's clients.
    static func subject(_ stickiness: String, isVariant: Bool = false) -> JSON {
        let ids = ["userId", "userId", "sessionId", "sessionId"].map(text)
        return switch stickiness {
        case "default":
            ["if": .array(isVariant ? ids + [text("remoteAddress")] : Array(ids.dropLast()))]
        case "random": text("userId")
        default: text(stickiness)
        }
    }
}
