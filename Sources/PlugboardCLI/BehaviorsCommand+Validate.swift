import ArgumentParser
import Behaviors
import Targeting

extension BehaviorsCommand {
    /// The command `plugboard behaviors validate`.
    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks behavior documents, their rules included, without a server.",
            discussion: """
                All that is wrong is told, each with its line, its column and a JSON Pointer. The \
                status is 0 if all documents are valid, 1 if one isn't. A valid one whose rules take \
                more steps than a request may, whoever asks, is warned of: the last of them never hold; \
                so is a member that looks like a misspelt "when".
                """
        )

        @Argument(help: ArgumentHelp("The documents; - is the standard input.", valueName: "file"))
        var files: [String]

        func run() throws {
            var isValid = true
            for file in files {
                do throws(Failure) {
                    let bytes = try InputFile.read(file, greatest: BehaviorDocument.greatestSize)
                    if !Self.tell(of: bytes, file) { isValid = false }
                } catch {
                    isValid = false
                    Output.complain("\(error)")
                }
            }
            guard isValid else { throw ExitCode(1) }
        }

        /// Tells what a file's document has, or what is wrong with it.
        ///
        /// - Returns: whether it is valid.
        private static func tell(of bytes: [UInt8], _ file: String) -> Bool {
            do throws(InvalidBehavior) {
                let behavior = try TargetedBehavior(json: bytes)
                Output.print("\(file): valid, \(words(behavior.document))")
                for warning in warnings(behavior) {
                    Output.print(line: "\(file): warning: \(warning)")
                }
                return true
            } catch {
                for problem in error.problems { Output.print(line: "\(file): \(problem)") }
                return false
            }
        }

        /// What an author should know of a document that is valid.
        private static func warnings(_ behavior: TargetedBehavior) -> [String] {
            let slips = RuleSlip.all(of: behavior.document, at: behavior.modulesPointer)
                .map(\.description)
            let (least, greatest) = (behavior.leastSteps, TargetedBehavior.greatestSteps)
            guard least > greatest else { return slips }
            return slips + [
                "the rules take at least \(least) steps for each request, which may take "
                    + "\(greatest): the last of them never hold"
            ]
        }

        private static func words(_ document: BehaviorDocument) -> String {
            func count(_ number: Int, _ noun: String) -> String {
                "\(number) \(noun)" + (number == 1 ? "" : "s")
            }
            let actions = document.modules.flatMap(\.actions)
            let rules =
                document.modules.count { $0.others["when"] != nil }
                + actions.count { $0.others["when"] != nil }
            return [
                count(document.modules.count, "module"), count(actions.count, "action"),
                count(rules, "rule"),
            ].joined(separator: ", ")
        }
    }
}
