import ArgumentParser
import Behaviors
import Targeting

extension BehaviorsCommand {
    /// The command `behaviors validate`.
    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks behavior documents and their rules, without a server.",
            discussion: """
                Prints each error with its line, its column and a JSON Pointer. The status is 0 if \
                all documents are valid, 1 otherwise. The command warns if the rules always need \
                more steps than the limit of a request: the last rules are then never true. It \
                also warns of a member that looks like a misspelt "when".
                """
        )

        @Argument(help: ArgumentHelp("The documents; - for the standard input.", valueName: "file"))
        var files: [String]

        func run() throws {
            var isValid = true
            for file in files {
                do throws(Failure) {
                    let bytes = try InputFile.read(file, maximum: BehaviorDocument.maximumSize)
                    if !Self.printSummary(of: bytes, file) { isValid = false }
                } catch {
                    isValid = false
                    Output.writeError("\(error)")
                }
            }
            guard isValid else { throw ExitCode(1) }
        }

        /// Prints a summary of a file's document, or its errors.
        ///
        /// - Returns: whether it is valid.
        private static func printSummary(of bytes: [UInt8], _ file: String) -> Bool {
            do throws(InvalidBehavior) {
                let behavior = try TargetedBehavior(json: bytes)
                Output.print("\(file): valid, \(words(behavior.document))")
                for warning in warnings(behavior) {
                    Output.print("\(file): warning: \(warning)")
                }
                return true
            } catch {
                for problem in error.problems { Output.print("\(file): \(problem)") }
                return false
            }
        }

        /// Returns the warnings about a valid document.
        private static func warnings(_ behavior: TargetedBehavior) -> [String] {
            let slips = MisspelledRule.all(of: behavior.document, at: behavior.modulesPointer)
                .map(\.description)
            let (least, maximum) = (behavior.minimumSteps, TargetedBehavior.maximumSteps)
            guard least > maximum else { return slips }
            return slips + [
                "the rules need at least \(least) steps for each request, and the limit is "
                    + "\(maximum): the last rules are never true"
            ]
        }

        private static func words(_ document: BehaviorDocument) -> String {
            let actions = document.modules.flatMap(\.actions)
            let rules =
                document.modules.count { $0.others["when"] != nil }
                + actions.count { $0.others["when"] != nil }
            return [
                counted(document.modules.count, "module"), counted(actions.count, "action"),
                counted(rules, "rule"),
            ].joined(separator: ", ")
        }
    }
}
