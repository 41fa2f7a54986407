import JSONCodec

/// An environment's requirements before a revision goes live.
package struct EnvironmentRules: Codable, Equatable, Sendable {
    /// How many people other than its authors must approve a draft; 0 if approvals aren't required.
    package var approvals: Int

    package init(approvals: Int = 0) { self.approvals = approvals }

    /// The most approvals that can be required.
    package static let maximumApprovals = 10

    /// Returns a number of approvals in words: `2 approvals`.
    static func approvals(_ count: Int) -> String {
        count == 1 ? "1 approval" : "\(count) approvals"
    }

    /// Checks that the rules are valid.
    ///
    /// - Throws: ``BehaviorStoreError`` with the problem, at a place below `pointer`.
    func check(at pointer: String = "") throws(BehaviorStoreError) {
        guard (0...Self.maximumApprovals).contains(approvals) else {
            throw .invalid([
                JSONTypeError(
                    pointer: pointer + "/approvals",
                    message: "out of range: 0 to \(Self.maximumApprovals)"
                )
            ])
        }
    }
}
