/// The result of performing a behavior: calls and skips, in the document's order.
public struct BehaviorReport: Hashable, Sendable, Codable {
    /// A function that was called and returned.
    public struct Call: Hashable, Sendable, Codable {
        /// The module's name, as in the document.
        public var module: String
        /// The function's name.
        public var function: String

        /// Creates a call from its parts.
        public init(module: String, function: String) {
            self.module = module
            self.function = function
        }
    }

    /// An action that was skipped or failed.
    public struct Skip: Hashable, Sendable, Codable {
        /// The module's name, as in the document.
        public var module: String
        /// The function's name; nil for a skipped module without actions.
        public var function: String?
        /// The action's JSON Pointer in the document: `/0/actions/1`.
        public var pointer: String
        /// The reason for the skip.
        public var reason: SkipReason

        /// Creates a skip from its parts.
        public init(module: String, function: String?, pointer: String, reason: SkipReason) {
            self.module = module
            self.function = function
            self.pointer = pointer
            self.reason = reason
        }
    }

    /// The calls.
    public var performed: [Call]
    /// The skips.
    public var skipped: [Skip]

    /// Creates a report from its parts.
    public init(performed: [Call] = [], skipped: [Skip] = []) {
        self.performed = performed
        self.skipped = skipped
    }

    /// The calls that threw, which are among ``skipped``.
    public var failed: [Skip] {
        skipped.filter { skip in
            if case .threw = skip.reason { true } else { false }
        }
    }

    /// Skips a whole module: each of its actions, or the module itself if it has none.
    mutating func skip(_ module: BehaviorModule, at index: Int, _ reason: SkipReason) {
        if module.actions.isEmpty {
            skipped.append(
                Skip(module: module.name, function: nil, pointer: "/\(index)", reason: reason)
            )
        }
        for (place, action) in module.actions.enumerated() {
            skipped.append(
                Skip(
                    module: module.name,
                    function: action.function,
                    pointer: "/\(index)/actions/\(place)",
                    reason: reason
                )
            )
        }
    }
}

extension BehaviorReport: CustomStringConvertible {
    /// One line for each call and each skip.
    public var description: String {
        let calls = performed.map { "performed \($0.module) \($0.function)" }
        let skips = skipped.map { skip in
            let function = skip.function.map { " \($0)" } ?? ""
            return "skipped \(skip.module)\(function) (\(skip.pointer)): \(skip.reason)"
        }
        return (calls + skips).joined(separator: "\n")
    }
}
