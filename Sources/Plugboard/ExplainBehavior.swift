import BehaviorStore
import Glibc
package import JSONCodec
package import Plug
package import PlugHTTP
package import Targeting

/// Tells what a context is given of a behavior document, and why: each module and action, kept or left
/// out, by which rule, and the buckets that were looked at.
package class ExplainBehavior:
    Action<ExplainBehavior.Input, ExplainBehavior.Output>, POST, Scoped
{
    package struct Input: Codable, Sendable {
        /// The document's name: `default` is served at `/behaviors.json`.
        package var name: String
        /// Whom or what it is for: a `targetingKey` and properties, as in `Plugboard-Context`.
        package var context: ExplainedContext?

        package init(name: String, context: JSON? = nil) {
            self.name = name
            self.context = context.map(ExplainedContext.init)
        }
    }

    package struct Output: Codable, Sendable {
        /// The document's name.
        package var name: String
        /// The entity tag of what the context is given, which names revision and variant.
        package var etag: String
        /// The modules and actions, in the document's order.
        package var targets: [TargetingExplanation.Target]
    }

    package static var path: String { "/behaviors/{name}/explain" }
    package static var scopes: Scopes { ["behaviors:read"] }
}

extension ExposedAction {
    /// The action by which people see why somebody is given what they are given.
    static func explanation(of documents: LiveBehaviors) -> [ExposedAction] {
        [
            ExposedAction(own: ExplainBehavior.self, .json(location: nil)) { input in
                guard let revision = documents[input.name]?.revision else {
                    throw Problem.notFound("no document \(input.name) is served")
                }
                return try explain(input, revision)
            }
        ]
    }

    private static func explain(
        _ input: ExplainBehavior.Input,
        _ revision: BehaviorRevision
    ) throws -> ExplainBehavior.Output {
        let context: TargetingContext
        do throws(TargetingError) {
            context = try TargetingContext(
                input.context?.json ?? [:],
                timestamp: Int64(time(nil))
            )
        } catch {
            throw Problem(
                invalid: JSONTypeErrors(
                    error.problems.map {
                        JSONTypeError(pointer: "/context" + $0.pointer, message: $0.message)
                    }
                )
            )
        }
        // What has no rules is what everybody gets.
        let behavior = try revision.variants?.behavior ?? TargetedBehavior(json: revision.bytes)
        let variant = behavior.evaluateQuietly(context).variant
        let given = revision.variants?.revision(of: variant) ?? revision
        return ExplainBehavior.Output(
            name: input.name,
            etag: given.etag,
            targets: behavior.explain(context).targets
        )
    }
}
