extension PlugPlan: Codable {
    /// Decodes a plan: a name, or an object with one member that names the layer.
    public init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self = .plug(name)
            return
        }
        guard let members = try? decoder.container(keyedBy: PlanKey.self) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "expected a plug's name, or an object with one of \(Self.list)"
                )
            )
        }
        let keys = members.allKeys.filter { Self.layers.contains($0.stringValue) }
        guard let key = keys.first, keys.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected one of \(Self.list)"
                )
            )
        }
        let takesGuard = key.stringValue == "split" || key.stringValue == "shadow"
        let others = members.allKeys.filter { $0 != key && !(takesGuard && $0 == PlanKey.guard) }
        if let other = others.first { throw members.unknown(other) }
        let limits = try members.decodeIfPresent(PlugGuard.self, forKey: .guard)
        switch key.stringValue {
        case "split":
            var split = try members.decode(PlugSplit.self, forKey: key)
            split.guard = limits
            self = .split(split)
        case "shadow":
            var shadow = try members.decode(PlugShadow.self, forKey: key)
            shadow.guard = limits
            self = .shadow(shadow)
        case "fallback": self = .fallback(try members.decode(PlugFallback.self, forKey: key))
        case "breaker": self = .breaker(try members.decode(PlugBreaker.self, forKey: key))
        case "retry": self = .retry(try members.decode(PlugRetry.self, forKey: key))
        case "timeout": self = .timeout(try members.decode(PlugTimeout.self, forKey: key))
        case "cache": self = .cache(try members.decode(PlugCache.self, forKey: key))
        default: self = .decorate(try members.decode(PlugDecoration.self, forKey: key))
        }
    }

    /// Encodes the plan in the form that `init(from:)` decodes.
    public func encode(to encoder: any Encoder) throws {
        if case .plug(let name) = self {
            var value = encoder.singleValueContainer()
            return try value.encode(name)
        }
        var members = encoder.container(keyedBy: PlanKey.self)
        switch self {
        case .plug: break
        case .split(let layer):
            try members.encode(layer, forKey: PlanKey("split"))
            try members.encodeIfPresent(layer.guard, forKey: .guard)
        case .shadow(let layer):
            try members.encode(layer, forKey: PlanKey("shadow"))
            try members.encodeIfPresent(layer.guard, forKey: .guard)
        case .fallback(let layer): try members.encode(layer, forKey: PlanKey("fallback"))
        case .breaker(let layer): try members.encode(layer, forKey: PlanKey("breaker"))
        case .retry(let layer): try members.encode(layer, forKey: PlanKey("retry"))
        case .timeout(let layer): try members.encode(layer, forKey: PlanKey("timeout"))
        case .cache(let layer): try members.encode(layer, forKey: PlanKey("cache"))
        case .decorate(let layer): try members.encode(layer, forKey: PlanKey("decorate"))
        }
    }

    private static let layers = [
        "split", "shadow", "fallback", "breaker", "retry", "timeout", "cache", "decorate",
    ]
    private static let list = layers.joined(separator: ", ")
}

/// A member's name in a plan.
struct PlanKey: CodingKey, Equatable {
    static let `guard` = PlanKey("guard")
    static let plug = PlanKey("plug")

    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer where Key == PlanKey {
    /// Returns the error of an unknown member, since a misspelt one must not pass for a default.
    func unknown(_ key: PlanKey) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: "unknown member")
    }

    /// Returns a member's number, or the default if it is missing.
    func number(_ name: String, _ standard: Double) throws -> Double {
        try decodeIfPresent(Double.self, forKey: PlanKey(name)) ?? standard
    }

    /// Returns a member's integer, or the default if it is missing.
    func integer(_ name: String, _ standard: Int) throws -> Int {
        try decodeIfPresent(Int.self, forKey: PlanKey(name)) ?? standard
    }
}

extension Decoder {
    /// Returns the members of a layer, which may have only these names.
    func members(_ names: String...) throws -> KeyedDecodingContainer<PlanKey> {
        let members = try container(keyedBy: PlanKey.self)
        if let other = members.allKeys.first(where: { !names.contains($0.stringValue) }) {
            throw members.unknown(other)
        }
        return members
    }
}
