import Behaviors
package import JSONCodec
package import Targeting

/// A module or an action of a document, and in words why a context receives it or not.
package struct ExplainedTarget: Codable, Hashable, Sendable {
    /// Its JSON Pointer in the document: `/0/actions/1`.
    package var pointer: String
    /// The module's name.
    package var module: String
    /// The function's name; nil for a module.
    package var function: String?
    /// The value that the function receives; nil if it has none.
    package var value: JSON?
    /// Whether the context receives it.
    package var isKept: Bool
    /// The JSON Pointer of the deciding rule; nil if there is none.
    ///
    /// An action that is omitted with its module has the module's rule.
    package var rule: String?
    /// The reasons, a sentence each.
    package var sentences: [String]
    /// The values of the context that the deciding parts of the rule read.
    package var reads: [Read]
    /// The path from the rule to its deciding part, each step with its value.
    package var steps: [TargetingExplanation.Step]
    /// The first 50 buckets that the rule evaluated.
    package var buckets: [TargetingExplanation.Bucket]
    /// The rules or operations that failed.
    package var problems: [TargetingExplanation.Problem]

    /// A value of the context that a rule read.
    package struct Read: Codable, Hashable, Sendable {
        /// The dotted path: `user.plan`.
        package var path: String
        /// The value, or the variable's default; null if there is neither.
        package var value: JSON
        /// Whether the context has no value at the path.
        package var isMissing: Bool
    }
}

extension ExplainedTarget {
    /// Explains which parts of a document a context receives, in the document's order.
    package static func all(
        of behavior: TargetedBehavior,
        for context: TargetingContext
    ) -> [ExplainedTarget] {
        let document = ExplainedDocument(behavior)
        return behavior.explainReasons(context).map { ExplainedTarget($0, document) }
    }

    private init(_ explained: TargetedBehavior.ExplainedTarget, _ document: ExplainedDocument) {
        let target = explained.target
        var reads: [Read] = []
        explained.reason?.collect(&reads)
        self.init(
            pointer: target.pointer,
            module: target.module,
            function: target.function,
            value: target.function == nil ? nil : document[target.pointer + "/value"],
            isKept: target.isKept,
            rule: target.rule,
            sentences: Self.sentences(explained, document),
            reads: reads,
            steps: target.steps,
            buckets: target.buckets,
            problems: target.problems
        )
    }

    private static func sentences(
        _ explained: TargetedBehavior.ExplainedTarget,
        _ document: ExplainedDocument
    ) -> [String] {
        let target = explained.target
        guard let rule = target.rule else { return ["it has no rule"] }
        guard rule == target.pointer + "/when" else { return ["its module is excluded"] }
        guard let reason = explained.reason else {
            return ["there are too many rules to explain: evaluate a smaller document"]
        }
        return ReasonSentences(reason, document).lines
    }
}

extension RuleReason {
    /// Adds the values of the context that this part and its reasons read, each once.
    fileprivate func collect(_ reads: inout [ExplainedTarget.Read]) {
        for part in parts {
            guard let path = part.path, !reads.contains(where: { $0.path == path }) else {
                continue
            }
            reads.append(
                ExplainedTarget.Read(path: path, value: part.value, isMissing: part.isMissing)
            )
        }
        for reason in reasons { reason.collect(&reads) }
    }
}

/// The JSON of a document and its segments, found by JSON Pointers.
struct ExplainedDocument {
    private let modules: JSON
    private let modulesPointer: String
    private let segments: JSON

    init(_ behavior: TargetedBehavior) {
        modules = behavior.document.json
        modulesPointer = behavior.modulesPointer
        segments = .object(behavior.segments)
    }

    /// The value at a JSON Pointer; nil if there is none.
    subscript(pointer: String) -> JSON? {
        let (root, base) =
            pointer.hasPrefix("/segments/") ? (segments, "/segments") : (modules, modulesPointer)
        guard pointer.hasPrefix(base) else { return nil }
        return Self.value(at: String(pointer.dropFirst(base.count)), of: root)
    }

    private static func value(at pointer: String, of root: JSON) -> JSON? {
        var value = root
        for token in JSONPointer.tokens(pointer) ?? [] {
            switch value {
            case .object(let object):
                guard let member = object[token] else { return nil }
                value = member
            case .array(let elements):
                // An operation's only operand needs no list: `{"!": true}`.
                guard let place = Int(token), elements.indices.contains(place) else { return nil }
                value = elements[place]
            default: return nil
            }
        }
        return value
    }
}
