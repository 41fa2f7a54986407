import ArgumentParser
import BehaviorStore
import JSONCodec
import Locking
import Logging
import PlugHTTP
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `plugboard behaviors export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes all documents with all of their revisions and the audit.",
            discussion: """
                A server's, which needs the scopes audit:read and behaviors:read; or with --data, \
                --database or --behaviors-folder what is kept there, whether a server runs on it or \
                not. With neither, PLUGBOARD_URL goes before PLUGBOARD_DATABASE. A file is there whole or not at all; what is printed may break off, and then the \
                status tells.
                """
        )

        @Argument(help: "The file; - for the standard output.")
        var file = "-"

        @OptionGroup var store: StoreOptions

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let isServer = try server.isMeant(beside: store)
            let keeping = isServer ? nil : try store.keeping(mustExist: true)
            try await OutputFile.write(file) { file in
                guard let keeping else { return try await exportServer(to: file) }
                try await StoreOptions.telling {
                    for try await piece in try await BehaviorDocuments(keeping).export() {
                        try file.write(piece)
                    }
                }
            }
        }

        private func exportServer(to file: OutputFile) async throws {
            let route = try ActionRoute(endpoint: ExportBehaviors.self)
            let end = Locked<[UInt8]>([])
            try await server.ask { client in
                do {
                    try await client.send(route, nil) { piece in
                        try file.write(piece)
                        end.withLock { $0 = ($0 + piece).suffix(BehaviorArchive.greatestEnd) }
                    }
                } catch let error as ClientError
                    where error.kind == .invalidResponse && !end.withLock({ $0.isEmpty })
                {
                    // A status is said before the archive's first line, and can't be taken back.
                    throw Failure(
                        "the archive was broken off; where the server did so its log says why: \(error)"
                    )
                }
            }
            // What is between may have cut it off where nothing says how long it is.
            guard BehaviorArchive.isWhole(end.withLock { $0 }) else {
                throw Failure("the archive is cut off: its last line is missing")
            }
        }
    }

    /// The command `plugboard behaviors import`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes over what export printed: all of it, or nothing.",
            discussion: """
                Nothing may be kept there before. It goes to a server, which needs the scope admin; \
                or with --data, --database or --behaviors-folder to what keeps the documents. Servers \
                that run on it serve what is live within a second.
                """
        )

        @Argument(help: "The file; - for the standard input.")
        var file: String

        @OptionGroup var store: StoreOptions

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let isServer = try server.isMeant(beside: store)
            let input = try InputFile(file)
            let report = try await isServer ? importToServer(input) : importToStore(input)
            Output.print(
                "\(report.documents) documents with \(report.revisions) revisions and "
                    + "\(report.rows) rows of the audit; the last hash is \(report.hash)"
            )
        }

        /// Sends the file as it is read.
        private func importToServer(_ input: InputFile) async throws -> ImportReport {
            let route = try ActionRoute(endpoint: ImportBehaviors.self)
            let size = Locked(0)
            let greatest = ArchiveBounds().bytes
            let answer = try await server.ask { [file] client in
                try await client.send(
                    route,
                    from: {
                        guard let piece = try input.next() else { return nil }
                        let count = size.withLock { size in
                            size += piece.count
                            return size
                        }
                        guard count <= greatest else {
                            throw Failure("\(file) is larger than \(greatest >> 20) MiB")
                        }
                        return piece
                    },
                    mediaType: BehaviorArchive.mediaType
                )
            }
            return try JSON.decode(ImportReport.self, from: answer)
        }

        private func importToStore(_ input: InputFile) async throws -> ImportReport {
            let documents = BehaviorDocuments(
                try store.keeping(mustExist: false),
                logger: Logger(label: "import") { _ in SwiftLogNoOpLogHandler() }
            )
            return try await StoreOptions.telling {
                var parser = ArchiveParser()
                while let piece = try input.next() { try parser.take(piece) }
                let archive = try parser.finish()
                try await documents.load(archive, by: Author(id: "import"))
                return ImportReport(archive)
            }
        }
    }
}

extension ServerOptions {
    /// Whether a server is asked and not what keeps the documents: the command line goes before the
    /// environment, and where neither names any it is the server.
    fileprivate func isMeant(beside store: StoreOptions) throws -> Bool {
        let named = [store.data, store.database, store.behaviorsFolder].contains { $0 != nil }
        guard url == nil || !named else {
            throw Failure.usage("it is either a server's --url or where documents are kept")
        }
        if url != nil { return true }
        if named { return false }
        return try Environment.value("URL") != nil || store.place() == nil
    }
}
