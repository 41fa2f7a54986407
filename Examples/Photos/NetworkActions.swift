import PhotoContracts
import PlugboardClient

/// ``ListPhotos`` on another server.
final class NetworkListPhotos: ListPhotos {
    private let network: Client

    /// Uses a client of the other server.
    init(network: Client) { self.network = network }

    /// Calls the action of the other server.
    override func perform(_ query: Query) async throws -> [Photo] {
        try await network.send(ListPhotos.self, query)
    }
}

/// ``GetPhoto`` on another server.
final class NetworkGetPhoto: GetPhoto {
    private let network: Client

    /// Uses a client of the other server.
    init(network: Client) { self.network = network }

    /// Calls the action of the other server.
    override func perform(_ photo: PhotoID) async throws -> Photo {
        try await network.send(GetPhoto.self, photo)
    }
}

/// ``PostPhoto`` on another server.
final class NetworkPostPhoto: PostPhoto {
    private let network: Client

    /// Uses a client of the other server.
    init(network: Client) { self.network = network }

    /// Calls the action of the other server.
    override func perform(_ input: Input) async throws -> Photo {
        try await network.send(PostPhoto.self, input)
    }
}

/// ``LikePhoto`` on another server.
final class NetworkLikePhoto: LikePhoto {
    private let network: Client

    /// Uses a client of the other server.
    init(network: Client) { self.network = network }

    /// Calls the action of the other server.
    override func perform(_ like: Like) async throws -> Likes {
        try await network.send(LikePhoto.self, like)
    }
}

/// ``UnlikePhoto`` on another server.
final class NetworkUnlikePhoto: UnlikePhoto {
    private let network: Client

    /// Uses a client of the other server.
    init(network: Client) { self.network = network }

    /// Calls the action of the other server.
    override func perform(_ like: LikePhoto.Like) async throws -> Likes {
        try await network.send(UnlikePhoto.self, like)
    }
}
