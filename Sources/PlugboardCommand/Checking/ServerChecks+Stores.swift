import BehaviorStore
import Glibc
import Plugboard
import PostgreSQL
import Storage
import System

extension ServerChecks {
    /// The results of a store's checks.
    struct StoreState {
        var findings: [Finding]
        /// The names of the live documents; nil if they are unknown.
        var live: [String]?
        /// The newest stored time in seconds since 1970.
        var newestTime: Int?

        init(_ findings: [Finding], _ contents: DocumentContents? = nil) {
            self.findings = findings
            live = contents?.live
            newestTime = contents?.newestTime
        }
    }

    /// Checks the data folder and each of its databases.
    func dataFolder() -> StoreState {
        let check = "data folder"
        guard let folder = configuration.dataFolder else {
            if case .postgreSQL = configuration.documents {
                let text = "none: tokens, plugs and documents are in the database"
                return StoreState([.ok(check, text)], DocumentContents())
            }
            let finding = Finding.warning(
                check,
                "none: tokens, plugs and published documents can't be stored",
                do: "Set --data to a folder that the server can write."
            )
            return StoreState([finding], DocumentContents())
        }
        let storage = Storage.of(folder)
        do throws(StorageError) {
            try storage.check()
        } catch {
            let remedy = "Or choose another folder with --data."
            return StoreState([.error(check, error.reason, do: remedy)])
        }
        guard access(folder, F_OK) == 0 else {
            let text = "\(folder) will be created by the first write"
            return StoreState([.ok(check, text)], DocumentContents())
        }
        let others = otherDatabases(in: folder)
        do throws(StorageError) {
            guard
                let (state, contents) = try DataFolder.inspect(
                    folder,
                    environment: configuration.environment
                )
            else {
                let text = "\(folder) is writable; the first write creates \(Storage.fileName)"
                return StoreState([.ok(check, text)] + others, DocumentContents())
            }
            return StoreState([Self.database(storage.path, state)] + others, contents)
        } catch {
            return StoreState([Self.unusable(error, storage.path)] + others)
        }
    }

    /// The databases of the application in the data folder.
    private func otherDatabases(in folder: String) -> [Finding] {
        let names = (try? Paths.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(".sqlite") && $0 != Storage.fileName }.sorted()
            .compactMap { name in
                let storage = Storage.of(folder, file: name)
                do throws(StorageError) {
                    return try storage.inspect().map { Self.database(storage.path, $0) }
                } catch {
                    return Self.unusable(error, storage.path)
                }
            }
    }

    /// Returns the result of a database's file.
    static func database(_ path: String, _ state: StorageInspection) -> Finding {
        if let damage = state.damage.first {
            return .error(
                "database",
                "\(path) is damaged: \(damage)",
                do: restoring
            )
        }
        if let newer = state.newer { return .error("database", newer) }
        let size = ByteCount.text(state.size)
        guard state.pending.isEmpty else {
            return .ok(
                "database",
                "\(path) is writable and intact (\(size)); the next start migrates "
                    + state.pending.joined(separator: ", ")
            )
        }
        return .ok("database", "\(path) is writable and intact (\(size)), with the current schema")
    }

    /// Returns the result of a file that can't be read.
    static func unusable(_ error: StorageError, _ path: String) -> Finding {
        if error.isBusy {
            return .warning(
                "database",
                "\(path) is locked by another process",
                do: "Try again when that process has ended."
            )
        }
        return .error("database", "\(path): \(error.reason)", do: restoring)
    }

    private static let restoring =
        "Stop the server, keep a copy of the file, and restore the last backup."

    /// Checks the store of documents; nil if they are in the data folder.
    func documents() async -> StoreState? {
        switch configuration.documents {
        case .postgreSQL(let url): await database(url)
        case .folder(let folder): await behaviorsFolder(folder)
        case nil: nil
        }
    }

    private func database(_ url: String) async -> StoreState {
        do {
            let database = try await SharedDatabase(
                url,
                environment: configuration.environment,
                schemas: server.schemas
            )
            let findings = Self.shared(database, migrates: configuration.migratesDatabase)
            return StoreState(findings, database.contents)
        } catch let error as PostgreSQLError {
            return StoreState([Self.unavailable(error, at: url)])
        } catch {
            return StoreState([.error("PostgreSQL", "\(error)")])
        }
    }

    private static func unavailable(_ error: PostgreSQLError, at url: String) -> Finding {
        let address = (try? PostgreSQLAddress(url))?.description ?? "the database"
        let remedy =
            switch error.kind {
            case .missingLibrary: "Install libpq (apt-get install libpq5)."
            case .wrongAddress: "Correct --database."
            case .denied: "Correct the user, the password or the database's name in --database."
            case .refused, .misuse: "Grant the user what it lacks, or correct --database."
            default: "Start it, or correct --database or the network."
            }
        // libpq indents the second line of a message.
        let reason = error.description.replacing("\t", with: "")
        return .error("PostgreSQL", "\(address): \(reason)", do: remedy)
    }

    /// Returns the results of a PostgreSQL database.
    private static func shared(_ database: SharedDatabase, migrates: Bool) -> [Finding] {
        let place = "\(database.address) (PostgreSQL \(database.version))"
        var findings: [Finding] = []
        if let newer = database.newer {
            findings.append(.error("PostgreSQL", newer))
        } else if let problem = database.writeProblem {
            findings.append(.error("PostgreSQL", "\(place): \(problem)"))
        } else if !migrates, !database.missing.isEmpty || !database.pending.isEmpty {
            let names = (database.missing.map { "\($0) is missing" } + database.pending)
                .joined(separator: ", ")
            findings.append(
                .error("PostgreSQL", "\(place): \(names)", do: "Run the command migrate.")
            )
        } else if !database.hasTables {
            findings.append(
                .ok("PostgreSQL", "\(place) is writable; the first write creates the tables")
            )
        } else if database.pending.isEmpty {
            findings.append(.ok("PostgreSQL", "\(place) is writable, with the current schema"))
        } else {
            let pending = database.pending.joined(separator: ", ")
            findings.append(
                .ok("PostgreSQL", "\(place) is writable; the next start migrates \(pending)")
            )
        }
        return findings + [clock(lead: database.clockLead, of: database.address)]
    }

    private func behaviorsFolder(_ folder: String) async -> StoreState {
        let check = "behaviors folder"
        do throws(StorageError) {
            // The folder has no database; the rules for the folder itself are the same.
            try Storage.of(folder).check()
        } catch {
            let remedy = "Or choose another folder with --behaviors-folder."
            return StoreState([.error(check, error.reason, do: remedy)])
        }
        guard access(folder, F_OK) == 0 else {
            let text = "\(folder) will be created by the first document"
            return StoreState([.ok(check, text)], DocumentContents())
        }
        let history = folder + "/.history"
        if access(history, F_OK) == 0, let problem = FileAccess.problem(ofFolder: history) {
            return StoreState([.error(check, problem)])
        }
        let remedy = "Restore \(history) from the last backup."
        let store = DirectoryBehaviors(folder, logger: Self.quiet)
        do {
            let states = try await store.documents()
            let problems = try await store.contradictions()
            guard problems.isEmpty else {
                return StoreState(problems.map { .error(check, $0, do: remedy) })
            }
            var contents = DocumentContents()
            contents.live = states.filter {
                $0.key.environment == configuration.environment && $0.live != nil
            }.map(\.key.name)
            contents.newestTime = try await store.audit(before: nil, limit: 1).first?.at
            let count = counted(contents.live.count, "live document")
            return StoreState([.ok(check, "\(folder) is writable, with \(count)")], contents)
        } catch {
            return StoreState([.error(check, "\(folder): \(error)", do: remedy)])
        }
    }

    /// Checks the file of the behavior document; `live` are the store's live documents.
    func behaviors(inStore live: [String]?) -> [Finding] {
        guard let path = server.behaviorsPath else {
            return server.awaitsDocument ? Self.unpublished(live) : []
        }
        if live?.contains(LiveBehaviors.defaultName) == true {
            return [.ok("behaviors", "the store has the live document; \(path) is ignored")]
        }
        do {
            _ = try BehaviorFile(path: path, logger: Self.quiet)
            return [.ok("behaviors", "\(path) is a valid document")]
        } catch {
            return [.error("behaviors", "\(error)", do: "Correct the document at that place.")]
        }
    }

    /// Returns the result for a document that can only be published.
    private static func unpublished(_ live: [String]?) -> [Finding] {
        guard let live else { return [] }
        if live.contains(LiveBehaviors.defaultName) {
            return [.ok("behaviors", "the store has the live document")]
        }
        return [
            .warning(
                "behaviors",
                "no document is live, so /behaviors.json is 404",
                do: "plugboard behaviors publish FILE"
            )
        ]
    }
}
