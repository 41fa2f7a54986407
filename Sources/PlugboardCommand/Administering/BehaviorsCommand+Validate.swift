import ArgumentParser
import Behaviors
import JSONCodec
import Plugboard
import PlugboardClient
import Targeting

extension BehaviorsCommand {
    /// The command `behaviors validate`.
    struct Validate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks behavior documents and their rules, without or with a server.",
            discussion: """
                Prints each error with its line, its column and a JSON Pointer. The status is 0 if \
                all documents are valid, 1 otherwise. The command warns if the rules always need \
                more steps than the limit of a request: the last rules are then never true. It \
                also warns of a member that looks like a misspelt "when". With --url the names of \
                modules, functions and the environment are compared with those of the server's \
                live documents; the token needs the scope behaviors:read. A name that resembles a \
                known one is an error, another unknown name a warning. The status is 69 if the \
                server can't be reached.
                """
        )

        @Argument(help: ArgumentHelp("The documents; - for the standard input.", valueName: "file"))
        var files: [String]

        @Flag(help: "Ends with status 1 if there are warnings.")
        var strict = false

        @Option(
            help: ArgumentHelp(
                "A module or a function that is new: Home, Home/show; may be repeated.",
                valueName: "name"
            )
        )
        var new: [String] = []

        @Option("The environment that the documents are for; needs --url.", value: "name")
        var environment: String?

        @OptionGroup var server: ServerOptions

        func run() async throws {
            guard server.url != nil || (environment == nil && new.isEmpty) else {
                throw Failure.usage("--environment and --new need --url")
            }
            var names: SeenNames?
            if server.url != nil {
                let known = try await server.ask { try await $0.send(ListModules.self) }
                names = SeenNames(known: known, new: Set(new))
            }
            var reports =
                environment.flatMap { names?.finding(environment: $0) }.map { finding in
                    [DocumentReport("--environment", finding)]
                } ?? []
            if let names, !names.known.isComplete {
                var report = DocumentReport(server.url ?? "")
                report.warnings.append(
                    "the live documents are too many or too large, so names aren't compared"
                )
                reports.append(report)
            }
            reports += files.map { DocumentReport(reading: $0, names) }
            if server.json {
                try Output.print(encoding: reports)
            } else {
                reports.forEach { $0.printLines() }
            }
            let isFine = reports.allSatisfy { $0.isValid && !(strict && !$0.warnings.isEmpty) }
            guard isFine else { throw ExitCode(1) }
        }
    }
}

/// The errors and warnings of a document.
private struct DocumentReport: Encodable {
    let file: String
    var isValid = true
    /// The number of modules, actions and rules in words; nil for an invalid document.
    var summary: String?
    /// The errors with their places.
    var errors: [String] = []
    var warnings: [String] = []
    /// The error for a file that can't be read, which names the file itself.
    private var failure: String?

    private enum CodingKeys: String, CodingKey { case file, isValid, summary, errors, warnings }

    init(_ file: String) { self.file = file }

    /// Makes the report of an unknown environment.
    init(_ option: String, _ finding: SeenNames.Finding) {
        file = option
        add([finding]) { $0.message }
    }

    /// Reads and checks a file; `-` is the standard input.
    init(reading file: String, _ names: SeenNames?) {
        self.file = file
        do throws(Failure) {
            check(try InputFile.read(file, maximum: BehaviorDocument.maximumSize), names)
        } catch {
            failure = error.description
            isValid = false
            errors = [error.description]
        }
    }

    private mutating func check(_ bytes: [UInt8], _ names: SeenNames?) {
        do throws(InvalidBehavior) {
            let behavior = try TargetedBehavior(json: bytes)
            summary = Self.words(behavior.document)
            warnings = Self.warnings(behavior)
            guard let names else { return }
            let findings = names.findings(in: behavior.document, at: behavior.modulesPointer)
            let places =
                bytes.withUnsafeBytes { JSON.places(of: findings.map(\.pointer), in: $0) } ?? []
            var left = places[...]
            add(findings) { finding in
                guard let place = left.popFirst() else { return finding.message }
                return BehaviorError(
                    pointer: finding.pointer,
                    message: finding.message,
                    line: place.line,
                    column: place.column
                ).description
            }
        } catch {
            isValid = false
            errors = error.problems.map(\.description)
        }
    }

    /// Adds misspelled names as errors, and other unknown names as warnings.
    private mutating func add(
        _ findings: [SeenNames.Finding],
        _ describe: (SeenNames.Finding) -> String
    ) {
        for finding in findings {
            let text = describe(finding)
            if finding.isMisspelled {
                errors.append(text)
                isValid = false
            } else {
                warnings.append(text)
            }
        }
    }

    func printLines() {
        if let failure { return Output.writeError(failure) }
        for error in errors { Output.print("\(file): \(error)") }
        if isValid, let summary { Output.print("\(file): valid, \(summary)") }
        for warning in warnings { Output.print("\(file): warning: \(warning)") }
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
