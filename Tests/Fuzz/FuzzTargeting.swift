@testable import Behaviors
@testable import JSONCodec
@testable import Targeting

/// Feeds the rules, as `[rule, context, segments]`: nothing traps, and nothing runs for long.
///
/// A rejected rule has a problem with a pointer. An accepted rule has the same outcome each time
/// for a context, and an explanation that agrees with it.
@c(LLVMFuzzerTestOneInput)
public func fuzzTargeting(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    checkTexts(String(decoding: bytes, as: UTF8.self))
    guard let input = (try? JSON(parsing: bytes))?.array, let rule = input.first else { return 0 }
    let segments = input.count > 2 ? input[2].object ?? [:] : [:]
    let context = input.count > 1 ? try? TargetingContext(input[1], timestamp: 1) : nil
    check(rule, segments, context ?? .empty)
    return 0
}

private func check(_ rule: JSON, _ segments: JSON.Object, _ context: TargetingContext) {
    let compiled: TargetingRule
    do throws(TargetingError) {
        compiled = try TargetingRule(rule, key: "A", segments: segments)
    } catch {
        precondition((1...100).contains(error.problems.count), "no problem is reported")
        for problem in error.problems {
            precondition(problem.pointer.isEmpty || problem.pointer.hasPrefix("/"), "no pointer")
            precondition(!problem.message.isEmpty, "no reason")
        }
        return
    }
    let outcome = compiled.evaluate(context)
    let again = compiled.evaluate(context)
    precondition(outcome.value == again.value && outcome.problem == again.problem, "not the same")
    precondition(compiled.holds(for: context) == outcome.isTrue, "holds and doesn't")
    precondition(outcome.value.encoded().count < 1 << 24, "a huge value")

    let module = BehaviorModule(name: "A", actions: [], others: ["when": rule])
    guard
        let behavior = try? TargetedBehavior(
            BehaviorDocument(modules: [module]),
            segments: segments
        )
    else { preconditionFailure("a rule that is taken alone is refused in a document") }
    let isKept = behavior.evaluate(context).variant[0]
    precondition(isKept == outcome.isTrue, "kept and false")
    let target = behavior.explain(context).targets[0]
    precondition(target.isKept == isKept && !target.steps.isEmpty, "explained otherwise")
}

private func checkTexts(_ text: String) {
    _ = NumericText.number(text)
    _ = NumericText.leadingNumber(text)
    guard let version = SemanticVersion(text) else { return }
    precondition(version == version && !(version < version), "a version isn't itself")
    precondition(SemanticVersion(version.text) == version, "another version")
}
