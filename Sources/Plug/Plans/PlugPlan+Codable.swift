extension PlugPlan: Codable {
    /// Decodes a plan: a name, or an object with one member that names the layer.
    public init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self = .plug(name)
            return
        }
        guard let members = try? decoder.container(keyedBy: PlanKey.self) else {
            throw decoder.unexpected("expected a plug's name, or an object with one of")
        }
        let keys = members.allKeys.filter { LayerName(rawValue: $0.stringValue) != nil }
        guard let key = keys.first, keys.count == 1,
            let layer = LayerName(rawValue: key.stringValue)
        else {
            throw decoder.unexpected("expected one of")
        }
        let others = members.allKeys.filter { $0 != key && !(layer.hasGuard && $0 == "guard") }
        if let other = others.first { throw members.unknown(other) }
        self = try Self.decode(layer, try members.superDecoder(forKey: key))
        if let limits = try members.decodeIfPresent(PlugGuard.self, forKey: "guard") {
            switch self {
            case .split(let split): self = .split(split.shares, guard: limits)
            case .shadow(let plan, let candidate, var shadow):
                shadow.guard = limits
                self = .shadow(plan, with: candidate, shadow)
            default: break
            }
        }
    }

    /// Decodes a layer's object: its settings beside the plan that it wraps.
    private static func decode(_ layer: LayerName, _ decoder: any Decoder) throws -> PlugPlan {
        func plan(_ member: PlanKey = "plug") throws -> PlugPlan {
            try decoder.container(keyedBy: PlanKey.self).decode(PlugPlan.self, forKey: member)
        }
        switch layer {
        case .split: return .split(try PlugSplit(from: decoder))
        case .fallback: return .fallback(try [Step](from: decoder))
        case .shadow:
            let shadow = try PlugShadow(from: decoder)
            return .shadow(try plan(), with: try plan("with"), shadow)
        case .breaker:
            let breaker = try PlugBreaker(from: decoder)
            return .breaker(try plan(), breaker)
        case .retry:
            let retry = try PlugRetry(from: decoder)
            return .retry(try plan(), retry)
        case .cache:
            let cache = try PlugCache(from: decoder)
            return .cache(try plan(), cache)
        case .timeout:
            let members = try decoder.members("plug", "seconds")
            let seconds = try members.decode(Double.self, forKey: "seconds")
            return .timeout(try plan(), seconds: seconds)
        case .decorate:
            let members = try decoder.members("plug", "with")
            let decorator = try members.decode(String.self, forKey: "with")
            return .decorate(try plan(), with: decorator)
        }
    }

    /// Encodes the plan in the form that `init(from:)` decodes.
    public func encode(to encoder: any Encoder) throws {
        func encode<Settings: Encodable>(
            _ layer: LayerName,
            _ plan: PlugPlan,
            with candidate: PlugPlan? = nil,
            _ settings: Settings,
            guard limits: PlugGuard? = nil
        ) throws {
            var members = encoder.container(keyedBy: PlanKey.self)
            let inner = WrappedPlan(plan: plan, candidate: candidate, settings: settings)
            try members.encode(inner, forKey: PlanKey(layer.rawValue))
            try members.encodeIfPresent(limits, forKey: "guard")
        }
        switch self {
        case .plug(let name):
            var value = encoder.singleValueContainer()
            try value.encode(name)
        case .split(let split):
            var members = encoder.container(keyedBy: PlanKey.self)
            try members.encode(split, forKey: "split")
            try members.encodeIfPresent(split.guard, forKey: "guard")
        case .fallback(let steps):
            var members = encoder.container(keyedBy: PlanKey.self)
            try members.encode(steps, forKey: "fallback")
        case .shadow(let plan, let candidate, let shadow):
            try encode(.shadow, plan, with: candidate, shadow, guard: shadow.guard)
        case .breaker(let plan, let breaker): try encode(.breaker, plan, breaker)
        case .retry(let plan, let retry): try encode(.retry, plan, retry)
        case .cache(let plan, let cache): try encode(.cache, plan, cache)
        case .timeout(let plan, let seconds): try encode(.timeout, plan, ["seconds": seconds])
        case .decorate(let plan, let name): try encode(.decorate, plan, ["with": name])
        }
    }
}

/// The member that names a layer.
private enum LayerName: String, CaseIterable {
    case split, shadow, fallback, breaker, retry, timeout, cache, decorate

    /// Whether a guard may stand beside the layer.
    var hasGuard: Bool { self == .split || self == .shadow }
}

/// A layer's object: the plans that it wraps, and its settings as members beside them.
private struct WrappedPlan<Settings: Encodable>: Encodable {
    let plan: PlugPlan
    let candidate: PlugPlan?
    let settings: Settings

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(plan, forKey: "plug")
        try members.encodeIfPresent(candidate, forKey: "with")
        try settings.encode(to: encoder)
    }
}

extension PlugPlan.Step: Codable {
    /// Decodes a step: a plan, or an object that has it as `plug`.
    public init(from decoder: any Decoder) throws {
        let members = try? decoder.container(keyedBy: PlanKey.self)
        guard let members, members.contains("plug") else {
            self.init(try PlugPlan(from: decoder))
            return
        }
        _ = try decoder.members("plug", "timeout")
        self.init(
            try members.decode(PlugPlan.self, forKey: "plug"),
            timeout: try members.decodeIfPresent(Double.self, forKey: "timeout")
        )
    }

    /// Encodes the step as it is decoded.
    public func encode(to encoder: any Encoder) throws {
        guard let timeout else { return try plan.encode(to: encoder) }
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(plan, forKey: "plug")
        try members.encode(timeout, forKey: "timeout")
    }
}

extension Decoder {
    /// Returns the error of a value that isn't a layer.
    fileprivate func unexpected(_ detail: String) -> DecodingError {
        let list = LayerName.allCases.map(\.rawValue).joined(separator: ", ")
        return .dataCorrupted(
            DecodingError.Context(codingPath: codingPath, debugDescription: "\(detail) \(list)")
        )
    }
}
