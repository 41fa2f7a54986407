package import JSONCodec

/// The reason for the value of a rule or of a part of one, as a tree of the deciding parts.
package struct RuleReason: Hashable, Sendable {
    /// The JSON Pointer of the part in the document.
    package var pointer: String
    /// The operation's name; nil for a constant or a list.
    package var operation: String?
    /// The part's value, cut if it is large.
    package var value: JSON
    /// Whether the value counts as true.
    package var isTrue: Bool
    /// The values that the part read: of the context, and of operands that are computed.
    package var parts: [Part] = []
    /// The user's bucket; nil for operations without buckets and for keys that can't be hashed.
    package var bucket: Bucket?
    /// The reasons for the value; none for a part that decides alone.
    package var reasons: [RuleReason] = []
    /// Whether the tree's limit omitted reasons.
    package var isCut = false

    /// A value that a part of a rule read.
    package struct Part: Hashable, Sendable {
        /// The JSON Pointer of the operand in the document.
        package var pointer: String
        /// The path in the context; nil for a computed operand.
        package var path: String?
        /// The value, with the default of a variable.
        package var value: JSON
        /// Whether the context has no value at the path.
        package var isMissing = false
    }

    /// The bucket of a roll-out or a split.
    package struct Bucket: Hashable, Sendable {
        /// The hashed text; nil if the context has no targeting key.
        package var key: String?
        /// The bucket, in thousandths of a percent; nil without a key.
        package var number: Int?
        /// The roll-out's share, in thousandths of a percent; nil for a split.
        package var share: Int?
    }
}

extension TargetedBehavior {
    /// A module or an action of an explanation, with the reason for its rule's value.
    package struct ExplainedTarget: Sendable {
        /// The explanation.
        package var target: TargetingExplanation.Target
        /// The reason; nil without a rule, for an action of an excluded module, and after the limit.
        package var reason: RuleReason?
    }

    /// Explains a context's variant with reasons; the targets are those of ``explain(_:)``.
    ///
    /// It evaluates parts of rules repeatedly. Don't call it on a hot path.
    package func explainReasons(_ context: TargetingContext) -> [ExplainedTarget] {
        explainReasons(context, within: TargetingLimits.reasonCount)
    }

    /// Explains a context's variant with at most `count` reasons.
    func explainReasons(_ context: TargetingContext, within count: Int) -> [ExplainedTarget] {
        var places: [String: Int] = [:]
        for (place, target) in targets.enumerated() {
            places[modulesPointer + target.pointer] = place
        }
        var room = ReasonFinder.Room(count: count, steps: TargetingLimits.explanationSteps)
        return explain(context).targets.map { target in
            // An action that is omitted with its module has the module's rule.
            guard let place = places[target.pointer], target.rule == target.pointer + "/when" else {
                return ExplainedTarget(target: target)
            }
            var finder = ReasonFinder(behavior: self, context: context, target: place, room: room)
            defer { room = finder.room }
            return ExplainedTarget(target: target, reason: finder.reason())
        }
    }
}
