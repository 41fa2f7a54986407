import HTTPSyntax
import Plug

/// The plan that a change expects: its `If-Match` and `If-None-Match` (RFC 9110 §13.1).
struct ExpectedPlan: Sendable {
    private let ifMatch: [UInt8]?
    private let ifNoneMatch: [UInt8]?

    /// Creates the conditions from the fields' values; nil for a missing field.
    init(_ ifMatch: String?, _ ifNoneMatch: String?) {
        self.ifMatch = ifMatch.map { Array($0.utf8) }
        self.ifNoneMatch = ifNoneMatch.map { Array($0.utf8) }
    }

    /// Whether a plan set at run time meets the conditions; nil is the plan in the code.
    func isMet(by plan: PlugPlan?) -> Bool {
        let tag = Self.digest(of: plan)
        return ifMatch.map { EntityTags.matches($0, tag, strong: true) } != false
            && ifNoneMatch.map { EntityTags.matches($0, tag, strong: false) } != true
    }

    /// Returns the entity tag of a plan set at run time; nil is the plan in the code.
    static func tag(of plan: PlugPlan?) -> String {
        "\"\(String(decoding: digest(of: plan), as: UTF8.self))\""
    }

    private static func digest(of plan: PlugPlan?) -> [UInt8] {
        EntityTags.tag(Array((plan.flatMap(PlugStore.text) ?? "").utf8))
    }
}
