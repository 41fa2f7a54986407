import PhotoContracts
import PlugboardClient

/// The implementations of the photos' actions: in a file, in PostgreSQL, in memory, and on another
/// server.
enum PhotoPlugs {
    /// The stores and the client of the implementations.
    struct Sources {
        let database: PhotoDatabase
        /// The database that servers share; nil for none.
        var postgresql: PostgreSQLPhotos?
        let memory: MemoryPhotos
        /// The other server; nil for none.
        let network: Client?
    }

    /// Plugs all implementations under the names `database`, `postgresql`, `memory` and `network`.
    ///
    /// Calls use PostgreSQL if there is one, else the database in the data folder, or the
    /// implementation that `chosen` has for an action's name.
    ///
    /// - Returns: the actions whose calls use the database in the data folder.
    /// - Throws: ``UnknownPlug`` for a name that no action or implementation has.
    static func plug(_ chosen: [String: String], _ sources: Sources) throws -> [String] {
        var wiring = Wiring(sources: sources, chosen: chosen)
        try wiring.plug(
            ListPhotos.self,
            database: { DatabaseListPhotos(photos: $0) },
            postgresql: { PostgreSQLListPhotos(photos: $0) },
            memory: { MemoryListPhotos(photos: $0) },
            network: { NetworkListPhotos(network: $0) }
        )
        try wiring.plug(
            GetPhoto.self,
            database: { DatabaseGetPhoto(photos: $0) },
            postgresql: { PostgreSQLGetPhoto(photos: $0) },
            memory: { MemoryGetPhoto(photos: $0) },
            network: { NetworkGetPhoto(network: $0) }
        )
        try wiring.plug(
            PostPhoto.self,
            database: { DatabasePostPhoto(photos: $0) },
            postgresql: { PostgreSQLPostPhoto(photos: $0) },
            memory: { MemoryPostPhoto(photos: $0) },
            network: { NetworkPostPhoto(network: $0) }
        )
        try wiring.plug(
            LikePhoto.self,
            database: { DatabaseLikePhoto(photos: $0) },
            postgresql: { PostgreSQLLikePhoto(photos: $0) },
            memory: { MemoryLikePhoto(photos: $0) },
            network: { NetworkLikePhoto(network: $0) }
        )
        try wiring.plug(
            UnlikePhoto.self,
            database: { DatabaseUnlikePhoto(photos: $0) },
            postgresql: { PostgreSQLUnlikePhoto(photos: $0) },
            memory: { MemoryUnlikePhoto(photos: $0) },
            network: { NetworkUnlikePhoto(network: $0) }
        )
        // The sample has no network implementation of the stream.
        try wiring.plug(
            WatchLikes.self,
            database: { DatabaseWatchLikes(photos: $0) },
            postgresql: { PostgreSQLWatchLikes(photos: $0) },
            memory: { MemoryWatchLikes(photos: $0) },
            network: nil
        )
        if let (action, name) = wiring.chosen.min(by: { $0.key < $1.key }) {
            throw UnknownPlug(action: action, implementation: name, known: [], needsUpstream: false)
        }
        Ping.self <~ { "pong" }
        CheckPhotos.self <~ { _ = try await action(ListPhotos.self, .init(limit: 1)) }
        return wiring.stored
    }

    private struct Wiring {
        let sources: Sources
        /// The chosen names of the actions that are not plugged yet.
        var chosen: [String: String]
        /// The actions whose calls go to the database in the data folder.
        private(set) var stored: [String] = []

        init(sources: Sources, chosen: [String: String]) {
            self.sources = sources
            self.chosen = chosen
        }

        mutating func plug<A: ActionProtocol>(
            _ action: A.Type,
            database: @escaping @Sendable (PhotoDatabase) -> A,
            postgresql: @escaping @Sendable (PostgreSQLPhotos) -> A,
            memory: @escaping @Sendable (MemoryPhotos) -> A,
            network: (@Sendable (Client) -> A)?
        ) throws {
            let (photos, memoryPhotos) = (sources.database, sources.memory)
            var known = ["database", "memory"]
            A.named("database") <~ database(photos)
            A.named("memory") <~ memory(memoryPhotos)
            if let shared = sources.postgresql {
                A.named("postgresql") <~ postgresql(shared)
                known.append("postgresql")
            }
            if let network, let client = sources.network {
                A.named("network") <~ network(client)
                known.append("network")
            }
            let usual = sources.postgresql == nil ? "database" : "postgresql"
            let chosen = chosen.removeValue(forKey: A.name) ?? usual
            // LikePhoto=NetworkLikePhoto names the type.
            guard
                let name = known.first(where: {
                    $0 == chosen || ($0 + A.name).lowercased() == chosen.lowercased()
                })
            else {
                throw UnknownPlug(
                    action: A.name,
                    implementation: chosen,
                    known: known,
                    needsUpstream: network != nil && sources.network == nil
                )
            }
            action <~ .plug(name)
            if name == "database" { stored.append(A.name) }
        }
    }
}

/// An unknown name of an action or of an implementation.
struct UnknownPlug: Error, CustomStringConvertible {
    let action: String
    let implementation: String
    /// The action's implementations; empty if there is no such action.
    let known: [String]
    /// Whether the action has a network implementation, and there is no other server.
    let needsUpstream: Bool

    var description: String {
        if known.isEmpty { return "there is no action \(action)" }
        let hint = needsUpstream ? ", or network with --upstream" : ""
        return "\(action) has no implementation \(implementation): "
            + "choose \(known.joined(separator: ", "))\(hint)"
    }
}
