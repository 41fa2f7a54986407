import ArgumentParser
import BehaviorStore
import Logging
import PlugHTTP
import Plugboard
import Storage

extension BehaviorsCommand {
    /// The command `plugboard behaviors export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints all documents of a data folder with all of their revisions, as JSON.",
            discussion: "It reads the data folder, whether a server runs on it or not."
        )

        @OptionGroup var options: Token.DataOptions

        func run() async throws {
            let storage = options.storage
            guard storage.exists else { throw Failure("there is no \(storage.path)") }
            let bytes = try await BehaviorsCommand.telling {
                try await BehaviorDocuments(SQLiteBehaviors(storage)).export().encoded()
            }
            Output.write(bytes + [0x0A])
        }
    }

    /// The command `plugboard behaviors import`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes over what export printed: all of it, or nothing.",
            discussion: """
                It writes to the data folder; a server that runs on it serves what is live within a \
                second. Documents that are there already aren't touched: then nothing is taken over.
                """
        )

        @Argument(help: "The file; - for the standard input.")
        var file: String

        @OptionGroup var options: Token.DataOptions

        func run() async throws {
            let bytes = try InputFile.read(file, greatest: 1 << 30)
            let count = try await BehaviorsCommand.telling {
                let documents = BehaviorDocuments(
                    SQLiteBehaviors(options.storage),
                    logger: Logger(label: "import") { _ in SwiftLogNoOpLogHandler() }
                )
                return try await documents.load(
                    BehaviorArchive(json: bytes),
                    by: Author(id: "import", name: "", address: "")
                )
            }
            Output.print("\(count) documents, with all of their revisions")
        }
    }

    private static func telling<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await Token.telling(body)
        } catch let error as BehaviorStoreError {
            throw Failure(error.problem.detail ?? "\(error)")
        }
    }
}
