import JSONCodec

/// What an environment asks for before something goes live in it.
package struct EnvironmentRules: Codable, Equatable, Sendable {
    /// How many others than its author have to approve of a draft; 0 where everybody publishes.
    package var approvals: Int

    package init(approvals: Int = 0) { self.approvals = approvals }

    /// The most approvals that may be asked for.
    package static let greatestApprovals = 10

    /// Checks that there can be such rules.
    ///
    /// - Throws: ``BehaviorStoreError`` with what is wrong, at a place below `pointer`.
    func check(at pointer: String = "") throws(BehaviorStoreError) {
        guard (0...Self.greatestApprovals).contains(approvals) else {
            throw .invalid([
                JSONTypeError(
                    pointer: pointer + "/approvals",
                    message: "out of range: 0 to \(Self.greatestApprovals)"
                )
            ])
        }
    }
}
