import AdministrationStore
import ArgumentParser
import BehaviorStore
import JSONCodec
import Locking
import Logging
import PlugHTTP
import Plugboard
import PlugboardClient

extension BehaviorsCommand {
    /// The command `behaviors export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Exports all documents with their revisions and the audit log.",
            discussion: """
                Exports a server's documents; the token needs the scopes audit:read and \
                behaviors:read. With --data, --database or --behaviors-folder the command reads \
                that store directly; a server may be running on it. Without these options and \
                --url, PLUGBOARD_URL takes precedence over PLUGBOARD_DATABASE. A file is written \
                completely or not at all. The standard output may end early, with a status other \
                than 0.
                """
        )

        @Argument(help: "The output file; - for the standard output.")
        var file = "-"

        @OptionGroup var store: StoreOptions

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let isServer = try server.isMeant(beside: store)
            let backend = isServer ? nil : try store.open(mustExist: true).behaviors
            try await OutputFile.write(file) { file in
                guard let backend else { return try await exportServer(to: file) }
                try await Self.export(backend, to: file)
            }
        }

        private static func export(
            _ backend: any BehaviorBackend,
            to file: OutputFile
        ) async throws {
            try await StoreOptions.explainingErrors {
                for try await piece in try await BehaviorDocuments(backend).export() {
                    try file.write(piece)
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
                        end.withLock { $0 = ($0 + piece).suffix(BehaviorArchive.maximumEnd) }
                    }
                } catch let error as ClientError
                    where error.kind == .invalidResponse && !end.withLock({ $0.isEmpty })
                {
                    // The server sends the status before the archive, so a later error ends it.
                    throw Failure(
                        "the archive ended early; the server's log may have the reason: \(error)"
                    )
                }
            }
            // A proxy may have truncated a response without a length.
            guard BehaviorArchive.isWhole(end.withLock { $0 }) else {
                throw Failure("the archive is truncated: its last line is missing")
            }
        }
    }

    /// The command `behaviors import`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Imports an archive of export: all of it, or nothing.",
            discussion: """
                The target must have no documents. The archive goes to a server; the token needs \
                the scope admin. With --data, --database or --behaviors-folder it goes directly to \
                that store. Servers on that store serve the live revisions within a second.
                """
        )

        @Argument(help: "The archive; - for the standard input.")
        var file: String

        @OptionGroup var store: StoreOptions

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let isServer = try server.isMeant(beside: store)
            let input = try InputFile(file)
            let report = try await isServer ? importToServer(input) : importToStore(input)
            try server.finish(with: report)
            Output.print(
                "\(counted(report.documents, "document")) with "
                    + "\(counted(report.revisions, "revision")) and "
                    + "\(counted(report.rows, "row")) of the audit; the last hash is \(report.hash)"
            )
        }

        /// Streams the file to the server.
        private func importToServer(_ input: InputFile) async throws -> ImportReport {
            let route = try ActionRoute(endpoint: ImportBehaviors.self)
            let size = Locked(0)
            let maximum = ArchiveLimits().bytes
            let answer = try await server.ask { [file] client in
                let body = RequestBody(mediaType: BehaviorArchive.mediaType) {
                    guard let piece = try input.next() else { return nil }
                    let count = size.withLock { size in
                        size += piece.count
                        return size
                    }
                    guard count <= maximum else {
                        throw Failure("\(file) is larger than \(maximum >> 20) MiB")
                    }
                    return piece
                }
                return try await client.send(route, body)
            }
            return try JSON.decode(ImportReport.self, from: answer)
        }

        private func importToStore(_ input: InputFile) async throws -> ImportReport {
            let stores = try store.open(mustExist: false)
            let documents = BehaviorDocuments(
                stores.behaviors,
                logger: Logger(label: "import") { _ in SwiftLogNoOpLogHandler() }
            )
            return try await StoreOptions.explainingErrors {
                var parser = ArchiveParser()
                while let piece = try input.next() { try parser.take(piece) }
                let archive = try parser.finish()
                let report = ImportReport(archive)
                try await documents.load(
                    archive,
                    by: Author(id: "import"),
                    recording: AdministrationEntry(
                        .importDocuments,
                        to: report.audited,
                        by: .command
                    ),
                    in: stores.administration
                )
                return report
            }
        }
    }
}

extension ServerOptions {
    /// Whether the command calls a server, in place of opening a store.
    ///
    /// The command line takes precedence over the environment. The default is the server.
    fileprivate func isMeant(beside store: StoreOptions) throws -> Bool {
        let named = [store.data, store.database, store.behaviorsFolder].contains { $0 != nil }
        guard url == nil || !named else {
            throw Failure.usage(
                "give either --url or one of --data, --database and --behaviors-folder"
            )
        }
        if url != nil { return true }
        if named { return false }
        return try Environment.value(of: ClientOption.url) != nil || store.place() == nil
    }
}
