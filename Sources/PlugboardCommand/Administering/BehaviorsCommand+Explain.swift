import ArgumentParser
import Authoring
import JSONCodec
import Plugboard
import PlugboardClient
import Targeting

extension BehaviorsCommand {
    /// The command `behaviors explain`.
    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows which parts of a document a user gets, and why.",
            discussion: """
                Prints for each module and action whether the user gets it, the rule, and in \
                sentences why: the values that the rule read and the user's buckets. The token \
                needs the scope behaviors:read.
                """
        )

        @Argument(
            help: ArgumentHelp(
                "The user's properties: targetingKey=user-42 country=LV. All values are strings.",
                valueName: "name=value"
            )
        )
        var properties: [String] = []

        @Option("The user's properties as JSON, as in the field Plugboard-Context.", value: "json")
        var context: String?

        @Option("The revision, which may be a draft. (default: the live one)", value: "number")
        var revision: Int?

        @OptionGroup var options: DocumentOptions

        func run() async throws {
            let input = ExplainBehavior.Input(
                name: options.document,
                context: try read(),
                revision: revision,
                environment: options.environment
            )
            let explanation = try await options.server.send(ExplainBehavior.self, input)
            let revision = explanation.revision.map { "revision \($0)" } ?? "a file"
            Output.print(
                "\(explanation.name) in \(explanation.environment)  \(revision)  \(explanation.etag)"
            )
            for target in explanation.targets { Self.show(target) }
        }

        private func read() throws -> JSON {
            var members: JSON.Object = [:]
            if let context {
                guard let object = try JSON.argument(context, "the context").object else {
                    throw Failure.usage("the context must be a JSON object")
                }
                members = object
            }
            for property in properties {
                guard let equals = property.firstIndex(of: "="), equals > property.startIndex else {
                    throw Failure.usage("expected name=value, not \(property)")
                }
                let name = String(property[..<equals])
                guard members[name] == nil else { throw Failure.usage("\(name) is given twice") }
                members[name] = .string(String(property[property.index(after: equals)...]))
            }
            return .object(members)
        }

        private static func show(_ target: ExplainedTarget) {
            let name = target.function.map { "\(target.module)/\($0)" } ?? target.module
            let value = target.value.map { " \(RuleDescription.cut($0))" } ?? ""
            let rule = target.rule.map { "  by \($0)" } ?? ""
            Output.print("\(target.isKept ? "included" : "excluded")  \(name)\(value)\(rule)")
            for sentence in target.sentences { Output.print("            \(sentence)") }
            for problem in target.problems {
                let place = problem.pointer
                Output.print("            \(place) can't be evaluated: \(problem.message)")
            }
        }
    }
}
