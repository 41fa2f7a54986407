import Plug
public import PlugboardClient
public import Plugboard

/// The photo sample's wiring: which implementation each action begins with, and others by name.
public struct PhotoPlugs: Sendable {
    /// What the implementations stand on.
    ///
    /// Each is made when an implementation needs it.
    public struct Sources: Sendable {
        /// Opens the database.
        public var database: @Sendable () throws -> PhotoDatabase
        /// The photos in memory.
        public var memory: @Sendable () throws -> MemoryPhotos
        /// The server that `Network…` implementations ask.
        public var network: @Sendable () throws -> Client

        /// Sources that are made by these.
        public init(
            database: @escaping @Sendable () throws -> PhotoDatabase,
            memory: @escaping @Sendable () throws -> MemoryPhotos,
            network: @escaping @Sendable () throws -> Client
        ) {
            self.database = database
            self.memory = memory
            self.network = network
        }
    }

    private typealias Plug = @Sendable (Sources) throws -> Void

    /// The sample's actions, for a server's list.
    @ActionsBuilder public static var actions: [ExposedAction] {
        ListPhotos.self
        GetPhoto.self
        PostPhoto.self
        LikePhoto.self
        UnlikePhoto.self
        WatchLikes.self
        Ping.self
    }

    /// The names of the implementations of an action; empty if there is no such action.
    public static func implementations(of action: String) -> [String] {
        table[action].map { $0.keys.sorted() } ?? []
    }

    /// Plugs each action to its database, but those that `chosen` gives an implementation's name.
    ///
    /// - Throws: ``UnknownPlug`` for a name that there is none of, and what a source throws.
    public static func plug(_ chosen: [String: String], sources: Sources) throws {
        for (action, implementation) in chosen.sorted(by: { $0.key < $1.key }) {
            guard table[action]?[implementation] != nil else {
                throw UnknownPlug(action: action, implementation: implementation)
            }
        }
        for (action, plugs) in table {
            let implementation = chosen[action] ?? "Database\(action)"
            try plugs[implementation]?(sources)
        }
        Ping.self <~ { "pong" }
        PhotosAnswer.self <~ { _ = try await action(ListPhotos.self, .init(limit: 1)) }
    }

    private static let table: [String: [String: Plug]] = [
        "ListPhotos": row(
            ListPhotos.self,
            DatabaseListPhotos.init,
            MemoryListPhotos.init,
            NetworkListPhotos.init
        ),
        "GetPhoto": row(
            GetPhoto.self,
            DatabaseGetPhoto.init,
            MemoryGetPhoto.init,
            NetworkGetPhoto.init
        ),
        "PostPhoto": row(
            PostPhoto.self,
            DatabasePostPhoto.init,
            MemoryPostPhoto.init,
            NetworkPostPhoto.init
        ),
        "LikePhoto": row(
            LikePhoto.self,
            DatabaseLikePhoto.init,
            MemoryLikePhoto.init,
            NetworkLikePhoto.init
        ),
        "UnlikePhoto": row(
            UnlikePhoto.self,
            DatabaseUnlikePhoto.init,
            MemoryUnlikePhoto.init,
            NetworkUnlikePhoto.init
        ),
        // A client takes answers whole, so there is none for the network.
        "WatchLikes": row(WatchLikes.self, DatabaseWatchLikes.init, MemoryWatchLikes.init),
    ]

    /// An action's implementations by their names.
    private static func row<A: ActionProtocol>(
        _ action: A.Type,
        _ database: @escaping @Sendable (PhotoDatabase) -> A,
        _ memory: @escaping @Sendable (MemoryPhotos) -> A,
        _ network: (@Sendable (Client) -> A)? = nil
    ) -> [String: Plug] {
        var plugs: [String: Plug] = [
            "Database\(A.name)": { sources in
                let photos = try sources.database()
                action <~ database(photos)
            },
            "Memory\(A.name)": { sources in
                let photos = try sources.memory()
                action <~ memory(photos)
            },
        ]
        if let network {
            plugs["Network\(A.name)"] = { sources in
                let client = try sources.network()
                action <~ network(client)
            }
        }
        return plugs
    }
}

/// The name of an action or an implementation that the sample has none of.
public struct UnknownPlug: Error, CustomStringConvertible {
    /// The action's name as it was given.
    public let action: String
    /// The implementation's name as it was given.
    public let implementation: String

    /// What there is instead.
    public var description: String {
        let names = PhotoPlugs.implementations(of: action)
        return names.isEmpty
            ? "there is no action \(action)"
            : "\(action) has no implementation \(implementation), but \(names.joined(separator: ", "))"
    }
}
