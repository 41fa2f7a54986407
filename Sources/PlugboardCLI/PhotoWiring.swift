import ArgumentParser
import Locking
import PhotoActions
import PlugboardClient
import Storage

/// What the sample's actions stand on, and what they are plugged to.
struct PhotoWiring {
    let folder: String
    /// As `ACTION=IMPLEMENTATION`.
    let plugs: [String]
    let upstream: String?

    static func pair(_ text: String) -> (action: String, implementation: String)? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// Plugs each action, and returns the database if one of them needs it.
    func wire() throws -> PhotoDatabase? {
        let chosen = plugs.compactMap(Self.pair)
            .reduce(into: [:]) { $0[$1.action] = $1.implementation }
        let database = Once { [folder] in PhotoDatabase(folder: folder) }
        let memory = Once { MemoryPhotos() }
        let sources = PhotoPlugs.Sources(
            database: { database.value },
            memory: { memory.value },
            network: { [upstream] in
                guard let upstream else {
                    throw Failure.usage("a Network… implementation needs --upstream")
                }
                return Client(upstream)
            }
        )
        do {
            try PhotoPlugs.plug(chosen, sources: sources)
        } catch let error as UnknownPlug {
            throw Failure.usage("--plug: \(error)")
        }
        return database.made
    }

    /// The folder of what the server keeps: where the photos are, or the named one if it can be used.
    func dataFolder(_ database: PhotoDatabase?) -> String? {
        if let database { return database.folder }
        return (try? Storage.of(folder).check()) == nil ? nil : folder
    }

    /// Opens the database while the server answers what needs none.
    static func opening(_ database: PhotoDatabase) -> @Sendable () async throws -> Void {
        {
            do {
                try await database.open()
            } catch {
                throw Failure("the database in \(database.folder) can't be used: \(error)")
            }
        }
    }
}
