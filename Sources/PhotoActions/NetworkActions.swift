import Plug
public import PlugboardClient

/// ``ListPhotos`` on another server.
public final class NetworkListPhotos: ListPhotos {
    private let network: Client

    /// Asks the server of that client.
    public init(network: Client) { self.network = network }

    /// Sends the action to the server.
    public override func perform(_ query: Query) async throws -> [Photo] {
        try await network.send(ListPhotos.self, query)
    }
}

/// ``GetPhoto`` on another server.
public final class NetworkGetPhoto: GetPhoto {
    private let network: Client

    /// Asks the server of that client.
    public init(network: Client) { self.network = network }

    /// Sends the action to the server.
    public override func perform(_ photo: PhotoID) async throws -> Photo {
        try await network.send(GetPhoto.self, photo)
    }
}

/// ``PostPhoto`` on another server.
public final class NetworkPostPhoto: PostPhoto {
    private let network: Client

    /// Asks the server of that client.
    public init(network: Client) { self.network = network }

    /// Sends the action to the server.
    public override func perform(_ input: Input) async throws -> Photo {
        try await network.send(PostPhoto.self, input)
    }
}

/// ``LikePhoto`` on another server.
public final class NetworkLikePhoto: LikePhoto {
    private let network: Client

    /// Asks the server of that client.
    public init(network: Client) { self.network = network }

    /// Sends the action to the server.
    public override func perform(_ like: Like) async throws -> Likes {
        try await network.send(LikePhoto.self, like)
    }
}

/// ``UnlikePhoto`` on another server.
public final class NetworkUnlikePhoto: UnlikePhoto {
    private let network: Client

    /// Asks the server of that client.
    public init(network: Client) { self.network = network }

    /// Sends the action to the server.
    public override func perform(_ like: LikePhoto.Like) async throws -> Likes {
        try await network.send(UnlikePhoto.self, like)
    }
}
