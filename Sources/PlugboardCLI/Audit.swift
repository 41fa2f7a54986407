import ArgumentParser
import BehaviorStore
import Storage

/// The command `plugboard audit`.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Looks after what is written down of each change.",
        subcommands: [Verify.self]
    )
}

extension Audit {
    /// The command `plugboard audit verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Finds rows of the audit that were edited, removed or moved.",
            discussion: """
                It reads the data folder, whether a server runs on it or not. Each row's hash covers \
                the row and the hash before it, and the documents are held against the rows. The \
                status is 1 if something is wrong. Whoever can write all of it anew can make another \
                that is as good: note the last hash elsewhere, and give it as --head.
                """
        )

        @Option(
            help: ArgumentHelp(
                "A hash that was the last one before: it has to be there.",
                valueName: "hash"
            )
        )
        var head: String?

        @OptionGroup var options: Token.DataOptions

        func run() async throws {
            let storage = options.storage
            guard storage.exists else { throw Failure("there is no \(storage.path)") }
            let check = try await Token.telling {
                try await AuditCheck(SQLiteBehaviors(storage), expecting: head)
            }
            for finding in check.findings { Output.complain(finding) }
            guard check.findings.isEmpty else { throw ExitCode(1) }
            Output.print(
                "\(check.count) rows, as they were written; the last hash is \(check.head.hash)"
            )
        }
    }
}
