@testable import Behaviors
@testable import JSONCodec
@testable import Targeting

/// Feeds the reader of requests' contexts: a query, and behind a line feed a field.
///
/// Nothing traps; what is refused has a reason, and what is taken is within the bounds and has one
/// variant, the same each time that it is asked.
@c(LLVMFuzzerTestOneInput)
public func fuzzContext(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    let line = bytes.firstIndex(of: 0x0A)
    let query = UnsafeBufferPointer(rebasing: bytes[..<(line ?? bytes.count)])
    let field = line.map { UnsafeBufferPointer(rebasing: bytes[($0 + 1)...]) }
    for key in [nil, "ada"] {
        do throws(InvalidContext) {
            let context = try ContextReader.context(
                query: query,
                field: field,
                targetingKey: key,
                timestamp: 1
            )
            check(context, key)
        } catch {
            precondition(!error.description.isEmpty, "no reason")
        }
    }
    return 0
}

private func check(_ context: TargetingContext, _ key: String?) {
    precondition(key == nil || context.targetingKey == key, "another's key")
    guard case .members(let members) = context.root else { preconditionFailure("no members") }
    precondition(members.members.count <= TargetingContext.maximumCount + 1, "too many")
    var names: Set<[UInt8]> = []
    for member in members.members {
        precondition(names.insert(Array(member.name.text.utf8)).inserted, "a name twice")
    }
    let first = behavior.evaluate(context)
    let again = behavior.evaluateQuietly(context)
    precondition(first.variant == again.variant, "another variant")
    precondition(first.problemCount == again.problemCount, "problems uncounted")
    precondition(behavior.explain(context).targets.count == 4, "not explained")
}

private let behavior: TargetedBehavior = {
    let text = #"""
        [{"name": "A", "when": {"sem_ver": [{"var": "version"}, ">=", "2"]}, "actions": [
            {"func": "a", "when": {"in": [{"var": "user.plan"}, ["pro", "team"]]}},
            {"func": "b", "when": {"rollout": 50}}]},
         {"name": "B", "when": {"missing": ["country"]}, "actions": []}]
        """#
    guard let behavior = try? TargetedBehavior(json: text.utf8) else {
        preconditionFailure("the rules are wrong")
    }
    return behavior
}()
