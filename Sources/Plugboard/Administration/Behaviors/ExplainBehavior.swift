package import Authoring
import BehaviorStore
import Glibc
package import JSONCodec
package import Plug
package import PlugHTTP
import Targeting

/// Explains which parts of a behavior document a context receives, and why.
///
/// For each module and action it has sentences, the values that its rule read, and the buckets. Without an environment
/// and a revision it explains the served revision; a named revision may be a draft.
package class ExplainBehavior:
    Action<ExplainBehavior.Input, ExplainBehavior.Output>, POST, Scoped
{
    package struct Input: Codable, Sendable {
        /// The document's name: `default` is served at `/behaviors.json`.
        package var name: String
        /// The context: a `targetingKey` and properties, as in `Plugboard-Context`.
        package var context: ExplainedContext?
        /// The revision, which may be a draft; by default the live one.
        package var revision: Int?
        /// The environment; by default the served one.
        package var environment: String?

        package init(
            name: String,
            context: JSON? = nil,
            revision: Int? = nil,
            environment: String? = nil
        ) {
            self.name = name
            self.context = context.map(ExplainedContext.init)
            self.revision = revision
            self.environment = environment
        }
    }

    package struct Output: Codable, Sendable, Equatable {
        /// The document's name.
        package var name: String
        /// The document's environment.
        package var environment: String
        /// The revision's number; nil for a file.
        package var revision: Int?
        /// The entity tag of the context's variant, which names revision and variant.
        package var etag: String
        /// The modules and actions, in the document's order.
        package var targets: [ExplainedTarget]
    }

    package static var path: String { "/behaviors/{name}/explain" }
    package static var scopes: Scopes { .readBehaviors }
    package static var queried: [String] { ["environment"] }
}

extension ExposedAction {
    /// The action that explains targeting.
    static func explanation(
        of live: LiveBehaviors,
        _ documents: BehaviorDocuments
    ) -> [ExposedAction] {
        [
            ExposedAction(own: ExplainBehavior.self, .json(location: nil), in: .reports) { input in
                let environment = try documents.environment(input.environment)
                let context = try context(input)
                let revision: BehaviorRevision
                if input.revision == nil, environment == documents.environment {
                    guard let document = live[input.name] else {
                        throw Problem.notFound("no document \(input.name) is served")
                    }
                    guard let served = document.revision else {
                        throw BehaviorStoreError.unavailable(
                            "no revision of \(input.name) can be served now"
                        )
                    }
                    revision = served
                } else {
                    let key = try documents.key(input.name, environment)
                    revision = try await documents.compiled(input.revision, of: key)
                }
                // Detached: it evaluates rules several times, and this is an event loop's thread.
                return try await Task.detached {
                    try explain(input.name, in: environment, revision, context)
                }.value
            }
        ]
    }

    private static func context(_ input: ExplainBehavior.Input) throws -> TargetingContext {
        do throws(TargetingError) {
            return try TargetingContext(
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
    }

    private static func explain(
        _ name: String,
        in environment: String,
        _ revision: BehaviorRevision,
        _ context: TargetingContext
    ) throws -> ExplainBehavior.Output {
        // A revision without rules is the same for every context.
        let behavior = try revision.variants?.behavior ?? TargetedBehavior(json: revision.bytes)
        let variant = behavior.evaluateQuietly(context).variant
        let given = revision.variants?.revision(of: variant) ?? revision
        return ExplainBehavior.Output(
            name: name,
            environment: environment,
            revision: revision.number,
            etag: given.etag,
            targets: ExplainedTarget.all(of: behavior, for: context)
        )
    }
}
